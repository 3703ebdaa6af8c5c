"""The benchmark measures what it says and believes nothing that was not decompressed."""

from __future__ import annotations

import json
import re
import shutil
import sys
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

import corpora
import glnzip
from bench import (
    child,
    demo,
    growth,
    hot_lines,
    inputs,
    memory,
    messages,
    ours,
    peers,
    plot,
    report,
    speed,
    startup,
    trained,
    versions,
)
from bench.__main__ import chosen_peers, main
from bench.peers import NotRestored, Peer
from bench.results import FileResult, Session, WarmUp, kb_s

SAMPLE = corpora.HERE / "samples" / "ring_buffer.c"

FAKE_PEER = Peer("copy", "cp {file} {packed}", "cat < {packed} > {restored}")


def result(program: str, file: str = "a", packed: int = 500, seconds: float = 0.01) -> FileResult:
    return FileResult(program, "calgary14", file, 1000, packed, seconds, 2 * seconds, 50_000_000)


@pytest.fixture
def session() -> Session:
    """Two programs on two files."""
    return Session(
        "python -m bench",
        {"processor": "a fast one"},
        [WarmUp(6, 1.5, False)],
        [
            result("glnzip -6", "a", 400, 0.02),
            result("glnzip -6", "b", 300, 0.02),
            result("zpaq -m5 -t1", "a", 450),
            result("zpaq -m5 -t1", "b", 350),
        ],
    )


