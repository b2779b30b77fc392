"""Skill tools: note a lesson, recall a skill's brief."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.note import KINDS
from twiceshy.mcp.session import Reply
from twiceshy.mcp.wording import told
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import bounds_of
from twiceshy.recall.request import brief_named_skill, require_skill

if TYPE_CHECKING:
    from twiceshy.mcp.session import Session

LESSONS = KINDS["lesson"][0]


def skill_note(
    session: Session, *, skill: str, intent: str, kind: str, delta: str, tags: tuple[str, ...]
) -> Reply:
    """Write a lesson about a skill, for the project or globally, like the skill."""
    if kind == "general":
        raise NoteError(
            "a general note does not belong to a skill",
            hint="write it with the tool note, which takes no skill",
        )
    remarks: list[str] = []
    with session.opened() as app:
        about = require_skill(app, skill, prefer=session.prefer)
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
        bounds = bounds_of(app.config) if near is None else bounds_of(app.config).but(near=near)
        outcome = take_note(app, draft, bounds=bounds, prefer=session.prefer)
        embed_new(app, tell=remarks.append)
    return told(outcome, remarks=remarks)


def skill_recall(
    session: Session, *, skill: str, intent: str | None, max_tokens: int | None
) -> Reply:
    """Return the brief of a skill load."""
    remarks: list[str] = []
    with session.opened() as app:
        about = require_skill(app, skill, prefer=session.prefer)
        brief = brief_named_skill(app, about, intent or "", tokens=max_tokens, tell=remarks.append)
    empty = f"No notes yet for skill {about.name!r}. What you learn about it: skill_note."
    return Reply(brief.text or empty, remarks=tuple(remarks))
