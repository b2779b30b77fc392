"""Detect corrections by the user: a refused call, an interruption, or words.

Most prompts correct nothing. Measured on real sessions, events tell more than any wording: a
reason given with a refusal is a correction unless it asks something, a prompt after an
interruption needs less to be one, and the first prompt of a session or an answer to an
answer needs more.
"""

from __future__ import annotations

import re

from twiceshy.core.patterns import compile_pattern
from twiceshy.core.value import Value
from twiceshy.language.contrast import find_contrast
from twiceshy.language.own_words import (
    FILLER,
    extract_own_words,
    join_sentences,
    list_whole_sentences,
    split_sentences,
)
from twiceshy.language.preference import judge_sentence
from twiceshy.learning.detect.correction_wordings import CUES, HARMLESS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.language.own_words import Sentence
    from twiceshy.learning.detect.correction_wordings import Cue, Sort
    from twiceshy.shell.tool_call import ToolCall

    Tier = Literal["rejection", "interrupt", "wording"]

ENOUGH = 3  # the score of a correction
_TELLING = 2  # less is a shade that a sentence gets from one word
_LONG = 400  # characters; who writes so much explains something
_SHORT = 25  # characters that say little more than no
# characters of a message in which a standing order counts by itself; a longer one is a plan
_ORDER_LENGTH = {"first": 400, "later": 1_500}

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
    r"^(?:(?:and|but|so|ok|hm+|also|wait|then|well|hey),? )*(?:(?:one |quick |another )?questions?\b(?=[,:])|what|how|where|which|who|why"
    r"|when(?! .{1,60},)|is|are|does|did|was|were|can|could|would|will|shall|has|any"
    r"|(?:do|have) (?:we|you|i|they|these|those)|should (?:we|i|you|it|this|that|the|all|there|they))\b"
)
_POLITE = re.compile(
    r"^(?:(?:and|but|so|ok|then|well|no|hm+),? )*(?:can|could|can't|couldn't|would|will) (?:you|we)\b"
)
_CONTENT = re.compile(
    r"^(?:yes|yeah|yep|great|perfect|lgtm|thanks|thank you|nice|good|cool|好的?|可以|是的|谢谢)\b(?!,? but)"
)
_ITEM = re.compile(r"(?:\d{1,2}[.):]|[a-z]\)|#\d+|[-*•])\s")
_REPORT = re.compile(
    r"\b(?:low|medium|high|critical) severity\b|\baround lines? \d|\bnitpick:|\baction required\b"
    r"|(?:^|\s)(?:high|medium|low|critical|minor|major): |\bnot blocking\b"
)
# words of code reviews, which people paste
_REVIEW = re.compile(
    r"\b(?:reviewers?|bugbot|coderabbit|lines \d+|consider (?:adding|using|logging|moving|extracting)"
    r"|(?:this|following|pr|review) feedback|(?:following|pr|review) comments)\b"
)
_PASTE = 250  # characters
# how a prompt begins that a program wrote, or that briefs an agent for one task
_BRIEFING = re.compile(
    r"^(?:hi,? |hello,? |please,? )?(?:you are (?:an?|the|my|now)\b|you're (?:an?|the)\b|act as\b|your (?:task|job|role|goal|mission) is"
    r"|i want you to act|(?:implement|execute|follow|work on|do|fix|resolve) the following|你是一?[个名位]|请?你?扮演|你的任务是)"
)
_MARKDOWN = re.compile(r"\*\*[^*\n]{2,}\*\*|(?:^|\n)#{1,4} \S")  # nobody types that into a chat
_TO_SOMEBODY = re.compile(
    r"\b(?:i|i'm|i'd|i've|you|your|you're|we|we're|let's|us|me|my|our)\b|你|我|咱"
)
# a sentence that asks to wait, thinks aloud, or comments
_CHAT = re.compile(
    r"(?:(?:oh|ah|hm+|ok|okay|lol|haha|sorry|no|well),? )*(?:wait|hold on|hang on|let me|lol|haha"
    r"|let's (?:talk|discuss|think|see|wait)|(?:give me )?(?:one|a) (?:sec|second|moment|minute)|i(?:'ll| will| guess| wonder)|wondering"
    r"|never ?mind|not sure|thanks?|interesting)\b|先?等(?:等|一?下|会|我)|稍等|让我|我[先来看]|算了|嗯|哦|好的?$"
)


