"""List view targets: in the older systems' places, else below the memory home."""

from __future__ import annotations

import os
from functools import partial

from twiceshy.core.errors import NotFoundError, UnsafeNameError
from twiceshy.core.moment import format_day
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.checkpoints import list_checkpoints
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.keeper_sessions import episodes_with_file
from twiceshy.interop.views import contents
from twiceshy.interop.views.files import FileLocation
from twiceshy.interop.views.folders import ViewFolder, ViewTarget
from twiceshy.interop.views.vault import VAULT, list_vault, vault_root
from twiceshy.notes.learned_lesson import lesson_of_note
from twiceshy.notes.pages import STABLE
from twiceshy.notes.vouch import answer_as
from twiceshy.project.episodes.archive import archive_month, render_session_minute
from twiceshy.project.episodes.pages import engine_file_name
from twiceshy.project.handoff.rules import handoff_topic
from twiceshy.project.reflect.report import report_file_name
from twiceshy.safety.names import encode_directory_name
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode

_NEWEST = 30
_SESSIONS = ("end", "note")  # memory-keeper has a file for each session, and none for its parts
_MOST = 1_000
_EVERYWHERE = "everywhere"  # the folder of what belongs to no project
_IN_PROJECT = ".claude/memory"
_FEW = 20
_LAYOUTS = {"keeper": "memory-keeper", "memory": "memory-engine"}
_LAST = ("text", "hub", "index", "file")  # they count what is read from the others


def list_targets(app: App, project: str) -> list[ViewTarget]:
    """Return the targets of a project with content, and global targets.

    Of a layout that is switched off, only files that were written once are targets.
    """
    records = app.store.list_views()
    known = {view.path for view in records if view.body}
    asked = {*app.config.items("views.layouts")}
    if app.config.flag("views.project"):
        asked.add("memory-keeper")
    with answer_as(app, agent=True):
        older = list(_older_targets(app, project)) if _has_older(app, known, asked) else []
        found = [one for one in older if _layout_of(one) in asked or one.spot.path in known]
        apart = {
            place.spot.path: place for place in reversed(found)
        }  # of two at one place the first
        ours = reversed(apart.items())
        shown = [place for path, place in ours if path in known or place.gather_content(app)]
        # last the hub that links to the hubs of projects
        for one in dict.fromkeys((project, EVERYWHERE)) if VAULT in asked or known else ():
            vault = list_vault(app, one, records)
            shown += [place for place in vault if VAULT in asked or place.spot.path in known]
    return sorted(shown, key=lambda place: place.made in _LAST)


def _has_older(app: App, known: Collection[str], asked: Collection[str]) -> bool:
    """True if files of older systems are asked for, or were written."""
    root = os.path.join(vault_root(app), "")
    return any(one != VAULT for one in asked) or any(not one.startswith(root) for one in known)


def _layout_of(place: ViewTarget) -> str:
    """Return the layout of an older system's file, by its folder's name."""
    folder = place.name.removeprefix(f"{_EVERYWHERE}/").partition("/")[0]
    return _LAYOUTS.get(folder, "fireworks")


def _older_targets(app: App, project: str) -> Iterator[ViewTarget]:
    yield from _fireworks_targets(app)
    yield from _ProjectViews(app, EVERYWHERE).list_pages()
    if project != EVERYWHERE:
        own = _ProjectViews(app, project)
        for some in (own.list_skills, own.list_pages, own.list_generated, own.list_lessons):
            yield from some()
        yield from own.list_sessions()
        yield from own.list_handoffs()


def find_target(app: App, project: str, name: str) -> ViewTarget:
    """Return a target by name; the error lists known targets."""
    found = list_targets(app, project)
    chosen = [one for one in found if name in (one.name, one.spot.path)]
    chosen = chosen or [one for one in found if one.name.endswith(f"/{name}")]
    chosen = chosen or [one for one in found if one.spot.path.endswith(f"{os.sep}{name}")]
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


