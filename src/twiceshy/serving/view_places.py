"""Which views there are, and where they lie: the older systems' own places, else below the memory home."""

from __future__ import annotations

import os

from twiceshy.core.episode.pages import engine_name
from twiceshy.core.errors import NotFoundError
from twiceshy.core.facts_file import FACTS
from twiceshy.core.formats import About
from twiceshy.core.formats.registry import format_called
from twiceshy.core.handoff import topic_of
from twiceshy.core.jsontext import parse_object
from twiceshy.core.learned import learned_of
from twiceshy.core.names import directory_name
from twiceshy.core.page import STABLE
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.core.weave import woven
from twiceshy.exchange.viewing import Spot, damaged
from twiceshy.serving import view_things as things
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Literal

    from twiceshy.app import App
    from twiceshy.core.formats import Piece
    from twiceshy.core.signal import Episode
    from twiceshy.core.weave import Loom

    Made = Literal["", "text", "hub", "episode", "file"]

_NEWEST = 30
_IN_PROJECT = ".claude/memory"
_FEW = 20
_LAST = ("text", "hub", "file")  # they count what is read from the others


class Place(Value):
    """A view: its name, where it lies, in which format, what it is about and what it shows.

    ``made`` says of a file that it is made anew, and how: a ``text`` and a ``hub`` keep the lines of
    others, and what is said in a hub is noted; an ``episode`` can be edited, and a ``file`` cannot.
    What stands in a file of the user's ``own`` is the user's word; a project's may be anybody's.
    """

    name: str
    spot: Spot
    format: str
    about: About
    which: Callable[[App], Sequence[Any]]
    made: Made = ""
    own: bool = True

    def things(self, app: App) -> Sequence[Any]:
        """Return what the view shows: notes, signals, an episode, or a text that is made."""
        return self.which(app)

    def written(self, app: App, shown: Sequence[Any]) -> tuple[Piece, ...]:
        """Return the file from scratch."""
        if self.made in ("text", "hub", "file"):
            return tuple(shown)
        pieces: tuple[Piece, ...] = self._format().items(shown, self._now(app))
        return pieces

    def read(self, app: App, text: str) -> tuple[Piece, ...]:
        """Take a text apart."""
        if self.made in ("text", "file"):
            return (text,)
        pieces: tuple[Piece, ...] = self._format().read(text, self._now(app))
        return pieces

    def refuse_damaged(self, text: str, *, known: bool) -> None:
        """Refuse a file that only seems to have lost all it said, and one whose counts are not ours."""
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
        """Bring a file up to date."""
        mended = getattr(self._format(), "mended", None)
        if mended is None:
            return woven(file, loom)
        from twiceshy.core.weave_json import woven_json  # noqa: PLC0415 - one format needs it

        return woven_json(file, loom, mended)

    def _format(self) -> Any:
        return format_called(self.format)

    def _now(self, app: App) -> About:
        return self.about.but(now=app.store.now())


class Shelf(Value):
    """A folder of views, under which name they are listed, and what they are about."""

    name: str
    spot: Spot
    about: About

    def place(
        self, file: str, kind: str, which: Callable[[App], Sequence[Any]], made: Made = ""
    ) -> Place:
        """Return a view in this folder."""
        spot = self.spot.but(path=os.path.join(self.spot.path, file))
        return Place(
            f"{self.name}/{file}",
            spot,
            kind,
            self.about.but(name=file),
            which,
            made,
            own=spot.private or self.about.project == EVERYWHERE,
        )


def places(app: App, project: str) -> list[Place]:
    """Return the views of a project that have something to show, and those that are for all projects."""
    found = list(_shared(app))
    if project != EVERYWHERE:
        found += [*_skills(app, project), *_pages(app, project), *_single_files(app, project)]
    known = {view.path for view in app.store.views() if view.body}
    shown = [place for place in found if place.spot.path in known or place.things(app)]
    return sorted(shown, key=lambda place: place.made in _LAST)


