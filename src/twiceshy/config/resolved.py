"""Resolved settings: assignments by strength, values with their sources."""

from __future__ import annotations

import os

from twiceshy.config.settings import SETTINGS, nearest, setting
from twiceshy.config.shapes import Place, masked, printable
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import NoReturn

    from twiceshy.config.settings import Setting
    from twiceshy.config.shapes import Plain


class Assigned(Value):
    """A value assigned to a setting or table entry by a source."""

    key: str
    entry: str  # empty unless the setting is a table
    value: Plain
    source: str  # "default", "file PATH" or "environment VARIABLE"


class Problem(Value):
    """A refused value of a file or variable."""

    source: str
    key: str
    what: str
    unknown: bool = False

    def line(self) -> str:
        """Describe the problem in a line; for an unknown key, with a suggestion."""
        guess = nearest(self.key) if self.unknown else ""
        hint = f"; did you mean {guess}?" if guess else ""
        return printable(f"{self.source}: {self.what}{hint}")


class Layer(Value):
    """Assignments and problems of a source."""

    assigned: tuple[Assigned, ...] = ()
    trouble: tuple[Problem, ...] = ()


class Explained(Value):
    """A value with its source; secrets are masked, safe to print."""

    key: str
    entry: str
    value: Plain
    source: str
    changed: bool  # is it another value than the default?
    shadowed: tuple[Assigned, ...]  # the strongest first
    refused: tuple[str, ...]  # what was said and is not followed, one line each


class Config(Value):
    """Every setting, resolved once; use the accessor of the setting's type."""

    home_dir: str
    assigned: tuple[Assigned, ...] = ()  # the strongest first
    trouble: tuple[Problem, ...] = ()
    secrets: tuple[str, ...] = ()  # names of the secret variables that are there; never values

    @property
    def home(self) -> str:
        """Return the path of the memory home."""
        return self.text("home")

    @property
    def run_log(self) -> str:
        """Return the path of the run log."""
        return self.text("logs.run")

    @property
    def store(self) -> str:
        """Return the path of the store, or its address if with ://."""
        return self.text("store.path")

    @property
    def problems(self) -> tuple[str, ...]:
        """Return refused values, one line each."""
        return tuple(problem.line() for problem in self.trouble)

    def flag(self, key: str) -> bool:
        """Return an on/off setting."""
        value = self.value(setting(key))
        return value if isinstance(value, bool) else _mistaken(key, "a flag")

    def integer(self, key: str) -> int:
        """Return an integer setting."""
        value = self.value(setting(key))
        return value if type(value) is int else _mistaken(key, "a whole number")

    def number(self, key: str) -> float:
        """Return a number setting."""
        value = self.value(setting(key))
        return value if isinstance(value, float) else _mistaken(key, "a number")

    def text(self, key: str) -> str:
        """Return a text, choice, path or address setting."""
        value = self.value(setting(key))
        return value if isinstance(value, str) else _mistaken(key, "a text")

    def items(self, key: str) -> tuple[str, ...]:
        """Return a list setting."""
        value = self.value(setting(key))
        return value if isinstance(value, tuple) else _mistaken(key, "a list")

    def table(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return a table of lists, strongest layer first, without empty lists."""
        merged = self._entries(setting(key))
        return {
            name: found for name, found in merged.items() if isinstance(found, tuple) and found
        }

    def counts(self, key: str) -> dict[str, int]:
        """Return a table of integers, strongest layer first."""
        merged = self._entries(setting(key))
        return {name: found for name, found in merged.items() if isinstance(found, int)}

    def value(self, asked: Setting) -> Plain:
        """Return the value of a non-table setting."""
        if asked.table:
            _mistaken(asked.key, "a single value")
        for each in self.assigned:
            if each.key == asked.key:
                return each.value
        return self._default(asked)

    def plus(self, layer: Layer) -> Config:
        """Return this config with a stronger layer on top."""
        return self.but(
            assigned=layer.assigned + self.assigned, trouble=self.trouble + layer.trouble
        )

    def explain(self) -> list[Explained]:
        """Return every setting in table order; tables entry by entry."""
        return [
            self._explained(asked, entry)
            for asked in SETTINGS
            for entry in (self._entries(asked) or ("",) if asked.table else ("",))
        ]

    def _explained(self, asked: Setting, entry: str) -> Explained:
        by_default = dict(asked.entries)
        default = by_default.get(entry, ()) if asked.table else self._default(asked)
        said = [each for each in self.assigned if (each.key, each.entry) == (asked.key, entry)]
        if not said or not asked.table or entry in by_default:
            said.append(Assigned(asked.key, entry, default, "default"))
        shown = [each.but(value=_shown(asked, each.value)) for each in said]
        return Explained(
            asked.key,
            entry,
            value=shown[0].value,
            source=shown[0].source,
            changed=said[0].value != default,
            shadowed=tuple(shown[1:]),
            refused=tuple(each.line() for each in self.trouble if each.key == asked.key),
        )

    def _entries(self, asked: Setting) -> dict[str, Plain]:
        if not asked.table:
            _mistaken(asked.key, "a table")
        merged: dict[str, Plain] = {}
        for each in self.assigned:
            if each.key == asked.key:
                merged.setdefault(each.entry, each.value)
        return merged | {name: merged.get(name, value) for name, value in asked.entries}

    def _default(self, asked: Setting) -> Plain:
        default = asked.default
        if not isinstance(asked.shape, Place) or not isinstance(default, str) or not default:
            return default
        if default[0] == "~":
            return os.path.normpath(self.home_dir + default[1:])
        base, _, rest = default[1:].partition("}")
        return os.path.normpath(self.text(base) + rest)

    def __repr__(self) -> str:
        return f"Config({self.home!r}, {len(self.assigned)} assigned)"  # values may be secrets


def _shown(asked: Setting, value: Plain) -> Plain:
    if asked.hidden and isinstance(value, tuple):
        return tuple("***" for _ in value)
    return masked(value) if isinstance(value, str) else value


def _mistaken(key: str, kind: str) -> NoReturn:
    raise TypeError(f"the setting {key} is not {kind}")
