"""A patch, as Codex's models write it, in the words of the tools that edit one file at a time."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_FILES = (_ADD, _UPDATE, _DELETE)


def edit_of(patch: str, cwd: str) -> tuple[str, Mapping[str, object]]:
    """Return which tool would do what a patch does to its first file, and with which arguments."""
    lines = patch.splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith(_FILES)), len(lines))
    if first == len(lines):
        return "Edit", {"patch": patch}
    kind = next(mark for mark in _FILES if lines[first].startswith(mark))
    path = lines[first].removeprefix(kind).strip()
    body = _until_next(lines[first + 1 :])
    given = {"file_path": path if path.startswith("/") or not cwd else f"{cwd}/{path}"}
    if kind == _ADD:
        return "Write", given | {"content": _side(body, "+")}
    return "Edit", given | {"old_string": _side(body, "- "), "new_string": _side(body, "+ ")}


def change_of(path: str, change: object) -> tuple[str, Mapping[str, object]]:
    """Return the same for what a rollout says was done to a file."""
    match change:
        case {"type": "add", "content": str(content)}:
            return "Write", {"file_path": path, "content": content}
        case {"unified_diff": str(diff)}:
            body = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
            sides = {"old_string": _side(body, "- "), "new_string": _side(body, "+ ")}
            return "Edit", {"file_path": path, **sides}
        case _:
            return "Edit", {"file_path": path}


def _until_next(lines: list[str]) -> list[str]:
    end = next((at for at, line in enumerate(lines) if line.startswith("*** ")), len(lines))
    return lines[:end]


def _side(lines: list[str], marks: str) -> str:
    """Return the lines that stand on one side of a change; context stands on both."""
    return "\n".join(line[1:] for line in lines if line[:1] and line[0] in marks)
