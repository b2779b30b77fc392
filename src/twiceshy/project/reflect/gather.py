"""Gather the input of a reflection: notes, pages, episodes, signals and outcomes."""

import os

from twiceshy.app import App
from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.core.retention import SAVED
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.project.audit.facts import AuditResult
from twiceshy.project.audit.review import ReviewedNote, review_notes
from twiceshy.project.local_day import format_local_day
from twiceshy.project.reflect.apply_answers import PENDING
from twiceshy.project.reflect.patterns import (
    WorkPatterns,
    find_patterns,
    list_trouble,
)
from twiceshy.project.reflect.questions import ReviewCandidate, condense_text
from twiceshy.project.reflect.report import INTERVAL_DAYS

_MAX_EPISODES = 10
_MAX_SIGNALS = 500
_MAX_FILE = 256 << 10
_INSTRUCTION_FILES = ("CLAUDE.md", "AGENTS.md")


class ReflectionInput(Value):
    """Input of a reflection on a project."""

    project: str
    name: str
    root: str
    now: int
    since: int
    audit: AuditResult
    notes: tuple[ReviewedNote, ...]  # without rules, and without those for all projects
    rules: tuple[Note, ...]
    episodes: tuple[Episode, ...]
    signals: tuple[Signal, ...]
    outcomes: tuple[Outcome, ...]
    sessions: int
    patterns: WorkPatterns
    last: Episode | None

    @property
    def shown_notes(self) -> list[ReviewedNote]:
        """Notes not pending removal."""
        return [each for each in self.notes if each.note.status != PENDING]

    @property
    def pending_notes(self) -> list[ReviewedNote]:
        """Notes marked for removal by an earlier reflection."""
        return [each for each in self.notes if each.note.status == PENDING]


def gather_input(app: App, project: str, audit: AuditResult) -> ReflectionInput:
    """Gather the input of a reflection; read-only. The audit is of the same project."""
    store = app.store
    now = store.now()
    since = now - INTERVAL_DAYS * DAY
    own = store.list_project_ids(project)
    name, root = project_name_and_root(app, project)
    marked = store.notes(NoteFilter(projects=own, statuses=(PENDING,)), limit=None)
    notes = [each for each in audit.facts.notes if each.scope.project in own]
    plain = {note.id: note for note in (*notes, *marked) if note.kind != "rule"}
    rules = [each for each in audit.facts.notes if (each.kind, each.status) == ("rule", "active")]
    rules.sort(key=lambda note: note.scope.project == EVERYWHERE)
    episodes = store.list_episodes(own, kinds=SAVED, since=since, limit=_MAX_EPISODES)
    signals = list_trouble(store, own, limit=_MAX_SIGNALS)
    last = store.list_episodes(own, kinds=("reflect",), limit=1)
    return ReflectionInput(
        project=project,
        name=name,
        root=root,
        now=now,
        since=since,
        audit=audit,
        notes=tuple(review_notes(plain.values(), audit.findings, audit.facts)),
        rules=tuple(rules),
        episodes=tuple(episodes),
        signals=tuple(signals),
        outcomes=tuple(each for each in store.list_outcomes() if each.note in plain),
        sessions=sum(at >= since for at in store.list_session_starts(Scope(project, ""))),
        patterns=find_patterns(episodes, signals, day_of=format_local_day),
        last=last[0] if last else None,
    )


def project_name_and_root(app: App, project: str) -> tuple[str, str]:
    """Return the name and root of a project as recorded in the store."""
    if project == EVERYWHERE:
        return "everywhere", ""
    own = app.store.list_project_ids(project)
    known = (place for each, place in app.store.list_projects().items() if each in own)
    return next(known, (project, ""))


def record_current_project(app: App, project: str) -> None:
    """Record the current project in the store before writing about it."""
    here = app.current_project()
    if here.id == project:
        app.store.record_project(
            here.id, name=here.name, root=here.root, aliases=here.aliases, places=here.places
        )


def list_candidates(gathered: ReflectionInput) -> list[ReviewCandidate]:
    """Return the notes worth a question, those to remove first."""
    found = [ReviewCandidate(each, condense_text(each.note.text)) for each in gathered.shown_notes]
    doubtful = [each for each in found if each.needs_question]
    return sorted(doubtful, key=lambda each: (not each.must_go, not each.rule, each.note.id))


def read_instructions(root: str) -> tuple[str, str | None]:
    """Return the name and text of the project's instruction file; never follow a link."""
    for name in _INSTRUCTION_FILES:
        path = os.path.join(root, name)
        if root and os.path.isfile(path) and not os.path.islink(path):
            with open(
                path, encoding="utf-8", errors="replace", newline="", opener=open_plain
            ) as file:
                return name, file.read(_MAX_FILE)
    return _INSTRUCTION_FILES[0], None
