"""Work tools: handoff and status."""

from collections.abc import Iterator

from twiceshy.app import App
from twiceshy.core.moment import format_day
from twiceshy.mcp.arguments import ArgumentError
from twiceshy.mcp.session import McpSession, ToolReply
from twiceshy.mcp.tool_replies import reply_with_facts
from twiceshy.project.handoff.record import fill_handoff, find_last_handoff, save_handoff
from twiceshy.project.handoff.rules import Handoff, handoff_topic, render_framed
from twiceshy.upkeep.doctor import count_memory


def handle_handoff(session: McpSession, *, action: str, **told: object) -> ToolReply:
    """Leave a handoff for the next session, or read the last one."""
    if action == "read":
        if given := [name for name, value in told.items() if value]:
            raise ArgumentError(
                f"argument {given[0]!r} says something to write, but the action is read",
                hint="to leave a handoff, action must be write",
            )
        return _read_handoff(session)
    topic = str(told.pop("topic", None) or "")
    said = Handoff.of({name: value for name, value in told.items() if value})
    with session.open_store() as app:
        author = app.store.author
        ready = said if said.is_empty else fill_handoff(app, said, session=author)
        episode = save_handoff(app, ready, session=author, topic=topic)
        name = app.current_project().name
    text = f"Handed over to the next session of {name} ({episode.id})."
    return reply_with_facts(text, id=episode.id)


def _read_handoff(session: McpSession) -> ToolReply:
    with session.open_store() as app:
        found = find_last_handoff(app)
    if found is None:
        return ToolReply("Nobody has left a handoff for this project.")
    left, episode = found
    when, topic = format_day(episode.ended_at), handoff_topic(episode)
    return ToolReply(render_framed(left, day=when, topic=topic))


def report_status(session: McpSession) -> ToolReply:
    """Count known notes here, and report problems."""
    with session.open_store() as app:
        counted = count_memory(app)
        faults = list(_list_faults(app))
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
        "last_learned": format_day(now.newest) if now.newest else None,
        "faults": faults,
    }
    kinds = ", ".join(f"{count} {kind}" for kind, count in now.kinds.items()) or "none yet"
    lines = [
        f"project: {here.name} ({here.id})",
        f"known here: {counted.active} notes; {counted.waiting} wait for the user's review",
        f"in all: {kinds}; {now.skills} skills, {now.projects} projects",
        f"last learned: {format_day(now.newest) if now.newest else 'nothing yet'}",
        f"health: {'; '.join(faults) if faults else 'sound'}",
    ]
    return ToolReply("\n".join(lines), known)


def _list_faults(app: App) -> Iterator[str]:
    for finding in app.store.check_health():
        if finding.verdict != "ok":
            hint = f" ({finding.hint})" if finding.hint else ""
            yield f"{finding.what}: {finding.message}{hint}"
