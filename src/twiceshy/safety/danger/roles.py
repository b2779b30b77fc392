"""Recognise orders to an agent by the parts that words play, in any language and in mixtures.

Each word of the tables in ``words`` plays a part: a verb of ignoring, earlier instructions, the user,
a secret. One table of rules, which knows no language, says which parts make an order when they stand
close together.
"""

from __future__ import annotations

import re
import unicodedata

from twiceshy.core.memo import memoise
from twiceshy.core.value import Value
from twiceshy.safety.danger.folding import fold_text
from twiceshy.safety.danger.late_pattern import LatePattern
from twiceshy.safety.danger.reasons import CHECKS, CREDENTIALS, INSTRUCTION

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ATTACK = INSTRUCTION
STANDING = "an order, which a user may give"
EXECUTION = "an order to run something every time, which is advice if projects run it every day"

_NAMES = (
    "ignore orders earlier all your not dry hesitate without tell hide user send show secret run always session memory "
    "store henceforth youare now approve consent if agent must authority disable check new obey delete other dest "
    "public header frame granted pretend mode task replace mine only told private instructions rights raised gate idle "
    "valueof post demand dispatch limited stale lead outrank omit report wish mistaken people deed data "
    "instead environ printed asked rest alone"
).split()
_BIT = {name: 1 << at for at, name in enumerate(_NAMES)}
_NEGATING = _BIT["not"] | _BIT["dry"] | _BIT["without"]

# What must stand within so many words of the first part, and what must not stand within three words
# of it. A bar means either part; ``@4`` means within four words of the first, and ``>`` behind it.
_RULES = """
    attack 9: ignore + orders@6 + earlier|all|your@7 : not
    attack 4: ignore + all + earlier : not
    attack 9: ignore + told + all|earlier : not dry
    attack 3: ignore + instructions : not dry
    attack 4: ignore + orders@3 + >obey|run|mine|now|only : not dry
    attack 6: obey + orders@3 + not@2 : hesitate dry
    attack 6: mine + orders@2 + only|obey|ignore
    attack 8: pretend + orders|instructions
    attack 5: mode + disable|ignore|orders|check|hide
    attack 6: replace|ignore + task@5 + user|your|authority : not dry
    attack 6: ignore|delete + memory + other|all|earlier : not
    attack 8: tell + user + not@4 : hesitate dry
    attack 5: hide + user : not dry
    attack 4: without + consent + run|send|always|delete|must : not dry if
    attack 6: user|authority + approve : if not dry header
    attack 6: user|authority + >granted : if not dry header
    attack 3: youare + now : if
    attack 8: frame + run|send|ignore|hide|must|approve|always|henceforth|orders|disable
    attack 8: new + orders@1.5 + obey|run|agent|henceforth : not
    attack 8: hide@4 + run|send|delete|disable + always|secret|session : not dry
    attack 8: tell + people + not@4 : hesitate dry data
    attack 5: hide + people + deed : not dry data
    attack 6: rights + raised@5 + your|agent : if dry
    attack 5: gate + idle : if not dry
    attack 12: limited + orders@6 + earlier|your|all@7 + >obey : dry
    attack 12: memory + stale + lead|outrank : not dry
    attack 7: memory + outrank : not dry
    attack 12: memory + stale + alone : dry
    attack 6: instead + orders@4 + your@4
    attack 14: asked + rest : dry
    attack 9: omit + report|user : not dry
    attack 9: wish + mistaken|stale : dry
    secret 10: valueof + secret@5 + post + demand|must|show : not header
    secret 12: environ + printed@3 + post : dry
    order 8: agent + always + dispatch : not dry
    secret 9: send + secret : not header@9 dry without
    secret 8: show + secret + dest|public : not header@8 dry without
    secret 9: send + private : not header@9 dry
    secret 8: send|show + memory + dest : not dry
    order 5: agent + >must + run|send|obey|store|ignore|disable|hide|delete
    order 7: agent + >always + run|send|store|disable
    order 7: store + memory + your|henceforth|always
    order 7: henceforth + run|always|store|send|must|obey|disable
    order 6: always + session + run|send|store|obey
    order 8: authority + must|approve + run|send|ignore|disable|store
    standing 5: always|henceforth + run : hesitate dry
    checks 4: disable + check + all|always|must|your|agent|henceforth : not dry
"""
_REASONS = {
    "attack": ATTACK,
    "order": STANDING,
    "secret": CREDENTIALS,
    "checks": CHECKS,
    "standing": EXECUTION,
}
_BLOCKED_WITHIN = 3.0
_SENTENCE = 3.0  # as far apart as so many words

