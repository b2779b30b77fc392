"""The same with git itself: real repositories on the disk, and every way in which they refuse."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.store.support import app_of, bytes_under, modes_under, now_of, raw
from tests.sync.conftest import Opened
from tests.sync.support import Crash, all_notes, cloned, crashing, in_remote, meet, signed_by
from tests.sync.test_bundle import FETCH, KEY, LAYER, busy, noted

from twiceshy.core.errors import BusyError
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import DAY
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.notes.edit import edit_fields, restore_note, retire_note
from twiceshy.notes.undo import undo_batch
from twiceshy.sync import rules as syncing
from twiceshy.sync.git import _git_environment
from twiceshy.sync.repository import GitRepository
from twiceshy.sync.rules import SYNC, SyncError

# a git that is told of the remote's branches only after somebody has pushed the first one
LATE = """#!/bin/sh
case "$*" in *ls-remote*) {git} --git-dir={remote} update-ref refs/heads/main {first} ;; esac
exec {git} "$@"
"""


class TestTwoDevices:
    @requirement("U191", "U192")
    def test_what_one_backed_up_the_other_recovers_record_by_record(
        self, a_device: Opened
    ) -> None:
        here, there = a_device("here"), a_device("there", at=NOW + DAY)
        busy(here[0])
        noted(here[0], "Everywhere.", scope=GLOBAL)

        sent = meet(*here, take=False)
        got = meet(*there, give=False)

        assert sent.pushed
        assert sent.sent > 10
        assert len(got.brought.new) == len(all_notes(here[0])) > 2
        assert all_notes(there[0]) == all_notes(here[0])
        assert there[0].list_episodes(["git:" + "5" * 40], kinds=["handoff"])
        assert len([note for note in all_notes(there[0]) if note.text == "Everywhere."]) == 1

    def test_recovering_pushes_nothing_and_keeps_what_was_here(
        self, a_device: Opened, remote: str
    ) -> None:
        here, there = a_device("here"), a_device("there")
        noted(here[0])
        noted(there[0], LAYER)
        meet(*here)
        before = in_remote(remote, "rev-parse", "main")

        got = meet(*there, give=False)

        assert not got.pushed
        assert in_remote(remote, "rev-parse", "main") == before
        assert {note.text for note in all_notes(there[0])} == {FETCH, LAYER}
        assert there[1].read_mark("before")

    @requirement("U193")
    def test_the_later_of_two_edits_stands_and_the_other_stays_in_history(
        self, a_device: Opened
    ) -> None:
        here, there = a_device("here"), a_device("there", at=NOW + DAY)
        note = noted(here[0])
        meet(*here)
        meet(*there)
        edit_fields(app_of(here[0]), now_of(here[0], note), {"text": FETCH + " Here."})
        edit_fields(app_of(there[0]), now_of(there[0], note), {"text": FETCH + " There."})

        meet(*here)
        meet(*there)
        learned = meet(*here)

        assert {now_of(store, note).text for store, _ in (here, there)} == {FETCH + " There."}
        assert learned.brought.conflicts == (note.id,)
        told_of = [(entry.after or {}).get("text") for entry in here[0].history(note.id)]
        assert FETCH + " Here." in told_of

    def test_what_is_retired_or_forgotten_is_so_on_both_and_the_text_is_gone(
        self, a_device: Opened, tmp_path: Path, remote: str
    ) -> None:
        here, there = a_device("here"), a_device("there")
        kept, gone = noted(here[0]), noted(here[0], "The staging host is called bluebird.")
        meet(*here)
        meet(*there)
        retire_note(app_of(here[0]), now_of(here[0], kept))
        there[0].forget(now_of(there[0], gone))

        meet(*there)
        meet(*here)
        meet(*there)

        for store, _ in (here, there):
            assert now_of(store, kept).status == "retired"
            assert store.note(gone.id) is None
        files = in_remote(remote, "ls-tree", "-r", "--name-only", "main").decode().split()
        assert len(files) >= 5
        for file in files:
            assert b"bluebird" not in in_remote(remote, "show", f"main:{file}")
        for database in tmp_path.glob("*/twiceshy.db*"):
            assert b"bluebird" not in database.read_bytes()

    def test_nothing_new_makes_no_commit(self, a_device: Opened, remote: str) -> None:
        here, there = a_device("here"), a_device("there")
        busy(here[0])
        for _ in range(2):
            meet(*here)
            meet(*there)
        before = in_remote(remote, "rev-parse", "main")

        again = [meet(*device) for device in (here, there)]

        assert [done.pushed for done in again] == [False, False]
        assert in_remote(remote, "rev-parse", "main") == before

    def test_only_whoever_undoes_a_sync_loses_sight_of_what_it_brought(
        self, a_device: Opened
    ) -> None:
        here, there = a_device("here"), a_device("there")
        note = noted(here[0])
        meet(*here)
        meet(*there)
        batch = there[0].history(limit=1)[0].batch

        undo_batch(app_of(there[0]), batch)
        meet(*there)
        meet(*here)
        undone = now_of(there[0], note).status
        undo_batch(app_of(there[0]), there[0].history(limit=1)[0].batch)
        meet(*there)
        meet(*here)

        assert (undone, now_of(there[0], note).status) == ("retired", "active")
        assert now_of(here[0], note).status == "active"
        assert {entry.device for entry in here[0].history(note.id)} == {here[0].device}

    @pytest.mark.usefixtures("person")
    def test_a_rule_from_another_device_waits_for_approval_on_each(self, a_device: Opened) -> None:
        here, there = a_device("here"), a_device("there")
        rule = noted(here[0], "Never push with force.", kind="rule", source="user")
        meet(*here)

        told = meet(*there)
        restore_note(app_of(there[0]), now_of(there[0], rule))
        meet(*there)
        meet(*here)

        assert told.brought.waiting == (rule.id,)
        assert now_of(here[0], rule).status == now_of(there[0], rule).status == "active"

    @requirement("U194")
    def test_a_new_device_knows_projects_by_identity_and_alias_wherever_they_lie(
        self, a_device: Opened
    ) -> None:
        here, there = a_device("here"), a_device("there")
        shop, folder = "git:" + "5" * 40, "dir:" + "a" * 32
        noted(here[0], scope=Scope(folder, ""))
        noted(here[0], LAYER, scope=Scope(shop, ""))
        here[0].record_project(shop, name="shop", root="/home/u/shop", aliases=[folder])
        meet(*here)

        meet(*there)
        there[0].record_project(shop, name="shop", root="/srv/elsewhere/shop")

        seen = there[0].list_project_ids(shop)
        found = {note.text for note in all_notes(there[0]) if note.scope.project in seen}
        assert found == {FETCH, LAYER}
        assert there[0].list_projects()[shop] == ("shop", "/srv/elsewhere/shop")

    def test_each_device_counts_for_itself_and_all_is_added_up(self, a_device: Opened) -> None:
        here, there = a_device("here"), a_device("there")
        note = noted(here[0])
        meet(*here)
        meet(*there)
        here[0].increment_counter("recalls", [note.id])
        there[0].increment_counter("recalls", [note.id, note.id])

        for device in (here, there, here, there):
            meet(*device)

        assert [now_of(store, note).recalls for store, _ in (here, there)] == [3, 3]

    def test_views_show_what_is_known_and_lose_what_is_not(
        self, a_device: Opened, remote: str
    ) -> None:
        store, clone = a_device("here")
        note = noted(store)
        noted(store, LAYER, scope=GLOBAL, kind="decision")
        meet(store, clone)

        first = in_remote(remote, "grep", "-l", "-e", "lock file", "main", "--", "views")
        skill = in_remote(remote, "grep", "-l", "-e", "Fetch the tags", "main", "--", "views")
        retire_note(app_of(store), now_of(store, note))
        meet(store, clone)

        assert first.decode().startswith("main:views/Everywhere-")
        assert skill.decode().strip().endswith("/KNOWLEDGE.md")
        left = in_remote(remote, "ls-tree", "-r", "--name-only", "main", "views/").decode()
        assert "KNOWLEDGE.md" not in left
        assert "Everywhere" in left


class TestPurge:
    def test_history_is_written_anew_without_what_was_forgotten_and_others_accept_it(
        self, a_device: Opened, tmp_path: Path, remote: str
    ) -> None:
        here, there, dead = a_device("here"), a_device("there"), a_device("dead")
        gone = noted(dead[0], "The staging host is called bluebird.")
        for device in (dead, here, there):
            meet(*device)
        noted(there[0], LAYER)
        here[0].forget(now_of(here[0], gone))

        meet(*here, purge=True)
        told = meet(*there)
        meet(*here)

        assert told.brought.forgotten == (gone.id,)
        assert {note.text for note in all_notes(here[0])} == {LAYER}
        assert in_remote(remote, "rev-list", "--count", "main").strip() == b"2"
        everything = in_remote(remote, "log", "-p", "--text", "main")
        assert LAYER.encode() in everything
        assert b"bluebird" not in everything
        for home in ("here", "there"):
            clone = str(tmp_path / home / "sync" / "repository")
            assert b"bluebird" not in in_remote(clone, "log", "-p", "--text", "--all")
            objects = in_remote(clone, "cat-file", "--batch-all-objects", "--batch")
            assert b"bluebird" not in objects

    def test_a_history_that_somebody_else_wrote_anew_is_accepted_only_on_request(
        self, a_device: Opened, remote: str
    ) -> None:
        store, clone = a_device("here")
        noted(store)
        meet(store, clone)
        noted(store, LAYER)
        meet(store, clone)
        in_remote(remote, "update-ref", "refs/heads/main", "main~1")

        with pytest.raises(SyncError, match="was rewritten") as refused:
            meet(store, clone)
        meet(store, clone, accept=True)

        assert "--accept" in refused.value.hint
        assert LAYER.encode() in in_remote(remote, "grep", "-h", "-e", "old layer", "main")

    def test_a_remote_that_lost_everything_gets_it_back(
        self, a_device: Opened, remote: str
    ) -> None:
        here, there = a_device("here"), a_device("there")
        noted(here[0])
        meet(*here)
        meet(*there)
        in_remote(remote, "update-ref", "-d", "refs/heads/main")

        meet(*there)
        new = a_device("new")
        meet(*new)

        assert all_notes(new[0]) == all_notes(here[0]) != []


class TestInterrupted:
    @requirement("A18")
    @pytest.mark.parametrize("step", range(6))
    def test_whatever_step_the_power_fails_at_the_next_time_makes_it_good(
        self, a_device: Opened, step: int
    ) -> None:
        here, there = a_device("here"), a_device("there")
        noted(there[0], LAYER)
        meet(*there)
        noted(here[0])

        with pytest.raises(Crash):
            meet(*here, tell=crashing(step))
        meet(*here)
        meet(*there)

        assert all_notes(here[0]) == all_notes(there[0])
        assert len(all_notes(here[0])) == 2

    def test_what_a_killed_git_left_behind_is_in_nobodys_way(
        self, a_device: Opened, tmp_path: Path, remote: str
    ) -> None:
        store, clone = a_device("here")
        noted(store)
        meet(store, clone)
        folder = tmp_path / "here" / "sync" / "repository"
        for name in ("packed-refs.lock", "HEAD.lock", "refs/twiceshy/theirs.lock"):
            (folder / name).write_text("")
        (folder / "objects" / "pack" / "tmp_pack_x").write_text("half")
        noted(store, LAYER)

        done = meet(store, cloned(tmp_path / "here", remote))

        assert done.pushed
        assert not [path for path in folder.rglob("*") if path.name.startswith("tmp_")]

    def test_whoever_pushed_first_is_built_upon(self, a_device: Opened) -> None:
        here, there = a_device("here"), a_device("there")
        noted(here[0])
        noted(there[0], LAYER)

        def meanwhile(step: str) -> None:
            if step == "push" and not there[0].list_runs(SYNC):
                meet(*there)

        meet(*here, tell=meanwhile)
        meet(*there)

        assert all_notes(here[0]) == all_notes(there[0])
        assert len(all_notes(here[0])) == 2

    def test_a_first_push_between_two_looks_at_the_remote_is_seen(
        self, a_device: Opened, remote: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here, there = a_device("here"), a_device("there")
        noted(here[0])
        meet(*here)
        first = in_remote(remote, "rev-parse", "main").decode().strip()
        in_remote(remote, "update-ref", "-d", "refs/heads/main")
        git = shutil.which("git")
        slow = tmp_path / "programs" / "git"
        slow.parent.mkdir()
        slow.write_text(LATE.format(git=git, remote=remote, first=first))
        slow.chmod(0o755)
        monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")

        assert there[1].fetch() == first

    def test_two_at_once_on_one_device_do_not_meet(self, a_device: Opened) -> None:
        store, clone = a_device("here")

        def meanwhile(_: str) -> None:
            meet(store, clone)

        with pytest.raises(BusyError, match="another process is syncing"):
            meet(store, clone, tell=meanwhile)
        meet(store, clone)


class TestRefusals:
    def test_a_repository_of_something_else_is_left_alone(
        self, a_device: Opened, tmp_path: Path, remote: str
    ) -> None:
        work = tmp_path / "work"
        subprocess.run(["git", "init", "--quiet", "-b", "main", str(work)], check=True)
        (work / "main.py").write_text("x = 1\n")
        who = ("-c", "user.name=u", "-c", "user.email=u@localhost")
        git = ("git", "-C", str(work), *who)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "-m", "x"], check=True)
        subprocess.run([*git, "push", "--quiet", remote, "main"], check=True)
        store, clone = a_device("here")
        noted(store)

        with pytest.raises(SyncError, match="used for something else") as refused:
            meet(store, clone)

        assert "empty" in refused.value.hint
        assert in_remote(remote, "rev-list", "--count", "main").strip() == b"1"

    def test_other_branches_do_not_make_it_ours(self, a_device: Opened, remote: str) -> None:
        store, clone = a_device("here")
        meet(store, clone)
        in_remote(remote, "branch", "-m", "main", "master")
        new = a_device("new")

        with pytest.raises(SyncError, match="has branches, but none called main"):
            meet(*new)

    def test_a_newer_format_asks_for_an_upgrade(
        self, a_device: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store, clone = a_device("here")
        meet(store, clone)
        monkeypatch.setattr(syncing, "VERSION", 2)
        noted(store)
        body = {"format": syncing.describe_repository(0)["format"]}
        clone.push(clone.commit(clone.fetch(), body, at=NOW), over=clone.fetch())
        monkeypatch.undo()

        with pytest.raises(SyncError, match="newer twiceshy") as refused:
            meet(store, clone)

        assert refused.value.hint == "upgrade twiceshy"

    def test_nothing_there_is_said_so(self, a_device: Opened, tmp_path: Path) -> None:
        store, _ = a_device("here")

        with pytest.raises(SyncError, match="there is no repository at"):
            meet(store, cloned(tmp_path / "here", str(tmp_path / "nowhere.git")))

    def test_git_that_is_missing_is_said_so(
        self, tmp_path: Path, remote: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))

        with pytest.raises(SyncError, match="git is not installed"):
            cloned(tmp_path / "here", remote).fetch()

    def test_a_remote_that_refuses_is_quoted(self, a_device: Opened, remote: str) -> None:
        hook = Path(remote) / "hooks" / "pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
        hook.chmod(0o755)
        store, clone = a_device("here")
        noted(store)

        with pytest.raises(SyncError, match="refuses what was sent"):
            meet(store, clone)

    def test_a_secret_that_the_store_kept_does_not_leave_and_its_note_is_named(
        self, a_device: Opened, tmp_path: Path, remote: str
    ) -> None:
        store, clone = a_device("here")
        note = noted(store)
        with raw(tmp_path / "here" / "twiceshy.db") as db:
            db.execute("UPDATE payloads SET body = replace(body, 'tags', ?)", [KEY])

        with pytest.raises(SyncError, match=note.handle) as refused:
            meet(store, clone)

        assert "forget" in refused.value.hint
        assert KEY not in str(refused.value)
        assert in_remote(remote, "for-each-ref") == b""
        assert not any(KEY.encode() in body for body in bytes_under(Path(remote)).values())

    @pytest.mark.parametrize("known", [False, True])
    def test_a_secret_that_only_a_row_holds_is_on_no_page(
        self, a_device: Opened, tmp_path: Path, remote: str, known: bool
    ) -> None:
        store, clone = a_device("here")
        noted(store, LAYER)
        note = noted(store)
        if known:
            meet(store, clone)
        with raw(tmp_path / "here" / "twiceshy.db") as db:
            told = f"{FETCH} The token is {KEY}."
            db.execute("UPDATE notes SET text = ? WHERE id = ?", [told, note.id])
        meet(store, clone)

        pages = in_remote(remote, "grep", "-h", "-e", ".", "main", "--", "views").decode()

        assert FETCH in pages
        assert LAYER in pages
        assert "The token is " in pages
        assert KEY not in pages


class TestHostileRemotes:
    def pushed(self, clone: GitRepository, files: dict[str, bytes | None]) -> None:
        head = clone.fetch()
        assert clone.push(clone.commit(head, files, at=NOW), over=head)

    def test_lines_that_make_no_sense_are_left_out_and_the_rest_comes_in(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        here, there, _ = a_device("here"), a_device("there"), a_device("evil")
        noted(here[0])
        meet(*here)
        nonsense = (
            b'{"entry":{"clock":"x"}}\nnonsense\n{"a":1,"b":2}\n'
            b'{"entry":{"after":{"text":7},"at":1,"batch":"b","clock":9,"device":"d",'
            b'"object":"n1","op":"edit"}}\n{"half'
        )
        files = {"journal/evil-0001.jsonl": nonsense, "journal/other.txt": b"x"}
        self.pushed(here[1], dict(signed_by(tmp_path / "evil", "evil", here[1], files)))

        told = meet(*there)

        assert {note.text for note in all_notes(there[0])} == {FETCH}
        assert set(told.brought.refused) >= {"n1"}

    def test_a_secret_that_another_device_pushed_is_redacted_on_its_way_in(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        here, there = a_device("here"), a_device("there")
        noted(here[0])
        meet(*here)
        (path,) = [
            path for path in here[1].list_files(here[1].fetch()) if path.startswith("journal/")
        ]
        blob = here[1].list_files(here[1].fetch())[path]
        body = here[1].read_blobs([blob])[blob].replace(b"tags", KEY.encode())
        home, device = tmp_path / "here", here[0].device
        self.pushed(here[1], dict(signed_by(home, device, here[1], {path: body})))

        meet(*there)

        assert "[REDACTED" in all_notes(there[0])[0].text
        for database in (tmp_path / "there").glob("twiceshy.db*"):
            assert KEY.encode() not in database.read_bytes()

    def test_the_clone_is_for_its_owner_only_and_has_no_working_tree(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        store, clone = a_device("here")
        noted(store)
        before = os.umask(0)
        try:
            meet(store, clone)
        finally:
            os.umask(before)

        modes = modes_under(tmp_path / "here" / "sync")
        assert all(mode.endswith("00") for mode in modes.values())
        assert not list((tmp_path / "here").rglob("*.jsonl"))

    @pytest.mark.parametrize(
        "address",
        ["", "-oProxyCommand=x", "ext::sh -c x", "https://u:secret@host/x.git", "a\nb"],
    )
    def test_an_address_that_runs_programs_or_holds_a_password_is_refused(
        self, tmp_path: Path, address: str
    ) -> None:
        with pytest.raises(SyncError) as refused:
            GitRepository(str(tmp_path / "clone"), address)

        assert "secret" not in str(refused.value)
        assert refused.value.hint

    def test_git_asks_nobody_and_follows_no_variable_to_another_repository(self) -> None:
        given = {"GIT_DIR": "/x", "GIT_SSH_COMMAND": "ssh -i k", "SSH_ASKPASS": "ask", "A": "b"}

        left = _git_environment(given)

        assert left == {
            "A": "b",
            "GIT_SSH_COMMAND": "ssh -i k",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "GIT_DEFAULT_HASH": "sha1",
            "GIT_DEFAULT_REF_FORMAT": "files",
            "LC_ALL": "C",
        }


def test_a_checkpoint_whose_note_was_forgotten_leaves_the_files_too(
    a_device: Opened, remote: str
) -> None:
    store, clone = a_device("here")
    said = "The staging host is called bluebird."
    store.capture(
        Signal(key="k1", kind="checkpoint", session="s", project="demo", at=NOW, excerpt=said)
    )
    note = noted(store, said)
    meet(store, clone)

    store.forget(now_of(store, note))
    meet(store, clone)

    files = in_remote(remote, "grep", "-c", "-e", "", "main", "--", "journal").decode()
    found = subprocess.run(
        ["git", "--git-dir", remote, "grep", "bluebird", "main"], capture_output=True, check=False
    )
    assert files
    assert found.stdout == b""


def test_a_journal_goes_on_in_another_file_so_that_a_push_stays_small(
    a_device: Opened, remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twiceshy.sync.journal_file.CHUNK", 5_000)
    here, there = a_device("here"), a_device("there")
    for number in range(20):
        noted(here[0], f"Lesson number {number} is about {number * 7}.")
    meet(*here)
    first = in_remote(remote, "ls-tree", "-r", "main", "journal/").decode().split("\n")
    noted(here[0], "One more.")
    meet(*here)
    second = in_remote(remote, "ls-tree", "-r", "main", "journal/").decode().split("\n")

    meet(*there)

    assert len(first) > 3
    assert first[:-2] == second[: len(first) - 2]
    assert all_notes(there[0]) == all_notes(here[0])
