"""Find the thing to avoid and the thing to prefer in a sentence, and judge the sentence."""

from __future__ import annotations

from functools import lru_cache

from twiceshy.core.patterns import IGNORE_CASE, compile_pattern
from twiceshy.language.han import fold_chinese
from twiceshy.language.similar import telling_terms_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import re
    from typing import Protocol
else:
    Protocol = object

_LONGEST = 40
# A thing by its name: in quotes or backticks as it stands, else up to three words.
_QUOTE = r"`[^`]{1,40}`|\"[^\"]{1,40}\"|'[^']{1,40}'|“[^”]{1,40}”|「[^」]{1,40}」"
_WORD = r"[^\s,;!?()`\"“”「」，。；！？、]{1,40}"
_NAME = rf"(?:{_QUOTE}|{_WORD}(?: {_WORD}){{0,2}}?)"
_LAST = rf"(?:{_QUOTE}|{_WORD}(?: {_WORD}){{0,2}})"
_USE = r"(?:use|using|run|running|call|calling|try|prefer|pick|choose|take|go with)"
_NOT = r"(?:don't|dont|do not|never|stop|avoid|not|no)(?: ever)?"
_IN = r"(?:in|into|to|on|as|under|with|from|against|at|by|via|through)"
_PLACE = r"(?:in|into|on|as|under|with|from|against|at|by|via|through)"
_ARTICLE = r"(?:the |a |an |our |your |my |any |that |this )?"
_ZH = r"[^，。；！？、,;!?\n]{1,24}"
# In each, A is to be avoided and P is preferred.
_BOTH = (
    rf"\b(?:called|named|want|call it|name it) {_ARTICLE}(?P<P>{_NAME}),? (?:and not|not|instead of|rather than) {_ARTICLE}(?P<A>{_LAST})",
    rf"\b{_USE} {_ARTICLE}(?P<P>{_NAME}),? (?:and |but )?(?:instead of|rather than|not|never|over|{_NOT} {_USE})"
    rf" (?:{_USE} )?{_ARTICLE}(?P<A>{_LAST})",
    rf"\b{_NOT} {_USE} {_ARTICLE}(?P<A>{_NAME})[,;.:]? ?(?:–|—|-)? ?(?:but |and |please |just |instead |always )*"
    rf"{_USE} {_ARTICLE}(?P<P>{_LAST})",
    rf"\binstead of (?:{_USE} )?{_ARTICLE}(?P<A>{_NAME}),? (?:please |just |we |you |should |i'd |let's )*"
    rf"{_USE} {_ARTICLE}(?P<P>{_LAST})",
    rf"\b(?:replace|swap|switch|change|rename)(?: from)? {_ARTICLE}(?P<A>{_NAME}) (?:with|to|by|into|for) "
    rf"{_ARTICLE}(?P<P>{_LAST})",
    rf"\b(?:it's|it is|that's|should be|must be|is) {_ARTICLE}(?P<P>{_NAME}),? (?:and )?"
    rf"(?:(?<=, )not|and not|instead of|rather than) {_ARTICLE}(?P<A>{_LAST})",
    rf"\bnot (?:{_IN} )?{_ARTICLE}(?P<A>{_NAME}),? but (?:{_IN} )?{_ARTICLE}(?P<P>{_LAST})",
    rf"\b{_PLACE} {_ARTICLE}(?P<P>{_NAME}),? (?:and )?(?:(?<=, )not|not(?= {_IN} )|instead of|rather than)"
    rf" (?:{_IN} )?{_ARTICLE}(?P<A>{_LAST})",
    rf"(?:不要|别|不准|不许|禁止|不能|不该|不应该|不)(?:再|直接)?(?:用|使用|写|放|跑)(?P<A>{_ZH}?)[，,；; ]*"
    rf"(?:要|请|得|而是|直接|应该|统一|一律|必须|都|全部|改){{0,2}}(?:用|使用|写|放|跑|改用|换用)(?P<P>{_ZH})",
    rf"(?:用|使用|写|放|叫)(?P<P>{_ZH}?)[，,、 ]*(?:而不是|而不|不要|别|不是|不)(?:再)?(?:用|使用|写|放|叫)?(?P<A>{_ZH})",
    rf"把?(?P<A>{_ZH}?)(?:都|全部|统一|一律)?(?:改成|换成|改为|替换成|替换为|改用|换用)(?P<P>{_ZH})",
    rf"不是(?P<A>{_ZH}?)[，,]? ?(?:而)?(?:应该)?是(?P<P>{_ZH})",
    rf"(?:应该|应当|得)?(?:是|用)(?P<P>{_ZH}?)[，,]? ?而?不是(?P<A>{_ZH})",
)
_ONE = (
    rf"(?:^|[,;:.] |\bno |\bplease |\bjust )use {_ARTICLE}(?P<P>{_LAST})",
    rf"\b{_USE} {_ARTICLE}(?P<P>{_NAME}) instead(?! of)",
    rf"\b(?:always|only|should) (?:use|run|call|prefer) {_ARTICLE}(?P<P>{_LAST})",
    rf"\b(?:don't|dont|do not|never|stop|avoid|not) (?:ever )?(?:use|using|run|running|call|calling) {_ARTICLE}(?P<A>{_LAST})",
    rf"(?:不要|别|不准|不许|禁止|严禁|不能)(?:再|直接)?(?:用|使用|跑)(?P<A>{_ZH})",
    rf"(?:一律|统一|必须|都要|以后都?|始终|改|换)(?:用|使用|跑)(?P<P>{_ZH})",
)
_ENDS = frozenset(
    """for in to when and because here everywhere please so as on at with since which but if or instead again
    anymore now there then by from that until unless while after before is are was were it's not always only too
    also like directly explicitly into where yet though just we you i it they this these the a an our your wherever whenever everything however""".split()
)
_VAGUE = frozenset(
    """it that this them these those one ones something anything everything nothing what thing things way other
    another same more less all any some here there me you us yours mine both first second last new old""".split()
)
_VERBS = frozenset(
    "be been do does did might may can could will would should have has had say still called want".split()
)
_LATIN = r"[A-Za-z0-9_@.][A-Za-z0-9_@./:+#-]*(?: [A-Za-z0-9_@.-][A-Za-z0-9_@./:+#=-]*)*"
_ZH_AROUND = "了的吧来去啊呀哦呢这个那一些它再直接都"
_PROGRAMS = frozenset(
    """git gh npm pnpm yarn bun node pip uv poetry conda pytest jest make cargo docker kubectl helm terraform
    bash zsh python ruff mypy eslint prettier curl sed grep rg jq npx pip3 python3 perl awk""".split()
)
_AGAINST = (
    r"\b(?:don't|dont|do not|never|stop|avoid|not|no)\b"
    r"|不要|别|不准|不许|禁止|严禁|不能|不用|不再|切勿|请勿"
)
_FOR = (
    r"\b(?:always|must|please|make sure to|remember to|do|should)\b"
    r"|必须|一律|务必|始终|每次都?|一定要|统一|要"
)


