"""A simple memory for the synthetic world: it knows the lessons, shows or withholds them, and keeps count."""

import json
from dataclasses import dataclass, field, replace
from functools import cache

from tests.core.builders import a_note, an_id
from tests.world.agents import Listener, Session, World, acts_of
from tests.world.pitfalls import ROOTS, Pitfall

from twiceshy.core.evidence import Exposure
from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.core.scope import Scope
from twiceshy.core.text import estimate_tokens
from twiceshy.core.transcript import CallStep
from twiceshy.core.trigger import parse_trigger, tool_family
from twiceshy.effect.holdout import is_withheld, lot_for
from twiceshy.effect.judge import judge_exposures
from twiceshy.learning.detect.lesson import build_lesson
from twiceshy.shell.call_words import call_words


@cache
def note_about(pitfall: Pitfall, number: int = 1) -> Note:
    """Return the note that the detectors make of this pitfall, as the agent first met it."""
    plain = replace(pitfall, slips=1, fails=1, wrong=pitfall.wrong[:1], right=pitfall.right[:1])
    world = World(0, (plain,), tasks=1, repairs=1)
    acts = acts_of(world.session(0, Listener()).steps)
    failed = next(act for act in acts if act.mistake)
    fix = acts[acts.index(failed) + 1]
    if pitfall.advised:
        fix = fix.but(arguments=pitfall.advised)
    lesson = build_lesson(failed, fix, root=ROOTS[pitfall.project])
    assert lesson is not None
    return a_note(
        lesson.text,
        id=an_id(number),
        scope=Scope(pitfall.project, ""),
        trigger=lesson.trigger.to_line(),
        why=lesson.evidence,
        subtype="fix",
        source="detector",
        trust=0.8,
        learned_at=0,
        written_at=0,
    )


@dataclass
class Memory(Listener):
    """Shows each note once a session: at its start, or when its trigger matches a call."""

    notes: list[Note]
    share: float = 0.1
    channel: str = "call"
    exposures: dict[str, list[Exposure]] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    shown: dict[str, int] = field(default_factory=dict)

    def starts(self, session: Session) -> list[str]:
        own = [note for note in self.notes if note.scope.project == session.project]
        return self._tell(session, own, session.began) if self.channel == "start" else []

    def calls(self, session: Session, call: CallStep) -> list[str]:
        if self.channel != "call":
            return []
        parts = call_words(json.loads(call.arguments))
        told = {each.note for each in self.exposures.get(session.id, [])}
        due = [
            note
            for note in self.notes
            if note.scope.project == session.project
            and note.id not in told
            and (trigger := parse_trigger(note.trigger))
            and trigger.matches(tool_family(call.tool), parts)
        ]
        return self._tell(session, due, call.at + 1)

    def ends(self, session: Session) -> None:
        known = {note.id: note for note in self.notes}
        seen = self.exposures.get(session.id, [])
        self.outcomes += judge_exposures(
            seen, known, acts_of(session.steps), project=session.project, over=True
        )

    def _tell(self, session: Session, notes: list[Note], at: int) -> list[str]:
        told = []
        for note in notes:
            lot = lot_for(note.but(recalls=self.shown.get(note.id, 0)), self.share)
            held = is_withheld(session.id, note.id, lot)
            key = f"{session.id}//0/{self.channel}/{note.id}"
            tokens = estimate_tokens(note.text)
            exposure = Exposure(key, note.id, session.id, self.channel, at, tokens, held, lot)
            self.exposures.setdefault(session.id, []).append(exposure)
            if not held:
                told.append(note.text)
                self.shown[note.id] = self.shown.get(note.id, 0) + 1
        return told

    def of(self, note: Note) -> list[Outcome]:
        """Return what came of one note."""
        return [outcome for outcome in self.outcomes if outcome.note == note.id]
