"""Dangerous command lines: programs with the words that make them dangerous."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.safety.danger.command_table import COMMANDS
from twiceshy.safety.danger.lines import program_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.safety.danger.lines import WordRun


class _CommandRule(Value):
    reason: str
    others: frozenset[str]
    exact: frozenset[str]
    shapes: tuple[str, ...]
    absent: frozenset[str]

    def matches_run(self, words: frozenset[str], raw: tuple[str, ...]) -> bool:
        """True if a run satisfies the rule."""
        if not self.others <= words or not self.absent.isdisjoint(words):
            return False
        if not self.exact and not self.shapes:
            return True
        return not self.exact.isdisjoint(words) or any(
            _matches_shape(each, shape)
            for word in raw
            for each in {word, word.lower()}
            for shape in self.shapes
        )


def _matches_shape(word: str, shape: str) -> bool:
    if shape.startswith("-~"):
        return word[:1] == "-" and word[1:2] != "-" and len(word) <= 8 and shape[2] in word
    if "*" in shape[1:]:
        first, *between, last = shape.split("*")
        fits = len(word) >= len(shape) - 1 > 0 and word.startswith(first) and word.endswith(last)
        return fits and all(each in word[len(first) :] for each in between)
    if shape.startswith("*"):
        return word.endswith(shape[1:]) and word[: -len(shape[1:])] in ("", "0", "a=", "-R")
    return len(word) == len(shape) and word.isdigit() and word[0] == shape[0]


def _load_rules() -> dict[str, list[_CommandRule]]:
    table: dict[str, list[_CommandRule]] = {}
    for reason, lines in COMMANDS.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            asked, colon, any_of = f"{line} ".partition(" : ")
            first, *others = asked.split()
            firsts = first.split("|") if colon else asked.split()
            absent = frozenset(each[1:] for each in any_of.split() if each[0] == "!")
            given = [each for each in any_of.split() if each[0] != "!"]
            shapes = tuple(each for each in given if any(mark in each for mark in "*~?"))
            needed = frozenset(others if colon else ())
            rule = _CommandRule(reason, needed, frozenset(given) - set(shapes), shapes, absent)
            for each in firsts:
                table.setdefault(each, []).append(rule)
    return table


_RULES = _load_rules()


def find_command_dangers(run: WordRun) -> Iterator[str]:
    """Yield reasons for review by the words of a run."""
    names = frozenset(map(program_name, run.words))
    flags = frozenset(word.lower() for word in run.words if word[:1] == "-" and len(word) > 2)
    words = names | flags | frozenset(run.words)
    for word in (*words, f"^{run.program}"):
        for rule in _RULES.get(word, ()):
            if rule.matches_run(words, run.words):
                yield rule.reason
