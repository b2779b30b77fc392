"""Word order: two texts with equal words, of which one exchanges two things.

"Copy from staging to prod" is another statement than "Copy from prod to staging", while
"Before deploying, run migrations" only moves a clause. A clause that moves takes its connecting
word along; things that are exchanged leave the connecting words behind.
"""

from __future__ import annotations

from twiceshy.core.memo import memoise
from twiceshy.language.han import fold_chinese
from twiceshy.language.stem import stem_word
from twiceshy.language.terms import STOP_WORDS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_CHINESE = "\u2e80"
_ARTICLES = frozenset("the a an this that these those our your my its".split())
_PARTICLES = frozenset("的了请地得")
_COORDINATORS = frozenset(
    "and or & / + plus nor as well und oder et ou y o e ed 和 与 及 跟 或 同 以 者".split()
)
# After one of these, a thing has another part in the sentence.
_CONNECTORS = frozenset(
    """from to into onto toward towards before after until over under than instead rather not of by with
    without via through for in on at as against above below behind since -> => = → ⇒ >
    从 自 到 往 向 至 给 先 再 后 前 比 用 把 被 由 于 在 对 将 不 而 依 是 叫 让 替""".split()
)
# Of German, French, Spanish, Portuguese and Italian; in a text with one of these, "a" and "an" connect, too.
_FOREIGN = frozenset(
    """von vom nach zu zum zur vor bis aus mit ohne für über durch gegen statt dann danach
    de du des à au aux vers depuis par pour avec sans dans sur avant après puis
    del desde hacia hasta para por con sin sobre antes después luego en al
    da do dos das ao até em com sem depois
    di dal dalla dello della alla nel nella su per senza prima dopo poi""".split()
)
_ALSO_ENGLISH = frozenset({"do", "per"})
_FOREIGN_A = frozenset({"a", "an"})
_CLAUSE_MARKS = ",;:.!?()，；：。！？、（）\n"
_TRIMMED = "\"'`“”‘’「」[]{}*_.,;:!?()"
_MOST = 400  # units; above that, texts are pages and no statements


def is_swapped(one: str, other: str) -> bool:
    """True if two things of a text have exchanged their places in the other text."""
    mine, yours = list_units(one), list_units(other)
    if not mine or not yours or max(len(mine), len(yours)) > _MOST:
        return False
    bare, others = (tuple(unit for unit in units if unit != ",") for units in (mine, yours))
    if bare == others or _have_moved_clauses(mine, yours):
        return False
    if _is_mirrored(bare, others):
        return True
    if sorted(bare) == sorted(others) and _exchanges_beside_article(one, other):
        return True
    if _is_transposed(bare, others) or _have_exchanged_parts(mine, yours):
        return True
    return sorted(mine) == sorted(yours) and _have_mixed_parts(mine, yours)


@memoise(2_048)  # a text is compared with many others
def list_units(text: str) -> tuple[str, ...]:
    """Return words, single Chinese characters, and a comma for each end of a clause."""
    units = tuple(_walk_units(fold_chinese(text)))
    if _is_foreign(units):
        return units
    empty = _ARTICLES if text.isascii() else _PARTICLES
    return tuple(unit for unit in units if unit not in empty)


def list_telling_units(text: str) -> list[str]:
    """Return the words of a text that say something by themselves, in pairs for Chinese, in order."""
    return [word for word, _ in _walk_parts(list_units(text))]


def read_parts(text: str) -> Mapping[str, str]:
    """Map each word that stands in one part of a text to the connecting word of the part."""
    return _map_parts(list_units(text))


def _is_foreign(units: Sequence[str]) -> bool:
    """True if a text has a connecting word of a language that is not English."""
    return not (_FOREIGN - _ALSO_ENGLISH).isdisjoint(units)


def _exchanges_beside_article(one: str, other: str) -> bool:
    """True if two things are exchanged of which one is called "A", or with a foreign "a" between them."""
    mine, yours = (
        [unit for unit in _walk_units(fold_chinese(text)) if unit != ","] for text in (one, other)
    )
    return not _FOREIGN_A.isdisjoint(mine) and _is_transposed(mine, yours)


def _list_connectors(units: Sequence[str]) -> frozenset[str]:
    return _CONNECTORS | _FOREIGN | _FOREIGN_A if _is_foreign(units) else _CONNECTORS


