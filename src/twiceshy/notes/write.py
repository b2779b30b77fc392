"""Write a draft: new, seen again, superseding or refused; then enforce the limits."""

from __future__ import annotations

from itertools import islice

from twiceshy.core.admit import (
    FADED,
    Admitted,
    Refused,
    RelatedNotes,
    Revised,
    SeenAgain,
    Superseding,
    admit,
    build_seen_outcome,
    trust_of_draft,
)
from twiceshy.core.draft import MAX_TEXT, Draft, prepare
from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import SEE, UNDO, WRITE, fields_to_write
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.similar import THRESHOLD
from twiceshy.language.terms import query_terms
from twiceshy.notes.decay import (
    expiry_time,
    is_learned_candidate,
    list_over_cap,
    sort_least_valuable,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.config.resolved import Config
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

    Written = Admitted | SeenAgain | Revised | Superseding
    Outcome = Written | Refused


_BROUGHT_BACK = ("restore", "accept", "keep", "undo")
_REPLACEABLE = ("decision", "pattern", "preference", "lesson")
_MOST_REPLACEABLE = 6
_LONGEST_AMENDMENT = 4_000
_LONGEST_LINE = 2_000  # of a note that a person is asked about
_MOST_RETIRED = 200  # candidates at a time; the next write or the next day goes on


class NoteLimits(Value):
    """Limits of notes: caps, lifetimes, near-duplicate threshold."""

    skill_max: int = 100
    global_max: int = 100
    candidates_max: int = 120
    eviction: str = "value"
    near: float = THRESHOLD
    longest: int = MAX_TEXT
    expiry_days: Mapping[str, int] = {}
    proposal_days: int = 30


def require_written(outcome: Outcome) -> Written:
    """Return the outcome of a draft that became a note; NoteError if it was refused."""
    if isinstance(outcome, Refused):
        raise NoteError(outcome.reason, hint=outcome.hint)
    return outcome


def note_limits_of(config: Config) -> NoteLimits:
    """Return the note limits of the user's settings."""
    return NoteLimits(
        skill_max=config.integer("notes.skill_max"),
        global_max=config.integer("notes.global_max"),
        candidates_max=config.integer("notes.candidates_max"),
        eviction=config.text("eviction.policy"),
        near=config.number("notes.near_duplicate"),
        longest=config.integer("notes.max_characters"),
        expiry_days=config.counts("expiry.days", project=False),
        proposal_days=config.integer("notes.proposal_days"),
    )


def write_draft(
    app: App, draft: Draft, *, keep_apart: bool = False, bounds: NoteLimits | None = None
) -> Outcome:
    """Decide about a draft and record the outcome, as one change.

    ``keep_apart`` keeps a near-duplicate as a separate note. ``bounds`` default to the settings.
    """
    if bounds is None:
        lifetimes = app.lifetimes_of(draft.scope.project)
        bounds = note_limits_of(app.config).but(expiry_days=lifetimes)
    draft = prepare(draft, app.gate_of(draft.scope.project), longest=bounds.longest)
    draft = draft.but(origin_session=draft.origin_session or app.store.author)
    learned_at = draft.learned_at or app.store.now()
    asked = None
    with app.store.change():
        # who writes a note again, or keeps it apart, has decided that both hold
        if not (draft.supersedes or keep_apart or _is_known(app.store, draft)):
            draft, asked = _judge_older_notes(app.store, draft)
        known = _find_related(app.store, draft, near=None if keep_apart else bounds.near)
        known = known.but(asked=asked)
        until = expiry_time(
            draft.kind, draft.subtype, learned_at=learned_at, days=bounds.expiry_days
        )
        note_id, now = app.store.new_id(), app.store.now()
        outcome = admit(draft, known, note_id=note_id, now=now, expires_at=until)
        outcome = _carry_out(app, outcome, known, bounds)
        if isinstance(outcome, SeenAgain) and draft.skill_hash:
            # learned again under this version of the skill, so it holds for this one
            note = change_note(app, "confirm", outcome.note, skill_hash=draft.skill_hash)
            return outcome.but(note=note)
        return outcome


def _carry_out(app: App, outcome: Outcome, known: RelatedNotes, bounds: NoteLimits) -> Outcome:
    match outcome:
        case Admitted(note):
            app.store.record_entry(WRITE, note.id, fields_to_write(note))
            retire_surplus(app, note.scope, bounds, newest=note.id)
            if is_learned_candidate(note):
                retire_surplus_candidates(app, note.scope.project, bounds, newest=note.id)
        case Superseding(note, old):
            supersede_note(app, old, by=note)
            app.store.record_entry(WRITE, note.id, fields_to_write(note))
        case SeenAgain(note, variant, revived):
            revived = revived and not is_held_back(app.store, note)
            if known.old:  # what shall replace it is there already
                supersede_note(app, known.old, by=note)
            note = _record_sighting(app, note, variant, revived=revived)
            return SeenAgain(note, variant, revived)
        case Revised(note, text):
            return Revised(change_note(app, "edit", note, text=text), text)
        case Refused():
            pass
    return outcome


def count_sighting(app: App, note: Note, draft: Draft) -> Note:
    """Count a sighting in the words of a draft; may end the probation."""
    with app.store.change():
        note = reread_note(app.store, note)
        met = build_seen_outcome(draft, note)
        revived = met.revived and not is_held_back(app.store, note)
        return _record_sighting(app, note, met.variant, revived=revived, at=draft.learned_at)


def supersede_note(app: App, old: Note, *, by: Note) -> None:
    """Retire a note in favour of another note."""
    reason = f"superseded by {by.handle}"
    change_note(app, "supersede", old, status="retired", reason=reason, superseded_by=by.id)


def change_note(app: App, op: str, note: Note, **fields: object) -> Note:
    """Set fields of a note, with undo; unchanged fields are ignored.

    What was quarantined is shown again by a person alone.
    """
    with app.store.change():
        note = reread_note(app.store, note)
        if fields.get("status") in SHOWN and is_held_back(app.store, note):
            require_person_to_show([note])
        now = {**note.fields(), "project": note.scope.project, "skill": note.scope.skill}
        after = {name: value for name, value in fields.items() if now[name] != value}
        if not after:
            return note
        before = {name: now[name] for name in after}
        return app.store.record_entry(op, note.id, after, before=before) or note


def is_held_back(store: Store, note: Note) -> bool:
    """True if a hidden note was quarantined, and no person has decided about it since."""
    if note.status in SHOWN:
        return False
    stated = (
        (entry.op, (entry.after or {}).get("status")) for entry in store.history(note.id)[::-1]
    )
    # undoing takes a note through its earlier states, and is no decision
    last = next((s for op, s in stated if s == "quarantined" or (s in SHOWN and op != UNDO)), "")
    return "quarantined" in (note.status, last)


def require_person_to_show(notes: Iterable[Note]) -> None:
    """Go on if a person confirmed that quarantined notes are shown; else PersonNeededError."""
    from twiceshy.notes.person import require_person  # noqa: PLC0415 - few changes show a note

    lines = (
        f"{note.handle}: {fold_to_line(strip_unsafe(note.text), limit=_LONGEST_LINE)}"
        for note in notes
    )
    require_person("decide", lines)


def reread_note(store: Store, note: Note) -> Note:
    """Read a note again inside a change; it may have changed."""
    known = store.note(note.id)
    if known is None:
        raise NotFoundError(f"{note.handle} is no longer there", hint="see: twiceshy list")
    return known


def count_merged_note(app: App, kept: Note, gone: Note) -> Note:
    """Add the sightings of a merged note to the note that stays."""
    merged = {"times": gone.sightings, "learned_at": gone.learned_at, "merged": gone.id}
    return app.store.record_entry(SEE, kept.id, merged) or kept


def retire_surplus(app: App, scope: Scope, bounds: NoteLimits, *, newest: str = "") -> list[Note]:
    """Retire the least valuable notes beyond the cap of a scope, but not the newest note."""
    if scope.skill:
        cap = bounds.skill_max
    elif scope.project == EVERYWHERE:
        cap = bounds.global_max
    else:
        return []
    own = NoteFilter(projects=(scope.project,), skill=scope.skill)
    if app.store.count_notes(own) <= cap:
        return []
    notes, now = app.store.notes(own, limit=None), app.store.now(believed=True)
    surplus = list_over_cap(notes, cap=cap, now=now, policy=bounds.eviction, spared=newest)
    fields = {"status": "retired", "reason": f"over the cap of {cap}"}
    return [change_note(app, "retire", note, **fields) for note in surplus]


def retire_surplus_candidates(
    app: App, project: str, bounds: NoteLimits, *, newest: str = "", most: int = _MOST_RETIRED
) -> list[Note]:
    """Retire the least valuable learned candidates of a project beyond its cap.

    The newest note stays, and so does every note that a person brought back.
    """
    cap, which = bounds.candidates_max, NoteFilter(projects=(project,), statuses=("candidate",))
    if app.store.count_notes(which) <= cap:
        return []
    notes = [note for note in app.store.notes(which, limit=None) if is_learned_candidate(note)]
    loose = (note for note in notes if note.id != newest)
    ranked = sort_least_valuable(loose, now=app.store.now(believed=True), policy=bounds.eviction)
    loose = (note for note in ranked if not find_return_time(app.store, note))
    surplus = list(islice(loose, max(0, min(len(notes) - cap, most))))
    fields = {"status": "retired", "reason": f"{FADED}one of more than {cap} candidates"}
    return [change_note(app, "retire", note, **fields) for note in surplus]


def find_return_time(store: Store, note: Note) -> int:
    """Return the last time a person or a new mistake brought a note back; 0 if never."""
    returned = (
        entry.at
        for entry in store.history(note.id)
        if entry.op in _BROUGHT_BACK and (entry.after or {}).get("status") in SHOWN
    )
    return max(returned, default=0)


def _is_known(store: Store, draft: Draft) -> bool:
    """True if a note of the scope says the same, and nothing took its place."""
    known = store.find_duplicate(draft)
    return known is not None and known.fingerprint == draft.fingerprint


def _judge_older_notes(store: Store, draft: Draft) -> tuple[Draft, Note | None]:
    """Return the draft with the note that it supersedes, and the note that it may supersede.

    Only notes trusted no more than the draft are superseded, and a person's only by a person; an
    agent's draft about a person's note is asked about.
    """
    if draft.kind not in _REPLACEABLE or draft.trigger or len(draft.text) > _LONGEST_AMENDMENT:
        return draft, None
    from twiceshy.language.replacement import find_replaced  # noqa: PLC0415 - few hooks write notes
    from twiceshy.store.vectors import compare_terms  # noqa: PLC0415 - as above

    trust, kin = trust_of_draft(draft), draft.source == "user"
    older = [
        note
        for note in _find_about_same(store, draft)
        if (note.trust <= trust or draft.source == "agent")
        and not note.pinned
        and note.fingerprint != draft.fingerprint
    ]
    verdict, found = find_replaced(draft.text, older, compare_terms)
    may_retire = found is not None and (kin or found.source != "user") and found.trust <= trust
    if verdict == "replaces" and found and may_retire:
        return draft.but(supersedes=found.id), None
    return draft, found


def _find_about_same(store: Store, draft: Draft) -> list[Note]:
    """Return notes with words of a draft, and if they are few, notes about what its tools may replace."""
    from twiceshy.language.alternatives import list_alternatives  # noqa: PLC0415 - few hooks write notes

    scope, terms = draft.scope, query_terms(draft.text)
    which = NoteFilter(projects=(scope.project,), skill=scope.skill, kinds=(draft.kind,))
    found = list(store.search_notes(terms, which, limit=_MOST_REPLACEABLE).notes)
    left, others = _MOST_REPLACEABLE - len(found), list_alternatives(terms)
    if left <= 0 or not others:
        return found
    known = {note.id for note in found}
    more = store.search_notes(others, which, limit=left).notes
    return found + [note for note in more if note.id not in known]


def _find_related(store: Store, draft: Draft, *, near: float | None) -> RelatedNotes:
    duplicate = store.find_duplicate(draft)
    close = None
    if draft.kind not in ("task", "page") and duplicate is None and near is not None:
        close = store.find_near_duplicate(draft, threshold=near)
    return RelatedNotes(
        duplicate=duplicate,
        near=close,
        old=store.note(draft.supersedes) if draft.supersedes else None,
        forgotten=store.is_forgotten(draft.scope, draft.fingerprint),
    )


def _record_sighting(app: App, note: Note, variant: str, *, revived: bool, at: int = 0) -> Note:
    after: dict[str, object] = {"variant": variant} if variant else {}
    if at:
        after["learned_at"] = at
    seen = app.store.record_entry(SEE, note.id, after or None) or note
    return change_note(app, "restore", seen, status="active", reason="") if revived else seen
