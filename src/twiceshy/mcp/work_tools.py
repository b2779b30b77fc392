"""Work tools: handoff and status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.moment import day
from twiceshy.mcp.arguments import ArgumentError
from twiceshy.mcp.session import Reply
from twiceshy.mcp.wording import facts
from twiceshy.project.handoff.handing import filled, hand_over, last_handoff
from twiceshy.project.handoff.rules import Handoff, framed, topic_of
from twiceshy.upkeep.status import count_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.mcp.session import Session


def handoff(session: Session, *, action: str, **told: object) -> Reply:
    """Leave a handoff for the next session, or read the last one."""
    if action == "read":
        if given := [name for name, value in told.items() if value]:
            raise ArgumentError(
                f"argument {given[0]!r} says something to write, but the action is read",
                hint="to leave a handoff, action must be write",
            )
        return _read(session)
    topic = str(told.pop("topic", None) or "")
    said = Handoff.of({name: value for name, value in told.items() if value})
    with session.opened() as app:
        author = app.store.author
        ready = said if said.empty else filled(app, said, session=author)
        episode = hand_over(app, ready, session=author, topic=topic)
        name = app.here().name
    text = f"Handed over to the next session of {name} ({episode.id})."
    return facts(text, id=episode.id)


def _read(session: Session) -> Reply:
    with session.opened() as app:
        found = last_handoff(app)
    if found is None:
        return Reply("Nobody has left a handoff for this project.")
    left, episode = found
    when, topic = day(episode.ended_at), topic_of(episode)
    return Reply(framed(left, day=when, topic=topic))


def status(session: Session) -> Reply:
    """Count known notes here, and report problems."""
    with session.opened() as app:
        counted = count_memory(app)
        faults = list(_faults(app))
    here, now = counted.here, counted.store
    known = {
        "project": here.name,
        "project_id": here.id,
        "known_here": counted.active,
        "waiting_for_review": counted.waiting,
        "notes": dict(now.notes),
        "kinds": dict(now.kinds),
        "skills": now.skills,
        "projects": now.projects,
        "last_learned": day(now.newest) if now.newest else None,
        "faults": faults,
    }
    kinds = ", ".join(f"{count} {kind}" for kind, count in now.kinds.items()) or "none yet"
    lines = [
        f"project: {here.name} ({here.id})",
        f"known here: {counted.active} notes; {counted.waiting} wait for the user's review",
        f"in all: {kinds}; {now.skills} skills, {now.projects} projects",
        f"last learned: {day(now.newest) if now.newest else 'nothing yet'}",
        f"health: {'; '.join(faults) if faults else 'sound'}",
    ]
    return Reply("\n".join(lines), known)


def _faults(app: App) -> Iterator[str]:
    for finding in app.store.health():
        if finding.verdict != "ok":
            hint = f" ({finding.hint})" if finding.hint else ""
            yield f"{finding.what}: {finding.message}{hint}"
