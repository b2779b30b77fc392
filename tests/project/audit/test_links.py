"""Where a Markdown text leads."""

import pytest

from twiceshy.project.audit.pages import MarkdownLink, find_imports, find_links, has_unclosed_fence


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("see [the plan](docs/plan.md)", "docs/plan.md"),
        ("see [the plan](<docs/my plan.md>)", "docs/my plan.md"),
        ("see [the plan](docs/my%20plan.md)", "docs/my plan.md"),
        ('see [the plan](docs/plan.md "A title")', "docs/plan.md"),
        ("see [the plan](docs/plan.md#goals)", "docs/plan.md"),
        ("see [the code](src/app.py:12)", "src/app.py"),
        ("![a picture](shot.png)", "shot.png"),
    ],
)
def test_a_link_names_a_file(text: str, target: str) -> None:
    assert find_links(text) == [MarkdownLink(target)]


@pytest.mark.parametrize(
    "text",
    [
        "[web](https://example.org/x.md)",
        "[mail](mailto:a@example.org)",
        "[part](#below)",
        "[other host](//example.org/x.md)",
        "[template](docs/{name}.md)",
        "in code: `[x](gone.md)` and ``[[gone]]``",
        "```\n[x](gone.md)\n```",
        "~~~md\n```\n[x](gone.md)\n```\n~~~",
        "if [[ -f gone.md ]]; then",
        "an array [1](2",
        r"\[no link](gone.md)",
    ],
)
def test_what_leads_to_no_file_is_no_link(text: str) -> None:
    assert find_links(text) == []


def test_a_name_in_double_brackets_is_a_page() -> None:
    text = "See [[billing]], [[Billing Rules|the rules]] and [[billing#limits]]."

    assert find_links(text) == [
        MarkdownLink("billing", is_wiki=True),
        MarkdownLink("Billing Rules", is_wiki=True),
    ]


def test_text_behind_a_block_of_code_is_read_again() -> None:
    assert find_links("```\n[x](a.md)\n```\n[y](b.md)") == [MarkdownLink("b.md")]


def test_an_instruction_file_takes_in_what_stands_behind_an_at_sign() -> None:
    text = "Read @docs/style.md and @~/notes.md, ask me@example.md, npm i @scope/pkg, `@no.md`."

    assert find_imports(text) == ["docs/style.md", "~/notes.md"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\nx", True),
        ("```\nx\n```", False),
        ("````\n```\n````", False),
        ("```\n~~~\n", True),
        ("```sh\nx\n```sh\n", True),
        ("no code", False),
    ],
)
def test_a_block_of_code_that_does_not_end_is_seen(text: str, expected: bool) -> None:
    assert has_unclosed_fence(text) is expected
