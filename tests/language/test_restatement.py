"""Whether a text repeats an older one but for one thing, and says that this changed."""

import pytest

from twiceshy.language.restatement import (
    allows_again,
    gives_role_anew,
    hands_over,
    names_other_holder,
    renames,
    says_again,
)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Actually, deploy with Terraform", "Deploy with Ansible"),
        ("Deploy with Terraform now", "Deploy with Ansible"),
        ("Correction: deploy with Terraform", "Deploy with Ansible"),
        ("Deploy with Terraform instead of Ansible", "Deploy with Ansible"),
        ("Forget Ansible, deploy with Terraform", "Deploy with Ansible"),
        ("Deploy with Terraform, Ansible was removed", "Deploy with Ansible"),
        ("Mit Terraform statt Ansible ausrollen", "Mit Ansible ausrollen"),
        ("其实用 Terraform 部署", "用 Ansible 部署"),
        ("告警改发飞书群", "告警发钉钉群"),
        ("The cache TTL was raised to 300 s", "The cache TTL is 60 s"),
        ("超时时间调到 60 秒", "超时时间是 30 秒"),
        ("消息队列换成 Kafka", "消息队列用 RabbitMQ"),
    ],
)
def test_a_change_that_leaves_the_rest_as_it_was(newer: str, older: str) -> None:
    assert says_again(newer, older, is_apart=False)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Deploy with Terraform", "Deploy with Ansible"),  # announces nothing
        ("Actually, deploy the docs with Terraform", "Deploy with Ansible"),
        ("Ahora desplegar en Linux con clang", "Desplegar con clang"),
        ("Ahora usar Redis en el blog", "Usar Redis en la tienda"),
    ],
)
def test_what_adds_something_or_is_elsewhere_is_no_such_change(newer: str, older: str) -> None:
    assert not says_again(newer, older, is_apart=False)


def test_another_subject_is_a_change_only_if_the_text_says_so() -> None:
    older = "The shop uses Redis"

    assert not says_again("The blog uses Redis now", older, is_apart=True)
    assert says_again("The blog uses Redis instead of the shop", older, is_apart=True)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The main branch was renamed to main", "The main branch is called master"),
        ("fetchUser was renamed to loadUser", "The helper is named fetchUser"),
        ("主分支改名为 main", "主分支叫 master"),
        ("develop wurde in main umbenannt", "Der Hauptzweig heißt develop"),
    ],
)
def test_a_new_name(newer: str, older: str) -> None:
    assert renames(newer, older)


def test_a_new_name_of_what_is_used_otherwise_changes_nothing_else() -> None:
    assert not renames("develop was renamed to main", "Deploy develop on Fridays")
    assert not renames("Die Tabelle wurde in Postgres angelegt", "Die Tabelle heißt orders")
    assert not renames("The docs branch was renamed to site", "The main branch is called master")


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("lodash may be used again", "Do not use lodash"),
        ("lodash 又可以用了", "不要用 lodash"),
        ("周五可以发布了", "周五不能发布"),
    ],
)
def test_what_is_allowed_again(newer: str, older: str) -> None:
    assert allows_again(newer, older)
    assert not allows_again(older, newer)


def test_nothing_is_allowed_again_but_what_was_forbidden() -> None:
    assert not allows_again("lodash forks may be used again", "Do not use lodash")
    assert not allows_again("Use lodash", "Do not use lodash")


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Ben has taken over the release from Ann", "Ann is the release manager"),
        ("Ben took over the mobile team from Ann", "Ann leads the mobile team"),
        ("小李接手了支付模块", "小赵负责支付模块"),
    ],
)
def test_a_role_that_is_handed_over(newer: str, older: str) -> None:
    assert hands_over(newer, older)
    assert not hands_over(older, newer)


def test_what_is_taken_over_is_what_the_older_text_is_about() -> None:
    assert not hands_over("Payments took over the refunds", "The refunds table has 3 columns")
    assert not hands_over("Ben took over the docs", "Ann leads the mobile team")


def test_a_role_of_one_person_is_given_anew_and_a_doing_only_if_it_changed() -> None:
    assert gives_role_anew("Ben is the release manager", "Ann is the release manager")
    assert gives_role_anew("发布负责人是小李", "发布负责人是小王")
    assert not gives_role_anew("Ben is the test manager", "Ann is the release manager")
    assert not gives_role_anew("Ben reviews the schema", "Ann reviews the schema")
    assert names_other_holder("Ben reviews the schema", "Ann reviews the schema")
    assert gives_role_anew("Ben reviews the schema now", "Ann reviews the schema")
