"""Our entries in Codex's config.toml, and their removal.

The client's own commands write the file, and so does its user, who trusts our hooks there.
Our tables are removed; foreign bytes stay.
"""

from __future__ import annotations

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.codex.plugin import HOOKS_NAME, PLUGINS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    Path = tuple[str, ...]

_TRUSTED = ("hooks", "state")
_NOTIFY = "notify"
_OURS = ("marketplaces", NAME), *(("plugins", f"{name}@{NAME}") for name in PLUGINS)


class CodexRegistration(Value):
    """Every entry about us in the file: removed, never inserted, by us."""

    path: str
    launcher: str

    def insert_into(self, text: str) -> str:
        """Return the text unchanged."""
        return text

    def remove_from(self, text: str, before: str) -> str:
        """Return the text without us; ConfigError if other content would change."""
        del before  # it may be one that has us in it
        from twiceshy.files import toml_edit  # noqa: PLC0415 - it loads tomlkit

        def goes(path: Path) -> bool:
            return _is_ours(path) or (path == (_NOTIFY,) and has_notify(text, self.launcher))

        then = parse_config(text)
        try:
            left = toml_edit.remove_entries(text, goes)
            if get_value(left, _TRUSTED) == {} != get_value(text, _TRUSTED):
                left = toml_edit.remove_entries(left, lambda path: path == _TRUSTED)
        except ValueError:
            left = text
        now = parse_config(left)
        others_changed = _foreign_content(now) != _foreign_content(then, self.launcher)
        if others_changed or any(map(goes, toml_edit.find_leaves(now))):
            raise ConfigError(
                "cannot find twiceshy's entries in config.toml", hint="remove them by hand"
            )
        return left

    def is_blank(self, text: str) -> bool:
        """True if blank."""
        return not text.strip()


def parse_config(text: str) -> dict[str, object]:
    """Parse the file; ConfigError if invalid TOML."""
    import tomllib  # noqa: PLC0415 - no hook reads a client's settings

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"it is not valid TOML: {error}", hint="correct it first") from error


def get_value(text: str, path: Path) -> object:
    """Return the value at a path; None if absent."""
    found: object = parse_config(text)
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def is_hook_trusted(text: str, key: str) -> bool:
    """True if the user trusts a hook and it is on; the hash is not checked."""
    state = get_value(text, (*_TRUSTED, key))
    return (
        isinstance(state, dict) and "trusted_hash" in state and state.get("enabled") is not False
    )


def has_notify(text: str, launcher: str) -> bool:
    """True if the client notifies us of finished turns, which needs no trust."""
    return _mentions_us(get_value(text, (_NOTIFY,)), launcher)


def _mentions_us(notify: object, launcher: str) -> bool:
    return isinstance(notify, list) and notify[:1] == [launcher]


def _is_ours(path: Path) -> bool:
    if path[:2] in _OURS:
        return True
    return path[:2] == _TRUSTED and len(path) > 2 and path[2].startswith(f"{HOOKS_NAME}@{NAME}:")


def _foreign_content(found: object, launcher: str = "", above: Path = ()) -> object:
    """Return foreign content, without empty tables."""
    if not isinstance(found, dict):
        return found
    named = ((name, (*above, name), value) for name, value in found.items())
    kept = {
        name: _foreign_content(value, above=path)
        for name, path, value in named
        if not _is_ours(path) and not (path == (_NOTIFY,) and _mentions_us(value, launcher))
    }
    return {name: value for name, value in kept.items() if value != {}}
