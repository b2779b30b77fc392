"""Rollout calls with our tool names, for every Codex version and model."""

from __future__ import annotations

from twiceshy.core.event import FOREIGN
from twiceshy.core.jsontext import parse
from twiceshy.runtimes.codex.patch import edit_of
from twiceshy.runtimes.jsonl import sound, text_at

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.runtimes.jsonl import Record

    Call = tuple[str, Mapping[str, object]]

_SHELLS = frozenset("exec_command shell shell_command local_shell container.exec".split())
# They wait for others, or run a program whose calls are told one by one.
_ASIDE = frozenset("exec wait write_stdin".split())
_RENAMED = {
    "spawn_agent": ("Task", {"message": "prompt"}),
    "view_image": ("Read", {"path": "file_path"}),
    "update_plan": ("TodoWrite", {}),
}


def call_of(item: Record, cwd: str) -> Call | None:
    """Return tool and arguments of a call item; None if no own call."""
    name = text_at(item, "name")
    if item.get("type") == "local_shell_call":
        return "Bash", {"command": shell_line(_inner(item.get("action"), "command"))}
    if name in _ASIDE or not name:
        return None
    if name == "apply_patch":
        given = _given(item.get("arguments"))
        return edit_of(text_at(item, "input") or text_at(given, "input"), cwd)
    given = _given(item.get("arguments"))
    if name in _SHELLS:
        return "Bash", {"command": shell_line(given.get("cmd") or given.get("command"))}
    if (space := text_at(item, "namespace")).startswith(FOREIGN):
        return f"{space}__{name}", given
    tool, names = _RENAMED.get(name, (name, {}))
    return tool, {names.get(key, key): value for key, value in given.items()}


def place_of(item: Record, cwd: str) -> str:
    """Return the directory of an item; the session's by default."""
    said = text_at(_given(item.get("arguments")), "workdir") or text_at(item, "cwd")
    if said.startswith("file://"):
        from urllib.parse import unquote  # noqa: PLC0415 - no hook reads a transcript

        return unquote(said.removeprefix("file://"))
    return said if said.startswith("/") else f"{cwd}/{said}" if said and cwd else cwd


def shell_line(command: object) -> str:
    """Return a command without its wrapping shell."""
    match command:
        case [str(shell), str(flag), str(line)] if shell.endswith("sh") and flag in ("-lc", "-c"):
            return sound(line)
        case [*words]:
            from shlex import join  # noqa: PLC0415 - as above

            return sound(join(str(word) for word in words))
        case str():
            return sound(command)
        case _:
            return ""


def _inner(outer: object, name: str) -> object:
    return outer.get(name) if isinstance(outer, dict) else None


def _given(arguments: object) -> Mapping[str, object]:
    """Return a call's arguments from nested JSON."""
    if not isinstance(arguments, str):
        return arguments if isinstance(arguments, dict) else {}
    try:
        given = parse(arguments)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}
