"""Review: notes waiting for the user, with evidence and consequences."""

from __future__ import annotations

from twiceshy.app import rule_key
from twiceshy.core.admit import DOUBTED, REJECTED
from twiceshy.core.errors import NoteError, StoreError
from twiceshy.core.filter import Filter
from twiceshy.core.note import SHOWN
from twiceshy.core.trust import INJECTABLE, ORIGINS
from twiceshy.core.value import Value
from twiceshy.language.terms import query_terms
from twiceshy.notes.approve import adds_up, sign, standing
from twiceshy.notes.conflict import SETTLED, conflict, settled
from twiceshy.notes.edit import edit
from twiceshy.notes.user_changes import keep_approvals
from twiceshy.notes.write import as_it_is, change
from twiceshy.safety.signing import Signature, act_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.evidence import Signal
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.notes.conflict import Wording
    from twiceshy.safety.signing import Act

    Group = Literal["proposals", "rules", "conflicts", "doubted", "quarantined", "candidates"]

GROUPS: tuple[Group, ...] = (
    *("proposals", "rules", "conflicts", "doubted", "quarantined", "candidates"),
)
ACCEPT, KEEP, REJECT = "accept", "keep", "reject"
CHANGED = "approved once, but changed since; it is not shown"
_WAITING = ("candidate", "quarantined")
_BOTH = "changed on two devices; the later words are shown"
_SEE = "see: twiceshy review; a retired note comes back with: twiceshy restore"
_BELIEVED = {"status": "active", "reason": "", "trust": ORIGINS["user"]}  # nothing is trusted more
_MOST = 1_000
_MOST_SIGNALS = 200
_SHOWN = 5
_BEARING = 2  # terms in common; one alone is chance in a session with many errors


class Item(Value):
    """A waiting note, the reason, and related evidence."""

    group: Group
    note: Note
    because: str
    sessions: tuple[str, ...]
    evidence: tuple[Signal, ...]
    others: tuple[Wording, ...] = ()  # what other devices say in its place


def waiting(store: Store, *, key: bytes, projects: tuple[str, ...] | None = None) -> list[Item]:
    """Return every waiting note, rules first; ``projects`` restricts."""
    found: list[tuple[Group, Note, str]] = [
        *_candidates(store, projects),
        *_unapproved(store, projects, key),
        *_doubted(store, projects, key),
        *_quarantined(store, projects),
    ]
    torn = _torn(store, projects)
    known = {note.id for _, note, _ in found}
    found += [("conflicts", note, _BOTH) for note, _ in torn.values() if note.id not in known]
    found.sort(key=lambda one: GROUPS.index(one[0]))  # stable: within a group the newest first
    items = [_with_evidence(store, *one) for one in found]
    return [
        item.but(others=torn[item.note.id][1]) if item.note.id in torn else item for item in items
    ]


def bulk(items: list[Item], *, key: bytes) -> list[Note]:
    """Return rules fit for bulk approval: foreign, untampered, without conflict."""
    return [
        item.note
        for item in items
        if item.group == "rules"
        and item.note.trust >= INJECTABLE
        and not (key and item.because.startswith(CHANGED))
        and not item.others
    ]


def settle(app: App, note: Note) -> bool:
    """Record that the user has reviewed a conflict; False if none."""
    with app.store.change():
        history = app.store.history(note.id)
        torn = [entry for wording in conflict(history) for entry in wording.entries]
        if torn:
            known = settled(history)
            told = {SETTLED: tuple(sorted({*known, *torn}))}
            app.store.record(KEEP, note.id, told, before={SETTLED: known})
        return bool(torn)


def accept(
    app: App, note: Note, *, act: Act | None = None, key: bytes = b"", torn: bool = False
) -> Note:
    """Accept a note in its current words, vouched for by the user.

    A rule is signed with ``act``, else its present act, else "tell". ``torn`` marks a settled
    conflict.
    """
    with app.store.change():
        seen, note = note, as_it_is(app.store, note)
        torn = settle(app, note) or torn
        if not adds_up(app.store, seen):
            raise StoreError(
                f"{note.handle} is not what its history says, so nobody knows what you accept",
                hint="run: twiceshy doctor --repair; then look at it again",
            )
        approved = act_of(key, note, app.store.signatures().get(note.id))
        stands = note.kind != "rule" or (approved and act in (None, approved))
        if _is_doubted(note) and stands:
            # no acceptance: whoever takes that back takes the approval of a rule back with it
            return change(app, KEEP, note, **_BELIEVED)
        if torn and note.status == "active" and stands:
            return note
        if note.status not in _WAITING and (note.kind, note.status) != ("rule", "active"):
            raise NoteError(f"{note.handle} is {note.status} and waits for nobody", hint=_SEE)
        if note.status == "active":
            # an approval must leave a trace, or undo would take back something else
            note = change(app, "quarantine", note, status="quarantined", reason="not approved")
        note = change(app, ACCEPT, note, **_BELIEVED)
        if note.kind == "rule":
            sign(app, note, act or approved or "tell", key=key)
        return note


def reject(app: App, note: Note, *, because: str = "") -> Note:
    """Retire a note, and never relearn it automatically."""
    reason = f"{REJECTED}: {because}" if because else REJECTED
    with app.store.change():
        app.store.drop(Signature, note.id)
        return change(app, REJECT, note, status="retired", reason=reason)


def accept_note(app: App, note: Note, *, act: Act | None, torn: bool = False) -> Note:
    """Accept a note unchanged; the key is made for the first rule."""
    key = rule_key(app.config, create=True) if note.kind == "rule" else b""
    return accept(app, note, act=act, key=key, torn=torn)


