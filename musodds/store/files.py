"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO


class OutputError(OSError):
    """A file that cannot be written; the message names it and says why."""

    def __str__(self) -> str:
        return f"cannot write {str(self.filename)!r}: {self.strerror}"


def write_atomic(path: str | os.PathLike[str], data: str | bytes | Iterable[bytes]) -> None:
    """Write a file so that nobody ever sees half of it.

    The data go to a temporary file in the same directory, are forced to disk, and the
    file is then moved into place. If anything fails, interruption included, what stood
    at ``path`` before still stands there and no temporary file is left. A symbolic
    link is followed, the permissions of a replaced file are kept, and what is not a
    regular file (``/dev/null``, a named pipe) is written to and never replaced.

    Parameters
    ----------
    path : str or path-like
    data : str, bytes or iterable of bytes
        Text is encoded as UTF-8, its line ends as they are; parts are written one by one.

    Raises
    ------
    OutputError
        An `OSError` with ``errno`` and ``filename``: no such directory, no permission,
        the disk full, ...

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     write_atomic(Path(directory, "odds.csv"), "seat,phase")
    ...     [file.name for file in Path(directory).iterdir()]
    ['odds.csv']
    """
    content = data.encode() if isinstance(data, str) else data
    parts = [content] if isinstance(content, bytes) else content
    check_writable(path)
    try:
        if is_special(path):
            with open(path, "wb") as stream:
                stream.writelines(parts)
        else:
            _replace(Path(os.path.realpath(path)), parts)
    except OSError as error:
        raise _output_error(error, path) from error


def read_limited(path: str | os.PathLike[str], most: int, stream: BinaryIO | None = None) -> bytes:
    """The content of a file, unless there is more of it than anybody means.

    A device that never ends (``/dev/zero``) is read no further than that; a pipe is read
    to its end.

    Parameters
    ----------
    path : str or path-like
    most : int
        Bytes.
    stream : binary file, optional
        Read in place of the file, and left open.

    Raises
    ------
    OSError
        If the file cannot be read, or is larger (``errno.EFBIG``).

    Examples
    --------
    >>> read_limited("/dev/zero", 1000)
    Traceback (most recent call last):
        ...
    OSError: [Errno 27] it is larger than 1000 bytes: '/dev/zero'
    """
    with open(path, "rb") if stream is None else nullcontext(stream) as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}", os.fspath(path))
    return content


def read_text(
    path: str | os.PathLike[str],
    most: int,
    wrong: Callable[[str], Exception],
    stream: BinaryIO | None = None,
) -> str:
    """The content of a file of text, without the mark that some programs begin it with.

    Parameters
    ----------
    path : str or path-like
    most : int
        Bytes.
    wrong : callable
        From why it cannot be read, the exception that is raised.
    stream : binary file, optional
        Read in place of the file.

    Examples
    --------
    >>> read_text("/dev/zero", 1000, ValueError)
    Traceback (most recent call last):
        ...
    ValueError: it is larger than 1000 bytes
    """
    try:
        return read_limited(path, most, stream).decode("utf-8-sig")
    except UnicodeDecodeError:
        reason = "it is not text in UTF-8"
    except OSError as error:
        reason = _reason(error)
    raise wrong(reason)


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]


def _size(number: int) -> str:
    return f"{number / 1e6:.0f} MB" if number >= 10**6 else f"{number} bytes"


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise OutputError if a file could not be written, before any work is done for it.

    Raises
    ------
    OutputError
        If ``path`` is a directory, its directory is missing, or permission is lacking.
    """
    target = Path(os.path.realpath(path))
    try:
        if is_special(path):
            return
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no directory {str(target.parent)!r}")
        for place in (target.parent, target):
            if place.exists() and not os.access(place, os.W_OK):
                raise PermissionError(errno.EACCES, "permission denied")
    except OSError as error:
        raise _output_error(error, path) from error


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file, or a pipe, to read; no name is too long to ask."""
    try:
        return not stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_special(path: str | os.PathLike[str]) -> bool:
    """Whether something stands there that is neither a file nor a directory: a device, a pipe."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _replace(target: Path, parts: Iterable[bytes]) -> None:
    temporary = target.with_name(f".musodds-{os.urandom(6).hex()}.tmp")
    # os.open, not tempfile: a new file gets the permissions that the umask gives it.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(descriptor, "wb") as stream:
            stream.writelines(parts)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _output_error(error: OSError, path: str | os.PathLike[str]) -> OutputError:
    if isinstance(error, OutputError):
        return error
    return OutputError(error.errno, _reason(error), os.fspath(path))
