"""Tell human text from random text."""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core.patterns import compile_pattern

_PARTS = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+"
# Which letter follows which: the 340 commonest pairs of 676 make up 98 % of the pairs in words and
# identifiers of 18 MB of code and prose; half of all pairs drawn at random are none of them.
_FOLLOWS = {
    "a": "bcdfgiklmnprstuvwxy", "b": "aceijloprstuy", "c": "acehiklmoprstuy", "d": "abcdefgilnorstuy",
    "e": "abcdefghiklmnopqrstuvwxy", "f": "aefilorstuy", "g": "aeghilmnorsu", "h": "aeilorstu",
    "i": "abcdefgklmnoprstvxz", "j": "aeosu", "k": "aeilnps", "l": "acdefilnopstuvy",
    "m": "abdeilmopstu", "n": "abcdefghiklmnoprstuvwy", "o": "abcdefgiklmnoprstuvwx",
    "p": "adehiloprstuy", "q": "u", "r": "abcdefgiklmnoprstuvwy", "s": "acdefhiklmnopqrstuwy",
    "t": "abcdefghilmnoprstuwy", "u": "abcdefgilmnoprst", "v": "aeio", "w": "aehinors", "x": "ceipt",
    "y": "eilmnopst", "z": "aei",
}  # fmt: skip
_SHORT = frozenset(
    """a am an api as at aws be by cd cfg cfn cgi ci cli cmd cpp cpu css csv ctx cwd db dbg dns do fmt ftp
    gcp gid git go gpu gui he hmac html http https i id idx if img in io ip is it jpeg jpg js json jwt
    kwargs llm mcp md msg my no npm num nvm obj of ok on or os pdf pid pkg png ppc pr psql ptr pwd py
    rgb rpc rs rsa sdk sha sql src ssh ssl std str svg tar tcp tls tmp to ts tsx txt udp ui uid up url
    us utf uuid vm vpc we xml yaml yml""".split()
)
_EDGES = ".,;:!?()[]{}\"'`*_-"


def is_plain_word(piece: str) -> bool:
    """True if a piece is a single word or number, as in running text."""
    word = piece.strip(_EDGES)
    if not word.isalpha():
        return not word or word.isdigit()
    one_case = word.islower() or word.isupper() or word[1:].islower()
    return one_case and (len(word) < 6 or not word.isascii() or _is_word_like(word.lower()))


def is_wordy(value: str, *, share: float = 0.8) -> bool:
    """True if a value consists of words, as identifiers and sentences do."""
    parts: list[str] = compile_pattern(_PARTS).findall(value)
    digits = sum(len(part) for part in parts if part.isdigit())
    letters = sum(map(len, parts)) - digits
    words = sum(len(part) for part in parts if _is_word_like(part.lower()))
    return words >= share * letters and digits <= 0.3 * len(value)


def _is_word_like(part: str) -> bool:
    """True if letters follow each other as in words; a long word may break the rule once."""
    if len(part) < 3 or part in _SHORT:
        return part in _SHORT
    odd = sum(after not in _FOLLOWS.get(letter, "") for letter, after in pairwise(part))
    return odd <= (len(part) - 1) // 5


def is_random_looking(value: str) -> bool:
    """True if a value with a telling name looks random."""
    body = value.strip("=")
    if len(body) < 8 or not any(map(str.isalpha, body)) or is_wordy(body):
        return False
    return any(map(str.isdigit, body)) or len(body) >= 12
