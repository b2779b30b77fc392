"""Passwords told in prose, in the commonest languages, and given to calls that log in."""

from __future__ import annotations

from twiceshy.core.patterns import IGNORE_CASE, compile_pattern
from twiceshy.safety.redact.contexts import (
    LOGINS,
    NOUNS,
    NOUNS_IN_ENGLISH,
    PEOPLE,
    PHRASES,
    PINS,
    SIGNERS,
)
from twiceshy.safety.redact.nameless import is_generated
from twiceshy.safety.redact.names import fold_case
from twiceshy.safety.redact.shapes import (
    is_made_up,
    is_mixed,
    is_password_like,
    is_phrase,
    may_be_password,
)
from twiceshy.safety.redact.values import is_random_looking

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.safety.redact.gate import Finding
    from twiceshy.safety.redact.joints import JoinedText

RULE = "said-password"
_ENDS = ".,;:!?)]}\"'`>"
_TIE = r"(?:\w{0,8}[ \t\"'`*]{0,3}(?:[:：=＝]|—|–|->|→)|[ \t]+(?:is|was|are|be|remains|still|now|to|becomes|equals|es|est|ist|lautet|è|é|er|är|on|je|este|jest|adalah|ialah|is nu|este acum|là|está|є|هي|هو|היא|είναι|คือ|है|は|是|为|to jest|set to|changed to|reads|heißt|heisst|wird|wurde|lautete|será|sera|sería|fue|era|quedó|ficou|foi|sarebbe|diventa|devient|était|artık|теперь|такой)(?:[ \t]+(?:still|now|currently|always|désormais|maintenant|ahora|agora|ora|adesso|jetzt|nun|nu|теперь|wie folgt))?)[\s\"'`*“”„«‹「『]{1,4}$"
_BEFORE_NOUN = r"(?i)(?:\b(?:with|use|using|user(?:name)?[ \t:]+[\w@.-]{2,40},?(?:[ \t]+and)?|wi-?fi|database|db|ssh|vpn|master|initial|temporary|root|admin|new|generated)[ \t]+(?:the[ \t]+|a[ \t]+|as[ \t]+)?)$"
_AS_NOUN = r"([!-~]{6,64})[\"'`”»]?[ \t]+(?:as|is|was|for|comme|als|como|come|som|jako|como|как)[ \t]+(?:(?:still|now|not|the|my|your|our|its|a|new|old|le|la|el|il|o|un|una|das)[ \t]+){0,2}(?:[\w-]{2,16}[ \t]+){0,1}$"
_PAIR = r"(?:[ \t]+(?:with|as|using|are|is))?[^\n]{0,3}[ \t:=]{1,4}[\w.@+-]{1,64}[ \t]*[/:|,][ \t]*([!-~]{6,64})"
_PHRASE = r"(?:[ \t]+is)?[ \t]*[:=]?[ \t]*[\"'`]?([a-z]{3,9}(?:[ \t]+[a-z]{3,9}){3,23})[\"'`.]?[ \t]*(?:\n|$)"
_SUFFIX = r"[-'’][^\W\d]{1,5}(?=[\s:])"  # password-nya, password'ü
_OWN_LINE = r"[^\n]{0,48}:[ \t]*(?:\r?\n[ \t]*+){1,3}([!-~]{8,128})[ \t]*+(?:\n|$)"
_PIN_TIE = r"(?:[- ]?(?:code|number|nummer))?(?:[ \t]+(?:is|ist|es|est|è|é|is now)|[ \t]*[:：=は是])[ \t]*(\d{4,8})(?![\w.-])"
_ANY_WORD = r"[!-~]{2,64}"
_SHORTEST_KEY = 12
_DOTTED = r"[\w-]+(?:\.[\w-]+)+$"  # the name of a machine or of a file
_REST_OF_NOUN = r"[^\W\d_]{1,8}(?=[ \t])"  # Turkish şifre-si, German Passwort-es
_HEX = r"[0-9a-f]{16,64}$"
_PIN_CODE = 7  # characters of " code is", at least
_REACH = 72
_SHORTEST_TOLD = 6
_MOST_BETWEEN = 9
_QUOTED = r"\\{0,4}[\"'`]([^\"'`\n\\]{0,128})\\{0,4}(?:[\"'`]|$)|(?P<bare>b'[!-~]{16,64})"
_CALL = 240
_DSN = r"(?<![\w/])[\w.-]{1,40}:([^\s:@/\"'`]{4,64})@(?:(?:tcp|unix)\(|[\w.-]{1,80}:\d{2,5}(?!\w))"


def find_said_passwords(view: JoinedText) -> Iterator[Finding]:
    """Yield passwords that stand near a noun for them, by their shape."""
    text, folded = view.text, fold_case(view.text)
    for noun, start, end in _list_said(text, folded):
        if start < end and view.is_one_line(min(noun, start), max(noun, start + 1)):
            cut = view.value_end(start, end)
            if cut == end or may_be_password(text[start:cut]) or " " in text[start:cut]:
                yield *view.original_span(start, cut), RULE


def _list_said(text: str, folded: str) -> Iterator[tuple[int, int, int]]:
    plain = text.isascii()
    for nouns, foreign in ((NOUNS, True), (NOUNS_IN_ENGLISH, False)):
        for noun in nouns:
            if plain and not noun.isascii():
                continue
            at = folded.find(noun)
            while at >= 0:
                after = at + len(noun)
                if foreign or not folded[after : after + 1].isalpha():
                    yield from (
                        (at, *one) for one in _find_after(text, at, after, foreign=foreign)
                    )
                    yield from ((at, *one) for one in _find_before(text, at))
                    if noun in PHRASES:
                        yield from ((at, *one) for one in _find_phrase(text, after))
                at = folded.find(noun, after)
    for start, end in (*_find_pins(text, folded), *_find_arguments(text, folded)):
        yield start, start, end


