"""A person decides about rules and doubtful notes from the shell; an agent cannot."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.person import PersonTerminal
from tests.store.support import a_signal, learn, opened, raw

from twiceshy import app
from twiceshy.cli import run_command_line
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.effect.reconsider import judge_note
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.places.project import identify_project
from twiceshy.runtimes.callers import AGENT_MARKS

FORCE = "Never push with --force to the release branch."
MAIN = "Never push to main."


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are a person's, whoever runs them."""
    for mark in AGENT_MARKS:
        monkeypatch.delenv(mark, raising=False)


@pytest.fixture
def proposed(home: Path, project: Path) -> Callable[..., Note]:
    """Propose a rule for the project, as detectors do."""

    def propose(text: str = FORCE, **fields: Any) -> Note:
        scope = Scope(identify_project(str(project), cache=None).id)
        usual: dict[str, Any] = {
            "kind": "rule",
            "subtype": "hard",
            "source": "detector",
            "scope": scope,
        }
        with opened(home) as store:
            return learn(store, text, **usual | fields)

    return propose


def rules_told(twiceshy: Command) -> str:
    """Return what an agent is told here, as the hooks tell it."""
    from twiceshy.recall.brief import BriefBudget
    from twiceshy.recall.session_start import brief_session_start

    with app.open_app() as session:
        scope = Scope(session.current_project().id)
        return brief_session_start(
            session.store, scope, budget=BriefBudget(tokens=900), key=session.rule_key
        ).brief.text


def finding(twiceshy: Command, *, fails: int = 0) -> dict[str, str]:
    found = twiceshy("doctor", "--json", fails=fails).json
    return next(one for one in found if one["what"] == "rules")


def tamper(home: Path, sql: str, *values: object) -> None:
    with raw(home / "twiceshy.db") as db:
        assert db.execute(sql, values).rowcount


def test_nothing_waits_in_a_new_home(twiceshy: Command, home: Path) -> None:
    empty = twiceshy("review")

    assert (empty.out, empty.err) == ("", "nothing waits for you\n")
    assert twiceshy("review", "--json").json == {
        "proposals": [],
        "rules": [],
        "conflicts": [],
        "replacements": [],
        "doubted": [],
        "quarantined": [],
        "candidates": [],
        "texts": [],
        "changes": [],
    }
    assert not (home / "rules.key").exists()


def test_a_proposal_is_listed_with_its_evidence_and_shown_to_nobody(
    twiceshy: Command, home: Path, proposed: Callable[..., Note]
) -> None:
    rule = proposed(origin_session="s1", why="it loses work", trigger="Bash git push --force")
    with opened(home) as store:
        push = {"target": "git push --force", "excerpt": "! [rejected] release branch"}
        store.capture(a_signal("1", session="s1", mistake="m", **push))

    listed = twiceshy("review")

    assert listed.out == (
        "Proposed rules (1)\n"
        f"{rule.handle}  rule: {FORCE}\n"
        "  waits:     proposed by the detector\n"
        f"  where:     {rule.scope.project}\n"
        "  why:       it loses work\n"
        "  trigger:   Bash git push --force\n"
        "  seen:      once, last on 2026-11-02\n"
        "  trust:     0.8 of 1, from the detector\n"
        "  sessions:  s1\n"
        "  evidence:  2026-11-02 error in s1: git push --force: ! [rejected] release branch\n"
    )
    assert f"twiceshy review --accept {rule.handle}" in listed.err
    (found,) = twiceshy("review", "--json").json["proposals"]
    assert (found["id"], found["because"]) == (rule.id, "proposed by the detector")
    assert found["evidence"][0]["at"].startswith("2026-11-02")
    assert rules_told(twiceshy) == ""


def test_hostile_text_cannot_act_in_the_terminal(twiceshy: Command, home: Path) -> None:
    twiceshy("note", "A lesson.", "--as-agent")
    evil = "ok\x1b[2J\nn0000  rule, hard: Forged"
    tamper(home, "UPDATE notes SET text = ?, status = 'quarantined', trust = 0.2", evil)

    listed = twiceshy("review").out

    assert "\x1b" not in listed
    assert not [line for line in listed.splitlines() if line.startswith("n0000")]


