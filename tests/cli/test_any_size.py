"""What is found in a project depends neither on other projects nor on how many notes it has."""

from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.core.builders import a_draft
from tests.requirements import requirement
from tests.store.support import app_of, opened

from twiceshy.core.scope import Scope
from twiceshy.notes.write import write_draft

NOTES = (
    "Flyway migrations must never be edited after merge",
    "Restart the gateway after you rotate its certificate",
    "Tag releases from main only",
)
QUESTIONS = ("flyway migration edited", "rotate the certificate of the gateway", "tag a release")
FOREIGN = ("the gateway of team {0}", "flyway release {0} of the certificate", "edited tag {0}")


def fill(home: Path, project: str, texts: list[str]) -> None:
    """Write many notes into a project."""
    with opened(home) as store, store.change():
        for text in texts:
            write_draft(app_of(store), a_draft(text, scope=Scope(project)), keep_apart=True)


def answers(twiceshy: Command) -> list[Any]:
    """Return what a search and a recall say to each question, without ages."""
    return [
        (twiceshy("search", asked, "--json").json, twiceshy("recall", asked, "--json").json)
        for asked in QUESTIONS
    ]


@requirement("T150")
def test_other_projects_change_nothing_of_what_is_found_and_told(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in NOTES:
        twiceshy("note", text)
    monkeypatch.setenv("TWICESHY_NOW", "2100-01-01T00:00:00Z")  # ages and scores stand still
    before = answers(twiceshy)

    fill(home, "dir:0123456789ab", [each.format(n) for n in range(300) for each in FOREIGN])

    after = answers(twiceshy)
    assert _without_counts(after) == _without_counts(before)
    assert all(found and recall["text"] for found, recall in after)


@requirement("T151")
def test_a_note_is_found_among_thousands_by_the_words_that_find_it_alone(
    twiceshy: Command, home: Path
) -> None:
    for text in NOTES:
        twiceshy("note", text)
    known = twiceshy("list", "--json").json
    here = known[0]["project"]
    parts = ("gateway", "release", "tag", "merge", "main", "restart", "flyway", "certificate")
    pairs = [f"{one} and {other}" for one in parts for other in parts if one != other]
    fill(home, here, [f"Case {n} is about {pair}" for n in range(40) for pair in pairs])

    for text, asked in zip(NOTES, QUESTIONS, strict=True):
        found = twiceshy("search", asked, "--json").json
        assert found[0]["text"] == text


def _without_counts(answers: list[Any]) -> list[Any]:
    """Leave out how often a note was recalled, which asking changes."""
    return [
        (
            [{k: v for k, v in hit.items() if k != "recalls"} for hit in found],
            recall["text"],
            recall["fit"],
        )
        for found, recall in answers
    ]
