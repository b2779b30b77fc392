"""What memory-engine's pitfalls got wrong: results of calls, retries, corrections, and what recurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.learning.sessions import FLAG, Told, notes_of, study
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_return, a_use, by_agent, by_user

if TYPE_CHECKING:
    from pathlib import Path

    from twiceshy.store.command_store import WholeStore


def kinds(store: WholeStore, *sessions: str) -> list[str]:
    return sorted({signal.kind for signal in store.list_signals(sessions=sessions or ["s1"])})


@requirement("U091")
def test_m1_an_error_in_a_users_entry_and_the_call_that_mended_it_become_a_fix(
    store: WholeStore, tmp_path: Path
) -> None:
    study(store, Told().said("Show the diff.").mistaken().file(tmp_path))

    (note,) = notes_of(store)
    assert note.why == f'`gh pr diff --stat` failed: "{FLAG}". `gh pr diff --name-only` worked.'


@requirement("U091")
def test_m1_a_result_belongs_to_the_call_it_names_and_not_to_the_last_one(
    store: WholeStore, tmp_path: Path
) -> None:
    told = Told()
    fields = {"sessionId": "s1", "cwd": "/home/u/shop"}
    told.records += [
        by_agent(
            "s1-a",
            a_use("toolu_1", "Bash", command="gh pr diff --stat"),
            a_use("toolu_2", "Bash", command="git status"),
            **fields,
        ),
        by_user("s1-b", [a_return("toolu_2", "clean", is_error=False)], **fields),
        by_user("s1-c", [a_return("toolu_1", FLAG, is_error=True)], **fields),
    ]

    study(store, told.ran("gh pr diff --name-only").file(tmp_path))

    (note,) = notes_of(store)
    assert note.why.startswith("`gh pr diff --stat` failed")


@requirement("U090")
def test_m2_different_commands_on_one_file_are_no_retry(store: WholeStore, tmp_path: Path) -> None:
    told = Told().said("Look at the hosts.")
    for command in ("cat", "grep local", "wc -l", "head -3", "ls -l"):
        told.ran(f"{command} /etc/hosts")
    for number in range(5):
        told.called("Edit", file_path="/home/u/shop/a.py", old_string=f"x{number}", new_string="y")

    study(store, told.file(tmp_path))

    assert kinds(store) == []
    assert notes_of(store) == []


@requirement("U090")
def test_m2_a_colon_in_a_target_splits_nothing(store: WholeStore, tmp_path: Path) -> None:
    told = Told().said("Fetch it.")
    for host in ("a.example:8080", "b.example:8080", "c.example:8080"):
        told.failed(f"curl https://{host}/x", f"curl: (7) Failed to connect to {host[0]}")

    study(store, told.file(tmp_path))

    assert "retry" not in kinds(store)


@requirement("U092")
def test_m3_talk_of_errors_and_undo_is_no_correction_and_a_plain_one_is(
    store: WholeStore, tmp_path: Path
) -> None:
    harmless = Told("s1").said("Nothing wrong here, and undo is a feature of the editor.")
    correction = Told("s2").answered("I used npm.").said("Wrong! Use pnpm, never npm.")

    study(store, harmless.file(tmp_path))
    study(store, correction.file(tmp_path))

    assert kinds(store, "s1") == []
    assert kinds(store, "s2") == ["correction"]


@requirement("U113")
def test_m4_three_unrelated_corrections_on_three_days_do_not_recur(
    store: WholeStore, tmp_path: Path
) -> None:
    for day, words in enumerate(("Use pnpm, never npm.", "Use tabs, not spaces.", "Say hello.")):
        told = Told(f"s{day}", day=day).answered("I did it.").said(f"No, that is wrong. {words}")
        study(store, told.file(tmp_path))

    assert not [note for note in notes_of(store) if note.kind == "rule"]


@requirement("A12")
def test_detectors_are_silent_on_honest_work_and_see_a_fix_by_another_command(
    store: WholeStore, tmp_path: Path
) -> None:
    honest = Told("s1").said("Nothing wrong so far. Add an undo feature.")
    for number in range(5):
        words = f"a{number}"
        honest.called("Edit", file_path="/home/u/shop/undo.py", old_string=words, new_string="b")
        honest.ran("ls").ran("make lint", "0 errors, 0 warnings, 0 failed")
    mended = Told("s2").failed("pytest tests", "bash: pytest: command not found")
    mended.ran("python -m pytest tests")

    study(store, honest.file(tmp_path))
    quiet = (kinds(store, "s1"), notes_of(store))
    study(store, mended.file(tmp_path))

    assert quiet == ([], [])
    (note,) = notes_of(store)
    assert note.text.startswith("Use `python -m pytest tests`; `pytest tests` fails: ")
