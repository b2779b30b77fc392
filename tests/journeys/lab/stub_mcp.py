"""An MCP server on stdio with a tool that always fails and one that never does; run as a program."""

import json
import sys
from typing import Any

BOX = {"type": "object", "properties": {"box": {"type": "string"}}}
TOOLS = [
    {"name": "weigh", "description": "Weigh a box.", "inputSchema": BOX},
    {"name": "count", "description": "Count what is in a box.", "inputSchema": BOX},
]


def answer(method: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Answer a request; there are few that matter."""
    match method:
        case "initialize":
            return {
                "protocolVersion": asked["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "scales", "version": "1"},
            }
        case "tools/list":
            return {"tools": TOOLS}
        case "tools/call" if asked["name"] == "count":
            return {"content": [{"type": "text", "text": "three things"}]}
        case "tools/call":
            broken = {"type": "text", "text": "the scales are broken"}
            return {"isError": True, "content": [broken]}
        case _:
            return {}


def main() -> None:
    """Answer line by line until the client goes."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answer(message["method"], message.get("params", {}))
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
