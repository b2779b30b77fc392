"""Translate Codex rollout records to steps; unknown shapes are skipped.

Content appears twice: as conversation items, sent to the model, and as events. Words are
taken from events, where only the user speaks as the user; calls from items; and results from
whichever comes first. Calls get our tool names, for every Codex version and model.
"""

from __future__ import annotations

from twiceshy.core import transcript
from twiceshy.core.event import FOREIGN
from twiceshy.core.jsontext import parse_mapping_or_empty
from twiceshy.runtimes.codex import transcript_words as words
from twiceshy.runtimes.codex.calls import find_skill_read, parse_file_change, parse_patch
from twiceshy.runtimes.records import (
    build_call,
    drop_surrogates,
    get_mapping,
    get_text,
    get_value,
    parse_moment,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.codex.transcript_words import CommandEnd
    from twiceshy.runtimes.records import Record, Shared

NESTED = "exec-"  # how the ids of calls begin that a program of the model made
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_LOADED = "<skill>\n<name>"
_LOADED_KIND = "skills.selected_skill_instructions"
_SHELLS = frozenset("exec_command shell shell_command local_shell container.exec".split())
# They wait for others, or run a program whose calls are told one by one.
_ASIDE = frozenset("exec wait write_stdin".split())
_RENAMED = {
    "spawn_agent": ("Task", {"message": "prompt"}),
    "view_image": ("Read", {"path": "file_path"}),
    "update_plan": ("TodoWrite", {}),
}


def translate_record(record: Record, shared: Shared) -> Iterator[Step]:
    """Yield the steps of a record, in order; ``shared`` are id, session, agent and directory."""
    payload = get_mapping(record, "payload")
    shared = {**shared, "at": parse_moment(get_text(record, "timestamp"))}
    match record.get("type"):
        case "response_item":
            yield from _item_steps(payload, shared)
        case "event_msg":
            yield from _event_steps(payload, shared)
        case "compacted":
            if left := words.extract_summary(get_text(payload, "message")):
                yield transcript.SummaryStep.of({**shared, "summary": left})
        case _:
            return


def _item_steps(item: Record, shared: Shared) -> Iterator[Step]:
    kind, call = item.get("type"), get_text(item, "call_id")
    if kind == "message":
        yield from _skill_step(item, shared)
    elif kind in _CALLS and call:
        here = {**shared, "id": call, "cwd": _call_directory(item, str(shared["cwd"]))}
        if made := _parse_call(item, str(here["cwd"])):
            yield from _call_steps(*made, here)
    elif kind in _OUTPUTS and call:
        result = words.parse_call_end(_content_text(item.get("output")))
        if not result.open:
            yield _result_step(result, {**shared, "id": call})


def _skill_step(item: Record, shared: Shared) -> Iterator[Step]:
    """Yield the skill loaded by a mention; its text arrives in the user's name."""
    text = _content_text(item.get("content"))
    kinds = get_value(item, "internal_chat_message_metadata_passthrough", "content_item_kinds")
    by_client = _LOADED_KIND in kinds if isinstance(kinds, list) else True
    if item.get("role") == "user" and text.startswith(_LOADED) and by_client:
        name = text[len(_LOADED) :].partition("</name>")[0]
        shared = {**shared, "id": get_text(item, "id") or shared["id"]}
        yield transcript.SkillStep.of({**shared, "name": name, "how": "slash"})


def _call_steps(tool: str, given: Record, shared: Shared) -> Iterator[Step]:
    yield build_call(tool, given, shared)
    if tool == "Bash" and (path := find_skill_read(get_text(given, "command"))):
        name = path.rpartition("/")[0].rpartition("/")[2]
        yield transcript.SkillStep.of({**shared, "name": name, "how": "read"})


def _event_steps(event: Record, shared: Shared) -> Iterator[Step]:
    match event.get("type"):
        case "item_completed":
            item = event.get("item")
            if isinstance(item, dict):
                yield from _result_steps(
                    item, {**shared, "id": get_text(item, "id") or shared["id"]}
                )
        case "user_message":
            yield from _user_steps(get_text(event, "message"), shared)
        case "agent_message":
            yield from _agent_steps(get_text(event, "message"), shared)
        case "turn_aborted" if event.get("reason") == "interrupted" and not shared["agent"]:
            told = get_text(event, "turn_id") or shared["id"]
            yield transcript.InterruptStep.of({**shared, "id": told})
        case _:
            return


def _result_steps(item: Record, shared: Shared) -> Iterator[Step]:
    match item.get("type"):
        case "UserMessage":
            yield from _user_steps(_content_text(item.get("content")), shared)
        case "AgentMessage":
            yield from _agent_steps(_content_text(item.get("content")), shared)
        case "CommandExecution" if item.get("source") != "user_shell":
            yield from _command_steps(
                item, {**shared, "cwd": _call_directory(item, str(shared["cwd"]))}
            )
        case "McpToolCall":
            yield from _tool_steps(item, shared)
        case "FileChange":
            yield from _patch_steps(item, shared)
        case _:
            return


def _user_steps(text: str, shared: Shared) -> Iterator[Step]:
    """Yield user messages; words to an agent are another agent's."""
    if not shared["agent"] and (said := words.extract_user_words(text)):
        yield transcript.UserMessage.of({**shared, "text": said})


def _agent_steps(text: str, shared: Shared) -> Iterator[Step]:
    if text := text.strip():
        yield transcript.AgentMessage.of({**shared, "text": text})


def _command_steps(item: Record, shared: Shared) -> Iterator[Step]:
    if _is_nested(shared):
        yield from _call_steps("Bash", {"command": _unwrap_shell(item.get("command"))}, shared)
    code = item.get("exit_code")
    printed = get_text(item, "aggregated_output")
    if item.get("status") == "declined":
        yield _result_step(
            words.CommandEnd(printed, failed=True, refusal="rejected"), shared, vouched=True
        )
    elif isinstance(code, int):
        yield _result_step(words.describe_exit(code, printed), shared)


def _tool_steps(item: Record, shared: Shared) -> Iterator[Step]:
    if _is_nested(shared):
        tool = f"mcp__{get_text(item, 'server')}__{get_text(item, 'tool')}"
        yield from _call_steps(tool, get_mapping(item, "arguments"), shared)
    text = _content_text(get_value(item, "result", "content"))
    failed = item.get("status") == "failed"
    text = text or get_text(item, "error", "message")
    yield _result_step(words.CommandEnd(text, failed=failed), shared)


def _patch_steps(item: Record, shared: Shared) -> Iterator[Step]:
    if _is_nested(shared) and isinstance(item.get("changes"), dict):
        path, change = next(iter(get_mapping(item, "changes").items()), ("", {}))
        yield from _call_steps(*parse_file_change(drop_surrogates(path), change), shared)
    failed = item.get("status") == "failed"
    declined = item.get("status") == "declined"
    text = get_text(item, "stderr" if failed else "stdout")
    ended = words.CommandEnd(
        text, failed=failed or declined, refusal="rejected" if declined else ""
    )
    yield _result_step(ended, shared, vouched=declined)


def _is_nested(shared: Shared) -> bool:
    return str(shared["id"]).startswith(NESTED)


def _result_step(ended: CommandEnd, shared: Shared, *, vouched: bool = False) -> Step:
    told = {"text": ended.text.strip("\n"), "failed": ended.failed, "refusal": ended.refusal}
    return transcript.ResultStep.of({**shared, **told, "vouched": vouched})


def _content_text(content: object) -> str:
    """Return the joined texts of a content, without durations."""
    if isinstance(content, str):
        return drop_surrogates(content)
    parts = content if isinstance(content, list) else []
    texts = [get_text(part, "text") for part in parts]
    if texts and texts[0].startswith("Wall time: ") and texts[0].rstrip().endswith("Output:"):
        texts = texts[1:]
    return "\n".join(filter(None, texts))


def _parse_call(item: Record, cwd: str) -> tuple[str, Record] | None:
    """Return tool and arguments of a call item; None if no own call."""
    name = get_text(item, "name")
    if item.get("type") == "local_shell_call":
        return "Bash", {"command": _unwrap_shell(get_value(item, "action", "command"))}
    if name in _ASIDE or not name:
        return None
    given = _parse_arguments(item.get("arguments"))
    if name == "apply_patch":
        return parse_patch(get_text(item, "input") or get_text(given, "input"), cwd)
    if name in _SHELLS:
        return "Bash", {"command": _unwrap_shell(given.get("cmd") or given.get("command"))}
    if (space := get_text(item, "namespace")).startswith(FOREIGN):
        return f"{space}__{name}", given
    tool, names = _RENAMED.get(name, (name, {}))
    return tool, {names.get(key, key): value for key, value in given.items()}


def _call_directory(item: Record, cwd: str) -> str:
    """Return the directory of an item; the session's by default."""
    said = get_text(_parse_arguments(item.get("arguments")), "workdir") or get_text(item, "cwd")
    if said.startswith("file://"):
        from urllib.parse import unquote  # noqa: PLC0415 - no hook reads a transcript

        return unquote(said.removeprefix("file://"))
    return said if said.startswith("/") else f"{cwd}/{said}" if said and cwd else cwd


def _unwrap_shell(command: object) -> str:
    """Return a command without its wrapping shell."""
    match command:
        case [str(shell), str(flag), str(line)] if shell.endswith("sh") and flag in ("-lc", "-c"):
            return drop_surrogates(line)
        case [*words]:
            from shlex import join  # noqa: PLC0415 - as above

            return drop_surrogates(join(str(word) for word in words))
        case str():
            return drop_surrogates(command)
        case _:
            return ""


def _parse_arguments(arguments: object) -> Record:
    """Return a call's arguments, perhaps from nested JSON."""
    if isinstance(arguments, str):
        return parse_mapping_or_empty(arguments)
    return arguments if isinstance(arguments, dict) else {}
