"""Russian words find each other in every case, and other alphabets pay nothing for it."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import twiceshy
from twiceshy.language.cyrillic import stem_cyrillic
from twiceshy.language.terms import index_terms, query_terms

FAMILIES = """
    миграция миграции миграций миграцию миграцией мигрировать
    сервер сервера серверы серверов серверу сервером серверный
    обновлять обновление обновить обновления обновлён обновляется обновлений обновим
    ошибка ошибки ошибок ошибке ошибкой ошибками
    настройка настройки настроек настроить настройкам
    сборка сборки сборок сборку
    удалить удаление удалять удалил удалили удалён удалением
    авторизация авторизации авторизовать авторизован
    память памяти памятью
    отчёт отчёты отчетов отчета отчётами
    файл файлы файлов файла файлом
    пакет пакеты пакетов
    канал каналы каналов
    терминал терминалы терминала
    материал материалы материалов
    роль роли ролей ролям
    пользователь пользователи пользователей пользователям пользователю
    зависимость зависимости зависимостей
    тест тесты тестов тестовый тестовых тестировать тестирование
    данные данных данным данными
    список списки списка списков
    запрос запросы запросов запросу
    сохранить сохранение сохранять сохранил
    выполнить выполнение выполнять выполнения
    проверка проверки проверить проверять проверок
    запуск запуска запуски запускать запускает
    лог логи логов логах
    подпись подписи подписей
    ключ ключи ключей ключом
    ветка ветки веток ветку
    заголовок заголовки заголовков
    очередь очереди очередей очередью
    сообщение сообщения сообщений сообщением
    переменная переменные переменных переменной
    построить построен построили
    уникальный уникальны уникален уникальных
    хранилище хранилища хранилищ
    версия версии версий версию
    токен токены токена токенов
    домен домены доменов
    изменение изменения изменить изменений изменять
    загрузка загрузить загрузки загрузок
    работа работы работает работать
    соединение соединения соединений соединить
    контейнер контейнеры контейнеров
    длинный длинные длинных длинного
    скрипт скрипты скриптов
    страница страницы страниц
""".strip().split("\n")
cyrillic = st.text(
    st.characters(min_codepoint=0x400, max_codepoint=0x52F) | st.sampled_from("аеиоуыйёлнтвсь"),
    max_size=20,
)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_forms_of_a_word_are_one_term(family: str) -> None:
    assert len(set(index_terms(family))) == 1


def test_different_words_stay_different() -> None:
    firsts = [family.split()[0] for family in FAMILIES]

    assert len(set(index_terms(" ".join(firsts)))) == len(firsts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("сервер", "сервис"),
        ("память", "папка"),
        ("порт", "порядок"),
        ("ключ", "включить"),
        ("версия", "верный"),
    ],
)
def test_words_that_only_begin_alike_stay_apart(one: str, other: str) -> None:
    assert index_terms(one) != index_terms(other)


@pytest.mark.parametrize("word", ["қазақша", "үйлерінде", "өгөгдлийн"])
def test_words_with_letters_of_other_languages_are_left_alone(word: str) -> None:
    assert stem_cyrillic(word) == word


@given(cyrillic)
def test_a_stem_is_never_empty_and_never_longer_than_its_word(word: str) -> None:
    stem = stem_cyrillic(word)

    assert len(stem) <= len(word)
    assert bool(stem) is bool(word)


@given(st.lists(cyrillic, max_size=5).map(" ".join))
def test_what_is_looked_for_in_a_text_is_always_found_in_it(text: str) -> None:
    assert set(query_terms(text)) <= set(index_terms(text))


@pytest.mark.parametrize(("text", "needed"), [("Größe café 先 οδος", False), ("база", True)])
def test_the_stemmer_is_loaded_for_texts_with_cyrillic_letters_only(
    text: str, needed: bool
) -> None:
    source = str(Path(twiceshy.__file__).parents[1])
    program = (
        f"import sys; sys.path.insert(0, {source!r})\n"
        f"from twiceshy.language.terms import index_terms; index_terms({text!r})\n"
        "print('twiceshy.language.cyrillic' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == str(needed)
