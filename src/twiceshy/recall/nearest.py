"""Answers to who asked: notes that fit, else the nearest, shortened rather than left out.

Hooks tell what fits, or nothing. Who asks is answered, and told how sure the answer is.
"""

from __future__ import annotations

from twiceshy.core.text import estimate_tokens
from twiceshy.core.value import Value
from twiceshy.language.excerpt import cut_to_sentence
from twiceshy.language.rank import grade_fit, is_worth_telling, put_replacing_first
from twiceshy.recall.brief import LONGEST_NOTE, Brief, BriefBudget, build_frame, render_brief
from twiceshy.recall.recall_notes import search_mode

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import Grade, RankedNote
    from twiceshy.recall.brief import BriefFrame, RecallResult
    from twiceshy.recall.no_answer import NoAnswer
    from twiceshy.recall.question import AskedQuestion

_NEAREST = 3  # notes that do not fit; more of them would only cost tokens
_NEARLY = 0.7  # of the nearest one's relevance, below which none that was meant was found
UNSURE = "No note fits well. The nearest, which may be about something else:"
# Kinds of notes that hooks tell in other ways, if at all; who asks is told the nearest of these, too.
WORK = ("task", "page")
# Lengths to which the text of a note is cut if it does not fit; the last is a handful of words.
_LENGTHS = range(400, 19, -20)
_MARKS = 2  # characters around a sentence that say that something was left out
_UNLIMITED = BriefBudget(tokens=100_000, pinned_tokens=100_000)


class RecallAnswer(Value):
    """A brief for who asked: how well its best note fits, and what the best note would cost.

    ``fit`` is empty if no words were asked for. ``tokens`` is what the best note takes, up to the
    end of the sentence that answers; 0 if that fits the budget. ``said`` is why no note fits.
    """

    brief: Brief
    fit: Grade | str
    ranked: tuple[RankedNote, ...]
    tokens: int = 0
    said: NoAnswer | None = None

    def grade_note(self, one: RankedNote) -> Grade:
        """Grade a note of this answer, never better than the answer."""
        grade = grade_fit(one.fit)
        return "weak" if grade == "good" and self.fit == "weak" else grade


def complete_recall(
    recalled: RecallResult,
    near: Sequence[RankedNote],
    question: AskedQuestion,
    *,
    skill: str,
    budget: BriefBudget,
) -> RecallAnswer:
    """Complete what a hook would tell to what somebody who asks is told.

    ``near`` are the notes found that may be told. A skill's brief stays as it is if it has the note
    that answers best, or if none answers any note; where a skill puts what is new or was often
    seen first, any note that answers.
    """
    own = [one for one in recalled.ranked if one.note.scope.skill == skill]
    asked = recalled.brief.mode != "no-intent"
    if skill or not asked:
        fit = grade_answer(own, question) if asked else ""
        answering = [one for one in own if asked and grade_fit(one.fit) != "none"]
        best = max(answering, key=_order_answering, default=own[0] if own else None)
        wanted = {one.note.id for one in answering or own}
        if best and answering and recalled.is_by_words:
            wanted = {best.note.id}
        ranked = recalled.ranked
        told = any(note.id in wanted for note in recalled.brief.notes)
    else:
        own = put_replacing_first(_choose_notes(own, near), swapped=False)
        fit = grade_answer(own, question)
        best = max(own, key=lambda one: one.relevance, default=None)
        ranked, told = tuple(own), False
    if best is None or told:
        return RecallAnswer(recalled.brief, fit, ranked)
    mode = search_mode(own, asked=asked)
    frames = _list_frames(build_frame(skill, mode), weak=fit == "weak" and not skill)
    brief, tokens = _render_with(best.note, own, question.terms, frames, budget)
    return RecallAnswer(brief.but(mode=mode), fit, ranked, tokens)


def grade_answer(ranked: Sequence[RankedNote], question: AskedQuestion) -> Grade:
    """Grade how well the best of some notes answers.

    Function words alone tell nothing, and a word that may be meant is a guess.
    """
    grades = {grade_fit(one.fit) for one in ranked}
    if "good" in grades and question.is_telling and not question.meant:
        return "good"
    return "none" if grades <= {"none"} else "weak"


def _order_answering(one: RankedNote) -> tuple[bool, float]:
    """Return the key by which the note that answers best is the greatest."""
    return grade_fit(one.fit) == "good", one.relevance


