"""Long runs: saved as they go, killed, gone on with; and files that are not theirs."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from musodds.knowledge.knowledge import know
from musodds.rules.games import get_game
from musodds.simulation.blocks import BLOCK
from musodds.simulation.checkpoint import HEADER, CheckpointError, read_content
from musodds.simulation.named_policies import get_policy, per_seat
from musodds.simulation.simulate import simulate

ASKED = {"game": "mus", "seed": 6, "policy": "kings", "rounds": 1}


def _digits(result):
    return [part.tolist() for part in result.sums]


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "run"
    simulate(**ASKED, n=3 * BLOCK, checkpoint=path)
    return path


def test_a_run_goes_on_to_the_same_digits(saved):
    assert read_content(saved)["blocks"] == 3
    n = 5 * BLOCK + 77
    longer = simulate(**ASKED, n=n, checkpoint=saved)
    assert _digits(longer) == _digits(simulate(**ASKED, n=n))
    # Again: only the last, short block is played.
    assert _digits(simulate(**ASKED, n=n, checkpoint=saved)) == _digits(longer)


def test_the_seed_of_a_run_is_in_its_file(saved):
    asked = {name: value for name, value in ASKED.items() if name != "seed"}
    assert simulate(**asked, n=4 * BLOCK, checkpoint=saved).seed == 6


def test_a_target_is_met_by_the_same_digits_after_a_break(tmp_path):
    path = tmp_path / "run"
    asked = {"game": "mus", "seed": 2, "target_se": 0.0012}
    whole = simulate(**asked)
    assert _digits(simulate(**asked, checkpoint=path)) == _digits(whole)
    assert _digits(simulate(**asked, checkpoint=path)) == _digits(whole)


COMMAND = [sys.executable, "-m", "musodds", "simulate", "-n", "1e11", "--policy", "kings",
           "--seed", "6", "--workers", "1", "--format", "json"]  # fmt: skip


def _started(path):
    process = subprocess.Popen(
        [*COMMAND, "--checkpoint", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 120
    while not path.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert path.exists(), process.communicate()
    return process


def test_a_killed_run_goes_on_to_the_same_digits(tmp_path):
    path = tmp_path / "run"
    process = _started(path)
    process.kill()
    process.communicate()
    blocks = read_content(path)["blocks"]
    assert blocks > 0
    assert os.listdir(tmp_path) == ["run"]
    n = (blocks + 2) * BLOCK
    resumed = simulate(**ASKED, n=n, checkpoint=path)
    assert _digits(resumed) == _digits(simulate(**ASKED, n=n))


def test_ctrl_c_prints_what_is_known_and_saves_it(tmp_path):
    path = tmp_path / "run"
    process = _started(path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    answer = json.loads(out)
    assert answer["interrupted"] is True
    assert answer["n"] == read_content(path)["blocks"] * BLOCK
    # Before it may stand what takes so long.
    assert err.decode().splitlines()[-1] == f"musodds: interrupted after {answer['n']:,} deals"
    again = simulate(**ASKED, n=answer["n"])
    assert [row["win"] for row in answer["odds"]] == [row["win"] for row in again.rows()]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"seed": 7}, "another run: it was made with --seed 6, not --seed 7; name"),
        ({"rounds": 2}, "made with --rounds 1, not --rounds 2"),
        ({"policy": "none"}, "made with --policy kings, not --policy none"),
        ({"game": "mus4"}, "made with --game mus, not --game mus4"),
        ({"hand": "RR7A"}, "made with no --hand, not --hand RR7A --seat 1"),
        ({"n": None, "target_se": 0.01}, r"made with no --target-se, not --target-se 0\.01"),
        (
            {"knowledge": know("mus", seats={2: "31"})},
            "made with nothing known of the hands, not seat 2: 31",
        ),
        ({"n": 2 * BLOCK}, "holds 196,608 deals already: n must be at least that, not 131,072"),
    ],
)
def test_a_file_of_another_run_is_refused_and_left_alone(saved, other, message):
    before = saved.read_bytes()
    with pytest.raises(CheckpointError, match=message):
        simulate(**{**ASKED, "n": 4 * BLOCK, **other}, checkpoint=saved)
    assert saved.read_bytes() == before


def test_a_policy_with_the_same_keeps_and_another_say_is_another(saved):
    kings = get_policy("kings", get_game("mus"))
    other = replace(kings, cut=~kings.cut)
    assert other.digest != kings.digest
    with pytest.raises(CheckpointError, match="made with another --policy kings"):
        simulate(**{**ASKED, "policy": other}, n=4 * BLOCK, checkpoint=saved)


def test_a_policy_is_the_same_by_any_name(saved):
    same = per_seat([get_policy("kings", get_game("mus"))] * 4)
    result = simulate(**{**ASKED, "policy": same}, n=4 * BLOCK, checkpoint=saved)
    assert result.n == 4 * BLOCK


@pytest.mark.parametrize("position", [0.3, 0.6, 0.99])
def test_a_damaged_file_is_refused_and_left_alone(saved, position):
    content = bytearray(saved.read_bytes())
    place = max(len(HEADER) + 2, int(len(content) * position))
    content[place] = ord("0") if content[place] != ord("0") else ord("1")
    saved.write_bytes(content)
    with pytest.raises(CheckpointError, match="is damaged"):
        simulate(**ASKED, n=4 * BLOCK, checkpoint=saved)
    assert saved.read_bytes() == bytes(content)


def _rewrite(path, body):
    """A file with a right checksum, whatever it holds."""
    text = body if isinstance(body, str) else json.dumps(body)
    checksum = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(f"{HEADER}\n{checksum}\n{text}\n")


ODD = [None, True, -1, 0, 1.5, 10**5000, "6", [], {}, [[]], float("nan"), 2**63]


@pytest.mark.parametrize("name", [None, "run", "told", "blocks", "sums"])
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:10] if odd != ODD[5] else "huge")
def test_odd_content_with_a_right_checksum_is_damaged(saved, name, odd):
    sys.set_int_max_str_digits(0)
    content = read_content(saved)
    body = json.dumps(odd if name is None else {**content, name: odd})
    sys.set_int_max_str_digits(4300)
    _rewrite(saved, body)
    before = saved.read_bytes()
    if name == "told" and odd == {}:
        return  # only said where runs differ
    for seed in (6, None):
        with pytest.raises(CheckpointError, match="is damaged"):
            simulate(**{**ASKED, "seed": seed}, n=4 * BLOCK, checkpoint=saved)
    assert saved.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda sums: sums[:-1],
        lambda sums: [*sums, 0],
        lambda sums: [-1, *sums[1:]],
        lambda sums: [0.5, *sums[1:]],
        lambda sums: [True, *sums[1:]],
        lambda sums: [2**64, *sums[1:]],
        lambda sums: [sums, *sums[1:]],
    ],
)
def test_sums_that_cannot_be_are_damaged(saved, change):
    content = read_content(saved)
    _rewrite(saved, {**content, "sums": change(content["sums"])})
    with pytest.raises(CheckpointError, match="is damaged"):
        simulate(**ASKED, n=4 * BLOCK, checkpoint=saved)


@pytest.mark.parametrize("text", ["[" * 10**5, "", "{", '{"run":}', "null"])
def test_what_is_not_json_is_damaged(saved, text):
    _rewrite(saved, text)
    with pytest.raises(CheckpointError, match="is damaged"):
        simulate(**ASKED, n=4 * BLOCK, checkpoint=saved)


def test_what_is_no_file_is_not_read():
    for path in ("/dev/zero", "/dev/null"):
        with pytest.raises(CheckpointError, match="is no regular file"):
            simulate(**ASKED, n=4 * BLOCK, checkpoint=path)


def test_a_file_larger_than_any_checkpoint_is_not_read(saved):
    os.truncate(saved, 2 * 10**8)
    with pytest.raises(CheckpointError, match="it is larger than 100 MB"):
        simulate(**ASKED, n=4 * BLOCK, checkpoint=saved)


def test_half_a_file_is_refused(saved):
    saved.write_bytes(saved.read_bytes()[:500])
    with pytest.raises(CheckpointError, match="is damaged"):
        simulate(**ASKED, n=4 * BLOCK, checkpoint=saved)


@pytest.mark.parametrize("content", [b"", b"hand,seat\n", b"\xff\xfe\x00", b"{}"])
def test_a_foreign_file_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "run"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="is not a checkpoint of musodds"):
        simulate(**ASKED, n=4 * BLOCK, checkpoint=path)
    assert path.read_bytes() == content


def test_places_where_no_file_can_be(tmp_path):
    with pytest.raises(OSError, match="it is a directory"):
        simulate(**ASKED, n=100, checkpoint=tmp_path)
    with pytest.raises(CheckpointError, match="cannot read checkpoint"):
        simulate("mus", n=100, checkpoint=tmp_path)
    with pytest.raises(OSError, match="there is no directory"):
        simulate(**ASKED, n=100, checkpoint=tmp_path / "absent" / "run")
