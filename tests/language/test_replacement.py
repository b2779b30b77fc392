"""What takes the place of an older note by what it says, what may, and what merely differs."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.core.builders import a_note
from tests.requirements import requirement

from twiceshy.language.alternatives import names_tool
from twiceshy.language.denial_words import (
    DENYING,
    EMPTY,
    GERMAN_EMPTY,
    ROMANCE_EMPTY,
    STATED,
)
from twiceshy.language.near_duplicates import measure_likeness
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
    # what is said to be over
    ("Sessions are no longer stored in Redis but in Postgres", "Sessions are stored in Redis"),
    ("Do not use Docker any more", "Use Docker"),
    ("Jenkins nicht mehr für die Builds verwenden", "Jenkins für die Builds verwenden"),
    ("Ne plus utiliser Jenkins", "Utiliser Jenkins"),
    ("Ya no usar Jenkins", "Usar Jenkins"),
    ("已经不支持 IE 11", "支持 IE 11"),
    ("接口不再返回 XML", "接口返回 XML"),
    ("停用 Jenkins", "使用 Jenkins"),
    # or to be allowed again
    ("lodash may be used again", "Do not use lodash"),
    ("Deploying on Fridays is allowed again", "Never deploy on Fridays"),
    ("周五可以发布了", "周五不能发布"),
    # the same with another thing, announced as a change
    ("Actually, deploy with Terraform", "Deploy with Ansible"),
    ("Correction: merge with rebase", "Merge with squash"),
    ("Use pnpm instead of npm", "Use npm"),
    ("Ab jetzt pnpm statt npm verwenden", "npm verwenden"),
    ("Los correos salen ahora por Postmark", "Los correos salen por Mailgun"),
    ("主分支改名为 main", "主分支叫 master"),
    ("The main branch was renamed to main", "The main branch is called master"),
    # another number of a setting
    ("Retry 5 times", "Retry 3 times"),
    ("Retry failed requests 5 times", "Retry failed requests 3 times"),
    ("Compile to ES2022", "Compile to ES2018"),
    ("Use Node 22", "Use Node 18"),
    ("Le port est 9090", "Le port est 8080"),
    ("Das Zeitlimit ist 60 Sekunden", "Das Zeitlimit ist 30 Sekunden"),
    ("Use eslint 9", "Use eslint 8"),
    ("Build with Java 21 on the runners", "Build with Java 17 on the runners"),
    ("Wir nutzen Postgres 16", "Wir nutzen Postgres 14"),
    ("Set timeout=60", "Set timeout=30"),
    ("Keep at least 85 builds", "Keep at least 80 builds"),
    ("Coverage must be at least 85 %", "Coverage must be at least 80 %"),
    ("Batch size must not exceed 1000", "Batch size must not exceed 500"),
    ("Passwords need 12 characters", "Passwords need 8 characters"),
    ("Discount: 15 %", "Discount: 10 %"),
    ("The gateway listens on port 9090", "The gateway listens on port 8080"),
    ("端口是 9090", "端口是 8080"),
    ("封版时间推迟到 5 月 19 日", "封版时间是 5 月 12 日"),
    # a day, said to be another one now
    ("Releases are on Thursday now", "Releases are on Tuesday"),
    ("The audit is in July from now on", "The audit is in June"),
    ("Never wait more than 10 seconds", "Never wait more than 5 seconds"),
    # another person in a role
    ("Ben is the release manager", "Ann is the release manager"),
    ("Ben is the release manager now", "Ann is the release manager"),
    ("Ben has taken over the release from Ann", "Ann is the release manager"),
    ("小李接手了支付模块", "小赵负责支付模块"),
]
# An exception and what it is one to: both hold, in either order.
EXCEPTIONS = [
    ("Do not use Docker volumes", "Use Docker"),
    ("Do not use Windows 7", "Use Windows"),
    ("Do not use Java 8", "Use Java"),
    ("Do not run slow tests", "Run all tests"),
    ("We no longer use Jenkins plugins", "We use Jenkins"),
    ("Stop using Docker volumes", "Use Docker"),
    ("Do not use more workers", "Use workers"),
    ("Do not revoke used tokens", "Revoke tokens"),
    ("Do not use Docker volumes, use bind mounts", "Use Docker"),
    ("You may use sudo inside containers", "Never use sudo"),
    ("不要使用 React 类组件", "使用 React"),
    ("不要删除在用的分支", "删除分支"),
    ("停用 Jenkins 插件", "使用 Jenkins"),
    ("Java 8 nicht verwenden", "Java verwenden"),
    ("Keine Docker-Volumes verwenden", "Docker verwenden"),
    ("Ne pas utiliser les volumes Docker", "Utiliser Docker"),
    ("No usar volúmenes de Docker", "Usar Docker"),
    ("Do not use Java 9", "Do not use Java 8"),
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
    # a day, a date, an order, or a version besides
    ("Releases are on Thursday", "Releases are on Tuesday"),
    ("发布在周四", "发布在周二"),
    ("In 2025 we lost the audit", "In 2024 we lost the audit"),
    ("On March 9 the disk was full", "On March 3 the disk was full"),
    ("The outage took 45 minutes", "The outage took 30 minutes"),
    ("La panne a duré 45 minutes", "La panne a duré 30 minutes"),
    ("Compress first, then encrypt", "Encrypt first, then compress"),
    ("先升级再备份", "先备份再升级"),
    ("Tested with Django 5.0", "Tested with Django 4.2"),
    ("Runs on Ubuntu 22.04", "Runs on Ubuntu 20.04"),
    ("Use port 443", "Use port 80"),
    ("Tor 5 ist jetzt gesperrt", "Tor 4 ist gesperrt"),
    ("5 号门关闭", "4 号门关闭"),
    ("每四周发布一次", "每两周发布一次"),
    # another holder, besides other endings, and what is no longer forbidden
    (
        "Bernd ist jetzt der Ansprechpartner für Rechnungen",
        "Anna ist die Ansprechpartnerin für Rechnungen",
    ),
    ("Ahora Luis es el responsable de facturación", "Marta es la responsable de facturación"),
    ("Ab sofort Commits zusammenfassen", "Commits nicht zusammenfassen"),
    # the opposite
    ("You cannot delete the tmp folder", "You can delete the tmp folder"),
    ("不可以在生产环境直接执行脚本", "可以在生产环境直接执行脚本"),
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


@requirement("L17", "T140", "T146")
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


@requirement("T140", "T144")
@pytest.mark.parametrize(("one", "other"), EXCEPTIONS)
def test_an_exception_and_its_rule_both_stay(one: str, other: str) -> None:
    assert judge_replacement(one, other, compare_terms) != "replaces"
    assert judge_replacement(other, one, compare_terms) != "replaces"


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


GRAMMAR = EMPTY | DENYING | STATED | GERMAN_EMPTY | ROMANCE_EMPTY
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
    assume(GRAMMAR.isdisjoint(names))

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


RULES = (
    ("Use {thing}", "Do not use {more}"),
    ("We use {thing}", "We no longer use {more}"),
    ("Run the {thing}", "Never run the {more}"),
    ("Always use {thing}", "Stop using {more}"),
    ("使用 {thing}", "不要使用 {more}"),
    ("{thing} verwenden", "{more} nicht verwenden"),
    ("Utiliser {thing}", "Ne pas utiliser {more}"),
    ("Usar {thing}", "Ya no usar {more}"),
)


@requirement("T140", "T144")
@given(
    st.sampled_from(RULES),
    NAMES,
    NAMES | st.integers(1, 99).map(str),
    st.sampled_from(("{0} {1}", "{1} {0}", "{0}-{1}", "{0} with {1}", "{0} {1} {0}")),
)
def test_a_denial_of_less_never_retires_the_rule_nor_the_rule_the_denial(
    rule: tuple[str, str], thing: str, modifier: str, phrase: str
) -> None:
    assume(GRAMMAR.isdisjoint((thing, modifier)))
    general = rule[0].format(thing=thing)
    narrow = rule[1].format(more=phrase.format(thing, modifier))

    assert judge_replacement(narrow, general, compare_terms) != "replaces"
    assert judge_replacement(general, narrow, compare_terms) != "replaces"


@requirement("T140", "T144")
@given(
    st.sampled_from("volumes 类组件 事务 存储过程 七 8 plugins 混入 旧版".split()),
    st.sampled_from("Docker React 数据库 缓存 Windows 消息队列".split()),
    st.sampled_from(("不要使用 {0}{1}", "禁止使用 {0} 的{1}", "不再用 {0}{1}", "别用 {0} {1}")),
)
def test_nor_does_a_chinese_one(part: str, thing: str, denial: str) -> None:
    narrow, general = denial.format(thing, part), f"使用 {thing}"

    assert judge_replacement(narrow, general, compare_terms) != "replaces"
    assert judge_replacement(general, narrow, compare_terms) != "replaces"


NAMED = (
    "{name} {number} ist gesperrt",
    "{name} {number} hat eine defekte Platte",
    "{name} {number} braucht 30 Tage",
    "{name} {number} ist jetzt gesperrt",
    "{name} {number} benutzen",
)
NUMBERED = (
    "{name} {number} is closed",
    "{name} {number} opens the rack",
    "{name} {number} needs 3 days",
    "{name} {number} is closed now",
    "Restart {name} {number}",
    "Use {name} {number}",
    "The guard checks {name} {number}",
)
IDENTIFIERS = st.integers(1, 9999).map(str) | st.from_regex(r"[1-9]\.[0-9]", fullmatch=True)
TWO_IDENTIFIERS = st.lists(IDENTIFIERS, min_size=2, max_size=2, unique=True)


@requirement("T147")
@given(
    st.sampled_from(NAMED),
    st.sampled_from("Tor Kunde Knoten Raum Schlüssel Fassung Regal".split())
    | NAMES.map(str.capitalize),
    TWO_IDENTIFIERS,
)
def test_another_german_thing_with_a_number_never_retires_the_first(
    said: str, name: str, numbers: list[str]
) -> None:
    assume(not names_tool(name))
    old, new = (said.format(name=name, number=number) for number in numbers)

    assert judge_replacement(new, old, compare_terms) != "replaces"


@requirement("T147")
@given(
    st.sampled_from(NUMBERED),
    st.sampled_from("gate key customer Gate Key Customer room meter user".split()),
    TWO_IDENTIFIERS,
)
def test_nor_does_an_english_one(said: str, name: str, numbers: list[str]) -> None:
    old, new = (said.format(name=name, number=number) for number in numbers)

    assert judge_replacement(new, old, compare_terms) != "replaces"


DATES = st.tuples(st.sampled_from("March June October Monday Friday".split()), st.integers(1, 28))


@requirement("T147")
@given(
    st.sampled_from(("On {} {} the disk was full", "We met on {} {}", "Closed on {} {}")),
    DATES,
    DATES,
)
def test_nor_does_what_happened_on_another_date(
    said: str, one: tuple[str, int], other: tuple[str, int]
) -> None:
    assert judge_replacement(said.format(*one), said.format(*other), compare_terms) != "replaces"


@requirement("T142", "T147")
@given(
    st.sampled_from(
        (
            "First {}, then {}",
            "{} before {}",
            "先{}再{}",
            "Zuerst {}, dann {}",
            "Primero {}, luego {}",
        )
    ),
    NAMES,
    NAMES,
)
def test_another_order_never_retires_the_first(said: str, one: str, other: str) -> None:
    new, old = said.format(one, other), said.format(other, one)

    assert judge_replacement(new, old, compare_terms) != "replaces"


SWAPS = (
    "In {place} stop {0} before {1}",
    "In {place}, copy from {0} to {1}",
    "On {place} run {0}, then {1}",
    "For {place} merge {0} into {1}",
    "{place}: {0} calls {1}",
    "{place}环境先停 {0} 再停 {1}",
    "在{place}集群从 {0} 同步到 {1}",
    "En {place} parar {0} antes de {1}",
    "Dans {place} copier de {0} à {1}",
    "In {place} von {0} nach {1} kopieren",
)


@requirement("T142", "T145")
@given(st.sampled_from(SWAPS), st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_an_exchange_in_another_place_never_retires_nor_merges(
    swap: str, names: list[str]
) -> None:
    here, there, one, other = names
    assume(GRAMMAR.isdisjoint(names))
    assume(
        not any(mine[:4] == yours[:4] for mine in names for yours in names if mine is not yours)
    )
    new, old = swap.format(one, other, place=here), swap.format(other, one, place=there)

    assert judge_replacement(new, old, compare_terms) != "replaces"
    assert measure_likeness(new, old) == 0.0


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_judged(one: str, other: str) -> None:
    assert judge_replacement(one, other, compare_terms) in ("replaces", "maybe", "")


@given(st.text(max_size=60))
def test_no_text_supersedes_itself(text: str) -> None:
    assert judge_replacement(text, text, compare_terms) != "replaces"
