"""A note with an error is told for that error only, at a failure and in a prompt."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hooks.sessions import Session, twiceshy
from tests.requirements import requirement

Write = Callable[..., str]

FORMS = (
    ("{}: connection refused", "psycopg2.OperationalError", "mysql.OperationalError"),
    ("{}: time data does not match format", "ValueError", "TypeError"),
    ("{}: NOT NULL constraint failed", "django.db.IntegrityError", "django.db.OperationalError"),
    ("{} in the crm client", "TimeoutError", "ConnectionError"),
    ("{}: certificate verify failed", "SSLError", "HTTPError"),
    ("{} in the encoder", "SIGSEGV", "SIGABRT"),
    ("ERROR {} (28000): Access denied for user", "1045", "1044"),
    ("error[{}]: mismatched types in macro", "E0308", "E0277"),
    ("PermissionError: [Errno {}] the spool is closed", "13", "1"),
    ("Error: connect ECONNREFUSED 127.0.0.1:{}", "6379", "5432"),
    ("error {}: Cannot find the module of the ui", "TS2307", "TS2304"),
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def note(project: Path, home: Path) -> Write:
    """Write a note by the command, and return its id."""
    return lambda *words: twiceshy(project, "note", *words).strip()


@pytest.fixture
def session(project: Path, note: Write) -> Session:
    return Session(project)


@requirement("T178")
@pytest.mark.parametrize(("error", "noted", "other"), FORMS)
def test_a_note_with_an_error_is_told_for_its_code_only(
    note: Write, session: Session, error: str, noted: str, other: str
) -> None:
    handle = note(f"{error.format(noted)}: ask Ines from the second group")

    assert session.fails("make e2e", f"Exit code 1\n{error.format(other)}") == ""
    assert session.prompt(f"I see this: {error.format(other)}") == ""
    assert f'id="{handle}"' in session.fails("make e2e", f"Exit code 1\n{error.format(noted)}")


@requirement("T178")
def test_a_note_with_several_codes_or_none_is_told_for_each(note: Write, session: Session) -> None:
    handle = note("ERROR 1044 or ERROR 1045 (28000): Access denied for user: run make pw")

    for number in ("1044", "1045", "1049"):
        error = f"Exit code 1\nERROR {number} (28000): Access denied for user 'shop'"
        assert f'id="{handle}"' in Session(session.project, number).fails("mysql", error)


def test_a_refusal_of_one_thing_is_not_told_for_another(note: Write, session: Session) -> None:
    note("fatal: refusing to merge unrelated histories: add a flag")

    assert session.fails("git merge x", "fatal: refusing to lose untracked file") == ""


@requirement("T179")
@pytest.mark.parametrize(
    ("text", "error", "names"),
    [
        ("KeyError: '{}' means the old csv", "KeyError: '{}'", ("customer_id", "order_id")),
        ("KeyError: '{}' means the old csv", "KeyError: '{}'", ("customer", "orders")),
        (
            "{} means that the synonym is gone",
            "{}: table does not exist",
            ("ORA-00942", "ORA-00943"),
        ),
        ("错误 {} 需要启动监听", "{}: TNS:no listener", ("ORA-12541", "ORA-12514")),
        (
            "FileNotFoundError: {}: copy the example",
            "FileNotFoundError: [Errno 2] No such file or directory: '{}'",
            ("config/dev.yml", "config/test.yml"),
        ),
    ],
)
def test_a_note_that_names_a_short_error_is_told_at_that_error_only(
    note: Write, session: Session, text: str, error: str, names: tuple[str, str]
) -> None:
    noted, other = names
    handle = note(text.format(noted))
    traceback = "Exit code 1\nTraceback (most recent call last):\n"

    assert session.fails("make load", traceback + error.format(other)) == ""
    assert f'id="{handle}"' in session.fails("make load", traceback + error.format(noted))


def test_a_name_in_quotes_inside_brackets_is_a_name(note: Write, session: Session) -> None:
    error = "TypeError: cannot read properties of undefined (reading '{}')"
    handle = note(f"{error.format('map')}: the api returns null")

    assert session.fails("node a.js", error.format("length")) == ""
    assert f'id="{handle}"' in session.fails("node a.js", error.format("map"))
