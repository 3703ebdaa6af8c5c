"""`train_prior` and `glnzip train`: what is chosen, what is measured, what comes out."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import glnzip
from glnzip import Prior
from glnzip.cli.commands import command_for
from glnzip.training.train import choose, measure_gain, split
from tests.packed import gzip_file, ours
from tests.priors.small_priors import empty_cache, images


def record(number: int) -> bytes:
    chance = random.Random(number)
    fields = {"id": number, "user": chance.randrange(10**6), "event": chance.choice(["in", "out"])}
    return json.dumps(fields).encode()


RECORDS = [record(number) for number in range(60)]
NEW = record(1000)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder for this module, empty at first."""
    with pytest.MonkeyPatch.context() as patch:
        yield empty_cache(tmp_path_factory.mktemp("cache"), patch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, without a prior unless one is named."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GLNZIP_PRIOR", "none")
    return tmp_path


def run(*arguments: str, status: int = 0) -> Result:
    """Run `glnzip` with these arguments, and check its exit status."""
    result = CliRunner().invoke(command_for(list(arguments)), arguments, prog_name="glnzip")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result


def test_training_is_deterministic_and_worth_it() -> None:
    told: list[int] = []
    prior = glnzip.train_prior(RECORDS, base=None, level=1, progress=told.append)
    assert glnzip.train_prior(iter(RECORDS), base=None, level=1).data == prior.data
    assert sum(told) == prior.original_bytes == sum(map(len, RECORDS))
    frame = glnzip.compress(NEW, level=1, prior=prior)
    assert glnzip.decompress(frame, prior=Prior(prior.data)) == NEW
    assert 2 * len(frame) <= len(glnzip.compress(NEW, level=1, prior=None))


def test_a_prior_made_from_a_base_holds_all_of_it() -> None:
    base = glnzip.train_prior([b"what the base is about. " * 20], base=None, level=1)
    prior = glnzip.train_prior(RECORDS, base=base, level=1)
    assert prior.data.startswith(base.data)
    assert prior.base is base.base is None
    assert glnzip.decompress(prior.data).endswith(RECORDS[-1])
    text = b"this is what the base is about"
    both = [len(glnzip.compress(text, level=1, prior=p)) for p in (prior, None)]
    assert both[0] < both[1] - 5


@pytest.mark.parametrize("samples", [[], [b""], [b"", b""]])
def test_nothing_to_learn(samples: list[bytes]) -> None:
    with pytest.raises(ValueError, match="no samples"):
        glnzip.train_prior(samples)


def test_wrong_levels() -> None:
    with pytest.raises(ValueError, match="level"):
        glnzip.train_prior(RECORDS, level=10)


def test_one_small_sample_is_enough() -> None:
    prior = glnzip.train_prior([b"A"], base=None, level=1)
    assert prior.original_bytes == 1


def test_samples_are_chosen_evenly() -> None:
    samples = [bytes([number]) * (1 + number % 7) for number in range(250)]
    for size in (10, 50, 333, 900):
        chosen = choose(samples, size)
        assert size - 8 < sum(map(len, chosen)) <= size
        thirds = [sum(len(s) for s in chosen if s[0] // 84 == third) for third in range(3)]
        assert max(thirds) - min(thirds) <= 16
        assert chosen == sorted(chosen)
    assert choose(samples, 10_000) == samples
    assert choose([b"long" * 100, b"longer" * 100], 30) == [b"long" * 7 + b"lo"]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 6, 10, 29, 30, 31, 99, 1000])
def test_some_samples_are_held_out(count: int) -> None:
    samples = [b"%d" % number for number in range(count)]
    training, held_out = split(samples)
    assert sorted(training + held_out) == sorted(samples)
    expected = count // 2 if count < 6 else max(3, count // 10)
    assert len(held_out) == expected


def test_the_gain_is_that_of_samples_not_seen(cache: Path) -> None:
    gain = measure_gain(RECORDS, None, 1, 10_000)
    training, held_out = split(RECORDS)
    assert gain is not None
    assert gain.samples == len(held_out) == 6
    assert gain.original == sum(map(len, held_out))
    prior = glnzip.train_prior(training, base=None, level=1)
    for expected, used in ((gain.before, None), (gain.after, prior)):
        assert expected == sum(len(glnzip.compress(s, level=1, prior=used)) for s in held_out)
    assert 2 * gain.after < gain.before
    assert measure_gain(RECORDS[:1], None, 1, 10_000) is None


def test_train_with_lines(folder: Path) -> None:
    Path("records.jsonl").write_bytes(b"\r\n".join(RECORDS) + b"\r\n\n")
    output = run("train", "-1", "--base", "none", "--lines", "records.jsonl", "-o", "p.gln").output
    prior = Prior.load("p.gln")
    assert prior.data == glnzip.train_prior(RECORDS, base=None, level=1).data
    assert "60 samples" in output
    assert "6 samples held out" in output
    assert "% less" in output
    assert f"the prior {prior.id}" in output
    assert sorted(file.name for file in folder.iterdir()) == ["p.gln", "records.jsonl"]


def test_train_with_files_and_folders(folder: Path) -> None:
    Path("in/b").mkdir(parents=True)
    for name, content in (("in/b/2", b"two"), ("in/b/1", b"one"), ("in/a", b"zero"), ("z", b"z")):
        Path(name).write_bytes(content)
    Path("in/none").touch()
    os_link = Path("in/loop")
    os_link.symlink_to(".")
    for _ in range(2):  # the second time its own output is there, and no sample
        output = run("train", "-1", "--base", "none", "z", "in", "-o", "in/p.gln", "-f").output
        assert "4 samples" in output
        assert glnzip.decompress(Path("in/p.gln").read_bytes()) == b"zzeroonetwo"


