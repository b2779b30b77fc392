"""``twiceshy mcp``."""

import sys
from importlib import metadata

import click

from twiceshy.core.errors import ConfigError
from twiceshy.files.installed_package import command_for_extra

_EXTRA = "mcp"
_MAJOR = "1"


@click.command("mcp")
@click.option("--call", "tool", hidden=True, help="Call one tool; its arguments are on stdin.")
@click.option("--client", default="", hidden=True, help="Which client calls it.")
@click.option("--session", default="", hidden=True, help="In which of its sessions.")
def command(*, tool: str | None, client: str, session: str) -> int:
    """Serve notes to any client that speaks MCP, over stdin and stdout.

    A client starts this by itself once it knows of it. To tell Claude Code, Codex or Gemini CLI by hand:

    \b
      claude mcp add twiceshy -- twiceshy mcp
      codex mcp add twiceshy -- twiceshy mcp
      gemini mcp add twiceshy twiceshy mcp

    Others take this entry in their settings, most under the name mcpServers:

    \b
      {"mcpServers": {"twiceshy": {"command": "twiceshy", "args": ["mcp"]}}}

    It needs the MCP SDK; if that is missing, the error names the command that adds it.

    Example: twiceshy mcp
    """
    if tool is not None:
        from twiceshy.mcp.tools import call_tool_once  # noqa: PLC0415 - the help does without

        return call_tool_once(tool, client=client, session=session)
    _require_sdk()
    if sys.stdin.isatty():
        click.echo("waiting for an MCP client on stdin; see: twiceshy mcp --help", err=True)
    from twiceshy.mcp.server import serve_stdio  # noqa: PLC0415 - takes half a second, and may be missing

    return serve_stdio()


def _require_sdk() -> None:
    try:
        found = metadata.version("mcp")
    except metadata.PackageNotFoundError:
        raise ConfigError("the MCP SDK is not installed", hint=command_for_extra(_EXTRA)) from None
    if found.partition(".")[0] != _MAJOR:
        raise ConfigError(
            f"version {found} of the MCP SDK is not one that we speak",
            hint=command_for_extra(_EXTRA),
        )
