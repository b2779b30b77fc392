"""Change a setting in the user's file, and report stronger layers."""

from __future__ import annotations

import os

from twiceshy.config.compiled import drop_prefilters
from twiceshy.config.edit import remove_value, rewrite_config, set_value
from twiceshy.config.layers import parse_spelled
from twiceshy.config.load import load_config
from twiceshy.config.quick import USER_FILE
from twiceshy.config.settings import BY_KEY, PROTECTING, SETTINGS, suggest_key
from twiceshy.config.shapes import PathShape, escape_controls, tighten_value
from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.config.resolved import Config, ExplainedSetting
    from twiceshy.config.settings import Setting
    from twiceshy.config.shapes import Plain


class SettingChange(Value):
    """A set or unset key: whether the file changed, and stronger rows."""

    key: str
    file: str
    changed: bool
    stronger: tuple[ExplainedSetting, ...] = ()


def resolve_settings(cwd: str, *, strict: bool) -> Config:
    """Resolve the settings for a folder."""
    return load_config(os.environ, cwd=cwd, home_dir=os.path.expanduser("~"), strict=strict)


def find_setting(key: str) -> tuple[Setting, str]:
    """Return the setting, and the table entry of the key."""
    if key in BY_KEY:
        return BY_KEY[key], ""
    for asked in SETTINGS:
        if asked.table and key.startswith(f"{asked.key}."):
            return asked, key.removeprefix(f"{asked.key}.").strip('"')
    guess = suggest_key(key)
    hint = f"did you mean {guess}?" if guess else "twiceshy config --all lists them"
    raise ConfigError(f"no setting is called {escape_controls(key)}", hint=hint)


def explain_setting(config: Config, key: str) -> list[ExplainedSetting]:
    """Return the sources of a setting; a table entry by entry."""
    asked, entry = find_setting(key)
    rows = [row for row in config.explain_settings() if row.key == asked.key]
    if not entry:
        return rows
    if found := [row for row in rows if row.entry == entry]:
        return found
    raise ConfigError(
        f"{asked.key} has no entry {escape_controls(entry)}",
        hint=f"twiceshy config {asked.key} lists them",
    )


def set_setting(key: str, text: str, *, cwd: str) -> SettingChange:
    """Set a key in the user's file."""
    asked, entry = find_setting(key)
    if not asked.file:
        raise ConfigError(f"{key} cannot be set in a file", hint=f"set {asked.variables[0]}")
    wanted = _values_to_write(asked, entry, text, cwd)

    def change(before: str) -> str:
        after = remove_value(before, setting_path(asked)) if asked.table and not entry else before
        for name, value in wanted.items():
            after = set_value(after, setting_path(asked, name), value)
        return after

    home = resolve_settings(cwd, strict=False).home
    changed = rewrite_config(home, change)
    drop_prefilters(home)
    file = os.path.join(home, USER_FILE)
    stronger = tuple(
        row
        for row in explain_setting(resolve_settings(cwd, strict=False), key)
        if any(each.source == f"file {file}" for each in row.shadowed)
    )
    return SettingChange(key, file, changed, stronger)


def weakens_protection(key: str, text: str | None, *, cwd: str) -> bool:
    """True if setting a key, or unsetting it (None), may protect the user less than before."""
    try:
        asked, entry = find_setting(key)
    except ConfigError:
        return key.startswith(PROTECTING)
    if not asked.key.startswith(PROTECTING):
        return False
    rows = explain_setting(resolve_settings(cwd, strict=False), asked.key)
    if text is None or asked.table or entry or not rows:
        return True
    wanted = asked.shape.parse(text)
    if wanted is None or wanted == rows[0].value:
        return False  # it is refused, or changes nothing
    if asked.project != "stricter":
        return True
    return tighten_value(asked.shape, rows[0].value, wanted) != wanted


def unset_setting(key: str, *, cwd: str) -> SettingChange:
    """Remove a key from the user's file, even an unknown or misspelt key."""
    try:
        path = setting_path(*find_setting(key))
    except ConfigError:
        path = tuple(key.split("."))
    home = resolve_settings(cwd, strict=False).home
    changed = rewrite_config(home, lambda before: remove_value(before, path))
    drop_prefilters(home)
    return SettingChange(key, os.path.join(home, USER_FILE), changed)


def setting_path(asked: Setting, entry: str = "") -> tuple[str, ...]:
    """Return the path of a setting in a file."""
    return (*asked.key.split("."), entry) if entry else tuple(asked.key.split("."))


def _values_to_write(asked: Setting, entry: str, text: str, cwd: str) -> dict[str, Plain]:
    """Return the values to write, by entry; paths are made absolute."""
    values = {entry: asked.shape.parse(text)} if entry else dict(parse_spelled(asked, text))
    fits = {name: value for name, value in values.items() if value is not None}
    strange = [name for name in values if asked.names and name not in asked.names]
    if len(fits) < len(values) or strange or not entry.isprintable():
        raise ConfigError(f"{asked.key} must be {asked.allowed()}", hint=asked.help)
    for name, value in fits.items():
        if isinstance(asked.shape, PathShape) and isinstance(value, str) and value[0] != "~":
            fits[name] = asked.shape.expand_path(value, base=cwd, home_dir="")
    return fits
