"""A user corrects the agent by refusing a call, by stopping it, or in so many words; most prompts do not.

Measured on real sessions, what happened tells more than any wording: a reason given with a refusal is
a correction unless it asks something, a prompt after an interruption needs less to be one, and the
first prompt of a session or an answer to an answer needs more.
"""

from __future__ import annotations

import re

from twiceshy.core.patterns import pattern
from twiceshy.core.value import Value
from twiceshy.language.contrast import pair_of
from twiceshy.language.own_words import FILLER, own_words, sentences, shortened
from twiceshy.language.stance import concrete, instructs, needs_its_talk, one_off, points, standing
from twiceshy.learning.detect.correction_wordings import CUES, HARMLESS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from twiceshy.language.own_words import Sentence
    from twiceshy.learning.detect.correction_wordings import Cue, Sort
    from twiceshy.shell.tool_call import Act

    Tier = Literal["rejection", "interrupt", "wording"]

ENOUGH = 3  # the score of a correction
_TELLING = 2  # less is a shade that a sentence gets from one word
_LONG = 400  # characters; who writes so much explains something
_SHORT = 25  # characters that say little more than no

# An answer, an order to go on, or a figure: nothing is corrected.
_GO_ON = re.compile(
    r"(?:(?:sorry|ok|okay|yes|yep|yeah|sure|great|perfect|good|nice|cool|thanks|thank you|please|lgtm|and|now|then"
    r"|alright|fine|no problem|never ?mind|that's fine|looks good|sounds good|done),? ?)*"
    r"(?:continue|go on|go ahead|proceed|carry on|keep going|resume|retry|try again|do it|next|more|go|y|n|ok|yes|no)?"
    r"(?: please| now| again| with .{1,40}| from .{1,40})?[.! ,]*"
    r"|[\d\W]*|(?:[a-d]|option \w+|number \d+)[.)]?"
    r"|(?:请|好的?[,，]?|嗯+[,，]?|可以[,，]?|行[,，]?|是的?[,，]?|对[,，]?|谢谢[,，]?)*(?:继续(?:吧|做|下去|执行|一下)?|下一步|开始吧?)?[。！!~ ]*"
)
_QUESTION = re.compile(r"[?？]\W*$|(?:吗|呢|么)[。!！\s]*$")
_ASKS = re.compile(
    r"^(?:(?:and|but|so|ok|hm+|also|wait|then|well|hey),? )*(?:what|how|where|which|who|why"
    r"|when(?! .{1,60},)|is|are|does|did|was|were|can|could|would|will|shall|has|any"
    r"|(?:do|have) (?:we|you|i|they|these|those)|should (?:we|i|you|it|this|that|the|all|there|they))\b"
)
_POLITE = re.compile(
    r"^(?:(?:and|but|so|ok|then|well|no|hm+),? )*(?:can|could|would|will) (?:you|we)\b"
)
_CONTENT = re.compile(
    r"^(?:yes|yeah|yep|great|perfect|lgtm|thanks|thank you|nice|good|cool|好的?|可以|是的|谢谢)\b(?!,? but)"
)
_ITEM = re.compile(r"(?:\d{1,2}[.):]|[a-z]\)|#\d+|[-*•])\s")
_REPORT = re.compile(
    r"\b(?:low|medium|high|critical) severity\b|\baround lines? \d|\bnitpick:|\baction required\b"
)
_REVIEW = re.compile(
    r"\b(?:reviewers?|bugbot|coderabbit|lines \d+|consider (?:adding|using|logging|moving|extracting)"
    r"|(?:this|following|pr|review) feedback|(?:following|pr|review) comments)\b"
)
_PASTE = 250  # characters
_TO_SOMEBODY = re.compile(
    r"\b(?:i|i'm|i'd|i've|you|your|you're|we|we're|let's|us|me|my|our)\b|你|我|咱"
)
_CHAT = re.compile(
    r"(?:(?:oh|ah|hm+|ok|okay|lol|haha|sorry|no|well),? )*(?:wait|hold on|hang on|let me|lol|haha"
    r"|let's (?:talk|discuss|think|see|wait)|(?:give me )?(?:one|a) (?:sec|second|moment|minute)|i(?:'ll| will| guess| wonder)|wondering"
    r"|never ?mind|not sure|thanks?|interesting)\b|先?等(?:等|一?下|会|我)|稍等|让我|我[先来看]|算了|嗯|哦|好的?$"
)