def _have_moved_clauses(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """True if the clauses differ only by a part that moved together with its connecting word."""
    ours, theirs = _split_clauses(mine), _split_clauses(yours)
    return len(ours) == len(theirs) and all(
        one == other or _is_rotated(one, other) or _is_rotated(other, one)
        for one, other in zip(ours, theirs, strict=True)
    )


def _is_rotated(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if the end of a clause, from a connecting word on, begins the other clause."""
    connectors = _list_connectors(one)
    return any(
        unit in connectors and [*one[at:], *one[:at]] == other for at, unit in enumerate(one)
    )


def _split_clauses(units: Sequence[str]) -> list[list[str]]:
    clauses: list[list[str]] = [[]]
    for unit in units:
        if unit == ",":
            clauses.append([])
        else:
            clauses[-1].append(unit)
    return clauses


def _is_mirrored(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """True if two things stand for each other everywhere, more than once: "A calls B, B answers A"."""
    differ = [pair for pair in zip(mine, yours, strict=False) if pair[0] != pair[1]]
    pairs = {frozenset(pair) for pair in differ}
    return len(mine) == len(yours) and len(pairs) == 1 and len(differ) > 2 and len({*differ}) == 2


def _is_transposed(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """True if exchanging two parts of one text gives the other, unless they are listed."""
    if len(mine) != len(yours) or sorted(mine) != sorted(yours):
        return False
    ends = [at for at, unit in enumerate(mine) if unit != yours[at]]
    first, last = ends[0], ends[-1] + 1
    mine, yours, size = mine[first:last], yours[first:last], last - first
    for begun in range(1, size):
        if yours[size - begun :] != mine[:begun]:
            continue
        for ended in range(1, size - begun + 1):
            between = mine[begun : size - ended]
            if mine[size - ended :] == yours[:ended] and between == yours[ended : size - begun]:
                return _is_telling_swap(mine[:begun], between, mine[size - ended :])
    return False


def _is_telling_swap(first: Sequence[str], between: Sequence[str], second: Sequence[str]) -> bool:
    """True if the exchange of two parts changes the sense."""
    if between:
        return not _COORDINATORS.issuperset(between)
    return all(len(part) == 1 and not part[0].isalnum() for part in (first, second))


def _have_mixed_parts(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """True if texts of the same connecting words in the same order divide the things otherwise."""
    frame, parts = _divide(mine)
    other_frame, other_parts = _divide(yours)
    return len(frame) > 1 and frame == other_frame and parts != other_parts


def _divide(units: Sequence[str]) -> tuple[list[str], list[frozenset[str]]]:
    """Return connecting words and ends of clauses, and the words between them."""
    frame: list[str] = []
    parts: list[set[str]] = [set()]
    connectors = _list_connectors(units)
    for unit in units:
        if unit == "," or unit in connectors:
            frame.append(unit)
            parts.append(set())
        elif unit not in _COORDINATORS:
            parts[-1].add(unit)
    return frame, [frozenset(part) for part in parts]


def _have_exchanged_parts(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """True if two words have exchanged the connecting words before them."""
    before, after = _map_parts(tuple(mine)), _map_parts(tuple(yours))
    moved = [word for word in before if word in after and before[word] != after[word]]
    parts = {(before[word], after[word]) for word in moved}
    return any((now, then) in parts for then, now in parts)


@memoise(2_048)
def _map_parts(units: tuple[str, ...]) -> Mapping[str, str]:
    """Map each word that stands in one part only to the connecting word of the part."""
    found: dict[str, str | None] = {}
    for word, part in _walk_parts(units):
        found[word] = part if found.get(word, part) == part else None
    return {word: part for word, part in found.items() if part is not None}


def _walk_parts(units: Sequence[str]) -> Iterator[tuple[str, str]]:
    part, last = "", ""
    connectors = _list_connectors(units)
    for unit in units:
        if unit == ",":
            part, last = "", ""
        elif unit in connectors:
            part, last = unit, ""
        elif unit[0] >= _CHINESE:
            if last:
                yield last + unit, part
            last = unit
        elif unit not in STOP_WORDS:
            yield unit, part


def _walk_units(text: str) -> Iterator[str]:
    for run in _space_chinese(text).split():
        if run[0] >= _CHINESE and run not in _CLAUSE_MARKS:
            yield run
            continue
        if word := run.strip(_TRIMMED).casefold():
            yield stem_word(word) if word.isalpha() and word not in STOP_WORDS else word
        elif run.strip(_CLAUSE_MARKS):
            yield run
        if run[-1] in _CLAUSE_MARKS:
            yield ","


def _space_chinese(text: str) -> str:
    """Put blanks around Chinese characters, arrows and clause marks in Chinese."""
    if text.isascii():
        return text.replace("->", " -> ").replace("=>", " => ")
    return "".join(f" {char} " if char >= _CHINESE or char in "→⇒" else char for char in text)
