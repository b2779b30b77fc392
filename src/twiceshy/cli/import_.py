"""``twiceshy import``: a bundle, or the notes of another program."""

import os
from collections.abc import Iterable, Iterator

import click

from twiceshy.cli import import_source
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import first_few, print_result
from twiceshy.cli.progress import show_list_progress, show_progress
from twiceshy.core.errors import BundleError
from twiceshy.core.note import short_handle
from twiceshy.interop.imports import load_sources
from twiceshy.interop.imports.find_sources import guess_source
from twiceshy.sync.bundle import Bundle, read_bundle, read_lines
from twiceshy.sync.intake import BundleReport, import_bundle
from twiceshy.wording import worded


@click.command("import")
@click.argument("name", required=False, metavar="[SOURCE|FILE|-]")
@click.argument("path", required=False, metavar="[PATH]")
@click.option("--plan", is_flag=True, help="Show the planned import; change nothing.")
@click.option(
    "--trust", is_flag=True, help="The bundle is yours: merge all of it, and approve its rules."
)
@click.option("--project", metavar="P", help="Project for notes without a project.")
@click.option("--all", "-a", "everything", is_flag=True, help="Import every source found.")
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
    """Import notes of other programs, or a bundle; `undo` reverts the import.

    Without a name, searches the usual places of other programs, lists the sources found, and asks.
    SOURCE is one of these programs; PATH is its folder or file, if not in the usual place. FILE is
    a bundle written by `export`.

    The notes of a bundle wait for your review, and nothing that is here changes. With --trust a bundle
    of yours is merged like a sync: edits, counters, names of projects; notes that it marks as forgotten
    are erased here as well. Importing twice changes nothing. Notes forgotten here stay forgotten.

    Example: twiceshy import fireworks --plan
    """
    known = load_sources()
    if name is None or name in known:
        if trust:
            raise click.UsageError("--trust is for bundles; rules of other programs always wait")
        import_source.import_from_source(
            known[name] if name else None,
            path or "",
            project,
            everything=everything,
            plan=plan,
            as_json=as_json,
        )
        return
    if path or project or everything:
        raise _explain_refusal(name, known)
    _import_bundle_file(name, plan=plan, trust=trust, as_json=as_json)


def _explain_refusal(name: str, known: Iterable[str]) -> click.UsageError:
    """Say why options for other programs do not go with a bundle, or that a name is unknown."""
    if os.path.exists(name) or name == "-":
        said = f"{name!r} is a bundle, whose notes name their projects"
        return click.UsageError(f"{said}; --project, --all and PATH are for other programs")
    return click.UsageError(f"{name!r} is none of: {', '.join(known)}")


def _import_bundle_file(file: str, *, plan: bool, trust: bool, as_json: bool) -> None:
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
    changed = imported.new or imported.changed or imported.merged or imported.beside
    end = "`twiceshy undo` takes it back" if changed and not plan else "nothing was changed"
    talk = (*_list_remarks(imported, trust=trust), end)
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
        "held": len(imported.held),
        "refused": len(imported.refused),
        "redacted": len(imported.secrets),
        "skipped": sum(imported.skipped.values()),
        "signals": imported.signals,
        "episodes": imported.episodes,
        "projects and counters": imported.beside,
    }
    notes = {"new": len(imported.new), "changed": len(imported.changed), "known": imported.known}
    return notes | {what: count for what, count in rest.items() if count}


def _list_remarks(imported: BundleReport, *, trust: bool) -> Iterator[str]:
    """Yield remarks on results that may need action."""
    merged = [
        f"{short_handle(gone)} is a duplicate of {short_handle(kept)}"
        for gone, kept in imported.merged
    ]
    yield from first_few(merged)
    yield from first_few([f"left out {name}: {why}" for name, why in imported.refused.items()])
    yield from first_few([f"redacted something in {name}" for name in imported.secrets])
    for kind, count in imported.skipped.items():
        yield f"skipped {count} records of a kind this twiceshy does not know: {kind[:40]!r}"
    if imported.held:
        yield worded(
            "{count} notes are kept from agents until you decide: twiceshy review",
            count=len(imported.held),
        )
    if imported.left_out:
        count = sum(imported.left_out.values())
        yield f"left out {count} records that are no notes; if the bundle is yours: --trust"
    if imported.waiting and not trust:
        yield (
            f"{len(imported.waiting)} notes wait: twiceshy review;"
            " if the bundle is yours, import it with --trust"
        )
    elif imported.waiting:
        ids = " ".join(short_handle(note) for note in imported.waiting)
        yield f"rules wait for approval; read them with show, then: twiceshy restore {ids}"
