"""Compiled kernels whose cached machine code is never older than their sources."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

COMPILING: list[Callable[[], None]] = []
"""Called before a kernel is compiled, which takes a while and is done once."""

_OPTIONS: dict[str, Any] = {"error_model": "numpy"}


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    allocates: bool = False,
    parallel: bool = False,
    fastmath: frozenset[str] | set[str] = frozenset(),
) -> Any:
    """Compile a function with numba: without the GIL, cached on disk where possible.

    numba trusts a cached kernel as long as the *file the function stands in* has the
    same size and time. Kernels and constants of other files are compiled into it, and
    installed packages may all carry one time, so the stamp used here is a hash of every
    kernel of this package and of the file the function stands in. What cannot be read, or
    is not what was written, is compiled anew; what cannot be written where numba has its
    cache is kept in a folder of ours; where that fails too, each process compiles.

    Parameters
    ----------
    function : callable, optional
        Without it, a decorator with these options is returned.
    allocates : bool
        Whether the kernel makes arrays. Most allocate nothing, and for them numba's
        reference counts, which cost more than a card dealt, are switched off; one that
        allocates all the same would not compile.
    parallel : bool
        Whether ``prange`` runs on several threads.
    fastmath : set of str
        What the compiler may assume of sums, such as ``reassoc``.
    """
    if function is None:
        return lambda later: kernel(
            later, allocates=allocates, parallel=parallel, fastmath=fastmath
        )
    import numba

    njit: Any = numba.njit
    options = {**_OPTIONS, "nogil": True, "_nrt": allocates, "parallel": parallel}
    if fastmath:
        options["fastmath"] = set(fastmath)
    dispatcher = njit(**options)(function)
    dispatcher._cache = _places()(function)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """A helper whose machine code becomes part of the kernels that call it.

    It is typed once for all of them. numba's own inlining, of the syntax, would do that
    again for every kernel, which is most of the time of compiling.
    """
    import numba

    njit: Any = numba.njit
    return njit(forceinline=True, _nrt=False, **_OPTIONS)(function)


@cache
def _fingerprint(path: str) -> str:
    """A hash of the file at ``path``, of this one and of every kernel of the package."""
    digest = hashlib.sha256()
    kernels = Path(__file__).parent.rglob("kernels/*.py")
    for source in sorted({Path(path), Path(__file__), *kernels}):
        digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def _places() -> Any:
    """Where compiled kernels are kept: a class, as numba is imported when it is needed."""
    import pickle

    import numba
    from numba.core import caching as untyped

    caching: Any = untyped
    # Until numba 0.61 its name began with an underscore.
    locator: Any = getattr(caching, "UserProvidedCacheLocator", None)
    locator = locator or caching._UserProvidedCacheLocator

    class File(caching.IndexDataCacheFile):  # type: ignore[misc]
        """numba trusts the content of its files; here their SHA-256 comes first.

        Two processes that compile at once may give two kernels the same name: so each
        says what it is.
        """

        def save(self, key: Any, data: Any) -> None:
            super().save(key, (self._source_stamp, key, data))

        def load(self, key: Any) -> Any:
            stamp, named, data = super().load(key) or (None, None, None)
            return data if (stamp, named) == (self._source_stamp, key) else None

        def _save_data(self, name: str, data: Any) -> None:
            content = self._dump(data)
            with self._open_for_write(self._data_path(name)) as file:
                file.write(hashlib.sha256(content).digest() + content)

        def _load_data(self, name: str) -> Any:
            content = Path(self._data_path(name)).read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                raise ValueError(f"{name} is damaged")
            return pickle.loads(content[32:])

    class Chosen(locator):  # type: ignore[misc]
        """In ``NUMBA_CACHE_DIR``, a folder has its name from what is compiled.

        numba names it after the path of the sources; this way other installations and
        checkouts of the same sources find what was compiled for them.
        """

        @classmethod
        def get_suitable_cache_subpath(cls, path: str) -> str:
            version, stamp = numba.__version__, _fingerprint(path)[:32]
            return f"{Path(path).parent.parent.name}-numba-{version}-{stamp}"

    class Numbas(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Chosen, *caching.CompileResultCacheImpl._locator_classes)

    class Place(caching.FunctionCache):  # type: ignore[misc]
        """Where numba keeps compiled functions."""

        _impl_class = Numbas

        def __init__(self, function: Any) -> None:
            super().__init__(function)
            stamp = _fingerprint(function.__code__.co_filename)
            self._cache_file = File(self._cache_path, self._impl.filename_base, stamp)

    class Locator(locator):  # type: ignore[misc]
        """Finds our folder."""

        def __init__(self, function: Any, file: str) -> None:
            self._py_file, self._lineno = file, function.__code__.co_firstlineno
            self._cache_path = str(_folder() / self.get_suitable_cache_subpath(file))

        @classmethod
        def from_function(cls, function: Any, file: str) -> Any:
            return cls(function, file)

    class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

    class Ours(Place):
        _impl_class = Implementation

    class Places:
        """Looks where numba has its cache, and then in our folder."""

        cache_path = None

        def __init__(self, function: Any) -> None:
            self._function = function

        def _all(self) -> Any:
            for kind in (Place, Ours):
                try:
                    yield kind(self._function)
                except (RuntimeError, OSError):
                    # No folder can be written, or ours is not private.
                    continue

        def load_overload(self, signature: Any, context: Any) -> Any:
            for place in self._all():
                try:
                    found = place.load_overload(signature, context)
                except Exception:  # a damaged pickle may raise anything
                    continue
                if found is not None:
                    return found
            for tell in COMPILING:
                tell()
            return None

        def save_overload(self, signature: Any, data: Any) -> None:
            for place in self._all():
                for mend in (lambda: None, place.flush):
                    try:
                        mend()
                        place.save_overload(signature, data)
                        return
                    except Exception:  # a damaged index is written anew
                        continue

    return Places


def _folder() -> Path:
    """Our folder of compiled kernels, which are run as they are: nobody else may write there."""
    from platformdirs import user_cache_path

    chosen = os.environ.get("MUSODDS_CACHE")
    folder = Path(chosen) if chosen else user_cache_path("musodds", appauthor=False)
    folder = folder / "compiled"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if hasattr(os, "getuid"):
        facts = folder.stat()
        if facts.st_uid != os.getuid() or facts.st_mode & 0o022:
            raise OSError(f"{folder} belongs to others")
    return folder
