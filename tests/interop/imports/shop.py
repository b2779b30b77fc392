"""A home and a project in which every sample lies where its program keeps it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from twiceshy.interop.imports import ImportContext
from twiceshy.places.identity import claude_slug

SAMPLES = Path(__file__).parents[2] / "samples"
MILLISECOND = 1_780_000_000_000
COLUMNS = """id INTEGER PRIMARY KEY, skill_id, resolved_path, tier, project_identity, origin_project,
    source_type, intent, kind, delta, tags, hit_count, recall_count, pinned, created_at, last_used_at"""
ROW = {
    "skill_id": "release",
    "tier": "global",
    "project_identity": "*",
    "intent": "when cutting a release",
    "kind": "gotcha",
    "delta": "Bump the version before the changelog.",
    "created_at": MILLISECOND,
}


def a_database(path: Path, *rows: dict[str, object], columns: str = COLUMNS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"CREATE TABLE skill_memory ({columns})")
        for row in rows:
            marks = ", ".join("?" * len(row))
            db.execute(
                f"INSERT INTO skill_memory ({', '.join(row)}) VALUES ({marks})", [*row.values()]
            )
        db.commit()
    return path


def a_shop(user: Path, project: Path, around: ImportContext) -> ImportContext:
    """Fill home and project with the samples of every format, the project by its own slug."""
    shutil.copytree(SAMPLES / "engine", user / ".claude")
    folders = user / ".claude/projects"
    own = claude_slug(str(project))
    (folders / "-home-kim-shop").rename(folders / own)
    shutil.copytree(SAMPLES / "fireworks/skills", user / ".ai-memory/skills")
    shutil.copytree(SAMPLES / "fireworks/global", user / ".ai-memory/global")
    shutil.copytree(SAMPLES / "fireworks/error-seeds", user / ".claude/error-seeds")
    legacy = SAMPLES / "fireworks/legacy/skills-knowledge.md"
    shutil.copy(legacy, user / ".claude/skills-knowledge.md")
    pack = user / ".claude/skills/pack"
    pack.mkdir()
    shutil.copy(SAMPLES / "fireworks/pack/KNOWLEDGE.md", pack)
    stats = SAMPLES / "fireworks/skill-usage-stats.json"
    shutil.copy(stats, user / ".claude/skill-usage-stats.json")
    shutil.copytree(SAMPLES / "keeper/.claude", project / ".claude")
    shutil.copy(SAMPLES / "instructions/CLAUDE.md", project / "CLAUDE.md")
    shutil.copy(SAMPLES / "instructions/AGENTS.md", project / "AGENTS.md")
    a_database(
        user / ".local/share/cortexkit/magic-context/context.db",
        ROW,
        ROW | {"delta": "Sign the archive.", "hit_count": 2, "recall_count": 5, "pinned": 1},
        ROW | {"kind": "opinion"},
        ROW | {"delta": b"\x00\xff"},
        ROW | {"tier": "project", "project_identity": "dir:000000000000"},
    )

    return around.but(by_slug=lambda name: around.here if name == own else None)
