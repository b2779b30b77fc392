"""Regenerate the reference pages from the code they describe, or check that they are current.

A page says in a cog block which of the functions below it is made of; the README may do the same.
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tools.tables import PURPOSE

from twiceshy.cli import cli
from twiceshy.config.everyday import EVERYDAY
from twiceshy.config.settings import BY_KEY, SETTINGS, Setting
from twiceshy.runtimes.claude_code.plugin import HOOKS
from twiceshy.store.connect import COMMAND_PATIENCE
from twiceshy.store.migrate import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.config.shapes import Plain

ROOT = Path(__file__).resolve().parents[1]
MARKER = "[[[cog"
STALE = 5  # cog's exit code for a page that would change

# The pages must not depend on who makes them: same width, no colours, nobody's home or settings.
SETTLED = {
    "COLUMNS": "88",
    "HOME": "~",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONPATH": str(ROOT),
    "TERM": "dumb",
    "TZ": "UTC",
}
KEPT = ("PATH", "SYSTEMROOT", "TMPDIR", "VIRTUAL_ENV")

SETTINGS_HEADING = (
    "| setting | default | must be | what it is | a project may set it |\n|---|---|---|---|---|"
)
WIDEST_DEFAULT = 50  # what is longer goes below the table


def commands() -> str:
    """Render what ``--help`` says of every verb, and of every verb below it."""
    top = cli.make_context("twiceshy", [], resilient_parsing=True, terminal_width=88)
    return "\n".join(help_of(top, level=2))


def help_of(context: click.Context, *, level: int) -> Iterator[str]:
    """Yield the help of a command under a heading, then that of its own commands, one level down."""
    yield f"{'#' * level} {context.command_path}\n\n```text\n{context.get_help()}\n```\n"
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            if command is None:
                raise LookupError(f"{context.command_path} lists {name!r} and does not have it")
            inner = click.Context(command, context, name, **command.context_settings)
            yield from help_of(inner, level=level + 1)


def everyday_settings() -> str:
    """Render the settings that people change, by what changes for them."""
    rows = ["| setting | default | what changes for you |", "|---|---|---|"]
    for key, effect in EVERYDAY.items():
        default = beginning(BY_KEY[key])
        shown = (
            f"`{default}`" if len(default) <= WIDEST_DEFAULT and "\n" not in default else "a list"
        )
        rows.append(
            f"| [`{key}`](#{key.partition('.')[0]}) | {shown if default else 'none'} | {effect} |"
        )
    return "\n".join(rows)


def settings() -> str:
    """Render the table of settings, section by section."""
    sections: dict[str, list[Setting]] = {}
    for setting in SETTINGS:
        section = setting.key.partition(".")[0] if "." in setting.key else "general"
        sections.setdefault(section, []).append(setting)
    parts = []
    for section, members in sections.items():
        parts += [f"### {section}", "", SETTINGS_HEADING, *map(setting_row, members), ""]
        for setting in members:
            if len(default := beginning(setting)) > WIDEST_DEFAULT:
                parts += [f"`{setting.key}` begins as:", "", "```text", default, "```", ""]
    return "\n".join(parts)


def setting_row(setting: Setting) -> str:
    """Render one setting as a row of the table."""
    default = beginning(setting)
    fits = len(default) <= WIDEST_DEFAULT
    older = ", ".join(f"`{name}`" for name in setting.seeds)
    said = [setting.help.replace("<", "&lt;")]
    if older:
        said.append(f"Also: {older}.")
    if not setting.file:
        said.append("Only from the environment.")
    cells = [
        f"`{setting.key}`",
        (f"`{default}`" if fits else "below") if default else "none",
        setting.allowed(),
        " ".join(said),
        {"no": "no", "stricter": "only more strictly", "yes": "yes"}[setting.project],
    ]
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def beginning(setting: Setting) -> str:
    """Spell what a setting begins as: a list on one line, a table with one line for each entry."""
    entries = [f"{name}: {spelled(value)}" for name, value in setting.entries]
    return "\n".join(entries) or spelled(setting.default)


def spelled(value: Plain) -> str:
    """Spell a value without quotes and brackets."""
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(value)
        case _:
            return str(value)


ANSWERS = {
    "SessionStart": "shows the project's rules, up to five other notes, and the end of the last session here; after a compaction also the notes of the skills in use; shows nothing when a session is resumed or forked",
    "UserPromptSubmit": "stores the topic of the session; shows notes and lessons about a call, file or error that the prompt names; every 20th prompt starts learning",
    "UserPromptExpansion": "a skill that you invoke with a slash: shows its notes",
    "PreToolUse": "a call that people or agents noted something about: shows the note, once in a conversation; an approved rule for the call asks or denies; a lesson [stops](stops.md) a call that is nearly certain to fail",
    "PostToolUse": "a skill that the agent invokes: shows its notes inside the tool result; a SKILL.md that is only read: the five best notes; a failure behind a success: as below",
    "PostToolUseFailure": "stores the error, redacted, with the command and the skill in use; for a repeated mistake shows the known fix, again after ten minutes at the earliest",
    "PreCompact": "starts learning; if the session used skills, asks the summariser in two lines for lessons about them",
    "PostCompact": "stores the summary for the next session of the project; starts learning",
    "SubagentStart": "shows the project's rules to the sub-agent",
    "SubagentStop": "nothing: the work of sub-agents is learned with their session",
    "Stop": "starts learning",
    "SessionEnd": "starts learning, and closes the session",
}


def hooks() -> str:
    """Render which events of Claude Code start the hook, and what it does then."""
    rows = ["| event | for | what happens |", "|---|---|---|"]
    for row in HOOKS:
        tools = row.matcher.replace("|", ", ") or "all"
        rows.append(f"| `{row.event}` | {tools} | {ANSWERS[row.event]} |")
    return "\n".join(rows)


def tables() -> str:
    """Render every table of a fresh store, as SQLite itself describes it."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db, ":memory:", COMMAND_PATIENCE, now=0)
    kinds = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
    names = [name for (name,) in db.execute(kinds) if not name.startswith("sqlite_")]
    parts = []
    for name in sorted(names, key=list(PURPOSE).index):  # a table without a purpose is an error
        made = db.execute(
            "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql <> '' ORDER BY rowid", [name]
        )
        statements = [re.sub(r"\n {8}", "\n", sql) + ";" for (sql,) in made]
        purpose = PURPOSE[name][0].upper() + PURPOSE[name][1:] + "."
        parts += [f"## {name}", "", purpose, "", "```sql", *statements, "```", ""]
    db.close()
    return "\n".join(parts)


def generated_pages() -> list[Path]:
    """Return the README and the pages under docs that hold a cog block."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    made = [page for page in pages if MARKER in page.read_text(encoding="utf-8")]
    return [page.relative_to(ROOT) for page in made]


def cog(pages: list[Path], *, check: bool) -> int:
    """Run cog over the pages in an environment that is the same everywhere."""
    mode = ["--check", "--diff"] if check else ["-r"]
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "cogapp", "-U", "-n", "utf-8", "--verbosity=1", *mode, *pages],
        cwd=ROOT,
        env=kept | SETTLED,
        check=False,
    ).returncode


def main() -> int:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail if a page is stale"
    )
    parser.add_argument("pages", nargs="*", type=Path, help="only these (default: all of them)")
    asked = parser.parse_args()

    pages = [page.resolve() for page in asked.pages] or generated_pages()
    code = cog(pages, check=asked.check) if pages else 0

    if code == STALE:
        print("a page is out of date; run: make docs", file=sys.stderr)
    return 1 if code else 0


if __name__ == "__main__":
    raise SystemExit(main())
