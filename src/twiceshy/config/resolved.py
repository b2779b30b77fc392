"""Resolved settings: assignments by strength, values with their sources."""

from __future__ import annotations

import os

from twiceshy.config.project_bounds import APART, PROJECT_BOUNDS
from twiceshy.config.quick import PROJECT_FILE
from twiceshy.config.settings import SETTINGS, find_setting, suggest_key
from twiceshy.config.shapes import PathShape, escape_controls, mask_password
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import NoReturn

    from twiceshy.config.settings import Setting
    from twiceshy.config.shapes import Plain


class AssignedSetting(Value):
    """A value assigned to a setting or table entry by a source."""

    key: str
    entry: str  # empty unless the setting is a table
    value: Plain
    source: str  # "default", "file PATH" or "environment VARIABLE"


class SettingsProblem(Value):
    """A refused value of a file or variable."""

    source: str
    key: str
    what: str
    unknown: bool = False

    def to_line(self) -> str:
        """Describe the problem in a line; for an unknown key, with a suggestion."""
        guess = suggest_key(self.key) if self.unknown else ""
        hint = f"; did you mean {guess}?" if guess else ""
        return escape_controls(f"{self.source}: {self.what}{hint}")


class SettingsLayer(Value):
    """Assignments and problems of a source."""

    assigned: tuple[AssignedSetting, ...] = ()
    trouble: tuple[SettingsProblem, ...] = ()


class ExplainedSetting(Value):
    """A value with its source; secrets are masked, safe to print."""

    key: str
    entry: str
    value: Plain
    source: str
    changed: bool  # is it another value than the default?
    shadowed: tuple[AssignedSetting, ...]  # the strongest first
    refused: tuple[str, ...]  # what was said and is not followed, one line each


