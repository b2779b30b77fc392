"""Lines as Claude Code writes them into a transcript, built by tests."""

import json
from pathlib import Path

from hypothesis import strategies as st

TRANSCRIPTS = Path(__file__).resolve().parents[2] / "payloads/claude_code/transcripts"
SHOP = TRANSCRIPTS / "-home-u-shop"
SESSION = "00000000-0000-4000-8000-0000000000a1"
FORK = "00000000-0000-4000-8000-0000000000a2"
STRANGER = "00000000-0000-4000-8000-0000000000b1"


def a_record(kind: str, uuid: str, **fields: object) -> dict[str, object]:
    return {
        "type": kind,
        "uuid": uuid,
        "sessionId": SESSION,
        "cwd": "/home/u/shop",
        "timestamp": "2026-11-02T09:30:00.125Z",
        "isSidechain": False,
        **fields,
    }


def by_user(uuid: str, content: object, **fields: object) -> dict[str, object]:
    return a_record("user", uuid, message={"role": "user", "content": content}, **fields)


def by_agent(uuid: str, *blocks: object, **fields: object) -> dict[str, object]:
    message = {"role": "assistant", "content": list(blocks)}
    return a_record("assistant", uuid, message=message, **fields)


def a_text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def a_use(call: str, tool: str, **given: object) -> dict[str, object]:
    return {"type": "tool_use", "id": call, "name": tool, "input": given}


def a_return(call: str, content: object, **fields: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": call, "content": content, **fields}


def a_line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def a_file(path: Path, *records: object) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(a_line, records)))
    return str(path)


def _line(number: int, kind: str, text: str) -> bytes:
    uuid = f"uuid-{number}"
    why = {"trigger": "auto" if number % 2 else "manual"}
    whole = {
        "said": by_user(uuid, text),
        "answered": by_agent(uuid, a_text(text), a_use(f"toolu_{number}", "Bash", command=text)),
        "returned": by_user(uuid, [a_return(f"toolu_{number - 1}", text)]),
        "compacting": a_record("system", uuid, subtype="compact_boundary", compactMetadata=why),
        "compacted": by_user(uuid, text, isCompactSummary=True),
        "other": {"type": "tools-used", "tools": ["Bash"]},
    }
    return a_line(whole[kind]) if kind in whole else a_line(whole["said"])[:-9] + b"\n"


KINDS = ["said", "answered", "returned", "compacting", "compacted", "broken", "other"]

# whole lines, some of them twice, as in a file that Claude Code and a crash have written
lines = st.lists(
    st.builds(_line, st.integers(1, 12), st.sampled_from(KINDS), st.text(max_size=20)),
    max_size=25,
)
