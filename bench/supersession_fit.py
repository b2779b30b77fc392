"""Fit the trees that tell whether a newer note replaces an older one.

    python -m bench.supersession_fit --sets FOLDER [--write]

The pairs are those of ``bench/sets/supersession.jsonl`` and ``supersession_train.jsonl``; the id of a
pair begins with its writer. Besides, each newer note is paired with older notes near it that belong to
other pairs of its writer, and so are the lessons of ``lessons.jsonl`` and the first sentences of the
retrieval sets of a folder: these all hold. Printed is what the trees say of each writer's pairs when
they are fitted on the pairs of all others. The limits of a language are chosen so, on those figures: a
note is retired above the weight that one in two hundred of the pairs that both hold reaches, and one in
four hundred of those by chance; with words of change, above the weight that as many reach with such
words; and asked about above the weight that fifteen in a hundred reach. ``--write`` replaces ``twiceshy/language/replacement_trees.py``.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.supersession import read_texts

import twiceshy.language
from twiceshy.core.grouping import group_by
from twiceshy.core.value import Value
from twiceshy.language.replacement import AMENDING, LIMITING, list_signs
from twiceshy.language.terms import index_terms
from twiceshy.store.vectors import compare_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SETS = Path(__file__).parent / "sets"
TREES_FILE = Path(twiceshy.language.__path__[0], "replacement_trees.py")
_COUNT, _PACE, _DAMPING, _FEWEST = 120, 0.1, 3.0, 8
_EDGES = 12  # limits that are tried for each sign
_NEIGHBOURS = 3  # of a lesson or a foreign sentence
_SENTENCES = 600  # of a foreign set
_CHANCE_RANKS = (3, 7)  # of the nearest notes: nearer ones are often about the same thing
LANGUAGES = {"en": "English", "zh": "Chinese"}
_RETIRED, _RETIRED_BY_CHANCE, _ASKED = 0.005, 0.0025, 0.15


class Pair(Value):
    """A newer note beside an older one."""

    writer: str
    lang: str
    replaces: bool
    new: str
    old: str


class Row(NamedTuple):
    """A pair as the trees see it."""

    writer: str
    lang: str
    replaces: bool
    by_chance: bool
    values: tuple[float, ...]


class Limits(NamedTuple):
    """Weights above which a note is retired, retired by words of change, and asked about."""

    replaces: float
    amends: float
    maybe: float


class Tree(NamedTuple):
    """A tree of two levels: which sign and limit at the root, and in each half sign, limit, low, high."""

    root: int
    edge: float
    left: tuple[int, float, float, float]
    right: tuple[int, float, float, float]

    def weigh(self, values: Sequence[float]) -> float:
        sign, limit, below, above = self.right if values[self.root] > self.edge else self.left
        return above if values[sign] > limit else below


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sets", required=True, metavar="FOLDER", help="retrieval sets")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    names, rows = read_rows(given.sets)
    weights = weigh_each_writer(rows)
    amended = [_is_amended(names, row) for row in rows]
    limits = {lang: _choose_limits(rows, weights, amended, lang) for lang in LANGUAGES}
    _print_shares(rows, weights, amended, limits)
    if given.write:
        start, trees = fit_trees(rows)
        TREES_FILE.write_text(_format_table(names, start, trees, limits), encoding="utf-8")


def read_rows(sets: str) -> tuple[list[str], list[Row]]:
    """Return the names of the signs, and the pairs of all writers with pairs by chance."""
    found, names = [], []
    for pair, by_chance in _list_pairs(sets):
        if signs := list_signs(pair.new, pair.old, compare_terms):
            names = list(signs)
            values = tuple(round(float(value), 3) for value in signs.values())
            replaces = pair.replaces and not by_chance
            found.append(Row(pair.writer, pair.lang, replaces, by_chance, values))
    return names, found


def weigh_each_writer(rows: Sequence[Row]) -> list[float]:
    """Weigh each row by trees that were fitted on the pairs of all other writers."""
    weights = {}
    for writer in sorted({row.writer for row in rows}):
        start, trees = fit_trees([row for row in rows if row.writer != writer])
        for at, row in enumerate(rows):
            if row.writer == writer:
                weights[at] = start + sum(tree.weigh(row.values) for tree in trees)
    return [weights[at] for at in range(len(rows))]


def fit_trees(rows: Sequence[Row]) -> tuple[float, list[Tree]]:
    """Fit trees one after the other, each to what those before it leave wrong."""
    share = sum(row.replaces for row in rows) / len(rows)
    start = math.log(share / (1 - share))
    edges = [_choose_edges([row.values[at] for row in rows]) for at in range(len(rows[0].values))]
    places = [
        [sum(v > e for e in some) for v, some in zip(row.values, edges, strict=True)]
        for row in rows
    ]
    totals, trees = [start] * len(rows), []
    for _ in range(_COUNT):
        chances = [1 / (1 + math.exp(-total)) for total in totals]
        errors = [row.replaces - chance for row, chance in zip(rows, chances, strict=True)]
        curves = [chance * (1 - chance) for chance in chances]
        tree = _grow(places, edges, errors, curves)
        trees.append(tree)
        totals = [total + tree.weigh(row.values) for total, row in zip(totals, rows, strict=True)]
    return start, trees


def _grow(
    places: list[list[int]], edges: list[list[float]], errors: list[float], curves: list[float]
) -> Tree:
    every = range(len(places))
    root, at, _, _ = _split(every, places, edges, errors, curves)
    halves: tuple[list[int], list[int]] = ([], [])
    for row in every:
        halves[places[row][root] > at].append(row)
    leaves = [_split(half, places, edges, errors, curves) for half in halves]
    left, right = ((sign, edges[sign][cut], low, high) for sign, cut, low, high in leaves)
    return Tree(root, edges[root][at], left, right)


def _split(
    rows: Sequence[int],
    places: list[list[int]],
    edges: list[list[float]],
    errors: list[float],
    curves: list[float],
) -> tuple[int, int, float, float]:
    """Return the sign and edge that part the rows best, and the weight of either side."""
    best = (-1.0, 0, 0, 0.0, 0.0)
    whole, bend = sum(errors[row] for row in rows), sum(curves[row] for row in rows)
    for sign, some in enumerate(edges):
        sums = [[0.0, 0.0, 0] for _ in range(len(some) + 1)]
        for row in rows:
            slot = sums[places[row][sign]]
            slot[0] += errors[row]
            slot[1] += curves[row]
            slot[2] += 1
        error = curve = count = 0.0
        for at in range(len(some)):
            error, curve, count = error + sums[at][0], curve + sums[at][1], count + sums[at][2]
            if min(count, len(rows) - count) < _FEWEST:
                continue
            rest, other = whole - error, bend - curve + _DAMPING
            gain = error * error / (curve + _DAMPING) + rest * rest / other
            if gain > best[0]:
                best = (gain, sign, at, _PACE * error / (curve + _DAMPING), _PACE * rest / other)
    return best[1:]


def _choose_edges(values: list[float]) -> list[float]:
    """Return limits between the values of a sign, with as many rows between any two."""
    ranked = sorted(values)
    cuts = {ranked[len(ranked) * part // (_EDGES + 1)] for part in range(1, _EDGES + 1)}
    return sorted(cuts - {ranked[-1]}) or [ranked[0]]


def _list_pairs(sets: str) -> Iterator[tuple[Pair, bool]]:
    """Yield each pair, and after it each newer note with older notes near it that belong to others."""
    pairs = [pair for file in ("supersession", "supersession_train") for pair in read_fitted(file)]
    for some in group_by(pairs, lambda pair: pair.writer).values():
        yield from ((pair, False) for pair in some)
        for pair, others in _rank_others(some):
            yield from ((pair.but(old=others[rank].old), True) for rank in _CHANCE_RANKS)
    for some in (list(_read_lessons()), *_read_foreign(sets)):
        for pair, others in _rank_others(some):
            yield from ((pair.but(old=other.old), True) for other in others[:_NEIGHBOURS])


def read_fitted(file: str) -> Iterator[Pair]:
    """Yield the pairs of a file whose label or kind says whether both hold."""
    for line in (SETS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        label = pair.get("label") or {"replace": "replaces", "keep": "keeps"}.get(pair["kind"], "")
        if label in ("replaces", "keeps") and pair["kind"] != "swap":
            writer = pair["id"].partition("-")[0]
            yield Pair(writer, pair["lang"], label == "replaces", pair["new"], pair["old"])


def _read_foreign(sets: str) -> Iterator[list[Pair]]:
    """Yield the first sentences of the texts of each retrieval set, which all hold."""
    for path in sorted(Path(sets).glob("*.corpus.jsonl.gz")):
        texts = read_texts(str(path), most=_SENTENCES)
        lang = "en" if sum(map(str.isascii, texts)) * 2 > len(texts) else "zh"
        name = path.name.partition(".")[0]
        yield [Pair(name, lang, replaces=False, new=text, old=text) for text in texts]


def _read_lessons() -> Iterator[Pair]:
    for line in (SETS / "lessons.jsonl").read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["text"]
        yield Pair("lessons", "en" if text.isascii() else "zh", replaces=False, new=text, old=text)


def _rank_others(pairs: list[Pair]) -> Iterator[tuple[Pair, list[Pair]]]:
    """Yield each pair with the others, those first whose older note shares most with its newer note."""
    terms = [set(index_terms(pair.old)) for pair in pairs]
    rarity = Counter(term for some in terms for term in some)
    for at, pair in enumerate(pairs):
        asked = set(index_terms(pair.new))
        weights = [sum(1 / rarity[term] for term in asked & some) for some in terms]
        ranked = sorted(range(len(pairs)), key=lambda other: (-weights[other], other))
        yield pair, [pairs[other] for other in ranked if other != at]


def _is_amended(names: Sequence[str], row: Row) -> bool:
    signs = dict(zip(names, row.values, strict=True))
    return any(signs[name] for name in AMENDING) and not any(signs[name] for name in LIMITING)


def _choose_limits(
    rows: Sequence[Row], weights: Sequence[float], amended: Sequence[bool], lang: str
) -> Limits:
    """Choose the weights above which a note is retired, retired by words of change, and asked about."""
    judged = [
        (weight, is_amended, row.by_chance)
        for weight, is_amended, row in zip(weights, amended, rows, strict=True)
        if row.lang == lang and not row.replaces
    ]
    hard = [(weight, is_amended) for weight, is_amended, by_chance in judged if not by_chance]
    chance = [(weight, is_amended) for weight, is_amended, by_chance in judged if by_chance]
    return Limits(
        replaces=max(_find_limit(hard, _RETIRED), _find_limit(chance, _RETIRED_BY_CHANCE)),
        amends=max(
            _find_limit(hard, _RETIRED, only_amended=True),
            _find_limit(chance, _RETIRED_BY_CHANCE, only_amended=True),
        ),
        maybe=_find_limit(hard, _ASKED),
    )


def _find_limit(
    pairs: Sequence[tuple[float, bool]], share: float, *, only_amended: bool = False
) -> float:
    """Return the weight that a share of all pairs exceeds."""
    counted = sorted(
        (w for w, is_amended in pairs if is_amended or not only_amended), reverse=True
    )
    return counted[min(int(len(pairs) * share), len(counted) - 1)]


def _print_shares(
    rows: Sequence[Row],
    weights: Sequence[float],
    amended: Sequence[bool],
    limits: Mapping[str, Limits],
) -> None:
    least = [
        limits[row.lang].amends if one else limits[row.lang].replaces
        for one, row in zip(amended, rows, strict=True)
    ]
    groups = [("English", True), ("Chinese", True)] + [
        (writer, False) for writer in sorted({r.writer for r in rows})
    ]
    print(f"{'':<8}{'':<12}{'pairs':>6}{'retired':>10}{'asked':>10}")
    for name, is_lang in groups:
        for kind in ("replaces", "holds", "by chance"):
            some = [
                (weight, enough, limits[row.lang].maybe)
                for weight, enough, row in zip(weights, least, rows, strict=True)
                if name == (LANGUAGES[row.lang] if is_lang else row.writer)
                and kind == _kind_of(row)
            ]
            if not some:
                continue
            retired = sum(weight >= enough for weight, enough, _ in some)
            asked = sum(weight >= maybe for weight, _, maybe in some) - retired
            print(
                f"{name:<8}{kind:<12}{len(some):>6}{retired / len(some):>10.1%}{asked / len(some):>10.1%}"
            )


def _kind_of(row: Row) -> str:
    return "by chance" if row.by_chance else "replaces" if row.replaces else "holds"


def _format_table(
    names: list[str], start: float, trees: list[Tree], limits: Mapping[str, Limits]
) -> str:
    shown = {lang: ", ".join(f"{limit:.3f}" for limit in some) for lang, some in limits.items()}
    lines = "".join(f"    {_format_tree(tree)},\n" for tree in trees)
    listed = "".join(f'    "{name}",\n' for name in names)
    return f'''"""The fitted table by which a newer note is judged beside an older one.

Written by ``python -m bench.supersession_fit --write``. A tree asks for one sign, and depending on the
answer for a second one: (sign, limit, half below, half above), a half is (sign, limit, weight below,
weight above).
"""

from __future__ import annotations

SIGNS = (
{listed})
# Weights above which a note is retired, retired by words of change, and asked about.
LIMITS = ({shown["en"]})
CHINESE_LIMITS = ({shown["zh"]})
START = {start:.3f}
TREES = (
{lines})
'''


def _format_tree(tree: Tree) -> str:
    halves = ", ".join(
        f"({s}, {e:g}, {low:.3f}, {high:.3f})" for s, e, low, high in (tree.left, tree.right)
    )
    return f"({tree.root}, {tree.edge:g}, {halves})"


if __name__ == "__main__":
    main()
