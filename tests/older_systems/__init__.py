"""What the four older systems promised their users, row by row, and what became of each promise.

A row works if a test proves its whole sentence through a surface that a user touches; the test carries
``@requirement("F01")``. A row that was decided otherwise says why, in words that a user would accept.
``docs/older-systems.md`` is made of these rows and of the tests that claim them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.older_systems.fireworks import FIREWORKS
from tests.older_systems.magic_context import MAGIC_CONTEXT
from tests.older_systems.memory_engine import MEMORY_ENGINE
from tests.older_systems.memory_keeper import MEMORY_KEEPER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.older_systems.feature import OlderFeature

SYSTEMS: Mapping[str, Mapping[str, OlderFeature]] = {
    "fireworks-skill-memory": FIREWORKS,
    "magic-context": MAGIC_CONTEXT,
    "memory-keeper": MEMORY_KEEPER,
    "memory-engine": MEMORY_ENGINE,
}

SHOWN = 3  # tests in a cell


def list_promises(rows: Mapping[str, OlderFeature]) -> dict[str, str]:
    """Return the promises that need a test: all rows but those decided otherwise."""
    return {key: row.promise for key, row in rows.items() if not row.otherwise}


def render_tables(proofs: Mapping[str, list[str]]) -> str:
    """Render one table for each system: feature, verdict, and the tests or the reason."""
    parts = []
    for system, rows in SYSTEMS.items():
        works = sum(not row.otherwise and key in proofs for key, row in rows.items())
        decided = sum(bool(row.otherwise) for row in rows.values())
        parts += [
            f"## {system}",
            "",
            f"{len(rows)} features: {works} work, {decided} were decided otherwise, "
            f"{len(rows) - works - decided} are gaps.",
            "",
            "| id | feature | verdict | promise, or the reason for another decision | proof |",
            "|---|---|---|---|---|",
            *(_render_row(key, row, proofs.get(key, [])) for key, row in rows.items()),
            "",
        ]
    return "\n".join(parts)


def _render_row(key: str, row: OlderFeature, tests: list[str]) -> str:
    """Render one row; a pipe inside a cell would end the cell."""
    verdict = "decided otherwise" if row.otherwise else "works" if tests else "**gap**"
    text = f"{row.promise} {row.otherwise}".strip()
    names = [f"`{test.removeprefix('tests/')}`" for test in tests[:SHOWN]]
    proof = "<br>".join(names) or "–"
    cells = [key, row.feature, verdict, text, proof]
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"
