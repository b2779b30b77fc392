"""A session file is read as it is meant, and every line that is no use is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.project.facts.extract import extract_facts
from twiceshy.project.facts.items import Fact
from twiceshy.safety.redact import redact


def read(section: str, *lines: str) -> list[Fact]:
    return list(extract_facts("\n".join((f"## {section}", *lines))).facts)


def one(section: str, *lines: str) -> Fact:
    (fact,) = read(section, *lines)
    return fact


def unused(*lines: str) -> list[tuple[int, str]]:
    return [(lost.line, lost.reason) for lost in extract_facts("\n".join(lines)).unused]


@pytest.mark.parametrize(
    ("line", "text", "why"),
    [
        ("Use https://x.example/api: it is REST", "Use https://x.example/api", "it is REST"),
        ("Stand up at 10:30: all are awake", "Stand up at 10:30", "all are awake"),
        ("Stand up at 10:30", "Stand up at 10:30", ""),
        ("Keep C:\\build and std::span: both work", "Keep C:\\build and std::span", "both work"),
        (
            "Write `key: value` pairs: YAML reads them",
            "Write `key: value` pairs",
            "YAML reads them",
        ),
        ("先拉取代码：避免冲突", "先拉取代码", "避免冲突"),
        ("每天10：30站会", "每天10：30站会", ""),
        ("One: two: three", "One", "two: three"),
    ],
)
def test_k1_a_url_or_a_time_splits_no_decision(line: str, text: str, why: str) -> None:
    fact = one("Decisions", f"- [approach] {line}")

    assert (fact.text, fact.why, fact.subtype) == (text, why, "approach")


@pytest.mark.parametrize(
    ("label", "subtype"),
    [
        ("[architecture] ", "architecture"),
        ("[Architecture] ", "architecture"),
        ("**[technology]** ", "technology"),
        ("[trade-off-analysis] ", "other"),
        ("[architecture|technology] ", "other"),
        ("[policy] ", "other"),
        ("", "other"),
    ],
)
def test_k2_a_decision_is_kept_whatever_its_type_and_without_a_reason(
    label: str, subtype: str
) -> None:
    fact = one("Decisions", f"- {label}Postgres over MySQL")

    assert (fact.text, fact.why, fact.subtype) == ("Postgres over MySQL", "", subtype)


@pytest.mark.parametrize(
    ("ending", "state"),
    [
        (": open", "open"),
        (": RESOLVED.", "resolved"),
        (" (resolved)", "resolved"),
        (" - fixed", "resolved"),
        (": wontfix", "resolved"),
        (": Won't fix!", "resolved"),
        ("：resolved", "resolved"),
        ("", ""),
    ],
)
def test_k2_an_issue_is_kept_however_its_state_is_written(ending: str, state: str) -> None:
    fact = one("Issues", f"- [bugfix] Login fails{ending}")

    assert (fact.text, fact.state, fact.subtype) == ("Login fails", state, "bugfix")


def test_k2_an_issue_may_say_how_it_was_resolved() -> None:
    fact = one("Issues", "- [bugfix] Login fails: resolved by a new cookie")

    assert (fact.text, fact.state, fact.why) == (
        "Login fails",
        "resolved",
        "resolved by a new cookie",
    )


def test_k2_an_issue_that_ends_in_something_else_keeps_all_its_words() -> None:
    fact = one("Issues", "- [feature] Export: a button in the menu")

    assert (fact.text, fact.state) == ("Export: a button in the menu", "")


@pytest.mark.parametrize(("box", "state"), [("[ ]", "open"), ("[x]", "resolved")])
def test_a_ticked_issue_is_resolved(box: str, state: str) -> None:
    assert one("Issues", f"- {box} Login fails").state == state


def test_k2_headings_within_a_section_and_marks_within_a_line_end_nothing() -> None:
    told = read(
        "Decisions",
        "- [approach] Name it C## here ## and there: it is short",
        "### Later that day",
        "- [approach] Keep the old name",
        "## Summary",
        "- not a fact",
    )

    assert [fact.text for fact in told] == ["Name it C## here ## and there", "Keep the old name"]


def test_k2_a_fact_goes_on_in_the_lines_below_it() -> None:
    fact = one(
        "Decisions",
        "- [approach] Cache what the parser",
        "found: reading takes",
        "",
        "  a second",
    )

    assert (fact.text, fact.why) == ("Cache what the parser found", "reading takes a second")


def test_what_is_listed_below_a_fact_comes_in_any_order_and_case() -> None:
    first, second = read(
        "Patterns",
        "- [convention] Errors carry a hint",
        "\t- CONCEPTS: errors, , hints",
        "  * Files: src/a.py,`src/b.py`",
        "- [convention] Tests are sentences",
        "- files: tests/c.py",
    )

    assert (first.files, first.concepts) == (("src/a.py", "src/b.py"), ("errors", "hints"))
    assert (second.files, second.concepts) == (("tests/c.py",), ())


@requirement("U044")
@pytest.mark.parametrize(
    ("label", "subtype"),
    [
        ("convention", "convention"),
        ("best-practice", "best-practice"),
        ("Best Practice", "best-practice"),
        ("anti-pattern", "anti-pattern"),
        ("anti_pattern", "anti-pattern"),
        ("house-rule-no-1", "other"),
        ("unheard of", "other"),
        ("other", "other"),
    ],
)
def test_a_pattern_keeps_its_type_and_an_unknown_type_drops_nothing(
    label: str, subtype: str
) -> None:
    fact = one("Patterns", f"- [{label}] Catch everything: even exits")

    assert (fact.text, fact.subtype) == ("Catch everything: even exits", subtype)


@pytest.mark.parametrize("start", ["[#12] Pin it", "[plan](plan.md) wins", "[REDACTED:jwt] leaks"])
def test_what_is_no_type_stays_in_the_text(start: str) -> None:
    assert one("Patterns", f"- {start}").text == start


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["## Decisions", "- [architecture|technology] Content: Reason"], "the template"),
        (["## Patterns", "- [convention] Description"], "the template"),
        (["## Issues", "- none"], "it says nothing"),
        (["## Decisions", "- [approach] :"], "it says nothing"),
        (["## Decisions", "We talked."], "it is no item"),
        (["## Decisions", "- files: a.py"], "it belongs to no item"),
        (["# Session 1", "- [bugfix] Login fails: open"], "it is below no heading"),
    ],
)
def test_k2_what_cannot_be_used_is_told_with_its_line(lines: list[str], reason: str) -> None:
    ((line, said),) = unused(*lines)

    assert line == 2
    assert said.startswith(reason)


def test_a_remark_below_a_fact_is_told_and_the_fact_is_kept() -> None:
    lines = ("## Issues", "- Login fails: open", "  - only on Safari", "  - files: login.ts")

    assert extract_facts("\n".join(lines)).facts[0].files == ("login.ts",)
    assert [line for line, _ in unused(*lines)] == [3]


def test_all_lines_of_an_item_that_says_nothing_are_told() -> None:
    lines = (
        "## Decisions",
        "- [approach] Content:",
        "  Reason",
        "  - files: a.py",
        "- A real one",
    )

    assert unused(*lines) == [(line, "the template was not filled in") for line in (2, 3, 4)]


def test_reason_and_status_may_stand_below_a_fact_and_any_other_status_is_told() -> None:
    issue = (
        "- Login fails",
        "  - status: Fixed.",
        "  - reason: a new cookie",
        "  - status: maybe",
    )
    decision = ("- Postgres over MySQL", "  - why: partial indexes", "  - status: resolved")

    told = extract_facts("\n".join(("## Issues", *issue, "## Decisions", *decision)))

    assert [(fact.state, fact.why) for fact in told.facts] == [
        ("resolved", "a new cookie"),
        ("", "partial indexes"),
    ]
    assert [lost.line for lost in told.unused] == [5, 9]


def test_code_is_told_and_a_fence_that_nobody_closed_hides_nothing() -> None:
    closed = ("## Decisions", "```", "- sample: of a list", "```", "- Real: fact")
    unclosed = ("## Summary", "```", "## Decisions", "- Real: fact")

    assert unused(*closed) == [(3, "it is inside a block of code")]
    assert [fact.text for fact in extract_facts("\n".join(closed)).facts] == ["Real"]
    assert [fact.text for fact in extract_facts("\n".join(unclosed)).facts] == ["Real"]


def test_summaries_and_other_sections_hold_no_facts_and_are_no_complaint() -> None:
    text = "# Session 2026-11-02_1030\n## Summary\nAll: done\n- a: b\n## Next\n- [ ] rest\n"

    told = extract_facts(text)

    assert (told.session, told.facts, told.unused) == ("2026-11-02_1030", (), ())


def test_k4_private_passages_go_wherever_they_stand_and_lines_keep_their_numbers() -> None:
    text = (
        "## Decisions\n"
        "- [approach] Move <private>Acme\nand Bolt</private> first: <PRIVATE>money</PRIVATE>\n"
        "  - files: <private>acme.py</private>, b.py\n"
        "  - concepts: <private>acme</private>\n"
        "stray words\n\nmore stray words\n"
        "## Issues\n- [security] Key is <private>hunter2: open\n- [bugfix] Hidden too: open\n"
    )

    told = extract_facts(text, redact=redact)

    moved, key = told.facts
    assert (moved.text, moved.why) == ("Move [PRIVATE] first", "[PRIVATE]")
    assert (moved.files, moved.concepts) == (("[PRIVATE]", "b.py"), ("[PRIVATE]",))
    assert (key.text, key.line) == ("Key is [PRIVATE]", 10)
    assert [lost.line for lost in told.unused] == [3, 6, 8, 11]
    assert "Acme" not in repr(told).replace("acme", "Acme")
    assert "Hidden" not in repr(told)


def test_k4_a_fact_that_is_all_private_is_none() -> None:
    told = extract_facts("## Issues\n- [bugfix] <private>all of it</private>\n", redact=redact)

    assert [lost.reason for lost in told.unused] == ["it says nothing that is not private"]


WORD = st.from_regex(r"[a-z]{5,9}[0-9]{3}", fullmatch=True)
SHAPES = (
    "- {}",
    "- [approach] {}: because",
    "- [a-b-c] {}",
    "  - {}",
    "    - files: {}",
    "- concepts: {}",
    "  - status: {}",
    "  - why: {}",
    "- none\n  - files: {}",
    "  {}",
    "{}",
    "* {}: resolved",
    "1. {} - fixed",
    "```\n{}\n```",
    "### {}\n- again {}",
    "- [convention|other] {}: {}",
)


@requirement("K24")
@given(
    st.sampled_from(["Decisions", "Patterns", "Issues"]),
    st.lists(st.tuples(st.sampled_from(SHAPES), WORD), max_size=12),
)
def test_every_word_below_a_heading_for_facts_is_in_a_fact_or_told_as_unused(
    section: str, written: list[tuple[str, str]]
) -> None:
    lines = [shape.format(word, word) for shape, word in written]

    told = extract_facts("\n".join((f"## {section}", *lines)))

    everything = repr(told.facts) + repr(told.unused)
    assert [word for _, word in written if word not in everything] == []


@given(
    st.text(alphabet="#-*[]|:` \n\tabx<>/0", max_size=200), st.sampled_from(["", "## Issues\n"])
)
def test_any_text_can_be_read_and_no_fact_is_empty(text: str, before: str) -> None:
    told = extract_facts(before + text)

    lines = (before + text).count("\n") + 1
    assert all(fact.text.strip() and 0 < fact.line <= lines for fact in told.facts)
    assert all(lost.text and 0 < lost.line <= lines for lost in told.unused)
