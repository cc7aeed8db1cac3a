"""The same blocks on a Dask cluster, with a worker killed, and without any cluster."""

import os
import signal
import socket
import threading
import time

import pytest

from musodds.simulation.blocks import BLOCK
from musodds.simulation.distributed import PATIENCE, SchedulerError
from musodds.simulation.simulate import simulate

ASKED = {"game": "mus", "seed": 6, "policy": "kings", "rounds": 1}

distributed = pytest.importorskip(
    "distributed", reason="Dask is not installed: pip install 'musodds[distributed]'"
)

pytestmark = pytest.mark.filterwarnings("ignore")


def _digits(result):
    return [part.tolist() for part in result.sums]


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


def test_a_cluster_gives_the_same_digits(cluster):
    n = 40 * BLOCK + 5
    found = simulate(**ASKED, n=n, scheduler=cluster.scheduler_address)
    assert _digits(found) == _digits(simulate(**ASKED, n=n))


def test_a_worker_killed_changes_nothing_but_the_time(cluster):
    n = 160 * BLOCK
    with distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        killed = []

        def kill_one_at_work():
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and not any(client.processing().values()):
                time.sleep(0.02)
            os.kill(pids[0], signal.SIGKILL)
            killed.append(any(client.processing().values()))

        killer = threading.Thread(target=kill_one_at_work)
        killer.start()
        found = simulate(**ASKED, n=n, scheduler=cluster.scheduler_address)
        killer.join()
    assert killed == [True]
    assert _digits(found) == _digits(simulate(**ASKED, n=n))


def test_a_target_is_met_by_the_same_digits(cluster):
    asked = {"game": "mus", "seed": 6, "target_se": 0.0012}
    found = simulate(**asked, scheduler=cluster.scheduler_address)
    assert _digits(found) == _digits(simulate(**asked))


def test_a_checkpoint_may_go_from_cluster_to_threads(cluster, tmp_path):
    path = tmp_path / "run"
    simulate(**ASKED, n=20 * BLOCK, scheduler=cluster.scheduler_address, checkpoint=path)
    n = 25 * BLOCK
    assert _digits(simulate(**ASKED, n=n, checkpoint=path)) == _digits(simulate(**ASKED, n=n))


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "127.0.0.1:{port}", "nonsense://x"])
def test_a_scheduler_that_does_not_answer(address):
    began = time.monotonic()
    with pytest.raises(SchedulerError, match="no Dask scheduler answers at"):
        simulate(n=100, scheduler=address.format(port=_free_port()))
    assert time.monotonic() - began < 4 * PATIENCE


def test_something_else_answers():
    """A port that accepts connections and never says a word."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(SchedulerError, match="no Dask scheduler answers at"):
            simulate(n=100, scheduler=f"tcp://127.0.0.1:{silent.getsockname()[1]}")


def test_a_scheduler_without_workers():
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as empty,
        pytest.raises(SchedulerError, match="has no workers"),
    ):
        simulate(n=100, scheduler=empty.scheduler_address)
