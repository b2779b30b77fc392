"""Find the programs started by a hook command, if given by absolute path.

A command with a condition names no program for certain.
"""

from __future__ import annotations

from twiceshy.shell.command_line import parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".rb", ".pl")
# With these a line may be right although a file is missing.
_CONDITIONS = ("[ ", "test ", "||", "if ", "command -v", "which ")


def list_programs(command: str, variables: Mapping[str, str]) -> list[str]:
    """Return the programs and scripts of a command; ``variables`` are expanded."""
    if any(mark in command for mark in _CONDITIONS):
        return []
    line = parse_command_line(command)
    words = [(word, not at) for each in line.commands for at, word in enumerate(each.words)]
    whole = [
        (_expand_variables(word, variables), starts) for word, starts in words if line.is_complete
    ]
    return [
        word
        for word, starts in whole
        if word[:1] == "/" and "$" not in word and (starts or word.endswith(_SCRIPTS))
    ]


def list_hook_commands(settings: object) -> Iterator[str]:
    """Yield the commands of every hook in Claude Code's settings."""
    events = settings.get("hooks") if isinstance(settings, dict) else None
    groups = events.values() if isinstance(events, dict) else ()
    for group in (each for listed in groups if isinstance(listed, list) for each in listed):
        hooks = group.get("hooks") if isinstance(group, dict) else None
        for hook in hooks if isinstance(hooks, list) else ():
            command = hook.get("command") if isinstance(hook, dict) else None
            if isinstance(command, str):
                yield command


def _expand_variables(word: str, variables: Mapping[str, str]) -> str:
    if word.startswith("~/"):
        word = variables.get("HOME", "~") + word[1:]
    for name, value in variables.items():
        word = word.replace("${" + name + "}", value).replace(f"${name}", value)
    return word
