"""People write notes in their own languages, and ask in other forms of the words, or misspell them."""

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement

OTHERS = (
    "Lock with `uv lock --frozen` before tagging, or the lock file is rewritten.",
    "Die Rechnungen liegen im Archiv, nie löschen.",
    "Отчёты строятся ночью.",
    "前端用pnpm安装依赖。",
)


def notes(twiceshy: Command, text: str) -> str:
    for other in OTHERS:
        twiceshy("note", other)
    return twiceshy("note", text).out.strip()


@requirement("T130")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Die Datenbankmigration läuft nur nachts.", "Migration der Datenbank"),
        ("Vor jeder Migration der Datenbank sichern.", "Datenbankmigration"),
        ("Zertifikate laufen im Gateway ab.", "Zertifikatsfehler"),
        ("Häuser und Räume haben eigene Tabellen.", "Wo ist ein Haus gespeichert?"),
        ("Die Warteschlange mit purge leeren.", "Warteschlangen"),
    ],
)
def test_a_german_note_is_found_by_other_forms_and_by_parts_of_compounds(
    twiceshy: Command, text: str, question: str
) -> None:
    name = notes(twiceshy, text)

    assert twiceshy("search", question).out.startswith(name)


@requirement("T131")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Миграция базы запускается вручную.", "миграций"),
        ("Серверы обновляем по одному.", "обновление сервера"),
        ("Le migrazioni si eseguono a mano dopo la copia.", "la migrazione non parte"),
        ("Los mensajes bloqueados se borran con purge.", "un mensaje bloqueado"),
    ],
)
def test_a_note_is_found_in_every_case_number_and_gender(
    twiceshy: Command, text: str, question: str
) -> None:
    name = notes(twiceshy, text)

    assert twiceshy("search", question).out.startswith(name)


@requirement("T132")
@pytest.mark.parametrize("question", ["kuberntes", "kubernets pods", "kubrenetes"])
def test_a_misspelled_word_finds_the_note_that_has_it_right(
    twiceshy: Command, question: str
) -> None:
    name = notes(twiceshy, "Kubernetes restarts what does not answer its probe.")

    assert twiceshy("search", question).out.startswith(name)


@requirement("T133")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("升级到 Node 20 后要重新构建。", "升级到Node20后报错"),
        ("MySQL8的字符集是utf8mb4。", "mysql 8 字符集"),
        ("用 Docker 部署时端口改成 8081。", "用docker部署时端口冲突"),
        ("文件锁没有释放会卡住。", "锁"),
    ],
)
def test_chinese_mixed_with_english_is_found_with_and_without_blanks(
    twiceshy: Command, text: str, question: str
) -> None:
    name = notes(twiceshy, text)

    assert twiceshy("search", question).out.startswith(name)
