"""Which words are values of one thing, so that a later one takes the place of an earlier one."""

from __future__ import annotations

from twiceshy.language.alternatives import are_alternatives
from twiceshy.language.stem import stem_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    Words = tuple[str, ...]

_FEW = 2  # words
_YEARS = ("19", "20")  # how the number of "es2022" begins
# A number that is tied to one of these is a version; "db1" and "db2" are two things.
_VERSIONED = frozenset(
    "es c++ cxx java jdk node python py php vue angular tls http go net c".split()
)
_DAYS = frozenset(
    map(
        stem_word,
        """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
        saturdays sundays january february march april may june july august september october november december midnight noon
        januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août octobre décembre
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
        montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags
        lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
        lunedì martedì mercoledì giovedì venerdì sabato domenica""".split(),
    )
)
_CHINESE_DAYS = frozenset("一二三四五六日天")
_CHINESE_NUMBERS = frozenset("一二两三四五六七八九十百千")
_CHINESE_WEEKS = ("周", "星期", "礼拜")
NUMBERS = frozenset(
    """one two three four five six seven eight nine ten twelve zwei drei vier fünf sechs sieben acht neun zehn
    deux trois quatre cinq sept huit neuf dix dos tres cuatro cinco siete ocho nueve diez""".split()
)


def give_values(old: Words, new: Words) -> bool:
    """True if what stood somewhere and what stands there now are values of one thing."""
    if len(old) == len(new) == 1 and (name := old[0].partition("=")[0]) != old[0]:
        return new[0].startswith(f"{name}=")
    if any(map(is_number, old)) and any(map(is_number, new)):
        return len(old) == len(new) == 1
    return _name_alternatives(old, new)


def are_chinese_numbers(old: Words, new: Words) -> bool:
    """True if a number that is written in Chinese stands where another one stood."""
    return bool(old and new) and _CHINESE_NUMBERS.issuperset((*old, *new))


def are_days(old: Words, new: Words, texts: tuple[str, str]) -> bool:
    """True if two words of two texts are days, months or times of the day."""
    if not len(old) == len(new) == 1:
        return False
    pairs = list(zip((old[0], new[0]), texts, strict=True))
    if old[0] in _CHINESE_DAYS and new[0] in _CHINESE_DAYS:
        return all(any(f"{week}{day}" in text for week in _CHINESE_WEEKS) for day, text in pairs)
    return is_day(old[0]) and is_day(new[0])


def is_day(word: str) -> bool:
    """True for a day, a month or a time of the day."""
    return word in _DAYS


def is_number(word: str) -> bool:
    """True for a number, a version or an amount; "db1" and "db2" name two things."""
    if word.removeprefix("v")[:1].isdigit() or word in NUMBERS:
        return True
    name = word.rstrip("0123456789.")
    number = word[len(name) :]
    return bool(number) and (
        name in _VERSIONED or (len(number) == len("2022") and number.startswith(_YEARS))
    )


def _name_alternatives(old: Words, new: Words) -> bool:
    """True if short parts of two texts name things of which there is one at a time."""
    if are_alternatives("".join(old), "".join(new)):
        return True
    few = max(len(old), len(new)) <= _FEW
    return few and any(are_alternatives(one, other) for one in old for other in new)
