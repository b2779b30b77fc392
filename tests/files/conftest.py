"""A folder for small files."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    place = tmp_path / "files"
    place.mkdir()
    return place
