"""A lesson learned by hand: title, problem, solution, next time.

In the note the problem is the reason, and the text begins with the title: a brief tells the
action first. The file is memory-engine's; it round-trips unchanged.
"""

from twiceshy.core.errors import NoteError
from twiceshy.core.note import Note
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value

_SOLUTION, _NEXT = "Solution: ", "Next time: "
# before the lines of a part but its first, so that none of them begins another part
_INDENT = "  "
_HEADINGS = {"problem": "## Problem", "solution": "## Solution", "next_time": "## Next Time"}
_SECTIONS = {heading.casefold(): name for name, heading in _HEADINGS.items()}
_DATE, _PROJECT = "**Date:** ", "**Project:** "


class LearnedLesson(Value):
    """A problem, its solution, and advice for the next time."""

    title: str
    problem: str
    solution: str
    next_time: str = ""


class LessonPage(Value):
    """A lesson in memory-engine's file form, with day and project."""

    learned: LearnedLesson
    day: str = ""
    project: str = ""


def check_lesson(learned: LearnedLesson) -> LearnedLesson:
    """Return a cleaned lesson; NoteError names a missing part."""
    parts = learned.fields().items()
    ready = LearnedLesson.of({name: _clean_part(str(value)) for name, value in parts})
    if "\n" in ready.title:
        raise NoteError("the title has more than one line", hint="put the rest into --problem")
    for name in ("title", "problem", "solution"):
        if not getattr(ready, name):
            raise NoteError(f"the {name} is missing", hint=f"say it with --{name}")
    return ready


def lesson_text(learned: LearnedLesson) -> str:
    """Return the note text of a lesson; the problem is its reason."""
    parts = [learned.title, _render_part(_SOLUTION, learned.solution)]
    if learned.next_time:
        parts.append(_render_part(_NEXT, learned.next_time))
    return "\n".join(parts)


def lesson_of_note(note: Note) -> LearnedLesson | None:
    """Parse a lesson from its note; None if not learned by hand."""
    title, _, rest = note.text.partition("\n")
    told = "\n" + rest
    head, found, body = told.partition("\n" + _SOLUTION)
    if note.kind != "lesson" or not found or head or not note.why:
        return None
    solution, _, following = body.partition("\n" + _NEXT)
    return LearnedLesson(title, note.why, _unindent_part(solution), _unindent_part(following))


def render_lesson_file(page: LessonPage) -> str:
    """Render memory-engine's file."""
    learned = page.learned
    lines = [f"# {learned.title}", "", f"{_DATE}{page.day}", f"{_PROJECT}{page.project}"]
    for name, heading in _HEADINGS.items():
        lines += ["", heading, *map(_escape_line, getattr(learned, name).splitlines())]
    return "\n".join(lines) + "\n"


def parse_lesson_file(text: str) -> LessonPage:
    """Parse memory-engine's file; NoteError if invalid."""
    title, day, project, section = "", "", "", ""
    parts: dict[str, list[str]] = {name: [] for name in _HEADINGS}
    for line in text.splitlines():
        if heading := _SECTIONS.get(line.rstrip().casefold()):
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
    return LessonPage(check_lesson(LearnedLesson(title, **told)), day.strip(), project.strip())


def _render_part(label: str, text: str) -> str:
    return label + f"\n{_INDENT}".join(text.splitlines())


def _unindent_part(part: str) -> str:
    first, *more = part.split("\n")
    return "\n".join([first, *(line.removeprefix(_INDENT) for line in more)])


def _clean_part(text: str) -> str:
    """Clean a part; blank lines would end it in the file."""
    return "\n".join(line.rstrip() for line in strip_unsafe(text).splitlines() if line.strip())


def _escape_line(line: str) -> str:
    """Return a line that begins no section; escaped lines are escaped again."""
    return f"\\{line}" if line.lstrip("\\").startswith("#") else line


def _is_escaped(line: str) -> bool:
    return line.startswith("\\") and line.lstrip("\\").startswith("#")
