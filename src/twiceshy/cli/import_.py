"""``twiceshy import``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.cli import importing
from twiceshy.cli.approval import approve
from twiceshy.cli.export import watched
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import BundleError
from twiceshy.core.note import handle
from twiceshy.interop.formats.registry import sniff
from twiceshy.interop.imports import sources
from twiceshy.sync.bundle import lines_of, read
from twiceshy.sync.intake import bring_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from twiceshy.sync.bundle import Bundle
    from twiceshy.sync.intake import Imported

    T = TypeVar("T")

_FEW = 10
_HEAD = 4_096


@click.command("import")
@click.argument("name", required=False, metavar="[SOURCE|FILE|-]")
@click.argument("path", required=False, metavar="[PATH]")
@click.option("--plan", is_flag=True, help="Show what would come in, and change nothing.")
@click.option("--trust", is_flag=True, help="Follow the rules of a bundle at once.")
@click.option("--project", metavar="P", help="Whose it is, where it does not say so.")
@click.option("--all", "-a", "everything", is_flag=True, help="Import all that was found.")
@json_option
def command(
    *,
    name: str | None,
    path: str | None,
    plan: bool,
    trust: bool,
    project: str | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Bring in what other programs kept, or a bundle; `undo` takes it back.

    Without a name it looks where others keep their notes, says what is there, and asks. SOURCE is
    one of them, PATH where it lies if not in its usual place. FILE is a bundle that `export` wrote.

    Importing twice changes nothing. What was forgotten here stays forgotten, and what a bundle says
    was forgotten is erased here as well. Rules wait until you approve of them.

    Example: twiceshy import fireworks --plan
    """
    known = sources()
    if name is None or name in known:
        if trust:
            raise click.UsageError("--trust is for bundles; rules of other programs always wait")
        places = importing.Asked(known[name] if name else None, path or "", project, everything)
        importing.run(places, plan=plan, as_json=as_json)
        return
    if path or project or everything:
        raise click.UsageError(f"{name!r} is none of: {', '.join(known)}")
    _bundle(name, plan=plan, trust=trust, as_json=as_json)


def _bundle(file: str, *, plan: bool, trust: bool, as_json: bool) -> None:
    try:
        bundle = _read(file)
    except BundleError as error:
        if source := _source_of(file):
            hint = f"it looks like {source}'s: twiceshy import {source} {file}"
            raise BundleError(str(error), hint=hint) from error
        raise
    with opened() as app:
        imported = bring_in(
            app.store, bundle, redact=app.redact, trust=trust, plan=plan, watch=_watch
        )
        if trust and not plan:
            arrived = map(app.store.note, (*imported.new, *imported.changed))
            approve(app, filter(None, arrived))
    if as_json:
        print_json(imported.fields() | {"planned": plan})
        return
    for what, count in _counts(imported).items():
        click.echo(f"{what + ':':<10} {count}")
    for text in _remarks(imported):
        say(text)
    say("nothing was changed" if plan else "`twiceshy undo` takes it back")


def _read(file: str) -> Bundle:
    try:
        with click.open_file(file, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            return read(watched(lines_of(stream), "checking", total=size, weigh=len))
    except OSError as error:
        raise BundleError(
            f"cannot read {file}: {error.strerror}",
            hint=f"give the path of a bundle, or one of: {', '.join(sources())}",
        ) from error


def _source_of(file: str) -> str:
    """Return whose file this is by its name and its first lines; nothing if it is nobody's we know."""
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            likely = sniff(os.path.abspath(file), stream.read(_HEAD))
    except OSError:
        return ""
    owner = likely[0].partition("_")[0] if likely else ""
    return next((name for name in sources() if owner and owner in name), "")


def _watch(items: Sequence[T], label: str) -> Iterator[T]:
    return watched(items, label, total=len(items))


def _counts(imported: Imported) -> dict[str, int]:
    """Count what there is to report; the notes always, the rest if there is any."""
    notes = {
        "new": len(imported.new),
        "changed": len(imported.changed),
        "known": imported.known,
    }
    rest = {
        "merged": len(imported.merged),
        "forgotten": len(imported.forgotten),
        "waiting": len(imported.waiting),
        "refused": len(imported.refused),
        "redacted": len(imported.secrets),
        "skipped": sum(imported.skipped.values()),
        "signals": imported.signals,
        "episodes": imported.episodes,
    }
    return notes | {what: count for what, count in rest.items() if count}


def _remarks(imported: Imported) -> Iterator[str]:
    """Say what someone may want to do something about."""
    merged = [f"{handle(gone)} says what {handle(kept)} says" for gone, kept in imported.merged]
    yield from _some(merged)
    yield from _some([f"left out {name}: {why}" for name, why in imported.refused.items()])
    yield from _some([f"redacted something in {name}" for name in imported.secrets])
    for kind, count in imported.skipped.items():
        yield f"skipped {count} records of a kind this twiceshy does not know: {kind[:40]!r}"
    if imported.waiting:
        ids = " ".join(handle(note) for note in imported.waiting)
        yield f"rules wait for approval; read them with show, then: twiceshy restore {ids}"


def _some(lines: list[str]) -> Iterator[str]:
    yield from lines[:_FEW]
    if len(lines) > _FEW:
        yield f"… and {len(lines) - _FEW} more; --json lists them"
