"""``twiceshy import``."""

from __future__ import annotations

import click

from twiceshy.cli import import_bundle, import_source
from twiceshy.cli.options import json_option
from twiceshy.interop.imports import load_sources


@click.command("import")
@click.argument("name", required=False, metavar="[SOURCE|FILE|-]")
@click.argument("path", required=False, metavar="[PATH]")
@click.option("--plan", is_flag=True, help="Show the planned import; change nothing.")
@click.option("--trust", is_flag=True, help="Approve the rules of a bundle at once.")
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

    Importing twice changes nothing. Notes forgotten here stay forgotten, and notes that a bundle
    marks as forgotten are erased here as well. Rules wait for your approval.

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
        raise click.UsageError(f"{name!r} is none of: {', '.join(known)}")
    import_bundle.import_bundle_file(name, plan=plan, trust=trust, as_json=as_json)
