"""The table of attacks counts what tests tried, and replaces the older one."""

import pytest
from tests.attacks.table import BEGIN, END, Row, render_table, replace_table
from tests.attacks.tally import Tally

ROWS = [Row("orders in notes", 1200, 3, 500, 4), Row("signed journals", 40, 0, 0, 0)]


def test_the_table_has_a_line_for_each_family_and_one_for_all() -> None:
    table = render_table(ROWS)

    assert "| orders in notes | 1,200 | 3 | 500 | 4 |" in table
    assert table.endswith("| **all** | **1,240** | **3** | **500** | **4** |")


def test_a_new_table_takes_the_place_of_the_older_one_and_of_nothing_else() -> None:
    document = f"# Security\n{BEGIN}\nold\n{END}\nmore\n"

    assert replace_table(document, "new") == f"# Security\n{BEGIN}\nnew\n{END}\nmore\n"
    with pytest.raises(ValueError, match="has no"):
        replace_table("# Security\n", "new")


def test_a_test_counts_its_attacks_and_names_those_that_succeeded(
    request: pytest.FixtureRequest,
) -> None:
    tally = Tally(request.node)
    request.node.user_properties = []

    tally.count_attack("self test", "one", succeeded=True)
    tally.count_attack("self test", "two", succeeded=False)
    tally.count_benign("self test", "three", held=False)

    assert (tally.succeeded, tally.held) == (["one"], [])
    assert [what for what, _ in request.node.user_properties] == ["attack", "attack", "benign"]
    request.node.user_properties = []
