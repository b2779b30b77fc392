"""Reflect on a project: review notes, ask questions, remove in two steps, report."""

from __future__ import annotations

from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.grouping import group_by
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.core.worth import count_outcomes
from twiceshy.effect.measure import describe_effect, measure_effect
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.project.audit.review import MARKS, PITFALL_STATUSES, ReviewedNote, is_pitfall
from twiceshy.project.audit.wording import describe_verdict
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.project.local_day import format_local_day
from twiceshy.project.reflect.apply_answers import (
    PENDING,
    apply_answer,
    check_removable,
    parse_reason,
    remove_marked_note,
    restore_needed,
)
from twiceshy.project.reflect.gather import (
    gather_input,
    list_candidates,
    read_instructions,
    record_current_project,
)
from twiceshy.project.reflect.questions import (
    answer_word,
    build_question,
    parse_decisions,
    select_questions,
)
from twiceshy.project.reflect.report import (
    HEALTH,
    INTERVAL_DAYS,
    PITFALLS,
    STATS,
    ReflectionReport,
    parse_figures,
    render_report,
    report_file_name,
)
from twiceshy.project.reflect.sentences import (
    say_corrections,
    say_learned,
    say_open,
    say_recurring,
)
from twiceshy.project.reflect.suggest_patch import suggest_patch
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.project.audit.facts import AuditFinding, AuditResult
    from twiceshy.project.reflect.gather import ReflectionInput
    from twiceshy.project.reflect.questions import Answer, ReviewCandidate

_MAX_ITEMS = 5
_MAX_QUOTE = 80
_MAX_RANKED = 3
# figures of the report that are numbers of the audit
_COUNTED = {"Notes": "notes", "Global notes": "everywhere", "Pages": "pages", "Rules": "rules"}


class Reflection(Value):
    """Result of a reflection: report episode, questions, removable and restored notes."""

    episode: Episode
    report: ReflectionReport
    audit: AuditResult
    candidates: tuple[ReviewCandidate, ...]
    removable: tuple[Note, ...]
    restored: tuple[Note, ...]

    @property
    def doubts(self) -> list[AuditFinding]:
        """The findings of the audit that the questions are about."""
        about = (finding for each in self.candidates for finding in each.reviewed.findings)
        return list({finding.id: finding for finding in about}.values())

    @property
    def file(self) -> str:
        """File name of the report."""
        return report_file_name(format_local_day(self.episode.ended_at))


def reflect_on_project(app: App, project: str, look_over: Callable[[], AuditResult]) -> Reflection:
    """Review a project and store the report; notes change only when the user answers.

    ``look_over`` returns the audit of the project.
    """
    with app.store.change():
        record_current_project(app, project)
        spared = restore_needed(app, _list_pending(app, project))
    audit = look_over()
    with app.store.change():
        looked = gather_input(app, project, audit)
        before = parse_decisions(looked.last.requests) if looked.last else []
        asked, held = select_questions(list_candidates(looked), before)
        episode = _build_episode(app, looked)
        removable = _list_removable(looked, episode)
        report = _build_report(app, looked, asked, removable)
        reviewed = (*(each.reviewed for each in asked), *removable)
        lines = tuple(each.to_line() for each in (*map(build_question, reviewed), *held))
        episode = episode.but(summary=render_report(report), requests=lines)
        app.store.capture(episode)
    notes = tuple(each.note for each in removable)
    return Reflection(episode, report, audit, tuple(asked), notes, tuple(spared))


def _list_pending(app: App, project: str) -> list[Note]:
    own = app.store.list_project_ids(project)
    return app.store.notes(NoteFilter(projects=own, statuses=(PENDING,)), limit=None)


def answer_question(app: App, name: str, given: Answer) -> Note:
    """Apply an answer to a note from the last reflection on its project."""
    note = find_only_note(app, name)
    missing = f"no reflection has asked about {note.handle}"
    cycle = _require_reflection(app, note.scope.project, missing)
    return apply_answer(app, cycle, note, given)


def remove_note(app: App, note: Note) -> Note:
    """Remove a note marked by an earlier reflection; the caller has asked the user."""
    last = _last_reflection(app, note.scope.project)
    return remove_marked_note(app, note, last, day_of=format_local_day)


def check_removal(app: App, name: str) -> Note:
    """Return the note with a name if it may be removed now; NoteError says why not."""
    note = find_only_note(app, name)
    check_removable(note, _last_reflection(app, note.scope.project), day_of=format_local_day)
    return note


