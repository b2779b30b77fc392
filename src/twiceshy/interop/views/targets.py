"""List view targets: in the older systems' places, else below the memory home."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError, UnsafeNameError
from twiceshy.core.jsontext import parse_object
from twiceshy.core.moment import day
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.interop.formats import About
from twiceshy.interop.formats.keeper_session import filed
from twiceshy.interop.formats.keeper_session import minute as minute_of
from twiceshy.interop.formats.pieces import day_at
from twiceshy.interop.formats.registry import format_called
from twiceshy.interop.views import contents as things
from twiceshy.interop.views.files import Spot, damaged
from twiceshy.interop.views.weave import woven
from twiceshy.notes.learned import learned_of
from twiceshy.notes.pages import STABLE
from twiceshy.project.episodes.archive import month_of
from twiceshy.project.episodes.pages import engine_name
from twiceshy.project.handoff.rules import topic_of
from twiceshy.project.reflect.report import file_name
from twiceshy.safety.names import directory_name
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Literal

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.interop.formats import Piece
    from twiceshy.interop.views.weave import Loom

    Made = Literal["", "text", "hub", "episode", "file"]

_NEWEST = 30
_SESSIONS = ("end", "note")  # memory-keeper has a file for each session, and none for its parts
_MOST = 1_000
_EVERYWHERE = "everywhere"  # the folder of what belongs to no project
_IN_PROJECT = ".claude/memory"
_FEW = 20
_LAST = ("text", "hub", "file")  # they count what is read from the others


class Place(Value):
    """A view target: name, location, format, subject, and content.

    ``made`` marks a generated file: ``text`` and ``hub`` keep foreign lines, and hub additions
    become notes; an ``episode`` is editable, a ``file`` is not. A file of the user's ``own``
    carries the user's word; a project file may be anybody's. ``stretch`` is the id of its
    episode, if any.
    """

    name: str
    spot: Spot
    format: str
    about: About
    which: Callable[[App], Sequence[Any]]
    made: Made = ""
    own: bool = True
    stretch: str = ""

    def things(self, app: App) -> Sequence[Any]:
        """Return the content: notes, signals, an episode, or generated text."""
        return self.which(app)

    def written(self, app: App, shown: Sequence[Any]) -> tuple[Piece, ...]:
        """Render the file from scratch."""
        if self.made in ("text", "hub", "file"):
            return tuple(shown)
        pieces: tuple[Piece, ...] = self._format().items(shown, self._now(app))
        return pieces

    def read(self, app: App, text: str) -> tuple[Piece, ...]:
        """Parse a text."""
        if self.made in ("text", "file"):
            return (text,)
        pieces: tuple[Piece, ...] = self._format().read(text, self._now(app))
        return pieces

    def episode(self, app: App) -> Episode | None:
        """Return the current episode of the view."""
        return things.episode_of(app, self.stretch) if self.stretch else None

    def retold(self, known: Episode, was: Episode, now: Episode) -> dict[str, object]:
        """Return the changes of an edited file to its episode."""
        fields: dict[str, object] = self._format().retold(known, was, now)
        return fields

    def refuse_damaged(self, text: str, *, known: bool) -> None:
        """Refuse a file that seems emptied, or with foreign counts."""
        path = self.spot.path
        if self.made == "file" and not known:
            hint = worded("import it, then move it away: twiceshy import")
            raise damaged(path, worded("was there before"), hint)
        if not hasattr(self._format(), "mended"):
            return
        try:
            parse_object(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            hint = worded("correct it, or move it away")
            raise damaged(path, worded("is no JSON any more"), hint) from error

    def woven(self, file: Sequence[Piece], loom: Loom) -> str:
        """Return the updated text of a file."""
        mended = getattr(self._format(), "mended", None)
        if mended is None:
            return woven(file, loom)
        from twiceshy.interop.views.weave_json import woven_json  # noqa: PLC0415 - one format needs it

        return woven_json(file, loom, mended)

    def _format(self) -> Any:
        return format_called(self.format)

    def _now(self, app: App) -> About:
        return self.about.but(now=app.store.now())


class Shelf(Value):
    """A folder of view targets with name prefix and subject."""

    name: str
    spot: Spot
    about: About

    def place(
        self,
        file: str,
        kind: str,
        which: Callable[[App], Sequence[Any]],
        made: Made = "",
        stretch: str = "",
    ) -> Place:
        """Return a target in this folder."""
        spot = self.spot.but(path=os.path.join(self.spot.path, file))
        return Place(
            f"{self.name}/{file}",
            spot,
            kind,
            self.about.but(name=file),
            which,
            made,
            own=spot.private or self.about.project == EVERYWHERE,
            stretch=stretch,
        )


def places(app: App, project: str) -> list[Place]:
    """Return the targets of a project with content, and global targets."""
    found = [*_shared(app), *_pages(app, EVERYWHERE)]
    if project != EVERYWHERE:
        found += [*_skills(app, project), *_pages(app, project), *_made_anew(app, project)]
        found += [*_learned(app, project), *_sessions(app, project), *_handoffs(app, project)]
    known = {view.path for view in app.store.views() if view.body}
    apart = {place.spot.path: place for place in reversed(found)}  # of two at one place the first
    shown = [
        place for path, place in reversed(apart.items()) if path in known or place.things(app)
    ]
    return sorted(shown, key=lambda place: place.made in _LAST)


def place_named(app: App, project: str, name: str) -> Place:
    """Return a target by name; the error lists known targets."""
    found = places(app, project)
    chosen = [one for one in found if name in (one.name, one.spot.path)]
    chosen = chosen or [one for one in found if one.name.endswith(f"/{name}")]
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(place.name for place in (chosen or found)[:_FEW])
    raise NotFoundError(
        worded("{count} views are called {name!r}", count=len(chosen), name=name)
        if chosen
        else worded("no view is called {name!r}", name=name),
        hint=worded("one of: {names}", names=names)
        if names
        else worded("nothing is kept here yet"),
    )


def _shared(app: App) -> Iterator[Place]:
    """Yield fireworks' files shared between runtimes."""
    folder, file = os.path.split(app.config.text("views.shared_global"))
    shelf = _shelf("shared/global", folder, About(EVERYWHERE))
    yield shelf.place(file, "fireworks_knowledge", things.lessons((EVERYWHERE,)))
    folder, file = os.path.split(app.config.text("views.skill_stats"))
    shelf = _shelf("shared", folder, About(EVERYWHERE))
    yield shelf.place(file, "fireworks_stats", things.usage, made="file")
    for skill in app.store.skills():
        folder = app.config.text("views.shared_skills")
        shelf = _shelf("shared/skills", folder, About(EVERYWHERE, skill))
        yield from _of_skill(shelf, (EVERYWHERE,))
        file = f"{skill}/CHECKPOINTS.md"
        yield shelf.place(file, "fireworks_checkpoints", things.checkpoints(skill))


