"""A page holds all it needs, asks for nothing, and takes no data for a part of itself."""

from __future__ import annotations

import base64
import json
import re
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
import pytest

from glnzip.analysis.analyse import analyse
from glnzip.analysis.figures import Analysis
from glnzip.analysis.page import MOST_CELLS, page, plain, section
from tests.packed import gzip_file

HOSTILE = (
    b"</script><script>alert(1)</script><!--<img src=//e.example/x>\0\xff\xe2\x80\xae{{style}}"
)
NAME = "</script><b>\u202e&quot;{{script}}"


@pytest.fixture(scope="module")
def hostile() -> Analysis:
    return analyse(HOSTILE, level=1, prior=None)


class Elements(HTMLParser):
    """What a browser makes of a page: elements with their attributes, and the text in some."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._inside, []).append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def figures_of(text: str) -> dict:
    found = json.loads(Elements(text).texts["script"][0])
    return found["files"][0]


def test_it_refers_to_nothing(hostile: Analysis) -> None:
    text = page([section(NAME, hostile)])
    elements = Elements(text)
    tags = [tag for tag, _ in elements.found]
    assert not {"link", "img", "iframe", "base", "object", "form"} & set(tags)
    assert tags.count("script") == 2
    for _, attributes in elements.found:
        assert not {"src", "href", "srcset", "action", "style"} & set(attributes)
    own = "".join(elements.texts["style"] + elements.texts["script"][1:])
    assert not re.search(r"//[a-z]|url\(|@import|fetch\(|import\(|XMLHttp|WebSocket|Worker", own)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", own)


def test_its_policy_lets_nothing_else_run(hostile: Analysis) -> None:
    text = page([section("name", hostile)])
    elements = Elements(text)
    (policy,) = (
        attributes["content"]
        for _, attributes in elements.found
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for name, own in (("style-src", "style"), ("script-src", "script")):
        digest = sha256(elements.texts[own][-1].encode()).digest()
        assert f"{name} 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert "unsafe" not in policy


def test_data_and_names_stay_data(hostile: Analysis) -> None:
    text = page([section(NAME, hostile)])
    figures = figures_of(text)
    assert figures["file"] == NAME
    assert base64.b64decode(figures["views"][0]["data"]) == HOSTILE
    assert "<b>" not in text
    assert "\u202e" not in text


def test_it_has_the_plain_figures(hostile: Analysis) -> None:
    figures = figures_of(page([section("name", hostile)]))
    del figures["views"]
    assert figures == json.loads(json.dumps(plain("name", hostile)))


def test_costs_are_near() -> None:
    found = analyse(b"one, two, three, " * 200, level=1, prior=None)
    (view,) = figures_of(page([section("name", found)]))["views"]
    costs = (np.frombuffer(base64.b64decode(view["costs"]), np.uint8) / 63.75) ** 2
    exact = np.minimum(found.file.costs, 16)
    assert np.abs(np.sqrt(costs) - np.sqrt(exact)).max() <= 0.5 / 63.75 + 1e-9


def test_single_bytes_are_limited_and_sums_are_not() -> None:
    data = bytes(range(256)) * 40
    found = analyse(data, level=1, prior=None)
    (view,) = figures_of(page([section("name", found, detail=100)]))["views"]
    assert view["bytes"] == len(data)
    assert len(base64.b64decode(view["data"])) == len(base64.b64decode(view["costs"])) == 100
    assert len(view["cells"]) == -(-len(data) // view["cell"]) <= MOST_CELLS
    assert sum(view["cells"]) == pytest.approx(found.data_bits, rel=1e-3)


def test_what_was_packed_has_a_view_of_its_own() -> None:
    found = analyse(gzip_file(b"packed and unpacked. " * 100), level=1, prior=None)
    views = figures_of(page([section("name", found)]))["views"]
    assert [view["bytes"] for view in views] == [found.original_bytes, len(found.seen.data)]


def test_nothing_and_several(hostile: Analysis) -> None:
    empty = analyse(b"", level=1, prior=None)
    text = page([section("empty", empty), section("hostile", hostile)])
    found = json.loads(Elements(text).texts["script"][0])
    assert [each["file"] for each in found["files"]] == ["empty", "hostile"]
