"""The normalised compression distance, of two pieces of data and of each of many to each.

The distance is defined by C(ab), the length of two pieces one behind the other. With an ideal
compressor it would not matter which comes first, and a piece would be at 0 from itself; with a real
one both hold up to a small term (Cilibrasi and Vitányi 2005, on normal compressors). Nothing is
evened out here: an entry of a matrix is the distance as it is defined, and as it was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import index
from typing import TYPE_CHECKING, NamedTuple

from glnzip.format.levels import DEFAULT_LEVEL, check_level, model_bytes
from glnzip.priors.allowance import NO_LIMITS, check_allowed, memory_named
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.priors.watching import Report, heard_by
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    import numpy as np
    from _typeshed import ReadableBuffer, StrPath
    from numpy.typing import NDArray

_MODELS = 2  # of each thread


def ncd(
    a: ReadableBuffer,
    b: ReadableBuffer,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
) -> float:
    """The normalised compression distance of two pieces of data (Cilibrasi and Vitányi, 2005).

        NCD(a, b) = (C(ab) - min(C(a), C(b))) / max(C(a), C(b))

    with the ideal code lengths `cost_bits` as C, so that it tells apart what differs by less than a
    byte. For many pieces `ncd_matrix` is several times as quick.

    Parameters
    ----------
    a, b
        Any bytes-like objects.
    level, prior
        As for `compress`.

    Returns
    -------
    float
        About 0 for the same data twice, about 1 for data that tell nothing of each other; 0.0 for
        nothing twice. A few bytes say little: they may be more than 1 apart, even from themselves.

    Raises
    ------
    GlnzipError
        If there is not enough memory for the model, or the prior cannot be used.
    """
    return float(ncd_matrix([a], [b], level=level, prior=prior)[0, 0])


def ncd_matrix(
    items: Iterable[ReadableBuffer],
    others: Iterable[ReadableBuffer] | None = None,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.float64]:
    """The normalised compression distances of many pieces of data: `ncd` of each with each.

    Parameters
    ----------
    items
        Bytes-like objects, n of them: the rows.
    others
        The columns, m of them; None for the items themselves.
    level, prior
        As for `compress`.
    threads
        How many rows are worked on at a time, each thread with two models in memory. The result is
        the same.
    progress
        Called now and then with a number of bytes that were measured since the last call, with 0
        while a prior is prepared. Each piece is counted alone, and both of each pair.

    Returns
    -------
    float64[n, m]
        ``ncd(items[i], others[j])`` in row i and column j. The matrix of the items themselves is
        not quite symmetric, as C(ab) is not C(ba), and its diagonal is a little above 0. Where a
        method asks for both, ``d = (d + d.T) / 2; np.fill_diagonal(d, 0)`` makes them.

    Raises
    ------
    GlnzipError
        If there is not enough memory for the models, or the prior cannot be used.
    ValueError
        If `threads` is less than 1.

    Notes
    -----
    A pair of texts or plain bytes of up to 32 KiB together takes little longer than its second
    piece alone: what the first one has taught the model is learned once for a row. Other pairs are
    measured each by itself, which takes twice as long or more.

    References
    ----------
    .. [1] Li, Chen, Li, Ma and Vitányi, "The similarity metric", IEEE Transactions on Information
       Theory 50 (2004).
    .. [2] Cilibrasi and Vitányi, "Clustering by compression", IEEE Transactions on Information
       Theory 51 (2005).
    """
    import numpy as np

    if index(threads) < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    check_level(level)
    rows = [bytes(byte_view(item)) for item in items]
    columns = rows if others is None else [bytes(byte_view(other)) for other in others]
    if not rows or not columns:
        return np.zeros((len(rows), len(columns)))
    alone = rows if others is None else rows + columns
    task = _Task(level, as_prior(prior), rows, columns, alone)
    costs, both = _measured(task, min(threads, len(rows)), progress)
    of_rows = costs[: len(rows), None]
    of_columns = costs[None, -len(columns) :]
    longest = np.maximum(of_rows, of_columns)
    excess = both - np.minimum(of_rows, of_columns)
    return np.divide(excess, longest, out=np.zeros_like(both), where=longest > 0)


class _Task(NamedTuple):
    level: int
    prior: Prior | None
    rows: list[bytes]
    columns: list[bytes]
    alone: list[bytes]
    """All that is to be measured by itself."""


def _measured(
    task: _Task, threads: int, progress: Report | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The costs of what is alone, and those of pairs."""
    import numpy as np

    models = _MODELS * model_bytes(task.level)
    why = "to measure what data cost one behind the other"
    NO_LIMITS.check_memory(task.level, threads * models, why)
    check_allowed(task.level, task.prior, NO_LIMITS)
    costs = np.zeros(len(task.alone))
    both = np.zeros((len(task.rows), len(task.columns)))
    if threads == 1:
        costs[:], both[:] = _share(task, 0, 1, progress=progress)
        return costs, both
    from glnzip.streams.workers import Threads

    workers = Threads(threads)
    workers.tell(progress)
    with workers.stopped_by_errors():
        shares = [workers.submit(_share, task, i, threads, models=models) for i in range(threads)]
        for i, share in enumerate(shares):
            costs[i::threads], both[i::threads] = share.result()
    workers.stop()
    return costs, both


def _share(
    task: _Task, first: int, step: int, *, progress: Report | None
) -> tuple[list[float], list[list[float]]]:
    """Every `step`-th cost of what is alone, and every `step`-th row of the costs of pairs."""
    from glnzip.distances.joint_costs import JointCosts

    report: Report = progress or (lambda count: None)
    longest = max(map(len, task.rows)) + max(map(len, task.columns))
    costs, both = [], []
    with heard_by(progress), memory_named(task.level):
        model = JointCosts(task.level, task.prior, longest)
        for item in task.alone[first::step]:
            costs.append(model.alone(item))
            report(len(item))
        for row in task.rows[first::step]:
            both.append(model.behind(row, task.columns, report))
    return costs, both