class Correction(Value):
    """What the user wants otherwise; ``text`` are their own sentences that say so.

    ``avoid`` and ``prefer`` are things by their names, where the sentences have them. ``id`` and
    ``at`` are those of the step, ``call`` is the call that was rejected, if it was one.
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
    """Return what a user said who refused a call, unless they only asked, or asked to wait."""
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
    """Return what a prompt corrects, if it does.

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
    """Tell whether a correction is understood outside its conversation, so that it may be a note."""
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
    """Return what speaks against a message as a whole: it begins with a request, or is a review."""
    request = not hit.weight and asks(opening.plain)
    return -2 * (request + reviews(plain))


def _sort(cues: list[Cue]) -> Sort:
    """Return the sort that the cues make: a rule for all time wins, a plain correction gives way."""
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
    """Add the sentence behind one that says little more than no."""
    behind = {index + 1 for index in carrying if len(said[index].text) < _SHORT}
    return [index for index in range(len(said)) if index in behind or index in carrying]


def _pair(texts: list[str]) -> tuple[str, str]:
    """Return the first pair that is whole, in one sentence or over several, else half a one."""
    bare = [text.rstrip(".;。；!！ ") for text in texts]
    pairs = [pair_of(text) for text in (*bare, "; ".join(bare))]
    return next(iter([*filter(all, pairs), *filter(any, pairs)]), ("", ""))


class Hit(Value):
    """The cues that one sentence holds; ``weight`` is their sum, less what speaks against it."""

    weight: int
    cues: tuple[Cue, ...] = ()


def hits(plains: Iterable[str]) -> list[Hit]:
    """Return what each sentence weighs; a cue counts in the first sentence that holds it."""
    met: set[str] = set()
    found = []
    for plain in plains:
        bare = _covered(plain)
        new = tuple(
            cue for cue in CUES if cue.wording not in met and pattern(cue.wording).search(bare)
        )
        met.update(cue.wording for cue in new)
        found.append(
            Hit(max(0, sum(cue.weight for cue in new) - _doubts(plain)) if new else 0, new)
        )
    return found


def _covered(plain: str) -> str:
    """Cover what only looks like a correction."""
    for source in HARMLESS:
        plain = pattern(source).sub(lambda found: FILLER * len(found[0]), plain)
    return plain


def only_goes_on(plain: str) -> bool:
    """Tell whether a message only agrees, answers or tells the agent to go on."""
    return len(plain) < 80 and bool(_GO_ON.fullmatch(plain))


def asks(plain: str) -> bool:
    """Tell whether a sentence is a question; a request that begins with ``can you`` is one too."""
    return bool(_QUESTION.search(plain) or _ASKS.match(plain))


def chats(plain: str) -> bool:
    """Tell whether a sentence asks to wait, thinks aloud, or comments on something."""
    return bool(_CHAT.match(plain))


def by_others(plain: str, length: int) -> bool:
    """Tell whether a message is a report, or long and without a word from one person to another."""
    return bool(_REPORT.search(plain)) or (length > _PASTE and not _TO_SOMEBODY.search(plain))


def reviews(plain: str) -> bool:
    """Tell whether a message has the words of reviews, which people paste."""
    return bool(_REVIEW.search(plain))


def _doubts(plain: str) -> int:
    """Return what speaks against a sentence: it asks, agrees, or is an item of a list."""
    doubts = bool(_CONTENT.match(plain)) + 2 * bool(_ITEM.match(plain))
    if not _POLITE.match(plain):
        doubts += 2 * bool(_QUESTION.search(plain)) + 2 * bool(_ASKS.match(plain))
    return doubts
