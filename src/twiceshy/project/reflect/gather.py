"""Gather the input of a reflection: notes, pages, episodes, signals and outcomes."""

import os
from collections.abc import Iterable
from functools import cache

from twiceshy.app import App
from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.grouping import group_by
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.core.retention import SAVED
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.places import skill as skills
from twiceshy.project.local_day import format_local_day
from twiceshy.project.reflect.apply_answers import PENDING
from twiceshy.project.reflect.patterns import (
    WorkPatterns,
    find_covering_rule,
    find_duplicates,
    find_patterns,
    find_replacements,
    list_trouble,
)
from twiceshy.project.reflect.questions import ReviewCandidate, condense_text
from twiceshy.project.reflect.report import INTERVAL_DAYS
from twiceshy.project.reflect.review import NoteContext, ReviewedNote, review_note
from twiceshy.store.vectors import compare_terms

_STATUSES = ("active", "candidate", PENDING)

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
    notes: tuple[ReviewedNote, ...]  # without rules
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


def gather_input(app: App, project: str) -> ReflectionInput:
    """Gather the input of a reflection; read-only."""
    store = app.store
    now = store.now()
    since = now - INTERVAL_DAYS * DAY
    own = store.list_project_ids(project)
    name, root = project_name_and_root(app, project)
    notes = store.notes(NoteFilter(projects=own, statuses=_STATUSES), limit=None)
    binding = NoteFilter(projects=(*own, EVERYWHERE), kinds=("rule",), statuses=("active",))
    rules = store.notes(binding, limit=None)
    rules.sort(key=lambda note: note.scope.project == EVERYWHERE)
    plain = {note.id: note for note in notes if note.kind != "rule"}
    outcomes = [outcome for outcome in store.list_outcomes() if outcome.note in plain]
    episodes = store.list_episodes(own, kinds=SAVED, since=since, limit=_MAX_EPISODES)
    signals = list_trouble(store, own, limit=_MAX_SIGNALS)
    last = store.list_episodes(own, kinds=("reflect",), limit=1)
    return ReflectionInput(
        project=project,
        name=name,
        root=root,
        now=now,
        since=since,
        notes=tuple(_review_notes(app, [*plain.values()], outcomes, root=root, now=now)),
        rules=tuple(rules),
        episodes=tuple(episodes),
        signals=tuple(signals),
        outcomes=tuple(outcomes),
        sessions=sum(at >= since for at in store.list_session_starts(Scope(project, ""))),
        patterns=find_patterns(
            episodes, signals, plain.values(), since=since, day_of=format_local_day
        ),
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
    found = [
        ReviewCandidate(each, condense_text(each.note.text), rule.id if rule else "")
        for each in gathered.shown_notes
        for rule in (find_covering_rule(each.note, gathered.rules),)
    ]
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


def _review_notes(
    app: App, notes: list[Note], outcomes: Iterable[Outcome], *, root: str, now: int
) -> Iterable[ReviewedNote]:
    shown = [note for note in notes if note.status != PENDING]
    alike = find_duplicates(shown, threshold=app.config.number("notes.near_duplicate"))
    newer = find_replacements(shown, compare_terms)
    by_note = group_by(outcomes, lambda outcome: outcome.note)

    @cache
    def find_version(skill: str) -> str:
        found = skills.find_skill(skill, app.skill_search_path(root))
        return app.skill_version(found) if found else ""

    for note in notes:
        duplicate, by, skill = alike.get(note.id), newer.get(note.id), note.scope.skill
        versioned = skill and note.skill_hash
        around = NoteContext(
            duplicate_of=duplicate.handle if duplicate else "",
            replaced_by=by.handle if by else "",
            missing=tuple(file for file in note.files if _is_file_gone(file, root)),
            skill_changed=bool(versioned) and find_version(skill) not in ("", note.skill_hash),
            outcomes=tuple(by_note.get(note.id, ())),
        )
        yield review_note(note, around, now=now)


def _is_file_gone(file: str, root: str) -> bool:
    """True if a file of the project no longer exists; False for files outside."""
    path = file.partition(":")[0]
    inside = path and not os.path.isabs(path) and ".." not in path.split("/")
    if not (root and inside and os.path.isdir(root)) or "*" in path:
        return False
    return not os.path.lexists(os.path.join(root, path))
