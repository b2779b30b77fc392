"""What ``backup``, ``recover`` and ``sync`` print about an exchange with the remote."""

from collections.abc import Callable, Iterator, Sequence

from twiceshy.cli.output import flatten_text
from twiceshy.cli.sharing_devices import list_waiting_devices
from twiceshy.core.note import short_handle
from twiceshy.sync.known_devices import AskedChange
from twiceshy.sync.receive import ReceivedChanges
from twiceshy.sync.sync_run import SyncResult
from twiceshy.wording import worded

_FEW = 5
_LONGEST = 400


def format_counts(done: SyncResult) -> Iterator[str]:
    """Yield the counts that are not zero, or that nothing differs."""
    brought = done.brought
    counts = {
        "sent": done.sent,
        "new": len(brought.new),
        "changed": len(brought.changed),
        "merged": len(brought.merged),
        "forgotten": len(brought.forgotten),
        "waiting": len(brought.waiting),
        "held": len(brought.held),
        "refused": len(brought.refused),
        "episodes": brought.episodes,
    }
    counts |= {"asking": len(brought.asking), "strangers": len(done.strangers)}
    yield from (f"{what + ':':<10} {count}" for what, count in counts.items() if count)
    if not any(counts.values()):
        yield worded("everything is the same on both sides")


def list_remarks(
    done: SyncResult, *, plan: bool, describe: Callable[[AskedChange], str]
) -> Iterator[str]:
    """Yield remarks on results that may need action."""
    brought = done.brought
    if done.unsigned:
        yield worded("what this device says is not signed: {why}", why=done.unsigned)
    yield from list_waiting_devices(done)
    yield from _list_asked_changes(brought.asking, describe)
    for note in brought.conflicts[:_FEW]:
        yield worded(
            "{note} was edited on two devices: the later wording stands, the other waits in: twiceshy review",
            note=short_handle(note),
        )
    for name, why in list(brought.refused.items())[:_FEW]:
        what, reason = flatten_text(name, limit=60), flatten_text(why, limit=120)
        yield worded("left out {name}: {why}", name=what, why=reason)
    if brought.twins:
        yield worded(
            "{count} changes had the id of another change, as copies of one memory home write them: all of them are kept",
            count=len(brought.twins),
        )
    yield from _list_waiting_notes(brought)
    if plan:
        yield worded("nothing was changed")
    elif brought.new or brought.changed:
        yield worded("to take back what arrived: twiceshy undo")


def _list_waiting_notes(brought: ReceivedChanges) -> Iterator[str]:
    """Yield what became of rules and of dangerous notes: they wait for an answer."""
    if brought.waiting:
        yield worded("rules from other devices wait for you: twiceshy review --accept-all rules")
    if brought.held:
        yield worded(
            "{count} notes are kept from agents until you decide: twiceshy review",
            count=len(brought.held),
        )


def _list_asked_changes(
    asking: Sequence[AskedChange], describe: Callable[[AskedChange], str]
) -> Iterator[str]:
    """Yield the changes of other devices that wait for an answer, and how to answer."""
    for one in asking[:_FEW]:
        yield worded("waits for you: {change}", change=flatten_text(describe(one), limit=_LONGEST))
    if asking:
        yield worded(
            "{count} changes of other devices wait for your answer: twiceshy review --accept-all changes, or --reject-all changes",
            count=len(asking),
        )
