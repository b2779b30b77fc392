"""Make the sentence of a rule from the line of a lesson."""

from __future__ import annotations

import re

# the line of a lesson, and the sentence of the rule that it may become
_RULES = (
    (re.compile(r"`([^`]+)`: use `([^`]+)`, not `([^`]+)`: "), r"Use `\2`, not `\3`, with `\1`."),
    (re.compile(r"`([^`]+)`: leave out `([^`]+)`: "), r"Leave out `\2` with `\1`."),
    (re.compile(r"`([^`]+)`: add `([^`]+)`: "), r"Add `\2` to `\1`."),
    (re.compile(r"`([^`]+)`: set `([^`]+)`: "), r"Set `\2` for `\1`."),
    (re.compile(r"Use `([^`]+)`; `([^`]+)` fails: "), r"Use `\1`, not `\2`."),
    (re.compile(r"Use `([^`]+)`, not `([^`]+)`: "), r"Use `\1`, not `\2`."),
    (re.compile(r"(Read `[^`]+` with `offset` and `limit`): "), r"\1."),
    (re.compile(r"Run `([^`]+)` in `([^`]+)`: "), r"Run `\1` in `\2`."),
    (re.compile(r"`([^`]+)` first, then `([^`]+)`: "), r"Run `\1` before `\2`."),
    (re.compile(r"`([^`]+)`: quote `([^`]+)`; unquoted: "), r"Quote `\2` with `\1`."),
    (re.compile(r"(\S+): (add|leave out) argument `([^`]+)`: "), r"With \1, \2 argument `\3`."),
    (re.compile(r"(\S+): give `([^`]+)` as ([^`:]+): "), r"Give \1 `\2` as \3."),
    (re.compile(r"(\S+): (\w+) `([^`]+)`, not `([^`]+)`: "), r"Call \1 with \2 `\3`, not `\4`."),
)


def word_rule(lesson: str) -> str:
    """Return the sentence of a rule from the line of a lesson; empty if it advises nothing."""
    for pattern, sentence in _RULES:
        if found := pattern.match(lesson):
            return found.expand(sentence)
    return ""
