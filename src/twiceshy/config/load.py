"""Resolve the settings: defaults, then the user's file, then the project's, then the environment."""

from __future__ import annotations

import os

from twiceshy.config import files
from twiceshy.config.layers import layer_from_document, layer_from_environment
from twiceshy.config.quick import PROJECT_FILE, USER_FILE, find_project_file
from twiceshy.config.resolved import Config, SettingsLayer, SettingsProblem
from twiceshy.config.settings import SECRETS
from twiceshy.core.errors import ConfigError

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping


def load_config(
    environ: Mapping[str, str], *, cwd: str, home_dir: str, strict: bool = True
) -> Config:
    """Return the settings for work in ``cwd``.

    An unreadable user file or an invalid variable is an error; with ``strict`` false, as in
    hooks, it is a problem, and the other layers hold. An unusable memory home is always an
    error, because another home would split the memory.
    """
    said = layer_from_environment(environ, cwd=cwd, home_dir=home_dir, strict=strict)
    home = Config(home_dir, said.assigned).home
    there = home
    while there and not os.path.lexists(there):
        there = os.path.dirname(there) if os.path.dirname(there) != there else ""
    if there and not os.path.isdir(there):
        raise ConfigError(
            f"the memory home {home} cannot be written: {there} is not a folder",
            hint="let TWICESHY_HOME name a folder",
        )
    config = Config(home_dir, secrets=tuple(name for name in SECRETS if environ.get(name)))
    config = config.with_layer(
        _keeper_layer(os.path.join(home_dir, files.KEEPER_USER_FILE), config)
    )
    if path := find_project_file(files.KEEPER_PROJECT_FILE, cwd=cwd, home_dir=home_dir):
        config = config.with_layer(_keeper_layer(path, config, project=True))
    config = config.with_layer(_user_layer(os.path.join(home, USER_FILE), config, strict=strict))
    if path := find_project_file(PROJECT_FILE, cwd=cwd, home_dir=home_dir):
        config = config.with_layer(_project_layers(path, config))
    return config.with_layer(said)


def _user_layer(path: str, below: Config, *, strict: bool) -> SettingsLayer:
    try:
        return layer_from_document(files.read_toml(path, trusted=True), path=path, below=below)
    except ConfigError as error:
        if strict:
            raise
        return _unreadable_layer(path, error)


def _project_layers(path: str, below: Config) -> SettingsLayer:
    try:
        document = files.read_toml(path, trusted=False)
    except ConfigError as error:
        return _unreadable_layer(path, error)  # a clone cannot stop a command by its file
    return layer_from_document(document, path=path, below=below, project=True)


def _keeper_layer(path: str, below: Config, *, project: bool = False) -> SettingsLayer:
    """Read memory-keeper's settings file; a single key is used."""
    try:
        found = files.read_json(path, trusted=not project)
    except ConfigError as error:
        return _unreadable_layer(path, error)
    said = {"save_interval": found["saveInterval"]} if "saveInterval" in found else {}
    return layer_from_document({"keeper": said}, path=path, below=below, project=project)


def _unreadable_layer(path: str, error: ConfigError) -> SettingsLayer:
    return SettingsLayer(
        trouble=(SettingsProblem(f"file {path}", "", str(error).removeprefix(path).strip()),)
    )
