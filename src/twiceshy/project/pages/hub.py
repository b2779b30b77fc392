"""Build MEMORY.md as a hub of page pointers and counts: warning from 170 lines, limit 200.

Every session reads the hub in full, and a growing file becomes useless; so the hub holds no
content. With too many topics, the pointers of the least recently changed pages fold into a single
line.
"""

from __future__ import annotations

from twiceshy.core.moment import day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape
from twiceshy.core.value import Value
from twiceshy.notes.pages import STABLE, in_order
from twiceshy.notes.pages.condition import LARGEST, WARN, line_count

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note

_TITLE = 60
_SENTENCE = 100
_SESSIONS = 5
_SAME = 2  # pages of one stable name: the project's, and the one that holds everywhere
_ENDS = (". ", "! ", "? ", "。", "！", "？")
_MARKS = "#>*-+ \t`_"
_FENCES = ("```", "~~~")


class Around(Value):
    """Counts shown in a hub beside the pages: tasks, notebook rules, facts, sessions."""

    open_tasks: int = 0
    tasks: int = 0
    rules: int = 0
    facts: int = 0
    episodes: Sequence[Episode] = ()


class Hub(Value):
    """Lines of MEMORY.md, and the number of topics without a line."""

    lines: tuple[str, ...]
    folded: int

    @property
    def text(self) -> str:
        """File content."""
        return "\n".join((*self.lines, ""))

    @property
    def crowded(self) -> bool:
        """True if the hub has reached the warning size."""
        return len(self.lines) >= WARN


def hub(pages: Iterable[Note], around: Around) -> Hub:
    """Build the hub of a project; the order of the pages does not matter."""
    ordered = in_order(pages)
    stable = {name: [page for page in ordered if page.tag == name][:_SAME] for name in STABLE}
    named = {page.id for own in stable.values() for page in own}
    topics = [page for page in ordered if page.id not in named]
    head = [
        "# MEMORY",
        "",
        "> Pointers only. Made by twiceshy from what it keeps; read a page with: twiceshy memory-get NAME",
        "",
        "## Pages",
        "",
        *(line for name, own in stable.items() for line in [*map(pointer, own)] or [_empty(name)]),
    ]
    tail = ["", "## Tasks", "", _tasks(around), "", "## Notebook", "", *_notebook(around)]
    tail += ["", "## Sessions", "", *_sessions(around)]
    pointers, folded = _topics(topics, room=LARGEST - len(head) - len(tail))
    return Hub((*head, *pointers, *tail), folded)


def pointer(page: Note) -> str:
    """Render the line pointing to a page: title, name, first sentence, length."""
    link = _link(page.tag)
    said = first_sentence(page.text)
    count = line_count(page.text)
    about = f"{said}, " if said else ""
    where = "everywhere, " if page.scope.project == EVERYWHERE else ""
    size = f"{count} line{'s'[: count != 1]}"
    return f"- [{_plain(title(page), _TITLE)}]({link}): {about}{where}{size}"


def title(page: Note) -> str:
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
            return _plain(said[: min(ends)] if ends else said.rstrip("."), _SENTENCE)
    return ""


def _topics(topics: Sequence[Note], *, room: int) -> tuple[list[str], int]:
    """Return the topics section within ``room`` lines, and the number of folded topics."""
    if not topics:
        return [], 0
    heading = ["", "## Topics", ""]
    room -= len(heading)
    if len(topics) <= room:
        return [*heading, *map(pointer, topics)], 0
    newest = sorted(topics, key=lambda page: (-page.learned_at, page.tag.casefold(), page.id))
    kept = {page.id for page in newest[: max(0, room - 1)]}
    folded = len(topics) - len(kept)
    pointers = [pointer(page) for page in topics if page.id in kept]
    return [*heading, *pointers, f"- and {folded} more: twiceshy memory-list"], folded


def _empty(name: str) -> str:
    return f"- {name}: empty; twiceshy memory-set {name}"


def _tasks(around: Around) -> str:
    return f"- open: {around.open_tasks} of {around.tasks}; twiceshy todo"


def _notebook(around: Around) -> list[str]:
    return [
        f"- active corrections: {around.rules}; twiceshy correct",
        f"- decisions, patterns and issues: {around.facts}; twiceshy facts",
    ]


def _sessions(around: Around) -> list[str]:
    last = [
        f"- {day(one.ended_at)} {_plain(one.title or one.summary, _SENTENCE)}".rstrip()
        for one in around.episodes[:_SESSIONS]
    ]
    return [*last, "- all: twiceshy episodes"]


def _link(name: str) -> str:
    """Escape a page name for use as a link target."""
    escaped = {" ": "%20", "(": "%28", ")": "%29"}
    return "".join(escaped.get(char, char) for char in escape(name, limit=_SENTENCE)) + ".md"


def _plain(text: str, limit: int) -> str:
    """Escape characters able to close a link or open a frame."""
    return escape(text, limit=limit).replace("[", "(").replace("]", ")")
