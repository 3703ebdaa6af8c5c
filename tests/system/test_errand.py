"""Work in the midst of a generator's, which another thread may do."""

from __future__ import annotations

import threading

import pytest

from glnzip.system.errand import Errand, Steps


def steps(fails: bool, log: list[object]) -> Steps:
    """What is to be done: the thread that does the errand, or its error, is noted."""

    def work() -> int:
        if fails:
            raise KeyError("no")
        return threading.get_ident()

    errand = Errand(work)
    yield errand
    try:
        log.append(errand.result())
    except KeyError as error:
        log.append(str(error))


@pytest.mark.parametrize("fails", [False, True])
def test_what_comes_of_it_comes_back(fails: bool) -> None:
    log: list[object] = []
    for errand in steps(fails, log):
        thread = threading.Thread(target=errand)
        thread.start()
        thread.join()
    assert log == ["'no'" if fails else thread.ident]
