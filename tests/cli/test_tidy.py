"""One verb looks the memory over and maintains it; the older ones say the same."""

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement

ALIKE = {
    (): ("check",),
    ("--deep",): ("full-check",),
    ("--pages",): ("memory-health",),
    ("--plan",): ("tend", "--plan"),
}


@pytest.fixture
def memory(twiceshy: Command) -> None:
    """A project with a page, two notes and an empty page."""
    twiceshy("note", "Lock before tagging.", "--skill", "release")
    twiceshy("note", "Use bun here.")
    twiceshy("page", "set", "project", "\n".join(f"line {n}" for n in range(250)))


@requirement("N06")
@pytest.mark.parametrize("flags", ALIKE, ids=" ".join)
def test_tidy_says_what_the_older_verb_says(
    twiceshy: Command, memory: None, flags: tuple[str, ...]
) -> None:
    tidied, older = twiceshy("tidy", *flags), twiceshy(*ALIKE[flags])

    assert tidied.out
    assert (tidied.out, tidied.err) == (older.out, older.err)
    assert twiceshy("tidy", *flags, "--json").json == twiceshy(*ALIKE[flags], "--json").json


@requirement("N06")
def test_every_way_of_looking_gives_one_verdict(twiceshy: Command, memory: None) -> None:
    verdicts = {
        line
        for flags in ((), ("--deep",), ("--pages",), ("--plan",))
        for line in twiceshy("tidy", *flags).out.splitlines()
        if "WARNING:" in line or line.startswith("health:")
    }

    assert len({verdict.removeprefix("health:").strip() for verdict in verdicts}) == 1


@requirement("N06")
def test_only_do_and_fold_change_something(twiceshy: Command, memory: None) -> None:
    before = twiceshy("list", "--all", "--json").json
    for flags in ((), ("--deep",), ("--pages",), ("--plan",)):
        twiceshy("tidy", *flags)

    assert twiceshy("list", "--all", "--json").json == before
    assert twiceshy("tend", "--history").err
    twiceshy("tidy", "--do")
    assert twiceshy("tend", "--history").out.count("\n") == 1


def test_the_week_is_what_reflect_says(twiceshy: Command, memory: None) -> None:
    assert twiceshy("tidy", "--week").out == twiceshy("reflect").out


def test_two_ways_at_once_are_refused(twiceshy: Command) -> None:
    assert "choose one of: --do, --deep" in twiceshy("tidy", "--do", "--deep", fails=2).err