def _find_after(text: str, at: int, after: int, *, foreign: bool) -> Iterator[tuple[int, int]]:
    """Yield what stands behind a noun with the shape of a password."""
    own = compile_pattern(_OWN_LINE).match(text, after)
    if own and (is_password_like(own[1]) or is_generated(own[1]) or _is_hex(own[1])):
        yield own.span(1)
    pair = compile_pattern(_PAIR).match(text, after)
    if pair and may_be_password(pair[1].rstrip(_ENDS)):
        yield pair.start(1), pair.start(1) + len(pair[1].rstrip(_ENDS))
    if text[at:after].lower() in PEOPLE:
        return  # of whom much else is told
    ending = compile_pattern(_SUFFIX).match(text, after)
    if foreign and not ending:
        ending = compile_pattern(_REST_OF_NOUN).match(text, after)
    told = compile_pattern(_BEFORE_NOUN).search(text, max(0, at - 60), at) is not None
    yield from _find_near(text, at, ending.end() if ending else after, told=told or foreign or bool(ending))  # fmt: skip


def _find_near(text: str, at: int, after: int, *, told: bool) -> Iterator[tuple[int, int]]:
    """Yield the first of the next words that may be the password; the next one if it was ``told``."""
    place, limit = after, after + _REACH
    if "\n" in text[after:limit]:
        limit = text.index("\n", after)
    for number in range(_MOST_BETWEEN + 1):
        found = compile_pattern(_ANY_WORD).search(text, place, limit + 64)
        if found is None or found.start() > limit:
            return
        start, place = found.span()
        while start < place and text[start] in "\"'`(*<[{:=":
            start += 1
        token = _trim(text[start:place].partition('"')[0].partition("\\")[0])
        close = number == 0 and (told or text[start - 1 : start] in ("(", '"', "'", "`"))
        if _has_telling_shape(token) or (
            may_be_password(token)
            and (close or compile_pattern(_TIE).search(text, at, start) is not None)
        ):
            yield start, start + len(token)
            return
        if "(" in token or token.startswith("{") or token.endswith("."):
            return


def _has_telling_shape(token: str) -> bool:
    """True for a word that near a noun for passwords is hardly anything else, whatever stands between."""
    if len(token) < _SHORTEST_TOLD:
        return False
    mixed = is_mixed(token) and may_be_password(token)
    return mixed or is_made_up(token) or is_password_like(token)


def _trim(token: str) -> str:
    """Return a word without what closes the sentence, but with the signs that a password ends in."""
    while token[-1:] and token[-1] in ".,;:)]}*\"'`>":
        token = token[:-1]
    return token


def _find_phrase(text: str, after: int) -> Iterator[tuple[int, int]]:
    """Yield the words that follow a noun for a passphrase up to the end of the line."""
    found = compile_pattern(_PHRASE).match(text, after)
    if found and is_phrase(found[1]):
        yield found.span(1)


def _find_before(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield the word before a noun: ``use … as the password``."""
    found = compile_pattern(_AS_NOUN).search(text, max(0, at - 110), at)
    if found:
        token = found[1].lstrip("\"'`(*").rstrip("\"'`,*")
        start = found.start(1) + found[1].find(token) if token else found.start(1)
        if may_be_password(token) or is_password_like(token):
            yield start, start + len(token)


def _find_pins(text: str, folded: str) -> Iterator[tuple[int, int]]:
    for noun in PINS:
        at = folded.find(noun)
        while at >= 0:
            after = at + len(noun)
            if not text[at - 1 : at].isalnum() or at == 0:
                found = compile_pattern(_PIN_TIE, IGNORE_CASE).match(text, after)
                named = text[at:after].isupper() or noun != "pin"
                if found and (named or found.start(1) - after > _PIN_CODE):
                    yield found.span(1)
            at = folded.find(noun, after)


def _find_arguments(text: str, folded: str) -> Iterator[tuple[int, int]]:
    """Yield the quoted words of calls that log in or sign."""
    for names, signs in ((LOGINS, False), (SIGNERS, True)):
        for name in names:
            at = folded.find(name)
            while at >= 0:
                after = at + len(name)
                limit = text.find("\n", after, after + _CALL)
                limit = limit if limit >= 0 else after + _CALL
                for found in compile_pattern(_QUOTED).finditer(text, after, limit):
                    start, end = (
                        (found.start() + 2, found.end()) if found["bare"] else found.span(1)
                    )
                    value = text[start:end]
                    if _is_argument(value, signs=signs):
                        yield start, end
                at = folded.find(name, after)
    for found in compile_pattern(_DSN).finditer(text) if "@" in text else ():
        if may_be_password(found[1]):
            yield found.span(1)


def _is_argument(value: str, *, signs: bool) -> bool:
    if any(char in value for char in " /@=$") or compile_pattern(_DOTTED).match(value):
        return False
    if not signs:
        return may_be_password(value) or is_password_like(value)
    return is_made_up(value) or (
        len(value) >= _SHORTEST_KEY and (is_random_looking(value) or _is_hex(value))
    )


def _is_hex(value: str) -> bool:
    return compile_pattern(_HEX).match(value) is not None
