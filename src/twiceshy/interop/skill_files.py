"""Read fireworks' skill files in place until imported; never write them."""

from __future__ import annotations

import os

from twiceshy.config import files
from twiceshy.core.admit import Admitted, RelatedNotes, admit
from twiceshy.core.draft import Draft, prepare
from twiceshy.core.errors import ConfigError, NoteError
from twiceshy.core.moment import parse_day
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.trust import ORIGINS
from twiceshy.core.value import Value
from twiceshy.notes.knowledge import parse_lessons
from twiceshy.notes.write import note_limits_of
from twiceshy.safety.danger import find_danger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.notes.knowledge import KnowledgeItem

# Where fireworks kept a skill's file; it read Claude Code's first.
_PLACES = ("views.claude_skills", "views.shared_skills")


class SkillFile(Value):
    """A KNOWLEDGE.md: its possible notes, how many would wait, and problems."""

    path: str
    notes: tuple[Note, ...] = ()
    waiting: int = 0
    problem: str = ""

    def list_remarks(self) -> list[str]:
        """Describe the source of the notes, and omissions."""
        said = {
            self.problem: bool(self.problem),
            f"only read, from {self.path}: {len(self.notes)}": bool(self.notes),
            f"left out there, for they ask for something risky: {self.waiting}": self.waiting > 0,
        }
        return [text for text, applies in said.items() if applies]


def read_skill_files(app: App, skill: str, *, known: Collection[Note]) -> list[SkillFile]:
    """Return notes from skill files unknown to the store, now and before."""
    found = []
    said = {note.fingerprint for note in known}
    for place in _PLACES:
        file = _read_skill_file(
            app, os.path.join(app.config.text(place), skill, "KNOWLEDGE.md"), skill, said
        )
        said |= {note.fingerprint for note in file.notes}
        if file.list_remarks():
            found.append(file)
    return found


def _read_skill_file(app: App, path: str, skill: str, said: Collection[str]) -> SkillFile:
    try:
        text = files.read_plain_file(path, trusted=True) or ""
    except ConfigError as error:
        return SkillFile(path, problem=str(error))
    notes: dict[str, Note] = {}
    for lesson in parse_lessons(text):
        note = _build_note(app, lesson, Scope(EVERYWHERE, skill))
        if note and note.fingerprint not in said:
            notes.setdefault(note.fingerprint, note)
    shown = [note for note in notes.values() if note.status == "active"]
    shown.sort(key=lambda note: -note.sightings)  # stable: else as they stand there
    return SkillFile(path, tuple(shown), len(notes) - len(shown))


def _build_note(app: App, lesson: KnowledgeItem, scope: Scope) -> Note | None:
    """Return the note an import would make; None if the store knows better."""
    draft = Draft(
        kind="lesson",
        text=lesson.text,
        scope=scope,
        source="import",
        why=lesson.why,
        tag=lesson.tag,
        trust=ORIGINS["output"] if find_danger(f"{lesson.text}\n{lesson.why}") else None,
        learned_at=parse_day(lesson.month) if lesson.month else 0,
        sightings=max(1, lesson.sightings),
    )
    try:
        draft = prepare(draft, app.redact, longest=note_limits_of(app.config).longest)
    except NoteError:
        return None
    scopes = (scope, scope.but(project=app.current_project().id))
    known = RelatedNotes(
        near=app.store.find_near_duplicate(draft, threshold=note_limits_of(app.config).near),
        forgotten=any(app.store.is_forgotten(each, draft.fingerprint) for each in scopes),
    )
    outcome = admit(draft, known, note_id="", now=app.store.now())
    return outcome.note if isinstance(outcome, Admitted) else None
