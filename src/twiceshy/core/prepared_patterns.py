"""The table of compiled patterns: empty here, filled in the compiled file of hooks' modules.

``hooks/pattern_table.py`` fills it. A pattern that it does not hold is compiled as ever.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import TypeAlias

    # all flags, the code as 32-bit numbers, how many groups, the numbers of named groups, their names
    PreparedPattern: TypeAlias = tuple[
        int, bytes, int, tuple[tuple[str, int], ...], tuple[str | None, ...]
    ]

PREPARED: dict[tuple[str, int], PreparedPattern] = {}
