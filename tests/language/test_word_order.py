"""The same words in another order: another statement if two things are exchanged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.language.near_duplicates import measure_likeness, say_different_things
from twiceshy.language.same_meaning import is_same_meaning, read_meaning
from twiceshy.language.word_order import is_swapped

SWAPPED = [
    ("Copy from staging to prod", "Copy from prod to staging"),
    ("Copy the db dump from staging to prod", "Copy db dumps from prod over to staging"),
    ("Web depends on the api", "The api depends on web"),
    ("The worker calls the API", "The API calls the worker"),
    ("Run lint, then tests", "Run tests, then lint"),
    ("Use tabs in Makefiles and spaces in Python", "Use spaces in Makefiles and tabs in Python"),
    ("rsync src/ to dst/", "rsync dst/ to src/"),
    ("Port 3000 is the API and 4000 the web", "Port 4000 is the API and 3000 the web"),
    ("从测试库同步到正式库", "从正式库同步到测试库"),
    ("把 staging 的数据复制到 prod", "把 prod 的数据复制到 staging"),
    ("先备份再迁移", "先迁移再备份"),
    ("订单服务调用库存服务", "库存服务调用订单服务"),
    ("A 机房挂了切到 B 机房", "B 机房挂了切到 A 机房"),
    ("Copiar de staging a prod", "Copiar de prod a staging"),
    ("Copiar hoy de staging a prod", "Copiar de prod a staging hoy"),
    ("Copier de staging à prod", "Copier de prod à staging"),
    ("Migrar do MySQL no Postgres", "Migrar do Postgres no MySQL"),
    ("Copiare da staging a prod", "Copiare da prod a staging"),
    ("Von A an B senden", "Von B an A senden"),
    ("Den Dump aus Staging in Prod laden", "Den Dump aus Prod in Staging laden"),
    ("Stop A before B", "Stop B before A"),
    (
        "Kim is on call in week 1, Lee in week 2, Max in week 3",
        "Max is on call in week 1, Kim in week 2, Lee in week 3",
    ),
]
MOVED = [
    ("Before deploying, run the migrations", "Run the migrations before deploying"),
    ("Before deploying run migrations", "Run migrations before deploying"),
    ("Lint and test before pushing", "Test and lint before pushing"),
    ("In CI, use node 20", "Use node 20 in CI"),
    ("From prod copy to staging", "Copy to staging from prod"),
    ("部署前先跑迁移", "先跑迁移再部署"),
    ("提交前跑格式化和测试", "提交前跑测试和格式化"),
    ("Vor dem Deploy die Tests ausführen", "Die Tests vor dem Deploy ausführen"),
    ("Antes de desplegar, ejecutar las pruebas", "Ejecutar las pruebas antes de desplegar"),
    ("Avant de déployer, lancer les tests", "Lancer les tests avant de déployer"),
    ("Usar Redis y Postgres", "Usar Postgres y Redis"),
    ("Run a test before the build", "Run the test before a build"),
    ("", ""),
    ("npm", "npm"),
]


@requirement("T142")
@pytest.mark.parametrize(("one", "other"), SWAPPED)
def test_texts_that_exchange_two_things_are_told_apart(one: str, other: str) -> None:
    assert is_swapped(one, other)
    assert is_swapped(other, one)
    assert measure_likeness(one, other) == 0.0
    assert not is_same_meaning(read_meaning(one), read_meaning(other))


@requirement("T142")
@pytest.mark.parametrize(("one", "other"), MOVED)
def test_a_clause_that_moves_or_a_list_in_another_order_makes_no_difference(
    one: str, other: str
) -> None:
    assert not is_swapped(one, other)
    assert not is_swapped(other, one)


FRAMES = (
    "Copy the data from {0} to {1}",
    "{0} depends on {1}",
    "Merge {0} into {1} on Fridays",
    "Prefer {0} over {1}",
    "从 {0} 同步到 {1}",
    "先跑 {0} 再跑 {1}",
    "{0} 调用 {1}",
    "Copiar de {0} a {1}",
    "Copier de {0} à {1}",
    "Copiar do {0} para o {1}",
    "Copiare da {0} a {1}",
    "Von {0} an {1} senden",
)
NAMES = st.text("bcdfghjklmnpqrstvwxz", min_size=3, max_size=9)


@requirement("T142")
@given(st.sampled_from(FRAMES), st.lists(NAMES, min_size=2, max_size=2, unique=True))
def test_exchanging_two_names_never_makes_a_duplicate(frame: str, names: list[str]) -> None:
    one, other = frame.format(*names), frame.format(*reversed(names))

    assert measure_likeness(one, other) == 0.0
    assert say_different_things(one, other)


@given(st.text(max_size=60), st.text(max_size=60))
def test_it_is_the_same_both_ways_and_no_text_is_swapped_with_itself(one: str, other: str) -> None:
    assert is_swapped(one, other) == is_swapped(other, one)
    assert not is_swapped(one, one)
