"""Shapes of setting values: parse from a file or text; None if unfit."""

from __future__ import annotations

import os

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Protocol

    Plain = bool | int | float | str | tuple[str, ...]

    class Shape(Protocol):
        """Interface of every shape."""

        def allowed(self) -> str:
            """Describe allowed values, to follow "must be"."""

        def accept(self, raw: object) -> Plain | None:
            """Return a value from a file; None if unfit."""

        def parse(self, text: str) -> Plain | None:
            """Parse a value from a variable or argument; None if unfit."""


YES = ("1", "true", "yes", "on")
NO = ("0", "false", "no", "off")
LONGEST = 4_096


class FlagShape(Value):
    """On or off."""

    def allowed(self) -> str:
        """Describe allowed values."""
        return "true or false"

    def accept(self, raw: object) -> Plain | None:
        """Return a boolean unchanged."""
        return raw if isinstance(raw, bool) else None

    def parse(self, text: str) -> Plain | None:
        """Parse common words for yes and no."""
        word = text.strip().lower()
        return word in YES if word in YES + NO else None


class WholeNumberShape(Value):
    """An integer within bounds."""

    least: int
    most: int

    def allowed(self) -> str:
        """Describe allowed values."""
        return f"a whole number from {self.least:,} to {self.most:,}"

    def accept(self, raw: object) -> Plain | None:
        """Return an integer within bounds; booleans are refused."""
        if isinstance(raw, bool) or not isinstance(raw, int):
            return None
        return raw if self.least <= raw <= self.most else None

    def parse(self, text: str) -> Plain | None:
        """Parse digits."""
        try:
            return self.accept(int(text))
        except ValueError:
            return None


class NumberShape(Value):
    """A number within bounds."""

    least: float
    most: float

    def allowed(self) -> str:
        """Describe allowed values."""
        return f"a number from {self.least:g} to {self.most:g}"

    def accept(self, raw: object) -> Plain | None:
        """Return a number within bounds; NaN is refused."""
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            return None
        return float(raw) if self.least <= raw <= self.most else None

    def parse(self, text: str) -> Plain | None:
        """Parse a decimal number."""
        try:
            return self.accept(float(text))
        except ValueError:
            return None


class ChoiceShape(Value):
    """A word from a list, laxest first where a project may only tighten."""

    options: tuple[str, ...]

    def allowed(self) -> str:
        """Describe allowed values."""
        return f"one of {', '.join(self.options)}"

    def accept(self, raw: object) -> Plain | None:
        """Return the word if listed."""
        return raw if isinstance(raw, str) and raw in self.options else None

    def parse(self, text: str) -> Plain | None:
        """Parse the word in any case."""
        return self.accept(text.strip().lower())


class TextShape(Value):
    """A line of text."""

    def allowed(self) -> str:
        """Describe allowed values."""
        return "a line of printable text that does not begin with -"

    def accept(self, raw: object) -> Plain | None:
        """Return printable text that no program takes for an option."""
        fits = isinstance(raw, str) and _is_printable(raw) and not raw.startswith("-")
        return raw if isinstance(raw, str) and fits else None

    def parse(self, text: str) -> Plain | None:
        """Parse trimmed text."""
        return self.accept(text.strip())


class AddressShape(TextShape):
    """An HTTP address of a service."""

    def allowed(self) -> str:
        """Describe allowed values."""
        return "an address that begins with https:// or http://"

    def accept(self, raw: object) -> Plain | None:
        """Return a callable address."""
        text = super().accept(raw)
        fits = isinstance(text, str) and text.startswith(("https://", "http://"))
        return text if fits and " " not in str(text) else None


class PathShape(TextShape):
    """A path, relative to the folder of its source."""

    fixed: bool = False  # must not depend on the folder a command happens to run in
    remote: bool = False  # may be an address with :// instead

    def allowed(self) -> str:
        """Describe allowed values."""
        kind = "an absolute path, or one that begins with ~/" if self.fixed else "a path"
        return f"{kind}, or an address with ://" if self.remote else kind

    def accept(self, raw: object) -> Plain | None:
        """Return an unexpanded path; another user's home (``~name``) is refused."""
        text = super().accept(raw)
        if not isinstance(text, str) or (text[0] == "~" and text[1:2] not in ("", "/")):
            return None
        return text if not self.fixed or text[0] == "~" or os.path.isabs(text) else None

    def expand_path(self, text: str, *, base: str, home_dir: str) -> str:
        """Return the absolute path; addresses stay unchanged."""
        if self.remote and "://" in text:
            return text
        if text[0] == "~":
            return os.path.normpath(home_dir + text[1:])
        return os.path.normpath(os.path.join(base, text))


class ItemsShape(Value):
    """A list of texts, each once, in the order given."""

    shortest: int = 1
    options: tuple[str, ...] = ()  # none listed: any text

    def allowed(self) -> str:
        """Describe allowed values."""
        if self.options:
            return f"a list of some of {', '.join(self.options)}"
        least = f" of {self.shortest} characters or more" if self.shortest > 1 else ""
        return f"a list of printable texts{least}"

    def accept(self, raw: object) -> Plain | None:
        """Return a list as a tuple, if every item fits."""
        if not isinstance(raw, list):
            return None
        texts = [item for item in raw if isinstance(item, str) and self._fits(item)]
        return tuple(dict.fromkeys(texts)) if len(texts) == len(raw) else None

    def parse(self, text: str) -> Plain | None:
        """Parse comma-separated items, or a JSON list for items with commas."""
        if text.strip().startswith("["):
            return self.accept(parse_json_value(text))
        return self.accept([item.strip() for item in text.split(",") if item.strip()])

    def _fits(self, item: str) -> bool:
        known = not self.options or item in self.options
        return known and _is_printable(item) and len(item.strip()) >= self.shortest


def parse_json_value(text: str) -> object:
    """Parse JSON; None if invalid."""
    import json  # noqa: PLC0415  (lists and tables in variables are rare, and json costs 8 ms)

    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def tighten_value(shape: Shape, below: Plain, wanted: Plain) -> Plain | None:
    """Return a project's tightened value: lower, off, longer, or stricter."""
    match below, wanted:
        case tuple(known), tuple(added):
            return tuple(dict.fromkeys(known + added))
        case str(was), str(word) if isinstance(shape, ChoiceShape):
            stricter = shape.options.index(word) >= shape.options.index(was)
            return word if stricter else None
        case int(most) | float(most), int(number) | float(number):
            return number if number <= most else None
        case _:
            return None


def mask_password(text: str) -> str:
    """Mask a possible password in an address."""
    scheme, found, rest = text.partition("://")
    if not found:
        return text
    place, query, _ = rest.partition("?")
    host, slash, path = place.partition("/")
    _, user, host = host.rpartition("@")
    return f"{scheme}://{'***@' if user else ''}{host}{slash}{path}{'?***' if query else ''}"


def escape_controls(text: str) -> str:
    """Escape terminal control characters."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _is_printable(text: str) -> bool:
    return 0 < len(text) <= LONGEST and text.isprintable() and bool(text.strip())
