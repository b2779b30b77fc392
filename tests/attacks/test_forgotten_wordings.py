"""What was said in several wordings vanishes as one of them would: a further wording never spares anything."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.attacks.byte_search import find_places, find_tables
from tests.attacks.plants import EARLIER, OTHER, PLANTS, SAID, WORD, Victim
from tests.requirements import requirement

from twiceshy.files import replace
from twiceshy.interop.views import files

NEARLY = SAID.replace("before Friday", "before Sunday")
LONG = "The auditors of the second floor asked for it twice, and nobody knew an answer for them."
GROWN = f"{SAID} {LONG}"


@pytest.fixture(autouse=True)
def whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SETTLED_S", 0)
    monkeypatch.setattr(replace, "_GRACE_S", 0)


@pytest.fixture
def victim(home: Path, tmp_path: Path) -> Victim:
    (tmp_path / "shop").mkdir()
    victim = Victim(home, tmp_path / "shop")
    victim.client.start()
    victim.run("note", OTHER)
    return victim


def note(victim: Victim, *words: str) -> str:
    return victim.run("note", *words).strip()


def say_anew(victim: Victim) -> list[str]:
    one = note(victim, SAID)
    victim.run("edit", one, EARLIER)
    note(victim, NEARLY)
    return [one]


def say_more(victim: Victim) -> list[str]:
    one = note(victim, SAID)
    note(victim, NEARLY)
    victim.run("edit", one, GROWN)
    return [one]


def say_why(victim: Victim) -> list[str]:
    one = note(victim, SAID, "--why", LONG)
    note(victim, NEARLY)
    return [one]


def say_as_the_reason(victim: Victim) -> list[str]:
    one = note(victim, LONG, "--why", SAID)
    note(victim, NEARLY)
    return [one]


def say_two(victim: Victim) -> list[str]:
    return [note(victim, SAID), note(victim, LONG), note(victim, NEARLY)][:2]


def say_it_nearly_before(victim: Victim) -> list[str]:
    note(victim, NEARLY)
    one = note(victim, SAID)
    victim.run("edit", one, EARLIER)
    return [one]


def say_it_later_in_an_older_page(victim: Victim) -> list[str]:
    victim.run("memory-set", "conventions", f"{OTHER}\n")
    one = note(victim, GROWN)
    victim.run("memory-set", "conventions", SAID, "--append")
    return [one]


def say_it_later_in_an_older_note(victim: Victim) -> list[str]:
    older = note(victim, "Ask before you send anything.")
    one = note(victim, GROWN)
    victim.run("edit", older, f"Ask before you send anything. {SAID}")
    return [one]


WAYS: tuple[Callable[[Victim], list[str]], ...] = (
    say_anew, say_more, say_why, say_as_the_reason, say_two, say_it_nearly_before,
    say_it_later_in_an_older_page, say_it_later_in_an_older_note,
)  # fmt: skip


@requirement("Y45")
@pytest.mark.parametrize("say", WAYS, ids=lambda say: say.__name__)
def test_no_further_wording_spares_what_quotes_one_of_them(
    say: Callable[[Victim], list[str]], victim: Victim
) -> None:
    gone = say(victim)
    for name in ("command", "failure", "diary"):
        PLANTS[name](victim)
    words = (WORD, "northern archive", SAID[:40])
    assert find_tables(victim.home / "twiceshy.db", words) >= {"signals", "episodes", "notes"}

    victim.run("forget", *gone, "--yes")

    left = find_places(victim.home, words) | find_tables(victim.home / "twiceshy.db", words)
    assert left == set()
    assert OTHER in victim.run("list", "--json")


@requirement("Y50")
def test_what_a_page_began_with_stays_where_it_was_said_before(victim: Victim) -> None:
    victim.run("memory-set", "conventions", f"{OTHER}\n")
    victim.run("memory-set", "conventions", GROWN, "--append")
    pages = json.loads(victim.run("list", "--all", "--json", "--kind", "page"))

    victim.run("forget", pages[0]["id"], "--yes")

    assert OTHER in victim.run("list", "--json", "--kind", "lesson")


@requirement("Y50")
def test_an_edit_of_an_older_note_does_not_make_it_quote_what_it_said_before(
    victim: Victim,
) -> None:
    older = note(victim, f"{SAID} {LONG}")
    one = note(victim, f"{SAID} Ask the third desk for the key of the blue cupboard on Monday.")
    victim.run("edit", older, f"{LONG} {SAID}")

    victim.run("forget", one, "--yes")

    assert SAID in victim.run("list", "--json")
