"""Gather the input of a reflection: notes, pages, episodes, signals and outcomes."""

from __future__ import annotations

import os

from twiceshy.core.filter import Filter
from twiceshy.core.moment import DAY
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.value import Value
from twiceshy.places import skill as skills
from twiceshy.project.local_day import local_day
from twiceshy.project.reflect.likeness import covering, find_duplicates, find_replacements
from twiceshy.project.reflect.patterns import patterns_of
from twiceshy.project.reflect.questions import Candidate, condensed
from twiceshy.project.reflect.removal import PENDING
from twiceshy.project.reflect.report import EVERY_DAYS
from twiceshy.project.reflect.review import Around, marked

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.project.reflect.patterns import Patterns
    from twiceshy.project.reflect.review import Marked

WORK = ("end", "compact", "checkpoint")
_STATUSES = ("active", "candidate", PENDING)
_TROUBLE = ("error", "retry", "correction", "thrash")
_MOST_EPISODES = 10
_MOST_SIGNALS = 500
_LONGEST_FILE = 256 << 10
_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md")


class View(Value):
    """Input of a reflection on a project."""

    project: str
    name: str
    root: str
    now: int
    since: int
    notes: tuple[Marked, ...]  # without rules
    rules: tuple[Note, ...]
    episodes: tuple[Episode, ...]
    signals: tuple[Signal, ...]
    outcomes: tuple[Outcome, ...]
    sessions: int
    patterns: Patterns
    last: Episode | None

    @property
    def shown(self) -> list[Marked]:
        """Notes not pending removal."""
        return [each for each in self.notes if each.note.status != PENDING]

    @property
    def pending(self) -> list[Marked]:
        """Notes marked for removal by an earlier reflection."""
        return [each for each in self.notes if each.note.status == PENDING]


def view(app: App, project: str) -> View:
    """Gather the input of a reflection; read-only."""
    store = app.store
    now = store.now()
    since = now - EVERY_DAYS * DAY
    own = store.same_project(project)
    name, root = place_of(app, project)
    notes = _notes(app, own)
    rules = [note for note in notes if note.kind == "rule" and note.status == "active"]
    rules += _global_rules(app, project)
    plain = [note for note in notes if note.kind != "rule"]
    by_note = _outcomes(app, {note.id for note in plain})
    episodes = store.episodes(own, kinds=WORK, since=since, limit=_MOST_EPISODES)
    signals = [
        signal
        for each in own
        for kind in _TROUBLE
        for signal in store.signals_of(each, kind, limit=_MOST_SIGNALS)
    ]
    last = store.episodes(own, kinds=("reflect",), limit=1)
    return View(
        project=project,
        name=name,
        root=root,
        now=now,
        since=since,
        notes=tuple(_marks(app, plain, by_note, root=root, now=now)),
        rules=tuple(rules),
        episodes=tuple(episodes),
        signals=tuple(signals),
        outcomes=tuple(outcome for some in by_note.values() for outcome in some),
        sessions=sum(at >= since for at in store.sessions_of(Scope(project, ""))),
        patterns=patterns_of(episodes, signals, plain, since=since, day_of=local_day),
        last=last[0] if last else None,
    )


def place_of(app: App, project: str) -> tuple[str, str]:
    """Return the name and root of a project as recorded in the store."""
    if project == EVERYWHERE:
        return "everywhere", ""
    own = app.store.same_project(project)
    known = (place for each, place in app.store.projects().items() if each in own)
    return next(known, (project, ""))


def meet(app: App, project: str) -> None:
    """Record the current project in the store before writing about it."""
    here = app.here()
    if here.id == project:
        app.store.know_project(here.id, name=here.name, root=here.root, aliases=here.aliases)


def candidates(looked: View) -> list[Candidate]:
    """Return the notes worth a question, those to remove first."""
    found = [
        Candidate(each, condensed(each.note.text), rule.id if rule else "")
        for each in looked.shown
        for rule in (covering(each.note, looked.rules),)
    ]
    doubtful = [each for each in found if each.doubtful]
    return sorted(doubtful, key=lambda each: (not each.must_go, not each.rule, each.note.id))


def instructions(root: str) -> tuple[str, str | None]:
    """Return the name and text of the project's instruction file; never follow a link."""
    for name in _INSTRUCTIONS:
        path = os.path.join(root, name)
        if root and os.path.isfile(path) and not os.path.islink(path):
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                return name, file.read(_LONGEST_FILE)
    return _INSTRUCTIONS[0], None


def _notes(app: App, own: tuple[str, ...]) -> list[Note]:
    which = Filter(projects=own, statuses=_STATUSES)
    return app.store.notes(which, limit=max(1, app.store.count(which)))


def _global_rules(app: App, project: str) -> list[Note]:
    if project == EVERYWHERE:
        return []
    which = Filter(projects=(EVERYWHERE,), kinds=("rule",), statuses=("active",))
    return app.store.notes(which, limit=max(1, app.store.count(which)))


def _outcomes(app: App, notes: set[str]) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = {}
    for outcome in app.store.outcomes():
        if outcome.note in notes:
            found.setdefault(outcome.note, []).append(outcome)
    return found


def _marks(
    app: App, notes: list[Note], came: Mapping[str, list[Outcome]], *, root: str, now: int
) -> Iterable[Marked]:
    shown = [note for note in notes if note.status != PENDING]
    alike = find_duplicates(shown, threshold=app.config.number("notes.near_duplicate"))
    newer = find_replacements(shown)
    changed = _Versions(app, root)
    for note in notes:
        twin, by = alike.get(note.id), newer.get(note.id)
        around = Around(
            twin=twin.handle if twin else "",
            replaced_by=by.handle if by else "",
            missing=tuple(file for file in note.files if _is_gone(file, root)),
            skill_changed=changed(note),
            outcomes=tuple(came.get(note.id, ())),
        )
        yield marked(note, around, now=now)


class _Versions:
    """Predicate for notes whose skill has changed since; reads each skill once."""

    def __init__(self, app: App, root: str) -> None:
        self._app, self._root = app, root
        self._known: dict[str, str] = {}

    def __call__(self, note: Note) -> bool:
        skill = note.scope.skill
        if not (skill and note.skill_hash):
            return False
        if skill not in self._known:
            found = skills.find(skill, self._app.around(self._root))
            self._known[skill] = self._app.version(found) if found else ""
        return self._known[skill] not in ("", note.skill_hash)


def _is_gone(file: str, root: str) -> bool:
    """True if a file of the project no longer exists; False for files outside."""
    path = file.partition(":")[0]
    inside = path and not os.path.isabs(path) and ".." not in path.split("/")
    if not (root and inside and os.path.isdir(root)) or "*" in path:
        return False
    return not os.path.lexists(os.path.join(root, path))