@lru_cache(maxsize=8_192)  # a text is compared with many others, and reading it takes 0.4 ms
def find_contrast(text: str) -> tuple[str, str]:
    """Return the things to avoid and to prefer; empty strings where unnamed."""
    even = fold_chinese(text).replace("’", "'")
    for sources in (_BOTH, _ONE):
        for source in sources:
            found = compile_pattern(source, IGNORE_CASE).search(even)
            avoid, prefer = (
                (_name_in_group(found, text, group) for group in "AP") if found else ("", "")
            )
            if (avoid and prefer and avoid.lower() != prefer.lower()) or (
                sources is _ONE and (avoid or prefer)
            ):
                return avoid, prefer
    return "", ""


def _name_in_group(found: re.Match[str], text: str, group: str) -> str:
    """Return the thing in a matched group as written; empty if no name of a thing."""
    if group not in found.groupdict() or found[group] is None:
        return ""
    start, end = found.span(group)
    said = text[start:end].strip()
    if said[:1] in "`\"'“「":
        return said.strip("`\"'“”「」 ")
    return _chinese_name(said) if any(char >= "\u2e80" for char in said) else _english_name(said)


def _english_name(said: str) -> str:
    words = []
    for word in said.split():
        if word.lower().strip(".'") in _ENDS:
            break
        words.append(word)
        if word.endswith((".", ";")):
            break
    said = " ".join(words).lower().rstrip(".")
    if not words or said in _VAGUE or not _VERBS.isdisjoint(said.split()):
        return ""
    return " ".join(words).rstrip(".:")[:_LONGEST]


def _chinese_name(said: str) -> str:
    """Return the Latin words of a Chinese phrase, else a few characters."""
    latin = compile_pattern(_LATIN).search(said)
    if latin:
        return latin[0].rstrip(".")[:_LONGEST]
    said = said.strip(_ZH_AROUND + " ")
    return said if len(said) <= 8 else ""


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


def is_reversal(one: ContrastLike, other: ContrastLike) -> bool:
    """True if two texts demand and forbid the same thing, in either order."""
    swapped = ((one.avoid, other.prefer), (one.prefer, other.avoid))
    if any(mine and mine.casefold() == yours.casefold() for mine, yours in swapped):
        return True
    (mine, subject), (yours, same) = find_stance(one.text), find_stance(other.text)
    return mine * yours < 0 and bool(subject) and subject == same


def is_program(name: str) -> bool:
    """True if a name is that of a well-known program."""
    return name in _PROGRAMS


def find_stance(text: str) -> tuple[int, frozenset[str]]:
    """Return 1 (for) or -1 (against), and the words of the subject."""
    side = -1 if _matches_pattern(_AGAINST, text) else int(_matches_pattern(_FOR, text))
    rest = compile_pattern(_AGAINST, IGNORE_CASE).sub(" ", _is_balanced(text))
    return side, telling_terms_of(compile_pattern(_FOR, IGNORE_CASE).sub(" ", rest))


def _matches_pattern(source: str, text: str) -> bool:
    return bool(compile_pattern(source, IGNORE_CASE).search(_is_balanced(text)))


def _is_balanced(text: str) -> str:
    return fold_chinese(text).replace("’", "'")
