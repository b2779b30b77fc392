"""The command ``recall`` answers who asks, and tells the reasons of a missing answer apart."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import dump, raw

FLYWAY = "Flyway migrations must never be edited after merge"
UNSURE = 'fit="weak">\nNo note fits well. The nearest, which may be about something else:\n'


def a_skill(project: Path, name: str = "release", settings: str = "") -> None:
    path = project / ".claude/skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: {name}\ndescription: d\n{settings}---\n\nCut it.\n")


def asked(twiceshy: Command, *words: str) -> dict[str, Any]:
    """Return the answer to a recall, as a program reads it."""
    ran = twiceshy("recall", *words, "--json")
    assert ran.err == ""
    return dict(ran.json)


def test_a_reason_that_begins_with_its_word_says_it_once(twiceshy: Command) -> None:
    twiceshy("note", "--skill", "pdf", "--why", "when merging PDFs", "Use pikepdf for bookmarks.")
    twiceshy("note", "--skill", "pdf", "--why", "whenever it rains", "Print on dry paper.")

    told = twiceshy("recall", "--skill", "pdf").out

    assert "Use pikepdf for bookmarks. (when merging PDFs; seen once)" in told
    assert "Print on dry paper. (when whenever it rains; seen once)" in told


@requirement("T120")
def test_what_was_noted_just_now_is_told_to_who_asks_for_a_word_of_it(twiceshy: Command) -> None:
    twiceshy("note", FLYWAY)

    told = twiceshy("recall", "flyway")

    assert FLYWAY in told.out
    assert told.err == ""


@requirement("T120")
def test_what_is_only_near_is_marked_in_the_text_and_for_programs(twiceshy: Command) -> None:
    for text in (FLYWAY, "Use pnpm in the shop, never npm", "Tag releases from main only"):
        twiceshy("note", text)

    told = twiceshy("recall", "which bird is on the main square")
    found = asked(twiceshy, "which bird is on the main square")

    assert UNSURE in told.out
    assert "twiceshy search --all" in told.err
    assert told.out.strip() == found["text"]
    assert (found["fit"], found["reason"]) == ("weak", "unsure")
    assert [note["fit"] for note in found["notes"]] == ["weak"]
    assert found["notes"][0]["score"] > 0


def test_what_fits_is_told_with_its_score_and_without_a_reason(twiceshy: Command) -> None:
    twiceshy("note", FLYWAY)

    found = asked(twiceshy, "edit a flyway migration after the merge")

    assert (found["fit"], found["reason"], found["message"], found["hints"]) == (
        "good",
        None,
        None,
        [],
    )
    assert found["notes"][0]["fit"] == "good"


def test_without_an_intent_nothing_is_graded(twiceshy: Command) -> None:
    twiceshy("note", FLYWAY)

    found = asked(twiceshy)

    assert FLYWAY in found["text"]
    assert (found["fit"], found["reason"], found["mode"]) == (None, None, "no-intent")


@requirement("T121")
def test_an_empty_project_says_where_notes_are(twiceshy: Command, tmp_path: Path) -> None:
    os.chdir(tmp_path)
    twiceshy("note", FLYWAY)
    os.chdir(tmp_path / "shop")
    first = asked(twiceshy, "flyway")
    twiceshy("note", "Tag last.", "--skill", "release")
    twiceshy("note", "Pack the box.", "--kind", "task")
    gone = twiceshy("note", "Orders are in SQLite.").out.strip()
    twiceshy("retire", gone)
    twiceshy("note", "Never push to main.", "--kind", "rule", "--as-agent")

    later = twiceshy("recall", "flyway")

    assert (first["reason"], first["message"], first["text"]) == (
        "empty",
        "no notes yet for project 'shop'",
        "",
    )
    assert later.out == ""
    for line in (
        "no active notes but tasks and pages for project 'shop'",
        "hint: 1 waiting for you: twiceshy review",
        "hint: 1 retired: twiceshy list --status retired",
        "hint: 1 of skills: --skill release",
        "hint: 1 tasks and pages: twiceshy list",
        "hint: 1 in other projects: twiceshy search --all WORDS",
        'hint: write the first: twiceshy note "…"',
    ):
        assert line in later.err.splitlines()


@requirement("T121")
def test_a_scope_of_all_projects_says_that_it_is_empty(twiceshy: Command) -> None:
    twiceshy("note", FLYWAY)

    found = asked(twiceshy, "flyway", "--everywhere")

    assert (found["reason"], found["message"]) == ("empty", "no notes yet for all projects")
    assert "1 in other projects: twiceshy search --all WORDS" in found["hints"]


@requirement("T121")
def test_a_question_about_something_else_is_told_so_and_skills_that_fit_are_named(
    twiceshy: Command,
) -> None:
    twiceshy("note", FLYWAY)
    twiceshy("note", "Sign the tag with gpg.", "--skill", "release")

    nothing = twiceshy("recall", "zxqv")
    of_skill = asked(twiceshy, "sign it with gpg")

    assert nothing.out == ""
    assert "shares a word or a meaning with the question" in nothing.err
    assert of_skill["reason"] == "unrelated"
    assert of_skill["hints"][0] == "notes of skills fit: --skill release"


@requirement("T121")
@pytest.mark.parametrize("skill", [(), ("--skill", "release")])
def test_a_budget_that_is_too_small_says_what_one_note_takes(
    twiceshy: Command, project: Path, skill: tuple[str, ...]
) -> None:
    a_skill(project, settings="skill-memory:\n  max_tokens: 5\n")
    twiceshy("config", "set", "brief.skill_tokens", "5")
    twiceshy("note", "Zebras cross.", *skill)

    found = asked(twiceshy, "zebras", *skill)

    assert (found["reason"], found["text"]) == ("budget", "")
    tokens = found["hints"][0].rpartition(" ")[2]
    enough = max(50, int(tokens))
    assert "Zebras cross." in twiceshy("recall", "zebras", *skill, "--tokens", str(enough)).out


@requirement("T120")
@pytest.mark.parametrize("skill", [(), ("--skill", "release")])
def test_the_smallest_budget_that_can_be_given_tells_the_begin_of_a_long_note(
    twiceshy: Command, project: Path, skill: tuple[str, ...]
) -> None:
    a_skill(project)
    twiceshy("note", f"{FLYWAY}, {'or the checksums differ, ' * 30}", *skill)

    told = twiceshy("recall", "flyway", *skill, "--tokens", "50").out

    assert "Flyway migrations must" in told


@requirement("T121")
def test_notes_that_may_not_be_told_are_counted_by_their_cause(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-01-01T09:00:00Z")
    (project / ".twiceshy.toml").write_text("[expiry.days]\nlesson = 2\n")
    note = twiceshy("note", FLYWAY).out.strip()
    monkeypatch.setenv("TWICESHY_NOW", "2026-02-01T09:00:00Z")

    found = asked(twiceshy, "flyway")
    anything = asked(twiceshy)

    assert (found["reason"], found["text"]) == ("withheld", "")
    assert f"1 expired, which a pinned note never does: twiceshy pin {note}" in found["hints"][0]
    assert anything["reason"] == "withheld"


@requirement("T121")
def test_a_rule_that_nobody_approved_here_is_said_to_be_left_out(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", "Never edit a migration.", "--kind", "rule")
    with raw(home / "twiceshy.db") as db:
        assert dump(db, "signatures")
        db.execute("DELETE FROM signatures")
        db.commit()

    found = asked(twiceshy, "edit a migration")

    assert found["reason"] == "withheld"
    assert "1 not approved as a rule on this device: twiceshy review" in found["hints"]


@requirement("T121")
def test_an_unknown_skill_or_project_is_an_error_that_names_what_was_meant(
    twiceshy: Command,
) -> None:
    twiceshy("note", "Tag last.", "--skill", "release")

    skill = twiceshy("recall", "tag", "--skill", "relaese", fails=1)
    project = twiceshy("recall", "tag", "--project", "shopp", fails=1)

    assert "no SKILL.md of a skill 'relaese' was found, and no note about it" in skill.err
    assert "did you mean 'release'?" in skill.err
    assert "there is no project 'shopp'" in project.err
    assert "did you mean 'shop'?" in project.err
    assert skill.out == project.out == ""
    found = twiceshy("recall", "tag", "--skill", "relaese", "--json", fails=1).json
    assert (found["reason"], found["text"]) == ("unknown", "")
    assert found["hints"][0].startswith("did you mean 'release'?")


@requirement("T121", "M03")
def test_a_skill_without_notes_and_one_that_is_switched_off_are_told_apart(
    twiceshy: Command, project: Path
) -> None:
    a_skill(project)
    a_skill(project, "quiet", "skill-memory: {enabled: false}\n")

    without = asked(twiceshy, "tag", "--skill", "release")
    off = twiceshy("recall", "tag", "--skill", "quiet", fails=1)

    assert (without["reason"], without["message"]) == ("empty", "no notes yet for skill 'release'")
    assert without["hints"] == ['write the first: twiceshy note --skill release "…"']
    assert "notes are not enabled for skill 'quiet'" in off.err
    found = twiceshy("recall", "tag", "--skill", "quiet", "--json", fails=1).json
    assert found["reason"] == "disabled"
    assert "enabled: true" in found["hints"][0]


def test_a_skill_is_told_its_newest_notes_for_any_question_and_programs_how_they_fit(
    twiceshy: Command,
) -> None:
    twiceshy("note", FLYWAY, "--skill", "release")

    told = twiceshy("recall", "zxqv", "--skill", "release")
    found = asked(twiceshy, "zxqv", "--skill", "release")

    assert FLYWAY in told.out
    assert "no note for skill 'release' shares a word" in told.err
    assert "these are its notes" in told.err
    assert (found["fit"], found["reason"]) == ("none", "unrelated")


def test_a_long_note_is_told_by_the_part_that_the_question_is_about(twiceshy: Command) -> None:
    story = "The migration took three evenings, and most of it was waiting for the copy. " * 12
    twiceshy("note", f"{story}The pager text names the replica. {story}")

    told = twiceshy("recall", "what does the pager text name").out

    assert "The pager text names the replica." in told


def test_the_nearest_are_told_beside_a_note_that_fits(twiceshy: Command) -> None:
    twiceshy("note", "The public API is versioned in the URL path")
    twiceshy("note", "Clients pick the API version with an Accept header, the path carries none")

    told = twiceshy("recall", "how is the public API versioned in the path").out

    assert "URL path" in told
    assert "Accept header" in told


def test_a_question_of_common_words_is_answered_unsurely(twiceshy: Command) -> None:
    for text in ("The worker image is built with Python", "Tags are the last step", FLYWAY):
        twiceshy("note", text)

    assert asked(twiceshy, "the")["fit"] in ("weak", "none")
    assert asked(twiceshy, "worker")["fit"] == "good"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("pgbouncer listens on port 6432", "pgbounce"),
        ("pgbouncer listens on port 6432", "pg-bouncer"),
        ("Secrets are sealed with kubeseal", "kubseal"),
        ("Dashboards are provisioned from git", "provisoned"),
        ("Schema changes go through flyway", "fliway"),
        ("Логи хранятся на сервере неделю", "сервир"),
    ],
)
def test_a_misspelled_word_alone_finds_its_note(
    twiceshy: Command, text: str, question: str
) -> None:
    for other in ("The nightly job writes to the warehouse", "Tags are the last step"):
        twiceshy("note", other)
    twiceshy("note", text)

    assert text in twiceshy("recall", question).out


def test_a_skill_that_has_only_principles_to_tell_says_that_it_has_no_notes(
    twiceshy: Command, project: Path
) -> None:
    a_skill(project)
    twiceshy("note", "Read before you write.", "--type", "principle", "--everywhere")

    told = twiceshy("recall", "tag", "--skill", "release")

    assert "Read before you write." in told.out
    assert "no notes yet for skill 'release'" in told.err


@requirement("T176")
def test_the_hint_for_an_unknown_skill_knows_skills_without_notes(
    twiceshy: Command, project: Path
) -> None:
    a_skill(project, "deploying")
    twiceshy("note", "Tag last.", "--skill", "release")

    said = twiceshy("recall", "tag", "--skill", "deployng", fails=1).err
    noted = twiceshy("recall", "tag", "--skill", "relase", fails=1).err

    assert "did you mean 'deploying'?" in said
    assert "did you mean 'release'?" in noted


@requirement("T177")
@pytest.mark.parametrize("tokens", range(50, 201, 10))
def test_a_skills_long_note_that_answers_is_told_before_a_short_one_that_does_not(
    twiceshy: Command, project: Path, tokens: int
) -> None:
    a_skill(project)
    text = "Take a snapshot with pgsnap before each migration, since the rollback script does not"
    text += " cover the enum types and would leave the ledger in an unreadable state for days,"
    twiceshy("note", f"{text} which the auditors noticed twice", "--skill", "release")
    twiceshy("note", "Pin the extension version of ledgerx", "--skill", "release")
    skill = ("--skill", "release")

    found = asked(twiceshy, "pgsnap", *skill, "--tokens", str(tokens))

    assert found["notes"][0]["fit"] == "good"
    if found["reason"]:
        enough = found["hints"][0].rpartition(" ")[2]
        assert "noticed twice" in twiceshy("recall", "pgsnap", *skill, "--tokens", enough).out
