"""The distiller's log: a redacted line an event, for its owner's eyes, and bounded."""

import re
from pathlib import Path

from tests.learning.conftest import SECRET, ask, saying

from twiceshy.core.moment import parse_stamp
from twiceshy.learning.distil.ask_model import list_log_events
from twiceshy.learning.distil.log import DistillerLog, find_log_path
from twiceshy.safety.redact import redact

NOW = parse_stamp("2026-11-02T09:30:05Z")
SESSION = "0a1b2c3d-4e5f"


def a_log(tmp_path: Path, kilobytes: int = 64) -> DistillerLog:
    return DistillerLog(str(tmp_path / "logs" / "distiller.log"), redact, kilobytes)


def test_an_event_is_one_line_in_the_form_fireworks_wrote(tmp_path: Path) -> None:
    log = a_log(tmp_path)

    log.write_events(SESSION, [("START", "release"), ("SKIP", "nothing\nwent\x07 wrong")], at=NOW)
    log.write_events("../x", [("DISTILLER_RAW", f"a {SECRET} b")], at=NOW)

    assert Path(log.path).read_text() == (
        "2026-11-02 09:30:05 | 0a1b2c3d | START | release\n"
        "2026-11-02 09:30:05 | 0a1b2c3d | SKIP | nothing went wrong\n"
        "2026-11-02 09:30:05 | ../x | DISTILLER_RAW | a [REDACTED:github-token] b\n"
    )


def test_a_failure_and_what_followed_it_are_told(tmp_path: Path) -> None:
    log = a_log(tmp_path)
    failed = saying("", error=f"exit 1: {SECRET}", model="first", preview=f"no {SECRET}")(
        "", most=1
    )

    log.write_events(
        SESSION, list_log_events(ask(saying("[1]", model="second", failed=(failed,)))), at=NOW
    )

    lines = Path(log.path).read_text().splitlines()
    assert [line.split(" | ")[2] for line in lines] == [
        *("DISTILLER", "DISTILLER_ERR", "DISTILLER_RAW", "FALLBACK", "DISTILLER", "SKIP"),
    ]
    assert all(re.match(r"2026-11-02 09:30:05 \| 0a1b2c3d \| [A-Z_]+ \| ", line) for line in lines)
    assert SECRET not in "".join(lines)


def test_it_tells_why_no_model_was_asked() -> None:
    assert list(list_log_events(ask(saying("[]"), spent_on=lambda _: True))) == [
        ("SKIP", "this was distilled before")
    ]


def test_only_its_owner_can_read_it_even_if_it_was_there_before(tmp_path: Path) -> None:
    log = a_log(tmp_path)
    path = Path(log.path)
    path.parent.mkdir()
    path.touch(0o644)

    log.write_events(SESSION, [("START", "x")], at=NOW)

    assert path.stat().st_mode & 0o777 == 0o600


def test_a_log_that_has_grown_too_long_loses_its_older_half(tmp_path: Path) -> None:
    log = a_log(tmp_path, kilobytes=16)

    for number in range(400):
        log.write_events(SESSION, [("START", f"{number} " + "x" * 90)], at=NOW)

    text = Path(log.path).read_text()
    assert len(text) <= 17 << 10
    assert "| 399 x" in text
    assert "| 0 x" not in text
    assert all(line.startswith("2026-11-02") for line in text.splitlines())
    assert Path(log.path).stat().st_mode & 0o777 == 0o600
    assert [file.name for file in Path(log.path).parent.iterdir()] == ["distiller.log"]


def test_where_it_cannot_be_written_nothing_happens(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()

    a_log(tmp_path).write_events(SESSION, [("START", "x")], at=NOW)
    DistillerLog("", redact).write_events(SESSION, [("START", "x")], at=NOW)

    assert (tmp_path / "logs").read_bytes() == b""


def test_it_is_where_the_user_says_or_at_home_while_asked_for() -> None:
    assert find_log_path("/tmp/x.log", debug=False, home="/h") == "/tmp/x.log"
    assert find_log_path("", debug=True, home="/h") == "/h/distiller.log"
    assert find_log_path("", debug=False, home="/h") == ""