class StatedPreference(Value):
    """A whole sentence of the user that may become a preference.

    ``standing``: at once; ``general``: whatever the message is, others only in a correction.
    """

    text: str
    standing: bool
    general: bool = False


class Correction(Value):
    """A correction by the user; ``text`` holds the user's own sentences.

    ``avoid`` and ``prefer`` are things by their names, where the sentences have them. ``id`` and
    ``at`` are those of the step, ``call`` is the rejected call, if any.
    """

    tier: Tier
    category: Sort
    score: int
    text: str
    avoid: str = ""
    prefer: str = ""
    id: str = ""
    at: int = 0
    skill: str = ""
    call: ToolCall | None = None
    preferences: tuple[StatedPreference, ...] = ()


def parse_rejection(reason: str) -> Correction | None:
    """Return the correction in a refusal, unless the user only asked, or asked to wait."""
    own = extract_own_words(reason)
    preferences = list_preferences(own)
    said = split_sentences(own)
    found = find_cue_hits(each.plain for each in said)
    asked = [is_question(each.plain) for each in said]
    beside = _TELLING if any(asked) else 0
    carrying = [
        index
        for index, hit in enumerate(found)
        if hit.weight >= (ENOUGH if asked[index] else beside)
        and not _CHAT.match(said[index].plain)
    ]
    if not carrying or is_go_on(" ".join(each.plain for each in said)):
        return _build_order("rejection", preferences)
    made = _build_correction("rejection", said, found, carrying, extra=ENOUGH)
    return made.but(preferences=preferences) if made else None


def parse_prompt(
    text: str, *, first: bool, acted: bool, interrupted: bool, words: Sequence[str] = ()
) -> Correction | None:
    """Return the correction in a prompt, if any.

    ``acted``: the agent had called tools since the prompt before; ``interrupted``: the user had
    stopped it, or refused a call without a reason. ``words`` are the user's own, which make a later
    prompt a correction whatever else it says.
    """
    own = extract_own_words(text)
    said = split_sentences(own)
    plain = " ".join(each.plain for each in said)
    if is_go_on(plain) or is_pasted_report(plain, own):
        return None
    tier: Tier = "interrupt" if interrupted else "wording"
    short = len(own) <= _ORDER_LENGTH["first" if first else "later"]
    reviewed = len(own) > _PASTE and _REVIEW.search(plain)
    heard = short and not reviewed and not _BRIEFING.match(plain)
    preferences = list_preferences(own) if heard else ()
    if not first and (own_cues := _find_own_words(said, words)):
        made = _build_correction(tier, said, [CueHits(0)] * len(said), own_cues, extra=ENOUGH)
        return made.but(preferences=preferences) if made else None
    found = find_cue_hits(each.plain for each in said)
    carrying = [index for index, hit in enumerate(found) if hit.weight >= _TELLING]
    if not carrying:
        return _build_order(tier, preferences)
    extra = (
        _weigh_message(said[0], found[0], plain) + (2 if interrupted else 0) - (len(own) > _LONG)
    )
    extra -= 3 if first else 0 if acted or interrupted else 1
    made = _build_correction(tier, said, found, carrying, extra=extra)
    if made is None or made.score < ENOUGH or (first and made.category != "preference"):
        return _build_order(tier, preferences)
    return made.but(preferences=preferences)


def _find_own_words(said: Sequence[Sentence], words: Sequence[str]) -> list[int]:
    """Return the sentences that hold a word of the user's own; Chinese stands without blanks."""
    patterns = [
        compile_pattern(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word))
        for word in map(str.lower, words)
    ]
    return [
        index
        for index, each in enumerate(said)
        if any(pattern.search(each.text.lower()) for pattern in patterns)
    ]


def list_preferences(own: str) -> tuple[StatedPreference, ...]:
    """Return the sentences that a stranger understands as wishes for later work."""
    judged = ((each.text, judge_sentence(each)) for each in list_whole_sentences(own))
    return tuple(
        StatedPreference(text, force == "standing", force != "waiting")
        for text, force in judged
        if force
    )


def _build_order(tier: Tier, preferences: tuple[StatedPreference, ...]) -> Correction | None:
    """Build the correction of a message that is none but for its general orders."""
    general = tuple(each for each in preferences if each.general)
    if not general:
        return None
    text = join_sentences(each.text for each in general)
    return Correction(tier, "preference", ENOUGH, text, preferences=general)


