"""Reflect on a project: review notes, ask questions, remove in two steps, report."""

from __future__ import annotations

from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import Filter
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.core.worth import counts_of
from twiceshy.effect.measure import effect_of, sentence
from twiceshy.notes.naming import the_note
from twiceshy.project.episodes.told import facts_of
from twiceshy.project.local_day import local_day
from twiceshy.project.reflect import carry_out as reflection
from twiceshy.project.reflect.gather import candidates, instructions, meet, view
from twiceshy.project.reflect.questions import (
    Decided,
    asked_about,
    decided_of,
    unanswered,
    written,
)
from twiceshy.project.reflect.removal import check_removable, pending_of
from twiceshy.project.reflect.report import (
    HEALTH,
    PITFALLS,
    STATS,
    Report,
    figures_of,
    file_name,
    page,
)
from twiceshy.project.reflect.review import MARKS, STANDINGS, is_pitfall
from twiceshy.project.reflect.suggest_patch import suggested

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.project.reflect.gather import View
    from twiceshy.project.reflect.questions import Answer, Candidate
    from twiceshy.project.reflect.review import Marked

_ALL = 10_000
_QUOTED = 80
_FEW = 3


class Reflected(Value):
    """Result of a reflection: report episode, questions, removable and restored notes."""

    episode: Episode
    name: str
    candidates: tuple[Candidate, ...]
    removable: tuple[Note, ...]
    spared: tuple[Note, ...]

    @property
    def file(self) -> str:
        """File name of the report."""
        return file_name(local_day(self.episode.ended_at))


def reflect(app: App, project: str) -> Reflected:
    """Review a project and store the report; notes change only when the user answers."""
    with app.store.change():
        meet(app, project)
        looked = view(app, project)
        spared = reflection.spare_needed(app, [each.note for each in looked.pending])
        looked = view(app, project) if spared else looked
        before = decided_of(looked.last.requests) if looked.last else []
        asked, held = unanswered(candidates(looked), before)
        episode = _episode(app, looked)
        removable = _removable(looked, episode)
        report = _report(looked, asked, removable)
        lines = [
            *map(asked_about, asked),
            *(Decided(each.note.id, each.note.revision, each.mark) for each in removable),
            *held,
        ]
        episode = episode.but(summary=page(report), requests=tuple(each.line() for each in lines))
        app.store.capture(episode)
    notes = tuple(each.note for each in removable)
    return Reflected(episode, looked.name, tuple(asked), notes, tuple(spared))


def answer(app: App, name: str, given: Answer) -> Note:
    """Apply an answer to a note from the last reflection on its project."""
    note = the_note(app, name)
    return reflection.carry_out(app, _cycle(app, note), note, given)


def remove(app: App, note: Note) -> Note:
    """Remove a note marked by an earlier reflection; the caller has asked the user."""
    return reflection.remove(app, note, _last(app, note.scope.project), day_of=local_day)


def check(app: App, name: str) -> Note:
    """Return the note with a name if it may be removed now; NoteError says why not."""
    note = the_note(app, name)
    check_removable(note, _last(app, note.scope.project), day_of=local_day)
    return note


def kept_report(app: App, project: str, name: str = "") -> Episode:
    """Return a project's last report, or the report whose id ends with ``name``."""
    if name:
        return _named(app, name)
    last = _last(app, project)
    if last is None:
        raise NotFoundError("nobody has reflected here yet", hint="run: twiceshy reflect")
    return last


def report_facts(episode: Episode) -> dict[str, object]:
    """Return a kept report as plain facts: its day, its figures, and what was answered."""
    day = local_day(episode.ended_at)
    return {
        "id": episode.id,
        "project": episode.project,
        "day": day,
        "file": file_name(day),
        "figures": figures_of(episode.summary),
        "answers": {each.note: each.answer for each in decided_of(episode.requests)},
        "page": episode.summary,
    }


def is_report(app: App, name: str) -> bool:
    """True if a name is the end of a report's id, rather than a project."""
    return bool(_reports(app, name))


def _named(app: App, name: str) -> Episode:
    found = _reports(app, name)
    if len(found) != 1:
        many = "several reports end in" if found else "there is no report"
        raise NotFoundError(f"{many} {name!r}", hint="see: twiceshy reflect --show")
    return found[0]


def _reports(app: App, name: str) -> list[Episode]:
    everywhere = app.store.episodes(_every_project(app), kinds=("reflect",), limit=_ALL)
    ending = name.removeprefix("e")
    return [each for each in everywhere if len(ending) >= 3 and each.id.endswith(ending)]


def with_notes(app: App) -> list[str]:
    """Return each project with notes once, and the global scope."""
    found: dict[tuple[str, ...], str] = {}
    for project in _every_project(app):
        own = app.store.same_project(project)
        if app.store.count(Filter(projects=own)):
            found.setdefault(tuple(sorted(own)), project)
    return list(found.values())


def _every_project(app: App) -> tuple[str, ...]:
    return (*app.store.projects(), EVERYWHERE)


def _last(app: App, project: str) -> Episode | None:
    found = app.store.episodes(app.store.same_project(project), kinds=("reflect",), limit=1)
    return found[0] if found else None


def _cycle(app: App, note: Note) -> Episode:
    last = _last(app, note.scope.project)
    if last is None:
        raise NotFoundError(
            f"no reflection has asked about {note.handle}", hint="run first: twiceshy reflect"
        )
    return last


