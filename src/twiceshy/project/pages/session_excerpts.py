"""Render the project pages shown at session start, cut fairly to a token budget.

The three stable pages come first, then topics that name the working directory or a part of it.
Every page gets a line in turn, so a long page cannot push out a short page, and a page that is cut
names the command for the rest. Lines are escaped and indented: page text cannot imitate ours.
"""

from __future__ import annotations

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape_line, estimate_tokens, fold_to_line, strip_unsafe
from twiceshy.core.trust import INJECTABLE
from twiceshy.notes.pages import count_lines, is_stable, sort_pages

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note

MAX_LINES = 50
_MAX_LINE = 200
_INDENT = "  "
_MAX_INDENT = 8
_MAX_OTHERS = 160
_SHARE_OF_OTHERS = 5
_SHELL_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


class _PageView:
    """Page being cut: the longest heading is charged first, then single lines."""

    def __init__(self, page: Note, tokens: int) -> None:
        self.page = page
        self.total = count_lines(page.text)
        self.ready: list[str] = []
        self.taken = 0
        lines = strip_unsafe(page.text).split("\n")
        self.complete = len(lines) <= MAX_LINES
        for line in filter(str.strip, lines[:MAX_LINES]):
            if tokens < 0:  # no more can be taken, so none is written out
                break
            self.complete = self.complete and len(" ".join(line.split())) <= _MAX_LINE
            self.ready.append(_render_line(line))
            tokens -= estimate_tokens(self.ready[-1])

    def heading_cost(self) -> int:
        """Return the highest token cost of the heading."""
        return estimate_tokens(self._render_heading(cut=True, first=len(self.ready)))

    def render_lines(self) -> list[str]:
        """Return the heading and the selected lines of the page."""
        cut = self.taken < len(self.ready) or not self.complete
        return [self._render_heading(cut=cut, first=self.taken), *self.ready[: self.taken]]

    def _render_heading(self, *, cut: bool, first: int) -> str:
        place = "everywhere, " if self.page.scope.project == EVERYWHERE else ""
        name = escape_line(self.page.tag, limit=100)
        count = f"{self.total} line{'s'[: self.total != 1]}"
        if not cut:
            return f"Page {name} ({place}{count}):"
        return f"Page {name} ({place}{first} of {count}; all: {show_command(self.page)}):"


def render_page_lines(pages: Sequence[Note], *, cwd: str, root: str, tokens: int) -> list[str]:
    """Render pages for a session that starts in ``cwd`` of a project.

    The estimated tokens of the lines never exceed ``tokens`` in total.
    """
    known = [page for page in pages if page.text.strip() and page.trust >= INJECTABLE]
    ordered = sort_pages(known)
    chosen = [one for one in ordered if is_stable(one) or is_about_directory(one, cwd, root)]
    here = {page.id for page in chosen}
    others = _list_other_pages(page for page in ordered if page.id not in here)
    left = tokens
    if others and estimate_tokens(others) * _SHARE_OF_OTHERS <= tokens:
        left -= estimate_tokens(others)
    else:
        others = ""
    views: list[_PageView] = []
    for view in (_PageView(page, left) for page in chosen):
        if view.heading_cost() <= left:
            left -= view.heading_cost()
            views.append(view)
    _fill_views(views, left)
    shown = [line for view in views for line in view.render_lines()]
    return [*shown, others] if others else shown


def is_about_directory(page: Note, cwd: str, root: str) -> bool:
    """True if a topic is about the working directory or a part of its path."""
    here = _path_below_root(cwd, root)
    if not here:
        return False
    parts = {_fold_name(part) for part in here.split("/")}
    if not parts.isdisjoint(map(_fold_name, (page.tag, *page.concepts))):
        return True
    return any(_paths_overlap(file, here) for file in page.files)


def show_command(page: Note) -> str:
    """Return the command that prints a page.

    A page name that a shell could interpret is replaced by the note's handle.
    """
    if not _SHELL_SAFE.issuperset(page.tag) or page.tag.startswith("-"):
        return f"twiceshy show {page.handle}"
    everywhere = " --everywhere" if page.scope.project == EVERYWHERE else ""
    return f"twiceshy memory-get {page.tag}{everywhere}"


def _fill_views(views: Sequence[_PageView], left: int) -> None:
    """Give each page a line in turn; stop a page whose next line does not fit."""
    open_views = [view for view in views if view.ready]
    while open_views:
        for view in tuple(open_views):
            cost = estimate_tokens(view.ready[view.taken])
            if cost > left:
                open_views.remove(view)
                continue
            left -= cost
            view.taken += 1
            if view.taken == len(view.ready):
                open_views.remove(view)


def _list_other_pages(pages: Iterable[Note]) -> str:
    names = ", ".join(escape_line(page.tag, limit=40) for page in pages)
    if not names:
        return ""
    return f"Other pages: {fold_to_line(names, limit=_MAX_OTHERS)} (twiceshy memory-get NAME)"


def _render_line(line: str) -> str:
    indent = min(len(line) - len(line.lstrip()), _MAX_INDENT)
    return _INDENT + " " * indent + escape_line(line, limit=_MAX_LINE)


def _path_below_root(cwd: str, root: str) -> str:
    """Return a directory's path below the project root; empty for the root itself."""
    here, top = (path.replace("\\", "/").rstrip("/") for path in (cwd, root))
    return here[len(top) + 1 :] if top and here.startswith(f"{top}/") else ""


def _paths_overlap(file: str, here: str) -> bool:
    """True if a file lies below a directory, or the directory below the file's folder."""
    path = file.replace("\\", "/").removeprefix("./").rstrip("/")
    folder = path.rpartition("/")[0]
    return f"{path}/".startswith(f"{here}/") or any(
        place and f"{here}/".startswith(f"{place}/") for place in (path, folder)
    )


def _fold_name(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")
