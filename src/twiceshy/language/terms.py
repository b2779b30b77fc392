"""Text to index terms: stems, identifiers whole and in parts, and pairs of Chinese characters.

English needs nothing but this module. A text in another language is told by its letters or its
small words; then each word is bent as that language does it, and a note keeps the English stem, too.
"""

from __future__ import annotations

from twiceshy.core.text import keep_both_ends
from twiceshy.language.stem import stem_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.language.tongue import Tongue

# What a term may contain besides letters and digits; the full-text index is told the same.
JOINERS = "_.-/:@+#"

# Scanned by hand: ``re`` costs as much as Python itself, and hooks look for words all the time.
_INSIDE = "".join(JOINERS.split("_"))
_CJK = (
    *("\u3005\u3007", "\u3041\u3096", "\u309d\u309f", "\u30a1\u30fa", "\u30fc\u30ff"),
    *("\u3400\u4dbf", "\u4e00\u9fff", "\uac00\ud7a3", "\uf900\ufaff"),
)
# Letters to Python, but marks to SQLite, which would split a term at them.
_DISPUTED = frozenset("\u19c8\u19c9\u1cf2\u1cf3").union(map(chr, range(0x19B0, 0x19C1)))
_KEPT = frozenset(f"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789{JOINERS}")
_APART = {code: " " for code in range(128) if chr(code) not in _KEPT}
_IN_PARTS = {ord(char): " " for char in JOINERS}
_LONGEST = 64
_LONG = 8  # letters of a word that may be a German compound
# How many characters of a question are read, and how many of its words reach the index.
MAX_QUERY = 20_000
MAX_TERMS = 1_000
# So many terms one question has; a text with more is searched sentence by sentence.
MAX_PASSAGE = 24

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could
    did do does doing done for from get got had has have having he her here him his how i if in into
    is it its just like make me more most my no nor not now of off on once only or other our out over
    own please same she should so some such than that the their them then there these they this those
    through to too under until up us use used using very was we were what when where which while who
    why will with would you your""".split()
)
# the stems of those that are not such words themselves; to find them takes 0.7 ms
_STOP_STEMS = STOP_WORDS.union(
    "ani ar becaus befor doe ha hi onc onli pleas thei thi veri wa".split()
)


# Words that no English text has: those of the languages that ``tongue`` tells apart.
_FOREIGN = frozenset(
    """aber auch auf aus bei beim bitte damit danach darf das dass dem der des diese durch ein eine
    einem einen einer eines erst fuer fur gegen gibt haben hier ich ihr immer ist jede jeden jetzt
    kann kein keine keinen konnen man mit muss mussen nach neu nicht nichts nie noch nur oder ohne
    schon sein sich sind sonst soll uber ueber und vom von vor vorher wann warum wenn werden wie
    wieder wieso wir wird wo wurde zu zuerst zum zur zwischen
    Das Dem Der Diese Ein Eine Immer Ist Kein Keine Mit Nach Nicht Nie Nur Ohne Vor Wann Warum Wenn
    Wie Wieso Wird Wo Zum
    aussi aux avant avec cette como con cuando dans debe degli del della depois des desde despues
    dopo donde dos el est esta et etre gli il jamais las le les los mais nao nel nella nunca onde
    para pas pero por pour puis quand que qui sans senza ses sono sont sur todos tous un una une
    vous Avant El Il Jamais Las Le Les Los Nunca Para Pour Quand Un Una Une""".split()
)


def index_terms(text: str, *, tongue: Tongue | None = None) -> list[str]:
    """Return every term of ``text`` in order, repeated as often as it occurs.

    ``tongue`` is the language of the text that it is a part of.
    """
    runs = _split_runs(_is_plain(text))
    return _list_terms(runs, tongue or _tell_index_tongue(text, runs), {}, every=True)


def tell_language(text: str) -> Tongue:
    """Return the language of a text, for the terms of its parts."""
    from twiceshy.language.tongue import PLAIN  # noqa: PLC0415 - what reads many words needs it only for parts

    return _tell_index_tongue(text, _split_runs(_is_plain(text))) or PLAIN


def list_telling_terms(sentences: Iterable[str]) -> list[list[str]]:
    """Return the terms of each sentence; stop words only if nothing else is left in any."""
    texts = list(sentences)
    runs = [_split_runs(_is_plain(each)) for each in texts]
    tongue = _tell_tongue("".join(texts), [run for each in runs for run in each])
    known: dict[str, list[str]] = {}
    found = [_list_terms(each, tongue, known) for each in runs]
    if tongue:
        some = [[run for run in each if run.casefold() not in tongue.empty] for each in runs]
        telling = [_list_terms(each, tongue, known) for each in some]
        empty = _STOP_STEMS | tongue.empty
    else:
        telling, empty = found, _STOP_STEMS
    telling = [[term for term in terms if term not in empty] for terms in telling]
    return telling if any(telling) else found


def query_terms(text: str, *, most: int = MAX_TERMS) -> tuple[str, ...]:
    """Return the distinct query terms; stop words only if nothing else is left."""
    (terms,) = list_telling_terms([keep_both_ends(text, most=MAX_QUERY)])
    return tuple(dict.fromkeys(terms))[:most]


def has_telling_terms(text: str) -> bool:
    """True if a text has a word that is no function word of its language."""
    plain = _is_plain(keep_both_ends(text, most=MAX_QUERY))
    runs = _split_runs(plain)
    tongue = _tell_tongue(text, runs)
    empty = STOP_WORDS | tongue.empty if tongue else STOP_WORDS
    return bool(_list_terms([run for run in runs if run.casefold() not in empty], tongue, {}))


def _tell_tongue(text: str, runs: list[str]) -> Tongue | None:
    if text.isascii() and _FOREIGN.isdisjoint(runs):
        return None
    from twiceshy.language.tongue import tell_tongue  # noqa: PLC0415 - English never needs it

    return tell_tongue(text, runs, english=STOP_WORDS)


def _tell_index_tongue(text: str, runs: list[str]) -> Tongue | None:
    tongue = _tell_tongue(text, runs)
    if tongue is None and STOP_WORDS.isdisjoint(runs) and _has_long_word(runs):
        from twiceshy.language.tongue import UNTOLD  # noqa: PLC0415 - English texts never need it

        return UNTOLD
    return tongue


def _has_long_word(runs: list[str]) -> bool:
    return max(map(len, runs), default=0) >= _LONG


def _is_plain(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata  # noqa: PLC0415  (a shared library; plain English never needs it)

    # the marks of class 8 are not accents: they tell the kana for "ba" from those for "ha"
    apart = unicodedata.normalize("NFKD", text)
    kept = "".join(char for char in apart if unicodedata.combining(char) in (0, 8))
    return _fold_form(unicodedata.normalize("NFC", kept))


def _fold_form(text: str) -> str:
    if not any("\u3400" <= char <= "\u9fff" for char in text):
        return text
    from twiceshy.language.han import fold_chinese  # noqa: PLC0415 - only texts with Chinese characters need the table

    return fold_chinese(text)


def _split_runs(text: str) -> list[str]:
    return (text.translate(_APART) if text.isascii() else _space_runs(text)).split()


def _list_terms(
    runs: list[str], tongue: Tongue | None, known: dict[str, list[str]], *, every: bool = False
) -> list[str]:
    """Return the terms of runs; ``known`` has those of runs met before."""
    found: list[str] = []
    for run in runs:
        terms = known.get(run)
        if terms is None:
            if tongue is None and run.isascii() and run.isalpha() and run.islower():
                terms = [stem_word(run)[:_LONGEST]]  # most words; the long way takes a third more
            else:
                terms = list(_terms_of_run(run, tongue, every=every))
            known[run] = terms
        found += terms
    return found


def _terms_of_run(run: str, tongue: Tongue | None, *, every: bool) -> Iterator[str]:
    if _is_cjk(run[0]):
        yield from _character_pairs(run)
    elif chunk := _trim_chunk(run):
        if not (chunk.isalpha() and (chunk.islower() or chunk[1:].islower())):
            yield from _identifier_terms(chunk, tongue, every=every)
        elif tongue:
            yield from _bend_word(chunk.casefold(), tongue, every=every)
        else:
            yield stem_word(chunk.casefold())[:_LONGEST]


def _bend_word(word: str, tongue: Tongue, *, every: bool) -> Iterator[str]:
    """Yield the stems of a word in its language; for the index with the English one."""
    *parts, whole = tongue.stems(word)
    yield from (part[:_LONGEST] for part in parts)
    if every and (stem := stem_word(word)) != whole:
        yield stem[:_LONGEST]
    yield whole[:_LONGEST]


def _space_runs(text: str) -> str:
    """Put blanks around Chinese runs, and in place of separators."""
    kept, dense = [], False
    for char in text:
        if _is_cjk(char) != dense:
            dense = not dense
            kept.append(" ")
        letter = char.isalnum() and char not in _DISPUTED
        kept.append(char if dense or char in _KEPT or letter else " ")
    return "".join(kept)


def _trim_chunk(run: str) -> str:
    """Trim joiners at both ends; up to two leading hyphens mark an option."""
    begun = run.lstrip(_INSIDE)
    hyphens = run[: len(run) - len(begun)][-2:]
    return begun and hyphens[len(hyphens.rstrip("-")) :] + begun.rstrip(_INSIDE)


def _character_pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def _identifier_terms(chunk: str, tongue: Tongue | None, *, every: bool) -> Iterator[str]:
    """Yield the parts, then the whole if longer than a single part."""
    words = chunk.translate(_IN_PARTS).split()
    parts = [piece.casefold() for word in words for piece in _split_humps(word)]
    for part in parts:
        if tongue:
            yield from _bend_word(part, tongue, every=every)
        else:
            yield stem_word(part)[:_LONGEST]
    whole = chunk.casefold()
    if parts != [whole]:
        if tongue and whole.isalnum() and whole[-1].isdecimal():
            yield from tongue.stems(whole)[:-1]  # "MySQL8" is "mysql", too
        yield whole[:_LONGEST]


def _split_humps(word: str) -> Iterable[str]:
    """Cut before a capital that begins a word: ``camelCase``, ``HTTPServer``."""
    start = 0
    for at in range(1, len(word)):
        before, here, after = word[at - 1], word[at], word[at + 1 : at + 2]
        begins = (
            _in_ranges("az", before)
            or _in_ranges("09", before)
            or (_in_ranges("AZ", before) and _in_ranges("az", after))
        )
        if _in_ranges("AZ", here) and begins:
            yield word[start:at]
            start = at
    yield word[start:]


def _in_ranges(ends: str, char: str) -> bool:
    return ends[0] <= char <= ends[1] if char else False


def _is_cjk(char: str) -> bool:
    return char > "\u3000" and any(ends[0] <= char <= ends[1] for ends in _CJK)