def _skills(app: App, project: str) -> Iterator[Place]:
    same = app.store.same_project(project)
    folder = os.path.join(_home(app, project), "skills")
    shelf = _shelf("skills", folder, About(project))
    yield shelf.place("KNOWLEDGE.md", "fireworks_knowledge", things.lessons(same))
    for skill in app.store.skills():
        yield from _of_skill(shelf.but(about=About(project, skill)), same)


def _of_skill(shelf: Shelf, projects: Sequence[str]) -> Iterator[Place]:
    skill = shelf.about.skill
    # fireworks gave a skill the folder of its name
    folder = skill if shelf.about.project == EVERYWHERE else directory_name(skill)
    lessons = things.notes(("lesson",), projects, skill=skill)
    yield shelf.place(f"{folder}/KNOWLEDGE.md", "fireworks_knowledge", lessons)


def _pages(app: App, project: str) -> Iterator[Place]:
    """Yield single-file targets of memory-keeper and memory-engine."""
    same = _same(app, project)
    keeper, engine = _keeper(app, project), _engine(app, project)
    yield keeper.place("facts.json", "keeper_facts", things.facts(same))
    yield engine.place("todo-status.md", "engine_todo", things.notes(("task",), same))
    rules = things.notes(("rule",), same)
    yield engine.place("writing-review-list.md", "engine_notebook", rules)
    for page in things.notes(("page",), same)(app):
        stable = page.tag in STABLE
        kind = "keeper_page" if stable else "engine_spoke"
        # beside the hub, which points to them, unless they lie in the project
        shelf = keeper if stable and not keeper.spot.private else engine
        yield shelf.place(f"{page.tag}.md", kind, things.one_note(page.id))


