"""See through letters that were shifted, mirrored, reversed, spaced out or replaced by digits.

Between two letters of a word the distance stays the same under every shift of the alphabet. So one
search over the distances finds the words that instructions are made of under all 25 shifts, and
with signs turned also in a mirrored alphabet and backwards.
"""

from __future__ import annotations

import re
from itertools import pairwise

from twiceshy.safety.danger.late_pattern import LatePattern

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Words and word groups by which orders are known; what they are written with in other languages, too.
_SOUGHT = """ignore previous instruct disregard secret password credential always execute forget approved override
    silently upload confirmation without telling system prompt assistant environment download install session
    the_user to_the_user every_session tell_the do_not_tell all_the_rules anweisung vorherig benutzer instruc ignorier
    anteriores usuario contrasen utilisateur precedent istruzioni utente gebruiker wachtwoord pengguna sebelum uzytkownik
    poprzedni instrukc kullanici talimat nguoi_dung kata_sandi jalankan nirdesh semua_kunci""".split()
_MOST_SHIFTS = 6
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIRROR = str.maketrans(_LETTERS + _LETTERS.upper(), _LETTERS[::-1] + _LETTERS[::-1].upper())
_DIGITS = str.maketrans("01345789@$!|+(€", "oieastbqasiltce")
_DIGITS_L = str.maketrans("01345789@$!|+(€6", "oleastbqasiltceg")
_LEET = re.compile(
    r"(?<![\w/.:@$-])(?=[0-9@$!|+(€]{0,20}[A-Za-z])(?=[A-Za-z]{0,20}[013457@$!|])[A-Za-z0-9@$!|+(€]{3,20}(?![\w/.:-]\w)"
)
_PRINTABLE = {code: 33 + (code + 14) % 94 for code in range(33, 127)}
_ROT47 = tuple(
    each.translate(_PRINTABLE)
    for each in ("gnore", "nstruct", "revious", "assword", "ecret", "lways", "ession")
)
_ROT47_WORDS = frozenset(("E96", "%96", "FD6C"))  # the, The, user
_SPACED = re.compile(
    r"(?<![^\W_])(?:[^\W\d_][\s.\-_*\u00b7|/,\u2013]{1,3}){4,400}[^\W\d_](?![^\W_])"
)
_SHORT_LINES = LatePattern(r"\n[^\n]{1,15}\n[^\n]{1,15}\n")
_BACKWARDS = frozenset(  # words that are none the right way round
    """dna drawrof eht esrever euq eurt evah lliw lla llet morf noisses nur ot resu sadot siht sodot taht tsum uoy yreve arap etse
    etsed ruop snad sed sel ed ud enu eid dnu thcin ella red mov nek nav teh teid naad id aud gnay kutnu ek""".split()
)
_FEWEST_MOVED = 4  # words of Pig Latin
_CLUSTERS = "[bcfgp]l|[bcdfgpt]r|[cpstw]h|wh|kn|qu|tw|thr|shr|chr"
_ONSET = LatePattern(
    rf"(?s)^(\w{{0,40}}?)(?:[wyh]|(s(?:[clkmnptwq]|[cpt]r|qu|pl)|{_CLUSTERS}|[bcdfghjklmnpqrstvxz]))?ay$"
)
_ONSET_WITHOUT_S = LatePattern(rf"(?s)^(\w{{0,40}}?)(?:[wyh]|({_CLUSTERS}|[b-df-hj-np-tvxz]))?ay$")
_BETWEEN = re.compile(r"[\s.\-_*\u00b7|/,\u2013]{1,3}")
_TURNED = str.maketrans("ɐɔǝɟƃɥᴉıɾʞɯɹʇʌʍʎnuqpbd", "acefghiijkmrtvwyunbdqp")
_TURNED_LETTERS = frozenset("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ")


def decipher_texts(raw: str, plain: str) -> Iterator[str]:
    """Yield a text as it reads when its letters are put back."""
    if len(_TURNED_LETTERS.intersection(raw)) > 2:
        yield raw.lower().translate(_TURNED)[::-1]
    if any(each in plain for each in _ROT47) or not _ROT47_WORDS.isdisjoint(plain.split()):
        yield plain.translate(_PRINTABLE)
    for kind, shift, apart in _find_shifts(plain):
        if kind != "shifted" or shift or not apart:
            yield (restored := _restore(raw if raw.isascii() else plain, kind, shift))
            if kind in ("reversed", "both"):  # each word by itself
                yield " ".join(reversed(restored.split()))


