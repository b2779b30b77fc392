"""What stands somewhere already is found there, also in other words; what is new is not."""

import pytest

from twiceshy.project.save import find_stating_line

TEXT = """\
# How we work

- Lock with `uv lock --frozen` before tagging.
Deploy on Fridays only. Never push to main without a review from Ann.

Releases are cut from the branch
called stable, by whoever is on duty.
"""


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("lock with `uv lock --frozen` before tagging", 3),
        ("Deploy on fridays only", 4),
        ("Never push to main without a review from Ann!", 4),
        ("never push to main without any review from Ann", 4),
        ("Releases are cut from the branch called stable, by whoever is on duty.", 6),
        ("the branch called stable", 6),
        ("Push to main without a review from Ann", 4),
        ("Deploy on Mondays only", 0),
        ("Lock with `uv lock --locked` before tagging", 0),
        ("we", 0),
        ("", 0),
    ],
)
def test_a_text_says_something_on_a_line_in_a_sentence_or_over_a_paragraph(
    wanted: str, line: int
) -> None:
    assert find_stating_line(TEXT, wanted) == line
