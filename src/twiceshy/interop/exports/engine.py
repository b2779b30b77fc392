"""memory-engine's home: sessions, diary, reflections, learned files, notebook, hubs.

Lessons not learned by hand go to its pitfall records, a file per day. Decisions, patterns,
issues and preferences have no place there.
"""

import json
from collections.abc import Iterator

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import format_day
from twiceshy.core.note import Note
from twiceshy.core.retention import SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import ExportedContent, ExportedFile, list_ids, safe_component
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.engine_episodes import ENGINE_DIARY, ENGINE_HANDOFF, ENGINE_REFLECT
from twiceshy.interop.formats.engine_notes import ENGINE_LEARNED, ENGINE_NOTEBOOK, ENGINE_PITFALL
from twiceshy.interop.formats.lists import ENGINE_TODO, render_hub
from twiceshy.interop.formats.pages import ENGINE_SPOKE
from twiceshy.notes.learned_lesson import lesson_of_note
from twiceshy.places.identity import claude_slug
from twiceshy.project.episodes.archive import expand_archive
from twiceshy.project.episodes.pages import engine_file_name, render_engine_page, render_index_page
from twiceshy.project.handoff.rules import handoff_topic
from twiceshy.project.reflect.report import report_file_name

_SESSIONS = (*SAVED, "note")
_LEARNED = "skills/learned"


def render_files(held: ExportedContent) -> Iterator[ExportedFile]:
    """Yield the files of the home."""
    yield from _session_files(held)
    yield from _lesson_files(held)
    rules = [note for note in held.notes if note.kind == "rule"]
    if rules:
        text = ENGINE_NOTEBOOK.render(rules, FileContext(EVERYWHERE, now=held.now))
        yield ExportedFile(f"{_LEARNED}/writing-review-list.md", text, list_ids(rules))
    for project, own in held.split_by_project().items():
        for file in _hub_files(own, FileContext(project, now=held.now)):
            yield file.but(path=f"projects/{_project_slug(held, project)}/memory/{file.path}")
    read = [_handoff_name(one) for one in held.episodes if one.id in held.shown]
    if read:
        yield ExportedFile("sessions/.handoff-read.json", json.dumps(sorted(read)) + "\n")


def _session_files(held: ExportedContent) -> Iterator[ExportedFile]:
    told = [entry for one in held.episodes for entry in expand_archive(one)]
    sessions = [one for one in told if one.kind in _SESSIONS]
    for one in sessions:
        page = render_engine_page(one, project=held.find_project(one.project).name)
        yield ExportedFile(f"sessions/{engine_file_name(one)}", page)
    if sessions:
        index = render_index_page(sessions, name_of=lambda one: held.find_project(one).name)
        yield ExportedFile("sessions/project-index.md", index)
    for one in held.episodes:
        about = FileContext(one.project, now=held.now)
        if one.kind == "diary":
            name = one.title.removeprefix("Diary: ") or format_day(one.started_at)
            path = f"sessions/diary/{safe_component(name, otherwise='day')}.md"
            yield ExportedFile(path, ENGINE_DIARY.render([one], about))
        elif one.kind == "reflect":
            path = f"sessions/{report_file_name(format_day(one.ended_at))}"
            yield ExportedFile(path, ENGINE_REFLECT.render([one], about))


def _lesson_files(held: ExportedContent) -> Iterator[ExportedFile]:
    """Yield a file per lesson learned by hand, and a file per day and project for the rest."""
    days: dict[tuple[str, str], list[Note]] = {}
    for note in (note for note in held.notes if note.kind == "lesson"):
        told = lesson_of_note(note)
        if told is None:
            days.setdefault((format_day(note.learned_at), note.scope.project), []).append(note)
            continue
        about = FileContext(EVERYWHERE, called=held.find_project(note.scope.project).name)
        name = safe_component(told.title.lower().replace(" ", "-"), otherwise="lesson")
        text = ENGINE_LEARNED.render([note], about)
        yield ExportedFile(f"{_LEARNED}/{name}.md", text, (note.id,))
    for (when, project), notes in sorted(days.items()):
        # what else a lesson may be is nothing that the file can say
        pitfalls = [note.but(subtype="pitfall") for note in notes]
        title, _, rest = ENGINE_PITFALL.render(pitfalls, FileContext(project)).partition("\n")
        called = held.find_project(project).name
        where = "" if project == EVERYWHERE else f"**Project:** {called}\n"
        name = f"auto-pitfall-{when.replace('-', '')}.md"
        yield ExportedFile(f"{_LEARNED}/{name}", f"{title}\n{where}{rest}", list_ids(notes))


def _hub_files(held: ExportedContent, about: FileContext) -> Iterator[ExportedFile]:
    """Yield a project's folder; empty projects have no hub."""
    pages = [note for note in held.notes if note.kind == "page"]
    tasks = [note for note in held.notes if note.kind == "task"]
    handoffs = [one for one in held.episodes if one.kind == "handoff"]
    if pages or tasks or handoffs:
        sessions = [one for one in held.episodes if one.kind in _SESSIONS]
        yield ExportedFile("MEMORY.md", render_hub(held.notes, sessions))
    for page in pages:
        name = safe_component(page.tag, otherwise="page")
        yield ExportedFile(f"{name}.md", ENGINE_SPOKE.render([page], about), (page.id,))
    if tasks:
        yield ExportedFile("todo-status.md", ENGINE_TODO.render(tasks, about), list_ids(tasks))
    for one in handoffs:
        yield ExportedFile(_handoff_name(one), ENGINE_HANDOFF.render([one], about))


def _handoff_name(episode: Episode) -> str:
    topic = handoff_topic(episode) or f"work-{episode.id[-4:]}"
    return f"handoff-{safe_component(topic.replace(' ', '-'), otherwise='work')}.md"


def _project_slug(held: ExportedContent, project: str) -> str:
    """Return Claude Code's folder name of a project."""
    if project == EVERYWHERE:
        return "everywhere"
    place = held.find_project(project)
    return claude_slug(place.root or place.id)