def _fireworks_targets(app: App) -> Iterator[ViewTarget]:
    """Yield fireworks' files shared between runtimes."""
    everywhere = partial(contents.gather_lessons, projects=(EVERYWHERE,))
    folder, file = os.path.split(app.config.text("views.shared_global"))
    views = _build_folder("shared/global", folder, FileContext(EVERYWHERE))
    yield views.build_target(file, "fireworks_knowledge", everywhere)
    folder, file = os.path.split(app.config.text("views.skill_stats"))
    views = _build_folder("shared", folder, FileContext(EVERYWHERE))
    yield views.build_target(file, "fireworks_stats", contents.render_usage, made="file")
    for skill in app.store.list_skills():
        folder = app.config.text("views.shared_skills")
        views = _build_folder("shared/skills", folder, FileContext(EVERYWHERE, skill))
        yield _skill_target(views, (EVERYWHERE,))
        remarks = partial(list_checkpoints, skill=skill)
        yield views.build_target(f"{skill}/CHECKPOINTS.md", "fireworks_checkpoints", remarks)


def _skill_target(views: ViewFolder, projects: Sequence[str]) -> ViewTarget:
    skill = views.about.skill
    # fireworks gave a skill the folder of its name
    folder = skill if views.about.project == EVERYWHERE else encode_directory_name(skill)
    lessons = partial(contents.gather_notes, kinds=("lesson",), projects=projects, skill=skill)
    return views.build_target(f"{folder}/KNOWLEDGE.md", "fireworks_knowledge", lessons)


class _ProjectViews:
    """Targets of a project, or of every project, in the forms of the older systems."""

    def __init__(self, app: App, project: str) -> None:
        everywhere = project == EVERYWHERE
        self._app, self._project = app, project
        self._same = (EVERYWHERE,) if everywhere else app.store.list_project_ids(project)
        self._keeper = _keeper_folder(app, project)
        self._engine = _project_folder(app, project, "memory")

    def list_skills(self) -> Iterator[ViewTarget]:
        """Yield the lessons of the project, and those about each skill."""
        folder = os.path.join(_folder_of_project(self._app, self._project), "skills")
        views = _build_folder("skills", folder, FileContext(self._project))
        lessons = partial(contents.gather_lessons, projects=self._same)
        yield views.build_target("KNOWLEDGE.md", "fireworks_knowledge", lessons)
        for skill in self._app.store.list_skills():
            about = FileContext(self._project, skill)
            yield _skill_target(views.but(about=about), self._same)

    def list_pages(self) -> Iterator[ViewTarget]:
        """Yield single-file targets of memory-keeper and memory-engine."""
        keeper, engine = self._keeper, self._engine
        facts = partial(contents.gather_facts, projects=self._same)
        yield keeper.build_target("facts.json", "keeper_facts", facts)
        tasks = partial(contents.gather_notes, kinds=("task",), projects=self._same)
        yield engine.build_target("todo-status.md", "engine_todo", tasks)
        rules = partial(contents.gather_notes, kinds=("rule",), projects=self._same)
        yield engine.build_target("writing-review-list.md", "engine_notebook", rules)
        for page in contents.gather_notes(self._app, ("page",), self._same):
            stable = page.tag in STABLE
            kind = "keeper_page" if stable else "engine_spoke"
            # beside the hub, which points to them, unless they lie in the project
            views = keeper if stable and not keeper.spot.private else engine
            only = partial(contents.gather_note, name=page.id)
            yield views.build_target(f"{page.tag}.md", kind, only)

    def list_generated(self) -> Iterator[ViewTarget]:
        """Yield generated targets: foreign lines stay, and are not read."""
        store, keeper, engine = self._app.store, self._keeper, self._engine
        log = partial(contents.render_log_of, projects=self._same)
        yield keeper.build_target("memory.md", "keeper_log", log, made="text")
        hub = partial(contents.render_hub_of, project=self._project)
        yield engine.build_target("MEMORY.md", "engine_hub", hub, made="hub")
        archives = store.list_episodes(self._same, kinds=(ARCHIVE,), limit=_MOST)
        for month in sorted({archive_month(one) for one in archives}):
            text = partial(contents.render_archive_of, projects=self._same, month=month)
            file = f"sessions/archive/{month}.md"
            yield keeper.build_target(file, "keeper_archive", text, made="text")
        for one in store.list_episodes(self._same, kinds=("diary", "reflect"), limit=_NEWEST):
            if one.kind == "reflect":
                name = f"sessions/{report_file_name(format_day(one.ended_at))}"
            else:
                name = f"sessions/diary/{contents.diary_day(one)}.md"
            page = partial(contents.gather_text, name=one.id)
            yield engine.build_target(name, f"engine_{one.kind}", page, made="text")

    def list_lessons(self) -> Iterator[ViewTarget]:
        """Yield targets of lessons learned by hand."""
        for note in contents.gather_notes(self._app, ("lesson",), self._same):
            if lesson_of_note(note):
                only = partial(contents.gather_note, name=note.id)
                file = f"learned/{note.handle}.md"
                yield self._engine.build_target(file, "engine_learned", only)

    def list_sessions(self) -> Iterator[ViewTarget]:
        """Yield targets of the newest sessions, in both older forms."""
        store = self._app.store
        for one in store.list_episodes(self._same, kinds=SAVED, limit=_NEWEST):
            yield self._episode_target(f"sessions/{engine_file_name(one)}", "engine_session", one)
        newest = store.list_episodes(self._same, kinds=_SESSIONS, limit=_NEWEST)
        taken: set[str] = set()
        for one in sorted(episodes_with_file(newest), key=lambda one: (one.started_at, one.id)):
            # when it began: what goes on must not get another name
            minute = render_session_minute(one.started_at)
            name = f"sessions/{minute}-{one.id[-4:]}" if minute in taken else f"sessions/{minute}"
            taken.add(minute)
            told = partial(
                contents.gather_session, name=one.id, projects=self._same, called=minute
            )
            yield self._keeper.build_target(f"{name}.md", "keeper_session", told, stretch=one.id)

    def list_handoffs(self) -> Iterator[ViewTarget]:
        """Yield targets of the newest handoffs."""
        for one in self._app.store.list_episodes(self._same, kinds=("handoff",), limit=_NEWEST):
            yield self._episode_target(_handoff_name(one), "engine_handoff", one)

    def _episode_target(self, name: str, kind: str, one: Episode) -> ViewTarget:
        only = partial(contents.gather_episode, name=one.id)
        return self._engine.build_target(name, kind, only, made="episode", stretch=one.id)


