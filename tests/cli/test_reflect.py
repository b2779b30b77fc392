"""A reflection looks back, asks, and removes in two cycles; its report is kept and compared."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.terminal import answered
from tests.effect.outcomes import sessions as sessions_with
from tests.requirements import requirement
from tests.store.support import Clock, a_signal, learn, opened

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, format_stamp, parse_stamp
from twiceshy.core.scope import Scope
from twiceshy.core.session import Session
from twiceshy.notes.find_by_name import find_notes_by_name
from twiceshy.places.project import identify_project
from twiceshy.project.reflect.report import SECTIONS
from twiceshy.runtimes.callers import AGENT_MARKS

MONDAY = parse_stamp("2026-11-02T09:00:00Z")
OLD = "Deploy by hand with make deploy."
TWICE = "Run the linter first. Run the linter first. Then commit."

Moment = Callable[[float], None]


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """These tests are a person's, whoever runs them, and days are those of UTC."""
    for mark in AGENT_MARKS:
        monkeypatch.delenv(mark, raising=False)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def on_day(monkeypatch: pytest.MonkeyPatch) -> Moment:
    """Let it be so many days after Monday."""

    def move(days: float) -> None:
        monkeypatch.setenv("TWICESHY_NOW", format_stamp(MONDAY + int(days * DAY)))

    move(0)
    return move


@pytest.fixture
def old(twiceshy: Command, on_day: Moment) -> str:
    """A decision about a file that is gone."""
    return twiceshy("note", OLD, "--kind", "decision", "--file", "deploy.sh").out.strip()


def sections(page: str) -> list[str]:
    return [line[3:] for line in page.splitlines() if line.startswith("## ")]


def status(twiceshy: Command, name: str) -> str:
    return str(twiceshy("show", name, "--json").json[0]["status"])


@requirement("U062", "E23")
def test_a_report_has_fixed_sections_and_the_next_one_compares_itself_with_it(
    twiceshy: Command, old: str, on_day: Moment
) -> None:
    first = twiceshy("reflect", "--json").json["page"]
    twiceshy("note", "Tag after the merge.", "--kind", "decision")
    on_day(7)

    second = twiceshy("reflect", "--json").json["page"]

    assert sections(first) == sections(second) == list(SECTIONS)
    assert "- Notes: 1\n" in first
    assert "- Notes: 2 (was 1)\n" in second
    assert twiceshy("reflect", "--show").out == second


def test_reports_are_kept_one_by_one_and_found_by_id(twiceshy: Command, old: str) -> None:
    first, second = (twiceshy("reflect", "--json").json for _ in range(2))

    shown = twiceshy("reflect", "--show", first["id"][-6:], "--json").json

    assert first["id"] != second["id"]
    assert shown["id"] == first["id"]
    assert shown["file"] == "reflect-2026-11-02.md"
    assert twiceshy("reflect", "--show").err == "reflect-2026-11-02.md\n"


def test_without_a_report_none_is_shown(twiceshy: Command) -> None:
    assert "nobody has reflected here" in twiceshy("reflect", "--show", fails=1).err


def test_looking_back_changes_no_note(twiceshy: Command, old: str, home: Path) -> None:
    before = twiceshy("list", "--json").out

    twiceshy("reflect")

    assert twiceshy("list", "--json").out == before
    with opened(home) as store:
        assert {entry.op for entry in store.history()} == {"write"}


@requirement("E20")
def test_the_four_questions_have_answers_that_the_evidence_speaks_for(
    twiceshy: Command, old: str
) -> None:
    twiceshy("note", TWICE, "--kind", "pattern")
    twiceshy("note", "Never push with --force.", "--kind", "pattern")
    rule = twiceshy("note", "Never push with --force to main.", "--kind", "rule", "--json").json

    asked = {each["text"]: each for each in twiceshy("reflect", "--json").json["candidates"]}

    assert asked[OLD]["mark"] == "outdated"
    assert asked[OLD]["evidence"] == ["gone: deploy.sh"]
    assert asked[OLD]["questions"] == {
        "serves": False,
        "shorter": None,
        "covered": None,
        "must_go": True,
    }
    assert asked[OLD]["proposal"] == "remove"
    assert asked[TWICE]["questions"]["shorter"] == "Run the linter first. Then commit."
    assert asked["Never push with --force."]["proposal"] == f"covered:{rule['note']['id']}"


