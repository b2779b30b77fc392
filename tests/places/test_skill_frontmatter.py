"""What a SKILL.md says about its notes is understood in every form, and nonsense changes nothing."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.places.skill_frontmatter import SkillSettings, parse_skill_settings

EVERYTHING = {
    "enabled": "true",
    "max_tokens": "800",
    "max_pinned_tokens": "4000",
    "dedup_threshold": "0.92",
    "ranking_relevance": "0.5",
    "ranking_recency": "0.3",
    "ranking_hit": "0.2",
}
READ = SkillSettings(
    enabled=True,
    max_tokens=800,
    max_pinned_tokens=4000,
    dedup_threshold=0.92,
    ranking_relevance=0.5,
    ranking_recency=0.3,
    ranking_hit=0.2,
)
NOTHING = SkillSettings()


def skill_md(*lines: str, end: str = "\n") -> str:
    """Return a SKILL.md with these lines at the end of its front matter."""
    return end.join(["---", "name: release", *lines, "---", "# Release", ""])


def block(said: dict[str, str], *, indent: str = "  ") -> str:
    return skill_md("skill-memory:", *(f"{indent}{key}: {said[key]}" for key in said))


def inline(said: dict[str, str]) -> str:
    return skill_md("skill-memory: { " + ", ".join(f"{key}: {said[key]}" for key in said) + " }")


WORDS = st.sampled_from(
    [
        "true",
        "'false'",
        '"true"',
        "0",
        "1",
        "0.9",
        "-1",
        "1500",
        "1e3",
        "nan",
        "null",
        "",
        "~",
        "yes",
    ]
)
SAID = st.dictionaries(st.sampled_from([*EVERYTHING, "colour"]), WORDS)


class TestForms:
    @requirement("U016")
    def test_block_and_inline_map_mean_the_same(self) -> None:
        forms = [block(EVERYTHING), inline(EVERYTHING)]

        assert [parse_skill_settings(form) for form in forms] == [READ, READ]

    @requirement("U016")
    @given(SAID)
    def test_whatever_the_values_block_and_inline_map_mean_the_same(
        self, said: dict[str, str]
    ) -> None:
        assert parse_skill_settings(block(said)) == parse_skill_settings(inline(said))

    @pytest.mark.parametrize(
        ("line", "enabled"),
        [
            ("skill-memory: true", True),
            ("skill-memory: false  # not here", False),
            ("skill-memory: 'true'", True),
            ('"skill-memory": {"enabled": false}', False),
            ("skill-memory : { enabled : True }", True),
            ("skill-memory: {enabled: true,}", True),
            ("skill-memory: {}", None),
            ("skill-memory:", None),
            ("skill-memory: null", None),
        ],
    )
    def test_one_line_says_it(self, line: str, enabled: bool | None) -> None:
        assert parse_skill_settings(skill_md(line)) == SkillSettings(enabled=enabled)

    @pytest.mark.parametrize("indent", [" ", "  ", "        ", "\t"])
    def test_a_block_may_be_indented_in_any_way(self, indent: str) -> None:
        assert parse_skill_settings(block(EVERYTHING, indent=indent)) == READ

    def test_an_inline_map_may_go_on_over_some_lines(self) -> None:
        text = skill_md("skill-memory: {", "  enabled: true,  # yes", "", "max_tokens: 800", "}")

        assert parse_skill_settings(text) == SkillSettings(enabled=True, max_tokens=800)

    def test_comments_quotes_and_blank_lines_are_no_part_of_a_value(self) -> None:
        text = skill_md(
            "skill-memory:  # ours",
            "  # how it is",
            '  enabled: "true"   # quoted',
            "",
            "  'max_tokens': '1_500'\t# also quoted",
            "license: MIT",
            "  max_tokens: 3",
        )

        assert parse_skill_settings(text) == SkillSettings(enabled=True, max_tokens=1500)

    def test_what_a_comma_or_a_hash_inside_quotes_means_is_left_alone(self) -> None:
        text = skill_md('skill-memory: { label: "a, b # c", enabled: true }')

        assert parse_skill_settings(text) == SkillSettings(enabled=True)

    def test_line_ends_of_windows_a_byte_order_mark_and_bytes_make_no_difference(self) -> None:
        text = "\ufeff" + block(EVERYTHING).replace("\n", "\r\n")

        assert parse_skill_settings(text) == parse_skill_settings(text.encode()) == READ

    def test_keys_nobody_knows_and_what_is_below_them_are_ignored(self) -> None:
        text = skill_md("skill-memory:", "  future:", "    enabled: false", "  enabled: true")

        assert parse_skill_settings(text) == SkillSettings(enabled=True)


class TestNonsense:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            "# Release\nskill-memory: true\n",
            "\n" + skill_md("skill-memory: true"),
            " " + skill_md("skill-memory: true"),
            "---\nskill-memory: true\n",
            "--- it\nskill-memory: true\n---\n---\n",
            skill_md("description: |", "  skill-memory: true"),
            skill_md("my-skill-memory: true"),
            skill_md("# skill-memory: true"),
            skill_md() + "skill-memory: true\n---\n",
        ],
    )
    def test_what_is_not_in_the_front_matter_was_not_said(self, text: str) -> None:
        assert parse_skill_settings(text) == NOTHING

    @requirement("U016")
    @pytest.mark.parametrize(
        "lines",
        [
            ["skill-memory: { enabled: true"],
            ["skill-memory: { enabled: true", "license: MIT }"],
            ["skill-memory: { enabled: true", "metadata: { author: me }"],
            ["skill-memory: { enabled: true } and more"],
            ["skill-memory: { enabled true }"],
            ["skill-memory: { enabled: { deep: true } }"],
            ["skill-memory: [enabled]"],
            ["skill-memory: maybe"],
            ["skill-memory:", "  - enabled: true", " max_tokens: 3"],
            ["skill-memory:", "  enabled"],
            ["skill-memory: true", "skill-memory: false"],
        ],
    )
    def test_a_malformed_one_changes_nothing_and_is_a_problem(self, lines: list[str]) -> None:
        read = parse_skill_settings(skill_md(*lines))

        assert read.but(problems=()) == NOTHING
        assert len(read.problems) == 1

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("enabled", "yes"),
            ("enabled", "1"),
            ("max_tokens", "-1"),
            ("max_tokens", "1000001"),
            ("max_tokens", "1.5"),
            ("max_tokens", "lots"),
            ("max_tokens", "٣"),
            ("max_pinned_tokens", "inf"),
            ("dedup_threshold", "0.1"),
            ("dedup_threshold", "1.1"),
            ("dedup_threshold", "nan"),
            ("ranking_hit", "-0.1"),
        ],
    )
    def test_a_value_out_of_range_is_left_out_and_the_others_hold(
        self, key: str, value: str
    ) -> None:
        read = parse_skill_settings(block({"ranking_relevance": "0.7", key: value}))

        assert read.but(problems=()) == SkillSettings(ranking_relevance=0.7)
        [problem] = read.problems
        assert problem.startswith(f"{key} must be ")
        assert problem.endswith(f"not {value!r}")

    def test_weights_that_are_all_zero_are_no_weights(self) -> None:
        zero = dict.fromkeys(("ranking_relevance", "ranking_recency", "ranking_hit"), "0")

        read = parse_skill_settings(block({**zero, "max_tokens": "5"}))

        expected = SkillSettings(max_tokens=5, problems=("the three weights are all zero",))
        assert read == expected

    def test_one_weight_may_be_zero(self) -> None:
        assert parse_skill_settings(block({"ranking_hit": "0"})) == SkillSettings(ranking_hit=0.0)

    @given(st.text(alphabet=st.sampled_from("skill-memory:{}[],'\"#~ \t\n\r-.0true_enabld\ufeff")))
    @example("{" * 5000)
    def test_no_front_matter_whatever_it_holds_is_an_error(self, inside: str) -> None:
        texts = [inside, skill_md(inside), skill_md(f"skill-memory: {inside}")]
        texts.append(skill_md("skill-memory:", inside))

        assert all(isinstance(parse_skill_settings(text), SkillSettings) for text in texts)

    @given(st.binary())
    def test_bytes_that_are_no_text_are_no_error(self, head: bytes) -> None:
        read = parse_skill_settings(b"---\nskill-memory: {enabled: " + head)

        assert isinstance(read, SkillSettings)
