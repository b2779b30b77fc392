"""``twiceshy import``."""

from __future__ import annotations

import click

from twiceshy.cli import import_bundle, import_source
from twiceshy.cli.options import json_option
from twiceshy.interop.imports import sources


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
        import_source.run(
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
    import_bundle.run(name, plan=plan, trust=trust, as_json=as_json)
