"""Save the facts of a session file as notes; saving the same file again changes nothing."""

from __future__ import annotations

from twiceshy.core.admit import Refused, Seen, trust_of_draft
from twiceshy.core.draft import MAX_ITEMS, Draft, prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import Scope
from twiceshy.core.text import fingerprint
from twiceshy.core.value import Value
from twiceshy.notes.edit import edit
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import bounds_of, change
from twiceshy.project.facts.extract import Unused, facts
from twiceshy.project.facts.items import OTHER
from twiceshy.safety.danger import danger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.admit import Admitted, Revised, Superseding
    from twiceshy.core.note import Note
    from twiceshy.notes.write import Outcome
    from twiceshy.project.facts.extract import Facts
    from twiceshy.project.facts.items import Fact

    Became = Literal["noted", "merged", "known", "waiting"]


class KeptFact(Value):
    """Fact saved as a note: new, merged, known before, or waiting for the user."""

    line: int
    became: Became
    note: Note


class Taken(Value):
    """Result of saving a session file; ``unused`` lists dropped lines with reasons."""

    session: str
    kept: tuple[KeptFact, ...]
    unused: tuple[Unused, ...]


def take_facts(app: App, read: Facts, *, draft: Draft) -> Taken:
    """Save the facts of a session as a single change.

    ``draft`` gives the scope, the source and the session of the facts; ``near`` is the similarity
    from which two notes count as duplicates.
    """
    near = bounds_of(app.config).near
    with app.store.change():
        taken = [_take(app, fact, draft, near) for fact in read.facts]
    refused = [one for one in taken if isinstance(one, Unused)]
    return Taken(
        session=draft.origin_session,
        kept=tuple(one for one in taken if isinstance(one, KeptFact)),
        unused=tuple(sorted([*read.unused, *refused], key=lambda one: one.line)),
    )


def take_session_facts(app: App, text: str, name: str) -> Taken:
    """Keep the facts of a session file; ``name`` is the fallback session name."""
    read = facts(text, redact=app.redact)
    nameless = f"stdin-{fingerprint('session', text)[:12]}"
    session = read.session or app.redact(name) or nameless
    # an agent wrote the file, whoever hands it in
    draft = Draft("decision", "", Scope(app.here().id, ""), "agent", origin_session=session)
    return take_facts(app, read, draft=draft)


def add_fact(app: App, draft: Draft) -> Outcome:
    """Write a fact; extend a duplicate with additional fields."""
    with app.store.change():
        outcome = take_note(app, draft)
        if isinstance(outcome, Seen):
            stated = ("state",) if draft.state else ()
            note = merge(app, outcome.note, draft, stated=stated)
            outcome = outcome.but(note=note)
        return outcome


def merge(app: App, note: Note, draft: Draft, *, stated: tuple[str, ...] = ()) -> Note:
    """Add the files, concepts, subtype and reason of a draft to an existing note.

    The fields named in ``stated`` replace those of the note.
    """
    fields: dict[str, object] = {name: getattr(draft, name) for name in stated}
    fields["files"] = _joined(note.files, draft.files)
    fields["concepts"] = _joined(note.concepts, draft.concepts)
    if note.subtype == OTHER and draft.subtype:
        fields["subtype"] = draft.subtype
    if not note.why and _may_explain(draft, note):
        fields["why"] = draft.why
    return edit(app, note, fields)


def resolve(app: App, note: Note) -> Note:
    """Mark an issue as resolved."""
    return _set(app, note, "resolved")


def reopen(app: App, note: Note) -> Note:
    """Mark an issue as open again."""
    return _set(app, note, "open")


def _set(app: App, note: Note, state: str) -> Note:
    if note.kind != "issue":
        raise NoteError(
            f"{note.handle} is a {note.kind}, not an issue",
            hint="only issues are resolved; see: twiceshy list --kind issue",
        )
    return change(app, "edit", note, state=state)


def _take(app: App, fact: Fact, draft: Draft, near: float) -> KeptFact | Unused:
    """Write a fact, unless this session reported it before."""
    told = {"kind": fact.kind, "text": fact.text, "why": fact.why, "subtype": fact.subtype}
    lists = {"files": fact.files, "concepts": fact.concepts}
    try:
        draft = prepare(draft.but(**told, **lists, state=fact.state), app.redact)
        key = f"{draft.origin_session} {draft.fingerprint} {fact.state}"
        known = app.store.twin(draft) or app.store.near(draft, threshold=near)
        if known and any(signal == key for signal, *_ in app.store.evidence(known.id)):
            return KeptFact(fact.line, "known", known)
        outcome = take_note(app, draft)
    except NoteError as error:
        return Unused(fact.line, fact.text, str(error))
    if isinstance(outcome, Refused):
        return Unused(fact.line, fact.text, outcome.reason)
    note = outcome.note
    if isinstance(outcome, Seen):
        note = merge(app, note, draft, stated=("state",) if fact.state else ())
    app.store.attest(note.id, key, draft.origin_session, at=app.store.now())
    return KeptFact(fact.line, _became(outcome), note)


def _may_explain(draft: Draft, note: Note) -> bool:
    """True if a draft's reason may be added to a note.

    An agent may not explain a user's decision, nor add a dangerous reason.
    """
    trusted = trust_of_draft(draft) >= note.trust
    return trusted and (draft.source == "user" or not danger(draft.why))


def _joined(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))[:MAX_ITEMS]


def _became(outcome: Admitted | Seen | Revised | Superseding) -> Became:
    if outcome.note.status not in SHOWN:
        return "waiting"
    return "merged" if isinstance(outcome, Seen) else "noted"
