"""Import a bundle, and print the result."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from twiceshy.cli.options import open_app
from twiceshy.cli.output import first_few, print_result
from twiceshy.cli.progress import show_list_progress, show_progress
from twiceshy.core.errors import BundleError
from twiceshy.core.note import short_handle
from twiceshy.interop.imports import load_sources
from twiceshy.interop.imports.find_sources import guess_source
from twiceshy.sync.bundle import Bundle, read_bundle, read_lines
from twiceshy.sync.intake import BundleReport, import_bundle


def import_bundle_file(file: str, *, plan: bool, trust: bool, as_json: bool) -> None:
    """Read and import a bundle, and print the result."""
    try:
        bundle = _read_bundle(file)
    except BundleError as error:
        if source := guess_source(file):
            hint = f"it looks like {source}'s: twiceshy import {source} {file}"
            raise BundleError(str(error), hint=hint) from error
        raise
    with open_app() as app:
        imported = import_bundle(app, bundle, trust=trust, plan=plan, watch=show_list_progress)
    lines = (f"{what + ':':<10} {count}" for what, count in _count_results(imported).items())
    end = "nothing was changed" if plan else "`twiceshy undo` takes it back"
    talk = (*_list_remarks(imported), end)
    print_result(imported.fields() | {"planned": plan}, lines, talk=talk, as_json=as_json)


def _read_bundle(file: str) -> Bundle:
    try:
        with click.open_file(file, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            return read_bundle(
                show_progress(read_lines(stream), "checking", total=size, weigh=len)
            )
    except OSError as error:
        raise BundleError(
            f"cannot read {file}: {error.strerror}",
            hint=f"give the path of a bundle, or one of: {', '.join(load_sources())}",
        ) from error


def _count_results(imported: BundleReport) -> dict[str, int]:
    """Count the results: notes always, the rest only above zero."""
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
    notes = {"new": len(imported.new), "changed": len(imported.changed), "known": imported.known}
    return notes | {what: count for what, count in rest.items() if count}


def _list_remarks(imported: BundleReport) -> Iterator[str]:
    """Yield remarks on results that may need action."""
    merged = [
        f"{short_handle(gone)} says what {short_handle(kept)} says"
        for gone, kept in imported.merged
    ]
    yield from first_few(merged)
    yield from first_few([f"left out {name}: {why}" for name, why in imported.refused.items()])
    yield from first_few([f"redacted something in {name}" for name in imported.secrets])
    for kind, count in imported.skipped.items():
        yield f"skipped {count} records of a kind this twiceshy does not know: {kind[:40]!r}"
    if imported.waiting:
        ids = " ".join(short_handle(note) for note in imported.waiting)
        yield f"rules wait for approval; read them with show, then: twiceshy restore {ids}"