def _made_anew(app: App, project: str) -> Iterator[Place]:
    """Yield generated targets: foreign lines stay, and are not read."""
    same = _same(app, project)
    keeper, engine = _keeper(app, project), _engine(app, project)
    yield keeper.place("memory.md", "keeper_log", things.log(same), made="text")
    yield engine.place("MEMORY.md", "engine_hub", things.hub(project), made="hub")
    archives = app.store.episodes(same, kinds=(ARCHIVE,), limit=_MOST)
    for month in sorted({month_of(one) for one in archives}):
        file = f"sessions/archive/{month}.md"
        yield keeper.place(file, "keeper_archive", things.archive(same, month), made="text")
    for one in app.store.episodes(same, kinds=("diary", "reflect"), limit=_NEWEST):
        page = things.page_of(one.id)
        if one.kind == "reflect":
            name = f"sessions/{file_name(day(one.ended_at))}"
            yield engine.place(name, "engine_reflect", page, made="text")
        else:
            name = f"sessions/diary/{_local_day(one)}.md"
            yield engine.place(name, "engine_diary", page, made="text")


def _learned(app: App, project: str) -> Iterator[Place]:
    """Yield targets of lessons learned by hand."""
    shelf = _engine(app, project)
    for note in things.notes(("lesson",), _same(app, project))(app):
        if learned_of(note):
            only = things.one_note(note.id)
            yield shelf.place(f"learned/{note.handle}.md", "engine_learned", only)


def _sessions(app: App, project: str) -> Iterator[Place]:
    """Yield targets of the newest sessions, in both older forms."""
    same = _same(app, project)
    keeper, engine = _keeper(app, project), _engine(app, project)
    for one in app.store.episodes(same, kinds=SAVED, limit=_NEWEST):
        only = things.one_episode(one.id)
        name = f"sessions/{engine_name(one)}"
        yield engine.place(name, "engine_session", only, made="episode", stretch=one.id)
    newest = app.store.episodes(same, kinds=_SESSIONS, limit=_NEWEST)
    taken: set[str] = set()
    for one in sorted(filed(newest), key=lambda one: (one.started_at, one.id)):
        minute = minute_of(one.started_at)  # when it began: what goes on must not get another name
        name = f"{minute}-{one.id[-4:]}" if minute in taken else minute
        taken.add(minute)
        told = things.session(one.id, same, called=minute)
        yield keeper.place(f"sessions/{name}.md", "keeper_session", told, stretch=one.id)


def _handoffs(app: App, project: str) -> Iterator[Place]:
    shelf = _engine(app, project)
    for one in app.store.episodes(_same(app, project), kinds=("handoff",), limit=_NEWEST):
        only = things.one_episode(one.id)
        name = _handoff_name(one)
        yield shelf.place(name, "engine_handoff", only, made="episode", stretch=one.id)


def _local_day(diary: Episode) -> str:
    """Return the day of a diary in its writer's calendar."""
    said = diary.title.removeprefix("Diary: ")
    return said if day_at(said) else day(diary.started_at)


def _handoff_name(episode: Episode) -> str:
    """Return the file name of a handoff by topic, if fit."""
    try:
        return f"handoff-{directory_name(topic_of(episode), what='topic')}.md"
    except UnsafeNameError:
        return f"handoff-{episode.id[-8:]}.md"


def _keeper(app: App, project: str) -> Shelf:
    """Return memory-keeper's folder: in the project if wanted."""
    root = app.store.projects().get(project, ("", ""))[1]
    if app.config.flag("views.project") and root and os.path.isdir(root):
        spot = Spot(os.path.join(root, _IN_PROJECT), root, private=False)
        return Shelf("keeper", spot, About(project))
    return _below(app, project, "keeper")


def _engine(app: App, project: str) -> Shelf:
    return _below(app, project, "memory")


def _below(app: App, project: str, name: str) -> Shelf:
    """Return a project folder below the memory home."""
    shown = f"{_EVERYWHERE}/{name}" if project == EVERYWHERE else name
    called = app.store.projects().get(project, ("", ""))[0]
    return _shelf(shown, os.path.join(_home(app, project), name), About(project, called=called))


def _same(app: App, project: str) -> Sequence[str]:
    return (EVERYWHERE,) if project == EVERYWHERE else app.store.same_project(project)


def _shelf(name: str, folder: str, about: About) -> Shelf:
    return Shelf(name, Spot(folder, folder), about)


def _home(app: App, project: str) -> str:
    """Return the folder of a project; projects with equal names get their id appended."""
    if project == EVERYWHERE:
        return os.path.join(app.config.home, "views", _EVERYWHERE)
    known = app.store.projects()
    name = known.get(project, ("", ""))[0] or project
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in name).strip("-.")
    folder = plain[:60] or "project"
    same = set(app.store.same_project(project))
    called = sorted(one for one, (other, _) in known.items() if other == name)
    if folder == _EVERYWHERE or (called and called[0] not in same):
        folder += "-" + "".join(filter(str.isalnum, project))[-8:]
    return os.path.join(app.config.home, "views", folder)
