"""What the tests of the command share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of this test alone, without options of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("GLNZIP_OPT", "GLNZIP_PRIOR", "GZIP", "XZ_OPT", "XZ_DEFAULTS", "ZSTD_CLEVEL"):
        monkeypatch.delenv(name, raising=False)