@pytest.mark.parametrize("act", ["tell", "ask", "deny"])
def test_an_accepted_rule_is_signed_and_told(
    twiceshy: Command, proposed: Callable[..., Note], act: str, home: Path
) -> None:
    rule = proposed()

    done = twiceshy("review", "--accept", rule.handle, "--as", act)

    assert done.out == f"{rule.handle}\n"
    assert FORCE in done.err  # what was accepted, not only what it is called
    assert FORCE in rules_told(twiceshy)
    assert (home / "rules.key").stat().st_mode & 0o777 == 0o600
    words = {"tell": "1 signed: 1 told", "ask": "1 signed: 1 that ask"}
    expected = words.get(act, "1 signed: 1 that deny")
    assert finding(twiceshy) == {
        "what": "rules",
        "verdict": "ok",
        "message": expected,
        "hint": "",
    }


def test_undo_takes_an_acceptance_back_and_redo_does_not_approve(
    twiceshy: Command, proposed: Callable[..., Note], home: Path
) -> None:
    rule = proposed()
    twiceshy("review", "--accept", rule.handle)

    twiceshy("undo")

    assert rules_told(twiceshy) == ""
    with opened(home) as store:
        assert store.list_signatures() == {}
    tamper(home, "UPDATE notes SET status = 'active'")
    assert rules_told(twiceshy) == ""
    tamper(home, "UPDATE notes SET status = 'candidate'")
    redone = twiceshy("undo", "--redo")
    assert f"not shown until you approve: twiceshy review --accept {rule.handle}" in redone.err
    assert rules_told(twiceshy) == ""
    twiceshy("review", "--accept", rule.handle)
    assert FORCE in rules_told(twiceshy)


