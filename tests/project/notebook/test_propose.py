"""A new rule is distilled where it is clear what the user means, and nowhere else."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.project.notebook.diffs import TextChange
from twiceshy.project.notebook.match_edits import RulePairs, is_asked_by_rule, parse_rule
from twiceshy.project.notebook.propose import MAX_PROPOSALS, file_category, propose_rules


def proposed(
    *pairs: tuple[str, str], file: str = "a.md", known: Sequence[RulePairs] = ()
) -> list[str]:
    changes = [TextChange(file, before, after) for before, after in pairs]
    return [one.text for one in propose_rules(changes, known)]


def test_what_was_replaced_twice_becomes_a_rule_with_its_example() -> None:
    changes = [
        TextChange("a.md", "We utilize the cache.", "We use the cache."),
        TextChange("b.md", "Utilize it.", "Use it."),
    ]

    [rule] = propose_rules(changes)

    assert rule.text == 'Write "use", not "utilize".'
    assert rule.example == "utilize → use"
    assert (rule.category, rule.files, rule.times) == ("prose", ("a.md", "b.md"), 2)


def test_one_word_for_another_in_a_sentence_that_stays_is_clear() -> None:
    assert proposed(("We leverage the cache here.", "We employ the cache here.")) == [
        'Write "employ", not "leverage".'
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It takes 10 seconds today.", "It takes 20 seconds today."),  # a fact
        ("It is the cache we have.", "It was the cache we have."),  # it only connects
        ("The dog runs in the park.", "The dog ran in the park today."),  # two changes
        ("They run the cache here.", "They runs the cache here."),  # another form of the word
        ("leverage", "employ"),  # nothing around it
        ("The cache keeps it all day.", "The cache as below all day."),  # more than a word
        ("A [REDACTED:github] of the cache", "A secret of the cache"),
        ("see [PRIVATE] in the cache", "see nothing in the cache"),
    ],
)
def test_once_is_too_little_where_it_may_mean_something_else(before: str, after: str) -> None:
    assert proposed((before, after)) == []


LOGGED = ("    print(total, one, two)", "    log(total, one, two)")


def in_code(*pairs: tuple[str, str]) -> list[str]:
    """Return what is proposed for changes that are spread over two files of code."""
    changes = [TextChange(f"{at % 2}.py", *pair) for at, pair in enumerate(pairs)]
    return [one.text for one in propose_rules(changes)]


def test_in_code_what_was_replaced_in_several_files_becomes_a_rule() -> None:
    assert in_code(LOGGED, LOGGED, LOGGED) == ["Write `log`, not `print`."]


def test_in_code_a_word_that_was_replaced_in_one_file_or_twice_is_a_change_of_plan() -> None:
    assert in_code(LOGGED, LOGGED) == []
    assert proposed(LOGGED, LOGGED, LOGGED, file="x.py") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def print(total, one, two):", "def log(total, one, two):"),
        ("from tools import print, one, two", "from tools import log, one, two"),
        ("print = one + two + three", "log = one + two + three"),
        ("    print(total, one, two)", "    log(all, one, two)"),
    ],
    ids=["defined", "imported", "assigned", "together with another"],
)
def test_in_code_a_name_that_is_given_anew_is_a_change_of_plan(before: str, after: str) -> None:
    assert in_code(LOGGED, LOGGED, LOGGED, (before, after)) == []


def test_in_code_another_spelling_of_a_name_is_a_change_of_plan() -> None:
    assert in_code(*[("    go(_folders, one, two)", "    go(folders, one, two)")] * 4) == []


def test_what_prose_says_once_is_not_clearer_for_what_code_says() -> None:
    once = TextChange("a.md", "The mode is fts5-fallback here.", "The mode is full here.")
    code = TextChange("a.py", '    assert mode == "fts5-fallback"', '    assert mode == "full"')

    assert propose_rules([once, code, code.but(file="b.py")]) == []


def test_signs_become_a_rule_when_they_are_replaced_often() -> None:
    pair = ("快取很快,也很小", "快取很快\uff0c也很小")

    assert proposed(pair, pair) == []
    assert proposed(pair, pair, pair) == ['Write "\uff0c", not ",".']


def test_a_sign_for_a_word_is_unclear() -> None:
    assert proposed(*[("one .env two three", "one * two three")] * 3) == []


def test_the_same_word_replaced_by_two_others_is_unclear() -> None:
    twice = [("We utilize a b c", "We use a b c")] * 2

    assert proposed(*twice, ("We utilize d e f", "We employ d e f")) == []


def test_there_and_back_again_is_unclear() -> None:
    there = ("We utilize a b c", "We use a b c")

    assert proposed(there, there, there[::-1]) == []


def test_numbers_never_become_a_rule_however_often() -> None:
    assert proposed(*[("It takes 10 s", "It takes 20 s")] * 3) == []


def test_what_was_taken_out_never_becomes_a_rule_however_often() -> None:
    assert proposed(*[("the key [REDACTED:aws] is", "the key x is")] * 3) == []


def test_a_long_passage_is_no_term() -> None:
    pair = ("we do one two three four five now ok", "we do six seven eight nine ten now ok")

    assert proposed(pair, pair) == []


def test_chinese_words_become_rules() -> None:
    assert proposed(("此視頻說明安裝", "此影片說明安裝")) == ['Write "影片", not "視頻".']


def test_one_chinese_character_is_a_part_of_the_word_that_its_places_share() -> None:
    found = proposed(("寫程序時要小心", "寫程式時要小心"), ("這程序很慢", "這程式很慢"))

    assert found == ['Write "程式", not "程序".']


def test_one_chinese_character_in_one_place_is_unclear() -> None:
    assert proposed(("寫程序時要小心", "寫程式時要小心")) == []
    assert proposed(("甲程序乙", "甲程式乙"), ("寫順序時", "寫順式時")) == []


def test_what_a_rule_says_already_is_not_proposed_again() -> None:
    rule = parse_rule(a_note('Say "use", never "utilize".', kind="rule"))
    twice = [("We utilize it all", "We use it all")] * 2

    assert proposed(*twice, known=[rule]) == []


def test_few_rules_come_of_one_edit_those_replaced_most_often_first() -> None:
    names = "alpha beta gamma delta epsilon zeta eta".split()
    pairs = [
        (f"We {name} it all", f"We not{name} it all")
        for number, name in enumerate(names)
        for _ in range(2 + (number == 6))
    ]

    found = proposed(*pairs)

    assert len(found) == MAX_PROPOSALS
    assert found[0] == 'Write "noteta", not "eta".'


@pytest.mark.parametrize(
    ("file", "category"),
    [
        *(("docs/a.md", "prose"), ("README", "prose"), ("a.TXT", "prose"), ("src/x.py", "code")),
        *(
            (".env", "config"),
            ("a/b.toml", "config"),
            ("Makefile", "config"),
            ("x.unknown", "code"),
        ),
    ],
)
def test_the_category_is_that_of_the_file(file: str, category: str) -> None:
    assert file_category(file) == category


WORDS = "utilize use leverage employ the cache 視頻 影片 程序 程式 10 20 [PRIVATE]".split()
LINES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)


@given(st.lists(st.tuples(LINES, LINES), max_size=8))
def test_a_rule_that_is_proposed_says_what_it_was_made_of(pairs: list[tuple[str, str]]) -> None:
    changes = [TextChange("a.md", *pair) for pair in pairs]

    for one in propose_rules(changes):
        rule = parse_rule(a_note(one.text, kind="rule", why=one.example))
        assert is_asked_by_rule(rule, one.wrong, one.right), one
        assert "PRIVATE" not in one.text
        assert one not in propose_rules(changes, [rule])
