"""``twiceshy config``."""

import os
import sys
from collections.abc import Iterator, Sequence

import click

from twiceshy.app import is_started_by_agent, working_directory
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, print_message, print_messages, print_result
from twiceshy.config import change
from twiceshy.config.edit import format_key, format_value
from twiceshy.config.everyday import EVERYDAY
from twiceshy.config.resolved import Config, ExplainedSetting
from twiceshy.config.settings import BY_KEY, SECRETS
from twiceshy.config.shapes import escape_controls
from twiceshy.notes.person import require_person


@click.command("config")
@click.argument("words", nargs=-1, metavar="[KEY | set KEY VALUE | unset KEY]")
@click.option("--all", "everything", is_flag=True, help="List every setting, including defaults.")
@click.option("--explain", is_flag=True, help="Show the source of each value.")
@json_option
def command(*, words: tuple[str, ...], everything: bool, explain: bool, as_json: bool) -> None:
    """Show or change settings.

    Without KEY, lists the settings that differ from the defaults. `set` and `unset` edit your own
    file, config.toml in the memory home. The .twiceshy.toml of a project overrides your file, and
    variables such as TWICESHY_BRIEF_SKILL_TOKENS override both.

    Write a list as a,b,c. Each entry of a table has its own key: expiry.days.task. A VALUE of - is
    read from stdin.

    Example: twiceshy config set brief.skill_tokens 300
    """
    match words:
        case ("set", key, value):
            text = sys.stdin.read() if value == "-" else value
            if _needs_person(key, text):
                shown = "" if key.startswith("redact.") else escape_controls(text)
                require_person("setting", [f"{escape_controls(key)} = {shown}".rstrip(" =")])
            set_setting(key, text)
            return
        case ("unset", key):
            if _needs_person(key, None):
                require_person("setting", [escape_controls(key)])
            done = change.unset_setting(key, cwd=working_directory())
            state = "is no longer" if done.changed else "was not"
            print_message(f"{key} {state} set in {done.file}")
            return
        case () | (_,):
            config = change.resolve_settings(working_directory(), strict=not explain)
        case _:
            raise click.UsageError("give a KEY, or set KEY VALUE, or unset KEY")
    if explain:
        _print_explanation(config, words, as_json=as_json)
    elif words:
        _print_setting(config, words[0], as_json=as_json)
    else:
        _print_settings(config, everything=everything, as_json=as_json)
    print_messages(config.problems)


def _needs_person(key: str, text: str | None) -> bool:
    """True for an agent, and for a change that weakens protection."""
    return is_started_by_agent() or change.weakens_protection(key, text, cwd=working_directory())


def set_setting(key: str, text: str) -> None:
    """Set a key in the config file of the user, and report the change."""
    if key == "store.path":
        _refuse_foreign_store(text)
    done = change.set_setting(key, text, cwd=working_directory())
    print_message(f"{key} is set in {done.file}")
    for row in done.stronger:
        print_message(f"{row.source} overrides it: {_format_setting(row)}")


def _refuse_foreign_store(text: str) -> None:
    """Refuse a file of another program as the store."""
    from twiceshy.store.connect import build_uri
    from twiceshy.store.foreign import refuse_foreign_file

    path = os.path.normpath(os.path.join(working_directory(), os.path.expanduser(text.strip())))
    if os.path.isfile(path):
        refuse_foreign_file(path, build_uri(path, "mode=ro&immutable=1"))


def _print_settings(config: Config, *, everything: bool, as_json: bool) -> None:
    """Print settings as valid lines of config.toml."""
    rows = [row for row in config.explain_settings() if everything or row.changed]
    plain = {_name_setting(row): _get_value(row) for row in rows}
    lines = _format_by_use(rows) if everything else map(_format_setting, rows)
    print_result(plain, lines, as_json=as_json)
    print_messages([] if rows else ["every setting has its default; --all lists them"])


def _format_by_use(rows: Sequence[ExplainedSetting]) -> Iterator[str]:
    """Yield settings that people change first, with what each changes; then the advanced ones."""
    common = [row for row in rows if row.key in EVERYDAY]
    yield from (f"{_format_setting(row)}  # {EVERYDAY[row.key]}" for row in common)
    yield "\n# Advanced: for special cases"
    yield from (_format_setting(row) for row in rows if row.key not in EVERYDAY)


def _print_setting(config: Config, key: str, *, as_json: bool) -> None:
    """Print a bare value for use in scripts."""
    rows = change.explain_setting(config, key)
    asked, entry = change.find_setting(key)
    value = rows[0].value
    if asked.table and not entry:
        whole = {row.entry: row.value for row in rows if row.entry}
        lines = [f"{format_key((name,))} = {format_value(each)}" for name, each in whole.items()]
        print_result(whole, map(escape_controls, lines), as_json=as_json)
        return
    parts = value if isinstance(value, tuple) else (value,)
    lines = [part if isinstance(part, str) else format_value(part) for part in parts]
    print_result(value, map(escape_controls, lines), as_json=as_json)


def _print_explanation(config: Config, keys: tuple[str, ...], *, as_json: bool) -> None:
    """Print the source of each value, the overridden values, and the problems."""
    rows = [row for key in keys for row in change.explain_setting(config, key)]
    rows = rows or config.explain_settings()
    secrets = {name: name in config.secrets for name in SECRETS}
    if as_json:
        settings = [
            row.fields()
            | {"value": _get_value(row)}
            | {"shadowed": [{"value": s.value, "source": s.source} for s in row.shadowed]}
            for row in rows
        ]
        print_json({"settings": settings, "secrets": secrets, "problems": config.problems})
        return
    for row in rows:
        click.echo(_format_setting(row) + escape_controls(_format_source(row)))
    for name, there in secrets.items():
        click.echo(f"# {name} is {'set' if there else 'not set'}")


def _name_setting(row: ExplainedSetting) -> str:
    return format_key(change.setting_path(BY_KEY[row.key], row.entry))


def _get_value(row: ExplainedSetting) -> object:
    return {} if BY_KEY[row.key].table and not row.entry else row.value


def _format_setting(row: ExplainedSetting) -> str:
    shown = "{}" if _get_value(row) == {} else format_value(row.value)
    return escape_controls(f"{_name_setting(row)} = {shown}")


def _format_source(row: ExplainedSetting) -> str:
    behind = "".join(
        f"; over {format_value(each.value)} from {each.source}" for each in row.shadowed
    )
    return f"  # {row.source}{behind}"
