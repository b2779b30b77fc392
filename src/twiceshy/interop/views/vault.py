"""List the files of the vault: a folder for each project, and hubs that link to every file."""

from __future__ import annotations

import os
from functools import partial

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import format_day
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape_line
from twiceshy.core.value import Value
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.vault import TITLES
from twiceshy.interop.views import contents
from twiceshy.interop.views.files import FileLocation
from twiceshy.interop.views.folders import ViewFolder
from twiceshy.notes.pages import page_name
from twiceshy.project.episodes.archive import archive_month
from twiceshy.project.handoff.rules import handoff_topic
from twiceshy.project.pages.hub import first_sentence
from twiceshy.safety.titles import fold_name, name_all, says_title

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.config.resolved import Config
    from twiceshy.core.evidence import Episode
    from twiceshy.core.view import ViewRecord
    from twiceshy.interop.views.folders import Gather, ViewTarget

HUB = "MEMORY.md"
_HUB_FORMAT, _TOP_FORMAT = "vault_hub", "vault_top"
VAULT = "vault"
_EVERYWHERE = "everywhere"  # the folder of what belongs to no project
_RESERVED = (HUB, _EVERYWHERE)
_PAGES, _SKILLS, _SESSIONS = "pages", "lessons", "sessions"
_MOST = 1_000
_LONGEST = 120
_IN_LINK = str.maketrans({"%": "%25", "<": "%3C", ">": "%3E", "\\": "%5C"})
_ENDS_LINK = frozenset(" ()")  # outside angle brackets
_HEAD = """\
# Memory

What your coding agents remember, as files of yours. Read them in any editor, or open this folder in Obsidian.

- Edit them. A changed line changes its note, a new line is a new note, and a deleted line retires its note.
  `twiceshy undo` reverses it. Edits are read at the end of a session, or by `twiceshy views write`.
- Nothing is retired if you delete a file or this folder. The folder is made anew.
"""


class _VaultFile(Value):
    """A file of the vault, with its place in the hub: section, label, and what is said of it."""

    target: ViewTarget
    section: str
    label: str
    said: str = ""
    which: NoteFilter | None = None  # the notes in it, which the hub counts


def locate_vault(config: Config) -> str:
    """Return the folder of the vault; empty if it is switched off."""
    return config.text("views.vault") if VAULT in config.items("views.layouts") else ""


def vault_root(app: App) -> str:
    """Return the folder of the vault, written or not."""
    return app.config.text("views.vault")


def list_vault(app: App, project: str, records: Iterable[ViewRecord]) -> list[ViewTarget]:
    """Return the files of a project in the vault that have content, its hub last."""
    vault = _ProjectVault(app, project, records)
    files = vault.list_files()
    return [*(file.target for file in files), *vault.list_hubs(files)]