class Config(Value):
    """Every setting, resolved once; use the accessor of the setting's type."""

    home_dir: str
    assigned: tuple[AssignedSetting, ...] = ()  # the strongest first
    trouble: tuple[SettingsProblem, ...] = ()
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
        return tuple(problem.to_line() for problem in self.trouble)

    def flag(self, key: str) -> bool:
        """Return an on/off setting."""
        value = self.value(find_setting(key))
        return value if isinstance(value, bool) else _suggest_key(key, "a flag")

    def integer(self, key: str) -> int:
        """Return an integer setting."""
        value = self.value(find_setting(key))
        return value if type(value) is int else _suggest_key(key, "a whole number")

    def number(self, key: str) -> float:
        """Return a number setting."""
        value = self.value(find_setting(key))
        return value if isinstance(value, float) else _suggest_key(key, "a number")

    def text(self, key: str) -> str:
        """Return a text, choice, path or address setting."""
        value = self.value(find_setting(key))
        return value if isinstance(value, str) else _suggest_key(key, "a text")

    def items(self, key: str) -> tuple[str, ...]:
        """Return a list setting; what a project adds to it is bounded, or apart (``project_items``)."""
        value = self.value(find_setting(key))
        if not isinstance(value, tuple):
            _suggest_key(key, "a list")
        if key not in PROJECT_BOUNDS:
            return value
        own = self._own_items(key)
        return own if key in APART else own + self._bound_items(key, own)

    def project_items(self, key: str) -> tuple[str, ...]:
        """Return what a project adds to a list that counts for its own texts only."""
        return self._bound_items(key, self._own_items(key)) if key in APART else ()

    @property
    def project_file(self) -> str:
        """Return the project's file that sets anything; empty if none does."""
        ending = f"{os.sep}{PROJECT_FILE}"
        sources = (each.source.removeprefix("file ") for each in self.assigned)
        return next((path for path in sources if path.endswith(ending)), "")

    def _own_items(self, key: str) -> tuple[str, ...]:
        """Return a list without what the project adds."""
        theirs = f"file {self.project_file}"
        own = (each.value for each in self.assigned if each.key == key and each.source != theirs)
        value = next(own, find_setting(key).default)
        return value if isinstance(value, tuple) else ()

    def _bound_items(self, key: str, own: tuple[str, ...]) -> tuple[str, ...]:
        """Return the items of a project that are neither short, long, nor too many."""
        bounds, whole = PROJECT_BOUNDS[key], self.value(find_setting(key))
        added = [one for one in whole if one not in own] if isinstance(whole, tuple) else []
        fit = [one for one in added if bounds.fits(one)]
        return tuple(fit[: bounds.most])

    def table(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return a table of lists, strongest layer first, without empty lists."""
        merged = self._table_entries(find_setting(key))
        return {
            name: found for name, found in merged.items() if isinstance(found, tuple) and found
        }

    def _without_project(self) -> tuple[AssignedSetting, ...]:
        theirs = f"file {self.project_file}"
        return tuple(each for each in self.assigned if each.source != theirs)

    def counts(self, key: str, *, project: bool = True) -> dict[str, int]:
        """Return a table of integers, strongest layer first; ``project`` says if a project's count."""
        if not project:
            return self.but(assigned=self._without_project()).counts(key)
        merged = self._table_entries(find_setting(key))
        return {name: found for name, found in merged.items() if isinstance(found, int)}

    def value(self, asked: Setting) -> Plain:
        """Return the value of a non-table setting."""
        if asked.table:
            _suggest_key(asked.key, "a single value")
        for each in self.assigned:
            if each.key == asked.key:
                return each.value
        return self._default_value(asked)

    def with_layer(self, layer: SettingsLayer) -> Config:
        """Return this config with a stronger layer on top."""
        return self.but(
            assigned=layer.assigned + self.assigned, trouble=self.trouble + layer.trouble
        )

    def explain_settings(self) -> list[ExplainedSetting]:
        """Return every setting in table order; tables entry by entry."""
        return [
            self._explain_entry(asked, entry)
            for asked in SETTINGS
            for entry in (self._table_entries(asked) or ("",) if asked.table else ("",))
        ]

    def _explain_entry(self, asked: Setting, entry: str) -> ExplainedSetting:
        by_default = dict(asked.entries)
        default = by_default.get(entry, ()) if asked.table else self._default_value(asked)
        said = [each for each in self.assigned if (each.key, each.entry) == (asked.key, entry)]
        if not said or not asked.table or entry in by_default:
            said.append(AssignedSetting(asked.key, entry, default, "default"))
        shown = [each.but(value=_format_shown(asked, each.value)) for each in said]
        return ExplainedSetting(
            asked.key,
            entry,
            value=shown[0].value,
            source=shown[0].source,
            changed=said[0].value != default,
            shadowed=tuple(shown[1:]),
            refused=tuple(each.to_line() for each in self.trouble if each.key == asked.key),
        )

    def _table_entries(self, asked: Setting) -> dict[str, Plain]:
        if not asked.table:
            _suggest_key(asked.key, "a table")
        merged: dict[str, Plain] = {}
        for each in self.assigned:
            if each.key == asked.key:
                merged.setdefault(each.entry, each.value)
        return merged | {name: merged.get(name, value) for name, value in asked.entries}

    def _default_value(self, asked: Setting) -> Plain:
        default = asked.default
        if not isinstance(asked.shape, PathShape) or not isinstance(default, str) or not default:
            return default
        if default[0] == "~":
            return os.path.normpath(self.home_dir + default[1:])
        base, _, rest = default[1:].partition("}")
        return os.path.normpath(self.text(base) + rest)

    def __repr__(self) -> str:
        return f"Config({self.home!r}, {len(self.assigned)} assigned)"  # values may be secrets


def _format_shown(asked: Setting, value: Plain) -> Plain:
    if asked.hidden and isinstance(value, tuple):
        return tuple("***" for _ in value)
    return mask_password(value) if isinstance(value, str) else value


def _suggest_key(key: str, kind: str) -> NoReturn:
    raise TypeError(f"the setting {key} is not {kind}")
