"""The distiller's log: a redacted line an event, for its owner's eyes, and bounded."""

import re
from pathlib import Path

import pytest
from tests.learning.conftest import SECRET, ask, saying
from tests.store.support import app_of

from twiceshy.core.moment import parse_stamp
from twiceshy.learning.distil.ask_model import list_log_events
from twiceshy.learning.distil.model_review import log_events
from twiceshy.store.command_store import WholeStore

NOW = parse_stamp("2026-11-02T09:30:05Z")
SESSION = "0a1b2c3d-4e5f"


def logged(store: WholeStore, path: Path, *events: tuple[str, str], kilobytes: int = 64) -> str:
    """Write events to a log, and return all that it says by then."""
    app = app_of(store, logs__distiller=str(path), retention__log_kilobytes=kilobytes)
    log_events(app, SESSION, events, at=NOW)
    return path.read_text() if path.is_file() else ""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "logs" / "distiller.log"


def test_an_event_is_one_line_in_the_form_fireworks_wrote(store: WholeStore, path: Path) -> None:
    logged(store, path, ("START", "release"), ("SKIP", "nothing\nwent\x07 wrong"))
    app = app_of(store, logs__distiller=str(path))
    log_events(app, "../x", [("DISTILLER_RAW", f"a {SECRET} b")], at=NOW)

    assert path.read_text() == (
        "2026-11-02 09:30:05 | 0a1b2c3d | START | release\n"
        "2026-11-02 09:30:05 | 0a1b2c3d | SKIP | nothing went wrong\n"
        "2026-11-02 09:30:05 | ../x | DISTILLER_RAW | a [REDACTED:github-token] b\n"
    )


def test_a_failure_and_what_followed_it_are_told(store: WholeStore, path: Path) -> None:
    failed = saying("", error=f"exit 1: {SECRET}", model="first", preview=f"no {SECRET}")(
        "", most=1
    )

    asked = ask(saying("[1]", model="second", failed=(failed,)))

    lines = logged(store, path, *list_log_events(asked)).splitlines()

    assert [line.split(" | ")[2] for line in lines] == [
        *("DISTILLER", "DISTILLER_ERR", "DISTILLER_RAW", "FALLBACK", "DISTILLER", "SKIP"),
    ]
    assert all(re.match(r"2026-11-02 09:30:05 \| 0a1b2c3d \| [A-Z_]+ \| ", line) for line in lines)
    assert SECRET not in "".join(lines)


def test_it_tells_why_no_model_was_asked() -> None:
    assert list(list_log_events(ask(saying("[]"), spent_on=lambda _: True))) == [
        ("SKIP", "this was distilled before")
    ]


def test_only_its_owner_can_read_it_even_if_it_was_there_before(
    store: WholeStore, path: Path
) -> None:
    path.parent.mkdir()
    path.touch(0o644)

    logged(store, path, ("START", "x"))

    assert path.stat().st_mode & 0o777 == 0o600


def test_a_log_that_has_grown_too_long_loses_its_older_half(store: WholeStore, path: Path) -> None:
    text = ""
    for number in range(400):
        text = logged(store, path, ("START", f"{number} " + "x" * 90), kilobytes=16)

    assert len(text) <= 17 << 10
    assert "| 399 x" in text
    assert "| 0 x" not in text
    assert all(line.startswith("2026-11-02") for line in text.splitlines())
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["distiller.log"]


def test_where_it_cannot_be_written_nothing_happens(store: WholeStore, path: Path) -> None:
    path.parent.touch()

    logged(store, path, ("START", "x"))

    assert path.parent.read_bytes() == b""


def test_it_is_at_home_while_it_is_asked_for(store: WholeStore, home: Path) -> None:
    at_home = home / "distiller.log"

    log_events(app_of(store), SESSION, [("START", "x")], at=NOW)
    assert not at_home.exists()

    log_events(app_of(store, distiller__debug=True), SESSION, [("START", "x")], at=NOW)
    assert at_home.exists()
