"""Speak the MCP protocol; the only module with the SDK."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import anyio
from anyio import to_thread
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import McpError

from twiceshy import __version__, app
from twiceshy.core.errors import TwiceshyError
from twiceshy.mcp import hook, prompts, resources
from twiceshy.mcp.arguments import build_schema
from twiceshy.mcp.session import McpSession, ToolReply
from twiceshy.mcp.stdio import RequestCounter, StdinLines, exit_now, exit_on_signal, take_streams
from twiceshy.mcp.tools import INSTRUCTIONS, TOOLS, McpTool, prepare_call

T = TypeVar("T")

_NAME = "twiceshy"
_MARKDOWN = "text/markdown"
_ROOTS_S = 2  # a client that says it has roots and does not tell them is not waited for
_MOST_EVENTS = 4  # answered at once; agents make calls in parallel
_NOT_FOUND = -32002  # resource not found, as the protocol numbers it


class McpConversation:
    """Serves a client: one request at a time reaches the store, in a thread."""

    def __init__(self, session: McpSession) -> None:
        self.session = session
        self.busy = RequestCounter()
        self.server: Server[Any, Any] = Server(_NAME, __version__, INSTRUCTIONS)
        self._turn = anyio.CapacityLimiter(1)
        self._events = anyio.CapacityLimiter(_MOST_EVENTS)
        self._asking = anyio.Lock()
        self._asked = False
        self._register_handlers()

    async def run(self) -> None:
        """Answer until the client leaves."""
        told, said = take_streams()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(exit_on_signal, self.busy)
            async with stdio_server(StdinLines(told, self.busy), said) as (read, write):  # type: ignore[arg-type]  # it only reads lines
                options = self.server.create_initialization_options()
                await self.server.run(read, write, options)
            tasks.cancel_scope.cancel()
        if self.busy:
            exit_now()

    def _register_handlers(self) -> None:
        answers: dict[type, Callable[..., Awaitable[types.ServerResult]]] = {
            types.ListToolsRequest: _list_tools,
            types.CallToolRequest: self._call_tool,
            types.ListResourcesRequest: self._list_resources,
            types.ListResourceTemplatesRequest: _list_templates,
            types.ReadResourceRequest: self._read_resource,
            types.ListPromptsRequest: _list_prompts,
            types.GetPromptRequest: self._get_prompt,
        }
        self.server.request_handlers |= answers
        self.server.notification_handlers[types.RootsListChangedNotification] = (
            self._on_roots_changed
        )

    async def _call_tool(self, request: types.CallToolRequest) -> types.ServerResult:
        name, given = request.params.name, request.params.arguments or {}
        if name == hook.NAME:
            return await self._answer_hook(given)
        try:
            return _build_result(
                await self._run_in_thread(prepare_call(self.session, name, given))
            )
        except TwiceshyError as error:
            return _build_failure(str(error), error.hint)
        except Exception as error:  # noqa: BLE001 - one request must not end the server
            hook.log_error("", b"", error)
            return _build_failure(
                f"unexpected {type(error).__name__}; this is a bug", "run: twiceshy doctor"
            )

    async def _answer_hook(self, given: dict[str, object]) -> types.ServerResult:
        """Answer an event within a hook's time; a late answer still keeps its record."""
        said, limit = "", hook.answer_limit(given)
        with self.busy, anyio.move_on_after(limit) as waiting:
            act = partial(hook.answer_hook_event, given)
            said = await to_thread.run_sync(act, limiter=self._events, abandon_on_cancel=True)
        if waiting.cancelled_caught:
            said = await to_thread.run_sync(hook.end_late, given, limit)
        return types.ServerResult(
            types.CallToolResult(content=[_text_content(said)] if said else [])
        )

    async def _list_resources(self, _: types.ListResourcesRequest) -> types.ServerResult:
        found = await self._run_guarded(
            partial(resources.list_resources, self.session), types.INTERNAL_ERROR
        )
        fields = [
            {
                "uri": each.uri,
                "name": _replace_surrogates(each.name),
                "description": _replace_surrogates(each.about),
            }
            for each in found
        ]
        listed = [types.Resource.model_validate(each | {"mimeType": _MARKDOWN}) for each in fields]
        return types.ServerResult(types.ListResourcesResult(resources=listed))

    async def _read_resource(self, request: types.ReadResourceRequest) -> types.ServerResult:
        uri = request.params.uri
        text = await self._run_guarded(
            partial(resources.read_resource, self.session, str(uri)), _NOT_FOUND
        )
        page = types.TextResourceContents(
            uri=uri, text=_replace_surrogates(text), mimeType=_MARKDOWN
        )
        return types.ServerResult(types.ReadResourceResult(contents=[page]))

    async def _get_prompt(self, request: types.GetPromptRequest) -> types.ServerResult:
        name, given = request.params.name, request.params.arguments or {}
        act = partial(prompts.render_prompt, self.session, name, given)
        text = await self._run_guarded(act, types.INVALID_PARAMS)
        said = types.PromptMessage(role="user", content=_text_content(text))
        return types.ServerResult(types.GetPromptResult(messages=[said]))

    async def _run_guarded(self, act: Callable[[], T], code: int) -> T:
        """Run a non-tool request; errors become protocol errors."""
        try:
            return await self._run_in_thread(act)
        except TwiceshyError as error:
            said = f"{error}; {error.hint}" if error.hint else str(error)
            raise McpError(
                types.ErrorData(code=code, message=_replace_surrogates(said))
            ) from error

    async def _run_in_thread(self, act: Callable[[], T]) -> T:
        with self.busy:
            await self._identify_client()
            return await to_thread.run_sync(act, limiter=self._turn, abandon_on_cancel=True)

    async def _identify_client(self) -> None:
        """Identify client and folder, once."""
        async with self._asking:
            if self._asked:
                return
            self._asked = True
            client = self.server.request_context.session
            if client.client_params:
                self.session.client = client.client_params.clientInfo.name
            roots = types.ClientCapabilities(roots=types.RootsCapability())
            if client.check_client_capability(roots):
                with anyio.move_on_after(_ROOTS_S):
                    try:
                        found = await client.list_roots()
                    except (McpError, ValueError):
                        return  # then we are where we were started
                    self.session.enter_folder(str(root.uri) for root in found.roots)

    async def _on_roots_changed(self, _: types.RootsListChangedNotification) -> None:
        self._asked = False