@pytest.fixture
def quick_glnzip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put deflate in the place of glnzip within this process, and run no child processes."""
    monkeypatch.setattr(glnzip, "compress", lambda data, level, prior: zlib.compress(data, level))
    monkeypatch.setattr(glnzip, "decompress", zlib.decompress)
    monkeypatch.setattr(ours, "peak_bytes", lambda *_, **__: (11_000_000, 12_000_000))


# ---- child processes


def test_child_tells_time_and_memory(tmp_path: Path):
    hold = [sys.executable, "-c", "import time; kept = b'x' * 60_000_000; time.sleep(0.1)"]
    run = child.run(hold, folder=tmp_path)
    assert 0.1 <= run.seconds < 10
    assert 60_000_000 < run.peak_bytes < 120_000_000


def test_memory_of_this_process_is_not_lent_to_a_child():
    kept = b"x" * 150_000_000
    assert child.run([sys.executable, "-S", "-c", ""]).peak_bytes < 100_000_000
    assert kept


def test_child_reads_and_writes_what_it_is_told(tmp_path: Path):
    (tmp_path / "in").write_bytes(b"from a file")
    child.run(["cat"], folder=tmp_path, stdin="in", stdout="out")
    assert (tmp_path / "out").read_bytes() == b"from a file"
    child.run(["cat"], folder=tmp_path, piped=b"through a pipe", stdout="out")
    assert (tmp_path / "out").read_bytes() == b"through a pipe"


def test_child_gets_its_environment(tmp_path: Path):
    child.run(["env"], folder=tmp_path, stdout="out", environment={"GLNZIP_BENCH_TEST": "here"})
    assert "GLNZIP_BENCH_TEST=here" in (tmp_path / "out").read_text()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["glnzip-no-such-program"], "cannot run .* No such file"),
        ([sys.executable, "-c", "import sys; sys.exit('broken')"], "exited with 1: broken"),
    ],
)
def test_a_failing_child_is_an_error(command: list[str], message: str):
    with pytest.raises(child.ChildFailed, match=message):
        child.run(command)


# ---- peers


def test_a_peer_goes_there_and_back():
    measured = FAKE_PEER.round_trip("set", "text", b"some text")
    assert (measured.original_bytes, measured.packed_bytes) == (9, 9)
    assert measured.pack_seconds > 0
    assert measured.unpack_seconds > 0


def test_a_peer_that_does_not_restore_is_not_believed():
    forgetful = Peer("forgetful", FAKE_PEER.pack, "touch {restored}")
    with pytest.raises(NotRestored, match="forgetful does not restore text"):
        forgetful.round_trip("set", "text", b"some text")


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.program)
def test_every_peer_at_hand_restores_a_sample(peer: Peer):
    if not peer.is_here():
        pytest.skip(f"{peer.program} is not on the PATH")
    measured = peer.round_trip("samples", SAMPLE.name, SAMPLE.read_bytes())
    assert 500 < measured.packed_bytes < measured.original_bytes


def test_recorded_figures_add_up():
    for row in json.loads(peers.RECORDED.read_text(encoding="utf-8"))["programs"]:
        for set_name, total in row["totals"].items():
            corpus = set_name.removesuffix("14")
            names = [f"{corpus}/{file.name}" for file in corpora.set_files(set_name)]
            if "files" in row:
                assert sum(row["files"][name] for name in names) == total, row["name"]


def test_every_peer_has_recorded_figures_for_when_it_is_absent():
    recorded = {total.program for total in peers.recorded_totals("calgary14", 1, [])}
    assert {peer.name for peer in peers.PEERS} <= recorded
    assert {"lpaq1 6", "paq8l -6", "paq8px v216 -8"} <= recorded


def test_a_program_run_is_not_listed_as_recorded_too():
    listed = peers.recorded_totals("canterbury", 2_810_784, ["xz -9e"])
    assert "xz -9e" not in [total.program for total in listed]
    assert peers.recorded_totals("large", 1, []) == []


# ---- glnzip


def test_glnzip_is_verified(quick_glnzip: None, monkeypatch: pytest.MonkeyPatch):
    assert ours.round_trip(6, "set", "text", b"text" * 100).packed_bytes < 100
    monkeypatch.setattr(glnzip, "decompress", lambda packed: b"something else")
    with pytest.raises(NotRestored, match="glnzip -6"):
        ours.round_trip(6, "set", "text", b"text")


def test_warm_up_is_the_cost_of_the_first_call_alone(quick_glnzip: None):
    assert 0 <= ours.warm_up(6).seconds < 1


# ---- results and report


def test_totals(session: Session):
    glnzip_total, zpaq_total = session.totals("calgary14")
    assert (glnzip_total.original_bytes, glnzip_total.packed_bytes) == (2000, 700)
    assert glnzip_total.bits_per_byte == pytest.approx(2.8)
    assert glnzip_total.pack_kb_s == pytest.approx(50)
    assert glnzip_total.unpack_kb_s == pytest.approx(25)
    assert zpaq_total.packed_bytes == 800
    assert kb_s(3000, 2) == 1.5


def test_memory_is_unknown_where_it_was_not_measured():
    session = Session("", {}, [], [FileResult("p", "s", "f", 10, 5, 1, 1, None)])
    assert session.totals("s")[0].peak_bytes is None


def test_a_session_comes_back_from_its_file(session: Session, tmp_path: Path):
    session.save(tmp_path / "new" / "folder.json")
    assert Session.load(tmp_path / "new" / "folder.json") == session


def test_report_has_both_kinds_of_rows_smallest_first(session: Session):
    lines = report.markdown(session).splitlines()
    row = "| **glnzip -6** | 700 | 2.800 | 50 | 25 | 0.5 | 50 | this run |"
    assert row in lines
    assert any(line.startswith("| lpaq1 6 | 698,266 ") for line in lines)
    assert any("compiled in 1.5 s" in line for line in lines)
    sizes = [total.packed_bytes for total in report.all_totals(session, "calgary14")]
    assert sizes == sorted(sizes)
    assert "| a | 1,000 | 400 | 450 |" in lines


# ---- commands


def test_bench_command_saves_what_it_prints(quick_glnzip: None, tmp_path: Path):
    options = ["--files", str(SAMPLE), "--peers", "none", "--level", "1", "--level", "9"]
    run = CliRunner().invoke(main, [*options, "--out", str(tmp_path / "found")])
    assert run.exit_code == 0, run.output
    saved = Session.load(tmp_path / "found.json")
    names = ["glnzip -1", "glnzip -1 --prior none", "glnzip -9", "glnzip -9 --prior none"]
    assert saved.programs == names
    assert saved.files[0].peak_bytes == 12_000_000
    assert (tmp_path / "found.md").read_text(encoding="utf-8") in run.output


def test_bench_command_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("GLNZIP_CORPORA", str(tmp_path))
    run = CliRunner().invoke(main, ["--set", "misc", "--peers", "none"])
    assert run.exit_code == 1
    assert "pi.txt is missing" in run.output


def test_peers_are_chosen_by_program(monkeypatch: pytest.MonkeyPatch):
    assert chosen_peers("none") == []
    monkeypatch.setattr(Peer, "is_here", lambda peer: peer.program in ("xz", "zpaq"))
    assert [peer.program for peer in chosen_peers("all")] == ["xz", "zpaq"]
    assert [peer.program for peer in chosen_peers("zpaq,xz")] == ["zpaq", "xz"]
    with pytest.raises(Exception, match="bzip2 is not on the PATH"):
        chosen_peers("xz,bzip2")
    with pytest.raises(Exception, match="'arj' is none of xz, "):
        chosen_peers("arj")


def test_speed_runs_in_turns_and_gives_ratios(quick_glnzip: None, monkeypatch: pytest.MonkeyPatch):
    turns: list[str] = []

    def glnzip_turn(original: bytes, level: int, prior: str) -> tuple[int, float, float]:
        turns.append("glnzip")
        return 1, 2.0, 4.0

    def zpaq_turn(peer: Peer, set_name: str, file: str, original: bytes) -> FileResult:
        turns.append("zpaq")
        return FileResult(peer.name, set_name, file, len(original), 1, 1.0, 1.0, 1)

    monkeypatch.setattr(ours, "timed_round_trip", glnzip_turn)
    monkeypatch.setattr(Peer, "round_trip", zpaq_turn)
    took = speed.in_turns("text", b"x" * 2000, 6, "none", 3)
    assert turns == ["glnzip", "zpaq"] * 3
    assert speed.row("text", 2000, *took) == ["text", "1.0", "2.0", "0.500", "0.5", "2.0", "0.250"]
    monkeypatch.setattr(Peer, "is_here", lambda peer: True)
    run = CliRunner().invoke(speed.main, [str(SAMPLE)])
    assert run.exit_code == 0, run.output
    assert "0.500" in run.output


def test_messages_command():
    arguments = ["--level", "1", "--prior", "none", "--count", "3", "--check", "1"]
    run = CliRunner().invoke(messages.main, arguments)
    assert run.exit_code == 0, run.output
    assert "glnzip -1 --prior none, check of 1 bytes" in run.output
    assert "| records | 3 |" in run.output
    found = messages.total([messages.Result(1, 200, 50, 100, -150, 1.0, 2.0)] * 2)
    expected = ["all", "2", "400", "100", "200", "0.500", "-150", "1", "0"]
    assert messages.row("all", found) == expected


@pytest.mark.skipif(shutil.which("zstd") is None, reason="there is no zstd on this machine")
def test_trained_command(monkeypatch):
    monkeypatch.setattr(trained, "by_prior", lambda samples, messages, level: (300, 100 * level))
    done = CliRunner().invoke(trained.main, ["--count", "200", "--level", "2"])
    assert done.exit_code == 0, done.output
    assert "200 records after 200 samples" in done.output
    rows = dict(re.findall(r"^\| (.*?) \| ([\d,]+) \|", done.output, re.MULTILINE))
    original = sum(map(len, messages.records(400)[1::2]))
    assert rows["as they are"] == f"{original:,}"
    assert 0 < int(rows["zstd -19 with its dictionary"].replace(",", "")) < original / 2
    assert rows["glnzip -2, messages"] == "200"


def test_messages_to_measure():
    text = b"some words of some length and so on; " * 40
    assert all(100 <= len(cut) <= 300 for cut in messages.cuts(text, 20))
    assert all(100 <= len(record) <= 300 for record in messages.records(20))
    assert messages.lines(b"short\n" + bytes(150) + b"\n" + bytes(301), 5) == [bytes(150)]


def test_memory_command(quick_glnzip: None):
    run = CliRunner().invoke(memory.main, ["--megabytes", "1"])
    assert run.exit_code == 0, run.output
    assert "| pipe, 1,000,000 bytes | 11 | 12 |" in run.output


def test_startup_command(monkeypatch: pytest.MonkeyPatch):
    commands = []

    def run_nothing(command: list[str], **_: object) -> child.ChildRun:
        commands.append(command[3:])
        return child.ChildRun(0.25, 1)

    monkeypatch.setattr(child, "run", run_nothing)
    run = CliRunner().invoke(startup.main, ["--rounds", "2", "--cold"])
    assert run.exit_code == 0, run.output
    assert "| --help | 0.25 |" in run.output
    assert "nothing compiled yet | 0.25 |" in run.output
    assert commands.count(["--help"]) == 3


def test_glnzip_command_is_measured_whole():
    peaks = ours.peak_bytes(1, b"some text " * 20, through_pipes=True)
    assert all(20_000_000 < peak < 2_000_000_000 for peak in peaks)


@pytest.mark.slow
def test_demo_shows_verifies_and_measures(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GLNZIP_PRIOR", "none")
    assert demo.main() == 0
    shown = capfd.readouterr().out
    for expected in ("$ glnzip compress", "verified:", "ratio: 15,986 ->", "KB/s to decompress"):
        assert expected in shown


def test_made_up_text_is_the_same_at_any_size():
    assert len(inputs.made_up_text(5000)) == 5000
    assert inputs.made_up_text(5000).startswith(inputs.made_up_text(1000))


def test_a_file_is_found_by_path_or_refused():
    assert inputs.by_name(str(SAMPLE)) == SAMPLE
    with pytest.raises(corpora.CorpusMissing, match="neither a file here nor"):
        inputs.by_name("nonesuch")


# ---- plot


def test_plot_is_drawn(session: Session, tmp_path: Path):
    session.save(tmp_path / "found.json")
    picture = tmp_path / "docs" / "plot.png"
    run = CliRunner().invoke(plot.main, [str(tmp_path / "found.json"), "--out", str(picture)])
    assert run.exit_code == 0, run.output
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_plot_needs_the_yardstick(session: Session):
    session.files = [row for row in session.files if "zpaq" not in row.program]
    with pytest.raises(plot.NothingToDraw, match="zpaq"):
        plot.points(session, "calgary14")


def test_labels_in_a_crowd_stand_apart():
    crowd = [plot.Point(name, 1.0 + i / 10, 1000 + i, True) for i, name in enumerate("abc")]
    alone = plot.Point("far away", 100.0, 5000, True)
    places = [plot.label_place(point, [*crowd, alone]) for point in [*crowd, alone]]
    assert places == [plot.LEFT, plot.BELOW, plot.RIGHT, plot.RIGHT]


@pytest.mark.slow
def test_growth(tmp_path: Path) -> None:
    """The beginnings of a file, as long as it has them."""
    source = tmp_path / "source"
    source.write_bytes(b"some text, " * 400)
    rows = list(growth.growth(source, 1, (1000, 4000, 5000)))
    assert [row[0] for row in rows] == ["1,000", "4,000"]
    assert all(20 < int(row[-1].replace(",", "")) < 2000 for row in rows)


@pytest.mark.slow
def test_versions(tmp_path: Path) -> None:
    """Each program brings the new file back; with a base it takes less."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(SAMPLE.read_bytes())
    new.write_bytes(SAMPLE.read_bytes() + b"and more")
    rows = list(versions.versions(old, new, 1))
    sizes = {row[2]: int(row[3].replace(",", "")) for row in rows}
    assert 2 * sizes["glnzip --base"] < sizes["glnzip"]
    assert {row[0] for row in rows} == {"new"}


