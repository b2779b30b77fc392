"""Reasons why a recall brought no note that fits, with what to do next.

Commands and tools say the same; only the names of what to call next differ.
"""

from __future__ import annotations

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.scope import EVERYWHERE, NO_SKILL
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.rank import grade_fit, rank_notes
from twiceshy.notes.find_by_name import list_handles
from twiceshy.recall.recall_notes import filter_tellable, search_notes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.note import Note, NoteStatus
    from twiceshy.core.scope import Scope
    from twiceshy.language.rank import RankedNote
    from twiceshy.recall.nearest import RecallAnswer

    Door = Literal["command", "tool"]
    Reason = Literal["empty", "unsure", "unrelated", "budget", "withheld"]

_WAITING: tuple[NoteStatus, ...] = ("candidate", "quarantined", "pending removal")
_FEW = 3
_LOOKED_AT = 12  # notes, before many are
_MOST = 1_000
_TOKEN = 4  # characters
# What to do next: with a command, or with a tool.
_NEXT = {
    "words": (
        "try other words, or look in every project: twiceshy search --all WORDS",
        "try other words, or look in every project: search with all_projects",
    ),
    "skills": ("notes of skills fit: --skill {names}", "notes of skills fit: skill {names}"),
    "of skills": ("{count} of skills: --skill {names}", "{count} of skills: skill {names}"),
    "of no skill": ("{count} of no skill: leave out --skill", "{count} of no skill: call recall without skill"),
    "budget": ("one note takes {count} tokens: --tokens {count}", "one note takes {count} tokens: max_tokens {count}"),
    "characters": ("see the setting brief.max_characters", "the user may raise the setting brief.max_characters"),
    "waiting": ("{count} waiting for you: twiceshy review", "{count} waiting for the user: twiceshy review"),
    "retired": ("{count} retired: twiceshy list --status retired", "{count} retired: twiceshy list --status retired"),
    "pages": ("{count} tasks and pages: twiceshy list", "{count} tasks and pages: twiceshy list"),
    "checkpoints": (
        "{count} checkpoints: twiceshy flush --skill {names} --include-checkpoints",
        "{count} checkpoints, which twiceshy flush --include-checkpoints makes notes of",
    ),
    "elsewhere": ("{count} in other projects: twiceshy search --all WORDS", "{count} in other projects: search with all_projects"),
    "elsewhere of skill": (
        "{count} in other projects: twiceshy list --all --skill {names}",
        "{count} in other projects: search with skill {names} and all_projects",
    ),
    "first": ('write the first: twiceshy note "…"', "what you learn: note"),
    "first of skill": ('write the first: twiceshy note --skill {names} "…"', "what you learn about it: skill_note"),
    "expired": ("{count} expired, which a pinned note never does: twiceshy pin {names}", "{count} expired, which a pinned note never does: {names}"),
    "unapproved": ("{count} not approved as a rule on this device: twiceshy review", "{count} not approved by the user as a rule on this device: twiceshy review"),
    "travelled": ("{count} learned in other projects, and the setting notes.travel is off", "{count} learned in other projects, and the setting notes.travel is off"),
}  # fmt: skip


class NoAnswer(Value):
    """The reason for a missing answer, in words, with hints."""

    reason: Reason
    message: str
    hints: tuple[str, ...]


def explain_answer(
    app: App,
    scope: Scope,
    intent: str,
    answer: RecallAnswer,
    found: Sequence[RankedNote],
    *,
    door: Door,
) -> NoAnswer | None:
    """Explain an answer without a fitting note; None if there is nothing to explain.

    ``found`` are all notes that the search found, also those that may not be told.
    """
    where = _describe_scope(app, scope)
    if answer.tokens:
        return _explain_budget(
            answer.tokens, where, door, app.config.integer("brief.max_characters")
        )
    told = any(note.scope.skill == scope.skill for note in answer.brief.notes)
    if told and scope.skill and answer.fit == "none":
        said = f"no note {where} shares a word or a meaning with the question; these are its notes"
        return NoAnswer("unrelated", said, ())
    if answer.fit == "good" or (told and (scope.skill or not answer.fit)):
        return None
    fitting = [one.note for one in found if grade_fit(one.fit) == "good"]
    if fitting:  # and yet not told
        said = f"notes {where} fit the question, but may not be told"
        return NoAnswer("withheld", said, _list_causes(app, fitting, door))
    if answer.fit == "weak":
        said = f"no note {where} fits the question well"
        wider = _list_wider(app, scope, intent, door)
        # the brief says that it is unsure; an agent pays for each further word
        return NoAnswer("unsure", said, wider if door == "command" else wider[:-1])
    return _explain_nothing(app, scope, intent, where, door)


def _explain_budget(tokens: int, where: str, door: Door, characters: int) -> NoAnswer:
    fits = tokens * _TOKEN <= characters
    hint = _hint("budget", door, count=tokens) if fits else _hint("characters", door)
    return NoAnswer("budget", f"the budget is too small for any note {where}", (hint,))


