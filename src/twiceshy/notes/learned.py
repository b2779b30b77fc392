"""A lesson learned by hand: title, problem, solution and next time, apart in the note and in its file.

In the note the problem is the reason, and the text begins with the title; so a brief tells what to do
first, and when after it. The file is memory-engine's; writing it again after reading it changes nothing.
"""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.text import clean
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note

_SOLUTION, _NEXT = "Solution: ", "Next time: "
_INDENT = (
    "  "  # before the lines of a part but its first, so that none of them begins another part
)
_HEADINGS = {"problem": "## Problem", "solution": "## Solution", "next_time": "## Next Time"}
_DATE, _PROJECT = "**Date:** ", "**Project:** "


class Learned(Value):
    """What happened, what put it right, and what to do the next time."""

    title: str
    problem: str
    solution: str
    next_time: str = ""


class Page(Value):
    """A lesson as memory-engine's file has it: with its day and project."""

    learned: Learned
    day: str = ""
    project: str = ""


def checked(learned: Learned) -> Learned:
    """Return a lesson cleaned; NoteError says what is missing."""
    ready = Learned.of({name: _tidy(str(value)) for name, value in learned.fields().items()})
    if "\n" in ready.title:
        raise NoteError("the title has more than one line", hint="put the rest into --problem")
    for name in ("title", "problem", "solution"):
        if not getattr(ready, name):
            raise NoteError(f"the {name} is missing", hint=f"say it with --{name}")
    return ready


def text_of(learned: Learned) -> str:
    """Return what the note says; its reason is the problem."""
    parts = [learned.title, _part(_SOLUTION, learned.solution)]
    if learned.next_time:
        parts.append(_part(_NEXT, learned.next_time))
    return "\n".join(parts)


def learned_of(note: Note) -> Learned | None:
    """Read a lesson back from its note; None if it was not learned by hand."""
    title, _, rest = note.text.partition("\n")
    told = "\n" + rest
    head, found, body = told.partition("\n" + _SOLUTION)
    if note.kind != "lesson" or not found or head or not note.why:
        return None
    solution, _, following = body.partition("\n" + _NEXT)
    return Learned(title, note.why, _whole(solution), _whole(following))


def written(page: Page) -> str:
    """Write memory-engine's file."""
    learned = page.learned
    lines = [f"# {learned.title}", "", f"{_DATE}{page.day}", f"{_PROJECT}{page.project}"]
    for name, heading in _HEADINGS.items():
        lines += ["", heading, *map(_escaped, getattr(learned, name).splitlines())]
    return "\n".join(lines) + "\n"


def read(text: str) -> Page:
    """Read memory-engine's file; NoteError if it is none."""
    title, day, project, section = "", "", "", ""
    parts: dict[str, list[str]] = {name: [] for name in _HEADINGS}
    for line in text.splitlines():
        heading = _heading(line)
        if heading:
            section = heading
        elif section:
            parts[section].append(line[1:] if _is_escaped(line) else line)
        elif line.startswith("# "):
            title = line[2:]
        elif line.startswith(_DATE):
            day = line.removeprefix(_DATE)
        elif line.startswith(_PROJECT):
            project = line.removeprefix(_PROJECT)
    told = {name: "\n".join(lines) for name, lines in parts.items()}
    return Page(checked(Learned(title, **told)), day.strip(), project.strip())


def _heading(line: str) -> str:
    folded = line.rstrip().casefold()
    return next((name for name, each in _HEADINGS.items() if each.casefold() == folded), "")


def _part(label: str, text: str) -> str:
    return label + f"\n{_INDENT}".join(text.splitlines())


def _whole(part: str) -> str:
    lines = part.split("\n")
    return "\n".join([lines[0], *(line.removeprefix(_INDENT) for line in lines[1:])])


def _tidy(text: str) -> str:
    """Clean a part; blank lines would end it where a file is read back."""
    return "\n".join(_lines(clean(text)))


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip():
            yield line.rstrip()


def _escaped(line: str) -> str:
    """Return a line so that it begins no section; one that looks escaped is escaped once more."""
    return f"\\{line}" if line.lstrip("\\").startswith("#") else line


def _is_escaped(line: str) -> bool:
    return line.startswith("\\") and line.lstrip("\\").startswith("#")
