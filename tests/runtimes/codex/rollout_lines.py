"""Lines as Codex writes them into a rollout, built by tests."""

import json
from pathlib import Path

from hypothesis import strategies as st

TRANSCRIPTS = Path(__file__).resolve().parents[2] / "payloads/codex/transcripts"
SESSION = "00000000-0000-4000-8000-0000000000a1"
AGENT = "00000000-0000-4000-8000-0000000000a2"
NAME = f"rollout-2026-11-02T09-30-00-{SESSION}.jsonl"


def a_record(kind: str, **payload: object) -> dict[str, object]:
    return {"timestamp": "2026-11-02T09:30:00.125Z", "type": kind, "payload": payload}


def a_beginning(thread: str = SESSION, **fields: object) -> dict[str, object]:
    told = {"id": thread, "session_id": SESSION, "cwd": "/home/u/shop", "source": "cli"}
    return a_record("session_meta", timestamp="2026-11-02T09:30:00.000Z", **told | fields)


def an_agents_beginning(**fields: object) -> dict[str, object]:
    return a_beginning(AGENT, thread_source="subagent", parent_thread_id=SESSION, **fields)


def a_call(call: str, name: str, **given: object) -> dict[str, object]:
    arguments = json.dumps(given)
    return a_record(
        "response_item", type="function_call", call_id=call, name=name, arguments=arguments
    )


def an_output(call: str, output: object) -> dict[str, object]:
    return a_record("response_item", type="function_call_output", call_id=call, output=output)


def an_item(kind: str, item: str, **fields: object) -> dict[str, object]:
    thread = fields.pop("thread", SESSION)
    whole = {"type": kind, "id": item, **fields}
    return a_record("event_msg", type="item_completed", thread_id=thread, item=whole)


def an_end(call: str, code: int, printed: str = "", **fields: object) -> dict[str, object]:
    told = {"exit_code": code, "aggregated_output": printed, "cwd": "file:///home/u/shop"}
    command = ["/bin/bash", "-lc", "make"]
    return an_item("CommandExecution", call, **{"command": command} | told | fields)


def said(item: str, text: str) -> dict[str, object]:
    return an_item("UserMessage", item, content=[{"type": "text", "text": text}])


def answered(item: str, text: str) -> dict[str, object]:
    return an_item("AgentMessage", item, content=[{"type": "Text", "text": text}])


def a_line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def a_file(path: Path, *records: object) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(a_line, records)))
    return str(path)


def _line(number: int, kind: str, text: str) -> bytes:
    call = f"call_{number}"
    whole = {
        "said": said(f"u{number}", text),
        "answered": answered(f"m{number}", text),
        "called": a_call(call, "exec_command", cmd=text),
        "ended": an_end(call, number % 3, text),
        "nested": an_end(f"exec-{number}", number % 3, text),
        "returned": an_output(call, text),
        "compacted": a_record("compacted", message=text),
        "aborted": a_record("event_msg", type="turn_aborted", reason="interrupted", turn_id=text),
        "other": a_record("turn_context", cwd=text),
    }
    return a_line(whole[kind]) if kind in whole else a_line(whole["said"])[:-9] + b"\n"


KINDS = "said answered called ended nested returned compacted aborted other broken".split()

# whole lines, some of them twice, as in a file that the client and a crash have written
lines = st.lists(
    st.builds(_line, st.integers(1, 6), st.sampled_from(KINDS), st.text(max_size=20)),
    max_size=25,
)
