"""The table of runtimes and capabilities is whole, and every cell's test is there."""

import ast
from pathlib import Path

import pytest
from tests.capabilities import CAPABILITIES, COLUMNS, Cell
from tests.requirements import requirement

TESTS = Path(__file__).resolve().parent
CELLS = [
    pytest.param(cell, id=f"{column}: {capability}")
    for capability, cells in CAPABILITIES.items()
    for column, cell in cells.items()
]


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_every_capability_says_something_about_every_runtime(capability: str) -> None:
    assert list(CAPABILITIES[capability]) == list(COLUMNS)


@requirement("R14")
@pytest.mark.parametrize("cell", CELLS)
def test_every_cell_names_a_test_that_is_there_or_says_why_not(cell: Cell) -> None:
    if not cell.test:
        assert cell.how.startswith("–")
        return
    file, _, name = cell.test.partition("::")
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

    assert name in functions
