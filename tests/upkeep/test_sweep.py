"""Files that were made in passing do not stay in the memory home for ever, and nothing else goes."""

import os
from pathlib import Path

import pytest
from tests.core.builders import NOW
from tests.requirements import requirement

from twiceshy.core.moment import DAY
from twiceshy.core.retention import Retention
from twiceshy.upkeep.compress import sweep_files

RULES = Retention()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


def a_file(path: Path, *, days: float) -> Path:
    """Write a file so many days ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    at = (NOW - days * DAY) / 1000
    os.utime(path, (at, at))
    return path


@requirement("U111")
@pytest.mark.parametrize(
    ("name", "days"),
    [
        ("guard/0123456789abcdef", 3),
        ("keeper/0123456789abcdef", 30),
        ("transcripts/e1.jsonl", 30),
        ("watch/0123456789abcdef", 180),
        ("bug-report-20260101T000000Z-7.md", 30),
        (".twiceshy-0a1b2c3d4e5f", 3),
        ("twiceshy.db.new-0a1b2c3d", 3),
        ("twiceshy.db.new-0a1b2c3d-wal", 3),
        ("rescued/2026-01-01T000000-abc/twiceshy.db", 180),
    ],
)
def test_what_was_made_in_passing_goes_when_its_time_is_over(
    place: Path, name: str, days: int
) -> None:
    file = a_file(place / name, days=days - 0.5)

    assert sweep_files(str(place), NOW, RULES) == ()
    a_file(file, days=days + 0.5)
    assert sweep_files(str(place), NOW, RULES, plan=True) == (name,)
    assert file.exists()
    assert sweep_files(str(place), NOW, RULES) == (name,)
    assert not file.exists()


@pytest.mark.parametrize(
    "name",
    [
        *("twiceshy.db", "twiceshy.db-wal", "spool", "spool.unread", "config.toml", "rules.key"),
        *("hook.log", "hook.log.4711", "receipts/claude-code.json", "backups/old.db", "notes.123"),
        *("bin/hook", "rescued/loose.db", "projects.json", "update.json"),
    ],
)
def test_nothing_else_goes_however_old_it_is(place: Path, name: str) -> None:
    file = a_file(place / name, days=9_999)

    assert sweep_files(str(place), NOW, RULES) == ()
    assert file.exists()


def test_no_link_is_followed(place: Path, tmp_path: Path) -> None:
    outside = a_file(tmp_path / "outside" / "precious", days=9_999)
    (place / "guard").symlink_to(outside.parent)
    (place / "watch").mkdir()
    (place / "watch" / "linked").symlink_to(outside)
    (place / "rescued").mkdir()
    (place / "rescued" / "aside").symlink_to(outside.parent)

    assert sweep_files(str(place), NOW, RULES) == ()
    assert outside.exists()


def test_a_rescued_store_goes_as_a_whole_or_not_at_all(place: Path) -> None:
    old = place / "rescued" / "2026-01-01T000000-abc"
    a_file(old / "twiceshy.db", days=400)
    younger = a_file(old / "twiceshy.db-wal", days=1)

    assert sweep_files(str(place), NOW, RULES) == ()
    a_file(younger, days=400)
    assert len(sweep_files(str(place), NOW, RULES)) == 2
    assert not (place / "rescued").exists()


def test_a_home_that_is_not_there_needs_no_sweeping(tmp_path: Path) -> None:
    assert sweep_files(str(tmp_path / "nowhere"), NOW, RULES) == ()
