"""The progress line: when it is drawn, what it says, and how sizes and times are worded."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from glnzip.cli import progress as progress_module
from glnzip.cli.progress import REDRAW_SECONDS, Progress, progress_line
from glnzip.cli.text import human_size, human_time, printable, ratio, speed
from glnzip.system.unfinished import undo_all


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_line_of_a_file(clock: Clock) -> None:
    progress = Progress("book1", 1_000_000, compressing=True, visible=False, clock=clock)
    clock.now += 4
    progress.advance(50_000, 10_000)
    clock.now += 4
    progress.advance(200_000, 40_000)
    assert progress.line() == "book1  25 %  250 KB -> 50 KB  20.0 %  50 KB/s  0:15 left"


def test_what_is_compiled_in_the_first_step_is_not_counted(clock: Clock) -> None:
    """Otherwise the first line would say that hours are left."""
    progress = Progress("prior", 15_000_000, compressing=True, visible=False, clock=clock)
    clock.now += 40
    progress.advance(16_000, 0)
    assert progress.line() == "prior  0 %  16 KB"
    clock.now += 0.2
    progress.advance(16_000, 0)
    assert progress.line() == "prior  0 %  32 KB  80 KB/s  3:07 left"


def test_line_inside_a_block(clock: Clock) -> None:
    """Sizes move on; the ratio waits until the compressed side has caught up."""
    progress = Progress("book1", 1_000_000, compressing=True, visible=False, clock=clock)
    progress.advance(0, 7)
    progress.advance(1_000, 0)
    clock.now += 4
    progress.advance(249_000, 0)
    assert progress.line() == "book1  25 %  250 KB  62.2 KB/s  0:12 left"
    progress.advance(250_000, 99_993)
    clock.now += 4
    progress.advance(250_000, 0)
    assert progress.line() == "book1  75 %  750 KB -> 100 KB  20.0 %  93.6 KB/s  0:03 left"


def test_line_of_a_compressed_pipe(clock: Clock) -> None:
    progress = Progress("-", None, compressing=False, visible=False, clock=clock)
    progress.advance(50_000, 0)
    progress.advance(0, 50_000)
    clock.now += 2
    progress.advance(0, 200_000)
    assert progress.line() == "-  50 KB -> 250 KB  100 KB/s"


def test_line_of_a_compressed_file(clock: Clock) -> None:
    progress = Progress("book1.gln", 1_000_000, compressing=False, visible=False, clock=clock)
    progress.advance(60_000, 0)
    progress.advance(0, 50_000)
    clock.now += 4
    progress.advance(0, 200_000)
    assert progress.line() == "book1.gln  25 %  60 KB -> 250 KB  50 KB/s  0:15 left"


def test_a_file_that_grows_while_it_is_read(clock: Clock) -> None:
    progress = Progress("log", 10, compressing=True, visible=False, clock=clock)
    progress.advance(5, 1)
    clock.now += 1
    progress.advance(15, 5)
    assert "  100 %  " in progress.line()
    assert progress.line().endswith("0:00 left")


def test_short_work_draws_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("a", 10, compressing=True, visible=True, clock=clock)
    clock.now += 0.9
    progress.advance(10, 5)
    progress.close()
    assert capsys.readouterr().err == ""


def test_long_work_draws_now_and_then_and_clears(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = Progress("a", 1000, compressing=True, visible=True, clock=clock)
    for _ in range(30):
        clock.now += 0.1
        progress.advance(10, 5)
    progress.close()
    progress.close()  # a signal may close it once more
    drawings = capsys.readouterr().err.split("\r")
    assert 8 <= len(drawings) <= 14
    assert all(len(drawing) < 80 + len("\x1b[K") for drawing in drawings)
    assert drawings[-1] == "\x1b[K"
    assert drawings[-2] != "\x1b[K"


def test_of_several_lines_the_last_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """And the one before it again, once that is gone."""

    def advance(progress: Progress) -> str:
        progress._next_draw = 0
        progress.advance(1, 0)
        return capsys.readouterr().err

    with progress_line("first", None, compressing=True, visible=True) as first:
        assert "first" in advance(first)
        with progress_line("second", None, compressing=True, visible=True) as second:
            assert advance(first) == ""
            assert "second" in advance(second)
        assert capsys.readouterr().err == "\r\x1b[K"
        assert "first  3 B" in advance(first)


def test_a_long_line_is_cut_to_the_width_of_the_terminal(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Less a column, as some terminals go on to the next line after the last."""
    progress = Progress("name" * 99, 1000, compressing=True, visible=True, clock=clock)
    clock.now += 1
    progress.advance(10, 5)
    assert capsys.readouterr().err == f"\r{progress.line()[:79]}\x1b[K"


def test_whatever_ends_the_work_clears_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error, or a signal, which undoes what is unfinished and ends the process."""
    monkeypatch.setattr(progress_module, "SILENT_SECONDS", 0)
    line = progress_line("a", 10, compressing=True, visible=True)
    with suppress(ZeroDivisionError), line as progress:
        progress.advance(5, 0)
        assert not capsys.readouterr().err.endswith("\r\x1b[K")
        undo_all()
        assert capsys.readouterr().err == "\r\x1b[K"
        time.sleep(REDRAW_SECONDS)
        progress.advance(5, 0)
        raise ZeroDivisionError
    assert capsys.readouterr().err.endswith("\r\x1b[K")


def test_hidden_work_draws_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("a", 1000, compressing=True, visible=False, clock=clock)
    clock.now += 10
    progress.advance(10, 5)
    progress.close()
    assert capsys.readouterr().err == ""
    assert (progress.original, progress.compressed, progress.seconds) == (10, 5, 10.0)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (999.7, "1 KB"),
        (1000, "1 KB"),
        (1234, "1.23 KB"),
        (99_949, "99.9 KB"),
        (99_960, "100 KB"),
        (999_499, "999 KB"),
        (999_500, "1 MB"),
        (419_430_400, "419 MB"),
        (5e9, "5 GB"),
        (12_345e12, "12345 TB"),
    ],
)
def test_human_size(count: float, text: str) -> None:
    assert human_size(count) == text


def test_human_time() -> None:
    assert human_time(0) == "0:00"
    assert human_time(59.6) == "1:00"
    assert human_time(3599) == "59:59"
    assert human_time(7_265) == "2:01:05"


def test_nothing_has_no_ratio_and_no_speed() -> None:
    assert ratio(20, 0) == "-"
    assert speed(20, 0.0) == "-"


def test_printable() -> None:
    assert printable("naïve 名前.txt") == "naïve 名前.txt"
    assert printable("a\x1b]0;x\x07\n\udce9") == "a\\x1b]0;x\\x07\\n\\udce9"
