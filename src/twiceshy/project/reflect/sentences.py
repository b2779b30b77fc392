"""Say in sentences what a week taught: learned, comes back, corrected, open; each with its command."""

from __future__ import annotations

import shlex
from itertools import islice

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import MISTAKE
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.trigger import parse_trigger
from twiceshy.core.value import Value
from twiceshy.language.same_meaning import is_same_meaning, read_meaning
from twiceshy.notes.propose import find_proposed_rule
from twiceshy.notes.review import choose_waiting
from twiceshy.project.episodes.left_open import is_check
from twiceshy.project.local_day import format_local_day
from twiceshy.project.reflect.patterns import TROUBLE
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.project.reflect.gather import ReflectionInput
    from twiceshy.project.reflect.patterns import RecurringMistake, SaidSentence

_MAX_LEARNED, _MAX_RECURRING, _MAX_UNKNOWN, _MAX_SAID = 5, 3, 2, 3
_MAX_TEXT = 140
_NOT_ADVICE = ("task", "page", "rule")


class FailureCount(Value):
    """How often, on how many days and in how many sessions a mistake was made; how often put right."""

    times: int = 0
    days: int = 0
    sessions: int = 0
    put_right: int = 0


def count_failures(store: Store, note: Note, *, since: int = 0, until: int = 0) -> FailureCount:
    """Count the failures that taught this very note in a time."""
    found = [
        one for one in store.list_evidence(note.id) if since <= one[2] < (until or one[2] + 1)
    ]
    keys = [key for key, *_ in found]
    # an import and a checkpoint are evidence, too: of no call that failed
    signals = store.list_signals(keys=keys, limit=len(keys)) if keys else []
    known = [signal for signal in signals if signal.kind in TROUBLE]
    failed = {signal.key for signal in known}
    made = [one for one in found if one[0] in failed]
    return FailureCount(
        times=len(made),
        days=len({format_local_day(at) for *_, at in made}),
        sessions=len({session for _, session, _ in made}),
        put_right=sum(bool(signal.pair) for signal in known),
    )


def say_lesson(note: Note, failed: FailureCount) -> str:
    """Say what a note teaches, and how often that very thing failed and was put right."""
    text = _quote_text(note)
    if not failed.times:
        return f"{text} ({note.subtype or note.kind})"
    if note.kind != "lesson":
        often = _say_often(failed.times, failed.days)
        return worded("{text} — you said it {often}", text=text, often=often)
    said = worded(
        "{text} — failed {often}", text=text, often=_say_often(failed.times, failed.days)
    )
    if not failed.put_right:
        return worded("{said}, not put right yet", said=said)
    if failed.put_right == failed.times:
        return worded("{said}, put right each time", said=said)
    if failed.put_right == 1:
        return worded("{said}, put right once", said=said)
    return worded("{said}, put right {count} times", said=said, count=failed.put_right)


def say_learned(app: App, gathered: ReflectionInput) -> Iterator[str]:
    """Yield what was learned this week, what failed most often first."""
    new = [note for note in _list_advice(gathered) if note.written_at >= gathered.since]
    counted = [(count_failures(app.store, note), note) for note in new]
    counted.sort(key=lambda one: (-one[0].times, -one[1].written_at, one[1].id))
    for failed, note in counted[:_MAX_LEARNED]:
        yield _add_command(say_lesson(note, failed), f"twiceshy why {note.handle}")
    if len(counted) > _MAX_LEARNED:
        more = worded("and {count} more", count=len(counted) - _MAX_LEARNED)
        yield _add_command(more, "twiceshy list")


def say_recurring(app: App, gathered: ReflectionInput) -> Iterator[str]:
    """Yield what failed again this week though a note tells of it, then what has no note."""
    advice = _list_advice(gathered)
    found = []
    for note in advice:
        if note.kind != "lesson" or _is_daily_work(note):
            continue
        again = count_failures(app.store, note, since=max(gathered.since, note.written_at))
        if again.times:
            found.append((again, note))
    found.sort(key=lambda one: (-one[0].days, -one[0].times, one[1].id))
    for again, note in found[:_MAX_RECURRING]:
        yield _say_again(app, note, again)
    known = {key for note in advice for key, *_ in app.store.list_evidence(note.id)}
    for mistake in islice(_list_unknown(gathered, known), _MAX_UNKNOWN):
        often = _say_often(mistake.times, mistake.days)
        said = worded("{mistake} — {often}, and no note", mistake=mistake.example, often=often)
        yield _add_command(said, "twiceshy learn")