def guess_letters(raw: str, plain: str) -> Iterator[str]:
    """Yield a text without what stands between its letters, with letters for digits, or backwards."""
    if _SPACED.search(raw):
        yield _SPACED.sub(_close_up, raw)
    if len(_LEET.findall(plain)) > 1:
        yield _LEET.sub(lambda found: found[0].translate(_DIGITS), plain)
        yield _LEET.sub(lambda found: found[0].translate(_DIGITS_L), plain)
    yield from _undo_pig_latin(plain)
    if _SHORT_LINES.search(raw):
        yield raw.replace("\n", "")
    if not raw.isascii():
        yield raw[::-1]
    elif len(_BACKWARDS.intersection(plain.lower().split())) > 1:
        yield raw[::-1]
        yield " ".join(word[::-1] for word in raw.split())
    for kind, shift, apart in _find_shifts(plain):
        if apart:
            yield "".join(filter(str.isalpha, _restore(plain, kind, shift)))


def _undo_pig_latin(text: str) -> Iterator[str]:
    """Yield a text with the consonants at the ends of words put back to the front, if many end so."""
    words = (
        [word.strip(".,;:!?`\"'") for word in text.lower().split()] if "ay" in text.lower() else []
    )
    moved = sum(word.endswith("ay") for word in words)
    if moved < _FEWEST_MOVED or moved * 2 < len(words):
        return
    for onset in (_ONSET, _ONSET_WITHOUT_S):
        yield " ".join(onset.sub(r"\2\1", word) for word in words)


def _close_up(found: re.Match[str]) -> str:
    """Return letters without what stands between them; a wider gap is a blank."""
    gaps = set(_BETWEEN.findall(found[0]))
    narrow = min(gaps, key=len)
    if len(gaps) > 1:
        return _BETWEEN.sub(lambda gap: "" if gap[0] == narrow else " ", found[0])
    return _BETWEEN.sub("", found[0])


def _find_shifts(plain: str) -> list[tuple[str, int, bool]]:
    """Return how letters were changed, by how much, and whether something stands between them."""
    low = plain.lower()
    places = [at for at, each in enumerate(low) if "a" <= each <= "z"]
    codes = [ord(low[at]) - 97 for at in places]
    steps = bytes([(after - before) % 26 for before, after in pairwise(codes)])
    found: dict[tuple[str, int, bool], None] = {}
    for begin in range(len(steps) - _SIGN + 1):
        for sign, kind, word in _SIGNS.get(steps[begin : begin + _SIGN], ()):
            if steps.startswith(sign, begin):
                found |= _measure_shift(codes, places, begin, kind, word)
        if len(found) >= _MOST_SHIFTS:
            break
    return list(found)


def _measure_shift(
    codes: Sequence[int], places: Sequence[int], begin: int, kind: str, word: str
) -> dict[tuple[str, int, bool], None]:
    first = word[0] if kind in ("shifted", "mirrored") else word[-1]
    if kind in ("mirrored", "both"):
        first = chr(219 - ord(first))
    shift = (codes[begin] + 97 - ord(first)) % 26
    letters = len(word) - word.count("_")
    apart = places[begin + letters - 1] - places[begin] >= len(word)
    return {(kind, shift, apart): None} if kind != "shifted" or shift or apart else {}


def _restore(text: str, kind: str, shift: int) -> str:
    back = _LETTERS[-shift:] + _LETTERS[:-shift] if shift else _LETTERS
    text = text.translate(str.maketrans(_LETTERS + _LETTERS.upper(), back + back.upper()))
    if kind in ("mirrored", "both"):
        text = text.translate(_MIRROR)
    return text[::-1] if kind in ("reversed", "both") else text


def _list_signs() -> dict[bytes, list[tuple[bytes, str, str]]]:
    """Return the distances within words, by the first of them, with the kind of change."""
    signs: dict[bytes, list[tuple[bytes, str, str]]] = {}
    for word in _SOUGHT:
        codes = [ord(each) for each in word if each != "_"]
        onward = [after - before for before, after in pairwise(codes)]
        backward = [-each for each in reversed(onward)]
        for kind, steps, turn in (
            ("shifted", onward, 1), ("mirrored", onward, -1), ("reversed", backward, 1), ("both", backward, -1),
        ):  # fmt: skip
            sign = bytes([(turn * each) % 26 for each in steps])
            signs.setdefault(sign[:_SIGN], []).append((sign, kind, word))
    return signs


_SIGN = 5  # distances that tell a word
_SIGNS = _list_signs()