def test_an_answered_note_is_not_asked_about_again_until_it_changes(
    twiceshy: Command, old: str, on_day: Moment
) -> None:
    twiceshy("reflect")
    twiceshy("reflect", "--answer", f"{old}=keep")
    on_day(7)
    unchanged = twiceshy("reflect", "--json").json
    on_day(14)
    carried = twiceshy("reflect", "--json").json
    twiceshy("edit", old, "Deploy by hand, on Fridays.")
    changed = twiceshy("reflect", "--json").json

    assert unchanged["candidates"] == carried["candidates"] == []
    assert [each["handle"] for each in changed["candidates"]] == [old]


def test_answers_shorten_and_record(twiceshy: Command, on_day: Moment) -> None:
    note = twiceshy("note", TWICE, "--kind", "pattern").out.strip()
    twiceshy("reflect")

    twiceshy("reflect", "--answer", f'{note}=shorten:"Lint, then commit."')

    assert twiceshy("show", note, "--json").json[0]["text"] == "Lint, then commit."
    assert "- [x] " in twiceshy("reflect", "--show").out
    assert "→ shorten" in twiceshy("reflect", "--show").out
    twiceshy("undo")
    assert twiceshy("show", note, "--json").json[0]["text"] == TWICE


@pytest.mark.parametrize(
    ("answers", "code", "told"),
    [
        (["=keep"], 2, "ID=ANSWER"),
        (["n1"], 2, "ID=ANSWER"),
        (["OLD=maybe"], 1, "is no answer"),
        (["OLD=covered:OLD"], 1, "is not an active rule"),
        (["OLD=remove", "nzzzz=keep"], 1, "there is no note"),
    ],
)
def test_an_answer_that_makes_no_sense_changes_nothing(
    twiceshy: Command, old: str, answers: list[str], code: int, told: str
) -> None:
    twiceshy("reflect")
    words = [word for each in answers for word in ("--answer", each.replace("OLD", old))]

    ran = twiceshy("reflect", *words, fails=code)

    assert told in ran.err
    assert status(twiceshy, old) == "active"
    assert "- [ ] " in twiceshy("reflect", "--show").out