def get_report(app: App, project: str, name: str = "") -> Episode:
    """Return a project's last report, or the report whose id ends with ``name``."""
    if not name:
        return _require_reflection(app, project, "nobody has reflected here yet")
    found = _find_reports(app, name)
    if len(found) != 1:
        many = "several reports end in" if found else "there is no report"
        raise NotFoundError(f"{many} {name!r}", hint="see: twiceshy reflect --show")
    return found[0]


def report_facts(episode: Episode) -> dict[str, object]:
    """Return a kept report as plain facts: its day, its figures, and what was answered."""
    day = format_local_day(episode.ended_at)
    return {
        "id": episode.id,
        "project": episode.project,
        "day": day,
        "file": report_file_name(day),
        "figures": parse_figures(episode.summary),
        "answers": {each.note: each.answer for each in parse_decisions(episode.requests)},
        "page": episode.summary,
    }


def is_report_name(app: App, name: str) -> bool:
    """True if a name is the end of a report's id, rather than a project."""
    return bool(_find_reports(app, name))


def _find_reports(app: App, name: str) -> list[Episode]:
    reports = app.store.list_episodes(kinds=("reflect",), limit=None)
    ending = name.removeprefix("e")
    return [each for each in reports if len(ending) >= 3 and each.id.endswith(ending)]


def list_projects_with_notes(app: App) -> list[str]:
    """Return each project with notes once, and the global scope."""
    found: dict[tuple[str, ...], str] = {}
    for project in (*app.store.list_projects(), EVERYWHERE):
        own = app.store.list_project_ids(project)
        if app.store.count_notes(NoteFilter(projects=own)):
            found.setdefault(tuple(sorted(own)), project)
    return list(found.values())


def _last_reflection(app: App, project: str) -> Episode | None:
    own = app.store.list_project_ids(project)
    return next(iter(app.store.list_episodes(own, kinds=("reflect",), limit=1)), None)


def _require_reflection(app: App, project: str, missing: str) -> Episode:
    last = _last_reflection(app, project)
    if last is None:
        raise NotFoundError(missing, hint="run: twiceshy reflect")
    return last


def _build_episode(app: App, gathered: ReflectionInput) -> Episode:
    return Episode(
        id="e" + app.store.new_id()[1:],
        kind="reflect",
        session="",
        project=gathered.project,
        started_at=gathered.since,
        ended_at=gathered.now,
        title=f"Reflection on {gathered.name}",
    )


def _list_removable(gathered: ReflectionInput, episode: Episode) -> list[ReviewedNote]:
    """Return the notes marked by an earlier reflection and removable in the current."""
    found = []
    for each in gathered.pending_notes:
        try:
            check_removable(each.note, episode, day_of=format_local_day)
        except NoteError:
            continue
        found.append(each)
    return found


def _build_report(
    app: App,
    gathered: ReflectionInput,
    asked: Sequence[ReviewCandidate],
    removable: Sequence[ReviewedNote],
) -> ReflectionReport:
    gone = [each.note for each in asked if each.note.kind == "page" and each.must_go]
    shown = [each.note for each in gathered.shown_notes]
    new = [note for note in shown if note.kind == "page" and note.written_at >= gathered.since]
    name, content = read_instructions(gathered.root)
    return ReflectionReport(
        project=gathered.name,
        day=format_local_day(gathered.now),
        figures={
            STATS: _count_work(gathered),
            HEALTH: _count_health(gathered),
            PITFALLS: _count_pitfalls(gathered),
        },
        verdict=describe_verdict(gathered.audit),
        before=parse_figures(gathered.last.summary) if gathered.last else {},
        work=_describe_work(gathered),
        learned=tuple(say_learned(app, gathered)),
        patterns=tuple(say_recurring(app, gathered)),
        corrections=tuple(say_corrections(gathered)),
        candidates=(*map(_describe_candidate, asked), *map(_describe_pending, removable)),
        may_go=tuple(_list_may_go(asked, removable)),
        open_ends=tuple(say_open(app, gathered)),
        conclusion=tuple(_describe_conclusion(gathered, asked, removable)),
        updates=suggest_patch(name, content, gathered.rules, gone=gone, new=new),
    )


def _count_work(gathered: ReflectionInput) -> dict[str, int]:
    lately = [each for each in gathered.notes if each.note.written_at >= gathered.since]
    return {
        "Sessions": gathered.sessions,
        "Episodes reviewed": len(gathered.episodes),
        "Messages": sum(parse_episode_facts(each).messages for each in gathered.episodes),
        "Notes learned": len(lately),
        "Signals": sum(signal.at >= gathered.since for signal in gathered.signals),
    }