def _handoff_name(episode: Episode) -> str:
    """Return the file name of a handoff by topic, if fit."""
    try:
        return f"handoff-{encode_directory_name(handoff_topic(episode), what='topic')}.md"
    except UnsafeNameError:
        return f"handoff-{episode.id[-8:]}.md"


def _keeper_folder(app: App, project: str) -> ViewFolder:
    """Return memory-keeper's folder: in the project if wanted."""
    root = app.store.list_projects().get(project, ("", ""))[1]
    if app.config.flag("views.project") and root and os.path.isdir(root):
        spot = FileLocation(os.path.join(root, _IN_PROJECT), root, private=False)
        return ViewFolder("keeper", spot, FileContext(project))
    return _project_folder(app, project, "keeper")


def _project_folder(app: App, project: str, name: str) -> ViewFolder:
    """Return a project folder below the memory home."""
    shown = f"{_EVERYWHERE}/{name}" if project == EVERYWHERE else name
    called = app.store.list_projects().get(project, ("", ""))[0]
    folder = os.path.join(_folder_of_project(app, project), name)
    return _build_folder(shown, folder, FileContext(project, called=called))


def _build_folder(name: str, folder: str, about: FileContext) -> ViewFolder:
    return ViewFolder(name, FileLocation(folder, folder), about)


def _folder_of_project(app: App, project: str) -> str:
    """Return the folder of a project; projects with equal names get their id appended."""
    if project == EVERYWHERE:
        return os.path.join(app.config.home, "views", _EVERYWHERE)
    known = app.store.list_projects()
    name = known.get(project, ("", ""))[0] or project
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in name).strip("-.")
    folder = plain[:60] or "project"
    same = set(app.store.list_project_ids(project))
    called = sorted(one for one, (other, _) in known.items() if other == name)
    if folder == _EVERYWHERE or (called and called[0] not in same):
        folder += "-" + "".join(filter(str.isalnum, project))[-8:]
    return os.path.join(app.config.home, "views", folder)