def _episode(app: App, looked: View) -> Episode:
    return Episode(
        id="e" + app.store.new_id()[1:],
        kind="reflect",
        session="",
        project=looked.project,
        started_at=looked.since,
        ended_at=looked.now,
        title=f"Reflection on {looked.name}",
    )


def _removable(looked: View, episode: Episode) -> list[Marked]:
    """Return the notes marked by an earlier reflection and removable in the current."""
    found = []
    for each in looked.pending:
        try:
            check_removable(each.note, episode, day_of=local_day)
        except NoteError:
            continue
        found.append(each)
    return found


def _report(looked: View, asked: Sequence[Candidate], removable: Sequence[Marked]) -> Report:
    gone = [each.note for each in asked if each.note.kind == "page" and each.must_go]
    new = [
        each.note
        for each in looked.shown
        if each.note.kind == "page" and each.note.written_at >= looked.since
    ]
    name, content = instructions(looked.root)
    return Report(
        project=looked.name,
        day=local_day(looked.now),
        figures={STATS: _stats(looked), HEALTH: _health(looked), PITFALLS: _pitfalls(looked)},
        before=figures_of(looked.last.summary) if looked.last else {},
        patterns=tuple(_patterns(looked)),
        candidates=(*map(_asked, asked), *map(_waits, removable)),
        conclusion=tuple(_conclusion(looked, asked, removable)),
        updates=suggested(name, content, looked.rules, gone=gone, new=new),
    )


def _stats(looked: View) -> dict[str, int]:
    lately = [each for each in looked.notes if each.note.written_at >= looked.since]
    return {
        "Sessions": looked.sessions,
        "Episodes reviewed": len(looked.episodes),
        "Messages": sum(facts_of(each).messages for each in looked.episodes),
        "Notes learned": len(lately),
        "Signals": sum(signal.at >= looked.since for signal in looked.signals),
    }


def _health(looked: View) -> dict[str, int]:
    marks = [each.mark for each in looked.shown]
    pages = sum(each.note.kind == "page" for each in looked.shown)
    counted = {mark.capitalize().replace("-", " "): marks.count(mark) for mark in MARKS}
    return {
        "Notes": len(looked.shown) - pages,
        "Pages": pages,
        "Rules": len(looked.rules),
        **counted,
        "Pending removal": len(looked.pending),
    }


def _pitfalls(looked: View) -> dict[str, int]:
    pitfalls = [each for each in looked.shown if is_pitfall(each.note)]
    standings = [each.standing for each in pitfalls]
    return {
        "Pitfalls": len(pitfalls),
        **{name.capitalize(): standings.count(name) for name in STANDINGS},
        "Recurring mistakes": len(looked.patterns.mistakes),
    }


def _patterns(looked: View) -> Iterable[str]:
    found = looked.patterns
    for work, times in found.work:
        yield f"mostly: {work} ({times} of {len(looked.episodes)} episodes)"
    for each in found.mistakes:
        yield f"made on {each.days} days, {each.times} times: {each.example}"
    for note in found.habits:
        yield f"new: {_quoted(note)}"


def _asked(candidate: Candidate) -> str:
    seen = candidate.seen
    known = "; ".join((seen.mark, *filter(None, (seen.standing,)), *seen.evidence))
    return f"{_quoted(candidate.note)} ({known}; proposed: {written(candidate.proposal)})"


def _waits(seen: Marked) -> str:
    pending = pending_of(seen.note)
    day = local_day(pending.at) if pending else "?"
    return f"{_quoted(seen.note)} (marked on {day}; to be confirmed)"


def _conclusion(
    looked: View, asked: Sequence[Candidate], removable: Sequence[Marked]
) -> Iterable[str]:
    holding = sum(each.holds for each in looked.shown)
    yield f"{holding} of {len(looked.shown)} notes and pages hold; {len(asked)} want an answer"
    if removable:
        yield f"{len(removable)} may go once you confirm: twiceshy reflect --remove ID"
    yield sentence(effect_of(looked.outcomes), many=True)
    by_note = _by_note(looked.outcomes)
    notes = {each.note.id: each.note for each in looked.notes}
    for told, worth in (("helped", 1), ("did not help", -1)):
        for note_id in _ranked(by_note, worth)[:_FEW]:
            yield f"{told}: {_quoted(notes[note_id])}"


def _by_note(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = {}
    for each in outcomes:
        found.setdefault(each.note, []).append(each)
    return found


def _ranked(by_note: Mapping[str, Sequence[Outcome]], worth: int) -> list[str]:
    """Return the notes that helped, or did not help, clearest first.

    ``worth`` is 1 for notes that helped and -1 for the rest.
    """
    counts = {note_id: counts_of(some) for note_id, some in by_note.items()}
    weights = {note_id: worth * (each.helped - each.misses) for note_id, each in counts.items()}
    found = [note_id for note_id, weight in weights.items() if weight > 0]
    return sorted(found, key=lambda note_id: (-weights[note_id], note_id))


def _quoted(note: Note) -> str:
    kind = note.subtype or note.kind
    said = note.tag if note.kind == "page" else note.text
    return f"{note.handle} {kind}: {one_line(clean(said), limit=_QUOTED)}"