def serve_stdio() -> int:
    """Serve a client over stdio until it leaves; return the exit code."""
    logging.disable()  # what libraries log may quote what a session said
    session = McpSession(app.working_directory(), session_id=f"mcp-{secrets.token_hex(8)}")

    async def converse() -> None:
        await McpConversation(session).run()

    anyio.run(converse)
    return 0


async def _list_tools(_: types.ListToolsRequest) -> types.ServerResult:
    return types.ServerResult(
        types.ListToolsResult(tools=[_describe_tool(tool) for tool in TOOLS])
    )


async def _list_templates(_: types.ListResourceTemplatesRequest) -> types.ServerResult:
    templates = [
        types.ResourceTemplate(uriTemplate=uri, name=name, description=about, mimeType=_MARKDOWN)
        for uri, (name, about) in resources.TEMPLATES.items()
    ]
    return types.ServerResult(types.ListResourceTemplatesResult(resourceTemplates=templates))


async def _list_prompts(_: types.ListPromptsRequest) -> types.ServerResult:
    listed = [
        types.Prompt(
            name=prompt.name,
            title=prompt.title,
            description=prompt.about,
            arguments=[
                types.PromptArgument(
                    name=each.name, description=each.about, required=each.required
                )
                for each in prompt.arguments
            ],
        )
        for prompt in prompts.PROMPTS
    ]
    return types.ServerResult(types.ListPromptsResult(prompts=listed))


def _describe_tool(tool: McpTool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        inputSchema=build_schema(tool.arguments),
        annotations=types.ToolAnnotations(
            title=tool.title,
            readOnlyHint=tool.reads,
            destructiveHint=False,
            idempotentHint=tool.repeatable,
            openWorldHint=False,
        ),
    )


def _build_result(reply: ToolReply) -> types.ServerResult:
    facts = {
        name: _replace_surrogates(value) if isinstance(value, str) else value
        for name, value in (reply.facts or {}).items()
    }
    texts: list[types.ContentBlock] = [
        _text_content(each) for each in (reply.text, *reply.remarks)
    ]
    return types.ServerResult(types.CallToolResult(content=texts, structuredContent=facts or None))


def _build_failure(message: str, hint: str) -> types.ServerResult:
    text = f"{message}\nhint: {hint}" if hint else message
    return types.ServerResult(types.CallToolResult(content=[_text_content(text)], isError=True))


def _text_content(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=_replace_surrogates(text))


def _replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which JSON cannot carry."""
    return text.encode("utf-8", "replace").decode()
