"""Review: notes waiting for the user, with evidence and consequences."""

from __future__ import annotations

from collections import Counter

from twiceshy.app import App, rule_key
from twiceshy.core.admit import DOUBTED, REJECTED
from twiceshy.core.errors import NoteError, StoreError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import MAY_REPLACE, SHOWN, Note
from twiceshy.core.trust import INJECTABLE, ORIGINS
from twiceshy.core.value import Value
from twiceshy.language.terms import query_terms
from twiceshy.notes.conflict import SETTLED, Wording, find_conflicts, settled_edits
from twiceshy.notes.decay import compute_salience
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.said_preference import rank_said_preference
from twiceshy.notes.user_changes import (
    keep_approvals,
    matches_history,
    sign_rule,
    sort_active_rules,
)
from twiceshy.notes.vouch import vouch_for_changes
from twiceshy.notes.write import change_note, reread_note, supersede_note
from twiceshy.safety.gate_rules import vouch_for
from twiceshy.safety.signing import Signature, find_permitted_act

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Literal

    from twiceshy.core.evidence import Signal
    from twiceshy.core.store import Store
    from twiceshy.safety.signing import Act

    Group = Literal[
        "proposals", "rules", "conflicts", "replacements", "doubted", "quarantined", "candidates"
    ]
    Projects = tuple[str, ...] | None
    Waiting = Iterator[tuple[Group, Note, str]]

GROUPS: tuple[Group, ...] = (
    *("proposals", "rules", "conflicts", "replacements", "doubted", "quarantined", "candidates"),
)
ACCEPT, KEEP, REJECT = "accept", "keep", "reject"
DECISIONS = frozenset((ACCEPT, KEEP, REJECT))
CHANGED = "approved once, but changed since; it is not shown"
_WAITING = ("candidate", "quarantined")
_BOTH = "changed on two devices; the later words are shown"
_SEE = "see: twiceshy review; a retired note comes back with: twiceshy restore"
_BELIEVED = {"status": "active", "reason": "", "trust": ORIGINS["user"]}  # nothing is trusted more
_MOST_SIGNALS = 200
_SHOWN = 5
_BEARING = 2  # terms in common; one alone is chance in a session with many errors


class ReviewItem(Value):
    """A waiting note, the reason, and related evidence."""

    group: Group
    note: Note
    because: str
    sessions: tuple[str, ...]
    evidence: tuple[Signal, ...]
    others: tuple[Wording, ...] = ()  # what other devices say in its place
    old: Note | None = None  # what the note may replace


class WaitingNotes(Value):
    """The best waiting notes with their evidence, and the number of waiting notes by group."""

    items: tuple[ReviewItem, ...]
    counts: Mapping[Group, int]

    @property
    def left(self) -> int:
        """Return the number of waiting notes that are not among the items."""
        return sum(self.counts.values()) - len(self.items)


def list_waiting(store: Store, *, key: bytes, projects: Projects = None) -> list[ReviewItem]:
    """Return every waiting note, rules first, in each group the most valuable first."""
    return list(choose_waiting(store, key=key, projects=projects).items)


def choose_waiting(
    store: Store, *, key: bytes, projects: Projects = None, most: int | None = None
) -> WaitingNotes:
    """Return the first ``most`` waiting notes: by group, then by value; ``projects`` restricts."""
    found = [
        *_list_unapproved(store, projects, key),
        *_list_replacing(store, projects),
        *_list_doubted(store, projects, key),
        *_list_undecided(store, projects),
    ]
    torn = _list_conflicting(store, projects)
    known = {note.id for _, note, _ in found}
    found += [("conflicts", note, _BOTH) for note, _ in torn.values() if note.id not in known]
    now = store.now()  # stable: of equal value the newest first
    found.sort(
        key=lambda one: (
            GROUPS.index(one[0]),
            rank_said_preference(one[1]),
            -compute_salience(one[1], now),
        )
    )
    counts = Counter(group for group, *_ in found)
    items = [_with_evidence(store, *one) for one in found[:most]]
    return WaitingNotes(
        tuple(
            item.but(
                others=torn[item.note.id][1] if item.note.id in torn else (),
                old=find_replaceable(store, item.note),
            )
            for item in items
        ),
        counts,
    )


def list_bulk_rules(items: Iterable[ReviewItem], *, key: bytes) -> list[Note]:
    """Return rules fit for bulk approval: foreign, untampered, without conflict."""
    return [
        item.note
        for item in items
        if item.group == "rules"
        and item.note.trust >= INJECTABLE
        and not (key and item.because.startswith(CHANGED))
        and not item.others
    ]


def settle_conflict(app: App, note: Note) -> bool:
    """Record that the user has reviewed a conflict; False if none."""
    with app.store.change():
        history = app.store.history(note.id)
        torn = [entry for wording in find_conflicts(history) for entry in wording.entries]
        if torn:
            known = settled_edits(history)
            told = {SETTLED: tuple(sorted({*known, *torn}))}
            app.store.record_entry(KEEP, note.id, told, before={SETTLED: known})
        return bool(torn)


