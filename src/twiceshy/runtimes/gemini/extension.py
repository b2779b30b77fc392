"""Render the extension folder, read in place by Gemini CLI.

Skills are copied, and commands converted to this client's form. There is no GEMINI.md: it
would be read into every prompt.
"""

from __future__ import annotations

import json

from twiceshy import __version__
from twiceshy.runtimes.claude_code import plugin
from twiceshy.runtimes.command_files import WORDS, build_command_pages
from twiceshy.runtimes.hook_lines import HookRow, render_json

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

RUNTIME = "gemini"
NAME = plugin.NAME
MANIFEST = "gemini-extension.json"
_SOURCE = f"plugins/{plugin.NAME}/"
# To this client any status above 1 forbids what is going on, a missing program's too, and what stands
# on stderr is an answer: a memory home that was taken away would stop every session (seen with 0.61.0).
_HARMLESS = "2>/dev/null || :"
_FILES = "read_file|write_file|replace|grep_search|search_file_content|glob|list_directory"
# The client looks for a matcher anywhere in a tool's name.
_BEFORE = f"^({_FILES}|run_shell_command|activate_skill|invoke_agent|mcp_.*)$"
_AFTER = f"^({_FILES}|run_shell_command|activate_skill|invoke_agent|web_fetch|mcp_.*)$"


HOOKS = (
    HookRow("SessionStart"),
    HookRow("BeforeAgent"),
    HookRow("BeforeTool", _BEFORE),
    HookRow("AfterTool", _AFTER),
    HookRow("AfterAgent"),
    HookRow("SessionEnd", timeout_s=10),
)


def render_extension(package: str, launcher: str, *, server: str = "") -> dict[str, bytes]:
    """Return every file by path; ``server`` starts the MCP server, if available."""
    import shlex  # noqa: PLC0415 - no hook renders anything

    files = {
        MANIFEST: render_json(_manifest_json(server)),
        "hooks/hooks.json": render_json(
            build_hooks_file(f"{shlex.quote(launcher)} {RUNTIME} {_HARMLESS}")
        ),
    }
    made = {path: text.encode() for path, text in files.items()}
    return dict(sorted((made | dict(_carried_files(package, launcher))).items()))


def build_hooks_file(command: str) -> dict[str, object]:
    """Return hooks.json with a constant command per event."""
    return {"hooks": {row.event: [_hook_group(row, command)] for row in HOOKS}}


def convert_command(text: str) -> str:
    """Return a Claude Code command in this client's form; user words have another placeholder."""
    head, _, body = text.removeprefix("---\n").partition("\n---\n")
    described = next(line for line in head.splitlines() if line.startswith("description:"))
    description = described.partition(":")[2].strip()
    if not description.startswith('"'):
        description = json.dumps(description, ensure_ascii=False)
    prompt = body.strip().replace(WORDS, "{{args}}")
    return f"description = {description}\nprompt = '''\n{prompt}\n'''\n"


def _carried_files(package: str, launcher: str) -> Iterator[tuple[str, bytes]]:
    # what it would run by itself, with its own marks, was never seen at work
    made = {page.name: page.to_markdown for page in build_command_pages(runs=False)}
    for path, content in plugin.render_plugin(package, launcher).items():
        inside = path.removeprefix(_SOURCE)
        if inside.startswith("skills/") or inside == "LICENSE":
            yield inside, content
        elif inside.startswith("commands/"):
            # the folder's name stands before the command's: /twiceshy:note
            named = inside.removeprefix("commands/").removesuffix(".md")
            text = made.get(named) or content.decode()
            yield f"commands/{NAME}/{named}.toml", convert_command(text).encode()


def _manifest_json(server: str) -> dict[str, object]:
    manifest: dict[str, object] = {
        "name": NAME,
        "version": __version__,
        "description": plugin.SUMMARY,
    }
    return manifest | ({"mcpServers": {NAME: {"command": server}}} if server else {})


def _hook_group(row: HookRow, command: str) -> dict[str, object]:
    # the client counts in milliseconds
    timeout = 1_000 * row.timeout_s
    hook = {"name": NAME, "type": "command", "command": command, "timeout": timeout}
    return ({"matcher": row.matcher} if row.matcher else {}) | {"hooks": [hook]}
