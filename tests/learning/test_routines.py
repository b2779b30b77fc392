"""What most sessions do before a commit is one note, which waits for somebody to accept it."""

from pathlib import Path

from tests.learning.sessions import PROJECT, Told, notes_of, origin, study
from tests.requirements import requirement
from tests.store.support import app_of

from twiceshy.learning.learn import keep_routines
from twiceshy.notes.review import reject_note
from twiceshy.store.command_store import WholeStore


def committed(session: str, *steps: str) -> Told:
    told = Told(session)
    for step in (*steps, "git commit -m done"):
        told.ran(step)
    return told


def test_what_most_sessions_do_before_a_commit_is_noted_once_and_waits(
    store: WholeStore, tmp_path: Path
) -> None:
    for number in range(6):
        study(store, committed(f"s{number}", "make format", "make lint").file(tmp_path))

    new = keep_routines(app_of(store), origin("s5"))
    again = keep_routines(app_of(store), origin("s5"))

    (note,) = notes_of(store)
    assert (new, again, note.subtype, note.status) == (1, 0, "workflow", "candidate")
    assert "make format" in note.text
    assert "make lint" in note.text


def test_what_few_sessions_do_is_no_routine(store: WholeStore, tmp_path: Path) -> None:
    for number in range(4):
        study(store, committed(f"s{number}", "make format", "make lint").file(tmp_path))

    assert keep_routines(app_of(store), origin("s3")) == 0


def test_a_routine_that_was_rejected_is_not_noted_again(store: WholeStore, tmp_path: Path) -> None:
    for number in range(6):
        study(store, committed(f"s{number}", "make format", "make lint").file(tmp_path))
    keep_routines(app_of(store), origin("s5"))
    (note,) = notes_of(store)
    reject_note(app_of(store), note, because="we know")

    assert keep_routines(app_of(store), origin("s5")) == 0
    assert [note.status for note in notes_of(store)] == ["retired"]


@requirement("U093", "U090")
def test_loops_and_edits_back_and_forth_are_signals_and_steady_work_is_none(
    store: WholeStore, tmp_path: Path
) -> None:
    stuck = Told("s1")
    for _ in range(3):
        stuck.failed("make deploy", "deploy.sh: 3: cannot open key")
    for old, new in (("alpha beta", "gamma delta"), ("gamma delta", "alpha beta")) * 2:
        stuck.called("Edit", file_path="/home/u/shop/a.py", old_string=old, new_string=new)
    steady = Told("s2")
    for number in range(6):
        old, new = f"line number {number}", f"line number {number} done"
        steady.called("Edit", file_path="/home/u/shop/b.py", old_string=old, new_string=new)

    study(store, stuck.file(tmp_path))
    study(store, steady.file(tmp_path))

    retries = store.list_signals(PROJECT, "retry", limit=9)
    thrashes = store.list_signals(PROJECT, "thrash", limit=9)
    assert [(one.session, one.target) for one in retries] == [("s1", "make deploy")]
    assert [(one.session, one.target) for one in thrashes] == [("s1", "a.py")]
