"""Pure rules for tasks: sort, parse checklists, and choose the next task."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

    from twiceshy.core.note import Note

    NextTaskReason = Literal["pinned", "worked on last", "oldest"]

OPEN, DONE = "open", "done"
_BULLETS = ("- ", "* ", "+ ")
_BOXES = {"[ ]": OPEN, "[]": OPEN, "[x]": DONE, "[X]": DONE}


class NextTask(Value):
    """Task to do next, and the rule that selected it."""

    task: Note
    reason: NextTaskReason


class ListedTask(Value):
    """Task read from a list."""

    text: str
    state: str = OPEN


def list_open_tasks(tasks: Iterable[Note]) -> list[Note]:
    """Return the open tasks: pinned tasks first, then the oldest."""
    left = [task for task in tasks if task.state == OPEN]
    return sorted(left, key=lambda task: (not task.pinned, task.written_at, task.id))


def choose_next_task(tasks: Iterable[Note], *, last_worked: Mapping[str, int]) -> NextTask | None:
    """Choose the next task: oldest pinned, else of the project worked on last, else oldest.

    ``last_worked`` gives the time of the last work on each project.
    """
    left = list_open_tasks(tasks)
    if not left:
        return None
    if left[0].pinned:
        return NextTask(left[0], "pinned")
    last = max(last_worked.get(task.scope.project, 0) for task in left)
    if last:
        there = [task for task in left if last_worked.get(task.scope.project, 0) == last]
        return NextTask(there[0], "worked on last")
    return NextTask(left[0], "oldest")


def parse_task_list(text: str) -> tuple[list[ListedTask], int]:
    """Parse a task list and count the lines left over.

    Items with boxes count; without boxes every item; without items the whole text is a task.
    """
    items: list[tuple[str, list[str]]] = []  # what stood in its box, and its words
    strays = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        bare = line.strip()
        item = _parse_item(bare)
        if item is not None:
            items.append(item)
        elif bare and line[0].isspace() and items:
            items[-1][1].append(bare)
        else:
            strays += bool(bare)
    if not items:
        return ([ListedTask(text.strip())], 0) if text.strip() else ([], 0)
    boxed = [one for one in items if one[0]] or items
    tasks = [ListedTask(" ".join(words).strip(), _BOXES.get(box, OPEN)) for box, words in boxed]
    kept = [task for task in tasks if task.text]
    return kept, strays + len(items) - len(kept)


def _parse_item(line: str) -> tuple[str, list[str]] | None:
    """Return the box and the words of a list item; None for any other line."""
    number, dot, rest = line.partition(". ")
    if line.startswith(_BULLETS):
        said = line[2:].strip()
    elif dot and number.isdecimal():
        said = rest.strip()
    else:
        said = ""
    if not said:
        return None
    box = next((box for box in _BOXES if said.startswith(f"{box} ") or said == box), "")
    return box, [said[len(box) :].strip()]
