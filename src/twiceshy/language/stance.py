"""Judge a sentence: understandable without context, concrete, for or against a thing."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.core.value import Value
from twiceshy.language.han import fold_chinese
from twiceshy.language.similar import telling_terms_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

_IGNORE_CASE = 2  # re.IGNORECASE, without its enum
_FEW_WORDS = 3
_TALK = (
    r"\b(?:i|we) (?:\w+ ){0,2}(?:said|meant|mean|told|asked|say|ask)\b|\bwhat i (?:want|said|meant)\b"
    r"|\bother one\b|\bthe \w+ (?:thing|one|part)\b|\babove\b|\bbelow\b|^but\b|\bboth\b"
    r"|\b(?:issue|problem|bug|cause|question|idea|point) (?:is|was)\b"
    r"|\byou (?:\w+ )?(?:forgot|missed|broke|removed|deleted|did|didn't|have)\b"
    r"|我(?:说|要|指|想要)的|上面|刚才|另一?个|前面|[那这]个|你又|忘了|忘记|漏了"
)
_ONE_OFF = r"[?？]\W*$|^(?:\w+,? )?let's\b"
_POINTING = r"\b(?:this|these|those|it|them|here|he|she|they)\b|(?<!sure )(?<!remember )(?<!so )\bthat\b|这|那|它"
_STANDING = (
    r"\b(?:always|never|from now on|going forward|as a rule|in future|remember)\b|^prefer\b"
    r"|以后|今后|一律|统一|务必|必须|每次|永远|始终|记住"
)
_PROGRAMS = (
    "git|gh|npm|pnpm|yarn|bun|node|pip|uv|poetry|conda|pytest|jest|make|cargo|docker|kubectl|helm|terraform"
    "|bash|zsh|python|ruff|mypy|eslint|prettier|curl|sed|grep|rg|jq"
)
# code, flags, paths, file names, identifiers, programs, and Latin words among Chinese ones
_CONCRETE = (
    r"`[^`]{2,}`|(?<!\w)--?[a-z][\w-]*|\w+/\w+|\b\w+\.[a-z]{1,5}\b|(?<!\S)\.\w+|\b\w+\(\)"
    rf"|\b[A-Za-z0-9]+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z]{{2,}}\w*|\b(?:{_PROGRAMS})\b"
    r"|(?<=[\u4e00-\u9fff])[A-Za-z][\w.-]+|(?<=[\u4e00-\u9fff] )[A-Za-z][\w.-]+"
)
_INSTRUCTING = (
    r"\b(?:don't|dont|do not|never|not|use|should|must|instead|avoid|always|need to)\b"
    r"|不|别|用|应|必须|禁止"
)
_AGAINST = (
    r"\b(?:don't|dont|do not|never|stop|avoid|not|no)\b"
    r"|不要|别|不准|不许|禁止|严禁|不能|不用|不再|切勿|请勿"
)
_FOR = (
    r"\b(?:always|must|please|make sure to|remember to|do|should)\b"
    r"|必须|一律|务必|始终|每次都?|一定要|统一|要"
)


class ContrastLike(Protocol):
    """A text with the things to avoid and to prefer."""

    @property
    def text(self) -> str:
        """Return the sentences."""

    @property
    def avoid(self) -> str:
        """Return the thing to avoid."""

    @property
    def prefer(self) -> str:
        """Return the thing to prefer."""


class StatedContrast(Value):
    """A text with a contrast, where nothing else is known."""

    text: str
    avoid: str = ""
    prefer: str = ""


def is_reversal(one: ContrastLike, other: ContrastLike) -> bool:
    """True if two texts demand and forbid the same thing, in either order."""
    swapped = ((one.avoid, other.prefer), (one.prefer, other.avoid))
    if any(mine and mine.casefold() == yours.casefold() for mine, yours in swapped):
        return True
    (mine, subject), (yours, same) = find_stance(one.text), find_stance(other.text)
    return mine * yours < 0 and bool(subject) and subject == same


def needs_context(text: str) -> bool:
    """True if a text refers to the conversation just before."""
    return _matches_pattern(_TALK, text)


def is_one_off(text: str) -> bool:
    """True if a text is a question, a proposal for now, or too short."""
    return len(telling_terms_of(text)) < _FEW_WORDS or _matches_pattern(_ONE_OFF, text)


def has_pointing_words(text: str) -> bool:
    """True if a text has pointing words (this, that, it) instead of a name."""
    return _matches_pattern(_POINTING, text)


def is_standing_rule(text: str) -> bool:
    """True if a text claims to hold permanently."""
    return _matches_pattern(_STANDING, text)


def names_concrete_thing(text: str) -> bool:
    """True if a text names a thing exactly: a command, a path, an identifier."""
    return bool(compile_pattern(_CONCRETE).search(_is_balanced(text)))


def is_instruction(text: str) -> bool:
    """True if a text says to do or not to do a thing."""
    return _matches_pattern(_INSTRUCTING, text)


def find_stance(text: str) -> tuple[int, frozenset[str]]:
    """Return 1 (for) or -1 (against), and the words of the subject."""
    side = -1 if _matches_pattern(_AGAINST, text) else int(_matches_pattern(_FOR, text))
    rest = compile_pattern(_AGAINST, _IGNORE_CASE).sub(" ", _is_balanced(text))
    return side, telling_terms_of(compile_pattern(_FOR, _IGNORE_CASE).sub(" ", rest))


def _matches_pattern(source: str, text: str) -> bool:
    return bool(compile_pattern(source, _IGNORE_CASE).search(_is_balanced(text)))


def _is_balanced(text: str) -> str:
    return fold_chinese(text).replace("’", "'")