@requirement("U115", "E22")
def test_a_note_goes_only_in_a_later_reflection_and_when_the_user_confirms(
    twiceshy: Command, old: str, on_day: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(told: str) -> None:
        assert told in twiceshy("reflect", "--remove", old, "--yes", fails=1).err

    refused("no reflection marked")
    assert (
        "no reflection has asked" in twiceshy("reflect", "--answer", f"{old}=remove", fails=1).err
    )
    twiceshy("reflect")
    refused("no reflection marked")
    twiceshy("reflect", "--answer", f"{old}=remove")
    assert status(twiceshy, old) == "pending removal"
    refused("only a later one may remove it")
    on_day(0.2)
    twiceshy("reflect")
    refused("sleep on it")
    on_day(1)
    refused("sleep on it")
    assert "(marked on 2026-11-02; to be confirmed)" in twiceshy("reflect").out
    monkeypatch.setenv("CLAUDECODE", "1")
    refused("only a person may decide")
    monkeypatch.delenv("CLAUDECODE")
    code, shown = answered(["reflect", "--remove", old], "n\n")
    assert (code, "Remove 1 notes? [y/N]" in shown) == (130, True)
    assert status(twiceshy, old) == "pending removal"

    twiceshy("reflect", "--remove", old, "--yes")

    assert status(twiceshy, old) == "retired"
    assert "→ removed" in twiceshy("reflect", "--show").out
    twiceshy("restore", old)
    assert status(twiceshy, old) == "active"


def test_what_was_learned_again_leaves_the_list(
    twiceshy: Command, old: str, on_day: Moment, home: Path
) -> None:
    twiceshy("reflect")
    twiceshy("reflect", "--answer", f"{old}=remove")
    with opened(home, clock=Clock(MONDAY + DAY)) as store, store.change():
        store.record_entry("see", find_notes_by_name(store, old)[0].id, None)
    on_day(7)

    told = twiceshy("reflect").err

    assert f"shown again, since it was needed: {old}" in told
    assert status(twiceshy, old) == "active"
    assert twiceshy("reflect", "--json").json["removable"] == []


def test_a_mark_that_was_undone_is_gone(twiceshy: Command, old: str, on_day: Moment) -> None:
    twiceshy("reflect")
    twiceshy("reflect", "--answer", f"{old}=remove")
    twiceshy("undo")
    on_day(7)

    found = twiceshy("reflect", "--json").json

    assert status(twiceshy, old) == "active"
    assert [each["handle"] for each in found["candidates"]] == [old]


@requirement("U114", "E21")
def test_in_a_terminal_the_questions_are_asked_one_by_one_and_the_answer_is_recorded(
    twiceshy: Command, old: str, on_day: Moment
) -> None:
    code, shown = answered(["reflect"], "\n\n\n\n")

    assert code == 0, shown
    questions = ["Does it serve? [y/N]", "Can it be shorter? [y/N]", "Does a rule cover it"]
    assert all(question in shown for question in [*questions, "Must it go? [Y/n]"])
    assert status(twiceshy, old) == "pending removal"
    report = twiceshy("reflect", "--show", "--json").json
    assert list(report["answers"].values()) == ["remove"]
    assert f"- [x] {old} " in report["page"]


def test_in_a_terminal_another_answer_is_taken_too_and_a_removal_needs_a_yes(
    twiceshy: Command, old: str, on_day: Moment
) -> None:
    answered(["reflect"], "n\nn\nn\ny\n")
    on_day(1)
    _, shown = answered(["reflect"], "\n")
    assert "Remove it now? [y/N]" in shown
    assert status(twiceshy, old) == "pending removal"

    answered(["reflect"], "y\n")

    assert status(twiceshy, old) == "retired"


def test_in_a_terminal_what_makes_no_sense_is_asked_again_and_one_may_stop(
    twiceshy: Command, on_day: Moment
) -> None:
    note = twiceshy("note", TWICE, "--kind", "pattern").out.strip()

    _, shown = answered(["reflect"], f"y\ny\n{TWICE} And more.\ny\ny\nLint first.\n")
    assert "that is no shorter" in shown
    assert twiceshy("show", note, "--json").json[0]["text"] == "Lint first."

    twiceshy("note", TWICE, "--kind", "pattern", "--new")
    _, shown = answered(["reflect"], "\x04")
    assert "stopped; what you decided before stays decided" in shown


def test_an_agent_on_a_terminal_is_asked_nothing(
    twiceshy: Command, old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    code, shown = answered(["reflect"], "")

    assert code == 0
    assert "Does it serve?" not in shown


def test_the_week_is_studied_anew(
    twiceshy: Command, old: str, project: Path, home: Path, on_day: Moment
) -> None:
    on_day(3)
    here = identify_project(str(project), cache="").id
    with opened(home) as store:
        for number in range(12):
            at = MONDAY + number
            told = f"2 messages on shop; testing, fixing:\nPart {number}"
            store.capture(
                Episode(f"e{number:03}", "end", f"s{number}", here, at, at, "Part", told)
            )
        for number in range(3):
            at = MONDAY + number * DAY
            store.capture(
                a_signal(key=f"k{number}", project=here, mistake="m1", at=at, excerpt="no tag")
            )
        store.save_records(Session("s1", "claude-code", here, str(project), "", MONDAY, MONDAY))

    ran = twiceshy("reflect")
    page = twiceshy("reflect", "--show").out

    assert "- Sessions: 1\n- Episodes reviewed: 10\n- Messages: 20\n" in page
    assert "one session in 7 days; mostly fixing (10), testing (10)" in ran.out
    assert "no tag — 3 times on 3 days, and no note: twiceshy learn\n" in ran.out
    assert "no tag — 3 times on 3 days, and no note: twiceshy learn\n" in page
    assert "- Recurring mistakes: 1\n" in page


@requirement("V03")
def test_a_week_is_told_in_sentences_with_counts_of_that_very_thing_and_a_command_each(
    twiceshy: Command, project: Path, home: Path, on_day: Moment
) -> None:
    on_day(3)
    here = identify_project(str(project), cache="").id
    old = twiceshy("note", "`gh pr diff`: use `--name-only`", "--type", "fix").out.strip()
    calm = twiceshy("note", "`git tag`: fetch first", "--type", "fix", "--new").out.strip()
    twiceshy("todo", "add", "Write the changelog")
    gone = twiceshy("note", OLD, "--kind", "decision", "--file", "deploy.sh").out.strip()
    with opened(home) as store, store.change():
        note = find_notes_by_name(store, old)[0].id
        for number, pair in enumerate(("call", "", "call")):
            at = MONDAY + (3 + number) * DAY + 1
            key, session = f"{number}", f"s{number}"
            made = a_signal(key=key, project=here, mistake="m", at=at, session=session, pair=pair)
            store.capture(made)
            store.record_evidence(note, key, session, at=at)
        for number in range(2):
            said = a_signal(
                key=f"c{number}",
                kind="correction",
                mistake="wording|correction",
                project=here,
                session=f"s{number}",
                at=MONDAY + (3 + number) * DAY,
                excerpt="no, put the logo below the menu",
            )
            store.capture(said)
    on_day(6)

    shown = twiceshy("reflect").out
    page = twiceshy("reflect", "--show").out

    text = "`gh pr diff`: use `--name-only`"
    lines = (
        f"- {text} — failed 3 times on 3 days, put right 2 times: twiceshy why {old}\n",
        f"- `git tag`: fetch first (fix): twiceshy why {calm}\n",
        f"- {text} — again 3 times on 3 days since it is known: twiceshy note --kind rule '{text}'\n",
        "- you said 2 times on 2 days: no, put the logo below the menu: twiceshy note --kind preference"
        " 'no, put the logo below the menu'\n",
        f"- {gone} other: {OLD} (gone: deploy.sh): twiceshy reflect --answer {gone}=remove\n",
        "- open tasks: 1, the newest: Write the changelog: twiceshy todo\n",
    )
    assert [line for line in lines if line not in shown] == []
    assert [line for line in lines if line.removeprefix("- ") not in page] == []
    assert shown.index("Learned this week") < shown.index("Comes back") < shown.index("Sessions: ")
    assert len(shown.splitlines()) <= 40


def test_the_rule_that_would_help_is_named_and_nothing_of_a_report_is_withheld(
    twiceshy: Command, project: Path, home: Path, on_day: Moment
) -> None:
    here = identify_project(str(project), cache="").id
    name = twiceshy("note", "`cat`: use `-v`, not `-A`", "--type", "fix").out.strip()
    with opened(home, clock=Clock(MONDAY)) as store, store.change():
        note = find_notes_by_name(store, name)[0]
        text, scope = "Use `-v`, not `-A`, with `cat`.", Scope(here)
        waiting = learn(store, text, kind="rule", subtype="hard", scope=scope, tag=note.id)
        store.record_entry(
            "edit", waiting.id, {"status": "candidate"}, before={"status": "active"}
        )
        for number in range(2):
            at = MONDAY + number * DAY + 1
            store.capture(a_signal(f"{number}", session=f"s{number}", project=here, at=at))
            store.record_evidence(note.id, f"{number}", f"s{number}", at=at)
    on_day(2)

    shown = twiceshy("reflect").out

    again = (
        f"again 2 times on 2 days since it is known; rule {waiting.handle} waits: twiceshy review"
    )
    assert f"- `cat`: use `-v`, not `-A` — {again}\n" in shown
    assert again in twiceshy("reflect", "--show").out
    assert "withheld" not in twiceshy("reflect", "--show").out


@requirement("N08")
def test_an_imported_lesson_is_no_failure_and_does_not_come_back(
    twiceshy: Command, project: Path, home: Path, on_day: Moment
) -> None:
    skill = home.parent / "user" / ".ai-memory/skills/deploy/KNOWLEDGE.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("# deploy\n\n- Prefer pnpm over npm.\n")
    twiceshy("import", "fireworks")

    shown = twiceshy("reflect", "everywhere").out

    assert "- Prefer pnpm over npm. (gotcha): twiceshy why" in shown
    assert "failed" not in shown
    assert "Comes back" not in shown
    assert "--kind rule" not in shown


def test_what_helped_and_what_did_not_comes_from_what_was_measured(
    twiceshy: Command, home: Path, on_day: Moment
) -> None:
    good = twiceshy("note", "Fetch before tagging.").out.strip()
    bad = twiceshy("note", "Push tags one by one.").out.strip()
    calm = twiceshy("note", "Pin the lock file.", "--type", "pitfall").out.strip()
    with opened(home) as store:
        ids = {name: find_notes_by_name(store, name)[0].id for name in (good, bad, calm)}
        store.save_records(
            *[
                *sessions_with(3, "followed", "helped", note=ids[good], channel="call"),
                *sessions_with(3, "followed", "harmed", note=ids[bad], channel="call"),
                *sessions_with(4, "followed", note=ids[calm], channel="call"),
            ]
        )
    on_day(7)

    found = twiceshy("reflect", "--json").json

    page = found["page"]
    assert f"- helped: {good} gotcha: Fetch before tagging.\n" in page
    assert f"- did not help: {bad} gotcha: Push tags one by one.\n" in page
    assert "- Not enough data yet: " in page
    standings = {each["handle"]: each["standing"] for each in found["candidates"]}
    assert standings == {good: "internalised", calm: "internalised"}
    assert "- Pitfalls: 3\n- Internalised: 2\n- Relevant: 1\n" in page


def test_a_note_about_another_version_of_its_skill_needs_an_update(
    twiceshy: Command, project: Path, on_day: Moment
) -> None:
    skill = project / ".claude" / "skills" / "release" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: release\ndescription: x\n---\nTag it.\n", encoding="utf-8")
    name = twiceshy("note", "Fetch before tagging.", "--skill", "release").out.strip()
    before = twiceshy("reflect", "--json").json["candidates"]
    skill.write_text("---\nname: release\ndescription: y\n---\nPush it.\n", encoding="utf-8")

    [asked] = twiceshy("reflect", "--json").json["candidates"]

    assert before == []
    assert (asked["handle"], asked["mark"]) == (name, "needs-update")
    assert asked["evidence"] == ["the skill release has changed since"]


def test_a_new_way_of_working_is_told(twiceshy: Command, on_day: Moment) -> None:
    twiceshy("note", "Lint, then test, then commit.", "--type", "workflow")

    learned = twiceshy("reflect").out.partition("Learned this week\n")[2]

    assert learned.startswith("- Lint, then test, then commit. (workflow): twiceshy why n")


def test_a_file_outside_of_the_project_says_nothing(
    twiceshy: Command, project: Path, on_day: Moment
) -> None:
    (project / "here.py").touch()
    for number, file in enumerate(("/etc/nowhere", "../x", "src/*.py", "here.py:12")):
        twiceshy("note", f"Decision {number}.", "--kind", "decision", "--file", file)

    assert twiceshy("reflect", "--json").json["candidates"] == []


def test_updates_are_a_patch_to_read_and_no_file_is_written(
    twiceshy: Command, project: Path, on_day: Moment
) -> None:
    (project / "CLAUDE.md").write_text("# Shop\n\n- Never push to main.\n", encoding="utf-8")
    twiceshy("note", "Never push to main.", "--kind", "rule")
    twiceshy("note", "Tag after the merge.", "--kind", "rule")
    twiceshy("note", "# Deploying\nBy the pipeline.", "--kind", "page", "--tag", "deploy")
    before = {path.name: path.read_bytes() for path in project.iterdir()}

    page = twiceshy("reflect", "--json").json["page"]

    assert "--- a/CLAUDE.md\n+++ b/CLAUDE.md\n" in page
    assert "+- Tag after the merge.\n" in page
    assert "+- Never push to main." not in page
    assert "+- [Deploying](deploy.md): By the pipeline" in page
    assert {path.name: path.read_bytes() for path in project.iterdir()} == before


def test_all_projects_and_one_by_name(
    twiceshy: Command, old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "site"
    other.mkdir()
    monkeypatch.chdir(other)
    twiceshy("note", "Build with make site.", "--kind", "decision")
    twiceshy("note", "Answer in English.", "--kind", "preference", "--everywhere")

    both = twiceshy("reflect", "--all", "--json").json
    one = twiceshy("reflect", "shop", "--json").json["page"]

    assert [each["figures"]["Notes"] for each in both] == [1, 1, 1]
    assert "**Project:** shop\n" in one
    assert twiceshy("reflect", "everywhere").out.startswith("# everywhere, 2026-11-02: ")
    assert "there is no project" in twiceshy("reflect", "nowhere", fails=1).err


def test_a10_a_reflection_sees_nothing_of_another_project(
    twiceshy: Command, old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "site"
    other.mkdir()
    monkeypatch.chdir(other)

    shown = twiceshy("reflect").out
    page = twiceshy("reflect", "--show").out

    assert "Deploy" not in shown + page
    assert "**Project:** site\n" in page
    assert "- Notes: 0\n" in page


def test_verbs_exclude_each_other(twiceshy: Command) -> None:
    assert "exclude each other" in twiceshy("reflect", "--show", "--all", fails=2).err


def test_a_person_who_reads_chinese_is_talked_to_in_chinese(
    twiceshy: Command, old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")

    ran = twiceshy("reflect")

    assert "已存為 reflect-2026-11-02.md" in ran.err
    assert "可以移除" in ran.out
    assert sections(twiceshy("reflect", "--show").out) == list(SECTIONS)


def test_a_secret_in_a_shorter_text_is_taken_out(twiceshy: Command, on_day: Moment) -> None:
    note = twiceshy("note", TWICE, "--kind", "pattern").out.strip()
    twiceshy("reflect")
    secret = "ghp_" + "a1B2" * 9

    twiceshy("reflect", "--answer", f"{note}=shorten:Use {secret}")

    assert secret not in twiceshy("show", note).out
    assert secret not in os.fsdecode(b"".join(_bytes(Path(os.environ["TWICESHY_HOME"]))))


def _bytes(folder: Path) -> Iterator[bytes]:
    return (path.read_bytes() for path in folder.rglob("*") if path.is_file())
