"""Lines as Pi writes them into a transcript, built by tests."""

import json
from pathlib import Path

from hypothesis import strategies as st

TRANSCRIPTS = Path(__file__).resolve().parents[2] / "payloads" / "pi" / "transcripts"
SESSION = "00000000-0000-4000-8000-0000000000a1"
FORK = "00000000-0000-4000-8000-0000000000a2"
SHOP = "/home/u/shop"


def a_name(session: str = SESSION) -> str:
    return f"2026-11-02T09-30-00-000Z_{session}.jsonl"


def a_head(session: str = SESSION, **fields: object) -> dict[str, object]:
    stamp = "2026-11-02T09:30:00.000Z"
    return {
        "type": "session",
        "version": 3,
        "id": session,
        "timestamp": stamp,
        "cwd": SHOP,
        **fields,
    }


def an_entry(entry: str, kind: str, **fields: object) -> dict[str, object]:
    return {
        "type": kind,
        "id": entry,
        "parentId": None,
        "timestamp": "2026-11-02T09:30:01.125Z",
        **fields,
    }


def a_message(entry: str, role: str, content: object, **fields: object) -> dict[str, object]:
    return an_entry(entry, "message", message={"role": role, "content": content, **fields})


def by_user(entry: str, text: str) -> dict[str, object]:
    return a_message(entry, "user", [a_text(text)])


def by_agent(entry: str, *parts: object, **fields: object) -> dict[str, object]:
    return a_message(entry, "assistant", list(parts), stopReason="stop", **fields)


def by_tool(
    entry: str, call: str, tool: str, *texts: str, failed: bool = False
) -> dict[str, object]:
    parts = [a_text(text) for text in texts]
    return a_message(entry, "toolResult", parts, toolCallId=call, toolName=tool, isError=failed)


def a_text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def a_use(call: str, tool: str, **given: object) -> dict[str, object]:
    return {"type": "toolCall", "id": call, "name": tool, "arguments": given}


def a_line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def a_file(path: Path, *records: object) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(a_line, records)))
    return str(path)


def _line(number: int, kind: str, text: str) -> bytes:
    entry = f"{number:08x}"
    whole = {
        "said": by_user(entry, text),
        "answered": by_agent(entry, a_text(text), a_use(f"call_{number}", "bash", command=text)),
        "returned": by_tool(entry, f"call_{number - 1}", "bash", text, failed=number % 2 == 0),
        "compacted": an_entry(entry, "compaction", summary=text),
        "other": an_entry(entry, "custom_message", customType="twiceshy", content=text),
    }
    return a_line(whole[kind]) if kind in whole else a_line(whole["said"])[:-9] + b"\n"


# whole lines, some of them twice, as in a file that Pi and a crash have written
lines = st.lists(
    st.builds(
        _line,
        st.integers(1, 12),
        st.sampled_from("said answered returned compacted other broken".split()),
        st.text(max_size=20),
    ),
    max_size=25,
)
