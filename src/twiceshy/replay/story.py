"""Tell the result of a replay in words: what came back, and what notes would have done about it."""

from collections.abc import Callable, Iterator, Mapping

from twiceshy.core.prices import Prices
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.replay.mistakes import RepeatedMistake
from twiceshy.replay.play import Replayed
from twiceshy.replay.score import ReplayScore
from twiceshy.replay.table import ENOUGH

_DEAREST = 3
_LONGEST = 72  # characters of a call or an error


def tell_story(
    replayed: Replayed,
    prices: Prices,
    *,
    names: Mapping[str, str],
    redact: Callable[[str], str] = str,
) -> Iterator[str]:
    """Yield the lines of the story; ``names`` are the names of projects by id."""
    score = replayed.own_score
    if not score.sessions:
        yield "There is no session in which a call was made, so there is nothing to replay."
        return
    sessions = _count(score.sessions, "session")
    if not score.mistakes:
        yield (
            f"In {sessions}, no mistake came back that an earlier session had made;"
            f" twiceshy would have told {_describe_told(score)}."
        )
        return
    kinds = len(replayed.mistakes)
    yield (
        f"In {sessions}, the same mistakes came back {_count(score.mistakes, 'time')}"
        f" ({kinds:,} different {'ones' if kinds > 1 else 'one'}) and cost"
        f" {_count(score.lost, 'turn')}. {'The dearest' if kinds > 1 else 'It was'}:"
    )
    several = len({each.project for each in replayed.mistakes}) > 1
    for number, mistake in enumerate(replayed.mistakes[:_DEAREST], start=1):
        where = f" in {names.get(mistake.project, mistake.project)}" if several else ""
        yield f"  {number}. {_describe_mistake(mistake, where, redact)}"
    if others := score.recurrences - score.mistakes:
        yield (
            f"{_count(others, 'other failure')} came back, too: tests, builds, what the user"
            " refused. They are not counted here."
        )
    yield from _tell_result(score, prices)


def _tell_result(score: ReplayScore, prices: Prices) -> Iterator[str]:
    net = score.net_tokens(prices) or 0.0
    yield (
        f"twiceshy would have prevented {score.prevented:,} of them, stopped {score.stopped:,} and"
        f" repaired {score.repaired:,} at the failure: {score.saved:,} of {_count(score.lost, 'turn')}"
        f" saved, for {_describe_told(score)}, net {net:+,.0f}. At most: an agent may ignore a note."
    )
    if score.mistakes < ENOUGH:
        yield "So few prove nothing."


def _describe_told(score: ReplayScore) -> str:
    return f"{score.tokens / score.sessions:,.0f} tokens a session"


def _describe_mistake(mistake: RepeatedMistake, where: str, redact: Callable[[str], str]) -> str:
    called, error, fixed = (
        _flatten(redact(text)) for text in (mistake.called, mistake.error, mistake.fixed)
    )
    cost = f"{_count(mistake.times, 'time')}{where}, {_count(mistake.lost, 'turn')}"
    remedy = f"; `{fixed}` worked" if fixed and fixed != called else ""
    return f'`{called}` failed with "{error}": {cost}{remedy}'


def _flatten(text: str) -> str:
    return fold_to_line(strip_unsafe(text), limit=_LONGEST)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s'[: number != 1]}"
