"""What people read has every language, and every language says the same."""

import ast
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from twiceshy import wording
from twiceshy.notes import person
from twiceshy.project.audit import wording as audit
from twiceshy.wording import chinese

# Sentences that stand in a table, and texts there that are the same in every language.
TABLES = (
    "SOUND[finding.area]",
    "MESSAGES[finding.about]",
    "actions.get(finding.about, '')",
    "PERSON_ACTS[act].says",
)
COMMANDS = ("twiceshy ", "git ", "{message}", "{hint}")
SOURCES = Path(__file__).parent.parent / "src" / "twiceshy"


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    wording.speak(lambda: "en")


SAYING = ("worded", "print_worded")


@cache
def said() -> dict[str, str]:
    """Return every sentence of the source by the place where it is said."""
    found: dict[str, str] = {}
    for path in SOURCES.rglob("*.py"):
        text = path.read_text()
        for call in ast.walk(ast.parse(text)) if "worded" in text else ():
            if isinstance(call, ast.Call) and ast.unparse(call.func) in SAYING:
                sentence = call.args[0]
                if ast.unparse(sentence) == "sentence":  # print_worded passes it on
                    continue
                where = f"{path.relative_to(SOURCES)}:{call.lineno}"
                if ast.unparse(sentence) not in TABLES:
                    assert isinstance(sentence, ast.Constant), (
                        f"{where}: a sentence must stand there whole"
                    )
                    found[str(sentence.value)] = where
    tables = (audit.SOUND, audit.MESSAGES, audit.ACTIONS, audit.FILE_ACTIONS)
    texts = (text for table in tables for text in table.values())
    found |= {act.says: person.__name__ for act in person.PERSON_ACTS.values()}
    return found | {text: audit.__name__ for text in texts if not text.startswith(COMMANDS)}


def values(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def test_every_sentence_has_a_chinese_one() -> None:
    missing = {text: where for text, where in said().items() if text not in chinese.table()}

    assert not missing


def test_no_translation_is_left_of_a_sentence_that_is_gone() -> None:
    assert not set(chinese.table()) - set(said())


def test_a_translation_names_the_same_values() -> None:
    for english, translated in chinese.table().items():
        assert values(english) == values(translated), english


def test_a_translation_is_in_chinese() -> None:
    for english, translated in chinese.table().items():
        assert any("\u4e00" <= sign <= "\u9fff" for sign in translated), english


@pytest.mark.parametrize(
    ("setting", "environ", "expected"),
    [
        ("auto", {"LANG": "zh_TW.UTF-8"}, "zh"),
        ("auto", {"LANG": "de_DE.UTF-8"}, "en"),
        ("auto", {"LC_ALL": "C", "LANG": "zh_TW.UTF-8"}, "en"),
        ("auto", {"LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "C"}, "zh"),
        ("auto", {}, "en"),
        ("en", {"LANG": "zh_TW.UTF-8"}, "en"),
        ("zh", {"LANG": "C"}, "zh"),
    ],
)
def test_the_setting_names_the_language_and_auto_means_the_locale(
    setting: str, environ: dict[str, str], expected: str
) -> None:
    assert wording.language(setting, environ) == expected


def test_a_sentence_is_said_in_the_language_that_was_chosen() -> None:
    english = wording.worded("the store was damaged; it is set aside in {path}", path="/p")
    wording.speak(lambda: "zh")
    other = wording.worded("the store was damaged; it is set aside in {path}", path="/p")

    assert english == "the store was damaged; it is set aside in /p"
    assert other == "資料庫已損壞,原檔移至 /p"
