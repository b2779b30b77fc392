"""How often ``effect`` is wrong or silent after a month of heavy use, and what its lots cost.

    python -m bench.effect [--months 200] [--share 0.05] [--share 0.1] [--sessions 600] [--weekly 400]

A month is 600 sessions in ten projects, or as many as given. Each session is told five lessons of its project, each of
which matters in a quarter of the sessions. The worlds: the lesson helps, does nothing, does nothing
about a mistake that fades by itself, or harms. The same lots, judged sessions and figures as in the
product: ``twiceshy.effect``. The cost is in net tokens a session (TURN a turn, PRICE a token told).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.core.builders import NOW, a_note, an_id

from twiceshy.core.moment import DAY
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.effect.holdout import is_withheld, lot_for
from twiceshy.effect.measure import NoteEffect, measure_effect

if TYPE_CHECKING:
    from collections.abc import Iterator

TURN, PRICE = 6_000, 4  # the currency: a turn saved, a token told
SESSIONS, DAYS, PROJECTS, LESSONS, TOLD = 600, 30, 10, 12, 5
WEEKLY = 400  # showings, the default of holdout.weekly
MATTERS, LOST, TOKENS = 0.25, 1.4, 30
SHARES = (0.02, 0.05, 0.1, 0.2)
VERDICTS = ("helps", "open", "no use", "harms", "too early")


@dataclass(frozen=True)
class World:
    """How likely a session goes wrong: untold at first, and told; what is left after each session."""

    name: str
    untold: float
    told: float
    fades: float = 1.0
    right: str = "open"

    def chance(self, seen: int, *, told: bool) -> float:
        """Return the chance that a session goes wrong that meets the mistake for the nth time."""
        return (self.told if told else self.untold) * self.fades**seen


WORLDS = (
    World("helps much", 0.6, 0.2, right="helps"),
    World("helps some", 0.6, 0.4, right="helps"),
    World("no effect", 0.5, 0.5),
    World("no effect, fades by itself", 0.8, 0.8, fades=0.9),
    World("harms", 0.3, 0.6, right="harms"),
)


def live_month(
    world: World, seed: int, *, share: float, sessions: int = SESSIONS, weekly: int = WEEKLY
) -> list[Outcome]:
    """Return what came of every exposure of a month, with lots drawn as hooks draw them."""
    dice = random.Random(f"{world.name} {seed}")
    shown: Counter[str] = Counter()
    met: Counter[str] = Counter()
    outcomes: list[Outcome] = []
    for number in range(sessions):
        project, session = dice.randrange(PROJECTS), f"{seed}-{number}"
        weights = [1 / (1 + at) ** 0.5 for at in range(LESSONS)]
        chosen = sorted(set(dice.choices(range(LESSONS), weights, k=TOLD)))
        for note in (an_id(1 + project * LESSONS + at) for at in chosen):
            about = a_note(id=note, source="detector", trigger="Bash/usage x", recalls=shown[note])
            at = NOW + number * DAY * DAYS // sessions
            busy = len(outcomes) >= weekly and outcomes[-weekly].at > at - 7 * DAY
            lot = lot_for(about, share) if busy else 0
            held = is_withheld(session, note, lot)
            shown[note] += not held
            arose = dice.random() < MATTERS
            failed = arose and dice.random() < world.chance(met[note], told=not held)
            met[note] += arose
            outcomes.append(
                _build_outcome(note, session, at, lot, held=held, arose=arose, failed=failed)
            )
    return outcomes


def _build_outcome(
    note: str, session: str, at: int, lot: int, *, held: bool, arose: bool, failed: bool
) -> Outcome:
    flags = dict.fromkeys(FLAGS, False) | {"opportunity": arose, "failed": failed}
    about = {"key": f"{session}/{note}", "note": note, "session": session, "project": "demo"}
    cost = {"tokens": 0 if held else TOKENS, "calls_lost": int(failed)}
    return Outcome.of(
        flags | about | cost | {"channel": "start", "withheld": held, "at": at, "lot": lot}
    )


def judge_effect(effect: NoteEffect) -> str:
    """Return the verdict that the sentence of ``effect`` states."""
    if effect.prevented is None:
        return "too early"
    if effect.low > 0:
        return "helps"
    if effect.high < 0:
        return "harms"
    return "no use" if effect.high < 0.1 else "open"


def list_verdicts(
    world: World, months: int, *, share: float, sessions: int = SESSIONS, weekly: int = WEEKLY
) -> Iterator[str]:
    """Yield the pooled verdict after each of so many months."""
    for seed in range(months):
        month = live_month(world, seed, share=share, sessions=sessions, weekly=weekly)
        yield judge_effect(measure_effect(month))


def cost_of_lots(world: World, outcomes: list[Outcome], sessions: int = SESSIONS) -> float:
    """Return the net tokens a session that lots took away."""
    held = [each for each in outcomes if each.withheld]
    turns = sum(each.opportunity for each in held) * (world.untold - world.told) * LOST
    return (turns * TURN - len(held) * TOKENS * PRICE) / sessions


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--months", type=int, default=200)
    arguments.add_argument("--share", type=float, action="append")
    arguments.add_argument("--sessions", type=int, default=SESSIONS)
    arguments.add_argument("--weekly", type=int, default=WEEKLY)
    given = arguments.parse_args()
    how = {"sessions": given.sessions, "weekly": given.weekly}
    print(f"{'world':<28}{'share':>6}{'withheld':>9}{'cost':>7}", *(f"{v:>9}" for v in VERDICTS))
    for world in WORLDS:
        for share in given.share or SHARES:
            month = live_month(world, 0, share=share, **how)
            found = Counter(list_verdicts(world, given.months, share=share, **how))
            cells = (f"{found[verdict] / given.months:9.1%}" for verdict in VERDICTS)
            held = sum(each.withheld for each in month)
            cost = cost_of_lots(world, month, given.sessions)
            print(f"{world.name:<28}{share:6.0%}{held:9}{cost:7.0f}", *cells)


if __name__ == "__main__":
    main()
