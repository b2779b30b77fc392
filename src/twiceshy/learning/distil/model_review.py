"""Let a configured model refine the lessons of a session; a model can only propose.

Additions are admitted like any other draft. An existing note is reworded, replaced or
doubted only if a machine wrote it, and its history keeps the old state: no change can remove
a user's note. The log has a redacted line per event, owner-readable, limited in size.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque

from twiceshy.core.admit import Admitted, Refused, Revised, SeenAgain, Superseding
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.model_ledger import find_last_answer, is_spent, start_of_day
from twiceshy.core.moment import format_stamp
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.scope import GLOBAL, NO_SKILL, Scope
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.transcript import CallStep
from twiceshy.core.trust import INJECTABLE
from twiceshy.core.value import Value
from twiceshy.files.log import append_lines
from twiceshy.learning.distil.answer import Refusal
from twiceshy.learning.distil.ask_model import Allowance, distil, list_log_events
from twiceshy.learning.distil.material import (
    Section,
    build_material,
    count_evidence,
    cut_known,
    select_corrections,
)
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.find_by_name import find_notes_by_name
from twiceshy.notes.said_preference import is_said_preference
from twiceshy.notes.write import change_note, write_draft

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.transcript import Step
    from twiceshy.learning.distil.ask_model import ProposedChange
    from twiceshy.learning.distil.material import Evidence, Material, Purpose
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.notes.write import Outcome

_MOST_STEPS = 4_000  # from the end; the material is far shorter
_MOST_SKILLS = 20  # of a session, the last used
_MOST_EXISTING, _MOST_EXISTING_IN_ALL = 10, 40  # notes shown in a section, and in a request
_KNOWN_KINDS: dict[Purpose, tuple[str, ...]] = {
    "lessons": ("lesson",),
    "principles": ("lesson",),
    "corrections": ("decision", "pattern", "preference"),
}
_SAID = "said:"  # how the key of a correction's signal begins; the rest is the id of its step
LOG_NAME = "distiller.log"
_LONGEST_LINE, _LONGEST_SESSION = 1_000, 8  # characters in the log
MACHINES = ("detector", "distiller", "historian")


class AppliedChanges(Value):
    """Result of the proposals: new notes, known notes seen or changed, and refusals."""

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class ModelReview:
    """Collects the steps not yet seen by the model, and asks the model about them."""

    def __init__(self, app: App, origin: SessionOrigin) -> None:
        self._app, self._origin = app, origin
        self._now = app.store.now()  # before a step is read: what comes later is asked about later
        self._chosen = app.config.text("distiller.backend") != "none"
        calls = app.store.list_model_calls() if self._chosen else ()
        self._since = find_last_answer(calls, session=origin.session)
        self._steps: deque[Step] = deque(maxlen=_MOST_STEPS)

    def add_step(self, step: Step) -> None:
        """Add a step of the transcript."""
        if self._chosen and step.at > self._since:
            self._steps.append(step)

    def ask_model(self) -> None:
        """Ask once about a finished session: each skill, general principles, and corrections."""
        app, now = self._app, self._now
        model = app.build_completer()
        if model is None:
            return
        distilled = distil(
            list(self._list_sections()),
            allowance=_read_allowance(app, now),
            spent_on=lambda material: is_spent(app.store.list_model_calls(), material),
            complete=model.complete,
            redact=app.redact,
            now=now,
        )
        app.store.save_records(*distilled.spendings)
        apply_proposals(app, distilled.proposals)
        log_events(app, self._origin.session, list_log_events(distilled), at=now)

    def _list_sections(self) -> Iterator[Section]:
        uses = self._app.store.list_skill_uses(self._origin.session, "")
        skills = [use.skill for use in uses if use.how == "active"][:_MOST_SKILLS]
        said = self._list_corrected_steps()
        most = max(1, min(_MOST_EXISTING, _MOST_EXISTING_IN_ALL // (len(skills) + 2)))
        of_session, evidence = self._build_material(self._steps), count_evidence(self._steps)
        for number, skill in enumerate(skills or [NO_SKILL], start=1):
            scope = Scope(self._origin.project, skill)
            yield self._build_section(
                f"lessons-{number}", "lessons", scope, of_session, evidence, most=most
            )
        if skills:
            yield self._build_section(
                "principles", "principles", GLOBAL, of_session, evidence, most=most
            )
        if said:
            chosen = select_corrections(self._steps, said)
            corrected = sum(step.id in said for step in chosen if not isinstance(step, CallStep))
            yield self._build_section(
                "corrections", "corrections", Scope(self._origin.project),
                self._build_material(chosen), evidence.but(signals=corrected), most=most,
            )  # fmt: skip

    def _list_corrected_steps(self) -> set[str]:
        """Return the ids of the steps in which the user corrected the agent."""
        signals = self._app.store.list_signals(sessions=(self._origin.session,), limit=_MOST_STEPS)
        return {one.key.removeprefix(_SAID) for one in signals if one.kind == "correction"}

    def _build_material(self, steps: Iterable[Step]) -> Material:
        return build_material(
            steps,
            project=self._origin.project,
            lines=self._app.config.integer("learn.transcript_lines"),
            redact=self._app.redact,
        )

    def _build_section(
        self, name: str, purpose: Purpose, scope: Scope, material: Material, evidence: Evidence,
        *, most: int,
    ) -> Section:  # fmt: skip
        """Build a section with the notes that it may change."""
        kinds = _KNOWN_KINDS[purpose]
        which = NoteFilter(projects=(scope.project,), skill=scope.skill, kinds=kinds)
        notes = self._app.store.notes(which, limit=most)
        known = cut_known([(note.handle, note.text) for note in notes], self._app.redact)
        return Section(
            name, purpose, scope, material.but(skill=scope.skill, existing=known), evidence
        )


def _read_allowance(app: App, now: int) -> Allowance:
    return Allowance(
        daily_calls=app.config.integer("distiller.daily_calls"),
        spent_today=sum(one.at >= start_of_day(now) for one in app.store.list_model_calls()),
        min_tool_calls=app.config.integer("learn.min_tool_calls"),
    )


def log_events(app: App, session: str, events: Iterable[tuple[str, str]], *, at: int) -> None:
    """Append events, such as ``("SKIP", "nothing went wrong")``; a full disk loses them quietly.

    The log is where the settings say, or in the memory home while debugging; else there is none.
    """
    config = app.config
    at_home = os.path.join(config.home, LOG_NAME) if config.flag("distiller.debug") else ""
    path = config.text("logs.distiller") or at_home
    if not path:
        return
    when = format_stamp(at)[:19].replace("T", " ")
    who = fold_to_line(strip_unsafe(session), limit=200)[:_LONGEST_SESSION] or "-"
    lines = [
        fold_to_line(
            strip_unsafe(app.redact(f"{when} | {who} | {event} | {text}")), limit=_LONGEST_LINE
        )
        for event, text in events
    ]
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    append_lines(path, lines, most=config.integer("retention.log_kilobytes") << 10)


def apply_proposals(app: App, proposals: Sequence[ProposedChange]) -> AppliedChanges:
    """Apply the proposals; a failed change is reported and does not stop the rest."""
    taken = AppliedChanges()
    for proposal in proposals:
        try:
            taken = _add_outcome(taken, _apply_proposal(app, proposal))
        except TwiceshyError as error:  # too long, unsafe, busy, gone
            refused = Refusal(_describe_proposal(proposal), str(error))
            taken = taken.but(refusals=(*taken.refusals, refused))
    return taken


def _add_outcome(applied: AppliedChanges, outcome: Outcome | Note | Refusal) -> AppliedChanges:
    match outcome:
        case Admitted(note=note) | Superseding(note=note):
            return applied.but(new=(*applied.new, note.handle))
        case Refused(reason=reason):
            return applied.but(refusals=(*applied.refusals, Refusal("add", reason)))
        case Refusal():
            return applied.but(refusals=(*applied.refusals, outcome))
        case SeenAgain(note=note) | Revised(note=note):
            return applied.but(known=(*applied.known, note.handle))
        case Note():
            return applied.but(known=(*applied.known, outcome.handle))


def _apply_proposal(app: App, proposal: ProposedChange) -> Outcome | Note | Refusal:
    if proposal.op == "add":
        return write_draft(app, proposal.draft)
    named = find_notes_by_name(app.store, proposal.note)
    if len(named) != 1:
        return Refusal(_describe_proposal(proposal), "the note is no longer there")
    if proposal.op == "reinforce":
        return write_draft(app, _repeat_note(proposal.draft, named[0]))
    if not _may_change(named[0], proposal.draft):
        return Refusal(_describe_proposal(proposal), "the note is not a model's to change")
    return _change_note(app, proposal, named[0])


def _may_change(note: Note, draft: Draft) -> bool:
    """True if a model may change a note: machine-written, shown, and not more trusted.

    A sentence of the user that waits for review may give way to the decision behind it.
    """
    if is_said_preference(note) and draft.kind != "lesson":
        return (draft.trust or 0.0) >= INJECTABLE
    own = note.source in MACHINES and note.kind == draft.kind and not note.pinned
    return own and note.status in SHOWN and note.trust <= (draft.trust or 0.0)


def _change_note(app: App, proposal: ProposedChange, note: Note) -> Outcome | Note:
    draft = proposal.draft
    match proposal.op:
        case "refine":
            return edit_fields(app, note, {"text": draft.text})
        case "supersede":
            return write_draft(app, draft.but(scope=note.scope, supersedes=note.id))
        case _:
            reason = f"contradicted: {draft.why}"
            return change_note(app, "doubt", note, status="candidate", reason=reason)


def _repeat_note(draft: Draft, note: Note) -> Draft:
    """Return a draft with the words of a note, for counting the note as seen."""
    return draft.but(
        kind=note.kind, subtype=note.subtype, text=note.text, why="", tag=note.tag,
        scope=note.scope, trigger="",
    )  # fmt: skip


def _describe_proposal(proposal: ProposedChange) -> str:
    return f"{proposal.op} {proposal.note or proposal.draft.text[:60]}"
