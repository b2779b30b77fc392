"""The user edits what an agent wrote; ``analyze`` counts the rules it missed and proposes new ones."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.terminal import answered
from tests.requirements import requirement
from tests.store.support import bytes_under, opened

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.runtimes.callers import AGENT_MARKS

USE = 'Write "use", not "utilize".'
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
DRAFT = "We utilize the cache.\n\nWe utilize the queue.\n\n此視頻說明如何安裝。\n"
FINAL = "We use the cache.\n\nWe use the queue.\n\n此影片說明如何安裝。\n"


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are a person's, whoever runs them."""
    for mark in AGENT_MARKS:
        monkeypatch.delenv(mark, raising=False)


@pytest.fixture
def edited(project: Path) -> tuple[str, str]:
    """A draft, and what the user made of it."""
    (project / "draft.md").write_text(DRAFT)
    (project / "final.md").write_text(FINAL)
    return "draft.md", "final.md"


def git(where: Path, *arguments: str) -> None:
    flags = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]
    subprocess.run(["git", *flags, "-C", str(where), *arguments], check=True, capture_output=True)


def rules(home: Path) -> list[Note]:
    with opened(home) as store:
        return store.notes(NoteFilter(kinds=("rule",), statuses=()))


def a_rule(twiceshy: Command, text: str = USE, why: str = "") -> str:
    written = twiceshy("note", "--type", "correction", "--tag", "prose", "--why", why, text)
    return written.out.strip()


def told(twiceshy: Command, prompt: str) -> str:
    """Return what an agent is reminded of before a task, as the hook tells it."""
    from twiceshy import app
    from twiceshy.core.scope import Scope
    from twiceshy.recall.notebook import tell_notebook_rules

    with app.open_app() as session:
        scope = Scope(session.current_project().id)
        return tell_notebook_rules(
            session.store, scope, prompt, tokens=90, key=session.rule_key
        ).brief.text


@requirement("U094", "E30")
def test_rules_missed_again_are_counted_and_rules_for_the_rest_are_proposed(
    twiceshy: Command, home: Path, edited: tuple[str, str]
) -> None:
    name = a_rule(twiceshy)

    ran = twiceshy("analyze", *edited)

    assert ran.out.splitlines()[:2] == [
        "3 corrections, 2 known, 1 new",
        f"missed: {name} {USE} (2 more, 2 in all; final.md)",
    ]
    assert ran.out.splitlines()[2].endswith('Write "影片", not "視頻". (places: 1; final.md)')
    assert "twiceshy review" in ran.err
    known, new = sorted(rules(home), key=lambda note: note.written_at)
    assert (known.missed, new.missed) == (2, 0)
    assert (new.status, new.why, new.tag) == ("candidate", "視頻 → 影片", "prose")


def test_the_same_edit_analysed_again_changes_nothing(
    twiceshy: Command, home: Path, edited: tuple[str, str]
) -> None:
    a_rule(twiceshy)
    twiceshy("analyze", *edited)
    before = rules(home)

    again = twiceshy("analyze", *edited)

    assert again.out.startswith("3 corrections, 3 known, 0 new\n")
    assert "(0 more, 2 in all" in again.out
    assert rules(home) == before


def test_a_plan_writes_nothing(twiceshy: Command, home: Path, edited: tuple[str, str]) -> None:
    a_rule(twiceshy)
    twiceshy("status")
    before = rules(home)

    planned = twiceshy("analyze", "--plan", *edited)

    assert "(2 more, 2 in all" in planned.out
    assert rules(home) == before


def test_a_rule_from_an_edit_is_not_told_until_the_user_approves(
    twiceshy: Command, home: Path, edited: tuple[str, str]
) -> None:
    twiceshy("analyze", *edited)
    assert told(twiceshy, "we utilize it") == ""

    [name] = [note.handle for note in rules(home) if "utilize" in note.text]
    twiceshy("review", "--accept", name)

    assert USE in told(twiceshy, "we utilize it")
    assert twiceshy("analyze", *edited).out.count("0 more, 0 in all") == 1


def test_an_agent_proposes_and_approves_nothing(
    twiceshy: Command, home: Path, edited: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    twiceshy("analyze", *edited)

    assert {(note.source, note.status) for note in rules(home)} == {("agent", "candidate")}
    assert told(twiceshy, "we utilize it") == ""


def test_in_a_terminal_the_user_decides_about_each_new_rule(
    home: Path, edited: tuple[str, str], twiceshy: Command
) -> None:
    code, shown = answered(["analyze", *edited], "y\nn\n")

    assert code == 0, shown
    statuses = {note.why: (note.status, note.reason) for note in rules(home)}
    assert statuses == {"utilize → use": ("active", ""), "視頻 → 影片": ("retired", "rejected")}
    assert USE in told(twiceshy, "we utilize it")
    assert twiceshy("analyze", *edited).out.startswith("3 corrections, 2 known, 0 new")


def test_what_the_user_leaves_for_later_waits(home: Path, edited: tuple[str, str]) -> None:
    code, _ = answered(["analyze", *edited], "\n\n")

    assert code == 0
    assert {note.status for note in rules(home)} == {"candidate"}


@requirement("E24")
def test_three_misses_make_a_proposal_and_never_a_second_one(
    twiceshy: Command, home: Path, project: Path, edited: tuple[str, str]
) -> None:
    name = a_rule(twiceshy)
    twiceshy("analyze", *edited)
    (project / "more.md").write_text("They utilize it, too.")
    (project / "done.md").write_text("They use it, too.")

    third = twiceshy("analyze", "more.md", "done.md")
    again = twiceshy("analyze", "more.md", "done.md")

    [hard] = [note for note in rules(home) if note.subtype == "hard"]
    assert f"proposed as a hard rule: {hard.handle} Without exception: {USE}" in third.out
    assert "proposed" not in again.out
    assert hard.status == "candidate"
    assert "needs" not in twiceshy("correct").out
    assert f"hard rule {hard.handle} waits for you" in twiceshy("correct").out
    proposals = twiceshy("review", "--json").json["proposals"]
    [item] = [one for one in proposals if one["id"] == hard.id]
    assert len(item["evidence"]) == 3
    assert name


def test_edits_analysed_by_several_processes_at_once_count_once(
    twiceshy: Command, home: Path, edited: tuple[str, str]
) -> None:
    a_rule(twiceshy)
    command = [sys.executable, "-m", "twiceshy", "analyze", *edited]

    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]

    assert [process.wait() for process in running] == [0] * 4
    assert sorted(note.missed for note in rules(home)) == [0, 2]


