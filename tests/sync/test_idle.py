"""A sync without news on either side reads nothing anew, and whatever is new is noticed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.effect.outcomes import an_outcome
from tests.person import run_by_person
from tests.requirements import requirement
from tests.store.support import Clock, app_of, learn, now_of, opened
from tests.sync.support import all_notes, bare, cloned, in_remote, meet, signed_by

from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.scope import GLOBAL
from twiceshy.notes.edit import edit_fields, pin_note, retire_note
from twiceshy.sync.device_files import FileExaminer
from twiceshy.sync.device_signing import DeviceSigning
from twiceshy.sync.known_devices import KnownDevices
from twiceshy.sync.repository import CommitContents, GitRepository
from twiceshy.sync.rules import FORMAT, JOURNAL, parse_repository
from twiceshy.sync.send import build_changes
from twiceshy.sync.ssh_key import make_device_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import pytest
    from tests.sync.conftest import Opened

    from twiceshy.core.note import Note
    from twiceshy.store.command_store import WholeStore


class WatchedRepository(GitRepository):
    """A clone that counts the bytes of the files that are opened."""

    opened = 0

    def read_blobs(self, blobs: Sequence[str]) -> Mapping[str, bytes]:
        found = super().read_blobs(blobs)
        self.opened += sum(map(len, found.values()))
        return found


def watched(tmp_path: Path, remote: str) -> WatchedRepository:
    return WatchedRepository(str(tmp_path / "here" / "sync" / "repository"), remote)


@requirement("B06")
def test_an_idle_sync_opens_no_journal(a_device: Opened, tmp_path: Path, remote: str) -> None:
    store, _ = a_device("here")
    for number in range(30):
        learn(store, f"Step {number} comes before the next one, whatever it is called.")
    repository = watched(tmp_path, remote)
    meet(store, repository)
    before = repository.opened

    result = meet(store, repository)

    journal = in_remote(remote, "cat-file", "-s", f"main:{JOURNAL}{store.device}-0001.jsonl")
    assert (result.sent, result.pushed) == (0, False)
    assert int(journal) > 1_000
    assert repository.opened - before < 100  # what says which format it is


@requirement("B06")
def test_an_edited_file_is_noticed(a_device: Opened, tmp_path: Path, remote: str) -> None:
    here, there = a_device("here"), a_device("there")
    learn(there[0], "Fetch first.", scope=GLOBAL)
    meet(*there)
    repository = watched(tmp_path, remote)
    meet(here[0], repository)
    meet(here[0], repository)
    path = f"{JOURNAL}{there[0].device}-0001.jsonl"
    body = in_remote(remote, "show", f"main:{path}")
    line = next(line for line in body.splitlines() if b"Fetch first" in line)
    entry = json.loads(line)
    own = entry["entry"]["object"]
    another = own[:-1] + ("0" if own[-1] != "0" else "1")
    entry["entry"] |= {"clock": entry["entry"]["clock"] + 1, "object": another}
    added = json.dumps(entry).replace("Fetch first.", "Pull before that.").encode()
    head = there[1].fetch()
    files = signed_by(tmp_path / "there", there[0].device, there[1], {path: added + b"\n" + body})
    commit = there[1].commit(head, files, at=NOW)
    assert there[1].push(commit, over=head)

    result = meet(here[0], repository)

    assert len(result.brought.new) == 1
    assert {note.text for note in all_notes(here[0])} == {"Fetch first.", "Pull before that."}


@requirement("B06")
def test_a_second_sync_by_command_sends_nothing_and_a_third_what_was_written(
    tmp_path: Path,
) -> None:
    remote, env = bare(tmp_path / "remote.git"), {"TZ": "UTC"}

    def run(*words: str) -> str:
        done = run_by_person(*words, cwd=tmp_path, env=env)
        assert done.code == 0, done.err
        return done.out

    run("note", "Fetch before you tag.", "--kind", "decision")
    first = json.loads(run("sync", "--remote", remote, "--json"))
    again = json.loads(run("sync", "--json"))
    run("note", "Tag before you push.", "--kind", "decision")
    third = json.loads(run("sync", "--json"))

    assert [each["pushed"] for each in (first, again, third)] == [True, False, True]
    assert b"Tag before you push." in in_remote(remote, "grep", "-h", "Tag", "main", "--", "views")


def learn_step(store: WholeStore, number: int) -> None:
    learn(store, f"Mind part {number} of the whole before you go on.")


def give_alias(store: WholeStore, number: int) -> None:
    store.record_project(f"dir:{number:032}", name=f"shop {number}", root="/home/u/shop")


def judge(store: WholeStore, note: Note, number: int) -> None:
    """Judge an exposure, and some of them better the second time."""
    for flags in (("followed",), ("followed", "helped")[: number % 2 + 1]):
        store.save_records(an_outcome(number % 3 + 1, *flags, note=note.id))


def capture_checkpoint(store: WholeStore, number: int) -> None:
    store.capture(Signal(f"s{number}", "checkpoint", "s1", "demo", NOW + number))


def edit(store: WholeStore, note: Note, number: int) -> None:
    edit_fields(app_of(store), note, {"text": f"Mind part {number}, and nothing else."})


def show(store: WholeStore, note: Note, number: int) -> None:
    store.capture(Exposure(f"e{number}", note.id, "s1", "start", NOW, 30))


def bear_out(store: WholeStore, note: Note, number: int) -> None:
    store.record_evidence(note.id, f"call:{number}", "s2", at=NOW + number)


# What another device must hear of.
CHANGES: dict[str, Callable[[WholeStore, int], object]] = {
    "learn": learn_step,
    "checkpoint": capture_checkpoint,
    "alias": give_alias,
}
CHANGES_OF_NOTES: dict[str, Callable[[WholeStore, Note, int], object]] = {
    "edit": edit,
    "retire": lambda store, note, _: retire_note(app_of(store), note),
    "pin": lambda store, note, _: pin_note(app_of(store), note),
    "count": lambda store, note, _: store.increment_counter("recalls", [note.id]),
    "exposure": show,
    "outcome": judge,
    "evidence": bear_out,
    "forget": lambda store, note, _: store.forget(now_of(store, note)),
}


def change_something(store: WholeStore, what: str, number: int) -> None:
    notes = [note for note in all_notes(store) if note.status == "active"]
    if what in CHANGES:
        CHANGES[what](store, number)
    elif notes:
        CHANGES_OF_NOTES[what](store, notes[number % len(notes)], number)


KINDS = (*CHANGES, *CHANGES_OF_NOTES, "sync")


@requirement("B06")
@settings(max_examples=15)
@given(changes=st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 9)), max_size=8))
def test_whatever_an_idle_sync_leaves_out_is_nothing(
    changes: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("devices")
    repository = cloned(folder / "here", bare(folder / "remote.git"))
    with opened(folder / "here", clock=Clock(NOW)) as store:
        learn(store, "Fetch first, whatever they say.")
        meet(store, repository)
        for what, number in changes:
            if what == "sync":
                meet(store, repository)
            else:
                change_something(store, what, number)
        meet(store, repository)

        head = repository.fetch()
        contents = CommitContents(repository, head)
        known = KnownDevices(str(folder / "here"))
        own = make_device_key(known.home)
        repository_id = parse_repository(contents.read_files([FORMAT])[FORMAT])
        believed = FileExaminer(
            known,
            contents,
            repository=repository_id,
            own_key=own.fingerprint,
            own_devices=[store.device],
        ).examine_files()
        signing = DeviceSigning(known, believed, own, repository_id, "")
        left = build_changes(app_of(store), contents, signing, purges=0, views=True)

    assert (left.files, left.sent) == ({}, 0)
