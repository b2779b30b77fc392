"""memory-engine's home: sessions, diary, reflections, learned files, notebook, hubs.

Lessons not learned by hand go to its pitfall records, a file per day. Decisions, patterns,
issues and preferences have no place there.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from twiceshy.core.moment import day
from twiceshy.core.retention import SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import File, component, ids
from twiceshy.interop.formats import (
    About,
    engine_diary,
    engine_handoff,
    engine_hub,
    engine_learned,
    engine_notebook,
    engine_pitfall,
    engine_reflect,
    engine_spoke,
    engine_todo,
    joined,
)
from twiceshy.notes.learned import learned_of
from twiceshy.places.identity import slug
from twiceshy.project.episodes.archive import entries_of
from twiceshy.project.episodes.pages import engine_name, engine_page, index_page
from twiceshy.project.handoff.rules import topic_of
from twiceshy.project.reflect.report import file_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note
    from twiceshy.interop.exports import Held

_SESSIONS = (*SAVED, "note")
_LEARNED = "skills/learned"


def files(held: Held) -> Iterator[File]:
    """Yield the files of the home."""
    yield from _sessions(held)
    yield from _learned(held)
    rules = [note for note in held.notes if note.kind == "rule"]
    if rules:
        text = joined(engine_notebook.items(rules, About(EVERYWHERE, now=held.now)))
        yield File(f"{_LEARNED}/writing-review-list.md", text, ids(rules))
    for project, own in held.by_project().items():
        for file in _hub(own, About(project, now=held.now)):
            yield file.but(path=f"projects/{_slug(held, project)}/memory/{file.path}")
    read = [_handoff_name(one) for one in held.episodes if one.id in held.shown]
    if read:
        yield File("sessions/.handoff-read.json", json.dumps(sorted(read)) + "\n")


def _sessions(held: Held) -> Iterator[File]:
    told = [entry for one in held.episodes for entry in entries_of(one)]
    sessions = [one for one in told if one.kind in _SESSIONS]
    for one in sessions:
        page = engine_page(one, project=held.place(one.project).name)
        yield File(f"sessions/{engine_name(one)}", page)
    if sessions:
        index = index_page(sessions, name_of=lambda project: held.place(project).name)
        yield File("sessions/project-index.md", index)
    for one in held.episodes:
        about = About(one.project, now=held.now)
        if one.kind == "diary":
            name = one.title.removeprefix("Diary: ") or day(one.started_at)
            path = f"sessions/diary/{component(name, otherwise='day')}.md"
            yield File(path, joined(engine_diary.items([one], about)))
        elif one.kind == "reflect":
            path = f"sessions/{file_name(day(one.ended_at))}"
            yield File(path, joined(engine_reflect.items([one], about)))


def _learned(held: Held) -> Iterator[File]:
    """Yield a file per lesson learned by hand, and a file per day and project for the rest."""
    days: dict[tuple[str, str], list[Note]] = {}
    for note in (note for note in held.notes if note.kind == "lesson"):
        told = learned_of(note)
        if told is None:
            days.setdefault((day(note.learned_at), note.scope.project), []).append(note)
            continue
        about = About(EVERYWHERE, called=held.place(note.scope.project).name)
        name = component(told.title.lower().replace(" ", "-"), otherwise="lesson")
        text = joined(engine_learned.items([note], about))
        yield File(f"{_LEARNED}/{name}.md", text, (note.id,))
    for (when, project), notes in sorted(days.items()):
        # what else a lesson may be is nothing that the file can say
        pitfalls = [note.but(subtype="pitfall") for note in notes]
        title, _, rest = joined(engine_pitfall.items(pitfalls, About(project))).partition("\n")
        where = "" if project == EVERYWHERE else f"**Project:** {held.place(project).name}\n"
        name = f"auto-pitfall-{when.replace('-', '')}.md"
        yield File(f"{_LEARNED}/{name}", f"{title}\n{where}{rest}", ids(notes))


def _hub(held: Held, about: About) -> Iterator[File]:
    """Yield a project's folder; empty projects have no hub."""
    pages = [note for note in held.notes if note.kind == "page"]
    tasks = [note for note in held.notes if note.kind == "task"]
    handoffs = [one for one in held.episodes if one.kind == "handoff"]
    if pages or tasks or handoffs:
        sessions = [one for one in held.episodes if one.kind in _SESSIONS]
        yield File("MEMORY.md", joined(engine_hub.items(held.notes, about, sessions)))
    for page in pages:
        name = component(page.tag, otherwise="page")
        yield File(f"{name}.md", joined(engine_spoke.items([page], about)), (page.id,))
    if tasks:
        yield File("todo-status.md", joined(engine_todo.items(tasks, about)), ids(tasks))
    for one in handoffs:
        yield File(_handoff_name(one), joined(engine_handoff.items([one], about)))


def _handoff_name(episode: Episode) -> str:
    topic = topic_of(episode) or f"work-{episode.id[-4:]}"
    return f"handoff-{component(topic.replace(' ', '-'), otherwise='work')}.md"


def _slug(held: Held, project: str) -> str:
    """Return Claude Code's folder name of a project."""
    if project == EVERYWHERE:
        return "everywhere"
    place = held.place(project)
    return slug(place.root or place.id)
