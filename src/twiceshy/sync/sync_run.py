"""Sync a store through a repository: fetch, take in, commit, push; every step is repeatable.

The store is the truth and the clone a copy: after an interruption the next run takes in the
fetched commit again, which changes nothing, and commits unpushed changes again.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING

from twiceshy import __version__
from twiceshy.core.errors import BusyError, TwiceshyError
from twiceshy.core.moment import DAY
from twiceshy.core.value import Value
from twiceshy.sync.known_devices import KnownDevices, WaitingDevice
from twiceshy.sync.receive import ArrivedFiles, ReceivedChanges, receive_changes
from twiceshy.sync.remote_devices import RemoteDevices
from twiceshy.sync.repository import CommitContents, GitRepository
from twiceshy.sync.rules import (
    LEASE_S,
    SYNC,
    SyncError,
)
from twiceshy.sync.send import build_changes, build_purged_files
from twiceshy.sync.statement import find_owner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from twiceshy.app import App
    from twiceshy.core.store import Store
    from twiceshy.sync.bundle import Watch

_ATTEMPTS = 8  # others may push while we work
# In the history of runs: which commit this very store has taken in, and what the store held that is there.
_TAKEN, _SENT = "taken", "held"
# Under which decisions about devices it took that in, and which devices it left out or asks about.
_DECIDED, _LEFT = "decided", "left"


class SyncRequest(Value):
    """Options of a sync: take in, push, or plan."""

    take: bool = True
    give: bool = True
    plan: bool = False
    purge: bool = False
    accept: bool = False  # a history that somebody else wrote anew
    device: str = ""  # what people call this machine
    near: bool = False  # take in what was fetched before; the remote is not asked
    decide: Callable[[KnownDevices, str], object] | None = None  # what a person decides first
    accept_from: str = ""  # a device whose files are taken in once, as they are
    watch: Watch | None = None
    tell: Callable[[str], object] = lambda _: None


class SyncResult(Value):
    """Result of a sync; ``sent`` counts records."""

    sent: int
    pushed: bool
    brought: ReceivedChanges
    fingerprint: str = ""  # of the key of this device; empty without ssh-keygen
    unsigned: str = ""  # why this device does not sign
    strangers: tuple[WaitingDevice, ...] = ()  # devices whose files are not believed


def sync_with_remote(app: App, way: SyncRequest, *, remote: str = "") -> SyncResult:
    """Sync the store with a remote; by default, the remote of the settings."""
    repository = GitRepository(
        os.path.join(app.config.home, "sync", "repository"),
        remote or app.config.text("sync.remote"),
        branch=app.config.text("sync.branch"),
    )
    return sync_store(app, repository, way.but(device=os.uname().nodename))


def sync_store(app: App, repository: GitRepository, way: SyncRequest) -> SyncResult:
    """Sync the store, unless another process does."""
    with hold_lease(app.store) as keep_on:
        syncing = _SyncRun(app, repository, way, keep_on)
        if way.plan:
            return syncing.run_sync()
        run = app.store.begin_run(SYNC)
        try:
            done = syncing.run_sync()
        except BaseException as error:
            with contextlib.suppress(TwiceshyError):
                kept = json.dumps(syncing.describe_state())
                wrong, ended = type(error).__name__, app.store.now()
                app.store.save_records(run.but(done=kept, error=wrong, ended_at=ended))
            raise
        counts = {"sent": done.sent, "new": len(done.brought.new)}
        told = {**counts, **syncing.describe_state(), _SENT: syncing.sent}
        app.store.save_records(run.but(done=json.dumps(told), ended_at=app.store.now()))
        return done


@contextlib.contextmanager
def hold_lease(store: Store) -> Iterator[Callable[[], None]]:
    """Hold the lease on the clone; the yielded function renews it. BusyError while others hold it."""
    holder = f"{os.getpid()}-{os.urandom(4).hex()}"

    def keep_on() -> None:
        if not store.take_lease(SYNC, holder, seconds=LEASE_S):
            raise BusyError("another process is syncing", hint="wait for it, and try again")

    keep_on()
    try:
        yield keep_on
    finally:
        with contextlib.suppress(TwiceshyError):
            store.take_lease(SYNC, holder, seconds=0)


def _read_last_state(store: Store) -> Mapping[str, Any]:
    """Return what this store remembers of the last commit that it took in; empty if unknown."""
    for run in store.list_runs(SYNC):
        with contextlib.suppress(ValueError, AttributeError):
            done = json.loads(run.done)
            if done.get(_TAKEN):
                return dict(done)
    return {}


def _digest_state(app: App, way: SyncRequest) -> str:
    """Return a digest of what a commit is built from: the records, this version, and the day.

    Notes expire, and whatever else might be missed here is sent a day later.
    """
    day = app.store.now() // DAY
    return f"{app.store.summarise_store(digested=True).digest} {__version__} {day} {app.redact(way.device)}"


class _SyncRun:
    """One sync run of a store and a repository.

    ``taken`` is the last commit taken in by the store. The clone marks the commit, too, but may
    outlive the store: a lost or older store must take in everything again. ``sent`` is a commit, and
    what the store held when all of it was in that commit.
    """

    def __init__(
        self, app: App, repository: GitRepository, way: SyncRequest, keep_on: Callable[[], None]
    ) -> None:
        self._app = app
        self._repository = repository
        self._way = way
        self._keep_on = keep_on
        self._brought = ReceivedChanges()
        self._purges = 0
        self._devices = RemoteDevices(app, repository, plan=way.plan)
        self._known = self._devices.known
        if way.decide:
            way.decide(self._known, self._devices.fingerprint)
        last = _read_last_state(app.store)
        self.taken, self.sent = str(last.get(_TAKEN, "")), str(last.get(_SENT, ""))
        self._decided = last.get(_DECIDED, 0)
        self._left = frozenset(map(str, last.get(_LEFT) or ()))

    def describe_state(self) -> dict[str, object]:
        """Return what the next run must know of this one."""
        return {_TAKEN: self.taken, _DECIDED: self._decided, _LEFT: sorted(self._left)}

    def run_sync(self) -> SyncResult:
        try:
            done = self._exchange()
        finally:
            if not self._way.plan:
                self._known.save()
        return done.but(
            fingerprint=self._devices.fingerprint,
            unsigned=self._devices.unsigned,
            strangers=tuple(self._known.waiting),
            brought=done.brought.but(
                asking=tuple(self._known.asking),
                refused={**done.brought.refused, **self._devices.explain_alteration()},
            ),
        )

    def _exchange(self) -> SyncResult:
        for _ in range(_ATTEMPTS):
            self._run_step("fetch")
            head = self._fetch_commit()
            if self._way.take:
                self._take_in(head)
            if not self._way.give:
                return SyncResult(sent=0, pushed=False, brought=self._brought)
            if done := self._push_changes(head):
                return done
        raise SyncError(
            "others keep pushing at the same time",
            hint="try again in a minute; if it stays so, the remote holds a .lock file that was left behind",
        )

    def _run_step(self, name: str) -> None:
        self._keep_on()
        self._way.tell(name)

    # what others pushed

    def _fetch_commit(self) -> str:
        """Return the newest commit, if compatible."""
        if self._way.near:
            head = self._repository.read_mark("seen")
            self._purges = self._devices.identify_repository(head)
            return head
        head = self._repository.fetch()
        self._purges = self._devices.identify_repository(head, accept=self._way.accept)
        seen = self._repository.read_mark("seen")
        anew = bool(seen) and not (head and self._repository.is_descendant(head, seen))
        known = seen if anew and self._repository.has_commit(seen) else ""
        is_purged = anew and self._purges > self._devices.count_purges(known)
        if anew and head and not (self._way.accept or is_purged):
            raise SyncError(
                "the history of the remote was rewritten by somebody else",
                hint="nothing of yours is lost; to go on with what is there now: --accept",
            )
        if anew and not self._way.plan:
            self._repository.recreate_clone()  # what was forgotten is in the old commits
            head = self._repository.fetch()
        if head and not self._way.plan:
            self._repository.write_mark("seen", head)
        if self._repository.read_mark("taken") != self.taken:
            self.taken = ""
        return head

    def _has_nothing_new(self, head: str, state: str) -> bool:
        """True if neither the remote nor this store has changed since all of it was there."""
        same = bool(head) and self.taken == head and self.sent == f"{head} {state}"
        return same and self._devices.has_signed() and not (self._way.purge or self._way.plan)

    def _take_in(self, head: str) -> None:
        if head and self._way.accept_from:
            self._devices.accept_files(head, self._way.accept_from)
        if not head or (self.taken == head and self._decided == self._known.decisions):
            return
        if not (self._way.give or self._way.plan or self._way.near):
            self._run_step("protect")
            self._repository.write_mark("before", self._build_commit(head)[0] or head)
        self._run_step("take in")
        believed, now = self._devices.examine_commit(head), CommitContents(self._repository, head)
        more = receive_changes(
            self._app,
            ArrivedFiles(CommitContents(self._repository, self.taken), now, believed, self._left),
            known_devices=self._known,
            plan=self._way.plan,
            watch=self._way.watch,
        )
        self._brought = self._brought.combine_with(more)
        self._known.asking = list(more.asking)
        self._run_step("taken in")
        if not self._way.plan:
            left = {find_owner(path) for path in now.list_merged_files()} - {
                *believed.paths.values()
            }
            waiting = {one.device for one in believed.waiting}
            waiting |= {one.device for one in more.asking}
            self._left, self._decided = frozenset(left | waiting), self._known.decisions
            self._mark_taken(head)

    def _mark_taken(self, commit: str) -> None:
        self._repository.write_mark("taken", commit)
        self.taken = commit

    # what we push

    def _push_changes(self, head: str) -> SyncResult | None:
        """Commit and push; None after a push race."""
        self._run_step("commit")
        state = _digest_state(self._app, self._way)
        if self._has_nothing_new(head, state):
            return SyncResult(sent=0, pushed=False, brought=self._brought)
        self.sent, takes_all = "", self.taken == head
        commit, sent = self._build_commit(head)
        if self._way.plan or commit == head:
            self.sent = f"{head} {state}" if takes_all else ""
            return SyncResult(sent=sent, pushed=False, brought=self._brought)
        self._run_step("push")
        if not self._repository.push(commit, over=head):
            return None
        self._run_step("pushed")
        if self._way.purge:
            self._repository.recreate_clone()
            commit = self._repository.fetch()
        if self._way.purge or takes_all:
            self._mark_taken(commit)
            self.sent = f"{commit} {state}" if takes_all else ""
        self._repository.write_mark("seen", commit)
        self._devices.remember_push(commit)
        return SyncResult(sent=sent, pushed=True, brought=self._brought)

    def _build_commit(self, head: str) -> tuple[str, int]:
        """Return a commit of our changes and its record count; ``head`` without changes."""
        contents = CommitContents(self._repository, head)
        whole = self.taken == head
        believed = self._devices.examine_commit(head)
        if self._way.purge and self._known.asking:
            raise SyncError(
                "changes of other devices wait for your answer, and a purge would drop them",
                hint="answer first: twiceshy review --accept-all changes",
            )
        outgoing = build_changes(
            self._app,
            contents,
            self._devices.prepare_signing(believed, self._way.device, purges=self._way.purge),
            purges=self._purges + self._way.purge,
            views=whole,
        )
        files, parent = outgoing.files, head
        if self._way.purge:
            files, parent = build_purged_files(contents, outgoing, believed), ""
        if self._way.plan or not files:
            return head, outgoing.sent
        at = self._app.store.now()
        return self._repository.commit(parent, files, at=at), outgoing.sent
