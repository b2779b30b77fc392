"""A Markdown text is taken apart into bullets and paragraphs, each with its line and its headings."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.interop.imports.prose import split_front_matter, split_prose

TEXT = """# One

First paragraph,
two lines.

## Two

- a bullet
  that goes on
- [x] done

```sh
# no heading
- no bullet
```

# Three

last
"""
WORDS = st.lists(
    st.sampled_from(["# A", "## B", "- x", "  y", "", "```", "---", "<!-- c", "-->", "k: v", "é"])
)


def test_each_piece_knows_its_line_and_its_headings() -> None:
    found = [(said.line, said.text, said.headings, said.bullet) for said in split_prose(TEXT)]

    assert found == [
        (3, "First paragraph,\ntwo lines.", ("One",), False),
        (8, "a bullet\nthat goes on", ("One", "Two"), True),
        (10, "done", ("One", "Two"), True),
        (12, "```sh\n# no heading\n- no bullet\n```", ("One", "Two"), False),
        (19, "last", ("Three",), False),
    ]
    assert [said.state for said in split_prose(TEXT)] == ["", "", "done", "", ""]


def test_front_matter_tells_texts_and_lists() -> None:
    text = "---\ntitle: 'A: b'\ntags: [x, \"y\"]\nmore:\n- one\n- two\nmap:\n  a: b\n---\nBody\n"

    told, body, line = split_front_matter(text)

    assert told == {"title": "A: b", "tags": ("x", "y"), "more": ("one", "two"), "map": ""}
    assert (body, line) == ("Body\n", 10)
    assert split_front_matter("Body\n") == ({}, "Body\n", 1)


@given(WORDS.map("\n".join) | st.text())
def test_every_text_can_be_taken_apart(text: str) -> None:
    _, body, first = split_front_matter(text)

    found = list(split_prose(body, first=first))

    lines = [said.line for said in found]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
