"""Let lessons travel: what two projects taught in the same words holds in every project.

A global note has no word that only one project knows: it is what both said, word for word, or
made of words that public programs, or a skill outside the projects, bring along. Two folders with the
same name count as one project: the second may be a copy of the first.
"""

from collections.abc import Iterator, Set

from twiceshy.app import App
from twiceshy.core.admit import Admitted, SeenAgain
from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import MISTAKE, SHOWN, Note
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.files import open_plain
from twiceshy.learning.propose_note import propose_note
from twiceshy.learning.public_words import COMMON, is_public_lesson
from twiceshy.learning.sources import SessionOrigin
from twiceshy.notes.write import count_sighting
from twiceshy.places import skill as skills
from twiceshy.shell import KNOWN

_MOST_SKILL = 60_000  # characters of a SKILL.md
_AROUND = "`'\"“”‘’«».,:;!?…()[]{}<>*"  # what may stand around a word
_SUMMARISER = "historian"  # the source of observations about skills


def share_lesson(app: App, origin: SessionOrigin, note: Note) -> None:
    """Write or count the global note of a lesson, if the lesson may leave its project."""
    if not app.config.flag("notes.travel") or note.scope.project == EVERYWHERE:
        return
    if note.status not in SHOWN or not (note.tag or note.source == _SUMMARISER):
        return
    if is_public_lesson(note, origin.root):
        _share_public(app, origin, note)
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
    _write_global(app, draft, other.origin_session if other else "")


def _share_public(app: App, origin: SessionOrigin, note: Note) -> None:
    """Share a lesson of public words as soon as a second session, of whatever project, taught it."""
    draft = _build_global(note, origin, Scope(EVERYWHERE, NO_SKILL), note.tag)
    which = NoteFilter(kinds=(note.kind,), tag=note.tag)
    first = next(
        (
            each.origin_session
            for each in app.store.notes(which, limit=None)
            if each.origin_session != origin.session and each.trigger == note.trigger
        ),
        "",
    )
    if (first or app.store.find_duplicate(draft)) and not _was_moved_away(app, note):
        _write_global(app, draft, first)


def _was_moved_away(app: App, note: Note) -> bool:
    """True if a person moved a global note about this mistake into a project."""
    which = NoteFilter(kinds=(note.kind,), tag=note.tag, statuses=())
    return any(
        (entry.before or {}).get("project") == EVERYWHERE
        for each in app.store.notes(which, limit=None)
        for entry in app.store.history(each.id)
    )


def _write_global(app: App, draft: Draft, first: str) -> None:
    """Write or count a global note, once a session; ``first`` is the session that taught it first."""
    known = app.store.find_duplicate(draft)
    told = app.store.list_evidence(known.id) if known else []
    if any(session == draft.origin_session for _, session, _ in told):
        return
    began = draft.but(origin_session=first) if first and not known else draft
    outcome = propose_note(app, began, keep_apart=True)
    if first and isinstance(outcome, Admitted):
        count_sighting(app, outcome.note, draft)
    if isinstance(outcome, Admitted | SeenAgain):
        for session in filter(None, (first, draft.origin_session)):
            app.store.record_evidence(
                outcome.note.id, f"session:{session}", session, at=draft.learned_at
            )


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
    return words <= known | COMMON | KNOWN


def _split_words(text: str) -> Iterator[str]:
    """Yield the words of a text as written between blanks, without punctuation around them."""
    for part in text.casefold().replace("`", " ").split():
        if word := part.strip(_AROUND):
            yield word