def test_one_undo_takes_the_proposals_of_an_analysis_back(
    twiceshy: Command, home: Path, edited: tuple[str, str]
) -> None:
    twiceshy("analyze", *edited)

    twiceshy("undo")

    assert "candidate" not in {note.status for note in rules(home)}


def test_the_working_tree_is_compared_with_the_last_commit(
    twiceshy: Command, home: Path, project: Path
) -> None:
    git(project, "init", "-q")
    (project / "a.md").write_text(DRAFT)
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "first")
    a_rule(twiceshy)
    (project / "a.md").write_text(FINAL)

    here = twiceshy("analyze", "--json").json
    git(project, "commit", "-qam", "second")
    committed = twiceshy("analyze", "--json").json
    since = twiceshy("analyze", "--since", "HEAD~1", "--json").json

    assert (here["corrections"], here["known"], here["new"]) == (3, 2, 1)
    assert here["missed"][0]["note"]["missed"] == 2
    assert here["missed"][0]["files"] == ["a.md"]
    assert committed["corrections"] == 0
    assert since["missed"][0]["counted"] == 0


def test_a_diff_may_come_through_stdin(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_rule(twiceshy)
    diff = "--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-We utilize it\n+We use it\n"
    binary = "diff --git a/l.png b/l.png\nBinary files a/l.png and b/l.png differ\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((diff + binary).encode())))

    ran = twiceshy("analyze", "-")

    assert ran.out.startswith("1 corrections, 1 known, 0 new\n")
    assert "not looked at, no text: l.png" in ran.err


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"\0binary", "binary"), (b"x\n" * 2_200_000, "larger than 4 MiB"), (b"hello", "no unified")],
)
def test_what_cannot_be_compared_is_refused_with_a_hint(
    twiceshy: Command, content: bytes, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    refused = twiceshy("analyze", "-", fails=1)

    assert message in refused.err
    assert "hint: " in refused.err


def test_a_file_that_is_missing_or_binary_is_refused(
    twiceshy: Command, project: Path, edited: tuple[str, str]
) -> None:
    (project / "logo.png").write_bytes(b"\0\1")

    assert "hint: " in twiceshy("analyze", "none.md", "final.md", fails=1).err
    assert "binary" in twiceshy("analyze", "draft.md", "logo.png", fails=1).err
    assert "git repository" in twiceshy("analyze", fails=1).err


@pytest.mark.parametrize("words", [["a"], ["a", "b", "c"], ["-", "a"], ["--since", "x", "a", "b"]])
def test_a_wrong_call_is_a_wrong_call(twiceshy: Command, words: list[str]) -> None:
    twiceshy("analyze", *words, fails=2)


def test_secrets_and_private_passages_of_an_edit_are_kept_nowhere(
    twiceshy: Command, home: Path, project: Path
) -> None:
    a_rule(twiceshy)
    secret = (
        f"We utilize {TOKEN} there.\n\n<private>\nmy boss is odd\n</private>\n\nodd boss here\n"
    )
    changed = secret.replace("utilize", "use").replace("odd", "fine").replace("boss", "chief")
    (project / "a.md").write_text(secret)
    (project / "b.md").write_text(changed)

    ran = twiceshy("analyze", "a.md", "b.md", "--json")

    assert ran.json["known"] == 1
    assert TOKEN not in ran.out
    assert "my boss" not in ran.out
    everything = b"".join(bytes_under(home).values())
    assert TOKEN.encode() not in everything
    assert b"my boss" not in everything


def test_the_report_is_in_the_language_of_the_user(
    twiceshy: Command, edited: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")

    assert twiceshy("analyze", *edited).out.startswith("共 3 處訂正,已知 0,新增 2\n")


def test_json_says_all_of_it(twiceshy: Command, edited: tuple[str, str]) -> None:
    planned = twiceshy("analyze", "--plan", "--json", *edited).json
    written = twiceshy("analyze", "--json", *edited).json

    assert [one["note"] for one in planned["proposed"]] == [None, None]
    assert planned["proposed"][0]["example"] == "utilize → use"
    assert [one["note"]["status"] for one in written["proposed"]] == ["candidate"] * 2
    assert json.dumps(written)
