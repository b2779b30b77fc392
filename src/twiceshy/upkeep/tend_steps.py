"""Maintenance steps on notes: merge, promote, retire, expire; nothing is erased.

Only notes of equal scope, kind, type, state and trigger are merged. A note gives way only to a note
of equal trust, shown at least as widely, that can take over its remaining content; in doubt both
stay. Notes written, pinned or approved by a person are left to the person.
"""

from collections.abc import Mapping, Sequence

from twiceshy.app import App
from twiceshy.core.draft import MAX_ITEMS
from twiceshy.core.filter import NoteFilter
from twiceshy.core.grouping import group_by
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN, Note, is_exempt
from twiceshy.core.store import Store
from twiceshy.core.trust import INJECTABLE
from twiceshy.core.value import Value
from twiceshy.core.worth import count_outcomes, judge_worth
from twiceshy.effect.reconsider import reconsider_notes
from twiceshy.language.near_duplicates import find_near_duplicates, measure_likeness
from twiceshy.notes.decay import expiry_time
from twiceshy.notes.write import (
    NoteLimits,
    change_note,
    count_merged_note,
    find_return_time,
    retire_surplus,
    supersede_note,
)
from twiceshy.upkeep.fade import expire_proposals, retire_crowded, retire_faded
from twiceshy.upkeep.rest_preferences import rest_preferences

KINDS = ("lesson", "decision", "pattern", "issue")
_ENOUGH = 2  # sessions that must have taught what a machine learned before it is believed
EXPIRED = "expired"


class Merger(Value):
    """A planned merge: survivor, merged note, fields taken over."""

    kept: Note
    gone: Note
    carried: tuple[tuple[str, object], ...] = ()


def plan_merge(one: Note, other: Note, *, threshold: float) -> Merger | None:
    """Choose the survivor of two near-duplicates; None if neither qualifies."""
    first, second = sorted((one, other), key=_survivor_order)
    for kept, gone in ((first, second), (second, first)):
        if not _may_give_way(gone, kept):
            continue
        carried = _carried_fields(kept, gone, threshold=threshold)
        if carried is not None and (not carried or gone.trust == kept.trust):
            return Merger(kept, gone, tuple(carried.items()))
    return None


def covers_text(kept: Note, gone: Note, threshold: float) -> bool:
    """True if a note covers the text of another note."""
    same = build_merge_key(kept) == build_merge_key(gone)
    return same and measure_likeness(kept.text, gone.text) >= threshold


def build_merge_key(note: Note) -> tuple[object, ...]:
    """Return the fields that must be equal before a merge."""
    return note.scope, note.kind, note.subtype, note.state, note.trigger


def _survivor_order(note: Note) -> tuple[object, ...]:
    """Sort key for survivors: pinned, active, trusted, by a person, seen often, old."""
    return (
        not note.pinned,
        note.status != "active",
        -note.trust,
        note.source != "user",
        -note.sightings,
        note.id,
    )


def _may_give_way(gone: Note, kept: Note) -> bool:
    if is_exempt(gone) or gone.source == "user":
        return False
    return gone.trust <= kept.trust and (kept.status == "active" or gone.status == "candidate")


def _carried_fields(kept: Note, gone: Note, *, threshold: float) -> dict[str, object] | None:
    """Return fields taken over by the survivor; None if impossible."""
    carried: dict[str, object] = {}
    for name in ("why", "tag"):
        own, other = getattr(kept, name), getattr(gone, name)
        if other and not own:
            carried[name] = other
        elif other and own.casefold() != other.casefold():
            may_differ = name == "why" and threshold < 1
            if not may_differ or measure_likeness(own, other) < threshold:
                return None
    for name in ("files", "concepts"):
        both = tuple(dict.fromkeys((*getattr(kept, name), *getattr(gone, name))))
        if both != getattr(kept, name):
            carried[name] = both
    if kept.expires_at and not 0 < gone.expires_at <= kept.expires_at:
        carried["expires_at"] = gone.expires_at
    fits = all(len(both) <= MAX_ITEMS for both in carried.values() if isinstance(both, tuple))
    return carried if fits else None


def find_near_pairs(store: Store, *, threshold: float) -> list[tuple[str, str]]:
    """Return pairs of near-duplicates; slow, needs no change."""
    shown = _list_shown(store, *KINDS)
    pairs = find_near_duplicates(shown, threshold=threshold, group_by=build_merge_key)
    return [(one.id, other.id) for one, other, _ in pairs]


def merge_duplicates(app: App, pairs: Sequence[tuple[str, str]], *, threshold: float) -> None:
    """Merge near-duplicate notes until no pair is left."""
    with app.store.change():
        taken: dict[str, list[Note]] = {}  # what each note has taken in, now or before
        left = list(pairs)
        while merged := [pair for pair in left if _merge_pair(app, pair, taken, threshold)]:
            # what one takes over may be all that kept it from another
            left = [pair for pair in left if pair not in merged]