def say_corrections(gathered: ReflectionInput) -> Iterator[str]:
    """Yield the sentences by which the user corrected the agent again, said most often first."""
    said = [each for each in gathered.patterns.said if each.last_at >= gathered.since]
    again = [each for each in said if each.sessions > 1]
    known = [each.note for each in gathered.shown_notes if each.note.kind == "preference"]
    for each in again[:_MAX_SAID]:
        yield _say_kept(each, known)
    if len(again) > _MAX_SAID:
        yield worded("and {count} more", count=len(again) - _MAX_SAID)
    if once := len(said) - len(again):
        yield worded("corrections said once: {count}", count=once)


def say_open(app: App, gathered: ReflectionInput) -> Iterator[str]:
    """Yield what waits for the user: decisions, tasks and issues."""
    own = app.store.list_project_ids(gathered.project)
    seen = tuple(dict.fromkeys((*own, EVERYWHERE)))
    counts = choose_waiting(app.store, key=app.rule_key(), projects=seen, most=0).counts
    if waiting := sum(counts.values()):
        said = worded("notes and rules that wait for you: {count}", count=waiting)
        yield _add_command(said, "twiceshy review")
    for kind, command in (("task", "twiceshy todo"), ("issue", "twiceshy list --kind issue")):
        notes = app.store.notes(NoteFilter(projects=own, kinds=(kind,), state="open"), limit=None)
        if notes:
            newest = _quote_text(max(notes, key=lambda note: note.written_at))
            yield _add_command(_say_open_notes(kind, len(notes), newest), command)


def _say_kept(said: SaidSentence, known: Iterable[Note]) -> str:
    """Say a correction, and the preference that it has become or how to make it one."""
    meaning = read_meaning(said.text)
    same = (note for note in known if is_same_meaning(meaning, read_meaning(note.text)))
    if note := next(same, None):
        return _add_command(say_correction(said), f"twiceshy show {note.handle}")
    keep = f"twiceshy note --kind preference {shlex.quote(said.text)}"
    return _add_command(say_correction(said), keep)


def _say_open_notes(kind: str, count: int, newest: str) -> str:
    if kind == "task":
        return worded("open tasks: {count}, the newest: {text}", count=count, text=newest)
    return worded("open issues: {count}, the newest: {text}", count=count, text=newest)


def _say_often(times: int, days: int) -> str:
    """Say how often and on how many days, each in words that fit the number."""
    if times == 1:
        return worded("once")
    if days == 1:
        return worded("{times} times on one day", times=times)
    return worded("{times} times on {days} days", times=times, days=days)


def say_correction(said: SaidSentence) -> str:
    """Say how often the user said a sentence."""
    often = _say_often(said.times, said.days)
    return worded("you said {often}: {text}", often=often, text=said.text)


def _say_again(app: App, note: Note, again: FailureCount) -> str:
    said = worded(
        "{text} — again {often} since it is known",
        text=_quote_text(note),
        often=_say_often(again.times, again.days),
    )
    rule = find_proposed_rule(app.store, note)
    if rule is None:
        text = shlex.quote(" ".join(strip_unsafe(note.text).split()))
        return _add_command(said, f"twiceshy note --kind rule {text}")
    if rule.status == "active":
        return worded("{said}, and as rule {rule}", said=said, rule=rule.handle)
    # an agent reads it, too: only a person accepts a rule
    waits = worded("{said}; rule {rule} waits", said=said, rule=rule.handle)
    return _add_command(waits, "twiceshy review")


def _is_daily_work(note: Note) -> bool:
    """True for a lesson about what a test or a linter finds: it is run because it may fail."""
    trigger = parse_trigger(note.trigger)
    return (
        trigger is not None and trigger.category == "outcome" and is_check(" ".join(trigger.words))
    )


def _list_unknown(gathered: ReflectionInput, known: set[str]) -> Iterator[RecurringMistake]:
    """Yield the recurring mistakes of this week that taught no note, and are no checks of code."""
    about = {signal.mistake for signal in gathered.signals if signal.key in known}
    lately = {signal.mistake for signal in gathered.signals if signal.at >= gathered.since}
    for each in gathered.patterns.mistakes:
        if each.mistake in lately - about and not is_check(each.command):
            yield each


def _list_advice(gathered: ReflectionInput) -> list[Note]:
    """Return the notes of the project, and those for all projects that it has taught alone."""
    own = [each.note for each in gathered.shown_notes if each.note.kind not in _NOT_ADVICE]
    tags = {note.tag for note in own if note.tag.startswith(MISTAKE)}
    shared = (
        note
        for note in gathered.audit.facts.notes
        if note.scope.project == EVERYWHERE != gathered.project
        and note.origin_project == gathered.project
        and note.kind not in _NOT_ADVICE
        and note.tag not in tags
    )
    return [*own, *shared]


def _add_command(said: str, command: str) -> str:
    return f"{said}: {command}"


def _quote_text(note: Note) -> str:
    return fold_to_line(strip_unsafe(note.text), limit=_MAX_TEXT)
