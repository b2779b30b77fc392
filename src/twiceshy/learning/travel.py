"""Let lessons travel: what two projects taught in the same words holds in every project.

A global note has no word that only one project knows: it is what both said, word for word, or
made of words that the tool, or a skill outside the projects, brings along. Two folders with the
same name count as one project: the second may be a copy of the first.
"""

from collections.abc import Iterator, Set

from twiceshy.app import App
from twiceshy.core.admit import Admitted
from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import MISTAKE, SHOWN, Note
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.files import open_plain
from twiceshy.learning.propose_note import propose_note
from twiceshy.learning.sources import SessionOrigin
from twiceshy.notes.write import count_sighting
from twiceshy.places import skill as skills
from twiceshy.shell import KNOWN

_MOST_SKILL = 60_000  # characters of a SKILL.md
_AROUND = "`'\"“”‘’«».,:;!?…()[]{}<>*"  # what may stand around a word
# What programs say of a wrong call, and what we say of it.
_COMMON = frozenset(
    """a add an and argument arguments as at called command does exist expected fails flag for found here
    illegal in invalid is it leave missing no not of option or out required script such the to
    unexpected unknown unrecognised unrecognized usage use used value wrongly""".split()
)


_SUMMARISER = "historian"  # the source of observations about skills


def share_lesson(app: App, origin: SessionOrigin, note: Note) -> None:
    """Write or count the global note of a lesson, if the lesson may leave its project."""
    if not app.config.flag("notes.travel") or note.scope.project == EVERYWHERE:
        return
    if note.status not in SHOWN or not (note.tag or note.source == _SUMMARISER):
        return
    other = _find_taught_elsewhere(app, note)
    # what is taught at work with different skills is about none of them
    skill = note.scope.skill if not other or other.scope.skill == note.scope.skill else NO_SKILL
    skill_words = _read_outer_skill(app, origin, skill) if skill else frozenset()
    if skill_words is None:
        return  # another project may have another skill by this name
    if other is None and not (skill_words and _knows_words(note, skill_words)):
        return
    # both projects taught the same key; of one project's key only the trigger was looked at
    tag = note.tag if other else f"{MISTAKE}{note.trigger}" if note.trigger else ""
    draft = _build_global(note, origin, Scope(EVERYWHERE, skill), tag)
    first = draft.but(origin_session=other.origin_session) if other else draft
    outcome = propose_note(app, first, keep_apart=True)
    if other and isinstance(outcome, Admitted):
        count_sighting(app, outcome.note, draft)


def _build_global(note: Note, origin: SessionOrigin, scope: Scope, tag: str) -> Draft:
    return Draft(
        kind=note.kind,
        subtype=note.subtype,
        text=note.text,
        scope=scope,
        source=note.source,
        tag=tag,
        trigger=note.trigger,
        trust=note.trust,
        origin_session=origin.session,
        learned_at=note.learned_at,
    )


def _find_taught_elsewhere(app: App, note: Note) -> Note | None:
    """Return a lesson of another project in exactly the same words, about the same calls."""
    skill = note.scope.skill if note.source == _SUMMARISER else None
    which = NoteFilter(kinds=(note.kind,), skill=skill, tag=note.tag)
    own = _list_folder_names(app, note.scope.project)
    for one in app.store.notes(which, limit=None):
        same = (one.text, one.trigger) == (note.text, note.trigger)
        project = one.scope.project
        if same and project != EVERYWHERE and not own & _list_folder_names(app, project):
            return one
    return None


def _list_folder_names(app: App, project: str) -> Set[str]:
    """Return the names of all folders in which a project was seen, and its ids."""
    ids = app.store.list_project_ids(project)
    folders = {each.rpartition("/")[2].casefold() for each in ids if each.startswith("path:")}
    return {*ids, *folders}


def _read_outer_skill(app: App, origin: SessionOrigin, name: str) -> Set[str] | None:
    """Return the words of a skill that does not live in the project; None if it does."""
    found = skills.find_skill(name, app.skill_search_path(origin.root))
    if found is None or found.tier == "project":
        return None
    try:
        with open(found.path, encoding="utf-8", errors="replace", opener=open_plain) as file:
            return frozenset(_split_words(file.read(_MOST_SKILL)))
    except OSError:
        return None


def _knows_words(note: Note, known: Set[str]) -> bool:
    """True if a skill, public programs and plain error words account for every word of a note.

    A name made of known words (``deploy/server.py``) must itself be known.
    """
    words = {*_split_words(note.text), *_split_words(note.trigger.partition(" ")[2])}
    return words <= known | _COMMON | KNOWN


def _split_words(text: str) -> Iterator[str]:
    """Yield the words of a text as written between blanks, without punctuation around them."""
    for part in text.casefold().replace("`", " ").split():
        if word := part.strip(_AROUND):
            yield word
