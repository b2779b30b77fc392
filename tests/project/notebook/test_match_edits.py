"""A rule is missed when its wrong words had to go for its right ones, and at no other time."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id

from twiceshy.project.notebook.diffs import TextChange, split_words
from twiceshy.project.notebook.match_edits import (
    RulePairs,
    WordPair,
    find_missed_rules,
    is_asked_by_rule,
    parse_rule,
)
from twiceshy.project.notebook.match_prompt import find_quoted_terms

USE = 'Write "use", not "utilize".'


def a_rule(text: str = USE, why: str = "", **fields: object) -> RulePairs:
    return parse_rule(a_note(text, kind="rule", why=why, **fields))


def missed(rule: RulePairs, before: str, after: str) -> bool:
    return bool(find_missed_rules([TextChange("a.md", before, after)], [rule]))


@pytest.mark.parametrize(
    ("text", "wrong", "rights"),
    [
        (USE, ["utilize"], ["use"]),
        ("Use `pnpm` instead of `npm`.", ["npm"], ["pnpm"]),
        ("Don't write “utilize”; instead write “use”.", ["utilize"], ["use"]),
        ("Instead of `npm`, take `pnpm` or `yarn`.", ["npm"], ["pnpm", "yarn"]),
        ('Write "a", never "b" or "c".', ["b", "c"], ["a"]),
        ("寫「影片」,不要寫「視頻」", ["視頻"], ["影片"]),
        ("用「影片」而非「視頻」。", ["視頻"], ["影片"]),
        ("Never write `utilize`.", ["utilize"], []),
        ('Rather write "x" than "y".', [], []),
        ("Always use `pnpm`.", [], []),
        ("Tag last.", [], []),
    ],
)
def test_a_rule_tells_by_its_quotes_what_to_avoid(
    text: str, wrong: list[str], rights: list[str]
) -> None:
    pairs = a_rule(text).pairs

    asked = tuple(tuple(split_words(each)) for each in rights)
    assert pairs == tuple(WordPair(tuple(split_words(each)), asked) for each in wrong)


@pytest.mark.parametrize(
    ("why", "before", "after"),
    [
        ("utilize → use", "We utilize it", "We use it"),
        ("I utilize the cache -> I use the cache", "They utilize it", "They use it"),
        ("I just do it → I do it", "We just go", "We go"),
        ("視頻 → 影片", "看視頻吧", "看影片吧"),
        ("because of style\nGithub => GitHub", "on Github now", "on GitHub now"),
    ],
)
def test_a_rule_tells_by_its_example_what_to_avoid(why: str, before: str, after: str) -> None:
    rule = a_rule("How we write.", why)

    assert missed(rule, before, after)
    assert not missed(rule, after, before)


def test_of_an_example_only_the_words_count_that_say_something() -> None:
    rule = a_rule("How we write.", "The cache utilize it → A cache use it")

    assert missed(rule, "They utilize it", "They use it")
    assert not missed(rule, "The dog is here", "A dog is here")


def test_m3_a_word_inside_another_word_is_another_word() -> None:
    rule = a_rule('Write "employ", not "use".')

    assert not missed(rule, "because we reuse a user", "because we employ a user")
    assert missed(rule, "we use a thing", "we employ a thing")


def test_m3_case_makes_no_difference_unless_it_is_the_difference() -> None:
    assert missed(a_rule(), "Utilize it", "Use it")
    assert missed(a_rule('Write "GitHub", not "Github".'), "on Github", "on GitHub")
    assert not missed(a_rule('Write "GitHub", not "Github".'), "on github", "on GitHub")


def test_a_rule_is_not_missed_where_its_right_words_do_not_come() -> None:
    assert not missed(a_rule(), "We utilize the cache", "We like the cache")


def test_a_rule_without_right_words_is_missed_where_its_wrong_ones_go() -> None:
    rule = a_rule("Never write `simply`.")

    assert missed(rule, "We simply go", "We go")
    assert not missed(rule, "We simply go", "Then we simply go")


def test_a_change_counts_once_for_a_rule_however_often_the_word_stands_in_it() -> None:
    [hit] = find_missed_rules([TextChange("a.md", "utilize, utilize", "use, use")], [a_rule()])

    assert hit.key.startswith("edit:")


def test_the_same_line_twice_is_two_changes_and_stays_two() -> None:
    change = TextChange("a.md", "We utilize it", "We use it", "v1")
    rule = a_rule()

    keys = [hit.key for hit in find_missed_rules([change, change], [rule])]

    assert len(set(keys)) == 2
    assert keys == [hit.key for hit in find_missed_rules([change, change], [rule])]
    assert find_missed_rules([change.but(base="v2")], [rule])[0].key not in keys


def test_a_change_nearby_does_not_make_it_another_miss() -> None:
    one = TextChange("a.md", "We utilize it\nfor now", "We use it for now", "v1")

    [alone] = find_missed_rules([one.but(removed="We utilize it", added="We use it")], [a_rule()])
    [wider] = find_missed_rules([one], [a_rule()])

    assert alone.key == wider.key


def test_every_rule_has_a_key_of_its_own() -> None:
    other = a_rule('Write "use", not "utilize", ever.', id=an_id(2))

    found = find_missed_rules(
        [TextChange("a.md", "We utilize it", "We use it")], [a_rule(), other]
    )

    assert len({hit.key for hit in found}) == 2


WORDS = st.sampled_from("utilize use We the cache 視 頻 影 片 , utilized".split())
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


@given(before=TEXTS, after=TEXTS)
def test_a_rule_is_never_missed_by_a_change_that_does_not_touch_its_words(
    before: str, after: str
) -> None:
    def count(text: str, word: str) -> int:
        return split_words(text).count(word)

    assume(
        count(before, "utilize") <= count(after, "utilize")
        or count(before, "use") >= count(after, "use")
    )

    assert not missed(a_rule(), before, after)


@given(before=TEXTS, after=TEXTS, why=TEXTS)
def test_what_puts_a_rule_right_never_does_so_the_other_way_round(
    before: str, after: str, why: str
) -> None:
    rule = a_rule(USE)

    assert not (is_asked_by_rule(rule, before, after) and is_asked_by_rule(rule, after, before))


@given(st.text(), st.text())
def test_any_rule_can_be_read(text: str, why: str) -> None:
    known = a_rule(text, why)

    assert all(pair.wrong for pair in known.pairs)


def test_quotes_are_found_where_they_close() -> None:
    found = find_quoted_terms('Write "a" and `b c`, “d”, 「影片」, not ""; a lone " stays')

    assert [one.text for one in found] == ["a", "b c", "d", "影片"]
