"""Note tools: write, recall, search and judge notes, of the project or of a skill."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import KINDS, kind_for_subtype
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.core.text import escape_line
from twiceshy.effect.reconsider import judge_note
from twiceshy.interop.imports.find_sources import list_not_imported
from twiceshy.language.terms import query_terms
from twiceshy.mcp.session import McpSession, ToolReply
from twiceshy.mcp.tool_replies import (
    describe_no_answer,
    describe_outcome,
    fence_notes,
    reply_with_facts,
)
from twiceshy.notes.embed import embed_new_notes, embed_query
from twiceshy.notes.find_by_name import (
    find_known_project,
    find_known_skill,
    find_note_here,
    visible_projects,
)
from twiceshy.notes.take_note import take_note
from twiceshy.recall.brief import LONGEST_NOTE
from twiceshy.recall.nearest import cut_note
from twiceshy.recall.no_answer import describe_meant, list_causes
from twiceshy.recall.recall_notes import search_notes
from twiceshy.recall.request import brief_scope
from twiceshy.recall.respell import find_meant_words
from twiceshy.recall.rules import keep_approved_rules
from twiceshy.recall.untold import NOT_ACTIVE
from twiceshy.safety.names import check_name
from twiceshy.shell.derive_trigger import parse_when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Kind, Note
    from twiceshy.effect.reconsider import Became, Verdict
    from twiceshy.language.rank import RankedNote
    from twiceshy.recall.nearest import RecallAnswer
from twiceshy.core.errors import NoteError
from twiceshy.notes.write import note_limits_of
from twiceshy.recall.request import brief_named_skill, require_skill

# What the tool note is told: a kind, or a kind of lesson, which is what agents think in.
NOTABLE = (*KINDS, *KINDS["lesson"][0])
_AGAIN = "You said so before in this session; nothing was counted twice."
_BECAME: dict[Became, str] = {
    "counted": "Counted: it helped",
    "probation": "Put on probation: it is shown only where its own trigger matches, until the user decides in twiceshy review",
    "marked": "The user stands behind this note, so it stays; your doubt is kept with it for the user to see",
    "waiting": "It was not shown as settled before; your doubt is counted, and the user decides in twiceshy review",
}
LESSONS = KINDS["lesson"][0]
_FEW = 3  # notes found, beside which another spelling is named
_LOOKED_AT = 50  # notes that a search does not tell


def write_note(
    session: McpSession,
    *,
    text: str,
    kind: str | None,
    why: str | None,
    when: str | None,
    skill: str | None,
    tags: tuple[str, ...],
    files: tuple[str, ...],
    concepts: tuple[str, ...],
) -> ToolReply:
    """Write a note for this project; a kind that nobody knows becomes a lesson."""
    sort, subtype = _parse_kind(kind or "lesson")
    remarks = (
        [] if sort else [f"There is no kind {escape_line(kind or '', limit=40)!r}: a lesson."]
    )
    sort = sort or "lesson"
    with session.open_store() as app:
        draft = Draft(
            kind=sort,
            subtype=subtype,
            text=text,
            why=why or "",
            # of a preference, too: that it holds wherever he works only the user says
            scope=Scope(
                app.current_project().id,
                check_name(skill, what="skill") if skill else NO_SKILL,
            ),
            source="agent",
            trigger=parse_when(when or ""),
            tag=tags[0] if tags else "",
            files=files,
            concepts=(*tags, *concepts),
            origin_session=app.store.author,
        )
        outcome = take_note(app, draft, prefer=session.preferred_runtime)
        embed_new_notes(app, tell=remarks.append)
        return describe_outcome(outcome, is_told=partial(_is_told, app), remarks=remarks)


def _parse_kind(wanted: str) -> tuple[Kind | None, str]:
    """Return the kind and subtype of a word for either; None if there is no such kind."""
    word = wanted.strip().casefold()
    if kind := next((kind for kind in KINDS if kind == word), None):
        return kind, ""
    if not word or not any(word in subtypes for subtypes, _ in KINDS.values()):
        return None, ""
    return kind_for_subtype(word), word


def _is_told(app: App, note: Note) -> bool:
    """True if an agent may be told a note that is shown."""
    return bool(app.store.notes(NoteFilter(ending=note.id), limit=1))


def recall_notes(
    session: McpSession,
    *,
    intent: str,
    skill: str | None,
    max_tokens: int | None,
    project: str | None,
) -> ToolReply:
    """Return the brief for an intent in a project."""
    remarks: list[str] = []
    with session.open_store() as app:
        where = find_known_project(app, project) if project else app.current_project().id
        scope = Scope(where, check_name(skill, what="skill") if skill else NO_SKILL)
        answer = brief_scope(
            app,
            scope,
            intent,
            tokens=max_tokens,
            prefer=session.preferred_runtime,
            tell=remarks.append,
            door="tool",
        )
        return _describe_answer(app, answer, remarks)


def search_for_client(
    session: McpSession,
    *,
    query: str,
    limit: int,
    kind: str | None,
    skill: str | None,
    all_projects: bool,
) -> ToolReply:
    """Return notes matching the words, without retired notes."""
    remarks: list[str] = []
    with session.open_store() as app:
        lesson = kind in KINDS["lesson"][0]
        which = NoteFilter(
            projects=None if all_projects else visible_projects(app, app.current_project().id),
            skill=find_known_skill(app, skill) if skill else None,
            kinds=("lesson",) if lesson else (kind,) if kind else (),
            subtype=kind if kind and lesson else "",
        )
        meaning = embed_query(app, query, tell=remarks.append)
        terms = query_terms(query)
        ranked = search_notes(app.store, query, which, limit=limit, meaning=meaning)
        unapproved = ranked
        if any(one.note.kind == "rule" for one in ranked):
            ranked = keep_approved_rules(app.store, ranked, app.rule_key)
        names = {each: name for each, (name, _) in app.store.list_projects().items()}
        around = NoteFilter(projects=which.projects)
        meant = find_meant_words(app.store, query, around) if len(ranked) <= _FEW else {}
        untold = [] if ranked or not terms else _list_untold(app, query, which, unapproved)
    if not ranked:
        where = "in any project" if all_projects else "here; all_projects looks further"
        said = f"Nothing was found for {escape_line(query, limit=80)!r} {where}."
        return ToolReply(said, remarks=(*untold, *describe_meant(meant), *remarks))
    remarks.extend(describe_meant(meant))
    if query.strip() and not terms:
        remarks.append("no word of the query can be searched for; these are the newest notes")
    notes = [cut_note(one.note, terms, LONGEST_NOTE) for one in ranked]
    found = fence_notes(notes, names=names if all_projects else None)
    return ToolReply(found, remarks=tuple(remarks))


def _list_untold(
    app: App, query: str, which: NoteFilter, unapproved: Sequence[RankedNote]
) -> list[str]:
    """Say how many notes with the words of a search are not told, and why."""
    inactive = which.but(statuses=NOT_ACTIVE)
    others = search_notes(app.store, query, inactive, limit=_LOOKED_AT)
    notes = {one.note.id: one.note for one in (*unapproved, *others) if one.fit.words > 0}
    return [f"not told: {cause}" for cause in list_causes(app, list(notes.values()), "tool")]


def record_feedback(
    session: McpSession,
    *,
    id: str,  # noqa: A002 - what agents call it
    verdict: Verdict,
    comment: str | None,
) -> ToolReply:
    """Count an agent's feedback on a note, once a session."""
    with session.open_store() as app:
        judged = find_note_here(app, id)
        if (judged.id, verdict) in session.judged:
            return reply_with_facts(f"{judged.handle}: {_AGAIN}", id=judged.id, became="known")
        result = judge_note(app, judged, verdict, comment=comment or "")
        session.judged.add((judged.id, verdict))
    said = f"{judged.handle}: {_BECAME[result.became]}."
    return reply_with_facts(said, id=judged.id, became=result.became)


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
        return describe_outcome(outcome, is_told=partial(_is_told, app), remarks=remarks)


def skill_recall(
    session: McpSession, *, skill: str, intent: str | None, max_tokens: int | None
) -> ToolReply:
    """Return the brief of a skill load."""
    remarks: list[str] = []
    with session.open_store() as app:
        about = require_skill(app, skill, prefer=session.preferred_runtime)
        answer = brief_named_skill(
            app, about, intent or "", tokens=max_tokens, tell=remarks.append, door="tool"
        )
        return _describe_answer(app, answer, remarks)


def _describe_answer(app: App, answer: RecallAnswer, remarks: Sequence[str]) -> ToolReply:
    """Answer with a brief, or with the reason why there is none."""
    said = describe_no_answer(answer.said) if answer.said else ""
    if answer.said and answer.said.reason == "empty" and (older := list_not_imported(app)):
        names = ", ".join(each.source.NAME for each in older)
        said += f" Not imported yet are notes of {names}; the user may: twiceshy import."
    told = [text for text in (answer.brief.text, said) if text]
    return ToolReply(told[0], remarks=(*told[1:], *remarks))
