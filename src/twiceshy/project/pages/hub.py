"""Build MEMORY.md as a hub of page pointers and counts: warning from 170 lines, limit 200.

Every session reads the hub in full, and a growing file becomes useless; so the hub holds no
content. With too many topics, the pointers of the least recently changed pages fold into a single
line.
"""

from __future__ import annotations

from twiceshy.core.grouping import group_by
from twiceshy.core.moment import format_day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape_line
from twiceshy.core.value import Value
from twiceshy.notes.pages import LARGEST, STABLE, WARN, count_lines, sort_pages

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note

_MAX_TITLE = 60
_MAX_SENTENCE = 100
_MAX_SESSIONS = 5
_MAX_SAME_NAME = 2  # pages of one stable name: the project's, and the one that holds everywhere
_ENDS = (". ", "! ", "? ", "。", "！", "？")
_MARKS = "#>*-+ \t`_"
_FENCES = ("```", "~~~")
_IN_LINK = str.maketrans({" ": "%20", "(": "%28", ")": "%29"})


class HubCounts(Value):
    """Counts shown in a hub beside the pages: tasks, notebook rules, facts, sessions."""

    open_tasks: int = 0
    tasks: int = 0
    rules: int = 0
    facts: int = 0
    episodes: Sequence[Episode] = ()


class HubPage(Value):
    """Lines of MEMORY.md, and the number of topics without a line."""

    lines: tuple[str, ...]
    folded: int

    @property
    def text(self) -> str:
        """File content."""
        return "\n".join((*self.lines, ""))

    @property
    def is_crowded(self) -> bool:
        """True if the hub has reached the warning size."""
        return len(self.lines) >= WARN


def build_hub(pages: Iterable[Note], counts: HubCounts) -> HubPage:
    """Build the hub of a project; the order of the pages does not matter."""
    ordered = sort_pages(pages)
    by_name = group_by(ordered, lambda page: page.tag)
    stable = {name: by_name.get(name, [])[:_MAX_SAME_NAME] for name in STABLE}
    named = {page.id for own in stable.values() for page in own}
    topics = [page for page in ordered if page.id not in named]
    head = [
        *("# MEMORY", ""),
        "> Pointers only. Made by twiceshy from what it keeps; read a page with: twiceshy memory-get NAME",
        *("", "## Pages", ""),
    ]
    for name, own in stable.items():
        missing = f"- {name}: empty; twiceshy memory-set {name}"
        head += [render_pointer(page) for page in own] or [missing]
    tail = [
        *("", "## Tasks", ""),
        f"- open: {counts.open_tasks} of {counts.tasks}; twiceshy todo",
        *("", "## Notebook", ""),
        f"- active corrections: {counts.rules}; twiceshy correct",
        f"- decisions, patterns and issues: {counts.facts}; twiceshy facts",
        *("", "## Sessions", ""),
        *map(_render_session, counts.episodes[:_MAX_SESSIONS]),
        "- all: twiceshy episodes",
    ]
    pointers, folded = _render_topics(topics, room=LARGEST - len(head) - len(tail))
    return HubPage((*head, *pointers, *tail), folded)


def render_pointer(page: Note) -> str:
    """Render the line pointing to a page: title, name, first sentence, length."""
    link = escape_line(page.tag, limit=_MAX_SENTENCE).translate(_IN_LINK)
    said = first_sentence(page.text)
    count = count_lines(page.text)
    about = f"{said}, " if said else ""
    where = "everywhere, " if page.scope.project == EVERYWHERE else ""
    size = f"{count} line{'s'[: count != 1]}"
    return f"- [{_escape_text(page_title(page), _MAX_TITLE)}]({link}.md): {about}{where}{size}"


def page_title(page: Note) -> str:
    """Return the first heading of a page, or the page name."""
    first = page.text.lstrip().partition("\n")[0]
    heading = first[2:].strip(" #") if first.startswith("# ") else ""
    return heading or page.tag


def first_sentence(text: str) -> str:
    """Return the first sentence of a page after headings and code, escaped, as a line."""
    fenced = False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(_FENCES):
            fenced = not fenced
        elif bare and not fenced and not bare.startswith("#") and bare.strip(_MARKS):
            said = bare.lstrip(_MARKS)
            ends = [said.find(end) for end in _ENDS if end in said]
            return _escape_text(said[: min(ends)] if ends else said.rstrip("."), _MAX_SENTENCE)
    return ""


def _render_topics(topics: Sequence[Note], *, room: int) -> tuple[list[str], int]:
    """Return the topics section within ``room`` lines, and the number of folded topics."""
    if not topics:
        return [], 0
    heading = ["", "## Topics", ""]
    room -= len(heading)
    if len(topics) <= room:
        return [*heading, *map(render_pointer, topics)], 0
    newest = sorted(topics, key=lambda page: (-page.learned_at, page.tag.casefold(), page.id))
    kept = {page.id for page in newest[: max(0, room - 1)]}
    folded = len(topics) - len(kept)
    pointers = [render_pointer(page) for page in topics if page.id in kept]
    return [*heading, *pointers, f"- and {folded} more: twiceshy memory-list"], folded


def _render_session(episode: Episode) -> str:
    title = _escape_text(episode.title or episode.summary, _MAX_SENTENCE)
    return f"- {format_day(episode.ended_at)} {title}".rstrip()


def _escape_text(text: str, limit: int) -> str:
    """Escape characters able to close a link or open a frame."""
    return escape_line(text, limit=limit).replace("[", "(").replace("]", ")")
