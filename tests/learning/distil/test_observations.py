"""A historian's observations are read line by line; what has another form is passed over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.session_steps import called

from twiceshy.learning.distil.material import build_material
from twiceshy.learning.distil.observations import KINDS, Observation, parse_observations


def block(*lines: str) -> str:
    return (
        "Summary first.\n<skill_observations>\n" + "\n".join(lines) + "\n</skill_observations>\n"
    )


def test_each_line_is_an_observation() -> None:
    found = parse_observations(
        block(
            "* release | gotcha | Tags need a fetch first",
            "  * my:pack | fix | `a | b` fails &amp; `a || b` works &lt;sometimes&gt; &amp;lt;",
        )
    )

    assert found == [
        Observation("release", "gotcha", "Tags need a fetch first"),
        Observation("my:pack", "fix", "`a | b` fails & `a || b` works <sometimes> &lt;"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "* release | Gotcha | Kinds are case-sensitive",
        "* release | rule | There is no such kind",
        "* release | principle | Nor is this one of them",
        "* release | fix",
        "* release | fix |   ",
        "- release | fix | Another bullet",
        "*release | fix | No bullet",
        "release | fix | No bullet at all",
        "* ../../etc | fix | A name that is a path",
        "* | fix | No name",
        "* release | fix | " + "x" * 600,
    ],
)
def test_other_lines_and_kinds_are_ignored(line: str) -> None:
    fine = "* release | fix | Fetch first"

    assert parse_observations(block(line, fine)) == [Observation("release", "fix", "Fetch first")]


@pytest.mark.parametrize(
    "text",
    ["", "no block", "<skill_observations>\n* a | fix | never closed", "* a | fix | outside"],
)
def test_without_a_block_there_is_none(text: str) -> None:
    assert parse_observations(text) == []


def test_only_the_first_block_counts_and_each_line_once() -> None:
    text = block("* a | fix | one", "* a | fix | one") + block("* b | fix | two")

    assert parse_observations(text) == [Observation("a", "fix", "one")]


def test_a_historian_sees_skill_calls_and_its_lines_are_read() -> None:
    steps = [*called("Skill", skill="release"), *called("Skill", skill="a\nb")]
    material = build_material(steps, project="demo", redact=str)

    seen = [span.text for span in material.excerpts]
    answer = block("* release | fix | Fetch tags first", "* release | opinion | Nice skill")

    assert "TC: skill(release)" in seen
    assert "TC: skill" in seen
    assert parse_observations(answer) == [Observation("release", "fix", "Fetch tags first")]


@given(st.text(max_size=200))
def test_whatever_a_block_holds_names_are_safe_and_kinds_are_known(text: str) -> None:
    for one in parse_observations(block(text, f"* {text} | fix | x")):
        assert one.kind in KINDS
        assert "/" not in one.skill
        assert one.lesson