def _explain_nothing(app: App, scope: Scope, intent: str, where: str, door: Door) -> NoAnswer:
    """Explain an answer of no note, or of notes that have nothing to do with the question."""
    which = filter_visible_notes(app.store, scope)
    if not _list_tellable(app, app.store.notes(which, limit=_LOOKED_AT)):
        notes = app.store.notes(which, limit=_MOST)
        if not notes:
            return _explain_empty(app, scope, where, door)
        if not _list_tellable(app, notes):
            said = f"no note {where} may be told"
            return NoAnswer("withheld", said, _list_causes(app, notes, door))
    said = f"no note {where} shares a word or a meaning with the question"
    return NoAnswer("unrelated", said, _list_wider(app, scope, intent, door))


def _list_tellable(app: App, notes: Iterable[Note]) -> list[Note]:
    ranked, now = rank_notes(notes, {}, now=app.store.now()), app.store.now()
    told = filter_tellable(app.store, ranked, now=now, key=app.rule_key)
    return [one.note for one in told if app.is_welcome(one.note)]


def _list_causes(app: App, notes: Sequence[Note], door: Door) -> tuple[str, ...]:
    """Say why notes may not be told, and how many for each cause."""
    told = {note.id for note in _list_tellable(app, notes)}
    held = [note for note in notes if note.id not in told]
    now = app.store.now()
    expired = [note for note in held if note.is_expired(now)]
    foreign = [note for note in held if note not in expired and not app.is_welcome(note)]
    rules = [note for note in held if note not in (*expired, *foreign)]
    causes = {"expired": expired, "travelled": foreign, "unapproved": rules}
    return tuple(
        _hint(cause, door, count=len(those), names=list_handles(those))
        for cause, those in causes.items()
        if those
    )


def _list_wider(app: App, scope: Scope, intent: str, door: Door) -> tuple[str, ...]:
    """Say where to look next; skills are named if notes of theirs fit."""
    skills = ""
    if not scope.skill:
        which = filter_visible_notes(app.store, scope).but(skill=None)
        near = search_notes(app.store, intent, which, limit=_LOOKED_AT)
        skills = _name_skills(one.note for one in near if grade_fit(one.fit) == "good")
    named = [_hint("skills", door, names=skills)] if skills else []
    return (*named, _hint("words", door))


def _explain_empty(app: App, scope: Scope, where: str, door: Door) -> NoAnswer:
    """Explain a scope without notes: what waits or is retired in it, and where there are some."""
    counts = _count_others(app, scope)
    here = filter_visible_notes(app.store, scope).but(skill=scope.skill or None)
    skills = scope.skill or _name_skills(app.store.notes(here, limit=_MOST))
    hints = [_hint(what, door, count=many, names=skills) for what, many in counts.items() if many]
    first = "first of skill" if scope.skill else "first"
    were = "no active notes" if counts["waiting"] or counts["retired"] else "no notes yet"
    hints.append(_hint(first, door, names=scope.skill))
    return NoAnswer("empty", f"{were} {where}", tuple(hints))


def _count_others(app: App, scope: Scope) -> dict[str, int]:
    """Count the notes that an empty scope leaves out: not active, of skills, of other projects."""
    count, here = app.store.count_notes, filter_visible_notes(app.store, scope)
    around = here.but(skill=scope.skill or None)
    counts = {
        "waiting": count(here.but(statuses=_WAITING)),
        "retired": count(here.but(statuses=("retired",))),
    }
    if scope.skill:
        counts["checkpoints"] = count_checkpoints(app, scope.skill)
        counts["of no skill"] = count(here.but(skill=NO_SKILL))
    else:
        counts["of skills"] = count(around)
        counts["pages"] = count(here.but(kinds=("task", "page")))
    elsewhere = "elsewhere of skill" if scope.skill else "elsewhere"
    counts[elsewhere] = count(around.but(projects=None)) - count(around)
    return counts


def count_checkpoints(app: App, skill: str) -> int:
    """Count the remarks about a skill that are no notes yet."""
    written = app.store.list_signals(EVERYWHERE, "checkpoint", limit=_MOST)
    return sum(one.skill == skill and not one.pair for one in written)


def _describe_scope(app: App, scope: Scope) -> str:
    if scope.skill:
        return f"for skill {scope.skill!r}"
    if scope.project == EVERYWHERE:
        return "for all projects"
    here = app.current_project()
    known = app.store.list_projects().get(scope.project, ("", ""))[0]
    name = here.name if here.id == scope.project else known
    return f"for project {strip_unsafe(name or scope.project)!r}"


def _name_skills(notes: Iterable[Note]) -> str:
    """Name the first few skills of some notes."""
    names = [name for name in dict.fromkeys(note.scope.skill for note in notes) if name]
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(map(strip_unsafe, names[:_FEW])) + more


def _hint(what: str, door: Door, *, count: int = 0, names: str = "") -> str:
    by_command, by_tool = _NEXT[what]
    return (by_tool if door == "tool" else by_command).format(count=count, names=names)
