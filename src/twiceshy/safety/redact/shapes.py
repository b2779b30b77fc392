"""The shape of a password that a person chose, in running text."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.values import (
    is_code,
    is_generated_secret,
    is_placeholder,
    is_secret_name,
    is_wordy,
)

# Names of standards, versions, tickets, dates, sizes and machines are mixed like passwords.
_KNOWN = (
    r"(?i)(?:rfc|cve|iso|iec|sha|md|pbkdf|https?|utf|base|oauth|aes|rsa|ed|ipv|win|windows|python|py|node|"
    r"ubuntu|debian|v|ver|version|step|phase|part|user|test|item|page|line|issue|pr|bug|id|no|id|port|"
    r"err|error|code|exit|sql|mysql|postgres|psql|es|ecma|java|jdk|go|php|argon|bcrypt|scrypt|hs|rs|ps|"
    r"level|section|chapter|figure|table|room|day|week|q|h|x|x86|arm|amd|i|t|p|file|log|app|build|rev|r|"
    r"release|sprint|commit|task|ticket|case|example|option|min|max|column|col|row|host|node|server|db|"
    r"[a-z]{1,10}[-_])[-_.#]?\d+(?:[-_.]\d+)*[a-z]?$"
    r"|\d+(?:[.,:/-]\d+)*(?:[a-z]{1,4})?$|\d{4}-\d\d-\d\dT"
    r"|[\w-]+\.(?:[a-z]{2,5})$|\w[\w.+-]*@[\w-]+\.[\w.]+$"
)
_SIGNS = frozenset("!@#$%^&?")
_NOT_INSIDE = frozenset("/\\<>{}()[]|=\"'`")
_SHORTEST, _LONGEST = 6, 64
_DIGITS = r"\d{3}"
_WORDS = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])"


def is_password_like(token: str) -> bool:
    """True for a token that is hardly anything but a password: letters, digits and signs mixed."""
    if not may_be_password(token):
        return False
    if token[-1] in "!?#$" and compile_pattern(_KNOWN).match(token[:-1]):
        return compile_pattern(_DIGITS).search(token) is not None
    if compile_pattern(_KNOWN).match(token):
        return compile_pattern(_CAPITALS).match(token) is not None
    letters, digits = sum(map(str.isalpha, token)), sum(map(str.isdigit, token))
    if not _SIGNS.isdisjoint(token[1:]):
        return letters >= 3 and digits >= 1
    if not (any(map(str.isupper, token)) and any(map(str.islower, token))):
        return False
    # 1Password and Web3Auth are names
    few = len(compile_pattern(_WORDS).findall(token)) <= 3 and len(token) <= 24
    return digits >= 3 and few and compile_pattern(_DIGITS).search(token) is not None


def may_be_password(token: str) -> bool:
    """True for a token that may be a password where the words around say so."""
    if not (_SHORTEST <= len(token) <= _LONGEST) or not _NOT_INSIDE.isdisjoint(token):
        return False
    if not token.isascii() or is_placeholder(token) or is_code(token):
        return False
    if compile_pattern(_ATTRIBUTE).match(token):
        return False
    if "_" in token and _is_name_of_code(token):
        return False
    if compile_pattern(_KNOWN).match(token):
        # word-1234: words of passwords are not those that are numbered
        return compile_pattern(r"(?:[a-z]{4,12}-|[A-Z][a-z]{3,11}[-_!*])\d{2,5}$").match(
            token
        ) is not None and not (compile_pattern(_NUMBERED).match(token))
    return any(map(str.isalpha, token)) and (any(map(str.isdigit, token)) or _is_shuffled(token))


def is_drawn_or_made_up(value: str, *, quoted: bool) -> bool:
    """True for the value of a name such as token: a machine drew it, or a person made it up."""
    return is_generated_secret(value, quoted=quoted) or is_made_up(value)


def is_made_up(value: str) -> bool:
    """True for words with digits behind, as people make them up for a secret: winter-anvil-5512."""
    if len(value) < _SHORTEST_MADE_UP or is_secret_name(value):
        return False
    if compile_pattern(_WORDS_AND_DIGITS).match(value):
        return not (compile_pattern(_DATED).search(value) or is_placeholder(value))
    one = compile_pattern(_ONE_WORD).match(value) and not compile_pattern(_NUMBERED).match(
        value.lower()
    )
    return bool(one) or is_password_like(value)


def is_mixed(value: str) -> bool:
    """True for a longer value without words, of capitals, small letters, and digits or signs."""
    return (
        len(value) >= _LONG
        and any(map(str.isdigit, value + "0" * (not _SIGNS.isdisjoint(value[1:]))))
        and any(map(str.isupper, value))
        and any(map(str.islower, value))
        and not (is_wordy(value, share=0.6) or is_code(value) or is_placeholder(value))
    )


def _is_shuffled(token: str) -> bool:
    """True for letters without a digit that are no words: capitals and small ones, or signs between."""
    if not (any(map(str.isupper, token)) and any(map(str.islower, token))):
        return False
    long = len(token) >= _LONG or not _SIGNS.isdisjoint(token[1:-1])
    return long and not is_wordy(token, share=0.6)


def _is_name_of_code(token: str) -> bool:
    """True for a name with underscores, as code has them: words, and hardly a digit."""
    if not token.isidentifier():
        return token.strip("*").isidentifier() and is_wordy(token.strip("*"))
    mixed = not (token.islower() or token.isupper())
    digits = compile_pattern(_DIGITS).search(token) is not None
    return is_wordy(token) and not (mixed and digits)


_SHORTEST_MADE_UP = 10
_LONG = 14
_ONE_WORD = r"[A-Z][a-z]{5,}[-_!*.+]\d{4,6}$"
_CAPITALS = r"(?:[A-Z][a-z]{2,}){2,4}[-_!*.+]\d{3,6}$"
_WORDS_AND_DIGITS = r"(?:[A-Za-z]{3,}[-_.!*+]){2,5}(?:\d{4,}[A-Za-z0-9]{0,8}|\d+[A-Za-z]+\w{0,8})$"
_DATED = r"(?:19|20)\d{6}$"
_ATTRIBUTE = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
_NUMBERED = r"(?:step|phase|part|user|test|item|page|line|issue|port|error|code|exit|level|task|case|file|build|release|ticket|sprint|host|node|server|column|example|option|chapter|section)[-_]\d"


# A sentence has one of these; a passphrase is drawn from other words.
_OF_SENTENCES = frozenset(
    """a about again all an and are as at be been but by can cannot change choose confirm contain
    create current do does enter error expired failed field for forgot from has have if in incorrect
    invalid is it least less letters login longer match may minimum missing more must name new no not
    of old on one only or passphrase password passwords please repeat required reset short should sign
    special text than that the this to too try type update use user was we weak will with wrong
    you your""".split()
)


def is_phrase(value: str) -> bool:
    """True for words that were drawn, one after the other, as a passphrase is."""
    words = value.split()
    if any(is_password_like(word) for word in words):
        return True
    return (
        4 <= len(words) <= 24
        and all(word.isascii() and word.isalpha() and word.islower() for word in words)
        and all(3 <= len(word) <= 9 for word in words)
        and _OF_SENTENCES.isdisjoint(words)
    )
