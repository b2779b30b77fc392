"""The tables of the four older systems are whole, and the page that shows them can be read."""

import pytest
from tests.older_systems import SYSTEMS, render_tables
from tests.older_systems.feature import OlderFeature

LETTERS = {
    "fireworks-skill-memory": "F",
    "magic-context": "M",
    "memory-keeper": "K",
    "memory-engine": "E",
}
ROWS = [
    pytest.param(row, id=key) for rows in SYSTEMS.values() for key, row in sorted(rows.items())
]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_rows_of_a_system_are_numbered_without_a_hole(system: str) -> None:
    letter = LETTERS[system]

    assert list(SYSTEMS[system]) == [f"{letter}{n:02}" for n in range(1, len(SYSTEMS[system]) + 1)]


@pytest.mark.parametrize("row", ROWS)
def test_a_row_names_its_feature_and_says_in_sentences_what_became_of_it(
    row: OlderFeature,
) -> None:
    assert row.feature
    assert "\n" not in row.feature + row.promise + row.otherwise
    assert row.promise[0].isupper()
    assert row.promise.endswith(".")
    assert not row.otherwise or (row.otherwise[0].isupper() and row.otherwise.endswith("."))


def test_a_row_without_a_test_is_shown_as_a_gap() -> None:
    assert "| **gap** |" in render_tables({}) or not any(SYSTEMS.values())
