"""Note tools: write, recall, search, feedback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.draft import Draft
from twiceshy.core.filter import Filter
from twiceshy.core.note import KINDS, kind_of
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.core.text import escape
from twiceshy.effect.feedback import judge_note
from twiceshy.mcp.session import Reply
from twiceshy.mcp.wording import facts, fenced, told
from twiceshy.notes.meaning import asked, embed_new
from twiceshy.notes.naming import known_project, known_skill, note_here, projects_seen
from twiceshy.notes.take_note import take_note
from twiceshy.recall.choose import search as search_notes
from twiceshy.recall.request import brief_scope
from twiceshy.recall.rules import approved
from twiceshy.safety.names import safe_name

if TYPE_CHECKING:
    from twiceshy.effect.feedback import Became, Verdict
    from twiceshy.mcp.session import Session

# What the tool note is told: a kind, or a kind of lesson, which is what agents think in.
NOTABLE = (*KINDS, *KINDS["lesson"][0])
_AGAIN = "You said so before in this session; nothing was counted twice."
_BECAME: dict[Became, str] = {
    "counted": "Counted: it helped",
    "probation": "Put on probation: it is shown only where its own trigger matches, until the user decides in twiceshy review",
    "marked": "The user stands behind this note, so it stays; your doubt is kept with it for the user to see",
    "waiting": "It was not shown as settled before; your doubt is counted, and the user decides in twiceshy review",
}


def note(
    session: Session,
    *,
    text: str,
    kind: str | None,
    why: str | None,
    skill: str | None,
    tags: tuple[str, ...],
    files: tuple[str, ...],
    concepts: tuple[str, ...],
) -> Reply:
    """Write a note for this project."""
    wanted = kind or "lesson"
    lesson = wanted in KINDS["lesson"][0]
    remarks: list[str] = []
    with session.opened() as app:
        draft = Draft(
            kind="lesson" if lesson else kind_of(wanted),
            subtype=wanted if lesson else "",
            text=text,
            why=why or "",
            # what is known about the user holds wherever he works
            scope=Scope(
                EVERYWHERE if wanted == "preference" else app.here().id,
                safe_name(skill, what="skill") if skill else NO_SKILL,
            ),
            source="agent",
            tag=tags[0] if tags else "",
            files=files,
            concepts=(*tags, *concepts),
            origin_session=app.store.author,
        )
        outcome = take_note(app, draft, prefer=session.prefer)
        embed_new(app, tell=remarks.append)
    return told(outcome, remarks=remarks)


def recall(
    session: Session,
    *,
    intent: str,
    skill: str | None,
    max_tokens: int | None,
    project: str | None,
) -> Reply:
    """Return the brief for an intent in a project."""
    remarks: list[str] = []
    with session.opened() as app:
        where = known_project(app, project) if project else app.here().id
        scope = Scope(where, safe_name(skill, what="skill") if skill else NO_SKILL)
        brief = brief_scope(
            app, scope, intent, tokens=max_tokens, prefer=session.prefer, tell=remarks.append
        )
    nothing = "Nothing that fits this is known here yet."
    return Reply(brief.text or nothing, remarks=tuple(remarks))


def search(
    session: Session,
    *,
    query: str,
    limit: int,
    kind: str | None,
    skill: str | None,
    all_projects: bool,
) -> Reply:
    """Return notes matching the words, without retired notes."""
    remarks: list[str] = []
    with session.opened() as app:
        lesson = kind in KINDS["lesson"][0]
        which = Filter(
            projects=None if all_projects else projects_seen(app, app.here().id),
            skill=known_skill(app, skill) if skill else None,
            kinds=("lesson",) if lesson else (kind,) if kind else (),
            subtype=kind if kind and lesson else "",
        )
        meaning = asked(app, query, tell=remarks.append)
        ranked = search_notes(app.store, query, which, limit=limit, meaning=meaning)
        if any(one.note.kind == "rule" for one in ranked):
            ranked = approved(app.store, ranked, app.rule_key)
        names = {each: name for each, (name, _) in app.store.projects().items()}
    if not ranked:
        where = "in any project" if all_projects else "here; all_projects looks further"
        said = f"Nothing was found for {escape(query, limit=80)!r} {where}."
        return Reply(said, remarks=tuple(remarks))
    found = fenced((one.note for one in ranked), names=names if all_projects else None)
    return Reply(found, remarks=tuple(remarks))


def feedback(session: Session, *, id: str, verdict: Verdict, comment: str | None) -> Reply:  # noqa: A002 - what agents call it
    """Count an agent's feedback on a note, once a session."""
    with session.opened() as app:
        judged = note_here(app, id)
        if (judged.id, verdict) in session.judged:
            return facts(f"{judged.handle}: {_AGAIN}", id=judged.id, became="known")
        result = judge_note(app, judged, verdict, comment=comment or "")
        session.judged.add((judged.id, verdict))
    said = f"{judged.handle}: {_BECAME[result.became]}."
    return facts(said, id=judged.id, became=result.became)