def place_named(app: App, project: str, name: str) -> Place:
    """Return the view that a name means, or say which there are."""
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
    """Yield what fireworks shares between runtimes, where it has it."""
    folder, file = os.path.split(app.config.text("views.shared_global"))
    principles = things.notes(("lesson",), (EVERYWHERE,), subtype="principle")
    shelf = _shelf("shared/global", folder, About(EVERYWHERE))
    yield shelf.place(file, "fireworks_knowledge", principles)
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
    folder = os.path.join(_home(app, project), "skills")
    for skill in app.store.skills():
        yield from _of_skill(
            _shelf("skills", folder, About(project, skill)), app.store.same_project(project)
        )


def _of_skill(shelf: Shelf, projects: Sequence[str]) -> Iterator[Place]:
    skill = shelf.about.skill
    # fireworks gave a skill the folder of its name
    folder = skill if shelf.about.project == EVERYWHERE else directory_name(skill)
    lessons = things.notes(("lesson",), projects, skill=skill)
    yield shelf.place(f"{folder}/KNOWLEDGE.md", "fireworks_knowledge", lessons)


def _pages(app: App, project: str) -> Iterator[Place]:
    """Yield what memory-keeper and memory-engine keep of a project in one file each."""
    same = app.store.same_project(project)
    keeper, engine = _keeper(app, project), _engine(app, project)
    yield keeper.place("facts.json", "keeper_facts", things.notes(FACTS, same))
    yield keeper.place("memory.md", "keeper_log", things.log(same), made="text")
    yield engine.place("MEMORY.md", "engine_hub", things.hub(project), made="hub")
    yield engine.place("todo-status.md", "engine_todo", things.notes(("task",), same))
    rules = things.notes(("rule",), same, subtype="correction")
    yield engine.place("writing-review-list.md", "engine_notebook", rules)
    for page in things.notes(("page",), same)(app):
        stable = page.tag in STABLE
        kind = "keeper_page" if stable else "engine_spoke"
        # beside the hub, which points to them, unless they lie in the project
        shelf = keeper if stable and not keeper.spot.private else engine
        yield shelf.place(f"{page.tag}.md", kind, things.one_note(page.id))


def _single_files(app: App, project: str) -> Iterator[Place]:
    """Yield the files of which each is one lesson learned by hand, or one stretch of work."""
    same = app.store.same_project(project)
    shelf = _engine(app, project)
    for note in things.notes(("lesson",), same)(app):
        if learned_of(note):
            only = things.one_note(note.id)
            yield shelf.place(f"learned/{note.handle}.md", "engine_learned", only)
    for one in app.store.episodes(same, kinds=things.SESSIONS, limit=_NEWEST):
        only_one = things.one_episode(one.id)
        name = f"sessions/{engine_name(one)}"
        yield shelf.place(name, "engine_session", only_one, made="episode")
    for one in app.store.episodes(same, kinds=("handoff",), limit=_NEWEST):
        only_one = things.one_episode(one.id)
        yield shelf.place(_handoff_name(one), "engine_handoff", only_one, made="episode")


def _handoff_name(episode: Episode) -> str:
    topic = topic_of(episode)
    return f"handoff-{directory_name(topic, what='topic') if topic else episode.id[-8:]}.md"


def _keeper(app: App, project: str) -> Shelf:
    """Return where memory-keeper's files lie: in the project if the user wants that."""
    about = About(project)
    root = app.store.projects().get(project, ("", ""))[1]
    if app.config.flag("views.project") and root and os.path.isdir(root):
        return Shelf("keeper", Spot(os.path.join(root, _IN_PROJECT), root, private=False), about)
    return _shelf("keeper", os.path.join(_home(app, project), "keeper"), about)


def _engine(app: App, project: str) -> Shelf:
    return _shelf("memory", os.path.join(_home(app, project), "memory"), About(project))


def _shelf(name: str, folder: str, about: About) -> Shelf:
    return Shelf(name, Spot(folder, folder), about)


def _home(app: App, project: str) -> str:
    """Return the folder of a project; of several with one name, all but the first have their id in it."""
    known = app.store.projects()
    name = known.get(project, ("", ""))[0] or project
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in name).strip("-.")
    folder = plain[:60] or "project"
    same = set(app.store.same_project(project))
    called = sorted(one for one, (other, _) in known.items() if other == name)
    if called and called[0] not in same:
        folder += "-" + "".join(filter(str.isalnum, project))[-8:]
    return os.path.join(app.config.home, "views", folder)