def _count_health(gathered: ReflectionInput) -> dict[str, int]:
    marks = [each.mark for each in gathered.shown_notes]
    counts = gathered.audit.facts.counts
    marked = {mark.capitalize().replace("-", " "): marks.count(mark) for mark in MARKS}
    return {
        **{name: counts[key] for name, key in _COUNTED.items()},
        **marked,
        "Pending removal": len(gathered.pending_notes),
    }


def _count_pitfalls(gathered: ReflectionInput) -> dict[str, int]:
    pitfalls = [each for each in gathered.shown_notes if is_pitfall(each.note)]
    standings = [each.pitfall_status for each in pitfalls]
    return {
        "Pitfalls": len(pitfalls),
        **{name.capitalize(): standings.count(name) for name in PITFALL_STATUSES},
        "Recurring mistakes": len(gathered.patterns.mistakes),
        "Different corrections": len(gathered.patterns.said),
        "Corrections said again": len(gathered.patterns.repeated),
    }


def _describe_work(gathered: ReflectionInput) -> str:
    if gathered.sessions == 1:
        said = worded("one session in {days} days", days=INTERVAL_DAYS)
    else:
        said = worded(
            "{count} sessions in {days} days", count=gathered.sessions, days=INTERVAL_DAYS
        )
    work = ", ".join(f"{work} ({times})" for work, times in gathered.patterns.work if times > 1)
    return worded("{said}; mostly {work}", said=said, work=work) if work else said


def _describe_candidate(candidate: ReviewCandidate) -> str:
    seen, answer = candidate.reviewed, answer_word(candidate.proposal)
    known = "; ".join(seen.evidence or (seen.mark,))
    command = f"twiceshy reflect --answer {candidate.note.handle}={answer}"
    return f"{_quote_note(candidate.note)} ({known}): {command}"


def _list_may_go(
    asked: Sequence[ReviewCandidate], removable: Sequence[ReviewedNote]
) -> Iterable[str]:
    """Yield what something speaks against, marked notes first, and how many questions are left."""
    yield from map(_describe_pending, removable[:_MAX_ITEMS])
    doubted = [each for each in asked if each.must_go or each.rule]
    yield from map(_describe_candidate, doubted[:_MAX_ITEMS])
    shown = min(len(removable), _MAX_ITEMS) + min(len(doubted), _MAX_ITEMS)
    if left := len(asked) + len(removable) - shown:
        yield worded("questions about {count} more notes: twiceshy reflect --show", count=left)


def _describe_pending(seen: ReviewedNote) -> str:
    pending = parse_reason(seen.note)
    day = format_local_day(pending.at) if pending else "?"
    command = f"twiceshy reflect --remove {seen.note.handle}"
    return f"{_quote_note(seen.note)} (marked on {day}; to be confirmed): {command}"


def _describe_conclusion(
    gathered: ReflectionInput, asked: Sequence[ReviewCandidate], removable: Sequence[ReviewedNote]
) -> Iterable[str]:
    holding = sum(each.is_valid for each in gathered.shown_notes)
    yield f"{holding} of {len(gathered.shown_notes)} notes and pages hold; {len(asked)} want an answer"
    if removable:
        yield f"{len(removable)} may go once you confirm: twiceshy reflect --remove ID"
    yield describe_effect(measure_effect(gathered.outcomes), many=True)
    by_note = group_by(gathered.outcomes, lambda outcome: outcome.note)
    notes = {each.note.id: each.note for each in gathered.notes}
    for told, worth in (("helped", 1), ("did not help", -1)):
        for note_id in _rank_notes(by_note, worth)[:_MAX_RANKED]:
            yield f"{told}: {_quote_note(notes[note_id])}"


def _rank_notes(by_note: Mapping[str, Sequence[Outcome]], worth: int) -> list[str]:
    """Return the notes that helped, or did not help, clearest first.

    ``worth`` is 1 for notes that helped and -1 for the rest.
    """
    counts = {note_id: count_outcomes(some) for note_id, some in by_note.items()}
    weights = {note_id: worth * (each.helped - each.misses) for note_id, each in counts.items()}
    found = [note_id for note_id, weight in weights.items() if weight > 0]
    return sorted(found, key=lambda note_id: (-weights[note_id], note_id))


def _quote_note(note: Note) -> str:
    kind = note.subtype or note.kind
    said = note.tag if note.kind == "page" else note.text
    return f"{note.handle} {kind}: {fold_to_line(strip_unsafe(said), limit=_MAX_QUOTE)}"
