"""Detect corrections by the user: a refused call, an interruption, or words.

Most prompts correct nothing. Measured on real sessions, events tell more than any wording: a
reason given with a refusal is a correction unless it asks something, a prompt after an
interruption needs less to be one, and the first prompt of a session or an answer to an
answer needs more.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.language.contrast import pair_of
from twiceshy.language.own_words import own_words, sentences, shortened
from twiceshy.language.stance import concrete, instructs, needs_its_talk, one_off, points, standing
from twiceshy.learning.detect.correction_cues import (
    asks,
    by_others,
    chats,
    hits,
    only_goes_on,
    reviews,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.language.own_words import Sentence
    from twiceshy.learning.detect.correction_cue import Cue, Sort
    from twiceshy.learning.detect.correction_cues import Hit
    from twiceshy.shell.tool_call import Act

    Tier = Literal["rejection", "interrupt", "wording"]

ENOUGH = 3  # the score of a correction
_TELLING = 2  # less is a shade that a sentence gets from one word
_LONG = 400  # characters; who writes so much explains something
_SHORT = 25  # characters that say little more than no


class Correction(Value):
    """A correction by the user; ``text`` holds the user's own sentences.

    ``avoid`` and ``prefer`` are things by their names, where the sentences have them. ``id`` and
    ``at`` are those of the step, ``call`` is the rejected call, if any.
    """

    tier: Tier
    sort: Sort
    score: int
    text: str
    avoid: str = ""
    prefer: str = ""
    id: str = ""
    at: int = 0
    skill: str = ""
    call: Act | None = None


def of_rejection(reason: str) -> Correction | None:
    """Return the correction in a refusal, unless the user only asked, or asked to wait."""
    said = sentences(own_words(reason))
    found = hits(each.plain for each in said)
    asked = [asks(each.plain) for each in said]
    beside = _TELLING if any(asked) else 0
    carrying = [
        index
        for index, hit in enumerate(found)
        if hit.weight >= (ENOUGH if asked[index] else beside) and not chats(said[index].plain)
    ]
    if not carrying or only_goes_on(" ".join(each.plain for each in said)):
        return None
    return _made("rejection", said, found, carrying, extra=ENOUGH)


def of_prompt(text: str, *, first: bool, acted: bool, interrupted: bool) -> Correction | None:
    """Return the correction in a prompt, if any.

    ``acted``: the agent had called tools since the prompt before; ``interrupted``: the user had
    stopped it, or refused a call without a reason.
    """
    own = own_words(text)
    said = sentences(own)
    plain = " ".join(each.plain for each in said)
    if only_goes_on(plain) or by_others(plain, len(own)):
        return None
    found = hits(each.plain for each in said)
    carrying = [index for index, hit in enumerate(found) if hit.weight >= _TELLING]
    if not carrying:
        return None
    tier: Tier = "interrupt" if interrupted else "wording"
    extra = _bearing(said[0], found[0], plain) + (2 if interrupted else 0) - (len(own) > _LONG)
    extra -= 3 if first else 0 if acted or interrupted else 1
    made = _made(tier, said, found, carrying, extra=extra)
    if made is None or made.score < ENOUGH or (first and made.sort != "preference"):
        return None
    return made


def durable(correction: Correction) -> bool:
    """True if a correction makes sense outside its conversation and may become a note."""
    text = correction.text
    if correction.sort in ("revert", "not-working") or needs_its_talk(text):
        return False
    if correction.avoid and correction.prefer:
        return True
    rule = correction.sort == "preference"
    if points(text):
        return rule and concrete(text)
    if correction.avoid or correction.prefer:
        return True
    return not one_off(text) and (
        (rule and standing(text)) or (concrete(text) and (rule or instructs(text)))
    )


def _made(
    tier: Tier, said: list[Sentence], found: list[Hit], carrying: list[int], *, extra: int
) -> Correction | None:
    cues = [cue for index in carrying for cue in found[index].cues]
    score = sum(found[index].weight for index in carrying) + extra
    text = shortened([said[index] for index in _with_what_follows(said, carrying)])
    avoid, prefer = _pair([said[index].text for index in carrying])
    return Correction(tier, _sort(cues), score, text, avoid, prefer) if text else None


def _bearing(opening: Sentence, hit: Hit, plain: str) -> int:
    """Return the weight against a whole message: an opening request, or a review."""
    request = not hit.weight and asks(opening.plain)
    return -2 * (request + reviews(plain))


def _sort(cues: list[Cue]) -> Sort:
    """Return the category of the cues: preference wins, plain correction yields."""
    weights: dict[Sort, int] = {}
    for cue in cues:
        weights[cue.sort] = weights.get(cue.sort, 0) + cue.weight
    if weights.get("preference", 0) >= _TELLING:
        return "preference"
    if "revert" in weights:
        return "revert"
    other = weights.get("correction", 0)
    return "not-working" if weights.get("not-working", 0) > other else "correction"


def _with_what_follows(said: list[Sentence], carrying: list[int]) -> list[int]:
    """Add the sentence after a short sentence, which says little more than no."""
    behind = {index + 1 for index in carrying if len(said[index].text) < _SHORT}
    return [index for index in range(len(said)) if index in behind or index in carrying]


def _pair(texts: list[str]) -> tuple[str, str]:
    """Return the first complete pair (avoid, prefer), else a half pair.

    A pair may be in one sentence or over several.
    """
    bare = [text.rstrip(".;。；!！ ") for text in texts]
    pairs = [pair_of(text) for text in (*bare, "; ".join(bare))]
    return next(iter([*filter(all, pairs), *filter(any, pairs)]), ("", ""))
