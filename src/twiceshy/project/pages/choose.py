"""Render the project pages shown at session start, cut fairly to a token budget.

The three stable pages come first, then topics that name the working directory or a part of it.
Every page gets a line in turn, so a long page cannot push out a short page, and a page that is cut
names the command for the rest. Lines are escaped and indented: page text cannot imitate ours.
"""

from __future__ import annotations

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean, escape, one_line, token_estimate
from twiceshy.core.trust import INJECTABLE
from twiceshy.notes.pages import in_order, is_stable
from twiceshy.notes.pages.condition import line_count

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note

MOST_LINES = 50
_LONGEST_LINE = 200
_INDENT = "  "
_DEEPEST = 8
_OTHERS = 160
_SHARE_OF_OTHERS = 5
_IN_COMMANDS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


class _View:
    """Page being cut: the longest heading is charged first, then single lines."""

    def __init__(self, page: Note, tokens: int) -> None:
        self.page = page
        self.total = line_count(page.text)
        self.ready: list[str] = []
        self.taken = 0
        lines = clean(page.text).split("\n")
        self.complete = len(lines) <= MOST_LINES
        for line in filter(str.strip, lines[:MOST_LINES]):
            if tokens < 0:  # no more can be taken, so none is written out
                break
            self.complete = self.complete and len(" ".join(line.split())) <= _LONGEST_LINE
            self.ready.append(_shown(line))
            tokens -= token_estimate(self.ready[-1])

    def cost(self) -> int:
        """Return the highest token cost of the heading."""
        return token_estimate(self._heading(cut=True, first=len(self.ready)))

    def lines(self) -> list[str]:
        """Return the heading and the selected lines of the page."""
        cut = self.taken < len(self.ready) or not self.complete
        return [self._heading(cut=cut, first=self.taken), *self.ready[: self.taken]]

    def _heading(self, *, cut: bool, first: int) -> str:
        place = "everywhere, " if self.page.scope.project == EVERYWHERE else ""
        name = escape(self.page.tag, limit=100)
        count = f"{self.total} line{'s'[: self.total != 1]}"
        if not cut:
            return f"Page {name} ({place}{count}):"
        return f"Page {name} ({place}{first} of {count}; all: {reading(self.page)}):"


def page_lines(pages: Sequence[Note], *, cwd: str, root: str, tokens: int) -> list[str]:
    """Render pages for a session that starts in ``cwd`` of a project.

    The estimated tokens of the lines never exceed ``tokens`` in total.
    """
    known = [page for page in pages if page.text.strip() and page.trust >= INJECTABLE]
    chosen = [page for page in in_order(known) if is_stable(page) or belongs(page, cwd, root)]
    here = {page.id for page in chosen}
    others = _others(page for page in in_order(known) if page.id not in here)
    left = tokens
    if others and token_estimate(others) * _SHARE_OF_OTHERS <= tokens:
        left -= token_estimate(others)
    else:
        others = ""
    views: list[_View] = []
    for view in (_View(page, left) for page in chosen):
        if view.cost() <= left:
            left -= view.cost()
            views.append(view)
    _fill(views, left)
    shown = [line for view in views for line in view.lines()]
    return [*shown, others] if others else shown


def belongs(page: Note, cwd: str, root: str) -> bool:
    """True if a topic is about the working directory or a part of its path."""
    here = _below(cwd, root)
    if not here:
        return False
    parts = {_folded(part) for part in here.split("/")}
    if not parts.isdisjoint(map(_folded, (page.tag, *page.concepts))):
        return True
    return any(_touches(file, here) for file in page.files)


def reading(page: Note) -> str:
    """Return the command that prints a page.

    A page name that a shell could interpret is replaced by the note's handle.
    """
    if not _IN_COMMANDS.issuperset(page.tag) or page.tag.startswith("-"):
        return f"twiceshy show {page.handle}"
    everywhere = " --everywhere" if page.scope.project == EVERYWHERE else ""
    return f"twiceshy memory-get {page.tag}{everywhere}"


def _fill(views: Sequence[_View], left: int) -> None:
    """Give each page a line in turn; stop a page whose next line does not fit."""
    open_views = [view for view in views if view.ready]
    while open_views:
        for view in tuple(open_views):
            cost = token_estimate(view.ready[view.taken])
            if cost > left:
                open_views.remove(view)
                continue
            left -= cost
            view.taken += 1
            if view.taken == len(view.ready):
                open_views.remove(view)


def _others(pages: Iterable[Note]) -> str:
    names = ", ".join(escape(page.tag, limit=40) for page in pages)
    if not names:
        return ""
    return f"Other pages: {one_line(names, limit=_OTHERS)} (twiceshy memory-get NAME)"


def _shown(line: str) -> str:
    indent = min(len(line) - len(line.lstrip()), _DEEPEST)
    return _INDENT + " " * indent + escape(line, limit=_LONGEST_LINE)


def _below(cwd: str, root: str) -> str:
    """Return a directory's path below the project root; empty for the root itself."""
    here, top = (path.replace("\\", "/").rstrip("/") for path in (cwd, root))
    return here[len(top) + 1 :] if top and here.startswith(f"{top}/") else ""


def _touches(file: str, here: str) -> bool:
    """True if a file lies below a directory, or the directory below the file's folder."""
    path = file.replace("\\", "/").removeprefix("./").rstrip("/")
    folder = path.rpartition("/")[0]
    return f"{path}/".startswith(f"{here}/") or any(
        place and f"{here}/".startswith(f"{place}/") for place in (path, folder)
    )


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")
