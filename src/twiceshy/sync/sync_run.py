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
from twiceshy.sync.receive import ReceivedChanges, receive_changes
from twiceshy.sync.repository import CommitContents, GitRepository
from twiceshy.sync.rules import FORMAT, LEASE_S, SYNC, VERSION, SyncError, parse_format
from twiceshy.sync.send import build_changes, build_purged_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.app import App
    from twiceshy.core.store import Store
    from twiceshy.sync.bundle import Watch

_ATTEMPTS = 8  # others may push while we work
# In the history of runs: which commit this very store has taken in, and what the store held that is there.
_TAKEN, _SENT = "taken", "held"


class SyncRequest(Value):
    """Options of a sync: take in, push, or plan."""

    take: bool = True
    give: bool = True
    plan: bool = False
    purge: bool = False
    accept: bool = False  # a history that somebody else wrote anew
    device: str = ""  # what people call this machine
    watch: Watch | None = None
    tell: Callable[[str], object] = lambda _: None


class SyncResult(Value):
    """Result of a sync; ``sent`` counts records."""

    sent: int
    pushed: bool
    brought: ReceivedChanges


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
                kept = json.dumps({_TAKEN: syncing.taken})
                wrong, ended = type(error).__name__, app.store.now()
                app.store.save_records(run.but(done=kept, error=wrong, ended_at=ended))
            raise
        counts = {"sent": done.sent, "new": len(done.brought.new)}
        told = {**counts, _TAKEN: syncing.taken, _SENT: syncing.sent}
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


def _read_last_state(store: Store) -> tuple[str, str]:
    """Return the last commit taken in by this store, and what of the store is in it; empty if unknown."""
    for run in store.list_runs(SYNC):
        with contextlib.suppress(ValueError, AttributeError):
            done = json.loads(run.done)
            if commit := done.get(_TAKEN):
                return str(commit), str(done.get(_SENT, ""))
    return "", ""


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
        self.taken, self.sent = _read_last_state(app.store)

    def run_sync(self) -> SyncResult:
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
        head = self._repository.fetch()
        self._purges = self._check_format(head)
        seen = self._repository.read_mark("seen")
        anew = bool(seen) and not (head and self._repository.is_descendant(head, seen))
        known = seen if anew and self._repository.has_commit(seen) else ""
        if anew and head and not (self._way.accept or self._purges > self._check_format(known)):
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
        return same and not (self._way.purge or self._way.plan)

    def _check_format(self, commit: str) -> int:
        """Return the number of purges; refuse an incompatible repository."""
        if not commit:
            return 0
        blob = self._repository.list_files(commit).get(FORMAT, "")
        found = parse_format(self._repository.read_blobs([blob])[blob]) if blob else None
        if found is None:
            raise SyncError(
                "the repository is used for something else",
                hint="give an empty one, or set sync.branch to a branch that does not exist",
            )
        version, purges = found
        if version > VERSION:
            raise SyncError(
                f"a newer twiceshy writes to the repository (format {version})",
                hint="upgrade twiceshy",
            )
        return purges

    def _take_in(self, head: str) -> None:
        if self.taken == head:
            return
        if not (self._way.give or self._way.plan):
            self._run_step("protect")
            self._repository.write_mark("before", self._build_commit(head)[0] or head)
        self._run_step("take in")
        more = receive_changes(
            self._app,
            CommitContents(self._repository, self.taken),
            CommitContents(self._repository, head),
            plan=self._way.plan,
            watch=self._way.watch,
        )
        self._brought = self._brought.combine_with(more)
        self._run_step("taken in")
        if not self._way.plan:
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
        return SyncResult(sent=sent, pushed=True, brought=self._brought)

    def _build_commit(self, head: str) -> tuple[str, int]:
        """Return a commit of our changes and its record count; ``head`` without changes."""
        contents = CommitContents(self._repository, head)
        whole = self.taken == head
        outgoing = build_changes(
            self._app,
            contents,
            purges=self._purges + self._way.purge,
            name=self._way.device,
            views=whole,
        )
        files, parent = outgoing.files, head
        if self._way.purge:
            files, parent = build_purged_files(contents, outgoing), ""
        if self._way.plan or not files:
            return head, outgoing.sent
        at = self._app.store.now()
        return self._repository.commit(parent, files, at=at), outgoing.sent
