"""Write second copies of the store, and restore all that are good: a union with what is there."""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

from twiceshy.core.errors import BundleError, BusyError, StoreError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.project_link import LINK
from twiceshy.core.skill_usage import COUNTED
from twiceshy.core.store import HealthFinding
from twiceshy.core.value import Value
from twiceshy.files.replace import remove_file, replace_file
from twiceshy.store.copies import (
    SIGNATURE,
    StoreCopy,
    list_copies,
    locate_copies,
    name_copy,
    parse_signatures,
    read_copy,
)
from twiceshy.store.store_file import delete_notice, make_folder
from twiceshy.sync.bundle import read_bundle, write_history
from twiceshy.sync.intake import merge_bundle
from twiceshy.sync.record_guard import EPISODE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.sync.bundle import Watch
    from twiceshy.sync.intake import BundleReport

_LEASE = "copy"
_LEASE_S = 600
_GZIP = 31  # what zlib calls the format of a file that gunzip reads
_MUCH_SMALLER = 2  # times; nothing shrinks a journal by that, but damage does
_BACK = "run: twiceshy recover --copy"
_WHICH = "see which: twiceshy recover --copy --plan --json"
_HOW = "write one now: twiceshy backup --copy"


class RestoreReport(Value):
    """What came back from each copy, newest first, and the damaged copies that were passed over."""

    copies: tuple[tuple[StoreCopy, BundleReport], ...]
    damaged: tuple[StoreCopy, ...]

    def sum_up(self) -> BundleReport:
        """Return what all copies brought together: a note is new or changed once."""
        reports = [report for _, report in self.copies]
        new = tuple(dict.fromkeys(each for one in reports for each in one.new))
        moved = dict.fromkeys(each for one in reports for each in one.changed)
        known, brought = 0, 0
        for one in reports:
            known, brought = max(known, one.known - brought), brought + len(one.new)
        return reports[0].but(
            new=new,
            changed=tuple(each for each in moved if each not in new),
            known=known,
            merged=tuple({gone: by for one in reports for gone, by in one.merged}.items()),
            forgotten=tuple(dict.fromkeys(each for one in reports for each in one.forgotten)),
            refused={what: why for one in reports for what, why in one.refused.items()},
            secrets=tuple(dict.fromkeys(each for one in reports for each in one.secrets)),
            skipped={
                kind: count
                for one in reports
                for kind, count in one.skipped.items()
                if kind != SIGNATURE
            },
            signals=sum(one.signals for one in reports),
            episodes=sum(one.episodes for one in reports),
        )


def has_copies(app: App) -> bool:
    """True if the store has a copy."""
    return bool(list_copies(app.config.store))


def write_copy(app: App) -> StoreCopy | None:
    """Write a copy and delete the oldest ones; None if that is not possible now (``explain_no_copy``).

    Every text is redacted once more. A store that cannot be read as a whole deletes no copy.
    """
    # the beginning tells which process it is, so a lease of one that was killed is free
    holder = f"{os.getpid()}-{app.store.new_id()}"
    if app.store.read_only or not app.store.summarise_store().entries:
        return None
    if not app.store.take_lease(_LEASE, holder, seconds=_LEASE_S):
        return None
    try:
        done = _write_file(app)
    except OSError as error:
        raise BundleError(
            f"cannot write a copy: {error.strerror}", hint="make room, or see: twiceshy doctor"
        ) from error
    finally:
        app.store.take_lease(_LEASE, holder, seconds=0)
    for old in list_surplus(done, list_copies(app.config.store), kept=_count_kept(app)):
        remove_file(old.path)
    return done


def explain_no_copy(app: App) -> None:
    """Raise the reason why no copy was written; return if there is nothing to copy."""
    if app.store.read_only:
        raise StoreError(app.store.read_only, hint=app.store.read_only_hint)
    if app.store.summarise_store().entries:
        raise BusyError(
            "another process writes a copy of the store",
            hint="it is done in a moment; try again then",
        )


def _write_file(app: App) -> StoreCopy:
    """Write the file of a copy; anew if ``forget`` deleted it meanwhile, because it held the note."""
    folder, at = locate_copies(app.config.store), app.store.now()
    path = os.path.join(folder, name_copy(app.config.store, at))
    for last in (False, False, True):
        make_folder(folder)
        signed = ({SIGNATURE: one.fields()} for one in app.store.list_signatures().values())
        try:
            replace_file(path, _compress(write_history(app, more=signed)), durable=True)
            return StoreCopy(path, at, os.stat(path).st_size)
        except FileNotFoundError:
            if last:
                raise
    raise AssertionError("the last try returns or raises")