def accept_as_is(
    app: App, note: Note, *, act: Act | None = None, key: bytes = b"", torn: bool = False
) -> Note:
    """Accept a note in its current words, vouched for by the user.

    A rule is signed with ``act``, else its present act, else "tell". ``torn`` marks a settled
    conflict.
    """
    with vouch_for_changes(app), app.store.change():
        seen, note = note, reread_note(app.store, note)
        torn = settle_conflict(app, note) or torn
        if not matches_history(app.store, seen):
            raise StoreError(
                f"{note.handle} differs from its history, so it cannot be accepted",
                hint="run: twiceshy doctor --repair; then look at it again",
            )
        approved = find_permitted_act(key, note, app.store.list_signatures().get(note.id))
        stands = note.kind != "rule" or (approved and act in (None, approved))
        if _is_doubted(note) and stands:
            # no acceptance: whoever takes that back takes the approval of a rule back with it
            return change_note(app, KEEP, note, **_BELIEVED)
        if torn and note.status == "active" and stands:
            return note
        if note.status not in _WAITING and (note.kind, note.status) != ("rule", "active"):
            raise NoteError(
                f"{note.handle} is {note.status}; it is not waiting for review", hint=_SEE
            )
        if note.status == "active":
            # an approval must leave a trace, or undo would take back something else
            note = change_note(
                app, "quarantine", note, status="quarantined", reason="not approved"
            )
        note = change_note(app, ACCEPT, note, **_BELIEVED)
        if app.store.vouching:
            app.store.save_records(vouch_for(note))
        if note.kind == "rule":
            sign_rule(app, note, act or approved or "tell", key=key)
        return note


def reject_note(app: App, note: Note, *, because: str = "") -> Note:
    """Retire a note, and never relearn it automatically."""
    reason = f"{REJECTED}: {because}" if because else REJECTED
    with app.store.change():
        if find_replaceable(app.store, reread_note(app.store, note)):
            raise NoteError(
                f"{note.handle} holds; the question is whether it replaces another note",
                hint=f"twiceshy review --keep {note.handle} keeps both; twiceshy retire {note.handle}",
            )
        app.store.drop_records(Signature, note.id)
        return change_note(app, REJECT, note, status="retired", reason=reason)


def accept_note(app: App, note: Note, *, act: Act | None, torn: bool = False) -> Note:
    """Accept a note unchanged; the key is made for the first rule.

    A rule takes the place of the lesson from which it was proposed.
    """
    if old := find_replaceable(app.store, reread_note(app.store, note)):
        return _replace_note(app, old, by=note)
    key = rule_key(app.config, create=True) if note.kind == "rule" else b""
    accepted = accept_as_is(app, note, act=act, key=key, torn=torn)
    lesson = app.store.note(note.tag) if note.kind == "rule" and note.tag else None
    if lesson and lesson.kind == "lesson" and lesson.status in SHOWN:
        supersede_note(app, lesson, by=accepted)
    return accepted


def find_replaceable(store: Store, note: Note) -> Note | None:
    """Return the shown note that an active note may replace; None if nothing is to decide."""
    old = store.note(note.replaced_id) if note.replaced_id else None
    return old if old and old.status in SHOWN and not old.pinned else None


def keep_both_notes(app: App, note: Note) -> Note:
    """Record that a note and the note that it may replace both hold."""
    with app.store.change():
        note = reread_note(app.store, note)
        if find_replaceable(app.store, note) is None:
            raise NoteError(f"{note.handle} does not wait with another note", hint=_SEE)
        return change_note(app, KEEP, note, reason="")


def _replace_note(app: App, old: Note, *, by: Note) -> Note:
    """Retire the older note of a pair in favour of the newer."""
    with app.store.change():
        supersede_note(app, old, by=by)
        return change_note(app, KEEP, by, reason="", supersedes=old.id)


def accept_reworded(app: App, note: Note, words: Mapping[str, str], *, act: Act | None) -> Note:
    """Accept a note in other words; a rule keeps its approved act."""
    with keep_approvals(app):
        act = act or find_permitted_act(
            app.rule_key(), note, app.store.list_signatures().get(note.id)
        )
        sound = matches_history(app.store, note)
        torn = settle_conflict(app, note)
        edited = edit_fields(app, note, words)
        return accept_note(app, edited if sound else note, act=act, torn=torn)


def accept_other_wording(app: App, note: Note, *, act: Act | None) -> Note:
    """Accept another device's wording; of several, the latest."""
    others = sorted(find_conflicts(app.store.history(note.id)), key=lambda wording: wording.at)
    if not others:
        raise NoteError(
            f"no other device has a different wording of {note.handle}",
            hint="see: twiceshy review",
        )
    return accept_reworded(app, note, {one.field: one.said for one in others}, act=act)