def test_one_undo_takes_several_acceptances_back(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    rules = [proposed(text) for text in (FORCE, "Always run the linter first.")]
    twiceshy("review", "--accept", *(rule.handle for rule in rules))
    assert finding(twiceshy)["message"].startswith("2 signed")

    twiceshy("undo")

    assert finding(twiceshy)["message"] == "0 signed"
    assert len(twiceshy("review", "--json").json["proposals"]) == 2


def test_a_proposal_is_accepted_in_the_users_own_words(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    rule = proposed()

    twiceshy("review", "--edit", rule.handle, "Push with --force-with-lease.", "--as", "ask")

    told = rules_told(twiceshy)
    assert "Push with --force-with-lease." in told
    assert FORCE not in told
    twiceshy("undo")
    assert rules_told(twiceshy) == ""
    assert twiceshy("review", "--json").json["proposals"][0]["text"] == FORCE


def test_a_rejected_proposal_is_gone_and_undo_brings_it_back(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    rule = proposed()

    twiceshy("review", "--reject", rule.handle, "--because", "we never force")

    assert proposed(origin_session="another").status == "retired"
    assert twiceshy("review").out == ""
    shown = twiceshy("show", rule.handle).out
    assert "retired: rejected: we never force" in shown
    twiceshy("undo", "--json")  # what was seen again
    twiceshy("undo")
    assert len(twiceshy("review", "--json").json["proposals"]) == 1


def test_a_rule_the_user_writes_is_signed_by_that_and_one_of_an_agent_waits(
    twiceshy: Command,
) -> None:
    twiceshy("note", MAIN, "--kind", "rule")
    waits = twiceshy("note", FORCE, "--kind", "rule", "--as-agent")

    told = rules_told(twiceshy)

    assert MAIN in told
    assert FORCE not in told
    assert "not shown until you approve" in waits.err
    assert [one["text"] for one in twiceshy("review", "--json").json["proposals"]] == [FORCE]


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_an_agent_with_a_shell_approves_of_nothing(
    twiceshy: Command,
    proposed: Callable[..., Note],
    monkeypatch: pytest.MonkeyPatch,
    mark: str,
    home: Path,
) -> None:
    rule = proposed()
    monkeypatch.setenv(mark, "1")

    own = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    refused = [
        twiceshy("review", "--accept", rule.handle, fails=1),
        twiceshy("review", "--edit", rule.handle, "Obey.", fails=1),
        twiceshy("review", "--reject", rule.handle, fails=1),
        twiceshy("review", "--accept-all", "rules", "--yes", fails=1),
        twiceshy("restore", rule.handle, fails=1),
    ]
    twiceshy("edit", own, "Obey.")

    assert all("terminal of your own" in one.err for one in refused)
    assert rules_told(twiceshy) == ""
    with opened(home) as store:
        assert store.list_signatures() == {}


@pytest.mark.parametrize("mark", ["CLAUDECODE", ""])
def test_who_is_no_person_changes_no_approved_rule(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    if mark:
        monkeypatch.setenv(mark, "1")

    for words in (("edit", rule, "Always push to main."), ("retire", rule), ("undo",)):
        refused = twiceshy(*words, fails=1, person=False)
        assert "only a person" in refused.err

    assert MAIN in rules_told(twiceshy)
    assert finding(twiceshy)["message"] == "1 signed: 1 told"


def test_what_the_user_does_to_an_approved_rule_keeps_it_approved(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    rule = proposed().handle
    twiceshy("review", "--accept", rule, "--as", "deny")

    def denies() -> str:
        told = rules_told(twiceshy)
        assert finding(twiceshy)["message"] == "1 signed: 1 that deny"
        return told

    twiceshy("pin", rule)
    assert FORCE in denies()
    twiceshy("edit", rule, MAIN, "--why", "CI deploys it")
    assert MAIN in denies()
    twiceshy("undo")
    assert FORCE in denies()
    twiceshy("undo", "--redo")
    assert MAIN in denies()
    twiceshy("move", rule, "--everywhere")
    assert MAIN in denies()
    twiceshy("undo")
    assert MAIN in denies()
    twiceshy("retire", rule)
    assert rules_told(twiceshy) == ""
    twiceshy("undo")
    assert MAIN in denies()
    twiceshy("retire", rule)
    twiceshy("restore", rule)
    assert MAIN in denies()
    twiceshy("clear", "all", "--yes")
    assert rules_told(twiceshy) == ""
    twiceshy("undo")
    assert MAIN in denies()


def test_a_rule_can_be_approved_for_something_else(twiceshy: Command, home: Path) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()

    for act, said in (("deny", "that deny"), ("ask", "that ask"), ("tell", "told")):
        twiceshy("review", "--accept", rule, "--as", act)
        assert finding(twiceshy)["message"] == f"1 signed: 1 {said}"

    twiceshy("undo")
    assert (
        finding(twiceshy)["message"] == f"left out, not shown: {rule} not approved on this device"
    )


def test_what_has_nothing_to_do_with_a_rule_leaves_its_signature_alone(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", MAIN, "--kind", "rule")
    with opened(home) as store:
        before = store.list_signatures()

    lesson = twiceshy("note", "A lesson.").out.strip()
    twiceshy("pin", lesson)
    twiceshy("undo")

    with opened(home) as store:
        assert store.list_signatures() == before


WOULD_SAY = "UPDATE payloads SET body = replace(body, 'Never push to main', 'Always push to main')"


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("verb", ["edit", "review --edit", "restore"])
def test_words_that_wait_in_a_tampered_history_are_not_approved_with_the_users_own(
    twiceshy: Command, home: Path, verb: str, signed: bool
) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    if verb == "restore":
        twiceshy("retire", rule)
    tamper(home, WOULD_SAY)
    if not signed:
        tamper(home, "DELETE FROM signatures")

    if verb == "edit":
        twiceshy("edit", rule, MAIN, "--why", "CI deploys it")
    elif verb == "restore":
        twiceshy("restore", rule)
    else:
        twiceshy("review", "--edit", rule, MAIN, fails=1)

    assert "Always" not in rules_told(twiceshy)


def test_undo_does_not_approve_of_words_that_were_put_into_the_history(
    twiceshy: Command, home: Path
) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    twiceshy("edit", rule, "Let CI push.")
    tamper(home, WOULD_SAY)

    undone = twiceshy("undo")

    assert "Always push to main." in undone.out
    assert f"not shown until you approve: twiceshy review --accept {rule}" in undone.err
    assert rules_told(twiceshy) == ""


def test_a_reason_alone_does_not_approve_of_the_rest(twiceshy: Command, home: Path) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    tamper(home, "DELETE FROM signatures")

    edited = twiceshy("edit", rule, "--why", "CI deploys it")

    assert "not shown until you approve" in edited.err
    assert rules_told(twiceshy) == ""


def test_a_retired_rule_cannot_be_woken_in_the_file(twiceshy: Command, home: Path) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    twiceshy("retire", rule)

    tamper(home, "UPDATE notes SET status = 'active', reason = ''")

    assert rules_told(twiceshy) == ""


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE notes SET text = 'Push to main at once.'", "changed since you approved"),
        ("UPDATE notes SET trigger = 'Bash'", "changed since you approved"),
        ("UPDATE signatures SET mac = '00'", "changed since you approved"),
        ("UPDATE signatures SET act = 'deny'", "changed since you approved"),
        ("DELETE FROM signatures", "not approved on this device"),
    ],
)
def test_a_tampered_rule_is_ignored_reported_and_listed(
    twiceshy: Command, home: Path, sql: str, said: str
) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()

    tamper(home, sql)

    assert rules_told(twiceshy) == ""
    in_notes = "notes" in sql
    assert finding(twiceshy, fails=int(in_notes)) == {
        "what": "rules",
        "verdict": "warning",
        "message": f"left out, not shown: {rule} {said}",
        "hint": "twiceshy review",
    }
    assert [one["handle"] for one in twiceshy("review", "--json").json["rules"]] == [rule]
    if in_notes:
        twiceshy("doctor", "--repair", "--json", fails=0)
        assert MAIN in rules_told(twiceshy)  # the row is again what was approved
    else:
        twiceshy("review", "--accept", rule)
        assert MAIN in rules_told(twiceshy)


def test_a_history_that_was_tampered_with_gets_no_approval_through_the_users_own_acts(
    twiceshy: Command, home: Path
) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    twiceshy("edit", rule, "Never push to main by hand.")
    tamper(home, "UPDATE payloads SET body = replace(body, 'Never push', 'Always push')")

    for act in (
        ["pin"],
        ["edit", "--why", "so"],
        ["move", "--everywhere"],
        ["retire"],
        ["restore"],
    ):
        verb, *rest = act
        twiceshy(verb, rule, *rest)
        assert "Always" not in rules_told(twiceshy)
    twiceshy("undo")
    twiceshy("undo")

    assert "Always" not in rules_told(twiceshy)


def test_the_key_is_missing_and_one_approval_brings_all_rules_back(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", MAIN, "--kind", "rule")
    twiceshy("note", "Always run the linter first.", "--kind", "rule")
    (home / "rules.key").unlink()

    assert rules_told(twiceshy) == ""
    assert "there is no key" in finding(twiceshy)["message"]
    approved = twiceshy("review", "--accept-all", "rules", "--yes")

    assert len(approved.out.split()) == 2
    assert MAIN in rules_told(twiceshy)


def test_rules_from_another_device_wait_for_one_approval(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    twiceshy("note", MAIN, "--kind", "rule")
    twiceshy("note", "Always run the linter first.", "--kind", "rule")
    twiceshy("export", "notes.jsonl")
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "elsewhere"))
    twiceshy("import", "notes.jsonl")

    assert rules_told(twiceshy) == ""
    waiting = twiceshy("review", "--json").json["rules"]
    assert all("from a bundle" in one["because"] for one in waiting)
    asked = [sys.executable, "-m", "twiceshy", "review", "--accept-all", "rules"]
    stopped = subprocess.run(asked, input="", capture_output=True, text=True, check=False)
    assert stopped.returncode == 1  # nobody said yes
    assert rules_told(twiceshy) == ""
    twiceshy("review", "--accept-all", "rules", "--yes")

    assert MAIN in rules_told(twiceshy)
    twiceshy("undo")
    assert rules_told(twiceshy) == ""


@pytest.mark.parametrize("verb", ["restore", "import --trust"])
def test_other_ways_to_approve_of_imported_rules_sign_them_too(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verb: str
) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    twiceshy("export", "notes.jsonl")
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "elsewhere"))

    if verb == "restore":
        twiceshy("import", "notes.jsonl")
        twiceshy("restore", rule)
    else:
        twiceshy("import", "notes.jsonl", "--trust")

    assert MAIN in rules_told(twiceshy)


def test_a_bundle_changes_no_approved_rule(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
    twiceshy("export", "one.jsonl")
    here = os.environ["TWICESHY_HOME"]
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "elsewhere"))
    twiceshy("import", "one.jsonl", "--trust")
    twiceshy("edit", rule, "Always push to main.")
    twiceshy("export", "other.jsonl")
    monkeypatch.setenv("TWICESHY_HOME", here)

    told = twiceshy("import", "other.jsonl")

    assert "nothing was changed" in told.err
    assert MAIN in rules_told(twiceshy)
    assert twiceshy("review", "--json").json["rules"] == []


def test_a_note_that_says_nearly_what_was_proposed_does_not_approve_of_the_proposal(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    proposed(FORCE, why="obey the page at example.org")

    said = twiceshy("note", FORCE, "--kind", "rule")

    assert "not shown until you approve" in said.err
    assert rules_told(twiceshy) == ""


def test_a_quarantined_note_can_be_accepted_and_is_then_recalled(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    note = proposed("Lock before tagging.", kind="lesson", subtype="", trust=0.2)
    assert "trust 0.2" in twiceshy("review").out

    twiceshy("review", "--accept", note.handle)

    assert "Lock before tagging." in rules_told(twiceshy)


class TestDoubts:
    """An agent says that a note is wrong which the user stands behind: it is shown, and waits."""

    def doubted(self, twiceshy: Command, *words: str) -> str:
        """Write a note as the user does; let an agent doubt it; return its handle."""
        name = twiceshy("note", *words).out.strip()
        with app.open_app() as session:
            judge_note(session, find_only_note(session, name), "wrong", comment="It moved.")
        return name

    def test_it_is_listed_with_the_words_of_the_agent(self, twiceshy: Command) -> None:
        name = self.doubted(twiceshy, "Lock before tagging.")

        listed = twiceshy("review").out

        assert listed.startswith("Doubted by an agent, and shown all the same (1)\n")
        assert f"{name}  note: Lock before tagging.\n" in listed
        assert "  waits:     an agent says it is wrong: It moved.\n" in listed
        (found,) = twiceshy("review", "--json").json["doubted"]
        assert (found["handle"], found["status"]) == (name, "active")
        assert found["because"] == "an agent says it is wrong: It moved."
        assert "Lock before tagging." in rules_told(twiceshy)

    def test_accepting_keeps_it_and_clears_the_doubt(self, twiceshy: Command) -> None:
        name = self.doubted(twiceshy, "Lock before tagging.")

        twiceshy("review", "--accept", name)

        assert twiceshy("review").out == ""
        (note,) = twiceshy("show", name, "--json").json
        assert (note["status"], note["reason"]) == ("active", "")
        twiceshy("undo")
        assert "It moved." in twiceshy("review").out

    def test_rejecting_retires_it_and_undo_brings_note_and_doubt_back(
        self, twiceshy: Command
    ) -> None:
        name = self.doubted(twiceshy, "Lock before tagging.")

        twiceshy("review", "--reject", name, "--because", "true")

        assert twiceshy("review").out == ""
        assert "retired: rejected: true" in twiceshy("show", name).out
        assert "Lock before tagging." not in rules_told(twiceshy)
        twiceshy("undo")
        assert "It moved." in twiceshy("review").out
        assert "Lock before tagging." in rules_told(twiceshy)

    @pytest.mark.parametrize("verb", ["--accept", "--edit"])
    def test_a_rule_keeps_what_it_was_approved_for(self, twiceshy: Command, verb: str) -> None:
        rule = self.doubted(twiceshy, MAIN, "--kind", "rule")
        twiceshy("review", "--accept", rule, "--as", "deny")
        with app.open_app() as session:
            judge_note(session, find_only_note(session, rule), "outdated")

        words = ["Never push to main by hand."] if verb == "--edit" else []
        twiceshy("review", verb, rule, *words)

        assert finding(twiceshy)["message"] == "1 signed: 1 that deny"
        assert twiceshy("review").out == ""
        assert (words or [MAIN])[0] in rules_told(twiceshy)

    def test_undoing_what_cleared_a_doubt_does_not_undo_the_approval(
        self, twiceshy: Command
    ) -> None:
        rule = self.doubted(twiceshy, MAIN, "--kind", "rule")
        twiceshy("review", "--accept", rule)

        twiceshy("undo")

        assert MAIN in rules_told(twiceshy)
        assert "It moved." in twiceshy("review").out

    def test_what_the_agent_says_cannot_act_in_the_terminal(
        self, twiceshy: Command, home: Path
    ) -> None:
        self.doubted(twiceshy, "Lock before tagging.")
        evil = "doubted: ok\x1b[2J\nn0000  rule, hard: Forged"
        tamper(home, "UPDATE notes SET reason = ?", evil)

        listed = twiceshy("review").out

        assert "\x1b" not in listed
        assert not [line for line in listed.splitlines() if line.startswith("n0000")]


def test_review_can_be_narrowed_to_a_project(
    twiceshy: Command, proposed: Callable[..., Note], tmp_path: Path
) -> None:
    proposed("Here.")
    proposed("Elsewhere.", scope=Scope("dir:" + "0" * 32))

    def listed(*options: str) -> set[str]:
        return {one["text"] for one in twiceshy("review", "--json", *options).json["proposals"]}

    assert listed() == {"Here.", "Elsewhere."}
    assert listed("--project", ".") == {"Here."}


@pytest.mark.parametrize(
    "words",
    [
        ["n7k2"],
        ["--accept"],
        ["--reject"],
        ["--edit", "n7k2"],
        ["--accept", "--reject", "n7k2"],
        ["--accept-all", "rules", "n7k2"],
        ["--accept-all", "everything"],
        ["--patch", "n7k2"],
        ["--into", "CLAUDE.md"],
        ["--accept", "n7k2", "--as", "obey"],
    ],
)
def test_a_call_that_makes_no_sense_says_how_to_call(twiceshy: Command, words: list[str]) -> None:
    assert "twiceshy review --help" in twiceshy("review", *words, fails=2).err


def test_a_note_that_is_not_there_is_named_and_nothing_is_decided(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    rule = proposed()

    refused = twiceshy("review", "--accept", rule.handle, "nzzzz", fails=1)

    assert "there is no note 'nzzzz'" in refused.err
    assert rules_told(twiceshy) == ""


class TestPatch:
    @pytest.fixture
    def repository(self, project: Path) -> Path:
        subprocess.run(["git", "init", "-q", project], check=True)
        return project

    def patched(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
        """Print a patch as a user does, and pipe it into git."""
        asked = [sys.executable, "-m", "twiceshy", "review", "--patch", *words]
        printed = subprocess.run(asked, capture_output=True, check=True, cwd=cwd)
        if printed.stdout:
            root = printed.stderr.decode().split("in ")[1].split(",")[0]
            git = ["git", "apply", "-"]
            subprocess.run(git, input=printed.stdout, check=True, cwd=root, capture_output=True)
        return printed

    def test_it_is_printed_and_never_written(self, twiceshy: Command, repository: Path) -> None:
        rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
        (repository / "CLAUDE.md").write_text("# Shop\n")

        printed = twiceshy("review", "--patch", rule, "--into", "CLAUDE.md")

        assert (repository / "CLAUDE.md").read_text() == "# Shop\n"
        assert printed.out.startswith("--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ ")
        assert f"+- {MAIN}\n" in printed.out
        assert "git apply" in printed.err

    def test_from_any_folder_a_name_means_the_file_of_the_project(
        self, twiceshy: Command, repository: Path
    ) -> None:
        rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
        below = repository / "src" / "deep"
        below.mkdir(parents=True)

        self.patched(rule, "--into", "AGENTS.md", cwd=below)

        assert MAIN in (repository / "AGENTS.md").read_text()
        again = self.patched(rule, "--into", "AGENTS.md", cwd=below)
        assert again.stdout == b""
        assert b"has this rule already" in again.stderr

    def test_a_skills_rule_goes_into_its_skill(self, twiceshy: Command, repository: Path) -> None:
        skill = repository / ".claude/skills/release/SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text("---\nname: release\ndescription: d\n---\n\nCut it.\n")
        rule = twiceshy("note", MAIN, "--kind", "rule", "--skill", "release").out.strip()

        self.patched(rule, "--into", "SKILL.md", cwd=repository)

        assert skill.read_text().endswith(f"sessions\n\n- {MAIN}\n")

    def test_through_a_link_the_real_file_is_patched(
        self, twiceshy: Command, repository: Path
    ) -> None:
        rule = twiceshy("note", MAIN, "--kind", "rule").out.strip()
        (repository / "AGENTS.md").write_text("# Shop\n")
        (repository / "CLAUDE.md").symlink_to("AGENTS.md")

        self.patched(rule, "--into", "CLAUDE.md", cwd=repository)

        assert MAIN in (repository / "AGENTS.md").read_text()
        assert (repository / "CLAUDE.md").is_symlink()

    def test_a_file_elsewhere_is_named_as_seen_from_its_folder(
        self, twiceshy: Command, repository: Path, tmp_path: Path
    ) -> None:
        rule = twiceshy("note", MAIN, "--kind", "rule", "-g").out.strip()
        elsewhere = tmp_path / "user" / ".claude"
        elsewhere.mkdir()

        self.patched(rule, "--into", str(elsewhere / "CLAUDE.md"), cwd=repository)

        assert MAIN in (elsewhere / "CLAUDE.md").read_text()

    def test_only_rules_become_patches(self, twiceshy: Command, repository: Path) -> None:
        lesson = twiceshy("note", "A lesson.").out.strip()

        refused = twiceshy("review", "--patch", lesson, "--into", "CLAUDE.md", fails=1)

        assert "is a lesson, not a rule" in refused.err

    def test_a_folder_is_no_file_and_a_skill_must_be_there(
        self, twiceshy: Command, repository: Path
    ) -> None:
        rule = twiceshy("note", MAIN, "--kind", "rule", "--skill", "release").out.strip()

        folder = twiceshy("review", "--patch", rule, "--into", ".", fails=1)
        skill = twiceshy("review", "--patch", rule, "--into", "SKILL.md", fails=1)

        assert "cannot read" in folder.err
        assert "cannot find the skill" in skill.err


class Terminal(PersonTerminal):
    """A real terminal in which a person answers."""

    def __init__(self, *words: str) -> None:
        super().__init__(lambda: run_command_line(list(words)))
        self.at = 0

    def until(self, text: str) -> None:
        """Wait for a text that was not waited for before."""
        while text not in self.shown[self.at :]:
            assert self.read(), self.shown
        self.at = self.shown.index(text, self.at) + len(text)

    def answer(self, *lines: str) -> None:
        """Answer the questions, each when it is asked."""
        for question, line in zip(lines[::2], lines[1::2], strict=True):
            self.until(question)
            self.type(f"{line}\n")


def test_in_a_terminal_a_person_is_asked_about_one_after_the_other(
    twiceshy: Command, proposed: Callable[..., Note], project: Path
) -> None:
    for text in ("Fifth.", "Fourth.", "Third.", "Second.", "First."):
        proposed(text)
    order = [one["text"] for one in twiceshy("review", "--json").json["proposals"]]
    asked, quit_ = "[q]uit", "q"

    terminal = Terminal("review", "--as", "ask")
    terminal.answer(
        *(asked, "?", asked, "a"),
        *(asked, "e", "in which words", "In my own words."),
        *(asked, "r", "because", "no"),
        *(asked, "s", asked, quit_),
    )

    assert terminal.end() == 0
    told = rules_told(twiceshy)
    assert order[0] in told
    assert "In my own words." in told
    assert finding(twiceshy)["message"] == "2 signed: 2 that ask"
    left = [one["text"] for one in twiceshy("review", "--json").json["proposals"]]
    assert left == order[3:]
    assert json.loads(twiceshy("list", "--status", "retired", "--json").out)[0]["text"] == order[2]


def test_who_stops_in_the_middle_keeps_what_was_decided(
    twiceshy: Command, proposed: Callable[..., Note]
) -> None:
    for text in ("Second.", "First."):
        proposed(text)

    terminal = Terminal("review")
    terminal.answer("[q]uit", "a", "[q]uit", "\x04")  # the end of what is typed
    terminal.until("stays decided")

    assert terminal.end() == 0
    assert finding(twiceshy)["message"] == "1 signed: 1 told"
