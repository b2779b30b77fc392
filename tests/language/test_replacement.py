"""What takes the place of an older note by what it says, what may, and what merely differs."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.core.builders import a_note
from tests.requirements import requirement

from twiceshy.language.replacement import find_replaced, judge_replacement
from twiceshy.language.supersede import has_supersession_cue
from twiceshy.store.vectors import compare_terms

REPLACES = [
    ("Staging deploys from main now, develop is gone", "Staging deploys from develop"),
    ("测试覆盖率要求提高到 80%", "测试覆盖率要求 70%"),
    ("We no longer deploy from Jenkins; GitHub Actions deploys.", "Deploy from Jenkins."),
    ("Use pnpm instead of npm for installs.", "Install packages with npm ci."),
    ("Never squash merge release branches.", "Always squash merge release branches."),
    ("以后不再用 yarn，改用 pnpm", "安装依赖用 yarn install"),
    ("Artifacts are kept for 7 days", "Artifacts are kept for 30 days"),
    ("We compile with Clang 17", "We compile with Clang 14"),
    ("We compile with Clang 17 now, 14 has no modules", "We compile with Clang 14"),
    ("Deploys happen on Tuesdays now", "Deploys happen on Fridays"),
    ("发布改到周二了", "发布在周五"),
    ("Update: the freeze starts on December 8", "The freeze starts on December 15"),
    ("备份保留 180 天，审计要求", "备份保留 7 天"),
    ("钉钉停用了，告警走飞书", "告警发到钉钉群"),
    ("Compress first, then encrypt", "Encrypt first, then compress"),
]
DIFFERS = [
    ("us-east-1 has 5 replicas", "eu-west-1 has 3 replicas"),
    ("PR #57 must be merged before the release", "PR #41 must be merged before the release"),
    ("Use tabs instead of spaces in Makefiles.", "Spaces matter in YAML files."),
    ("Always lock before tagging.", "Tag releases with a v."),
    ("Use ruff instead of flake8.", "Deploy from Jenkins."),
    # another place
    ("Do not use axios in the shop", "Use axios in the old admin app"),
    ("We no longer use Jenkins for the mobile apps", "We use Jenkins to build the backend"),
    ("Use Postgres 16 in prod", "Use Postgres 14 in staging"),
    ("海外集群的 ingress 用 traefik", "华东集群的 ingress 用 nginx"),
    # another thing, or another thing said of the same
    ("Android targetSdk is 34", "Android minSdk is 24"),
    ("视频上传限制 200MB", "图片上传限制 5MB"),
    ("Use axios in the shop, and fetch nowhere", "Fetch retries twice"),
    # an exception
    ("No header in fixtures, they are the exception", "License headers are needed in src"),
    # the same in other words
    ("Run the migrations before deploying", "Before deploying, run the migrations"),
    ("Lesson 2.", "Lesson 1."),
]
UNSURE = [
    # one word differs, which may be a value or another thing
    ("Run the linter before pushing.", "Run the tests before pushing."),
    ("We deploy from branch stable", "We deploy from branch release"),
    # a number that says which thing, or what else there is
    ("Port 6379 is open on the bastion", "Port 5432 is open on the bastion"),
    ("Python 3.12 is supported", "Python 3.11 is supported"),
    ("Python 3.12 可以用", "Python 3.11 可以用"),
    # the opposite
    ("You cannot delete the tmp folder", "You can delete the tmp folder"),
    ("不可以在生产环境直接执行脚本", "可以在生产环境直接执行脚本"),
    ("Sessions are no longer stored in Redis but in Postgres", "Sessions are stored in Redis"),
    # another language
    ("把 main 合并到 dev", "Merge main into release"),
    ("We no longer use Jenkins for the mobile apps", "We use Jenkins"),
    ("CI is on GitHub Actions", "We use Travis for CI"),
    ("Staging deploys from main, develop is gone", "Staging gets deployed from develop"),
    ("The API no longer accepts XML.", "The API accepts XML and JSON."),
    ("Copy from prod to staging", "Copy from staging to prod"),
    ("The order module depends on billing", "The billing module depends on order"),
    ("Kafka retention for audits was raised to 365 days", "Kafka retention is 7 days"),
]


@requirement("L17", "T140")
@pytest.mark.parametrize(("new", "old"), REPLACES)
def test_what_says_so_takes_the_place_of_what_it_is_about(new: str, old: str) -> None:
    other = a_note("Something else entirely, about parsers.")

    verdict, found = find_replaced(new, [other, a_note(old)], compare_terms)

    assert verdict == "replaces"
    assert found is not None
    assert found.text == old


@requirement("T140")
@pytest.mark.parametrize(("new", "old"), DIFFERS)
def test_what_merely_differs_takes_no_place(new: str, old: str) -> None:
    assert find_replaced(new, [a_note(old)], compare_terms) == ("", None)


@requirement("T141")
@pytest.mark.parametrize(("new", "old"), UNSURE)
def test_what_may_take_a_place_is_asked_about(new: str, old: str) -> None:
    assert judge_replacement(new, old, compare_terms) == "maybe"


def test_nothing_takes_the_place_of_nothing() -> None:
    assert find_replaced("Use pnpm instead of npm.", [], compare_terms) == ("", None)


def test_the_surest_verdict_counts_and_not_the_nearest_words() -> None:
    near, sure = a_note("Copy from staging to prod"), a_note("Deploy from Jenkins")
    text = "We no longer deploy from Jenkins"

    assert find_replaced(text, [near, sure], compare_terms) == ("replaces", sure)


@pytest.mark.parametrize("cue", ["no longer", "Never", "不再", "改用"])
def test_words_of_change_and_of_order_are_cues(cue: str) -> None:
    assert has_supersession_cue(f"We {cue} use npm")
    assert not has_supersession_cue("We use npm")


def test_a_long_text_that_tells_of_a_change_only_asks() -> None:
    story = (
        "We spent two days on the pipeline. The runners were slow, and the cache was cold. "
        "Jenkins is gone, says the ticket of the platform team, but nobody has tried. "
        "The next step is to measure the queue, and to write down what we find there."
    )

    assert judge_replacement("Jenkins is gone", "Deploy from Jenkins", compare_terms) == "replaces"
    assert judge_replacement(story, "Deploy from Jenkins", compare_terms) != "replaces"


NAMES = st.text("abcdefghijklmnoprstuvwz", min_size=4, max_size=8)
AMENDMENTS = (
    "Do not use {tool} in the {place}",
    "We no longer use {tool} in the {place}",
    "{tool} was removed from the {place}",
    "Use {other} instead of {tool} for the {place}",
    "From now on, no {tool} in the {place}",
    "The {place} no longer uses {tool}",
    "The {place} moved from {tool} to {other}",
)
CHINESE_PLACES = st.sampled_from("商城 账单 报表 社区 直播 客服 物流 仓储".split())
CHINESE_AMENDMENTS = (
    "{place}不再用 {tool}",
    "{place}里的 {tool} 换成 {other} 了",
    "{place}改用 {other}，不用 {tool}",
    "{place}停用了 {tool}",
)


@requirement("T140")
@given(st.sampled_from(AMENDMENTS), st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_a_text_never_supersedes_a_note_that_names_another_place(
    amendment: str, names: list[str]
) -> None:
    here, there, tool, other = names
    assume(not any(one[:4] == two[:4] for one in names for two in names if one is not two))

    text = amendment.format(tool=tool, other=other, place=there)

    assert judge_replacement(text, f"Use {tool} in the {here}", compare_terms) != "replaces"


@requirement("T140")
@given(st.sampled_from(CHINESE_AMENDMENTS), CHINESE_PLACES, CHINESE_PLACES, NAMES, NAMES)
def test_nor_does_a_chinese_text(
    amendment: str, here: str, there: str, tool: str, other: str
) -> None:
    assume(here != there and tool != other)

    text = amendment.format(tool=tool, other=other, place=there)

    assert judge_replacement(text, f"{here}用 {tool}", compare_terms) != "replaces"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_judged(one: str, other: str) -> None:
    assert judge_replacement(one, other, compare_terms) in ("replaces", "maybe", "")


@given(st.text(max_size=60))
def test_no_text_supersedes_itself(text: str) -> None:
    assert judge_replacement(text, text, compare_terms) != "replaces"
