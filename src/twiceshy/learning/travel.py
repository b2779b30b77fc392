"""Let lessons travel: what two projects taught in the same words holds in every project.

A global note has no word that only one project knows: it is what both said, word for word, or
made of words that the tool, or a skill outside the projects, brings along.
"""

import re
from collections.abc import Set

from twiceshy.app import App
from twiceshy.core.admit import Admitted
from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.files import open_plain
from twiceshy.learning.propose_note import propose_note
from twiceshy.learning.sources import SessionOrigin
from twiceshy.notes.write import count_sighting
from twiceshy.places import skill as skills
from twiceshy.shell import KNOWN

_MOST_SKILL = 60_000  # characters of a SKILL.md
_WORD = re.compile(r"[^\W_]+")
# What programs say of a wrong call, and what we say of it.
_COMMON = frozenset(
    """a add an and argument arguments as at called command does exist expected fails flag for found here
    illegal in invalid is it leave missing no not of option or out required script such the to
    unexpected unknown unrecognised unrecognized usage use used value wrongly""".split()
)


def share_lesson(app: App, origin: SessionOrigin, note: Note) -> None:
    """Write or count the global note of a lesson, if the lesson may leave its project."""
    if not app.config.flag("notes.travel") or note.scope.project == EVERYWHERE:
        return
    if note.status not in SHOWN or not note.tag:
        return
    skill_words = _read_outer_skill(app, origin, note.scope.skill) if note.scope.skill else set()
    if skill_words is None:
        return  # another project may have another skill by this name
    other = _find_taught_elsewhere(app, note)
    if other is None and not (skill_words and _knows_words(note, skill_words)):
        return
    draft = _build_global(note, origin)
    first = draft.but(origin_session=other.origin_session) if other else draft
    outcome = propose_note(app, first, keep_apart=True)
    if other and isinstance(outcome, Admitted):
        count_sighting(app, outcome.note, draft)


def _build_global(note: Note, origin: SessionOrigin) -> Draft:
    return Draft(
        kind=note.kind,
        subtype=note.subtype,
        text=note.text,
        scope=Scope(EVERYWHERE, note.scope.skill),
        source="detector",
        tag=note.tag,
        trigger=note.trigger,
        trust=note.trust,
        origin_session=origin.session,
        learned_at=note.learned_at,
    )


def _find_taught_elsewhere(app: App, note: Note) -> Note | None:
    """Return a lesson of another project in exactly the same words."""
    which = NoteFilter(kinds=(note.kind,), skill=note.scope.skill, tag=note.tag)
    own = (note.scope.project, EVERYWHERE)
    found = (one for one in app.store.notes(which, limit=None) if one.text == note.text)
    return next((one for one in found if one.scope.project not in own), None)


def _read_outer_skill(app: App, origin: SessionOrigin, name: str) -> Set[str] | None:
    """Return the words of a skill that does not live in the project; None if it does."""
    found = skills.find_skill(name, app.skill_search_path(origin.root))
    if found is None or found.tier == "project":
        return None
    try:
        with open(found.path, encoding="utf-8", errors="replace", opener=open_plain) as file:
            return _split_words(file.read(_MOST_SKILL))
    except OSError:
        return None


def _knows_words(note: Note, known: Set[str]) -> bool:
    """True if a skill, public programs and plain error words account for every word of a note."""
    return _split_words(f"{note.text} {note.trigger}") <= known | _COMMON | _PROGRAMS


def _split_words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


_PROGRAMS = _split_words(" ".join(KNOWN)) | {"bash", "mistake", "missing"}