def _build_correction(
    tier: Tier,
    own_sentences: list[Sentence],
    found: list[CueHits],
    carrying: list[int],
    *,
    extra: int,
) -> Correction | None:
    cues = [cue for index in carrying for cue in found[index].cues]
    score = sum(found[index].weight for index in carrying) + extra
    text = join_sentences(
        own_sentences[index].text for index in _add_following(own_sentences, carrying)
    )
    avoid, prefer = _find_contrast([own_sentences[index].text for index in carrying])
    return Correction(tier, _choose_category(cues), score, text, avoid, prefer) if text else None


def _weigh_message(opening: Sentence, hit: CueHits, plain: str) -> int:
    """Return the weight against a whole message: an opening request, or a review."""
    request = not hit.weight and is_question(opening.plain)
    return -2 * (request + bool(_REVIEW.search(plain)))


def _choose_category(cues: list[Cue]) -> Sort:
    """Return the category of the cues: preference wins, plain correction yields."""
    weights: dict[Sort, int] = {}
    for cue in cues:
        weights[cue.category] = weights.get(cue.category, 0) + cue.weight
    if weights.get("preference", 0) >= _TELLING:
        return "preference"
    if "revert" in weights:
        return "revert"
    other = weights.get("correction", 0)
    return "not-working" if weights.get("not-working", 0) > other else "correction"


def _add_following(own_sentences: list[Sentence], carrying: list[int]) -> list[int]:
    """Add the sentence after a short sentence, which says little more than no."""
    behind = {index + 1 for index in carrying if len(own_sentences[index].text) < _SHORT}
    return [index for index in range(len(own_sentences)) if index in behind or index in carrying]


def _find_contrast(texts: list[str]) -> tuple[str, str]:
    """Return the first complete pair (avoid, prefer), else a half pair.

    A pair may be in one sentence or over several.
    """
    bare = [text.rstrip(".;。；!！ ") for text in texts]
    pairs = [find_contrast(text) for text in (*bare, "; ".join(bare))]
    return next(iter([*filter(all, pairs), *filter(any, pairs)]), ("", ""))


class CueHits(Value):
    """Cues in a sentence; ``weight`` is their sum, less the doubts."""

    weight: int
    cues: tuple[Cue, ...] = ()


def find_cue_hits(plains: Iterable[str]) -> list[CueHits]:
    """Return the weight of each sentence; a cue counts only in its first sentence."""
    met: set[str] = set()
    found = []
    for plain in plains:
        bare = _mask_harmless(plain)
        new = tuple(
            cue
            for cue in CUES
            if cue.wording not in met and compile_pattern(cue.wording).search(bare)
        )
        met.update(cue.wording for cue in new)
        found.append(
            CueHits(
                max(0, sum(cue.weight for cue in new) - _count_doubts(plain)) if new else 0, new
            )
        )
    return found


def _mask_harmless(plain: str) -> str:
    """Mask harmless phrases that look like a correction."""
    for source in HARMLESS:
        plain = compile_pattern(source).sub(lambda found: FILLER * len(found[0]), plain)
    return plain


def is_go_on(plain: str) -> bool:
    """True if a message only agrees, answers or tells the agent to continue."""
    return len(plain) < 80 and bool(_GO_ON.fullmatch(plain))


def is_question(plain: str) -> bool:
    """True if a sentence is a question, or a request beginning with ``can you``."""
    return bool(_QUESTION.search(plain) or _ASKS.match(plain))


def is_pasted_report(plain: str, own: str) -> bool:
    """True if a message is a report, or long and formatted or without any personal address."""
    if _REPORT.search(plain):
        return True
    typed = _TO_SOMEBODY.search(plain) and not _MARKDOWN.search(own)
    return len(own) > _PASTE and not typed


def _count_doubts(plain: str) -> int:
    """Return the weight against a sentence: a question, an agreement, or a list item."""
    doubts = bool(_CONTENT.match(plain)) + 2 * bool(_ITEM.match(plain))
    if not _POLITE.match(plain):
        doubts += 2 * bool(_QUESTION.search(plain)) + 2 * bool(_ASKS.match(plain))
    return doubts
