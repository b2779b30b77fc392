"""Rollout calls with our tool names, for every Codex version and model."""

from __future__ import annotations

from twiceshy.core.event import FOREIGN
from twiceshy.core.jsontext import parse_mapping_or_empty
from twiceshy.runtimes.codex.patch import parse_patch
from twiceshy.runtimes.records import drop_surrogates, get_text, get_value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.runtimes.records import Record

    Call = tuple[str, Record]

_SHELLS = frozenset("exec_command shell shell_command local_shell container.exec".split())
# They wait for others, or run a program whose calls are told one by one.
_ASIDE = frozenset("exec wait write_stdin".split())
_RENAMED = {
    "spawn_agent": ("Task", {"message": "prompt"}),
    "view_image": ("Read", {"path": "file_path"}),
    "update_plan": ("TodoWrite", {}),
}


def parse_call(item: Record, cwd: str) -> Call | None:
    """Return tool and arguments of a call item; None if no own call."""
    name = get_text(item, "name")
    if item.get("type") == "local_shell_call":
        return "Bash", {"command": unwrap_shell(get_value(item, "action", "command"))}
    if name in _ASIDE or not name:
        return None
    given = _parse_arguments(item.get("arguments"))
    if name == "apply_patch":
        return parse_patch(get_text(item, "input") or get_text(given, "input"), cwd)
    if name in _SHELLS:
        return "Bash", {"command": unwrap_shell(given.get("cmd") or given.get("command"))}
    if (space := get_text(item, "namespace")).startswith(FOREIGN):
        return f"{space}__{name}", given
    tool, names = _RENAMED.get(name, (name, {}))
    return tool, {names.get(key, key): value for key, value in given.items()}


def call_directory(item: Record, cwd: str) -> str:
    """Return the directory of an item; the session's by default."""
    said = get_text(_parse_arguments(item.get("arguments")), "workdir") or get_text(item, "cwd")
    if said.startswith("file://"):
        from urllib.parse import unquote  # noqa: PLC0415 - no hook reads a transcript

        return unquote(said.removeprefix("file://"))
    return said if said.startswith("/") else f"{cwd}/{said}" if said and cwd else cwd


def unwrap_shell(command: object) -> str:
    """Return a command without its wrapping shell."""
    match command:
        case [str(shell), str(flag), str(line)] if shell.endswith("sh") and flag in ("-lc", "-c"):
            return drop_surrogates(line)
        case [*words]:
            from shlex import join  # noqa: PLC0415 - as above

            return drop_surrogates(join(str(word) for word in words))
        case str():
            return drop_surrogates(command)
        case _:
            return ""


def _parse_arguments(arguments: object) -> Record:
    """Return a call's arguments, perhaps from nested JSON."""
    if isinstance(arguments, str):
        return parse_mapping_or_empty(arguments)
    return arguments if isinstance(arguments, dict) else {}
