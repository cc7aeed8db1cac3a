"""The same blocks on many machines, with Dask (``pip install musodds[distributed]``)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from musodds.errors import InputError
from musodds.simulation.blocks import Job, play_blocks
from musodds.simulation.runner import Future, available_cores

LOCAL = "local"
PATIENCE = 5
"""Seconds to wait for a scheduler, and for its first worker."""


class SchedulerError(InputError):
    """A cluster that cannot be used."""


class Cluster:
    """Workers of a Dask cluster.

    A task carries all that it needs, so it may be played again on another worker when
    one is lost.
    """

    blocks_per_task = 16

    def __init__(self, client: Any) -> None:
        self._client = client
        self.width = max(1, sum(client.nthreads().values()))

    def submit(self, job: Job, first: int, deals: int) -> Future:
        future: Future = self._client.submit(play_blocks, job, first, deals, pure=False, retries=3)
        return future


@contextmanager
def cluster(scheduler: str, workers: int | None = None) -> Iterator[Cluster]:
    """The cluster of a scheduler.

    Parameters
    ----------
    scheduler : str
        Its address, such as ``tcp://10.0.0.1:8786``, or ``local`` for a cluster of
        processes on this machine that ends with the run.
    workers : int, optional
        Processes of a local cluster; default one per core.

    Raises
    ------
    SchedulerError
        If Dask is not installed, the scheduler does not answer, or it has no workers.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise SchedulerError("a scheduler needs Dask: pip install 'musodds[distributed]'") from None
    if scheduler == LOCAL:
        with (
            LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=workers or available_cores(),
                threads_per_worker=1,
                dashboard_address=None,
            ) as local,
            Client(local) as client,  # type: ignore[no-untyped-call]
        ):
            yield Cluster(client)
        return
    try:
        asyncio.run(_knock(scheduler))
        client = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    # Addresses of other protocols (tls, ucx) fail in ways of their own.
    except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
        raise SchedulerError(
            f"no Dask scheduler answers at {scheduler!r}: give its address, such as "
            "tcp://127.0.0.1:8786, or local"
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise SchedulerError(
                f"the Dask scheduler at {scheduler!r} has no workers: start some with dask worker"
            ) from None
        yield Cluster(client)


async def _knock(scheduler: str) -> None:
    """Raise unless somebody who speaks Dask answers.

    A client waits without end for a peer that accepts its connection and says nothing.
    """
    from distributed.comm import connect  # type: ignore[attr-defined]

    connecting = connect(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    comm = await asyncio.wait_for(connecting, PATIENCE)
    await comm.close()
