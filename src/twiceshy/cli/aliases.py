"""The other language of verbs: the name that some of them go by, and what each of them does."""

from __future__ import annotations

from twiceshy.runtimes.command_table import named
from twiceshy.wording.verbs import VERBS


def chinese_name(verb: str) -> str:
    """Return the Chinese name of a verb; most have none."""
    pair = named(verb)
    return pair.chinese if pair else ""


def in_chinese(verb: str) -> str:
    """Return what a verb does, in Chinese; nothing if nobody has said it."""
    pair = named(verb)
    return pair.about_chinese if pair else VERBS.get(verb, "")