def test_hot_lines_counts_samples_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples outside the kernel do not count, and of ours the package is not named."""
    (tmp_path / "address").write_text(str(0x1000))
    sections = f"code.o  :\nsection size addr\n.text 0 0\n.ltext {0x20} 0\n.debug_info 9999 0\n\n"
    package = Path(glnzip.__file__).parent
    lines = {
        0x4: f"{package}/gln/network.py:7 (discriminator 3)",
        0x8: f"{package}/gln/network.py:7",
        0x1F: "/elsewhere/builtins.py:9",
    }

    def output(*command: str) -> str:
        if command[0] == "perf":
            return " 1004\n 1008\n1004\n fff\n 1020\n 101f\n"
        if command[0] == "size":
            return sections
        return "\n".join(lines[int(place, 16)] for place in command[3:])

    monkeypatch.setattr(hot_lines, "_output", output)
    seen = hot_lines.places(tmp_path)
    assert seen == {0x4: 2, 0x8: 1, 0x1F: 1}
    found = hot_lines.lines_of(tmp_path, seen)
    assert found == {"gln/network.py:7": 3, "/elsewhere/builtins.py:9": 1}


def test_hot_lines_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without perf there is a sentence, not a traceback."""
    monkeypatch.setenv("PATH", "")
    result = CliRunner().invoke(hot_lines.main, [str(SAMPLE)])
    assert result.exit_code == 2
    assert "this needs perf and addr2line and size" in result.output


def test_hot_lines_says_when_the_kernel_was_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda tool: tool)
    monkeypatch.setattr(hot_lines, "_record", lambda folder, command: None)
    output = CliRunner().invoke(hot_lines.main, [__file__])
    assert output.exit_code == 1
    assert output.output == "Error: run_bytes was not seen at work\n"
