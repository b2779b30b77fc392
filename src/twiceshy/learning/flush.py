"""Make notes of the lessons written down by a session; their sources stay unchanged."""

from __future__ import annotations

from twiceshy.core.admit import Refused, SeenAgain
from twiceshy.core.errors import NoteError
from twiceshy.core.moment import parse_day
from twiceshy.core.note import SHOWN
from twiceshy.core.trust import ORIGINS
from twiceshy.core.value import Value
from twiceshy.learning.lesson_sections import Passage, parse_checkpoint
from twiceshy.notes import knowledge
from twiceshy.notes.take_note import take_note
from twiceshy.safety.danger import find_danger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.admit import Admitted, Revised, Superseding
    from twiceshy.core.draft import Draft
    from twiceshy.core.evidence import Signal
    from twiceshy.core.note import Note

    Became = Literal["noted", "seen", "waiting"]


class FlushedLesson(Value):
    """A lesson and its result: noted, seen before, or waiting."""

    became: Became
    note: Note


class FlushResult(Value):
    """Kept and refused lessons; ``left`` counts lessons beyond the limit."""

    kept: tuple[FlushedLesson, ...]
    refused: tuple[tuple[str, str], ...]  # lesson and reason
    left: int
    closed: tuple[str, ...]  # the checkpoints that are not taken again


def keep_lessons(
    app: App,
    passages: Sequence[Passage],
    checkpoints: Iterable[Signal],
    *,
    draft: Draft,
    most: int,
    close: bool = True,
) -> FlushResult:
    """Keep the first lessons as a single change: own passages, checkpoints, then printed ones.

    ``draft`` gives the skill and the source. ``close`` pairs a checkpoint with the note it
    became once every lesson of the checkpoint is kept, and such a checkpoint is not used again.
    """
    raw = {one.key: parse_checkpoint(one.excerpt) for one in checkpoints if not one.pair}
    ordered = _order_lessons(passages, raw.values())
    kept: dict[str, FlushedLesson] = {}
    refused: list[tuple[str, str]] = []
    with app.store.change():
        for lesson in ordered[:most]:
            try:
                outcome = take_note(app, _build_draft(draft, lesson, now=app.store.now()))
            except NoteError as error:
                outcome = Refused(str(error), error.hint)
            if isinstance(outcome, Refused):
                refused.append((lesson.text, outcome.reason))
            else:
                kept[lesson.text.casefold()] = FlushedLesson(
                    _classify_outcome(outcome), outcome.note
                )
        closed = [
            one.key
            for one in checkpoints
            if one.key in raw
            and _attest_checkpoint(
                app, one, [kept.get(text.casefold()) for text in raw[one.key]], close=close
            )
        ]
    return FlushResult(
        kept=tuple(kept.values()),
        refused=tuple(refused),
        left=max(0, len(ordered) - most),
        closed=tuple(closed),
    )


def _order_lessons(passages: Sequence[Passage], raw: Iterable[Sequence[str]]) -> list[Passage]:
    """Return each lesson once; a placeholder (a list without lessons) is skipped."""
    written = [Passage(text) for texts in raw for text in texts]
    first = [one for one in passages if not one.printed]
    last = [one for one in passages if one.printed]
    once: dict[str, Passage] = {}
    for one in (*first, *written, *last):
        if knowledge.parse_lessons(f"- {one.text}"):
            once.setdefault(one.text.casefold(), one)
    return list(once.values())


def _build_draft(draft: Draft, lesson: Passage, *, now: int) -> Draft:
    """Return the draft for a lesson, with its optional month and tag as in KNOWLEDGE.md."""
    (read,) = knowledge.parse_lessons(f"- {lesson.text}")
    return draft.but(
        text=read.text,
        tag=read.tag,
        learned_at=min(now, parse_day(read.month)) if read.month else 0,
        # a risky lesson is the session's word, whoever hands it in, and waits as an agent's does
        source="agent" if find_danger(read.text) else draft.source,
        trust=ORIGINS["output"] if lesson.printed else draft.trust,
    )


def _classify_outcome(outcome: Admitted | SeenAgain | Revised | Superseding) -> Became:
    if outcome.note.status not in SHOWN:
        return "waiting"
    return "seen" if isinstance(outcome, SeenAgain) else "noted"


def _attest_checkpoint(
    app: App, checkpoint: Signal, kept: Sequence[FlushedLesson | None], *, close: bool
) -> bool:
    """Attest notes with their checkpoint; True if the checkpoint is closed now."""
    notes = [one.note for one in kept if one]
    for note in notes:
        app.store.record_evidence(note.id, checkpoint.key, checkpoint.key, at=app.store.now())
    if not close or not notes or len(notes) < len(kept):
        return False
    app.store.save_records(checkpoint.but(pair=notes[0].id))
    return True
