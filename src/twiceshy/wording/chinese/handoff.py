"""Chinese messages for handoffs."""

from __future__ import annotations

WORDS = {
    "handed over: {title}": "已交接:{title}",
    "Hand this over?": "要留下這份交接嗎?",
    "nobody has left a handoff here": "這裡還沒有交接文件",
    "leave one: twiceshy handoff": "留下一份:twiceshy handoff",
}
