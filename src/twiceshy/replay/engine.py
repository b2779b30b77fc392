"""Replay projects and score every policy."""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.replay.play import OURS, Player
from twiceshy.replay.score import Score, score
from twiceshy.replay.words import Rarity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twiceshy.replay.histories import Found, PassedOver
    from twiceshy.replay.policies import Policy
    from twiceshy.replay.score import Played


NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


class Replayed(Value):
    """Scores by policy, total and by project, and skipped files."""

    scores: Mapping[str, Score]
    projects: Mapping[str, Mapping[str, Score]]  # by the project's id
    passed_over: tuple[PassedOver, ...]
    broken_lines: int
    faults: tuple[str, ...]

    @property
    def ours(self) -> Score:
        """Return the score of twiceshy."""
        return self.scores[OURS]


def replay(
    found: Found,
    folder: str,
    *,
    baselines: Sequence[type[Policy]] = (),
    settings: Mapping[str, str] = NO_SETTINGS,
    progress: Callable[[], object] = lambda: None,
) -> Replayed:
    """Replay every session; each project has its own memory home below ``folder``."""
    rarity = Rarity()
    played: list[Played] = []
    faults: list[str] = []
    passed, broken = [*found.passed_over], 0
    for number, history in enumerate(found.histories):
        player = Player(history, os.path.join(folder, str(number)), baselines, rarity, settings)
        for each in player:
            if each:
                played.append(each)
            progress()
        passed += player.passed_over
        faults += player.faults
        broken += player.broken
    names = (OURS, *(policy.name for policy in baselines))
    projects = {history.project: dict.fromkeys(names, Score()) for history in found.histories}
    for each in played:
        scores = projects[each.project]
        for name in names:
            scores[name] += score(each, name, rarity)
    return Replayed(_summed(projects, names), projects, tuple(passed), broken, tuple(faults))


def _summed(projects: Mapping[str, Mapping[str, Score]], names: Sequence[str]) -> dict[str, Score]:
    return {name: sum((scores[name] for scores in projects.values()), Score()) for name in names}
