"""Reasons why a recall brought no note that fits, with what to do next.

Commands and tools say the same; only the names of what to call next differ.
"""

from __future__ import annotations

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.scope import EVERYWHERE, NO_SKILL
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.rank import grade_fit
from twiceshy.notes.find_by_name import list_handles
from twiceshy.recall.recall_notes import search_notes
from twiceshy.recall.untold import WAITING, find_untold, list_tellable, sort_by_cause

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.language.rank import RankedNote
    from twiceshy.recall.nearest import RecallAnswer
    from twiceshy.recall.question import AskedQuestion
    from twiceshy.recall.untold import UntoldNotes

    Door = Literal["command", "tool"]
    Reason = Literal["empty", "unsure", "unrelated", "wordless", "budget", "withheld"]

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
    "retired about": (
        "{count} retired ({names}): twiceshy list --status retired",
        "{count} retired ({names}): twiceshy list --status retired",
    ),
    "name it": ("name what it is about: a tool, a file, an error", "name what it is about: a tool, a file, an error"),
    "cut": ("the sentence that answers takes {count} tokens: --tokens {count}", "the sentence that answers takes {count} tokens: max_tokens {count}"),
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
    question: AskedQuestion,
    answer: RecallAnswer,
    found: Sequence[RankedNote],
    *,
    door: Door,
) -> NoAnswer | None:
    """Explain an answer without a fitting note; None if there is nothing to explain.

    ``found`` are all active notes that the search found, also those that may not be told.
    """
    where = _describe_scope(app, scope)
    told = any(note.scope.skill == scope.skill for note in answer.brief.notes)
    if answer.tokens:
        return _explain_budget(app, answer, where, door)
    if answer.fit == "good" or (told and not answer.fit):
        said = "no word of the question can be searched for; these notes are told to any question"
        return NoAnswer("wordless", said, ()) if question.is_wordless else None
    untold = find_untold(app, scope, question, answer, found)
    if untold.notes:
        why: NoAnswer | None = _explain_untold(app, untold, where, door)
    elif not told and answer.fit != "weak":
        why = _explain_nothing(app, scope, question, where, door)
    elif not question.is_telling:
        why = _explain_function_words(door)
    else:
        why = _explain_doubt(app, scope, question, answer, door=door)
    spelled = describe_meant(question.meant)
    return why.but(hints=(*spelled, *why.hints)) if why and spelled else why


def describe_meant(meant: Mapping[str, str]) -> tuple[str, ...]:
    """Say which words no note has, and which word of a note each may mean."""
    return tuple(
        f"no note has {strip_unsafe(word)!r}; the nearest word is {strip_unsafe(near)!r}"
        for word, near in meant.items()
    )


def _explain_doubt(
    app: App, scope: Scope, question: AskedQuestion, answer: RecallAnswer, *, door: Door
) -> NoAnswer | None:
    """Explain an answer of notes that do not fit well; the brief of a skill has these in any case."""
    where = _describe_scope(app, scope)
    if scope.skill and answer.fit == "none":
        said = f"no note {where} shares a word or a meaning with the question; these are its notes"
        return NoAnswer("unrelated", said, ())
    doubt = f"no note {where} fits the question well"
    if scope.skill:
        return NoAnswer("unsure", doubt, ()) if question.meant else None
    wider = _list_wider(app, scope, question, door)
    # the brief says that it is unsure; an agent pays for each further word
    hints = wider if door == "command" else wider[:-1]
    return NoAnswer("unsure", doubt, hints)


def _explain_budget(app: App, answer: RecallAnswer, where: str, door: Door) -> NoAnswer:
    tokens = answer.tokens
    fits = tokens * _TOKEN <= app.config.integer("brief.max_characters")
    if answer.brief.notes:
        hint = _hint("cut", door, count=tokens) if fits else _hint("characters", door)
        return NoAnswer("budget", "the budget cuts the sentence that answers", (hint,))
    hint = _hint("budget", door, count=tokens) if fits else _hint("characters", door)
    return NoAnswer("budget", f"the budget is too small for any note {where}", (hint,))


def _explain_untold(app: App, untold: UntoldNotes, where: str, door: Door) -> NoAnswer:
    """Say how many notes about a question are not told, and where to look for them."""
    count = len(untold.notes)
    about = "about this" if untold.fitting else "that may be about this"
    are = f"1 note {about} {where} is" if count == 1 else f"{count} notes {about} {where} are"
    return NoAnswer("withheld", f"{are} not told", list_causes(app, untold.notes, door))


def _explain_function_words(door: Door) -> NoAnswer:
    """Explain that function words say too little for a note to fit them."""
    said = "the question has only words that most sentences have"
    return NoAnswer("wordless", said, (_hint("name it", door),))


def _explain_nothing(
    app: App, scope: Scope, question: AskedQuestion, where: str, door: Door
) -> NoAnswer:
    """Explain an answer of no note, or of notes that have nothing to do with the question."""
    which = filter_visible_notes(app.store, scope)
    if not list_tellable(app, app.store.notes(which, limit=_LOOKED_AT)):
        notes = app.store.notes(which, limit=_MOST)
        if not notes:
            return _explain_empty(app, scope, where, door)
        if not list_tellable(app, notes):
            said = f"no note {where} may be told"
            return NoAnswer("withheld", said, list_causes(app, notes, door))
    if not question.is_telling:
        return _explain_function_words(door)
    said = f"no note {where} shares a word or a meaning with the question"
    return NoAnswer("unrelated", said, _list_wider(app, scope, question, door))


def list_causes(app: App, notes: Sequence[Note], door: Door) -> tuple[str, ...]:
    """Say why notes may not be told, and how many for each cause."""
    return tuple(
        _hint(cause, door, count=len(those), names=list_handles(those))
        for cause, those in sort_by_cause(app, notes).items()
    )


def _list_wider(app: App, scope: Scope, question: AskedQuestion, door: Door) -> tuple[str, ...]:
    """Say where to look next; skills are named if notes of theirs fit."""
    skills = ""
    if not scope.skill:
        which = filter_visible_notes(app.store, scope).but(skill=None)
        near = search_notes(app.store, question.text, which, limit=_LOOKED_AT)
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
    if counts.get("pages"):
        were += " but tasks and pages"
    hints.append(_hint(first, door, names=scope.skill))
    return NoAnswer("empty", f"{were} {where}", tuple(hints))


def _count_others(app: App, scope: Scope) -> dict[str, int]:
    """Count the notes that an empty scope leaves out: not active, of skills, of other projects."""
    count, here = app.store.count_notes, filter_visible_notes(app.store, scope)
    around = here.but(skill=scope.skill or None)
    counts = {
        "waiting": count(here.but(statuses=WAITING)),
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
