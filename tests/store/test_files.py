import errno
import os
import stat

import pytest

from musodds.store import files
from musodds.store.files import OutputError, check_writable, write_atomic


def test_writes_text_and_bytes_as_they_are(tmp_path):
    write_atomic(tmp_path / "text", "señas\n")
    write_atomic(str(tmp_path / "bytes"), b"\x00\r\n")
    assert (tmp_path / "text").read_bytes() == b"se\xc3\xb1as\n"
    assert (tmp_path / "bytes").read_bytes() == b"\x00\r\n"


def test_replaces_a_file_and_keeps_its_permissions(tmp_path):
    target = tmp_path / "odds.csv"
    target.write_text("old")
    target.chmod(0o640)
    write_atomic(target, "new")
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomic(tmp_path / "new", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), OutputError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path, monkeypatch, failing, fault, raised
):
    def fail(*args):
        raise fault

    target = tmp_path / "odds.csv"
    target.write_text("old")
    monkeypatch.setattr(files.os, failing, fail)
    with pytest.raises(raised):
        write_atomic(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_follows_a_symbolic_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_never_replaces_what_is_not_a_regular_file():
    write_atomic("/dev/null", "gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_says_which_file_and_why(tmp_path):
    missing = tmp_path / "no" / "odds.csv"
    with pytest.raises(OutputError) as caught:
        write_atomic(missing, "x")
    assert str(caught.value) == (
        f"cannot write {str(missing)!r}: there is no directory {str(missing.parent)!r}"
    )
    assert caught.value.errno == errno.ENOENT
    with pytest.raises(OutputError, match="it is a directory"):
        check_writable(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=r"cannot write .*file/odds.csv"):
        check_writable(tmp_path / "file" / "odds.csv")


def test_permission_is_asked_before_the_work(tmp_path, monkeypatch):
    target = tmp_path / "odds.csv"
    target.write_text("old")
    refused = []
    # os.access is replaced because root, who may run the tests, has every permission.
    monkeypatch.setattr(files.os, "access", lambda place, mode: place not in refused)
    for refused[:] in ([target], [tmp_path]):
        with pytest.raises(OutputError, match="permission denied") as caught:
            check_writable(target)
        assert caught.value.filename == str(target)


def test_looking_writes_nothing(tmp_path):
    check_writable(tmp_path / "odds.csv")
    assert list(tmp_path.iterdir()) == []
