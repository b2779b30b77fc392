"""Compile the settings of hooks into a small file that hooks read instead of every source."""

from __future__ import annotations

import os
import time

from twiceshy.config import files
from twiceshy.config.project_bounds import APART, PROJECT_BOUNDS
from twiceshy.config.quick import (
    DEFAULTS,
    PROJECT,
    VERSION,
    SettingsSources,
    find_project_file,
    stamp_source,
)
from twiceshy.config.settings import BY_KEY
from twiceshy.core.jsontext import write_json
from twiceshy.core.prefilter_words import FOLDER
from twiceshy.files.replace import remove_file, replace_file

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.config.resolved import Config

_PLACES = ("store.path", "logs.run")
_SETTLED_NS = 2_000_000_000  # a file that was written just now may change again in the same tick
_MOST_FILES = 200  # of one home; each project with a file of its own has one


def compile_settings(
    config: Config, environ: Mapping[str, str], *, cwd: str, home_dir: str
) -> None:
    """Write the settings of hooks that somebody set, with the stamps of their sources.

    An unwritable home costs time, never an answer.
    """
    sources = SettingsSources(environ, cwd=cwd, home_dir=home_dir)
    keeper = find_project_file(files.KEEPER_PROJECT_FILE, cwd=cwd, home_dir=home_dir)
    paths = [sources.user, os.path.join(home_dir, files.KEEPER_USER_FILE), sources.project, keeper]
    stamps = {path: stamp_source(path) for path in paths if path}
    newest = max((max(stamp[1:3]) for stamp in stamps.values() if stamp), default=0)
    if not os.path.isdir(sources.home) or newest > time.time_ns() - _SETTLED_NS:
        return
    if "TWICESHY_REDACT_EXTRA" in environ:
        return  # somebody keeps these secrets out of files
    # defaults are not compiled: an upgrade may bring others
    said = {each.key for each in config.assigned}.intersection((*DEFAULTS, *_PLACES))
    values = {key: config.value(BY_KEY[key]) for key in sorted(said)}
    values |= {key: config.items(key) for key in said.intersection(PROJECT_BOUNDS)}
    values |= {PROJECT + key: config.project_items(key) for key in said.intersection(APART)}
    content = write_json({"version": VERSION, "stamps": stamps, "values": values}).encode()
    folder = os.path.dirname(sources.compiled)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _make_room(folder)
        replace_file(sources.compiled, content)
        drop_prefilters(sources.home)  # the guards may have changed
    except OSError:
        return


def drop_prefilters(home: str) -> None:
    """Delete the prefilter files: sessions that run shall obey what changed from the next call on."""
    folder = os.path.join(home, FOLDER)
    try:
        for name in os.listdir(folder):
            remove_file(os.path.join(folder, name))
    except OSError:
        return


def _make_room(folder: str) -> None:
    """Delete compiled settings when there are too many: each is made again on demand."""
    names = os.listdir(folder)
    for name in names if len(names) >= _MOST_FILES else ():
        remove_file(os.path.join(folder, name))
