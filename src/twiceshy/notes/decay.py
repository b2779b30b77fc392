"""Choose notes to retire: by expected value per token, or by the fireworks formula."""

from __future__ import annotations

from math import log2

from twiceshy.core.moment import DAY, HALF_LIFE_DAYS, compute_recency, count_months
from twiceshy.core.note import is_exempt
from twiceshy.core.text import estimate_tokens

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from twiceshy.core.note import Note

    Policy = Callable[[Note, int], float]

# Machines wrote these; whatever people and agents say on purpose is theirs to take back.
_LEARNED = ("detector", "distiller", "historian")
# A note of 25 tokens and one of 40 cost the agent about the same attention.
_FRAME_TOKENS = 20


def compute_salience(note: Note, now: int) -> float:
    """Return the worth of keeping a note: likely needed again, and useful."""
    from twiceshy.core.worth import OutcomeCounts  # noqa: PLC0415 - who only recalls retires nothing

    learned = log2(1 + note.sightings) + 0.5 * log2(1 + note.missed)
    used = 1 + 0.25 * log2(1 + note.recalls)
    followed = note.helped + note.harmed
    counts = OutcomeCounts(followed=followed, helped=note.helped, harmed=note.harmed)
    recency = compute_recency(note.learned_at, now=now, half_life_days=3 * HALF_LIFE_DAYS)
    # never below a tenth: a skill that rests for a season must not lose what it knows
    return learned * used * counts.use_probability * (0.1 + 0.9 * recency) * note.trust


def value_per_token(note: Note, now: int) -> float:
    """Return the salience of a note per token."""
    return compute_salience(note, now) / (_FRAME_TOKENS + estimate_tokens(note.text))


def score_by_fireworks(note: Note, now: int) -> float:
    """Score as fireworks-skill-memory did: sightings, less half a point a month after the third."""
    return note.sightings - max(0.0, (count_months(note.learned_at, now) - 3) * 0.5)


POLICIES: dict[str, Policy] = {"value": value_per_token, "fireworks": score_by_fireworks}


def is_learned_candidate(note: Note) -> bool:
    """True if a machine learned a note that nobody confirmed: it may fade."""
    learned = note.source in _LEARNED and note.kind not in ("rule", "task", "page")
    return note.status == "candidate" and learned and not note.pinned


def sort_least_valuable(notes: Iterable[Note], *, now: int, policy: str = "value") -> list[Note]:
    """Return notes by value, the least valuable first; of equal ones the older."""
    score = POLICIES[policy]
    return sorted(notes, key=lambda note: (score(note, now), note.learned_at, note.id))


def list_over_cap(
    notes: Iterable[Note], *, cap: int, now: int, policy: str = "value", spared: str = ""
) -> list[Note]:
    """Return the least valuable notes beyond ``cap``; ties retire the older.

    ``spared`` is the newest note: it must have a chance to be useful.
    """
    notes = [note for note in notes if note.status in ("active", "candidate")]
    loose = (note for note in notes if not is_exempt(note) and note.id != spared)
    return sort_least_valuable(loose, now=now, policy=policy)[: max(0, len(notes) - cap)]


def expiry_time(kind: str, subtype: str, *, learned_at: int, days: Mapping[str, int]) -> int:
    """Return the expiry time of a note: ``kind.subtype`` before ``kind``; 0 for never."""
    limit = days.get(f"{kind}.{subtype}", days.get(kind, 0))
    return learned_at + limit * DAY if limit > 0 else 0