def accept_reworded(app: App, note: Note, words: Mapping[str, str], *, act: Act | None) -> Note:
    """Accept a note in other words; a rule keeps its approved act."""
    with keep_approvals(app):
        act = act or act_of(app.rule_key(), note, app.store.signatures().get(note.id))
        sound = adds_up(app.store, note)
        torn = settle(app, note)
        edited = edit(app, note, words)
        return accept_note(app, edited if sound else note, act=act, torn=torn)


def accept_other_wording(app: App, note: Note, *, act: Act | None) -> Note:
    """Accept another device's wording; of several, the latest."""
    others = sorted(conflict(app.store.history(note.id)), key=lambda wording: wording.at)
    if not others:
        raise NoteError(
            f"no other device says anything else of {note.handle}", hint="see: twiceshy review"
        )
    return accept_reworded(app, note, {one.field: one.said for one in others}, act=act)


def decide_notes(
    app: App, verb: str, notes: Iterable[Note], *, act: Act | None, because: str = ""
) -> list[Note]:
    """Accept, accept another wording, or reject notes as one undoable change."""
    with keep_approvals(app):
        if verb == "reject":
            return [reject(app, note, because=because) for note in notes]
        accepted = accept_other_wording if verb == "other" else accept_note
        return [accepted(app, note, act=act) for note in notes]


def _candidates(
    store: Store, projects: tuple[str, ...] | None
) -> Iterator[tuple[Group, Note, str]]:
    for note in store.notes(Filter(projects=projects, statuses=("candidate",)), limit=_MOST):
        if note.kind == "rule":
            yield "proposals", note, f"proposed by {_who(note)}"
        else:
            yield "candidates", note, f"on probation: {_who(note)} learned it"


def _unapproved(
    store: Store, projects: tuple[str, ...] | None, key: bytes
) -> Iterator[tuple[Group, Note, str]]:
    rules = standing(store, key=key)
    why = "" if key else "; this device has no key"
    for notes, because in (
        (rules.changed, CHANGED),
        (rules.unsigned, "not approved on this device; it is not shown"),
    ):
        for note in notes:
            if projects is None or note.scope.project in projects:
                doubt = f"; {note.reason}" if _is_doubted(note) else ""
                yield "rules", note, because + why + doubt


def _doubted(
    store: Store, projects: tuple[str, ...] | None, key: bytes
) -> Iterator[tuple[Group, Note, str]]:
    """Yield notes doubted by an agent; unapproved rules come elsewhere."""
    signatures = store.signatures()
    which = Filter(projects=projects, statuses=("active",), reason=DOUBTED)
    for note in store.notes(which, limit=_MOST):
        if note.kind != "rule" or act_of(key, note, signatures.get(note.id)):
            yield "doubted", note, note.reason.removeprefix(DOUBTED)


def _is_doubted(note: Note) -> bool:
    """True if an agent doubts an active note."""
    return note.status == "active" and note.reason.startswith(DOUBTED)


def _quarantined(
    store: Store, projects: tuple[str, ...] | None
) -> Iterator[tuple[Group, Note, str]]:
    for note in store.notes(Filter(projects=projects, statuses=("quarantined",)), limit=_MOST):
        untrusted = f"trust {note.trust:g}: words of a tool, a file or a page"
        because = note.reason or (untrusted if note.trust < INJECTABLE else "no reason was given")
        yield ("rules" if note.kind == "rule" else "quarantined"), note, because


def _torn(
    store: Store, projects: tuple[str, ...] | None
) -> dict[str, tuple[Note, tuple[Wording, ...]]]:
    """Return shown or waiting notes with conflicting edits."""
    statuses = (*SHOWN, "quarantined")
    which = Filter(projects=projects, statuses=statuses, devices=2)
    notes = sorted(store.notes(which, limit=None), key=lambda note: note.id)
    found = ((note, conflict(store.history(note.id))) for note in notes)
    return {note.id: (note, others) for note, others in found if others}


def _who(note: Note) -> str:
    return {"user": "you", "agent": "an agent", "import": "an import"}.get(
        note.source, f"the {note.source}"
    )


def _with_evidence(store: Store, group: Group, note: Note, because: str) -> Item:
    """Find evidence of a note; else related signals of its session."""
    origin = store.note(note.tag) if note.tag and note.kind == "rule" else None
    attested = store.evidence(origin.id if origin else note.id)[:_MOST_SIGNALS]
    if attested:
        sessions = tuple(dict.fromkeys(session for _, session, _ in attested))
        keys = [key for key, *_ in attested]
        learned = store.signals_of(keys=keys, limit=_SHOWN)
        return Item(group, note, because, sessions, tuple(learned))
    from_them = (note.origin_session, origin.origin_session if origin else "")
    sessions = tuple(dict.fromkeys(filter(None, from_them)))
    there = store.signals_of(sessions=sessions, limit=_MOST_SIGNALS) if sessions else []
    mistakes = tuple(dict.fromkeys(one.mistake for one in there if one.mistake))
    again = store.signals_of(mistakes=mistakes, limit=_MOST_SIGNALS) if mistakes else []
    known = {one.key: one for one in (*there, *again)}
    bearing = {one.key: _shared(note, one) for one in known.values()}
    evidence = [one for one in known.values() if bearing[one.key] >= _BEARING]
    evidence.sort(key=lambda one: (-bearing[one.key], -one.at, one.key))
    return Item(group, note, because, sessions, tuple(evidence[:_SHOWN]))


def _shared(note: Note, signal: Signal) -> int:
    """Count the terms shared by a note and a signal."""
    said = set(query_terms(f"{note.text} {note.why} {note.trigger}"))
    return len(said.intersection(query_terms(f"{signal.target} {signal.excerpt}")))