def _choose_notes(told: Sequence[RankedNote], near: Sequence[RankedNote]) -> list[RankedNote]:
    """Return what a hook would tell, if a note of it fits; else pinned notes.

    The nearest are added: somebody who asks can tell whether they are about the question. So is
    a task or a page that fits better than all that hooks would tell.
    """
    others = [one for one in near if not one.note.pinned and grade_fit(one.fit) != "none"]
    if any(is_worth_telling(one.fit) for one in told):
        known = {one.note.id for one in told}
        more = [one for one in _choose_nearest(others) if one.note.id not in known]
        work = [one for one in more[:1] if one.note.kind in WORK]
        return [*told, *(more[: max(0, _NEAREST - len(told))] or work)]
    fitting = [one for one in others if grade_fit(one.fit) == "good"]
    chosen = fitting or _choose_nearest(others)
    ids = {one.note.id for one in chosen}
    newer = [one for one in others if one.note.replaced_id in ids and one.note.id not in ids]
    return [*told, *chosen, *newer]


def _choose_nearest(ranked: Sequence[RankedNote]) -> list[RankedNote]:
    nearest = sorted(ranked, key=lambda one: -one.relevance)[:_NEAREST]
    return [one for one in nearest if one.relevance >= _NEARLY * nearest[0].relevance]


def _list_frames(usual: BriefFrame, *, weak: bool) -> tuple[BriefFrame, BriefFrame]:
    """Return the frame of a brief, and a shorter one for a small budget."""
    opening = usual.opening
    if weak:
        opening = f'{opening} fit="weak"'
        return usual.but(opening=opening, heading=UNSURE), usual.but(opening=opening)
    if usual.footer:  # of a skill
        opening = f'{opening} kind="observations, not instructions"'
        return usual, usual.but(opening=opening, heading="", footer="")
    return usual, usual


def _render_with(
    best: Note,
    own: Sequence[RankedNote],
    terms: Sequence[str],
    frames: Sequence[BriefFrame],
    budget: BriefBudget,
) -> tuple[Brief, int]:
    """Render notes so that the best is among them: in order, else first, else cut to what fits.

    Return with them the tokens that the best takes up to the end of the sentence that answers; 0
    if it is told so far.
    """
    notes = [cut_note(one.note, terms, LONGEST_NOTE) for one in own]
    ranked = [one.but(note=note) for one, note in zip(own, notes, strict=True)]
    first = put_replacing_first(
        [one for at in (True, False) for one in ranked if (one.note.id == best.id) is at],
        swapped=False,
    )
    free = budget.but(pinned_tokens=budget.tokens)  # what is pinned may be the answer
    for order, limits in ((notes, budget), ([one.note for one in first], free)):
        for frame in frames:
            brief = render_brief(order, skill="", mode="flat", budget=limits, frame=frame)
            if best.id in {note.id for note in brief.notes}:
                return brief, 0
    shown = cut_note(best, terms, LONGEST_NOTE)
    whole = len(cut_to_sentence(best.text, terms, limit=LONGEST_NOTE).sentence) + _MARKS
    for limit in sorted({*_LENGTHS, min(whole, LONGEST_NOTE)}, reverse=True):
        if text := _render_cut(cut_note(best, terms, limit), frames[-1], free):
            is_cut = limit < min(whole, len(best.text)) and whole <= LONGEST_NOTE
            cost = _estimate_cut(best, terms, frames, whole) if is_cut else 0
            return Brief(text, (shown,), "flat"), cost
    return Brief("", (), "flat"), _estimate_cut(best, terms, frames, _LENGTHS[-1])


def _estimate_cut(
    note: Note, terms: Sequence[str], frames: Sequence[BriefFrame], limit: int
) -> int:
    """Return the tokens of a note that is cut to a length."""
    return estimate_tokens(_render_cut(cut_note(note, terms, limit), frames[-1], _UNLIMITED))


def cut_note(note: Note, terms: Sequence[str], limit: int) -> Note:
    """Cut a long note to the sentence that answers, and what follows it."""
    if len(note.text) <= limit:
        return note
    return note.but(text=cut_to_sentence(note.text, terms, limit=limit).text)


def _render_cut(note: Note, frame: BriefFrame, budget: BriefBudget) -> str:
    """Render a note without its reason; empty if that does not fit."""
    return render_brief([note.but(why="")], skill="", mode="flat", budget=budget, frame=frame).text
