"""Notes of people and agents reach the agent: before a call, at a failure, and at a prompt."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hooks.sessions import Session, teach, twiceshy
from tests.requirements import requirement

Write = Callable[..., str]

PORT = "Stop the compose stack before the e2e tests."
PORT_WHY = "They die with: bind 0.0.0.0:5432: address already in use"


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


@requirement("T82")
def test_a_note_that_advises_a_flag_is_shown_at_the_call_without_it(
    note: Write, session: Session
) -> None:
    handle = note("Lock with `uv lock --frozen` before tagging.")

    assert session.calls("uv lock --frozen && git tag v2") == ""
    assert session.calls("uv sync") == ""
    assert f'id="{handle}"' in session.calls("cd api && uv lock")


@requirement("T82")
def test_a_note_that_advises_against_a_call_is_shown_at_that_call(
    note: Write, session: Session
) -> None:
    handle = note("Never `git push --force` here.", "--why", "the mirror rejects it")

    assert session.calls("git push") == ""
    assert f'id="{handle}"' in session.calls("git push --force origin main")


@requirement("T82")
def test_a_note_about_a_file_is_shown_when_the_file_is_read(note: Write, session: Session) -> None:
    handle = note("Ports in deploy/values.yaml are allocated by the platform team.")

    path = f"{session.project}/deploy/values.yaml"

    told = session.told("PreToolUse", **session.call("Read", file_path=path))

    assert f'id="{handle}"' in told


@requirement("T83")
def test_when_sets_the_call_by_hand_and_none_leaves_the_note_without_one(
    note: Write, session: Session
) -> None:
    handle = note("Ask in #ops first.", "--when", "terraform apply")
    note("Format with `ruff format --preview` when asked.", "--when", "none")

    assert f'id="{handle}"' in session.calls("terraform apply -auto-approve")
    assert session.calls("ruff format") == ""


@requirement("T83")
def test_a_known_note_that_is_written_again_with_when_is_shown_there(
    note: Write, session: Session
) -> None:
    first = note("Ask in #ops first.")

    again = note("Ask in #ops first.", "--when", "terraform apply")

    assert again == first
    assert f'id="{first}"' in session.calls("terraform apply")
    twiceshy(session.project, "edit", first, "--when", "make release")
    following = Session(session.project, "session-2")
    following.start()
    assert f'id="{first}"' in following.calls("make release")


@requirement("T84")
def test_a_failure_shows_the_note_that_quotes_its_error(note: Write, session: Session) -> None:
    handle = note(PORT, "--why", PORT_WHY)

    told = session.fails("make e2e", "Error response: listen tcp: bind: address already in use")

    assert f'id="{handle}"' in told
    assert PORT in told


@requirement("T84")
@pytest.mark.parametrize(
    "error",
    [
        "make: *** No rule to make target 'e2e'.  Stop.",
        "Error: address not found in use of this book",
        "FAILED tests/test_orders.py::test_total - assert 3 == 4",
        "bash: compose: command not found",
        "Exit code 1",
        "",
    ],
)
def test_a_failure_with_another_error_shows_nothing(
    note: Write, session: Session, error: str
) -> None:
    note(PORT, "--why", PORT_WHY)

    assert session.fails("make e2e", error) == ""


@requirement("T84")
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.sampled_from("the file was not found error failed in line code 3 exit test".split()),
        max_size=12,
    )
)
def test_an_error_of_words_that_every_error_has_shows_nothing(
    note: Write, session: Session, words: list[str]
) -> None:
    note("Run it again.", "--why", "the test failed: file not found, exit code 3, error in line 3")

    assert session.fails("make e2e", " ".join(words)) == ""


@requirement("T85")
@pytest.mark.parametrize(
    "prompt",
    [
        "please run `git push --force` on the branch",
        "It said this:\n\nremote: error: GH006: Protected branch update failed\n\nwhat now?",
        "look at web/vite.config.ts, the build is slow. " + "Take your time. " * 60,
    ],
)
def test_a_prompt_that_names_command_error_or_file_gets_the_note_about_it(
    note: Write, session: Session, prompt: str
) -> None:
    note("Never `git push --force` here.")
    note("Open a pull request instead.", "--why", "error: GH006: Protected branch update failed")
    note("The proxy in web/vite.config.ts must stay first.")

    assert session.prompt(prompt).count("<twiceshy-note") == 1
    assert session.prompt(prompt) == ""  # once in a conversation


@requirement("T85")
@pytest.mark.parametrize(
    "prompt",
    [
        "push the release out of the door, by force if you must, git or not",
        "make sure the branch update is protected, and what failed is on the list",
        "write the config for vite",
    ],
)
def test_a_prompt_with_the_same_words_about_something_else_gets_nothing(
    note: Write, session: Session, prompt: str
) -> None:
    note("Never `git push --force` here.")
    note("Open a pull request instead.", "--why", "error: GH006: Protected branch update failed")
    note("The proxy in web/vite.config.ts must stay first.")

    assert session.prompt(prompt) == ""


@requirement("T84")
def test_a_lesson_that_was_learned_is_not_found_by_the_words_of_another_error(
    home: Path, session: Session
) -> None:
    teach(home, session.project)
    error = "Exit code 2\nmake: no rule for release"

    assert session.fails("make release", error) == ""
    twiceshy(
        session.project, "note", "Targets are in tools/.", "--why", "make: no rule for release"
    )
    assert "Targets are in" in session.fails("make release", error)


NAMED = (
    ("ModuleNotFoundError: No module named '{}'", "psycopg2", "numpy"),
    ("error TS2307: Cannot find module './{}' or its type declarations.", "cart", "till"),
    ("TypeError: greet() got an unexpected keyword argument '{}'", "colour", "font"),
)


@requirement("T174")
@pytest.mark.parametrize(("error", "noted", "other"), NAMED)
def test_a_note_with_an_error_is_told_for_its_name_only(
    note: Write, session: Session, error: str, noted: str, other: str
) -> None:
    handle = note(f"{error.format(noted)}: it comes with the second group")

    assert session.fails("make e2e", error.format(other)) == ""
    assert session.prompt(f"Why does it say {error.format(other)} in the tests?") == ""
    assert f'id="{handle}"' in session.fails("make e2e", error.format(noted))


@requirement("T174")
@pytest.mark.parametrize(
    "text",
    [
        "No module named 'psycopg2' or 'ruff': run uv sync, the venv is old",
        "ModuleNotFoundError: No module named anything means the venv is old",
    ],
)
def test_a_note_with_several_names_or_none_is_told_for_each(
    note: Write, session: Session, text: str
) -> None:
    handle = note(text)

    told = session.fails("make e2e", "ModuleNotFoundError: No module named 'numpy'")

    assert f'id="{handle}"' in told
