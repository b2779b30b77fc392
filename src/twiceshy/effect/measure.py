"""Measure and report the effect of notes: sessions with a note against sessions without.

A session counts once for each note, because lots are drawn once; it failed if the mistake
was repeated, or if the advised form led to a new mistake. Sessions without a lot count for
neither side: they were earlier, and a mistake that fades by itself would pass for the work of
the note, or for harm done by it. Notes are compared with themselves, at the same share of lots,
and pooled with Mantel-Haenszel weights: otherwise a note that is rarely withheld would pass its
own errors off as everyone's.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from twiceshy.app import App
from twiceshy.core.evidence import STOP, Exposure
from twiceshy.core.grouping import group_by
from twiceshy.core.model_ledger import start_of_day
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.core.value import Value
from twiceshy.core.worth import NINETY_FIVE, wilson_bounds
from twiceshy.effect.stops import StopCounts, count_stops
from twiceshy.notes.find_by_name import find_known_skill, find_only_note

ENOUGH = 5  # sessions on either side, below which nothing is said
_LITTLE = 0.1


class StudyArm(Value):
    """Sessions of a study arm in which the situation arose: total, failed, calls lost."""

    sessions: int = 0
    failed: int = 0
    lost: int = 0

    @property
    def failed_share(self) -> float:
        """Return the share of failed sessions."""
        return self.failed / self.sessions if self.sessions else 0.0


class NoteEffect(Value):
    """The measured effect of a note, or of several.

    ``told`` and ``untold`` are compared; ``prevented`` is the reduction of failed sessions, with
    a 95 % interval from ``low`` to ``high``; None while too few sessions are known.
    """

    shown: int
    withheld: int
    arose: int
    tokens: int
    false_alarms: int
    told: StudyArm
    untold: StudyArm
    prevented: float | None = None
    low: float = 0.0
    high: float = 0.0
    saved: float = 0.0  # calls in each session

    @property
    def avoided_sessions(self) -> float:
        """Return the number of sessions without a failure thanks to the note."""
        return max(0.0, self.prevented or 0.0) * self.arose

    @property
    def tokens_per_avoided(self) -> float | None:
        """Return the tokens spent for each avoided failure."""
        return self.tokens / self.avoided_sessions if self.avoided_sessions else None

    @property
    def calls_saved(self) -> float:
        """Return the calls saved in sessions with the note."""
        return self.saved * self.arose if self.prevented is not None else 0.0

    @property
    def calls_withheld(self) -> float:
        """Return the calls lost in sessions that went without the note."""
        return self.saved * self.untold.sessions if self.prevented is not None else 0.0


class _Session(Value):
    """Outcomes of a note in a session, or in ``sessions`` that came out alike."""

    at: int
    sessions: int
    lot: int
    withheld: bool
    arose: bool
    failed: bool
    false_alarm: bool
    tokens: int
    lost: int


def measure_effect(outcomes: Iterable[Outcome], *, since: int = 0) -> NoteEffect:
    """Measure the effect of the notes in these outcomes since a moment."""
    ordered = sorted(outcomes, key=lambda each: (each.at, each.key))
    recent: list[_Session] = []
    alike: dict[tuple[str, int], list[_Session]] = {}
    for (note, _), some in group_by(ordered, lambda each: (each.note, each.session)).items():
        session = _sum_session(some)
        if session.at < since:
            continue
        recent.append(session)
        if session.lot and session.arose:
            alike.setdefault((note, session.lot), []).append(session)
    strata = [_split_arms(sessions) for sessions in alike.values()]
    shown = [each for each in recent if not each.withheld]
    both = [pair for pair in strata if pair[0].sessions and pair[1].sessions]
    plain = NoteEffect(
        shown=_count(shown),
        withheld=_count(recent) - _count(shown),
        arose=_count(each for each in shown if each.arose),
        tokens=sum(each.tokens for each in shown),
        false_alarms=_count(each for each in shown if each.false_alarm),
        told=_add_arms(told for told, _ in both),
        # those without anyone to compare with still tell how far we are
        untold=_add_arms(untold for _, untold in strata),
    )
    untold = _add_arms(untold for _, untold in both)
    if min(plain.told.sessions, untold.sessions) < ENOUGH:
        return plain
    prevented, low, high = _pooled_difference(both)
    calls = [untold.lost / untold.sessions - told.lost / told.sessions for told, untold in both]
    saved = _weighted_mean(both, calls)
    return plain.but(untold=untold, prevented=prevented, low=low, high=high, saved=saved)


def describe_effect(effect: NoteEffect, *, many: bool = False) -> str:
    """Describe the effect of notes in plain words.

    Of several notes, a case is one note in one session that it mattered for.
    """
    if effect.prevented is None:
        return _describe_too_early(effect, many=many)
    told, untold = effect.told, effect.untold
    return (
        f"With {'notes' if many else 'the note'}, {told.failed:,} of {told.sessions:,}"
        f" {_name_cases(many=many)} went wrong; without {'them' if many else 'it'},"
        f" {untold.failed:,} of {untold.sessions:,}."
        f" {_describe_conclusion(effect, many=many)}"
    )


def _name_cases(*, many: bool) -> str:
    return "cases" if many else "sessions"


def _describe_conclusion(effect: NoteEffect, *, many: bool) -> str:
    it, s = ("They", "") if many else ("It", "s")
    cases = _name_cases(many=many)
    about, low, high = (
        round(100 * abs(share)) for share in (effect.prevented or 0.0, effect.low, effect.high)
    )
    if effect.low > 0:
        return f"{it} prevent{s} that in about {about} of 100 {cases} ({low} to {high})."
    if effect.high < 0:
        return f"{it} do{'' if many else 'es'} harm: about {about} of 100 {cases} more ({high} to {low})."
    if effect.high < _LITTLE:
        return f"{it} do{'' if many else 'es'} not help: {high} of 100 {cases} at most."
    return f"No difference can be told yet: between {low} more and {high} fewer of 100 {cases}."


def _describe_too_early(effect: NoteEffect, *, many: bool) -> str:
    if not effect.shown + effect.withheld:
        return "Nothing to measure yet: no session was shown a note."
    side, without = effect.untold.sessions, "withheld"
    if side >= ENOUGH:
        side, without = effect.told.sessions, "shown to compare with"
    if many:
        where = f"in {side} cases, a note was {without} in a session that it mattered for"
    else:
        where = f"in {side} sessions that it mattered for, the note was {without}"
    return f"Not enough data yet: {where}; at least {ENOUGH} are needed."


def _sum_session(some: Sequence[Outcome]) -> _Session:
    return _Session(
        at=some[0].at,
        sessions=some[0].sessions,
        lot=some[0].lot,
        withheld=any(each.withheld for each in some),
        arose=any(each.opportunity for each in some),
        failed=any(each.failed or each.harmed for each in some),
        false_alarm=any(each.false_alarm for each in some),
        tokens=sum(each.tokens for each in some if not each.withheld),
        lost=max(each.calls_lost for each in some),
    )


def _split_arms(sessions: Sequence[_Session]) -> tuple[StudyArm, StudyArm]:
    told = [each for each in sessions if not each.withheld]
    untold = [each for each in sessions if each.withheld]
    return _build_arm(told), _build_arm(untold)


def _build_arm(sessions: Sequence[_Session]) -> StudyArm:
    failed = _count(each for each in sessions if each.failed)
    return StudyArm(_count(sessions), failed, sum(each.lost for each in sessions))


def _count(sessions: Iterable[_Session]) -> int:
    return sum(each.sessions for each in sessions)


def _add_arms(arms: Iterable[StudyArm]) -> StudyArm:
    columns = zip(*((arm.sessions, arm.failed, arm.lost) for arm in arms), strict=True)
    return StudyArm(*map(sum, columns))


def _pooled_difference(pairs: Sequence[tuple[StudyArm, StudyArm]]) -> tuple[float, float, float]:
    """Return the reduction of failures with its 95 % interval."""
    crude, lowest, highest = _newcombe_interval(*map(_add_arms, zip(*pairs, strict=True)))
    if len(pairs) == 1:
        return crude, lowest, highest
    shares = [untold.failed_share - told.failed_share for told, untold in pairs]
    middle = _weighted_mean(pairs, shares)
    # the variance that Sato gave for it holds for many small groups and for few large ones
    spread = sum(_variance(told, untold, middle) for told, untold in pairs)
    reach = NINETY_FIVE * sqrt(max(0.0, spread)) / sum(_pair_weight(*pair) for pair in pairs)
    # but where nobody fails it is nothing, and so few sessions do not say that much
    low, high = middle - max(reach, crude - lowest), middle + max(reach, highest - crude)
    return middle, max(-1.0, low), min(1.0, high)


def _variance(told: StudyArm, untold: StudyArm, middle: float) -> float:
    a, n, b, m = untold.failed, untold.sessions, told.failed, told.sessions
    skew = (n * n * b - m * m * a + m * n * (m - n) / 2) / (m + n) ** 2
    return middle * skew + (a * (m - b) + b * (n - a)) / (2 * (m + n))


def _newcombe_interval(told: StudyArm, untold: StudyArm) -> tuple[float, float, float]:
    """Compare two shares by their own intervals; valid for few failures, too."""
    one, other = untold.failed_share, told.failed_share
    low, high = wilson_bounds(untold.failed, untold.sessions, NINETY_FIVE)
    low_told, high_told = wilson_bounds(told.failed, told.sessions, NINETY_FIVE)
    middle = one - other
    below = sqrt((one - low) ** 2 + (high_told - other) ** 2)
    above = sqrt((high - one) ** 2 + (other - low_told) ** 2)
    return middle, middle - below, middle + above


def _weighted_mean(pairs: Sequence[tuple[StudyArm, StudyArm]], values: Sequence[float]) -> float:
    weights = [_pair_weight(*pair) for pair in pairs]
    total = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return total / sum(weights)


def _pair_weight(told: StudyArm, untold: StudyArm) -> float:
    return told.sessions * untold.sessions / (told.sessions + untold.sessions)


class EffectReport(Value):
    """Effects by skill and by note id, most shown first, with their notes."""

    overall: NoteEffect
    by_skill: Mapping[str, NoteEffect]
    by_note: Mapping[str, NoteEffect]
    notes: Mapping[str, Note]
    stops: StopCounts


def report_effect(
    app: App, *, note: str | None = None, skill: str | None = None, days: int | None = None
) -> EffectReport:
    """Measure the notes of a skill, a single note, or every note."""
    since = start_of_day(app.store.now()) - (days - 1) * DAY if days else 0
    only = find_only_note(app, note).id if note else ""
    wanted = find_known_skill(app, skill) if skill else None
    outcomes = app.store.list_outcomes(note=only)
    found = {each: app.store.note(each) for each in sorted({one.note for one in outcomes})}
    notes = {
        each: known
        for each, known in found.items()
        if known and wanted in (None, known.scope.skill)
    }
    outcomes = [each for each in outcomes if each.note in notes]
    skills = {each: known.scope.skill for each, known in notes.items()}
    by_skill = _measure_groups(outcomes, skills, since)
    by_skill.pop("", None)
    return EffectReport(
        overall=measure_effect(outcomes, since=since),
        by_skill=by_skill,
        by_note=_measure_groups(outcomes, {each: each for each in notes}, since),
        notes=notes,
        stops=count_stops(app, outcomes, _list_stops(app, only, wanted), since=since),
    )


def _list_stops(app: App, note: str, skill: str | None) -> Iterable[Exposure]:
    """Yield the stops by one note, or by the notes of a skill, or by all."""
    for one in app.store.list_exposures(note=note, channel=STOP):
        known = app.store.note(one.note) if skill is not None else None
        if skill is None or (known and known.scope.skill == skill):
            yield one


def _measure_groups(
    outcomes: Iterable[Outcome], groups: Mapping[str, str], since: int
) -> dict[str, NoteEffect]:
    """Measure groups of notes separately, most shown first."""
    parts = group_by(outcomes, lambda each: groups[each.note])
    effects = {key: measure_effect(some, since=since) for key, some in parts.items()}
    seen = {key: each for key, each in effects.items() if each.shown + each.withheld}
    return dict(sorted(seen.items(), key=lambda pair: (-pair[1].shown, pair[0])))
