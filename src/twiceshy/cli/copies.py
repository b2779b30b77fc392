"""``backup --copy`` and ``recover --copy``: the copies of the store on this disk."""

from collections.abc import Iterator

from twiceshy.cli.options import open_app
from twiceshy.cli.output import format_minute, print_result
from twiceshy.cli.progress import announced, show_list_progress
from twiceshy.core.moment import format_stamp
from twiceshy.store.copies import StoreCopy
from twiceshy.sync.copies import RestoreReport, explain_no_copy, restore_copies, write_copy
from twiceshy.sync.intake import BundleReport
from twiceshy.wording import worded


def write_copy_now(*, as_json: bool) -> None:
    """Write a copy, and print where it lies."""
    with open_app() as app, announced(worded("copying the store …")):
        copy = write_copy(app)
        if not copy:
            explain_no_copy(app)
    lines = [copy.path] if copy else []
    talk = [] if copy else [worded("there is nothing to copy")]
    print_result(copy and _copy_json(copy), lines, talk=talk, as_json=as_json)


def restore_all_copies(*, plan: bool, as_json: bool) -> None:
    """Merge all good copies into the store, and print what came back."""
    with open_app(tells_loss=False) as app:
        done = restore_copies(app, plan=plan, watch=show_list_progress)
    found, newest = done.sum_up(), done.copies[0][0]
    plain = found.fields() | {"planned": plan, "copy": _copy_json(newest)}
    plain["copies"] = [
        _copy_json(copy) | {"new": len(brought.new), "changed": len(brought.changed)}
        for copy, brought in done.copies
    ]
    plain["damaged"] = [_copy_json(copy) for copy in done.damaged]
    talk = _list_remarks(done, found, plan=plan)
    print_result(plain, _format_counts(found), talk=talk, as_json=as_json)


def _copy_json(copy: StoreCopy) -> dict[str, object]:
    return copy.fields() | {"at": format_stamp(copy.at)}


def _format_counts(found: BundleReport) -> Iterator[str]:
    counts = {"new": len(found.new), "changed": len(found.changed), "known": found.known}
    rest = {
        "merged": len(found.merged),
        "refused": len(found.refused),
        "signals": found.signals,
        "episodes": found.episodes,
    }
    counts |= {what: count for what, count in rest.items() if count}
    yield from (f"{what + ':':<10} {count}" for what, count in counts.items())


def _list_remarks(done: RestoreReport, found: BundleReport, *, plan: bool) -> Iterator[str]:
    for copy in done.damaged:
        yield worded("passed over a damaged copy: {path}", path=copy.path)
    for copy, brought in done.copies:
        new, changed = len(brought.new), len(brought.changed)
        yield worded(
            "from the copy of {when}: {new} new, {changed} changed",
            when=format_minute(copy.at),
            new=new,
            changed=changed,
        )
    if plan:
        yield worded("nothing was changed")
    elif found.new or found.changed:
        yield worded("to take back what arrived: twiceshy undo")
