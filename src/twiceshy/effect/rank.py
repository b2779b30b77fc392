"""Rank effects from the best to the worst, and choose those that tell most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.effect.measure import NoteEffect

    Ranked = tuple[tuple[str, NoteEffect], ...]

BEST = 5  # that are chosen, and as many of the worst


class ChosenEffects(Value):
    """Effects by name: the best, how many are left out, and the worst."""

    best: Ranked
    left_out: int = 0
    worst: Ranked = ()


def choose_effects(effects: Mapping[str, NoteEffect], *, everything: bool) -> ChosenEffects:
    """Choose the best and the worst effects; all of them in their order if they are few."""
    if everything or len(effects) <= 2 * BEST:
        return ChosenEffects(tuple(effects.items()))
    ranked = rank_effects(effects)
    return ChosenEffects(ranked[:BEST], len(ranked) - 2 * BEST, ranked[-BEST:])


def rank_effects(effects: Mapping[str, NoteEffect]) -> Ranked:
    """Return effects from the best to the worst; what is not measured yet is between them.

    Of these, those that were shown most come first, and those with most false alarms last.
    """

    def place(pair: tuple[str, NoteEffect]) -> tuple[float, float, int, str]:
        name, effect = pair
        alarms = effect.false_alarms / max(1, effect.shown)
        return (-(effect.prevented or 0.0), alarms, -effect.shown, name)

    return tuple(sorted(effects.items(), key=place))
