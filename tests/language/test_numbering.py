"""Numbers that say which thing of a row is meant, and numbers that are values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.language.numbering import numbers_things

ROWS = [
    ("Blunder 4: tag first", "Blunder 3: tag last"),
    ("Principle 2.", "Principle 1."),
    ("Lesson 4: lock first", "Lesson 3: tag last"),
    ("Severity 2 reports are due in 10 days", "Severity 1 reports are due in 5 days"),
    ("第 2 章 用表格", "第 1 章 用图片"),
    ("Phase two ends in May", "Phase three ends in May"),
]
VALUES = [
    ("Node 20 is required", "Node 18 is required"),
    ("The port 9090 is open", "The port 8080 is open"),
    ("Artifacts stay for 7 days", "Artifacts stay for 30 days"),
    ("超时 60 秒", "超时 30 秒"),
    ("Retry failed uploads 5 times", "Retry failed uploads 3 times"),
    ("We start with 8 runners", "We start with 4 runners"),
    ("Le port est 9090", "Le port est 8080"),
    ("Das Zeitlimit ist 60 Sekunden", "Das Zeitlimit ist 30 Sekunden"),
    ("Wir behalten 20 Sicherungen", "Wir behalten 10 Sicherungen"),
    ("La sesión dura 60 minutos", "La sesión dura 15 minutos"),
]


@pytest.mark.parametrize(("new", "old"), ROWS)
def test_things_of_a_row_have_numbers(new: str, old: str) -> None:
    assert numbers_things(new, old, anywhere=True)


@pytest.mark.parametrize(("new", "old"), VALUES)
def test_a_value_numbers_nothing(new: str, old: str) -> None:
    assert not numbers_things(new, old, anywhere=True)


def test_elsewhere_than_at_the_beginning_a_number_says_little() -> None:
    new, old = (
        "We keep all of the reports of question 4",
        "We keep all of the reports of question 3",
    )

    assert not numbers_things(new, old, anywhere=False)
    assert numbers_things(new, old, anywhere=True)


@given(st.text(max_size=60))
def test_a_text_has_no_other_numbers_than_itself(text: str) -> None:
    assert not numbers_things(text, text, anywhere=True)