# Scripts without blanks between words, and Hangul, whose endings grow together with the word.
_SCANNED = "\u0e01-\u0e3a\u0e40-\u0e4e\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_SCAN = LatePattern(f"[{_SCANNED}]")
_FRAME = (
    r"(?:^|(?<=[\n>\])}|*#.:!\"-])[ \t]?)(?P<frame>[^\W\d_]{2,20})(?: (?:override|message|note|prompt|said))? ?[:\uff1a]"
    r"(?=\s|[^\x00-\x7f]|$)|"
)
_END = r"|(?P<end>[.!?;\u3002\u06d4\u0964](?=\s|$)|\n\s{0,40}\n|\u3002)"
_LATIN_TOKEN = re.compile(_FRAME + r"(?P<word>[^\W\d_]+)" + _END)
_TOKEN = LatePattern(  # large sets of letters take milliseconds to compile
    _FRAME
    + rf"(?P<scan>[{_SCANNED}](?:[{_SCANNED} ]{{0,400}}[{_SCANNED}])?)"
    + rf"|(?P<word>(?:(?![{_SCANNED}])[^\W\d_]|[\u0900-\u0963\u0970-\u0dff])+)"
    + _END
)
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['\u2019\u02bc](?=[^\W\d_])")
_CONTRACTED = re.compile(r"(?<=n)['\u2019\u02bc](?=t\b)|(?<=you)['\u2019\u02bc](?=re\b)")
_MAY_DIFFER = frozenset("'$\\")  # a shell reads these in capitals, or drops them within words
_DOTENV = re.compile(r"(?<!process)(?<!import\.meta)(?<!\w)\.env\b(?!\.example)")
_MARK = re.compile(r"\[(?:PRIVATE|REDACTED(?::[a-z0-9-]{0,24})?)\]")  # our own, no secrets
_HOST = re.compile(r"://[^\s/]{1,300}")
_PLAIN = str.maketrans(
    {"ł": "l", "đ": "d", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ی": "ي", "ک": "ك", "ہ": "ه", "ھ": "ه", "ے": "ي",
     "ى": "ي", "ة": "ه"}
)  # fmt: skip
_GLUED = "وال بال لل ال و ف ب ل ك س ה ו ל ב".split()  # in front of words
_LONG = 24  # letters of a word that is likely several
_LETTERS_OF_A_WORD = (2, 4)  # in Chinese, Japanese and Korean; in Thai
_SHORT = frozenset(
    "not all run any you dont".split()
)  # parts of words that say something by themselves
_FEWEST, _MOST = 3, 24  # letters of a stem


class RoleWords(Value):
    """Words by part: whole words, stems, words of several, and words found anywhere."""

    whole: dict[str, int]
    stems: dict[str, int]
    several: dict[str, list[tuple[tuple[str, ...], int]]]
    inside: dict[str, list[tuple[str, int]]]


class RoleRule(Value):
    """Parts that make an order when they stand within so many words of the first."""

    reason: str
    span: float
    first: int
    others: tuple[tuple[int, float, bool], ...]
    blockers: tuple[tuple[int, float, bool], ...]


# Tables are read when a text has letters of theirs: each costs milliseconds.
_TABLES = (
    ("latin", "a", "z"),
    ("more_latin", "a", "z"),
    ("greek_and_cyrillic", "\u0370", "\u052f"),
    ("arabic_and_hebrew", "\u0590", "\u06ff"),
    ("indic", "\u0900", "\u0dff"),
    ("east_asian", "\u0e00", "\u11ff"),
    ("east_asian", "\u3040", "\ud7a3"),
)
_WORDS = RoleWords({}, {}, {}, {})
_read: set[str] = set()


@memoise(64)  # each rule about orders asks of the same readings
def find_orders(text: str) -> frozenset[str]:
    """Return the reasons for review of an unfolded text: one of ``_REASONS``."""
    found: set[str] = set()
    for reading in _list_foldings(text):
        hits = list(_list_hits(reading))
        seen = 0
        for _, mask in hits:
            seen |= mask
        for rule in _RULE_TABLE:
            if rule.reason not in found and _may_be_met(rule, seen) and _is_met(rule, hits):
                found.add(rule.reason)
    return frozenset(found)


def _list_foldings(text: str) -> set[str]:
    """Return a text in the letters of the tables; capitals may look like letters of another script."""
    readings = {_fold_words(text)}
    if not text.isascii() or not _MAY_DIFFER.isdisjoint(text):
        seen = fold_text(_HOST.sub(" ", text) if "://" in text else text).lower()
        if max(seen, default="") < "\u0370":
            readings.add(seen)
    return readings


def _may_be_met(rule: RoleRule, seen: int) -> bool:
    return bool(seen & rule.first) and all(seen & part for part, _, _ in rule.others)


def _is_met(rule: RoleRule, hits: Sequence[tuple[float, int]]) -> bool:
    for at, (place, mask) in enumerate(hits):
        if not mask & rule.first:
            continue
        near = [(there - place, each) for there, each in _list_near(hits, at, rule.span)]
        # one word may be two parts, as a verb that says not to tell; but no word is an order
        if (
            near
            and all(
                mask & part
                or any(_is_at(way, within, behind=behind) and each & part for way, each in near)
                for part, within, behind in rule.others
            )
            and not any(
                _is_at(way, within, behind=behind) and each & part
                for part, within, behind in rule.blockers
                for way, each in near
            )
        ):
            return True
    return False


def _is_at(way: float, within: float, *, behind: bool) -> bool:
    return abs(way) <= within and (way > 0 or not behind)


def _list_near(
    hits: Sequence[tuple[float, int]], at: int, span: float
) -> Iterator[tuple[float, int]]:
    place = hits[at][0]
    for step in (-1, 1):
        there = at + step
        while 0 <= there < len(hits) and abs(hits[there][0] - place) <= span:
            yield hits[there]
            there += step


def _list_hits(text: str) -> Iterator[tuple[float, int]]:
    """Yield the words that play a part, with their places."""
    words = _load_words(text)
    place = 0.0
    pattern = _LATIN_TOKEN if max(text, default="") < "\u0900" else _TOKEN
    tokens = [(found.lastgroup, found[found.lastgroup or 0]) for found in pattern.finditer(text)]
    at = 0
    while at < len(tokens):
        kind, said = tokens[at]
        at += 1
        if kind == "end":
            place += _SENTENCE
        elif kind == "scan":
            bare = said.replace(" ", "")
            wide = _LETTERS_OF_A_WORD[bare[0] < "\u0e80"]
            for begin, mask in _scan(words, bare):
                yield place + begin / wide, mask
            place += len(bare) / wide
        else:
            place += 1
            behind = [word for _, word in tokens[at : at + 4]]
            taken, mask = _match_several(words, said, behind)
            at += taken
            mask |= 0 if taken else _match_word(words, said)
            inner = list(_list_inner_words(words, said)) if len(said) >= _LONG else []
            for each in inner if len(inner) > 1 else [mask]:
                place += len(inner) > 1
                if each := each if kind == "frame" else each & ~_BIT["frame"]:
                    yield place, each


def _match_several(words: RoleWords, said: str, behind: Sequence[str]) -> tuple[int, int]:
    """Return how many further words are a part of a phrase that begins here, and its part."""
    best = (0, 0)
    for rest, mask in words.several.get(said, ()):
        if (
            len(rest) >= best[0]
            and len(rest) <= len(behind)
            and all(
                word.startswith(want[:-1]) if want[-1] == "*" else word == want
                for want, word in zip(rest, behind, strict=False)
            )
        ):
            best = (len(rest), mask | (best[1] if len(rest) == best[0] else 0))
    return best


def _match_word(words: RoleWords, said: str) -> int:
    mask = words.whole.get(said, 0)
    for length in range(_FEWEST if said[0] < "\u0400" else 2, min(len(said), _MOST) + 1):
        mask |= words.stems.get(said[:length], 0)
    if not mask & ~_BIT["frame"] and said[0] in "والفبلكسהולב":
        for glued in _GLUED:
            if said.startswith(glued) and len(said) > len(glued) + 1:
                return mask | _match_word(words, said[len(glued) :])
    return mask


def _scan(words: RoleWords, run: str) -> Iterator[tuple[int, int]]:
    covered = 0  # a syllable that negates says nothing by itself inside another word
    for at, letter in enumerate(run):
        mask = 0
        for word, part in words.inside.get(letter, ()):
            if run.startswith(word, at):
                mask |= part
                covered = max(covered, at + len(word) if part & ~_NEGATING else 0)
        if at and covered > at and not mask & ~_NEGATING:
            continue
        if mask:
            yield at, mask


def _list_inner_words(words: RoleWords, said: str) -> Iterator[int]:
    """Yield the parts of words that were written without blanks."""
    at = 0
    while at < len(said) - 2:
        for length in range(min(_MOST, len(said) - at), 2, -1):
            piece = said[at : at + length]
            mask = words.whole.get(piece, 0) | words.stems.get(piece, 0)
            if mask and (length > _FEWEST or piece in _SHORT):
                yield mask
                at += length
                break
        else:
            at += 1


def _fold_words(text: str) -> str:
    """Return a text in the letters of the tables."""
    text = _DOTENV.sub(" dotenv ", text) if ".env" in text else text
    text = _MARK.sub(" ", text) if "]" in text else text
    low = _CONTRACTED.sub("", _HOST.sub(" ", text.lower()) if "://" in text else text.lower())
    folded = fold_text(_APOSTROPHE.sub(" ", low)).lower().translate(_PLAIN)
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def _load_words(text: str) -> RoleWords:
    """Return the words of the scripts that a folded text may hold."""
    letters = set(text)
    for name, first, last in _TABLES:
        if name not in _read and any(first <= each <= last for each in letters):
            _read.add(name)
            _add_table(_get_table(name))
    return _WORDS


def _get_table(name: str) -> str:
    module = __import__(f"twiceshy.safety.danger.words.{name}", fromlist=[name])
    return str(getattr(module, name.upper()))


def _add_table(table: str) -> None:
    folded = table if table.isascii() else _fold_words(table)
    for line in folded.splitlines():
        head, _, told = line.partition(": ")
        if told:
            bit = _BIT[head.rpartition(" ")[2]]
            for word in told.split(", "):
                _add_word(word, bit)


def _add_word(word: str, bit: int) -> None:
    if word[0] > "\u0e00" and bit != _BIT["frame"] and _SCAN.match(word):
        bare = word.replace(" ", "")
        _WORDS.inside.setdefault(bare[0], []).append((bare, bit))
    elif " " in word:
        first, *rest = word.split()
        _WORDS.several.setdefault(first, []).append((tuple(rest), bit))
        _add_word(word.replace(" ", ""), bit)  # as written without blanks
    elif word[-1] == "*":
        _WORDS.stems[word[:-1]] = _WORDS.stems.get(word[:-1], 0) | bit
    else:
        _WORDS.whole[word] = _WORDS.whole.get(word, 0) | bit


def _parse_rules() -> list[RoleRule]:
    rules = []
    for line in filter(None, map(str.strip, _RULES.splitlines())):
        head, parts, *blockers = line.split(":")
        kind, span = head.split()
        first, *others = (_parse_part(part, float(span)) for part in parts.split("+"))
        blocked = tuple(_parse_part(each, _BLOCKED_WITHIN) for each in " ".join(blockers).split())
        rules.append(RoleRule(_REASONS[kind], float(span), first[0], tuple(others), blocked))
    return rules


def _parse_part(part: str, span: float) -> tuple[int, float, bool]:
    names, _, within = part.strip().partition("@")
    return _sum_bits(names.lstrip(">").split("|")), float(within or span), names[0] == ">"


def _sum_bits(names: Sequence[str]) -> int:
    return sum(_BIT[name] for name in names)


_RULE_TABLE = _parse_rules()