def decide_notes(
    app: App, verb: str, notes: Iterable[Note], *, act: Act | None, because: str = ""
) -> list[Note]:
    """Accept, accept another wording, keep or reject notes as one undoable change."""
    with keep_approvals(app):
        if verb == "keep":
            return [keep_both_notes(app, note) for note in notes]
        if verb == "reject":
            return [reject_note(app, note, because=because) for note in notes]
        accepted = accept_other_wording if verb == "other" else accept_note
        return [accepted(app, note, act=act) for note in notes]


def _list_unapproved(store: Store, projects: Projects, key: bytes) -> Waiting:
    rules = sort_active_rules(store, key=key)
    why = "" if key else "; this device has no key"
    for notes, because in (
        (rules.changed, CHANGED),
        (rules.unsigned, "not approved on this device; it is not shown"),
    ):
        for note in notes:
            if projects is None or note.scope.project in projects:
                doubt = f"; {note.reason}" if _is_doubted(note) else ""
                yield "rules", note, because + why + doubt


def _list_doubted(store: Store, projects: Projects, key: bytes) -> Waiting:
    """Yield notes doubted by an agent; unapproved rules come elsewhere."""
    signatures = store.list_signatures()
    which = NoteFilter(projects=projects, statuses=("active",), reason=DOUBTED)
    for note in store.notes(which, limit=None):
        if note.kind != "rule" or find_permitted_act(key, note, signatures.get(note.id)):
            yield "doubted", note, note.reason.removeprefix(DOUBTED)


def _list_replacing(store: Store, projects: Projects) -> Waiting:
    """Yield active notes that may replace another shown note."""
    which = NoteFilter(projects=projects, statuses=("active",), reason=MAY_REPLACE)
    for note in store.notes(which, limit=None):
        if old := find_replaceable(store, note):
            yield (
                "replacements",
                note,
                f"it may replace {old.handle}; both are shown until you decide",
            )


def _is_doubted(note: Note) -> bool:
    """True if an agent doubts an active note."""
    return note.status == "active" and note.reason.startswith(DOUBTED)


def _list_undecided(store: Store, projects: Projects) -> Waiting:
    """Yield proposed rules, candidates and quarantined notes."""
    for note in store.notes(NoteFilter(projects=projects, statuses=_WAITING), limit=None):
        rule = note.kind == "rule"
        if note.status == "quarantined":
            untrusted = f"trust {note.trust:g}: words of a tool, a file or a page"
            unknown = untrusted if note.trust < INJECTABLE else "no reason was given"
            yield "rules" if rule else "quarantined", note, note.reason or unknown
        elif rule:
            yield "proposals", note, f"proposed by {_describe_author(note)}"
        else:
            yield "candidates", note, f"on probation: {_describe_author(note)} learned it"


def _list_conflicting(
    store: Store, projects: Projects
) -> dict[str, tuple[Note, tuple[Wording, ...]]]:
    """Return shown or waiting notes with conflicting edits."""
    which = NoteFilter(projects=projects, statuses=(*SHOWN, "quarantined"), devices=2)
    notes = sorted(store.notes(which, limit=None), key=lambda note: note.id)
    found = ((note, find_conflicts(store.history(note.id))) for note in notes)
    return {note.id: (note, others) for note, others in found if others}


def _describe_author(note: Note) -> str:
    authors = {"user": "you", "agent": "an agent", "import": "an import"}
    return authors.get(note.source, f"the {note.source}")


def _with_evidence(store: Store, group: Group, note: Note, because: str) -> ReviewItem:
    """Find evidence of a note; else related signals of its session."""
    origin = store.note(note.tag) if note.tag and note.kind == "rule" else None
    attested = store.list_evidence(origin.id if origin else note.id)[:_MOST_SIGNALS]
    if attested:
        sessions = tuple(dict.fromkeys(session for _, session, _ in attested))
        keys = [key for key, *_ in attested]
        learned = store.list_signals(keys=keys, limit=_SHOWN)
        return ReviewItem(group, note, because, sessions, tuple(learned))
    from_them = (note.origin_session, origin.origin_session if origin else "")
    sessions = tuple(dict.fromkeys(filter(None, from_them)))
    there = store.list_signals(sessions=sessions, limit=_MOST_SIGNALS) if sessions else []
    mistakes = tuple(dict.fromkeys(one.mistake for one in there if one.mistake))
    again = store.list_signals(mistakes=mistakes, limit=_MOST_SIGNALS) if mistakes else []
    known = {one.key: one for one in (*there, *again)}
    bearing = {one.key: _count_shared_terms(note, one) for one in known.values()}
    evidence = [one for one in known.values() if bearing[one.key] >= _BEARING]
    evidence.sort(key=lambda one: (-bearing[one.key], -one.at, one.key))
    return ReviewItem(group, note, because, sessions, tuple(evidence[:_SHOWN]))


def _count_shared_terms(note: Note, signal: Signal) -> int:
    """Count the terms shared by a note and a signal."""
    said = set(query_terms(f"{note.text} {note.why} {note.trigger}"))
    return len(said.intersection(query_terms(f"{signal.target} {signal.excerpt}")))
