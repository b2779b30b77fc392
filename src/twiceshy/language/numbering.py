"""Whether the numbers of two texts number things of a row, such as "lesson 3" and "lesson 4".

"Node 18" and "Node 20", "port 8080" and "port 9090" are values of one thing, which the later text changes.
"""

from __future__ import annotations

from twiceshy.language.alternatives import names_tool
from twiceshy.language.statement_words import (
    AMOUNTS,
    CHINESE,
    CHINESE_AMOUNTS,
    NUMBERED,
    TRIMMED,
    VERBS,
)
from twiceshy.language.stem import stem_word
from twiceshy.language.terms import STOP_WORDS
from twiceshy.language.tongue import GERMAN, ROMANCE
from twiceshy.language.values import NUMBERS

# After one of these, a number is a value.
_VALUED = frozenset(
    map(
        stem_word,
        """port limit timeout max maximum min minimum ttl retry retries level size count budget threshold width height
        quota depth retention batch seed concurrency worker workers replica replicas version python node java
        postgres mysql redis php ruby go react vue angular django kafka ubuntu debian sdk api is are was use uses
        run runs need needs keep keeps allow allows least most than exceed maximal minimal mindestens höchstens mínimo mínima máximo
        máxima""".split(),
    )
)
# What is counted after a number, besides what a plural tells.
_COUNTED = frozenset(
    """times mal minuten sekunden stunden tage tagen wochen monate jahre secondes minutes heures jours semaines mois ans fois
    segundos minutos horas días semanas meses años veces vezes dias secondi minuti ore giorni settimane mesi anni volte""".split()
)
_FOREIGN = GERMAN | ROMANCE
_NUMBERS = NUMBERS - {"one"}  # which is a pronoun, too
_SHORT = 3  # letters
_BEGINNING = 5  # words
_CHINESE_VALUED = """端口 超时 上限 下限 限制 重试 并发 版本 大小 线程 副本 进程 数 量 率 期 为 到 是 用 走 设 成 改 升 降 调 过 留 约 超 于 等 长 宽 高
    每 年 月 最多 最少 至少 存 跑 放""".split()


def numbers_things(newer: str, older: str, *, anywhere: bool) -> bool:
    """True if a number that only one of two texts has says which thing of a row is meant.

    Only numbers at the beginning count, unless ``anywhere``.
    """
    if _has_heading(newer) and _has_heading(older):
        return newer.split()[1] != older.split()[1]
    if _list_tickets(newer) != _list_tickets(older):
        return True
    new, old = ([word.strip(TRIMMED) for word in space_numbers(text)] for text in (newer, older))
    first = None if anywhere else _BEGINNING
    pairs = ((new[:first], old), (old[:first], new))
    found = [_numbers_thing(words, known) for words, known in pairs]
    return any(found) if anywhere else all(found)


def _list_tickets(text: str) -> set[str]:
    """Return words such as "#41"."""
    return {word.strip(".,;:()") for word in text.split() if word.lstrip("(")[:1] == "#"}


def _has_heading(text: str) -> bool:
    """True if a text begins with a word and a number by themselves: "Mistake 3: …"."""
    first = text.split(maxsplit=2)[:2]
    return (
        len(first) > 1 and first[0].isalpha() and first[1][:-1].isdigit() and first[1][-1] in ":.)"
    )


def _numbers_thing(words: list[str], known: list[str]) -> bool:
    return any(
        (word.isdigit() or word.casefold() in _NUMBERS)
        and word not in known
        and _names_thing(words[:at], words[at + 1 :])
        for at, word in enumerate(words)
    )


def _names_thing(before: list[str], after: list[str]) -> bool:
    """True if a number between these words belongs to a thing: after a common noun, before no unit."""
    noun, unit = before[-1] if before else "", after[0] if after else ""
    if unit[:1] in CHINESE_AMOUNTS or stem_word(unit.casefold()) in AMOUNTS:
        return False
    if not noun or noun[-1] >= CHINESE:
        return bool(noun) and not noun.endswith(tuple(_CHINESE_VALUED))
    folded = noun.casefold()
    if not noun.isalpha() or folded in STOP_WORDS or stem_word(folded) in _VALUED:
        return False
    if names_tool(folded):
        return False
    if folded in NUMBERED:
        return True
    return noun.islower() and len(noun) > 1 and not _is_counted(unit) and folded not in _FOREIGN


def _is_counted(unit: str) -> bool:
    """True for the name of many things, before which a number says how many: "3 workers", "3 Tage"."""
    return (
        unit in _COUNTED
        or (unit[:1].isupper() and len(unit) > _SHORT)
        or (len(unit) > _SHORT and unit.endswith("s") and unit not in STOP_WORDS | VERBS)
    )


def space_numbers(text: str) -> list[str]:
    """Split a text at blanks, and Chinese from what is not."""
    spaced, last = [], ""
    for char in text:
        if last and (char >= CHINESE) != (last >= CHINESE):
            spaced.append(" ")
        spaced.append(char)
        last = char
    return "".join(spaced).split()
