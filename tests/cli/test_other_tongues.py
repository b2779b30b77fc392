"""A team writes its notes in one language, and asks in another."""

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement

OTHERS = (
    "Print reports on both sides of the paper.",
    "The logo is blue on a white background.",
    "Draw charts with the year on the horizontal axis.",
    "Fotos der Mitarbeiter sind quadratisch.",
    "颜色要用主题里的变量。",
)


@requirement("T134")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Stop the running process before you delete its files.", "Prozess beenden und löschen"),
        ("Passwords expire after thirty days.", "срок действия пароля истекает"),
        ("Delete the old folders first.", "删除文件夹"),
        ("Restart the server when the connection is lost.", "redémarrer le serveur"),
        ("Close the connection to the database.", "cerrar la conexión"),
        ("Vor dem Neustart die Verbindung trennen.", "disconnect before a restart"),
        ("Удалить старые файлы перед запуском.", "delete files before starting"),
        ("数据库连接失败时重新启动服务。", "database connection failed"),
    ],
)
def test_a_question_in_another_language_finds_the_note(
    twiceshy: Command, text: str, question: str
) -> None:
    name = twiceshy("note", text).out.strip()
    for other in OTHERS:
        twiceshy("note", other)

    assert twiceshy("search", question).out.startswith(name)
