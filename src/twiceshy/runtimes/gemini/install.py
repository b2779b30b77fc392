"""Install for Gemini CLI: the extension folder, linked by its own command and read in place.

Skills are copied, and commands converted to this client's form. There is no GEMINI.md: it
would be read into every prompt.
"""

import json
import os
from collections.abc import Iterator

from twiceshy import __version__
from twiceshy.core.errors import ConfigError
from twiceshy.files.json_edit import get_value
from twiceshy.runtimes.claude_code import plugin
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.command_table import WORDS, build_command_pages
from twiceshy.runtimes.edits import load_client_file
from twiceshy.runtimes.hook_lines import HookRow, render_json
from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest

RUNTIME = "gemini"
TITLE = "Gemini CLI"
LEVEL = "automatic"
# With --consent the client also trusts the directory it is called in, for good (seen with 0.61.0),
# unless it is told that this once it may take it for trusted.
_AS_IF_TRUSTED = ("env", "GEMINI_CLI_TRUST_WORKSPACE=true")
_LINK = ".gemini-extension-install.json"
_SWITCHES = "extension-enablement.json"
# Where the client keeps sums of extensions. The key that it signs them with, and the id that it gives
# itself meanwhile, are its own and stay: other extensions need them.
_SUMS = "extension_integrity.json"
MANIFEST = "gemini-extension.json"
_SOURCE = f"plugins/{NAME}/"
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


def find_config_folder(here: InstallPlace) -> str:
    """Return the client's configuration folder; its variable names the parent."""
    return os.path.join(here.client_folder("GEMINI_CLI_HOME"), ".gemini")


def is_installed(here: InstallPlace) -> bool:
    """True if the client's program is on this machine."""
    return here.has_program(RUNTIME)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect."""
    folder = here.runtime_folder(RUNTIME)
    own = os.path.join(_extensions_folder(here), NAME)
    rendered = render_extension(here.package, here.launcher_path, server=here.server_command)
    there = os.path.isdir(own)
    link = _client_command(here, "link", folder, "--consent")
    unlink = _client_command(here, "uninstall", NAME)
    linked = there and _linked_folder(own) == folder
    return InstallRequest(
        RUNTIME,
        here.build_files(RUNTIME, rendered),
        commands=() if linked else (unlink, link) if there else (link,),
        undo=(unlink,) if there else (),
        touches=(
            os.path.join(_extensions_folder(here), _SWITCHES),
            os.path.join(find_config_folder(here), _SUMS),
        ),
        leftovers=(own,),
        remarks=here.remarks,
    )


def _client_command(here: InstallPlace, *words: str) -> tuple[str, ...]:
    """Return a client command, or the name of the missing program."""
    command = (RUNTIME, "extensions", *words)
    return (*_AS_IF_TRUSTED, *command) if here.has_program(RUNTIME) else command


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    own = os.path.join(_extensions_folder(here), NAME)
    if _linked_folder(own) != here.runtime_folder(RUNTIME):
        return f"the extension is not linked; see {own}"
    switches = os.path.join(_extensions_folder(here), _SWITCHES)
    rules = _read_value(switches, NAME, "overrides")
    if isinstance(rules, list) and any(str(rule).startswith("!") for rule in rules):
        return f"the extension is switched off, at least in some folders; see {switches}"
    settings = os.path.join(find_config_folder(here), "settings.json")
    if _read_value(settings, "hooksConfig", "enabled") is False:
        return f"hooksConfig.enabled is false: it runs no hooks at all; see {settings}"
    disabled = _read_value(settings, "hooksConfig", "disabled")
    if isinstance(disabled, list) and NAME in disabled:
        return f"our hooks are switched off; see {settings}"
    return ""


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill."""
    return {
        "session_id": "twiceshy-doctor",
        "transcript_path": os.path.join(folder, "chat.jsonl"),
        "cwd": folder,
        "hook_event_name": "AfterTool",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "tool_name": "activate_skill",
        "tool_input": {"name": skill},
        "tool_response": {"llmContent": "", "returnDisplay": ""},
    }


def _extensions_folder(here: InstallPlace) -> str:
    return os.path.join(find_config_folder(here), "extensions")


def _linked_folder(own: str) -> object:
    """Return the linked folder of our extension, if linked."""
    link = os.path.join(own, _LINK)
    return _read_value(link, "source") if _read_value(link, "type") == "link" else None


def _read_value(path: str, *names: str) -> object:
    """Return a value of a client file; None if absent or not plain JSON."""
    try:
        return get_value(load_client_file(path), names)
    except ConfigError:
        return None


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
    made = {page.name: page.to_markdown() for page in build_command_pages(runs=False)}
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