def test_train_with_little(folder: Path) -> None:
    Path("one").write_bytes(NEW * 20)
    output = run("train", "-1", "--base", "none", "one", "-o", "p.gln", "--size", "0.1K").output
    assert "see --lines" not in output
    assert "none could be held out" in output
    assert "its beginning: 102 B" in output
    Path("many").write_text("a line\n" * 10)
    output = run("train", "-1", "--base", "none", "many", "-o", os.devnull).output
    assert "see --lines" in output
    Path("empty").touch()
    assert "nothing to learn" in run("train", "empty", "-o", "q.gln", status=1).output
    assert not Path("q.gln").exists()


def test_train_refuses(folder: Path) -> None:
    Path("a").write_bytes(NEW)
    Path("p.gln").write_bytes(b"precious")
    assert "exists already" in run("train", "-1", "a", "-o", "p.gln", status=1).output
    assert Path("p.gln").read_bytes() == b"precious"
    assert "No such file" in run("train", "-1", "a", "missing", "-o", "q.gln", status=1).output
    assert "not a glnzip frame" in run("train", "a", "--base", "a", "-o", "q", status=1).output
    run("train", "a", status=2)
    run("train", "-o", "q.gln", status=2)
    run("train", "a", "--size", "0", "-o", "q.gln", status=2)
    assert sorted(file.name for file in folder.iterdir()) == ["a", "p.gln"]


def test_a_prior_that_does_not_work_is_not_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a").write_bytes(NEW)
    monkeypatch.setattr("glnzip.training.train.decompress", lambda *_, **__: b"other")
    arguments = ("train", "-1", "-q", "--base", "none", "a", "-o", "p.gln")
    assert "round trip changed" in run(*arguments, status=1).output
    assert [file.name for file in folder.iterdir()] == ["a"]


def test_the_command_line_uses_it(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a").write_bytes(b"\n".join(RECORDS))
    run("train", "-1", "-q", "--lines", "--base", "none", "a", "-o", "p.gln")
    prior = Prior.load("p.gln")
    Path("new").write_bytes(NEW)
    run("compress", "-1", "--prior", "p.gln", "new")
    frame = Path("new.gln").read_bytes()
    assert frame == glnzip.compress(NEW, level=1, prior=prior)
    assert prior.id in run("info", "new.gln").output
    for command in (["decompress", "-c"], ["-dc"]):
        assert run(*command, "--prior", "p.gln", "new.gln").stdout_bytes == NEW
        output = run(*command, "new.gln", status=1).output
        assert output == f"glnzip: new.gln: the stream needs the prior {prior.id}; none was given\n"
    run("test", "--prior", "p.gln", "new.gln")
    monkeypatch.setenv("GLNZIP_PRIOR", "p.gln")
    assert run("-c", "-1", "new").stdout_bytes == frame
    run("-t", "new.gln")
    assert run("-dc", "--prior", "none", "new.gln", status=1).stdout_bytes == b""
    assert "missing.gln: No such file" in run("--prior", "missing.gln", "new", status=1).output
    assert "not a glnzip frame" in run("-d", "--prior", "new", "new.gln", status=1).output


def test_prepared_priors_are_listed_made_and_cleared(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = empty_cache(folder / "cache", monkeypatch)  # clearing takes the kernels away, too
    glnzip.train_prior(RECORDS, base=None, level=1)
    listing = run("cache").output
    assert ", level 1: " in listing
    prepared = json.loads(run("cache", "--json").output)["priors"]
    assert len(prepared) == listing.count("level 1") > 0
    assert "freed" in run("cache", "--clear").output
    assert images(cache) == []
    assert "prior " not in run("cache").output
    assert json.loads(run("cache", "--json").output)["priors"] == []


def test_warmup_prepares_a_prior(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glnzip.jit.kernels_are_cached", lambda *_: True)
    Path("p.gln").write_bytes(glnzip.compress(b"little", level=1, prior=None))
    output = run("warmup", "-2", "--prior", "p.gln").output
    prior = Prior.load("p.gln")
    assert f"with the prior {prior.id}, level 2, is ready" in output
    assert any(file.name == f"{prior.content_hash}.2.image" for file in images(cache))


def test_the_first_use_of_a_prior_says_why_it_takes_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("p.gln", b"one text"), ("q.gln", b"another text")):
        Path(name).write_bytes(glnzip.compress(text, level=1, prior=None))
    Path("new").write_bytes(NEW)

    def compress(prior: str, *options: str) -> str:
        return run("compress", "-1", "--prior", prior, "-fo", "x.gln", "new", *options).output

    assert compress("p.gln").splitlines() == [
        "glnzip: reading the prior p.gln (8 B)",
        "glnzip: preparing the prior p.gln for level 1 (8 B)",
    ]
    assert compress("p.gln") == ""
    assert compress("q.gln", "-q") == ""
    monkeypatch.setenv("GLNZIP_CACHE_DIR", "new")  # a file
    for _ in range(2):
        assert "cannot be kept in new: Not a directory; GLNZIP_CACHE_DIR" in compress("p.gln")
        monkeypatch.setattr("glnzip.priors.prepared._held", {})


def test_packed_samples_are_taken_as_they_are() -> None:
    """The model learns what `glnzip.Prior` can hold: no stretches."""
    packed = gzip_file(RECORDS[0] * 3, ours)
    prior = glnzip.train_prior([packed, *RECORDS[:3]], base=None, level=1)
    assert prior.original_bytes == sum(map(len, [packed, *RECORDS[:3]]))
