"""Codex's config.toml: what it says about us, and how it reads without us.

The client's own commands write to it, and so does its user, who trusts our hooks there. All of that is
taken out table by table; whatever is not ours keeps its bytes.
"""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.codex.plugin import HOOKS_NAME, PLUGINS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    Path = tuple[str, ...]

_TRUSTED = ("hooks", "state")
_NOTIFY = "notify"
_OURS = ("marketplaces", NAME), *(("plugins", f"{name}@{NAME}") for name in PLUGINS)


class Registered(Value):
    """Everything in the file that is about us: not ours to put in, but to take out."""

    path: str
    launcher: str

    def put(self, text: str) -> str:
        """Leave it to the client and to its user."""
        return text

    def take(self, text: str, before: str) -> str:
        """Return the text without us; ConfigError if that would change anything else."""
        del before  # it may be one that has us in it
        left = _without_tables(_without_notify(text, self.launcher), _is_ours)
        if value_at(left, _TRUSTED) == {} != value_at(text, _TRUSTED):
            left = _without_tables(left, lambda path: path == _TRUSTED)
        if _of_others(document(left)) != _of_others(document(text), self.launcher):
            raise ConfigError(
                "what is ours cannot be told from the rest", hint="take it out by hand"
            )
        return left

    def empty(self, text: str) -> bool:
        """Tell whether it says nothing."""
        return not text.strip()


def document(text: str) -> dict[str, object]:
    """Read the file; ConfigError if it is no TOML."""
    import tomllib  # noqa: PLC0415 - no hook reads a client's settings

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"it is not valid TOML: {error}", hint="correct it first") from error


def value_at(text: str, path: Path) -> object:
    """Return what the file says at a place; None if it says nothing."""
    found: object = document(text)
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def trusted(text: str, key: str) -> bool:
    """Tell whether the user trusts a hook and has not switched it off; of which hash is not asked."""
    state = value_at(text, (*_TRUSTED, key))
    return (
        isinstance(state, dict) and "trusted_hash" in state and state.get("enabled") is not False
    )


def notifies(text: str, launcher: str) -> bool:
    """Tell whether the client tells us of every turn that ends, which needs no trust."""
    return _names_us(value_at(text, (_NOTIFY,)), launcher)


def _names_us(notify: object, launcher: str) -> bool:
    return isinstance(notify, list) and notify[:1] == [launcher]


def _is_ours(path: Path) -> bool:
    if path[:2] in _OURS:
        return True
    return path[:2] == _TRUSTED and len(path) > 2 and path[2].startswith(f"{HOOKS_NAME}@{NAME}:")


def _of_others(found: object, launcher: str = "", above: Path = ()) -> object:
    """Return what others say, without tables that say nothing."""
    if not isinstance(found, dict):
        return found
    named = ((name, (*above, name), value) for name, value in found.items())
    kept = {
        name: _of_others(value, above=path)
        for name, path, value in named
        if not _is_ours(path) and not (path == (_NOTIFY,) and _names_us(value, launcher))
    }
    return {name: value for name, value in kept.items() if value != {}}


def _without_notify(text: str, launcher: str) -> str:
    if not notifies(text, launcher):
        return text
    lines = text.splitlines(keepends=True)
    at = next((at for at, line in enumerate(lines) if _key(line) == _NOTIFY), len(lines))
    return "".join(lines[:at] + lines[at + 1 :])


def _key(line: str) -> str:
    return line.partition("=")[0].strip()


def _without_tables(text: str, goes: Callable[[Path], bool]) -> str:
    """Take tables out, each with the blank line before it; comments behind one belong to the next."""
    lines = text.splitlines(keepends=True)
    heads = [at for at, line in enumerate(lines) if _header(line)]
    gone: set[int] = set()
    for begin, end in pairwise([*heads, len(lines)]):
        if goes(_header(lines[begin])):
            gone.update(
                range(begin, 1 + max(filter(lambda at: _says(lines[at]), range(begin, end))))
            )
            gone.update([begin - 1] if begin and not lines[begin - 1].strip() else [])
    return "".join(line for at, line in enumerate(lines) if at not in gone)


def _says(line: str) -> bool:
    return line.strip() != "" and not line.lstrip().startswith("#")


def _header(line: str) -> Path:
    """Return the path of the table that begins with a line; nothing if none does."""
    if not line.lstrip().startswith("["):
        return ()
    try:
        found: object = document(line)
    except ConfigError:
        return ()
    path: list[str] = []
    while isinstance(found, dict) and found:
        name, found = next(iter(found.items()))
        path.append(name)
    return tuple(path)
