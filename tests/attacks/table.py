"""The table of attacks in SECURITY.md: family, tried, succeeded, benign, held back."""

import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

BEGIN, END = "<!-- attacks: begin -->", "<!-- attacks: end -->"
_HEAD = "| family | attacks tried | succeeded | benign texts | held back |\n|---|--:|--:|--:|--:|"


class Row(NamedTuple):
    """Counts of one family."""

    family: str
    tried: int
    succeeded: int
    benign: int
    held: int


def render_table(rows: Sequence[Row]) -> str:
    """Return the table as Markdown, with the day and the commit that it is about."""
    total = Row("all", *(sum(each) for each in list(zip(*rows, strict=True))[1:]))
    lines = [f"| {row.family} | {' | '.join(f'{each:,}' for each in row[1:])} |" for row in rows]
    last = f"| **{total.family}** | {' | '.join(f'**{each:,}**' for each in total[1:])} |"
    said = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit `{_name_commit()}` by `make attacks`."
    )
    return "\n".join([said, "", _HEAD, *lines, last])


def replace_table(text: str, table: str) -> str:
    """Return a document with the table between its two marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the document has no {BEGIN} … {END}")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def _name_commit() -> str:
    asked = ["git", "rev-parse", "--short=10", "HEAD"]
    here = Path(__file__).parent
    told = subprocess.run(asked, cwd=here, capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"
