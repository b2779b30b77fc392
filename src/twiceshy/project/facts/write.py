"""Save the facts of a session file as notes; saving the same file again changes nothing."""

from __future__ import annotations

import os

from twiceshy.core.admit import Admitted, Refused, Revised, SeenAgain, Superseding, trust_of_draft
from twiceshy.core.draft import MAX_ITEMS, Draft, prepare
from twiceshy.core.errors import NoteError, NotFoundError, UnsafeNameError
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.scope import Scope
from twiceshy.core.text import fingerprint_text
from twiceshy.core.value import Value
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import change_note, note_limits_of
from twiceshy.project.facts.extract import ExtractedFacts, UnusedLine, extract_facts
from twiceshy.project.facts.items import OTHER, Fact
from twiceshy.safety.danger import find_danger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.notes.write import Outcome

    FactOutcome = Literal["noted", "merged", "known", "waiting"]

SESSIONS = os.path.join(".claude", "memory", "sessions")  # where memory-keeper puts them


def find_session_file(given: str | None, *, root: str, cwd: str) -> str:
    """Return the path of a session file; by default, the newest."""
    found = _resolve_path(given, root=root, cwd=cwd) if given is not None else _newest_file(root)
    real, home = os.path.realpath(found), os.path.realpath(root)
    if not real.startswith(os.path.join(home, "")):  # a link that leads out is a way out as well
        raise UnsafeNameError(
            f"{found!r} lies outside of this project",
            hint="if you mean that file, pipe it: twiceshy extract-facts - < FILE",
        )
    return real


def _resolve_path(given: str, *, root: str, cwd: str) -> str:
    """Return the file of a path or session name."""
    if "\0" in given:
        raise UnsafeNameError("the path holds a NUL character", hint="give the path of a file")
    by_name = os.path.join(root, SESSIONS, f"{given.removesuffix('.md')}.md")
    tried = (os.path.join(cwd, os.path.expanduser(given)), by_name)
    found = next((path for path in tried if os.path.isfile(path)), None)
    if found is None:
        raise NotFoundError(
            f"there is no session file {given!r}",
            hint=f"give a path, or the name of a session in {SESSIONS}",
        )
    return found


def _newest_file(root: str) -> str:
    folder = os.path.join(root, SESSIONS)
    try:
        with os.scandir(folder) as entries:
            files = [entry for entry in entries if entry.name.endswith(".md") and entry.is_file()]
    except OSError:
        files = []
    if not files:
        raise NotFoundError(
            f"there is no session file in {SESSIONS}",
            hint="give the path of one, or pipe it: twiceshy extract-facts -",
        )
    return max(files, key=lambda entry: (entry.stat().st_mtime_ns, entry.name)).path


class KeptFact(Value):
    """Fact saved as a note: new, merged, known before, or waiting for the user."""

    line: int
    outcome: FactOutcome
    note: Note


class FactsResult(Value):
    """Result of saving a session file; ``unused`` lists dropped lines with reasons."""

    session: str
    kept: tuple[KeptFact, ...]
    unused: tuple[UnusedLine, ...]


def save_facts(app: App, extracted: ExtractedFacts, *, draft: Draft) -> FactsResult:
    """Save the facts of a session as a single change.

    ``draft`` gives the scope, the source and the session of the facts; ``near`` is the similarity
    from which two notes count as duplicates.
    """
    near = note_limits_of(app.config).near
    with app.store.change():
        taken = [_take_fact(app, fact, draft, near) for fact in extracted.facts]
    refused = [one for one in taken if isinstance(one, UnusedLine)]
    return FactsResult(
        session=draft.origin_session,
        kept=tuple(one for one in taken if isinstance(one, KeptFact)),
        unused=tuple(sorted([*extracted.unused, *refused], key=lambda one: one.line)),
    )


