"""Translate Codex patches to single-file edit tools."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_FILES = (_ADD, _UPDATE, _DELETE)


def parse_patch(patch: str, cwd: str) -> tuple[str, Mapping[str, object]]:
    """Return the tool and arguments for a patch's first file."""
    lines = patch.splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith(_FILES)), len(lines))
    if first == len(lines):
        return "Edit", {"patch": patch}
    kind = next(mark for mark in _FILES if lines[first].startswith(mark))
    path = lines[first].removeprefix(kind).strip()
    body = _hunk_end(lines[first + 1 :])
    given = {"file_path": path if path.startswith("/") or not cwd else f"{cwd}/{path}"}
    if kind == _ADD:
        return "Write", given | {"content": _side_lines(body, "+")}
    return "Edit", given | {
        "old_string": _side_lines(body, "- "),
        "new_string": _side_lines(body, "+ "),
    }


def parse_file_change(path: str, change: object) -> tuple[str, Mapping[str, object]]:
    """Return tool and arguments for a rollout's file change."""
    match change:
        case {"type": "add", "content": str(content)}:
            return "Write", {"file_path": path, "content": content}
        case {"unified_diff": str(diff)}:
            body = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
            sides = {"old_string": _side_lines(body, "- "), "new_string": _side_lines(body, "+ ")}
            return "Edit", {"file_path": path, **sides}
        case _:
            return "Edit", {"file_path": path}


def _hunk_end(lines: list[str]) -> list[str]:
    end = next((at for at, line in enumerate(lines) if line.startswith("*** ")), len(lines))
    return lines[:end]


def _side_lines(lines: list[str], marks: str) -> str:
    """Return the lines of a side of a change; context is on both sides."""
    return "\n".join(line[1:] for line in lines if line[:1] and line[0] in marks)
