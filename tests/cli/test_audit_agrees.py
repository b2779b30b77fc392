"""``check``, ``memory-health``, ``full-check``, ``reflect`` and ``tend`` tell of one audit: of one store they say the same."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.sizes import sized

from twiceshy.core.moment import DAY, format_stamp, parse_stamp

MONDAY = parse_stamp("2026-11-02T09:00:00Z")
FETCH = "Run git fetch --tags before tagging, or the tag lands on an old commit."
LINE = "All times in the database are stored in UTC and shown in local time."
# what a user may do; each leaves something that one of the verbs looks at
ACTIONS = (
    ("note", FETCH, "--new"),
    ("note", "Before tagging run git fetch --tags, or the tag lands on an old commit.", "--new"),
    ("note", FETCH, "--kind", "decision"),
    ("note", "Deploy by hand with make deploy.", "--kind", "decision", "--file", "deploy.sh"),
    ("note", "We no longer deploy by hand with make deploy.", "--kind", "decision", "--new"),
    ("note", "Never push with --force.", "--kind", "pattern"),
    ("note", "Never push with --force to main.", "--kind", "rule"),
    ("note", "Use tabs instead of spaces", "--kind", "rule", "--new"),
    ("note", "Use spaces instead of tabs", "--kind", "rule", "--new"),
    ("note", "Answer in English.", "--kind", "preference", "--everywhere"),
    ("memory-set", "billing", "- line\n" * 201),
    ("memory-set", "shop", f"{LINE}\nSee [[gone]]."),
    ("memory-set", "times", LINE),
)
VERBS = ("check", "memory-health", "full-check", "reflect", "tend")


def ask(twiceshy: Command, verb: str) -> dict[str, Any]:
    """Return what a verb says in --json of the audit, and what it says in its last line."""
    fails = {"reflect": 0, "tend": 0}
    words = (verb, "--plan") if verb == "tend" else (verb,)
    said = run(twiceshy, *words)
    plain = run(twiceshy, *words, "--json").json
    known = plain["audit"] if verb in fails else plain
    flaws = [one for one in known["findings"] if one["about"] != "sound"]
    line = next(line for line in said.out.splitlines() if line.lstrip("- ").startswith("health: "))
    return {
        "numbers": {name: known[name] for name in ("verdict", "broken", "warnings", "counts")},
        "ids": {one["id"] for one in flaws},
        "words": {one["id"]: (one["where"], one["message"], one["do"]) for one in flaws},
        "line": line.partition("health: ")[2].strip(),
    }


def run(twiceshy: Command, *words: str) -> Any:
    try:
        return twiceshy(*words)
    except AssertionError:
        return twiceshy(*words, fails=1)  # something is broken


@requirement("V01")
@settings(
    max_examples=sized(6, 60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(done=st.lists(st.sampled_from(ACTIONS), max_size=8, unique=True), days=st.integers(0, 40))
def test_every_verb_says_the_same_of_one_store(
    twiceshy: Command, tmp_path: Path, done: list[tuple[str, ...]], days: int
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TWICESHY_HOME", str(tmp_path / f"home{len(os.listdir(tmp_path))}"))
        patched.setenv("TWICESHY_NOW", format_stamp(MONDAY))
        for words in done:
            twiceshy(*words)
        patched.setenv("TWICESHY_NOW", format_stamp(MONDAY + days * DAY))

        found = {verb: ask(twiceshy, verb) for verb in VERBS}

    for verb in VERBS:
        assert found[verb]["numbers"] == found["full-check"]["numbers"], verb
        assert found[verb]["line"] == found["full-check"]["line"], verb
        assert found[verb]["words"].items() <= found["full-check"]["words"].items(), verb
    assert found["check"]["ids"] <= found["memory-health"]["ids"]
    assert found["tend"]["ids"] == found["full-check"]["ids"]
    numbers = found["full-check"]["numbers"]
    assert len(found["full-check"]["ids"]) == numbers["broken"] + numbers["warnings"]


def test_what_reflect_asks_about_are_findings_that_the_other_verbs_name(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(MONDAY))
    for words in ACTIONS[:5]:
        twiceshy(*words)

    asked, healthy = ask(twiceshy, "reflect"), ask(twiceshy, "memory-health")

    assert {words[1] for words in asked["words"].values()} >= {"gone: deploy.sh"}
    assert asked["ids"] <= healthy["ids"]