def take_session_facts(app: App, text: str, name: str) -> FactsResult:
    """Keep the facts of a session file; ``name`` is the fallback session name."""
    read = extract_facts(text, redact=app.redact)
    nameless = f"stdin-{fingerprint_text('session', text)[:12]}"
    session = read.session or app.redact(name) or nameless
    scope = Scope(app.current_project().id, "")
    # an agent wrote the file, whoever hands it in
    draft = Draft("decision", "", scope, "agent", origin_session=session)
    return save_facts(app, read, draft=draft)


def add_fact(app: App, draft: Draft) -> Outcome:
    """Write a fact; extend a duplicate with additional fields."""
    with app.store.change():
        outcome = take_note(app, draft)
        if isinstance(outcome, SeenAgain):
            stated = ("state",) if draft.state else ()
            note = merge_into_note(app, outcome.note, draft, stated=stated)
            outcome = outcome.but(note=note)
        return outcome


def merge_into_note(app: App, note: Note, draft: Draft, *, stated: tuple[str, ...] = ()) -> Note:
    """Add the files, concepts, subtype and reason of a draft to an existing note.

    The fields named in ``stated`` replace those of the note.
    """
    fields: dict[str, object] = {name: getattr(draft, name) for name in stated}
    fields["files"] = _join_lists(note.files, draft.files)
    fields["concepts"] = _join_lists(note.concepts, draft.concepts)
    if note.subtype == OTHER and draft.subtype:
        fields["subtype"] = draft.subtype
    if not note.why and _may_explain(draft, note):
        fields["why"] = draft.why
    return edit_fields(app, note, fields)


def resolve_issue(app: App, note: Note) -> Note:
    """Mark an issue as resolved."""
    return _set_state(app, note, "resolved")


def reopen_issue(app: App, note: Note) -> Note:
    """Mark an issue as open again."""
    return _set_state(app, note, "open")


def _set_state(app: App, note: Note, state: str) -> Note:
    if note.kind != "issue":
        raise NoteError(
            f"{note.handle} is a {note.kind}, not an issue",
            hint="only issues are resolved; see: twiceshy list --kind issue",
        )
    return change_note(app, "edit", note, state=state)


def _take_fact(app: App, fact: Fact, draft: Draft, near: float) -> KeptFact | UnusedLine:
    """Write a fact, unless this session reported it before."""
    said = fact.fields()
    del said["line"]
    try:
        draft = prepare(draft.but(**said), app.gate_of(draft.scope.project))
        key = f"{draft.origin_session} {draft.fingerprint} {fact.state}"
        known = app.store.find_duplicate(draft)
        known = known or app.store.find_near_duplicate(draft, threshold=near)
        if known and any(signal == key for signal, *_ in app.store.list_evidence(known.id)):
            return KeptFact(fact.line, "known", known)
        outcome = take_note(app, draft)
    except NoteError as error:
        return UnusedLine(fact.line, fact.text, str(error))
    if isinstance(outcome, Refused):
        return UnusedLine(fact.line, fact.text, outcome.reason)
    note = outcome.note
    if isinstance(outcome, SeenAgain):
        note = merge_into_note(app, note, draft, stated=("state",) if fact.state else ())
    app.store.record_evidence(note.id, key, draft.origin_session, at=app.store.now())
    return KeptFact(fact.line, _outcome_name(outcome), note)


def _may_explain(draft: Draft, note: Note) -> bool:
    """True if a draft's reason may be added to a note.

    An agent may not explain a user's decision, nor add a dangerous reason.
    """
    trusted = trust_of_draft(draft) >= note.trust
    return trusted and (draft.source == "user" or not find_danger(draft.why))


def _join_lists(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))[:MAX_ITEMS]


def _outcome_name(outcome: Admitted | SeenAgain | Revised | Superseding) -> FactOutcome:
    if outcome.note.status not in SHOWN:
        return "waiting"
    return "merged" if isinstance(outcome, SeenAgain) else "noted"
