"""Find words of correction: each cue has a weight, counts once, and matches whole words.

Harmless look-alikes (``no problem``, ``nothing wrong``, 没问题) are masked before.
"""

from __future__ import annotations

import re

from twiceshy.core.patterns import compile_pattern
from twiceshy.core.value import Value
from twiceshy.language.own_words import FILLER
from twiceshy.learning.detect import correction_chinese, correction_english

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.learning.detect.correction_cue import Cue

_CUES = (*correction_english.CUES, *correction_chinese.CUES)
_HARMLESS = (*correction_english.HARMLESS, *correction_chinese.HARMLESS)

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
            for cue in _CUES
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
    for source in _HARMLESS:
        plain = compile_pattern(source).sub(lambda found: FILLER * len(found[0]), plain)
    return plain


def is_go_on(plain: str) -> bool:
    """True if a message only agrees, answers or tells the agent to continue."""
    return len(plain) < 80 and bool(_GO_ON.fullmatch(plain))


def is_question(plain: str) -> bool:
    """True if a sentence is a question, or a request beginning with ``can you``."""
    return bool(_QUESTION.search(plain) or _ASKS.match(plain))


def is_chat(plain: str) -> bool:
    """True if a sentence asks to wait, thinks aloud, or comments."""
    return bool(_CHAT.match(plain))


def is_pasted_report(plain: str, length: int) -> bool:
    """True if a message is a report, or long and without any personal address."""
    return bool(_REPORT.search(plain)) or (length > _PASTE and not _TO_SOMEBODY.search(plain))


def is_review(plain: str) -> bool:
    """True if a message has words of code reviews, which people paste."""
    return bool(_REVIEW.search(plain))


def _count_doubts(plain: str) -> int:
    """Return the weight against a sentence: a question, an agreement, or a list item."""
    doubts = bool(_CONTENT.match(plain)) + 2 * bool(_ITEM.match(plain))
    if not _POLITE.match(plain):
        doubts += 2 * bool(_QUESTION.search(plain)) + 2 * bool(_ASKS.match(plain))
    return doubts
