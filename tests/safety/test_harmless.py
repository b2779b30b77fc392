"""What passes for harmless is exactly what the rules would leave alone; they are only not loaded."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.builders import texts
from tests.safety import redact_corpus as corpus

from twiceshy.safety.redact import list_secret_values
from twiceshy.safety.redact.formats import FORMATS
from twiceshy.safety.redact.gate import redact_text
from twiceshy.safety.redact.quick_check import _AT_LEAST, is_surely_harmless, list_suspect_values

TURNS = [
    corpus.as_it_is,
    corpus.in_a_command,
    corpus.in_stderr,
    corpus.in_json,
    corpus.in_colour,
    corpus.half_in_colour,
    corpus.in_lost_colour,
    corpus.over_shell_lines,
    corpus.over_escaped_lines,
    corpus.over_short_lines,
    corpus.wrapped(80, ""),
    corpus.wrapped(80, "  "),
]
SECRETS = [
    sample.before + sample.secret + sample.after
    for sample in [*corpus.surrounded(3), *corpus.formats(3), *corpus.armoured(3)]
]


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.__name__)
def test_no_text_with_a_secret_passes_for_harmless(turn: corpus.Turn) -> None:
    spoken = [turn(s.before, s.secret, s.after) for s in corpus.recognisable(turn, 5)]

    missed = [
        text for text in spoken if is_surely_harmless(text) and redact_text(text, []) != text
    ]

    assert spoken
    assert missed == []


@given(
    st.sampled_from(SECRETS),
    st.lists(
        st.tuples(
            st.integers(0, 400), st.sampled_from(["\n", "\n  ", "\n\n", " \n", "\r\n", " "])
        ),
        max_size=3,
    ),
    texts,
)
@example("password: hunter2 is what it was", [(4, "\n"), (8, "\n\n")], "")
def test_a_secret_that_was_cut_anywhere_does_not_pass_either(
    secret: str, cuts: list[tuple[int, str]], around: str
) -> None:
    text = f"{around}\n{secret}\n{around}"
    for at, blank in cuts:
        text = text[:at] + blank + text[at:]

    assert not is_surely_harmless(text) or redact_text(text, []) == text


@given(texts, st.lists(st.text(min_size=4, max_size=30), max_size=3))
def test_any_text_that_passes_is_left_alone_by_the_rules(text: str, known: list[str]) -> None:
    values = [value for value in known if len(value.strip()) >= 4]

    assert not is_surely_harmless(text, values) or redact_text(text, values) == text


@given(texts, st.text(min_size=4, max_size=30), st.sampled_from(["", "\n", "\n   "]))
def test_a_known_secret_is_never_harmless(text: str, value: str, cut: str) -> None:
    middle = len(value) // 2
    whole = f"{text} {value[:middle]}{cut}{value[middle:]} {text}"

    assert not is_surely_harmless(whole, [value]) or redact_text(whole, [value]) == whole


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Exit code 1\ntag not found: v1\nrun `git push --tags` first",
        "2 passed, 1 failed in /home/u/proj/tests/test_patches.py",
        "Traceback (most recent call last):\n  File \"app.py\", line 3\nKeyError: 'name'",
        "please cut a release, and push the tags by hand",
        "先锁定依赖，再打标签。",
        "cannot find module shop/parser, see https://example.org/docs",
    ],
)
def test_what_sessions_are_full_of_is_harmless(text: str) -> None:
    assert is_surely_harmless(text)


@pytest.mark.parametrize("literal", sorted(_AT_LEAST))
def test_so_many_letters_and_digits_follow_a_literal_in_every_format(literal: str) -> None:
    rests = [rest for _, literals, rest, *_ in FORMATS if literal in literals.split()]
    least = _AT_LEAST[literal]

    assert rests
    for rest in rests:
        for position in range(least):
            spoiled = re.compile(re.sub(r"^\(\?<![^)]*\)", "", rest))
            body = "a1" * 100
            assert not spoiled.match(body[:position] + "/" + body)


@given(
    st.dictionaries(
        st.sampled_from(["GITHUB_TOKEN", "apiKey", "DB_PASSWORD", "PATH", "PWD", "OLDPWD", "PAT"])
        | st.text(alphabet="ABCKEYTOKENabckeytoken_", min_size=1, max_size=12),
        st.text(min_size=1, max_size=20),
    )
)
def test_every_secret_of_the_environment_is_a_suspect(environ: dict[str, str]) -> None:
    assert set(list_secret_values(environ)) <= set(list_suspect_values(environ))
