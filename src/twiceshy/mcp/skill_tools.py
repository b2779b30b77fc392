"""Skill tools: note a lesson, recall a skill's brief."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.note import KINDS
from twiceshy.mcp.session import ToolReply
from twiceshy.mcp.tool_replies import describe_outcome
from twiceshy.notes.embed import embed_new_notes
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import note_limits_of
from twiceshy.recall.request import brief_named_skill, require_skill

if TYPE_CHECKING:
    from twiceshy.mcp.session import McpSession

LESSONS = KINDS["lesson"][0]


def skill_note(
    session: McpSession, *, skill: str, intent: str, kind: str, delta: str, tags: tuple[str, ...]
) -> ToolReply:
    """Write a lesson about a skill, for the project or globally, like the skill."""
    if kind == "general":
        raise NoteError(
            "a general note does not belong to a skill",
            hint="write it with the tool note, which takes no skill",
        )
    remarks: list[str] = []
    with session.open_store() as app:
        about = require_skill(app, skill, prefer=session.preferred_runtime)
        near = about.settings.dedup_threshold
        draft = Draft(
            kind="lesson",
            subtype=kind,
            text=delta,
            why=intent,
            scope=about.home,
            source="agent",
            tag=tags[0] if tags else "",
            concepts=tags,
            origin_session=app.store.author,
        )
        bounds = (
            note_limits_of(app.config)
            if near is None
            else note_limits_of(app.config).but(near=near)
        )
        outcome = take_note(app, draft, bounds=bounds, prefer=session.preferred_runtime)
        embed_new_notes(app, tell=remarks.append)
    return describe_outcome(outcome, remarks=remarks)


def skill_recall(
    session: McpSession, *, skill: str, intent: str | None, max_tokens: int | None
) -> ToolReply:
    """Return the brief of a skill load."""
    remarks: list[str] = []
    with session.open_store() as app:
        about = require_skill(app, skill, prefer=session.preferred_runtime)
        brief = brief_named_skill(app, about, intent or "", tokens=max_tokens, tell=remarks.append)
    empty = f"No notes yet for skill {about.name!r}. What you learn about it: skill_note."
    return ToolReply(brief.text or empty, remarks=tuple(remarks))
