"""Replay projects and score every policy."""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.replay.play import OURS, SessionPlayer
from twiceshy.replay.score import ReplayScore, score_session
from twiceshy.replay.words import WordRarity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twiceshy.replay.histories import FoundHistories, PassedOver
    from twiceshy.replay.policies import Policy
    from twiceshy.replay.score import PlayedSession


NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


class Replayed(Value):
    """Scores by policy, total and by project, and skipped files."""

    scores: Mapping[str, ReplayScore]
    projects: Mapping[str, Mapping[str, ReplayScore]]  # by the project's id
    passed_over: tuple[PassedOver, ...]
    broken_lines: int
    faults: tuple[str, ...]

    @property
    def own_score(self) -> ReplayScore:
        """Return the score of twiceshy."""
        return self.scores[OURS]


def replay_projects(
    found: FoundHistories,
    folder: str,
    *,
    baselines: Sequence[type[Policy]] = (),
    settings: Mapping[str, str] = NO_SETTINGS,
    progress: Callable[[], object] = lambda: None,
) -> Replayed:
    """Replay every session; each project has its own memory home below ``folder``."""
    rarity = WordRarity()
    played: list[PlayedSession] = []
    faults: list[str] = []
    passed, broken = [*found.passed_over], 0
    for number, history in enumerate(found.histories):
        player = SessionPlayer(
            history, os.path.join(folder, str(number)), baselines, rarity, settings
        )
        for each in player:
            if each:
                played.append(each)
            progress()
        passed += player.passed_over
        faults += player.faults
        broken += player.broken
    names = (OURS, *(policy.name for policy in baselines))
    projects = {
        history.project: dict.fromkeys(names, ReplayScore()) for history in found.histories
    }
    for each in played:
        scores = projects[each.project]
        for name in names:
            scores[name] += score_session(each, name, rarity)
    return Replayed(_sum_scores(projects, names), projects, tuple(passed), broken, tuple(faults))


def _sum_scores(
    projects: Mapping[str, Mapping[str, ReplayScore]], names: Sequence[str]
) -> dict[str, ReplayScore]:
    return {
        name: sum((scores[name] for scores in projects.values()), ReplayScore()) for name in names
    }
