"""What ``twiceshy project`` prints."""

from collections.abc import Iterator, Sequence

from twiceshy.cli.output import fact_lines, flatten_text, print_worded
from twiceshy.core.moment import format_day
from twiceshy.project.identity import MoveResult, ProjectOverview
from twiceshy.project.membership import Membership
from twiceshy.wording import worded


def format_projects(known: Sequence[ProjectOverview]) -> Iterator[str]:
    """Yield two lines for each project."""
    for one in known:
        yield worded(
            "{name}: notes {notes}, sessions {sessions}, last seen {day}",
            name=flatten_text(one.name) or "-",
            notes=one.notes,
            sessions=one.sessions,
            day=format_day(one.seen_at),
        )
        yield f"  {one.id}  {format_root(one)}".rstrip()
    if not known:
        print_worded("no projects are known yet")
    if any(one.gone and one.id.startswith("dir:") for one in known):
        print_worded("if a folder moved: twiceshy project alias NEWPATH OLDPATH")


def format_project(known: ProjectOverview) -> Iterator[str]:
    """Yield the facts about a project."""
    yield f"{known.id}  {flatten_text(known.name)}"
    facts = {
        "root": format_root(known),
        "notes": str(known.notes),
        "sessions": str(known.sessions),
        "episodes": str(known.episodes),
        "seen": format_day(known.seen_at) if known.seen_at else "",
    }
    yield from fact_lines(facts)
    for alias in known.aliases:
        yield from fact_lines({"alias": flatten_text(alias)})


def format_move(done: MoveResult, *, plan: bool) -> Iterator[str]:
    """Yield what became of moved notes."""
    if plan:
        print_worded("nothing was changed; this would be done:")
    yield worded("{count} notes moved", count=len(done.moved))
    if done.merged:
        yield worded("{count} of them were known there; the older stays", count=len(done.merged))
    if done.renamed:
        yield worded("{count} pages have a new name", count=len(done.renamed))


def format_root(known: ProjectOverview) -> str:
    """Return the folder of a project, and whether it is gone."""
    path = flatten_text(known.root)
    return worded("{path} (gone)", path=path) if known.gone else path


def format_membership(done: Membership, *, plan: bool) -> Iterator[str]:
    """Yield what became of a checkout."""
    if plan:
        print_worded("nothing was changed; this would be done:")
    path, name = flatten_text(done.root), flatten_text(done.name or done.project) or "-"
    if not done.changed and done.joined:
        yield worded("{path} belongs to {name} already", path=path, name=name)
    elif not done.changed:
        yield worded("{path} is a project of its own already", path=path)
    elif done.joined:
        yield worded(
            "{path} joins {name}: what is learned in one is told in both", path=path, name=name
        )
    else:
        yield worded("{path} is a project of its own now, apart from {name}", path=path, name=name)
