"""Call a tool by name: from the server, or from a process per call."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial

import click

from twiceshy import app
from twiceshy.core.call_claim import build_claim
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.jsontext import parse_object
from twiceshy.mcp.arguments import check_arguments
from twiceshy.mcp.session import McpSession, ToolReply
from twiceshy.mcp.tools import TOOLS, find_tool


def prepare_call(
    session: McpSession, name: str, given: Mapping[str, object]
) -> Callable[[], ToolReply]:
    """Return the prepared call; TwiceshyError explains a wrong name or argument."""
    tool = find_tool(name)
    if tool is None:
        names = ", ".join(tool.name for tool in TOOLS)
        raise TwiceshyError(f"there is no tool {name[:60]!r}", hint=f"there are: {names}")
    session.claim = build_claim(given)
    return partial(tool.act, session, **check_arguments(tool.arguments, given))


def call_tool_once(name: str, *, client: str, session: str) -> int:
    """Call a tool with arguments from stdin, and print its answer as JSON."""
    asking = McpSession(app.working_directory(), session_id=session)
    asking.client = client
    try:
        reply = prepare_call(asking, name, _read_arguments())()
        said, failed = "\n".join((reply.text, *reply.remarks)), False
    except TwiceshyError as error:
        said, failed = f"{error}\nhint: {error.hint}" if error.hint else str(error), True
    click.echo(json.dumps({"text": said, "isError": failed}))
    return 0


def _read_arguments() -> Mapping[str, object]:
    try:
        return parse_object(sys.stdin.read())
    except (ValueError, RecursionError) as error:
        raise TwiceshyError("the arguments are no JSON object") from error
