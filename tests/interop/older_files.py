"""Files as the older systems write them: made by the rules of their formats, with all that people do to them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path

_TEXTS = st.sampled_from(
    (
        'Replace `![[...]]` with `<image token="..."/>` before overwrite sync',
        "回滚后要清 CDN 缓存",
        "Pins <b>bold</b> &lt;tags&gt; & entities",
        "Ends with a colon: and a [link](https://example.net/a?b=c)",
        'Quotes "twice" and `code --flag=1`',
        "發佈前先關閉排程工作 <br/>",
        "use",
        "Tabs\tand  two blanks stay",
        "A [x] box and a (held) bracket",
    )
)
_MONTHS = st.sampled_from(("", "[2026-11] ", "[1999-01] ", "[2026-3] "))
_TAGS = st.sampled_from(("", "[API] ", "[接口] ", "[TodoWrite integration] "))
_HITS = st.sampled_from(("", "  [HIT:1]", "  [HIT:12]", "  [HIT:400]", " [HIT:2]"))
_PROSE = st.sampled_from(
    ("", "Talk to Mina first.", "## Older entries", "> a quote", "| a | table |", "```")
)
_BELOW = st.sampled_from(("", "\n  goes on here", "\n  why: because it is so"))
_SCHEMA = """
    CREATE TABLE skill_memory (
        id INTEGER PRIMARY KEY AUTOINCREMENT, skill_id TEXT NOT NULL, resolved_path TEXT NOT NULL, tier TEXT NOT NULL,
        skill_source TEXT, project_identity TEXT NOT NULL, origin_project TEXT, source_type TEXT, intent TEXT NOT NULL,
        intent_embedding BLOB, delta_embedding BLOB, embedding_model_version TEXT, kind TEXT NOT NULL, delta TEXT NOT NULL,
        tags TEXT, hit_count INTEGER NOT NULL DEFAULT 0, recall_count INTEGER NOT NULL DEFAULT 0,
        pinned INTEGER NOT NULL DEFAULT 0, normalized_hash TEXT NOT NULL, created_at INTEGER NOT NULL,
        last_used_at INTEGER, skill_content_hash TEXT,
        UNIQUE (skill_id, tier, project_identity, normalized_hash)
    )
"""


@st.composite
def knowledge_files(draw: st.DrawFn) -> str:
    """A KNOWLEDGE.md: lessons dated or not, counted or not, prose between them, with or without a last newline."""
    lines = ["# voice — experience", "", "> Shared cross-session lessons for `voice`."]
    lines += ["> Auto-maintained by fireworks-skill-memory. Last updated: 2026-11-01", ""]
    lines += ["## Entries", ""]
    for number in range(draw(st.integers(0, 6))):
        bullet = draw(st.sampled_from(("- ", "- ", "* ")))
        text = f"{draw(_TEXTS)} no. {number}"
        said = f"{bullet}{draw(_MONTHS)}{draw(_TAGS)}{text}{draw(_HITS)}{draw(_BELOW)}"
        lines += [said, *([draw(_PROSE), ""] if draw(st.booleans()) else [])]
    if len(lines) == 7:
        lines.append("- [placeholder] No lessons recorded yet.")
    return "\n".join(lines) + draw(st.sampled_from(("", "\n", "\n\n")))


def a_row(**fields: Any) -> dict[str, Any]:
    """A row of magic-context's table, as an agent's note in a skill of the user."""
    usual = {
        "skill_id": "deploy",
        "resolved_path": "/home/kim/.config/opencode/skills/deploy/SKILL.md",
        "tier": "global",
        "skill_source": "opencode-global",
        "project_identity": "*",
        "origin_project": "git:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
        "source_type": None,
        "intent": "rolling out",
        "kind": "gotcha",
        "delta": "Tag with -a, then push tags",
        "tags": None,
        "hit_count": 0,
        "recall_count": 0,
        "pinned": 0,
        "created_at": 1_793_937_558_194,
        "last_used_at": 1_794_369_558_194,
        "skill_content_hash": None,
    }
    row = usual | fields
    bare = " ".join(str(row["delta"]).lower().split())
    return row | {"normalized_hash": hashlib.md5(bare.encode(), usedforsecurity=False).hexdigest()}


@st.composite
def context_rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows of magic-context: both authors, tags or none, counts, pins, Chinese and HTML."""
    historian = st.sampled_from(
        ({}, {"source_type": "historian", "resolved_path": "", "skill_source": None})
    )
    tags = st.sampled_from(
        (None, '["db","helm"]', json.dumps(["資料庫"], ensure_ascii=False), "[]")
    )
    return [
        a_row(
            **draw(historian),
            delta=f"{draw(_TEXTS)} no. {number}",
            kind=draw(st.sampled_from(("gotcha", "discovery", "fix", "workflow"))),
            tags=draw(tags),
            hit_count=draw(st.integers(0, 9)),
            recall_count=draw(st.integers(0, 99)),
            pinned=draw(st.integers(0, 1)),
            last_used_at=draw(st.sampled_from((None, 1_794_369_558_194))),
        )
        for number in range(draw(st.integers(1, 5)))
    ]


def write_context(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write magic-context's database with these rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(_SCHEMA)
        for row in rows:
            marks = ", ".join(f":{name}" for name in row)
            db.execute(f"INSERT INTO skill_memory ({', '.join(row)}) VALUES ({marks})", row)
    return path


def read_context(path: Path) -> list[dict[str, Any]]:
    """Return the rows of magic-context's database without its vectors."""
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute("SELECT * FROM skill_memory ORDER BY id")]
