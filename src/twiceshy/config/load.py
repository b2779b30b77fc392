"""Resolve the settings: defaults, then the user's file, then the project's, then the environment."""

from __future__ import annotations

import os

from twiceshy.config import files
from twiceshy.config.layers import from_document, from_environment
from twiceshy.config.quick import PROJECT_FILE, USER_FILE, in_project
from twiceshy.config.resolved import Config, Layer, Problem
from twiceshy.config.settings import SECRETS
from twiceshy.core.errors import ConfigError

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping


def load(environ: Mapping[str, str], *, cwd: str, home_dir: str, strict: bool = True) -> Config:
    """Return the settings for work in ``cwd``.

    An unreadable user file or an invalid variable is an error; with ``strict`` false, as in
    hooks, it is a problem, and the other layers hold. An unusable memory home is always an
    error, because another home would split the memory.
    """
    said = from_environment(environ, cwd=cwd, home_dir=home_dir, strict=strict)
    home = Config(home_dir, said.assigned).home
    if os.path.exists(home) and not os.path.isdir(home):
        raise ConfigError(
            f"the memory home {home} is not a folder", hint="let TWICESHY_HOME name a folder"
        )
    config = Config(home_dir, secrets=tuple(name for name in SECRETS if environ.get(name)))
    config = config.plus(_keeper(os.path.join(home_dir, files.KEEPER_USER_FILE), config))
    if path := in_project(files.KEEPER_PROJECT_FILE, cwd=cwd, home_dir=home_dir):
        config = config.plus(_keeper(path, config, project=True))
    config = config.plus(_users(os.path.join(home, USER_FILE), config, strict=strict))
    if path := in_project(PROJECT_FILE, cwd=cwd, home_dir=home_dir):
        config = config.plus(_projects(path, config))
    return config.plus(said)


def _users(path: str, below: Config, *, strict: bool) -> Layer:
    try:
        return from_document(files.read_toml(path, trusted=True), path=path, below=below)
    except ConfigError as error:
        if strict:
            raise
        return _unreadable(path, error)


def _projects(path: str, below: Config) -> Layer:
    try:
        document = files.read_toml(path, trusted=False)
    except ConfigError as error:
        return _unreadable(path, error)  # a clone cannot stop a command by its file
    return from_document(document, path=path, below=below, project=True)


def _keeper(path: str, below: Config, *, project: bool = False) -> Layer:
    """Read memory-keeper's settings file; a single key is used."""
    try:
        found = files.read_json(path, trusted=not project)
    except ConfigError as error:
        return _unreadable(path, error)
    said = {"save_interval": found["saveInterval"]} if "saveInterval" in found else {}
    return from_document({"keeper": said}, path=path, below=below, project=project)


def _unreadable(path: str, error: ConfigError) -> Layer:
    return Layer(trouble=(Problem(f"file {path}", "", str(error).removeprefix(path).strip()),))