def list_surplus(new: StoreCopy, copies: Iterable[StoreCopy], *, kept: int) -> list[StoreCopy]:
    """Return the copies that a new one makes needless; a much larger one of them stays.

    The journal only grows, so a store with far less in it than before has lost something.
    """
    rest = [copy for copy in copies if copy.path != new.path]
    rest.sort(
        key=lambda copy: (copy.at <= new.at, copy.at), reverse=True
    )  # a wrong clock comes last
    largest = max(rest, key=lambda copy: copy.size, default=None)
    if largest and largest.size > _MUCH_SMALLER * new.size:
        rest.remove(largest)
        rest.insert(0, largest)
    return rest[max(0, kept - 1) :]


def restore_copies(app: App, *, plan: bool = False, watch: Watch | None = None) -> RestoreReport:
    """Merge all good copies into the store, newest first, as one change; ``undo`` reverts that.

    Notes that were forgotten since stay forgotten, and what was written since stays.
    """
    damaged: list[StoreCopy] = []
    found: list[tuple[StoreCopy, BundleReport]] = []
    with app.store.change(rehearsal=plan):
        for copy in list_copies(app.config.store):
            try:
                lines = read_copy(copy.path)
            except BundleError:
                damaged.append(copy)
                continue
            found.append((copy, _merge_copy(app, lines, watch)))
    if not found:
        why = f"{len(damaged)} are damaged" if damaged else "there is none"
        raise BundleError(f"no copy of the store can be read: {why}", hint=_HOW)
    if not plan:
        delete_notice(app.config.store)
    return RestoreReport(tuple(found), tuple(damaged))


def _merge_copy(app: App, lines: Sequence[bytes], watch: Watch | None) -> BundleReport:
    merged = merge_bundle(app, read_bundle(lines, own=True), trust=True, watch=watch)
    new = frozenset(merged.new)
    app.store.save_records(*(one for one in parse_signatures(lines) if one.note in new))
    return merged


def examine_copies(app: App) -> HealthFinding:
    """Report the age of the copies, and whether they can be read."""
    days, now = app.config.integer("copies.every_days"), app.store.now()
    copies = list_copies(app.config.store)
    if not copies:
        return _explain_missing(app, days)
    if fault := _find_fault(app, copies):
        return fault
    age = max(0, now - copies[0].at) // DAY
    size = sum(copy.size for copy in copies) / 1024
    said = f"{len(copies)}, the newest {age} days old, {size:,.0f} kB; each can be read"
    if days and age > 2 * days:
        return HealthFinding("copies", "warning", said, _HOW)
    return HealthFinding("copies", "ok", said)


def _find_fault(app: App, copies: Iterable[StoreCopy]) -> HealthFinding | None:
    """Return a warning for a copy that cannot be restored as a whole, or has far more than the store."""
    there = app.store.count_notes(NoteFilter(statuses=()))
    fault = None
    for copy in copies:
        try:
            bundle = read_bundle(read_copy(copy.path), own=True)
        except BundleError:
            said = f"a copy cannot be read: {copy.path}"
            return HealthFinding("copies", "warning", said, f"delete it, and {_HOW}")
        count = sum(not each.startswith((EPISODE, LINK, COUNTED)) for each in bundle.objects)
        if count > _MUCH_SMALLER * there:
            fault = HealthFinding("copies", "warning", _describe_loss(copy, count, there), _BACK)
        elif bundle.refused and not fault:
            said = f"a restore would leave out {len(bundle.refused)} records of {copy.path}"
            fault = HealthFinding("copies", "warning", said, _WHICH)
    return fault


def _describe_loss(copy: StoreCopy, count: int, there: int) -> str:
    if not there:
        return "the store is empty, but a copy of it is not"
    return f"the store has {there} notes, but the copy {copy.path} has {count}"


def _explain_missing(app: App, days: int) -> HealthFinding:
    """Return the finding without a copy: a warning if one should have been written long ago."""
    if not days:
        return HealthFinding("copies", "ok", "they are switched off")
    oldest = app.store.summarise_store().oldest
    if oldest and app.store.now() - oldest > 2 * days * DAY:
        return HealthFinding("copies", "warning", "there is no second copy of the store", _HOW)
    return HealthFinding("copies", "ok", "none yet; the process after a session writes the first")


def _count_kept(app: App) -> int:
    return app.config.integer("copies.kept")


def _compress(lines: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(6, zlib.DEFLATED, _GZIP)
    for line in lines:
        yield packer.compress(line)
    yield packer.flush()
