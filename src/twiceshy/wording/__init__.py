"""Translate messages for users: English in the code, other languages in tables."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ENGLISH, CHINESE = "en", "zh"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set tells the language


class _Spoken:
    """The language of this process; it is asked for when something is said, not before."""

    choose: Callable[[], str] = staticmethod(lambda: ENGLISH)
    table: Mapping[str, str] | None = None


def worded(text: str, /, **values: object) -> str:
    """Return a sentence in the language that people read here, with its values filled in."""
    if _Spoken.table is None:
        _Spoken.table = _table(_Spoken.choose())
    spoken = _Spoken.table.get(text, text)
    return spoken.format(**values) if values else spoken


def speak(choose: Callable[[], str]) -> None:
    """Let a function tell the language, from the next sentence on."""
    _Spoken.choose, _Spoken.table = staticmethod(choose), None


def language(setting: str, environ: Mapping[str, str]) -> str:
    """Return the language that a setting names; ``auto`` means the one of the locale."""
    if setting != "auto":
        return setting
    locale = next(filter(None, map(environ.get, _VARIABLES)), "")
    return CHINESE if locale.startswith(CHINESE) else ENGLISH


def _table(name: str) -> Mapping[str, str]:
    if name != CHINESE:
        return {}
    from twiceshy.wording import chinese  # noqa: PLC0415 - few processes need it

    return chinese.table()
