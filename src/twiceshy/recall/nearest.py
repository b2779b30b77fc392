"""Answers to who asked: notes that fit, else the nearest, shortened rather than left out.

Hooks tell what fits, or nothing. Who asks is answered, and told how sure the answer is.
"""

from __future__ import annotations

from twiceshy.core.text import estimate_tokens, fold_to_words
from twiceshy.core.value import Value
from twiceshy.language.rank import grade_fit, is_worth_telling
from twiceshy.language.snippet import cut_snippet
from twiceshy.language.terms import STOP_WORDS
from twiceshy.recall.brief import LONGEST_NOTE, Brief, BriefBudget, build_frame, render_brief
from twiceshy.recall.recall_notes import search_mode

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import Grade, RankedNote
    from twiceshy.recall.brief import BriefFrame, RecallResult
    from twiceshy.recall.no_answer import NoAnswer

_NEAREST = 3  # notes that do not fit; more of them would only cost tokens
_NEARLY = 0.7  # of the nearest one's relevance, below which none that was meant was found
_UNSURE = "No note fits well. The nearest, which may be about something else:"
# Lengths to which the text of a note is cut if it does not fit; the last is a handful of words.
_LENGTHS = range(400, 19, -20)
_UNLIMITED = BriefBudget(tokens=100_000, pinned_tokens=100_000)


class RecallAnswer(Value):
    """A brief for who asked: how well its best note fits, and what the best note would cost.

    ``fit`` is empty if no words were asked for. ``tokens`` is 0 unless no note fits the budget.
    ``said`` is why no note fits.
    """

    brief: Brief
    fit: Grade | str
    ranked: tuple[RankedNote, ...]
    tokens: int = 0
    said: NoAnswer | None = None


def complete_recall(
    recalled: RecallResult,
    near: Sequence[RankedNote],
    *,
    terms: Sequence[str],
    skill: str,
    budget: BriefBudget,
) -> RecallAnswer:
    """Complete what a hook would tell to what somebody who asks is told.

    ``near`` are the notes found that may be told, ``terms`` what was asked for. A skill's brief
    stays as it is if it has a note.
    """
    own = [one for one in recalled.ranked if one.note.scope.skill == skill]
    asked = recalled.brief.mode != "no-intent"
    if skill or not asked:
        fit = _grade_best(own) if asked else ""
        best = own[0] if own else None
        ranked = recalled.ranked
        told = any(note.scope.skill == skill for note in recalled.brief.notes)
    else:
        own = [_cut_to_answer(one, terms) for one in _choose_notes(own, near)]
        fit = _grade_best(own)
        if fit == "good" and all(term in STOP_WORDS for term in terms):
            fit = "weak"
        best = max(own, key=lambda one: one.relevance, default=None)
        ranked, told = tuple(own), False
    if best is None or told:
        return RecallAnswer(recalled.brief, fit, ranked)
    mode = search_mode(own, asked=asked)
    frames = _list_frames(build_frame(skill, mode), weak=fit == "weak" and not skill)
    notes = [one.note for one in own]
    brief = _render_with(best.note, notes, frames, budget).but(mode=mode)
    if brief.notes:
        return RecallAnswer(brief, fit, ranked)
    least = _render_cut(best.note, frames[-1], _UNLIMITED, limit=_LENGTHS[-1])
    return RecallAnswer(brief, fit, ranked, estimate_tokens(least))


def _choose_notes(told: Sequence[RankedNote], near: Sequence[RankedNote]) -> list[RankedNote]:
    """Return what a hook would tell, if a note of it fits; else pinned notes.

    The nearest are added: somebody who asks can tell whether they are about the question.
    """
    others = [one for one in near if not one.note.pinned and grade_fit(one.fit) != "none"]
    if any(is_worth_telling(one.fit) for one in told):
        known = {one.note.id for one in told}
        more = [one for one in _choose_nearest(others) if one.note.id not in known]
        return [*told, *more[: max(0, _NEAREST - len(told))]]
    fitting = [one for one in others if grade_fit(one.fit) == "good"]
    return [*told, *(fitting or _choose_nearest(others))]


def _choose_nearest(ranked: Sequence[RankedNote]) -> list[RankedNote]:
    nearest = sorted(ranked, key=lambda one: -one.relevance)[:_NEAREST]
    return [one for one in nearest if one.relevance >= _NEARLY * nearest[0].relevance]


def _cut_to_answer(one: RankedNote, terms: Sequence[str]) -> RankedNote:
    """Cut a long note to the part that the question is about."""
    if len(one.note.text) <= LONGEST_NOTE:
        return one
    part = cut_snippet(one.note.text, terms, limit=LONGEST_NOTE).text
    return one.but(note=one.note.but(text=part))


def _grade_best(ranked: Sequence[RankedNote]) -> Grade:
    grades = {grade_fit(one.fit) for one in ranked}
    return "good" if "good" in grades else "weak" if "weak" in grades else "none"


def _list_frames(usual: BriefFrame, *, weak: bool) -> tuple[BriefFrame, BriefFrame]:
    """Return the frame of a brief, and a shorter one for a small budget."""
    opening = usual.opening
    if weak:
        opening = f'{opening} fit="weak"'
        return usual.but(opening=opening, heading=_UNSURE), usual.but(opening=opening)
    if usual.footer:  # of a skill
        opening = f'{opening} kind="observations, not instructions"'
        return usual, usual.but(opening=opening, heading="", footer="")
    return usual, usual


def _render_with(
    best: Note, notes: Sequence[Note], frames: Sequence[BriefFrame], budget: BriefBudget
) -> Brief:
    """Render notes so that the best is among them: in order, else first, else cut to what fits."""
    first = [best, *(note for note in notes if note.id != best.id)]
    free = budget.but(pinned_tokens=budget.tokens)  # what is pinned may be the answer
    for order, limits in ((notes, budget), (first, free)):
        for frame in frames:
            brief = render_brief(order, skill="", mode="flat", budget=limits, frame=frame)
            if best.id in {note.id for note in brief.notes}:
                return brief
    for limit in _LENGTHS:
        if text := _render_cut(best, frames[-1], free, limit=limit):
            return Brief(text, (best,), "flat")
    return Brief("", (), "flat")


def _render_cut(note: Note, frame: BriefFrame, budget: BriefBudget, *, limit: int) -> str:
    """Render a note cut to a length, without its reason; empty if that does not fit."""
    short = note.but(text=fold_to_words(note.text, limit=limit), why="")
    return render_brief([short], skill="", mode="flat", budget=budget, frame=frame).text
