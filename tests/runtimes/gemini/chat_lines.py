"""Lines as Gemini CLI writes them into a chat, built by tests."""

import json
from pathlib import Path

PAYLOADS = Path(__file__).resolve().parents[2] / "payloads" / "gemini"
CHATS = PAYLOADS / "transcripts" / "shop" / "chats"
SESSION = "00000000-0000-4000-8000-0000000000a1"
SHOP = "/home/u/shop"


def a_head(session: str = SESSION, **fields: object) -> dict[str, object]:
    return {
        "sessionId": session,
        "projectHash": "0" * 64,
        "startTime": "2026-11-02T09:30:00.000Z",
        "lastUpdated": "2026-11-02T09:30:00.000Z",
        "kind": "main",
        **fields,
    }


def a_message(kind: str, name: str, content: object, **fields: object) -> dict[str, object]:
    stamp = "2026-11-02T09:30:01.125Z"
    return {"id": name, "timestamp": stamp, "type": kind, "content": content, **fields}


def by_user(name: str, *texts: str, **fields: object) -> dict[str, object]:
    return a_message("user", name, [{"text": text} for text in texts], **fields)


def by_agent(name: str, text: str = "", *calls: object) -> dict[str, object]:
    made = {"toolCalls": list(calls)} if calls else {}
    return a_message("gemini", name, text, thoughts=[], model="gemini-2.5-pro", **made)


def a_call(
    tool: str,
    given: dict[str, object],
    *,
    status: str = "success",
    shown: object = "",
    **answer: str,
) -> dict[str, object]:
    """Build a call as it stands in a message; ``answer`` is its output or its error."""
    name = f"{tool}__{tool}_1767603600000_0"
    response = {"functionResponse": {"id": name, "name": tool, "response": answer}}
    return {
        "id": name,
        "name": tool,
        "args": given,
        "result": [response],
        "status": status,
        "timestamp": "2026-11-02T09:30:02.500Z",
        "resultDisplay": shown,
        "displayName": tool,
    }


def a_command(command: str, printed: str, *, code: int = 0) -> dict[str, object]:
    """Build a call of the shell that has come to its end."""
    shown = printed or (f"Command exited with code: {code}" if code else "")
    text = untrusted(printed, code=code)
    return a_call("run_shell_command", {"command": command}, shown=shown, output=text)


def untrusted(printed: str, *, code: int = 0) -> str:
    """Write what a command printed as the client gives it to the model."""
    lines = [f"Output: {printed or '(empty)'}", *([f"Exit Code: {code}"] if code else [])]
    inner = "\n".join([*lines, "Process Group PGID: 4321"])
    return f"<untrusted_context>\n{inner}\n</untrusted_context>"


def a_patch(**fields: object) -> dict[str, object]:
    return {"$set": fields}


def a_line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def a_chat(home: Path, *records: object, session: str = SESSION, project: str = SHOP) -> str:
    """Write a chat where the client would, and say in its folder where the project lies."""
    folder = home / "shop"
    (folder / "chats").mkdir(parents=True, exist_ok=True)
    (folder / ".project_root").write_text(project)
    path = folder / "chats" / f"session-2026-11-02T09-30-{session[:8]}.jsonl"
    path.write_bytes(b"".join(map(a_line, [a_head(session), *records])))
    return str(path)
