"""Maintenance steps on notes: merge, promote, retire, expire; nothing is erased."""

from __future__ import annotations

from twiceshy.core.filter import Filter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.trust import INJECTABLE
from twiceshy.core.worth import counts_of, verdict
from twiceshy.effect.reconsider import reconsider
from twiceshy.language.near_duplicates import find_near_duplicates
from twiceshy.notes.decay import expiry, over_cap
from twiceshy.notes.write import change, supersede
from twiceshy.upkeep.merging import KINDS, build_merge_key, covers, merger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import Store
    from twiceshy.notes.write import Bounds
    from twiceshy.upkeep.merging import Merger

_ENOUGH = 2  # sessions that must have taught what a machine learned before it is believed
_BROUGHT_BACK = ("restore", "accept", "keep", "undo")
EXPIRED = "expired"


def near_pairs(store: Store, *, threshold: float) -> list[tuple[str, str]]:
    """Return pairs of near-duplicates; slow, needs no change."""
    shown = _shown(store, *KINDS)
    pairs = find_near_duplicates(shown, threshold=threshold, group_by=build_merge_key)
    return [(one.id, other.id) for one, other, _ in pairs]


def merge(app: App, pairs: Sequence[tuple[str, str]], *, threshold: float) -> None:
    """Merge near-duplicate notes until no pair is left."""
    with app.store.change():
        taken: dict[str, list[Note]] = {}  # what each note has taken in, now or before
        left = list(pairs)
        while merged := [pair for pair in left if _merge(app, pair, taken, threshold)]:
            # what one takes over may be all that kept it from another
            left = [pair for pair in left if pair not in merged]


def _merge(
    app: App, pair: tuple[str, str], taken: dict[str, list[Note]], threshold: float
) -> bool:
    """Merge a pair in its current state; False if both must stay."""
    one, other = map(app.store.note, pair)
    if not (one and other and one.status in SHOWN and other.status in SHOWN):
        return False
    found = merger(one, other, threshold=threshold) if covers(one, other, threshold) else None
    if found is None or _parted(app.store, one, other):
        return False
    for each in (one, other):
        taken.setdefault(each.id, _merged_into(app.store, each))
    behind = taken[found.gone.id]
    if not all(covers(found.kept, each, threshold) for each in behind):
        return False  # or what is said would drift from note to note until nobody says it
    _become_one(app, found)
    taken[found.kept.id] += [found.gone, *behind]
    return True


def promote(app: App) -> None:
    """Promote proven candidates, and candidates taught by two sessions."""
    with app.store.change():
        if proven := _proven(app.store):
            reconsider(app, proven)
        for note in _shown(app.store, statuses=("candidate",)):
            waits = not note.reason and note.kind != "rule" and note.trust >= INJECTABLE
            if (
                waits
                and len(_sessions(app.store, note)) >= _ENOUGH
                and not _put_back(app.store, note)
            ):
                change(app, "promote", note, status="active")


def retire(app: App, bounds: Bounds) -> None:
    """Retire useless, harmful or outdated notes, and notes beyond the caps."""
    with app.store.change():
        if came := {each.note for each in app.store.outcomes()} - _proven(app.store):
            reconsider(app, came)
        scopes = dict.fromkeys(note.scope for note in _shown(app.store))
        for scope in scopes:
            own = Filter(projects=(scope.project,), skill=scope.skill)
            notes = app.store.notes(own, limit=app.store.count(own))
            cap = _cap(scope, bounds) or len(notes)
            for gone in over_cap(notes, cap=cap, now=app.store.now(), policy=bounds.eviction):
                change(app, "retire", gone.note, status="retired", reason=gone.reason)


def expire(app: App, days: Mapping[str, int]) -> None:
    """Retire expired notes; a sighting or a restore renews the lifetime."""
    now = app.store.now()
    with app.store.change():
        for note in _shown(app.store):
            if note.pinned or not _mortal(note, days):
                continue
            until = _until(note, days, since=note.learned_at)
            if 0 < until <= now:
                until = _until(
                    note, days, since=max(note.learned_at, _back_since(app.store, note))
                )
            if 0 < until <= now:
                change(app, "expire", note, status="retired", reason=EXPIRED)
            elif 0 < note.expires_at <= now:
                change(app, "renew", note, expires_at=until)


def _become_one(app: App, found: Merger) -> None:
    kept, gone = found.kept, found.gone
    supersede(app, gone, by=kept)
    if found.carried:
        kept = change(app, "edit", kept, **dict(found.carried))
    learned = {"times": gone.sightings, "learned_at": gone.learned_at, "merged": gone.id}
    app.store.record(SEE, kept.id, learned)


def _proven(store: Store) -> set[str]:
    """Return proven candidates; promotion is a separate step."""
    came: dict[str, list[Outcome]] = {}
    for outcome in store.outcomes():
        came.setdefault(outcome.note, []).append(outcome)
    waiting = {note.id for note in _shown(store, statuses=("candidate",))}
    return {
        note_id
        for note_id, outcomes in came.items()
        if note_id in waiting and verdict(counts_of(outcomes)) == "promote"
    }


def _shown(store: Store, *kinds: str, statuses: tuple[str, ...] = SHOWN) -> list[Note]:
    which = Filter(kinds=kinds, statuses=statuses)
    return store.notes(which, limit=store.count(which))


def _cap(scope: Scope, bounds: Bounds) -> int:
    if scope.skill:
        return bounds.skill_max
    return bounds.global_max if scope.project == EVERYWHERE else 0


def _parted(store: Store, one: Note, other: Note) -> bool:
    """True if a person split a merged pair."""
    return any(
        (entry.before or {}).get("superseded_by") == second.id
        and (entry.after or {}).get("superseded_by") == ""
        for first, second in ((one, other), (other, one))
        for entry in store.history(first.id)
    )


def _merged_into(store: Store, note: Note) -> list[Note]:
    """Return notes merged into a note."""
    entries = (entry.after or {} for entry in store.history(note.id) if entry.op == SEE)
    merged = (store.note(str(after["merged"])) for after in entries if "merged" in after)
    return [each for each in merged if each and each.superseded_by == note.id]


def _sessions(store: Store, note: Note) -> set[str]:
    """Return sessions that taught a note, or a note merged into it."""
    taught = (note, *_merged_into(store, note))
    sessions = {each.origin_session for each in taught}
    sessions |= {session for each in taught for _, session, _ in store.evidence(each.id)}
    return sessions - {""}


def _put_back(store: Store, note: Note) -> bool:
    """True if a person put an active note back on probation."""
    return any(
        (entry.before or {}).get("status") == "active"
        and (entry.after or {}).get("status") == "candidate"
        for entry in store.history(note.id)
    )


def _mortal(note: Note, days: Mapping[str, int]) -> bool:
    """True if a note may expire; a rule only with a lifetime for its kind."""
    return note.kind != "rule" or expiry(note.kind, note.subtype, learned_at=0, days=days) > 0


def _until(note: Note, days: Mapping[str, int], *, since: int) -> int:
    """Return the expiry time of a note; 0 for never."""
    by_kind = expiry(note.kind, note.subtype, learned_at=since, days=days)
    return by_kind or (note.expires_at if note.expires_at > since else 0)


def _back_since(store: Store, note: Note) -> int:
    return max(_returns(store, note), default=0)


def _returns(store: Store, note: Note) -> Iterator[int]:
    for entry in store.history(note.id):
        if entry.op in _BROUGHT_BACK and (entry.after or {}).get("status") in SHOWN:
            yield entry.at
