"""The shape of a password that a person chose, in running text."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.values import is_code, is_placeholder

# Names of standards, versions, tickets, dates, sizes and machines are mixed like passwords.
_KNOWN = (
    r"(?i)(?:rfc|cve|iso|iec|sha|md|pbkdf|https?|utf|base|oauth|aes|rsa|ed|ipv|win|windows|python|py|node|"
    r"ubuntu|debian|v|ver|version|step|phase|part|user|test|item|page|line|issue|pr|bug|id|no|id|port|"
    r"err|error|code|exit|sql|mysql|postgres|psql|es|ecma|java|jdk|go|php|argon|bcrypt|scrypt|hs|rs|ps|"
    r"level|section|chapter|figure|table|room|day|week|q|h|x|x86|arm|amd|i|t|p|file|log|app|build|rev|r|"
    r"release|sprint|commit|task|ticket|case|example|option|min|max|column|col|row|host|node|server|db|"
    r"[a-z]{1,10}-)[-_.#]?\d+(?:[-_.]\d+)*[a-z]?$"
    r"|\d+(?:[.,:/-]\d+)*(?:[a-z]{1,4})?$|\d{4}-\d\d-\d\dT"
    r"|[\w-]+\.(?:[a-z]{2,5})$|\w[\w.+-]*@[\w-]+\.[\w.]+$"
)
_SIGNS = frozenset("!@#$%^&?")
_NOT_INSIDE = frozenset("/\\<>{}()[]|=\"'`*_")
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
        return False
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
    if compile_pattern(_KNOWN).match(token):
        # word-1234: words of passwords are not those that are numbered
        return compile_pattern(r"[a-z]{4,12}-\d{2,5}$").match(token) is not None and not (
            compile_pattern(_NUMBERED).match(token)
        )
    return any(map(str.isalpha, token)) and any(map(str.isdigit, token))


_ATTRIBUTE = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
_NUMBERED = r"(?:step|phase|part|user|test|item|page|line|issue|port|error|code|exit|level|task|case|file|build|release|ticket|sprint|host|node|server|column|example|option|chapter|section)-\d"


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
