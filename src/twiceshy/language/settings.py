"""Whether a number in a text is the value of a setting: "the timeout is 30 seconds", "use Node 22".

Of a setting there is one value at a time, so another number takes its place. Elsewhere a number may say
which thing is meant or when something happened: "gate 4", "in 2024", "tested with Django 5". Two such
texts may both hold. What is not known to set a value sets none.
"""

from __future__ import annotations

from twiceshy.language.alternatives import names_tool
from twiceshy.language.denial import is_foreign
from twiceshy.language.numbering import space_numbers
from twiceshy.language.statement_words import CHINESE, ORDERS, TRIMMED
from twiceshy.language.terms import STOP_WORDS
from twiceshy.language.values import is_number

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

# A number after one of these is a value if the text ends there or a unit follows.
_BEING = frozenset(
    "is are be beträgt ist sind est sont es son é são è sono equals needs need takes lasts".split()
)
_SETTINGS = frozenset(
    """timeout limit ttl retry retries size length count budget threshold width height quota
    depth retention concurrency workers replicas zeitlimit límite limite""".split()
)
_AT = frozenset("at um à".split())  # of the day
_BETWEEN = _AT | set("of de about by auf".split())
_BOUNDING = frozenset(
    """least most than exceed mindestens höchstens maximal minimal máximo mínimo máxima mínima moins plus menos
    más minimum maximum max min""".split()
)
_CHINESE_SETTING = tuple(
    "是 为 至少 最多 最少 超过 低于 少于 多于 超时 上限 下限 重试 保留".split()
)
_UNITS = frozenset(
    """% percent prozent ms s sec secs h kb mb gb tb kib mib gib px times second seconds minute minutes hour hours day
    days week weeks month months year years byte bytes character characters mal sekunde sekunden minuten stunde
    stunden tag tage tagen woche wochen monate monaten jahre jahren zeichen fois seconde secondes heure heures jour
    jours semaine semaines mois ans caractères segundo segundos minuto minutos hora horas día días semana semanas
    mes meses año años veces caracteres vezes dias anos secondi minuti ore giorni settimane mesi anni volte""".split()
)
_CHINESE_UNITS = tuple("% 天 秒 毫秒 分钟 小时 次 周 个月 倍 位 个".split())
# "Use Node 22", and "run on" and "build with" it; "tested with" and "works on" tell what else there is.
_USING = frozenset(
    """use uses using pin require requires run runs need needs nutze nutzen verwende verwenden benutzen usa
    usar usamos uso utilise utiliser utilisons usiamo usare""".split()
)
_WITH = frozenset("with on to mit con avec auf".split())
_WORKING = frozenset(
    "deploy deploys build builds compile compiles lint listen listens run runs upgrade".split()
)
_PAST = frozenset(
    """was were had did ago lost came broke took went got became ran fell began yesterday war waren hatte hatten wurde
    wurden gestern fue fueron estaba era eran había tenía ayer était étaient avait hier foi estava""".split()
)
_ORDERS = ORDERS | set("retry wait limit restrict cap bound rotate delete back".split())
_HELPING = frozenset("is are be being has have get gets must".split())
_HAVING = frozenset("hat haben a ont ha han hanno".split())
_PAST_ENDINGS = ("te", "ten", "ó", "ò", "ou", "aron", "ieron")


def sets_value(newer: str, older: str) -> bool:
    """True if each number that only the newer of two texts has is the value of a setting, as it is now."""
    words, known = _list_words(newer), _list_words(older)
    fresh = [at for at, word in enumerate(words) if _is_value(word) and word not in known]
    return not _tells_past(words, newer) and all(_is_set(words, at) for at in fresh)


def begins_with_number(text: str, other: str) -> bool:
    """True if a text names first a thing with a number that the other one does not have: "Gate 4 is closed"."""
    words, known = _list_words(text), _list_words(other)
    first = [word for word in words[:3] if _is_value(word) and word not in known]
    return bool(first) and len(words) > words.index(first[0]) + 1 and not sets_value(text, other)


def _list_words(text: str) -> list[str]:
    """Return words in lower case, "=" by itself; but "Node", because a "node" is a machine."""
    spaced = text.replace("=", " = ").replace("%", " % ")
    stripped = (word.strip(TRIMMED) for word in space_numbers(spaced))
    return [word if word == "Node" else word.casefold() for word in stripped if word]


def _is_value(word: str) -> bool:
    return is_number(word.casefold())


def _is_set(words: Sequence[str], at: int) -> bool:
    after = words[at + 1] if at + 1 < len(words) else ""
    measured = _is_measured(words[at], after)
    begun, bounded = at, False
    while begun and (words[begun - 1] in _BETWEEN | _BOUNDING or words[begun - 1].isdigit()):
        begun -= 1
        bounded = bounded or words[begun] in _BOUNDING
    before = words[begun - 1] if begun else ""
    if before == "=" or bounded or _names_version(words, at):
        return True
    if measured and words[max(0, at - 1)] not in _AT:
        return True
    sets = before in _BEING | _SETTINGS or (before == "to" and "set" in words)
    return (sets or before.endswith(_CHINESE_SETTING)) and not after


def _is_measured(number: str, after: str) -> bool:
    """True if a unit follows a number, or is tied to it."""
    return (
        after in _UNITS
        or number.lstrip("0123456789.,") in _UNITS
        or (after >= CHINESE and after.startswith(_CHINESE_UNITS))
    )


def _names_version(words: Sequence[str], at: int) -> bool:
    """True if a text says to use this version of a tool."""
    tied = words[at][0].isalpha() and not words[at][1:2].isdigit()  # "ES2022"
    start = at if tied else at - 1
    if start < 1 or not (tied or names_tool(words[start])):
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    if after and after < CHINESE and after not in STOP_WORDS:
        return False  # "run Python 3.12 tests first"
    verb = words[start - 2] if start > 1 and words[start - 1] in _WITH else words[start - 1]
    is_bare = verb == words[0] and verb.endswith("s")  # "Runs on Java 17": on which others?
    if is_bare or words[start] == "port":
        return verb == "listens" and not is_bare
    return verb in _USING | _WORKING or (verb >= CHINESE and verb.endswith("用"))


def _tells_past(words: Sequence[str], text: str) -> bool:
    """True if a text tells what happened; an order tells of no past: "retry failed uploads"."""
    if not _PAST.isdisjoint(words) or "了" in text or "过 " in f"{text} ".replace("超过", ""):
        return True
    if words and words[0] in _ORDERS:
        return False
    pairs = list(zip(["", *words], words, strict=False))
    if any(
        one in _HAVING and other.endswith(("é", "ado", "ido", "ato", "uto"))
        for one, other in pairs
    ):
        return True
    if is_foreign(text):
        perfect = not _HAVING.isdisjoint(words) and words[-1].startswith("ge")
        return perfect or any(word.endswith(_PAST_ENDINGS) for word in words[:-1])
    return any(
        word.endswith("ed") and not word.endswith("eed") and before not in _HELPING
        for before, word in pairs
    )