def _merge_pair(
    app: App, pair: tuple[str, str], taken: dict[str, list[Note]], threshold: float
) -> bool:
    """Merge a pair in its current state; False if both must stay."""
    one, other = map(app.store.note, pair)
    if not (one and other and one.status in SHOWN and other.status in SHOWN):
        return False
    if not covers_text(one, other, threshold) or _was_split(app.store, one, other):
        return False
    found = plan_merge(one, other, threshold=threshold)
    if found is None:
        return False
    for each in (one, other):
        taken.setdefault(each.id, _merged_notes(app.store, each))
    behind = taken[found.gone.id]
    if not all(covers_text(found.kept, each, threshold) for each in behind):
        return False  # or what is said would drift from note to note until nobody says it
    _unite_notes(app, found)
    taken[found.kept.id] += [found.gone, *behind]
    return True


def promote_notes(app: App) -> None:
    """Promote proven candidates, and candidates taught by two sessions."""
    with app.store.change():
        if proven := _proven_candidates(app.store):
            reconsider_notes(app, proven)
        for note in _list_shown(app.store, statuses=("candidate",)):
            if note.reason or note.kind == "rule" or note.trust < INJECTABLE:
                continue
            taught = len(_teaching_sessions(app.store, note)) >= _ENOUGH
            if taught and not _was_demoted(app.store, note):
                change_note(app, "promote", note, status="active")


def retire_notes(app: App, bounds: NoteLimits) -> None:
    """Retire useless, harmful or outdated notes, and notes beyond the caps."""
    with app.store.change():
        judged = {each.note for each in app.store.list_outcomes()}
        if came := judged - _proven_candidates(app.store):
            reconsider_notes(app, came)
        for scope in dict.fromkeys(note.scope for note in _list_shown(app.store)):
            retire_surplus(app, scope, bounds)
        retire_faded(app)
        retire_crowded(app, bounds)
        rest_preferences(app)


def expire_notes(app: App, days: Mapping[str, int], *, proposal_days: int = 0) -> None:
    """Retire expired notes and proposals; a sighting or a restore renews the lifetime."""
    now = app.store.now(believed=True)
    with app.store.change():
        expire_proposals(app, proposal_days)
        for note in _list_shown(app.store):
            if note.pinned or not _may_expire(note, days):
                continue
            until = _expiry_time(note, days, since=note.learned_at)
            if 0 < until <= now:
                since = max(note.learned_at, find_return_time(app.store, note))
                until = _expiry_time(note, days, since=since)
            if 0 < until <= now:
                change_note(app, "expire", note, status="retired", reason=EXPIRED)
            elif 0 < note.expires_at <= now:
                change_note(app, "renew", note, expires_at=until)


def _unite_notes(app: App, found: Merger) -> None:
    kept, gone = found.kept, found.gone
    supersede_note(app, gone, by=kept)
    if found.carried:
        kept = change_note(app, "edit", kept, **dict(found.carried))
    count_merged_note(app, kept, gone)


def _proven_candidates(store: Store) -> set[str]:
    """Return proven candidates; promotion is a separate step."""
    came = group_by(store.list_outcomes(), lambda outcome: outcome.note)
    waiting = {note.id for note in _list_shown(store, statuses=("candidate",))}
    return {
        note_id
        for note_id in waiting & came.keys()
        if judge_worth(count_outcomes(came[note_id])) == "promote"
    }


def _list_shown(store: Store, *kinds: str, statuses: tuple[str, ...] = SHOWN) -> list[Note]:
    return store.notes(NoteFilter(kinds=kinds, statuses=statuses), limit=None)


def _was_split(store: Store, one: Note, other: Note) -> bool:
    """True if a person split a merged pair."""
    return any(
        (entry.before or {}).get("superseded_by") == second.id
        and (entry.after or {}).get("superseded_by") == ""
        for first, second in ((one, other), (other, one))
        for entry in store.history(first.id)
    )


def _merged_notes(store: Store, note: Note) -> list[Note]:
    """Return notes merged into a note."""
    entries = (entry.after or {} for entry in store.history(note.id) if entry.op == SEE)
    merged = (store.note(str(after["merged"])) for after in entries if "merged" in after)
    return [each for each in merged if each and each.superseded_by == note.id]


def _teaching_sessions(store: Store, note: Note) -> set[str]:
    """Return sessions that taught a note, or a note merged into it."""
    taught = (note, *_merged_notes(store, note))
    sessions = {each.origin_session for each in taught}
    sessions |= {session for each in taught for _, session, _ in store.list_evidence(each.id)}
    return sessions - {""}


def _was_demoted(store: Store, note: Note) -> bool:
    """True if a person put an active note back on probation."""
    return any(
        (entry.before or {}).get("status") == "active"
        and (entry.after or {}).get("status") == "candidate"
        for entry in store.history(note.id)
    )


def _may_expire(note: Note, days: Mapping[str, int]) -> bool:
    """True if a note may expire; a rule only with a lifetime for its kind."""
    return note.kind != "rule" or expiry_time(note.kind, note.subtype, learned_at=0, days=days) > 0


def _expiry_time(note: Note, days: Mapping[str, int], *, since: int) -> int:
    """Return the expiry time of a note; 0 for never."""
    by_kind = expiry_time(note.kind, note.subtype, learned_at=since, days=days)
    return by_kind or (note.expires_at if note.expires_at > since else 0)
