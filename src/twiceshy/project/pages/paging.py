"""Write, find and list the pages of a project, and build its hub."""

from __future__ import annotations

import os

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError, NotFoundError, UnsafeNameError
from twiceshy.core.filter import Filter
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.notes.naming import projects_seen
from twiceshy.notes.pages import STABLE, is_hub, page_name
from twiceshy.notes.pages.condition import byte_count, condition, line_count
from twiceshy.notes.pages.write import Part, page_called, pages_in, revise, text_of_new
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import require_written
from twiceshy.project.facts.file import FACTS
from twiceshy.project.pages.hub import Around, hub
from twiceshy.project.tasks.write import tasks_in
from twiceshy.safety.names import safe_relative
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note, Source
    from twiceshy.core.scope import Scope
    from twiceshy.project.pages.hub import Hub

SESSIONS = ("end", "compact", "checkpoint")
_PREVIEW = 100
_HUB_SESSIONS = 5


class SetPage(Value):
    """Result of writing a page; ``before`` is None for a new page."""

    page: Note
    before: Note | None

    @property
    def changed(self) -> bool:
        """True if the page differs from before."""
        return self.before != self.page


class Words(Value):
    """Text to write to a page, with its source, section, files and concepts."""

    text: str
    source: Source
    part: Part = Part()
    files: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


def set_page(app: App, name: str, words: Words, *, scope: Scope) -> SetPage:
    """Create or revise a page; its name means the same page in every directory."""
    name = _settable(app, name)
    draft = Draft(
        kind="page",
        text=words.text,
        scope=scope,
        source=words.source,
        subtype=name if name in STABLE else "topic",
        tag=name,
        files=words.files,
        concepts=words.concepts,
        origin_session=app.store.author,
    )
    with app.store.change():
        known = page_called(app.store, app.store.same_project(scope.project), name)
        if known is None:
            return SetPage(_written(app, draft, words.part), None)
        if words.source == "agent":
            _refuse_danger(words.text, name)
        done = revise(app, known, draft, words.part)
    return SetPage(done.after, done.before)


def the_page(app: App, name: str, project: str) -> Note:
    """Return the visible page with a name; NotFoundError lists the known pages."""
    found = page_called(app.store, _places(app, project), page_name(name))
    if found is not None and found.status in ("active", "candidate"):
        return found
    names = ", ".join(page.tag for page in shown_pages(app, project))
    raise NotFoundError(
        worded("there is no page {name!r}", name=name),
        hint=worded("known: {names}", names=names)
        if names
        else worded('write the first one: twiceshy memory-set project "…"'),
    )


def shown_pages(app: App, project: str) -> list[Note]:
    """Return the visible pages of a project, its own before global pages."""
    return pages_in(app.store, _places(app, project))


def hub_of(app: App, project: str) -> Hub:
    """Build the MEMORY.md of a project from the current store."""
    places = _places(app, project)
    tasks = tasks_in(app.store, places)
    around = Around(
        open_tasks=sum(1 for task in tasks if task.state == "open"),
        tasks=len(tasks),
        rules=app.store.count(
            Filter(projects=places, kinds=("rule",), subtype="correction", state="current")
        ),
        facts=app.store.count(Filter(projects=places, kinds=FACTS)),
        episodes=tuple(last_sessions(app, project, limit=_HUB_SESSIONS)),
    )
    return hub(pages_in(app.store, places), around)


def last_sessions(app: App, project: str, *, limit: int) -> list[Episode]:
    """Return the episodes of the last sessions of a project."""
    return app.store.episodes(app.store.same_project(project), kinds=SESSIONS, limit=limit)


def page_facts(page: Note, now: int) -> dict[str, object]:
    """Return the fields of a page for page lists."""
    return {
        "name": page.tag,
        "id": page.id,
        "everywhere": page.scope.project == EVERYWHERE,
        "lines": line_count(page.text),
        "bytes": byte_count(page.text),
        "condition": condition(page, now),
        "revision": page.revision,
        "preview": one_line(clean(page.text), limit=_PREVIEW),
    }


def path_in_project(app: App, path: str) -> str:
    """Return a path relative to the project root."""
    whole = os.path.normpath(os.path.join(app.cwd, path))
    root = app.here().root or app.cwd
    return safe_relative(os.path.relpath(whole, root).replace(os.sep, "/"))


def _places(app: App, project: str) -> tuple[str, ...]:
    return (EVERYWHERE,) if project == EVERYWHERE else projects_seen(app, project)


def _settable(app: App, text: str) -> str:
    name = page_name(text)
    if is_hub(name):
        raise NoteError(
            worded("MEMORY.md holds pointers only, and is made of the pages"),
            hint=worded("set a page instead: twiceshy memory-set TOPIC"),
        )
    if app.redact(name) != name:
        raise UnsafeNameError(
            worded("the name of the page holds a secret"), hint=worded("choose another name")
        )
    return name


def _written(app: App, draft: Draft, part: Part) -> Note:
    return require_written(take_note(app, draft.but(text=text_of_new(app, draft, part)))).note


def _refuse_danger(text: str, name: str) -> None:
    """Refuse dangerous text from an agent for a page that is already shown.

    On a new page the same text would wait for the user's review.
    """
    from twiceshy.safety.danger import danger  # noqa: PLC0415 - a user's own words need no look

    if reason := danger(text):
        raise NoteError(
            worded("the page {name!r} stays as it was: {reason}", name=name, reason=reason),
            hint=worded("set it yourself, in a terminal of your own"),
        )
