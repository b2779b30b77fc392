"""``twiceshy effect``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import flat, show
from twiceshy.core.note import handle
from twiceshy.effect.measure import sentence
from twiceshy.effect.report import report_effect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.effect.measure import Arm, Effect
    from twiceshy.effect.report import EffectReport

_HEAD = ("shown", "withheld", "wrong with", "without", "fewer of 100", "tokens", "per error")
_WIDTHS = (6, 8, 10, 9, 16, 7, 9)
_NAME = 28


@click.command("effect")
@click.option("--note", "name", metavar="ID", help="Of this note alone.")
@click.option("--skill", metavar="S", help="Of the notes of this skill.")
@click.option("--days", type=click.IntRange(1, 36_500), help="How far to look back; default: all.")
@json_option
def command(*, name: str | None, skill: str | None, days: int | None, as_json: bool) -> None:
    """Measure the effect of notes: sessions with a note against sessions without.

    Compares sessions that saw a note with sessions from which the note was withheld.

    Example: twiceshy effect --days 30
    """
    if name and skill:
        raise click.UsageError("--note and --skill exclude each other")
    with opened() as app:
        found = report_effect(app, note=name, skill=skill, days=days)
    said = sentence(found.overall, many=not name)
    plain = {
        "days": days,
        "overall": _fields(found.overall) | {"sentence": said},
        "skills": {key: _fields(each) for key, each in found.by_skill.items()},
        "notes": {
            key: {"skill": found.notes[key].scope.skill or None, **_fields(each)}
            | {"sentence": sentence(each)}
            for key, each in found.by_note.items()
        },
    }
    show(plain, _lines(found, said, tables=not name), as_json=as_json)


def _lines(found: EffectReport, said: str, *, tables: bool) -> Iterator[str]:
    yield said
    if found.overall.tokens:
        yield _price(found.overall)
    notes = {f"{handle(key)} {found.notes[key].text}": one for key, one in found.by_note.items()}
    for title, rows in (("skill", found.by_skill), ("note", notes)) if tables else ():
        if rows:
            yield ""
            yield _row(title, _HEAD)
            yield from (_row(called, _cells(each)) for called, each in rows.items())


def _price(effect: Effect) -> str:
    spent = f"{effect.tokens:,} tokens were spent"
    alarms = f"; {effect.false_alarms} came in vain" if effect.false_alarms else ""
    if effect.cost is None:
        return f"{spent}{alarms}."
    saved = f", about {effect.calls_saved:,.0f} calls saved" if effect.calls_saved >= 1 else ""
    return f"{spent}, about {effect.cost:,.0f} for each mistake that was avoided{saved}{alarms}."


def _cells(effect: Effect) -> tuple[str, ...]:
    known = effect.prevented is not None
    spread = f"({100 * effect.low:.0f}…{100 * effect.high:.0f})"
    return (
        f"{effect.shown:,}",
        f"{effect.withheld:,}",
        _of(effect.told) if known else "",
        _of(effect.untold) if known else "",
        f"{100 * (effect.prevented or 0.0):.0f} {spread}" if known else "too early",
        f"{effect.tokens:,}",
        f"{effect.cost:,.0f}" if effect.cost is not None else "",
    )


def _of(arm: Arm) -> str:
    return f"{arm.failed} of {arm.sessions}"


def _row(name: str, cells: Sequence[str]) -> str:
    aligned = (f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=True))
    return f"{flat(name, limit=_NAME):<{_NAME}} {' '.join(aligned)}".rstrip()


def _fields(effect: Effect) -> dict[str, object]:
    return effect.fields() | {
        "told": effect.told.fields(),
        "untold": effect.untold.fields(),
        "avoided": effect.avoided,
        "calls_saved": effect.calls_saved,
        "tokens_per_avoided": effect.cost,
    }