class _ProjectVault:
    """The files of a project, or of every project, and where they were written before."""

    def __init__(self, app: App, project: str, records: Iterable[ViewRecord]) -> None:
        root = vault_root(app)
        inside = (one for one in records if one.path.startswith(os.path.join(root, "")))
        self._app, self._project, self._root = app, project, root
        everywhere = project == EVERYWHERE
        self._same = (EVERYWHERE,) if everywhere else app.store.list_project_ids(project)
        self._written = [one for one in inside if one.path.endswith(".md")]
        folder = self._find_folder()
        self._path = os.path.join(root, folder)
        self._bodies = {one.path: one.body for one in self._written}
        self._title = "Everywhere" if everywhere else self._find_title()
        name = f"{_EVERYWHERE}/{VAULT}" if everywhere else VAULT
        about = FileContext(project, called=self._title)
        self._views = ViewFolder(name, FileLocation(self._path, root), about)

    def list_files(self) -> list[_VaultFile]:
        """Return the files that have content, or were written."""
        found = (*self._list_lists(), *self._list_skills(), *self._list_pages())
        found += (*self._list_sessions(), *self._list_texts())
        return [
            file
            for file in found
            if self._bodies.get(path := file.target.spot.path)
            or os.path.lexists(path)
            or file.target.gather_content(self._app)
        ]

    def list_hubs(self, files: Sequence[_VaultFile]) -> Iterator[ViewTarget]:
        """Yield the hub of the project, and the one that links to all hubs."""
        if files:
            hub = partial(self._render_hub, files=files)
            yield self._views.build_target(HUB, _HUB_FORMAT, hub, made="index")
        if self._project == EVERYWHERE:
            views = ViewFolder("hubs", FileLocation(self._root, self._root), self._views.about)
            yield views.build_target(HUB, _TOP_FORMAT, self._render_top, made="index")

    def _find_title(self) -> str:
        here, known = self._app.current_project(), self._app.store.list_projects()
        called = known.get(self._project, ("", ""))[0]
        return called or (here.name if here.id == self._project else self._project)

    def _find_folder(self) -> str:
        """Return the folder of the project: where it was, else one by the project's name."""
        if self._project == EVERYWHERE:
            return _EVERYWHERE
        known: dict[str, str] = {}
        for one in self._written:
            inner, separator, _ = os.path.relpath(one.path, self._root).partition(os.sep)
            if separator:
                known.setdefault(one.project, inner)
        own = sorted(known[one] for one in self._same if one in known)
        if own:
            return own[0]
        taken = dict.fromkeys((*known.values(), *_RESERVED))
        names = name_all({self._project: self._find_title()}, {f"/{one}": one for one in taken})
        return names[self._project]

    def _list_lists(self) -> Iterator[_VaultFile]:
        for kind, title in TITLES.items():
            # only lessons have files of their own for each skill
            skill = "" if kind == "lesson" else None
            yield self._build_list(f"{title}.md", kind, title, "", skill=skill)

    def _list_skills(self) -> Iterator[_VaultFile]:
        skills = self._app.store.list_skills()
        known = {
            one.skill: _stem(one.path)
            for one in self._written
            if one.skill and os.path.dirname(one.path) == os.path.join(self._path, _SKILLS)
        }
        for skill, name in name_all({skill: skill for skill in skills}, known).items():
            file = f"{_SKILLS}/{name}.md"
            yield self._build_list(file, "lesson", skill, "Lessons by skill", skill=skill)

    def _build_list(
        self, file: str, kind: str, label: str, section: str, *, skill: str | None
    ) -> _VaultFile:
        which = NoteFilter(projects=self._same, skill=skill, kinds=(kind,), statuses=("active",))
        views = self._views.but(about=self._views.about.but(skill=skill or ""))
        target = views.build_target(
            file, f"vault_{kind}", partial(contents.gather_matching, which=which)
        )
        return _VaultFile(target, section, label, which=which)

    def _list_pages(self) -> Iterator[_VaultFile]:
        pages = {
            page.tag: page
            for page in sorted(
                contents.gather_notes(self._app, ("page",), self._same), key=lambda one: one.id
            )
        }
        names = name_all({tag: tag for tag in pages}, {})
        for tag, page in pages.items():
            only = partial(contents.gather_note, name=page.id)
            said = first_sentence(page.text)
            yield self._build_page(f"{names[tag]}.md", tag, only).but(said=said)
        shown = {fold_name(f"{name}.md") for name in names.values()}
        for file in _list_names(os.path.join(self._path, _PAGES)):
            path = os.path.join(self._path, _PAGES, file)
            if fold_name(file) in shown or self._bodies.get(path) is not None:
                continue
            try:
                tag = page_name(file)
            except UnsafeNameError:
                continue
            which = NoteFilter(projects=self._same, kinds=("page",), tag=tag, statuses=("active",))
            yield self._build_page(file, tag, partial(contents.gather_matching, which=which))

    def _build_page(self, file: str, tag: str, which: Gather) -> _VaultFile:
        target = self._views.build_target(f"{_PAGES}/{file}", "vault_page", which)
        return _VaultFile(target.but(about=target.about.but(subject=tag)), "Pages", tag)

    def _list_sessions(self) -> Iterator[_VaultFile]:
        shown = self._choose_sessions()
        known = {
            one.skill: one.path
            for one in self._written
            if one.format == "vault_session" and one.path.startswith(self._path + os.sep)
        }
        titles = {
            one.id: f"{format_day(one.started_at)} {one.title}"
            for one in sorted(shown, key=lambda one: (one.started_at, one.id))
        }
        kept = {
            subject: _stem(path)
            for subject, path in known.items()
            if subject not in titles or says_title(_stem(path), titles[subject])
        }
        names = name_all(titles, kept)
        for one in shown:
            only = partial(contents.gather_episode, name=one.id)
            file = f"{_SESSIONS}/{names[one.id]}.md"
            target = self._views.build_target(file, "vault_session", only, "episode", one.id)
            if (former := known.get(one.id, "")) != target.spot.path:
                target = target.but(former=former)
            day = format_day(one.started_at)
            yield _VaultFile(target, "Sessions", one.title or day, day if one.title else "")

    def _choose_sessions(self) -> list[Episode]:
        """Return what tells of each session best, newest first: its end, else its last part."""
        best: dict[str, Episode] = {}
        found = self._app.store.list_episodes(self._same, kinds=(*SAVED, "note"), limit=_MOST)
        for one in found:
            key = one.session or one.id
            if key not in best or (one.kind == "end" and best[key].kind != "end"):
                best[key] = one
        return sorted(best.values(), key=lambda one: (-one.started_at, one.id))

    def _list_texts(self) -> Iterator[_VaultFile]:
        """Yield handoffs, which can be edited, and diaries, reports and archives."""
        store = self._app.store
        kinds = ("handoff", "diary", "reflect", ARCHIVE)
        found = store.list_episodes(self._same, kinds=kinds, limit=_MOST)
        handoffs = [one for one in found if one.kind == "handoff"]
        topics = {one.id: _title_of_handoff(one) for one in reversed(handoffs)}
        names = name_all(topics, {})
        for one in handoffs:
            only, file = partial(contents.gather_episode, name=one.id), f"handoffs/{names[one.id]}"
            target = self._views.build_target(
                f"{file}.md", "engine_handoff", only, "episode", one.id
            )
            yield _VaultFile(target, "Handoffs", topics[one.id], format_day(one.ended_at))
        for section, kind, folder in (
            ("Diary", "diary", "diary"),
            ("Reports", "reflect", "reports"),
        ):
            own = [one for one in found if one.kind == kind]
            days = name_all({one.id: contents.diary_day(one) for one in reversed(own)}, {})
            for one in own:
                text = partial(contents.gather_text, name=one.id)
                yield self._build_text(f"{folder}/{days[one.id]}.md", section, text)
        months = {archive_month(one) for one in found if one.kind == ARCHIVE}
        for month in sorted(months, reverse=True):
            text = partial(contents.render_archive_of, projects=self._same, month=month)
            yield self._build_text(f"{_SESSIONS}/{month}.md", "Earlier sessions", text)

    def _build_text(self, file: str, section: str, which: Gather) -> _VaultFile:
        target = self._views.build_target(file, "vault_text", which, "text")
        return _VaultFile(target, section, _stem(file))

    def _render_hub(self, app: App, files: Sequence[_VaultFile]) -> list[str]:
        known = {one.path: one.body for one in app.store.list_views()}
        lines, section = [f"# {_flatten(self._title)}", ""], ""
        for file in files:
            if known.get(file.target.spot.path, "new") == "":
                continue  # the user deleted it
            if file.section != section:
                section = file.section
                lines += ["", f"## {section}", ""]
            path = os.path.relpath(file.target.spot.path, self._path)
            said = _count_notes(app, file.which) if file.which else file.said
            lines.append(_render_link(file.label, path, said))
        return ["\n".join(lines) + "\n"]

    def _render_top(self, app: App) -> list[str]:
        hubs = {
            one.path: "Everywhere" if one.project == EVERYWHERE else _read_title(one.body)
            for one in app.store.list_views()
            if one.format == _HUB_FORMAT
            and one.body
            and one.path.startswith(self._root + os.sep)
            and one.path.endswith(os.sep + HUB)
        }
        links = [
            _render_link(title, os.path.relpath(path, self._root)) for path, title in hubs.items()
        ]
        return ["\n".join((_HEAD, *links)) + "\n"] if links else []


def _count_notes(app: App, which: NoteFilter) -> str:
    count = str(app.store.count_notes(which))
    if which.kinds not in (("task",), ("issue",)):
        return count
    return f"{app.store.count_notes(which.but(state='open'))} open of {count}"


def _title_of_handoff(episode: Episode) -> str:
    return handoff_topic(episode) or f"Handoff {format_day(episode.started_at)}"


def _render_link(label: str, path: str, said: str = "") -> str:
    target = path.replace(os.sep, "/").translate(_IN_LINK)
    if not _ENDS_LINK.isdisjoint(target):
        target = f"<{target}>"
    return f"- [{_flatten(label)}]({target})" + (f": {said}" if said else "")


def _flatten(text: str) -> str:
    """Return a text on one line that closes no link."""
    said = escape_line(text, limit=_LONGEST).replace("[", "(").replace("]", ")")
    return said.replace("\\", "/").replace("`", "'")


def _read_title(body: str) -> str:
    return body.partition("\n")[0].removeprefix("# ")


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".md")


def _list_names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            names = [one.name for one in found if one.is_file(follow_symlinks=False)]
    except OSError:
        return []
    return sorted(name for name in names if name.endswith(".md") and name.isprintable())
