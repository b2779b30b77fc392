"""``twiceshy config``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import working_directory
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, say
from twiceshy.config.edit import dotted, literal, rewrite, with_value, without
from twiceshy.config.layers import spelled
from twiceshy.config.load import load
from twiceshy.config.quick import USER_FILE
from twiceshy.config.settings import BY_KEY, SECRETS, SETTINGS, Setting, nearest
from twiceshy.config.shapes import Place, printable
from twiceshy.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.config.resolved import Config, Explained
    from twiceshy.config.shapes import Plain


@click.command("config")
@click.argument("words", nargs=-1, metavar="[KEY | set KEY VALUE | unset KEY]")
@click.option("--all", "everything", is_flag=True, help="List every setting, defaults too.")
@click.option("--explain", is_flag=True, help="Tell where each value comes from.")
@json_option
def command(*, words: tuple[str, ...], everything: bool, explain: bool, as_json: bool) -> None:
    """Show or change settings.

    Without KEY, lists what differs from the defaults. `set` and `unset` edit your own file,
    config.toml in the memory home. A project's .twiceshy.toml is stronger than your file, and
    variables such as TWICESHY_BRIEF_SKILL_TOKENS are stronger than both.

    A list is written a,b,c. One entry of a table has a key of its own: expiry.days.task.
    A VALUE of - is read from stdin.

    Example: twiceshy config set brief.skill_tokens 300
    """
    match words:
        case ("set", key, value):
            set_setting(key, sys.stdin.read() if value == "-" else value)
        case ("unset", key):
            _unset(key)
        case () | (_,) if explain:
            _explain(_config(strict=False), words, as_json=as_json)
        case ():
            _list(_config(strict=True), everything=everything, as_json=as_json)
        case (key,):
            _show(_config(strict=True), key, as_json=as_json)
        case _:
            raise click.UsageError("give a KEY, or set KEY VALUE, or unset KEY")


def _list(config: Config, *, everything: bool, as_json: bool) -> None:
    """Print settings as lines that could stand in the file."""
    rows = [row for row in config.explain() if everything or row.changed]
    if as_json:
        print_json({_name(row): _value(row) for row in rows})
    else:
        _print(map(_line, rows))
    if not rows:
        say("every setting has its default; --all lists them")
    _complain(config)


def _show(config: Config, key: str, *, as_json: bool) -> None:
    """Print one value bare, so that a script can use it."""
    asked, entry = _found(key)
    rows = _rows(config, asked, entry)
    whole = {row.entry: row.value for row in rows if row.entry}
    value = rows[0].value
    if as_json:
        print_json(whole if asked.table and not entry else value)
    elif asked.table and not entry:
        _print(f"{dotted((name,))} = {literal(each)}" for name, each in whole.items())
    else:
        parts = value if isinstance(value, tuple) else (value,)
        _print(part if isinstance(part, str) else literal(part) for part in parts)
    _complain(config)


def _explain(config: Config, keys: tuple[str, ...], *, as_json: bool) -> None:
    """Print where each value comes from, what stands behind it, and what is not followed."""
    rows = [row for key in keys for row in _rows(config, *_found(key))] or config.explain()
    secrets = {name: name in config.secrets for name in SECRETS}
    if as_json:
        settings = [
            row.fields()
            | {"value": _value(row)}
            | {"shadowed": [{"value": s.value, "source": s.source} for s in row.shadowed]}
            for row in rows
        ]
        print_json({"settings": settings, "secrets": secrets, "problems": config.problems})
    else:
        _print(_line(row) + _reason(row) for row in rows)
        _print(f"# {name} is {'set' if there else 'not set'}" for name, there in secrets.items())
    _complain(config)


def set_setting(key: str, text: str) -> None:
    """Set a key in the user's file, and say so."""
    asked, entry = _found(key)
    if not asked.file:
        raise ConfigError(f"{key} cannot be set in a file", hint=f"set {asked.variables[0]}")
    wanted = _wanted(asked, entry, text)

    def change(before: str) -> str:
        after = without(before, _path(asked)) if asked.table and not entry else before
        for name, value in wanted.items():
            after = with_value(after, _path(asked, name), value)
        return after

    home = _config(strict=False).home
    rewrite(home, change)
    file = os.path.join(home, USER_FILE)
    say(f"{key} is set in {file}")
    for row in _rows(_config(strict=False), asked, entry):
        if any(each.source == f"file {file}" for each in row.shadowed):
            say(f"{row.source} is stronger: {_line(row)}")


def _unset(key: str) -> None:
    """Take a key out of the file; also one that is no setting, such as a misspelt one."""
    try:
        path = _path(*_found(key))
    except ConfigError:
        path = tuple(key.split("."))
    home = _config(strict=False).home
    changed = rewrite(home, lambda before: without(before, path))
    verb = "is no longer" if changed else "was not"
    say(f"{key} {verb} set in {os.path.join(home, USER_FILE)}")


def _config(*, strict: bool) -> Config:
    home_dir = os.path.expanduser("~")
    return load(os.environ, cwd=working_directory(), home_dir=home_dir, strict=strict)


def _found(key: str) -> tuple[Setting, str]:
    """Return the setting, and the entry where the key goes on into a table."""
    if key in BY_KEY:
        return BY_KEY[key], ""
    for asked in SETTINGS:
        if asked.table and key.startswith(f"{asked.key}."):
            return asked, key.removeprefix(f"{asked.key}.").strip('"')
    guess = nearest(key)
    hint = f"did you mean {guess}?" if guess else "twiceshy config --all lists them"
    raise ConfigError(f"no setting is called {printable(key)}", hint=hint)


def _rows(config: Config, asked: Setting, entry: str) -> list[Explained]:
    rows = [row for row in config.explain() if row.key == asked.key]
    if not entry:
        return rows
    if found := [row for row in rows if row.entry == entry]:
        return found
    raise ConfigError(
        f"{asked.key} has no entry {printable(entry)}",
        hint=f"twiceshy config {asked.key} lists them",
    )


def _wanted(asked: Setting, entry: str, text: str) -> dict[str, Plain]:
    """Return what shall be written, by entry; a path so that it holds in any folder."""
    values = {entry: asked.shape.parse(text)} if entry else dict(spelled(asked, text))
    fits = {name: value for name, value in values.items() if value is not None}
    strange = [name for name in values if asked.names and name not in asked.names]
    if len(fits) < len(values) or strange or not entry.isprintable():
        raise ConfigError(f"{asked.key} must be {asked.allowed()}", hint=asked.help)
    for name, value in fits.items():
        if isinstance(asked.shape, Place) and isinstance(value, str) and value[0] != "~":
            fits[name] = asked.shape.expand(value, base=working_directory(), home_dir="")
    return fits


def _path(asked: Setting, entry: str = "") -> tuple[str, ...]:
    return (*asked.key.split("."), entry) if entry else tuple(asked.key.split("."))


def _name(row: Explained) -> str:
    return dotted(_path(BY_KEY[row.key], row.entry))


def _value(row: Explained) -> object:
    return {} if BY_KEY[row.key].table and not row.entry else row.value


def _line(row: Explained) -> str:
    return f"{_name(row)} = {'{}' if _value(row) == {} else literal(row.value)}"


def _reason(row: Explained) -> str:
    behind = "".join(f"; over {literal(each.value)} from {each.source}" for each in row.shadowed)
    return f"  # {row.source}{behind}"


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(printable(line))


def _complain(config: Config) -> None:
    for problem in config.problems:
        say(problem)
