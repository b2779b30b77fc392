"""Stems of German words, so that "Tabellen" finds "Tabelle" and "gestartet" finds "starten".

Endings are brought to one form, which then gets the English stem: so loanwords have the same stem
in both languages, and "konfigurieren" meets "configuration" half way. Without accents.
"""

from __future__ import annotations

from twiceshy.language.compounds import is_german_noun, split_compound
from twiceshy.language.stem import stem_word

# Words that look inflected, and those whose vowel changes.
_AS_THEY_ARE = frozenset(
    """token open even screen given hidden broken golden taken frozen children written kitchen
    listen garden maven haven yarn garten seven then when often sudden wooden men women queen green
    oxygen gegen zwischen neben wegen gestern extern intern modern pattern kern stern""".split()
)
_IRREGULAR = dict(
    pair.split("=")
    for pair in """
    hauser=haus hause=haus hauses=haus raume=raum raumen=raum felder=feld feldern=feld bilder=bild
    bildern=bild bucher=buch buchern=buch worter=wort wortern=wort worte=wort lander=land
    landern=land blatter=blatt rader=rad glaser=glas kinder=kind kindern=kind lichter=licht
    indizes=index indices=index matrizen=matrix konten=konto daten=daten datums=datum
    baume=baum baumen=baum zuge=zug plane=plan planen=plan satze=satz satzen=satz
    pakete=paket paketen=paket lauft=laufe lief=laufe liefen=laufe schlagt=schlage schlug=schlage
    schlagen=schlage fallt=falle fiel=falle ging=gehe gingen=gehe geht=gehe gehen=gehe
    lasst=lasse liest=lese gelesen=lese lesen=lese schreibt=schreibe geschrieben=schreibe
    schreiben=schreibe schrieb=schreibe gefunden=finde findet=finde finden=finde fand=finde
    verbunden=verbinde verbindet=verbinde verbinden=verbinde verbindung=verbinde
    verbindungen=verbinde gibt=gebe gegeben=gebe geben=gebe nimmt=nehme genommen=nehme nehmen=nehme
    wirft=werfe geworfen=werfe werfen=werfe hilft=helfe helfen=helfe bricht=breche brechen=breche
    gebrochen=breche abgebrochen=abbreche abbrechen=abbreche abbruch=abbreche tut=tue getan=tue
    blieb=bleibe bleibt=bleibe bleiben=bleibe geblieben=bleibe hielt=halte halt=halte halten=halte
    gehalten=halte zog=ziehe zieht=ziehe ziehen=ziehe gezogen=ziehe
    """.split()
)
_PREFIXES = (
    *("zuruck", "zusammen", "durch", "wieder", "herunter", "hinzu", "hoch", "runter", "nach"),
    *("fest", "fort", "frei", "ab", "an", "auf", "aus", "bei", "ein", "her", "hin", "los", "mit"),
    *("um", "vor", "weg", "zu"),
)
# A "t" behind these is the ending of a verb, never the end of an English word.
_BEFORE_T = ("sch", "ch", "g", "b", "m", "tz", "ll", "rr", "nn", "ck", "hl", "hr", "uf", "pp")
_BEFORE_ET = ("t", "d", "chn", "ffn")
_BARE_S = ("eis", "aus")  # in English a plural
_LEAST = 4


def bend_german(word: str) -> tuple[str, ...]:
    """Return the stems of a compound's parts, and of the whole."""
    if not word.isalpha():
        return (stem_word(word),)
    word = _fold_spelling(word)
    parts = split_compound(word, boldly=True)
    return (*map(stem_german, parts), stem_german(word))


def bend_noun(word: str) -> tuple[str, ...]:
    """Return the stems of a noun of the table or of such nouns; nothing if it is none."""
    parts = split_compound(word)
    if parts or is_german_noun(word):
        return (*map(stem_german, parts), stem_german(word))
    return ()


def stem_german(word: str) -> str:
    """Return the stem of a lower-case word."""
    if len(word) < _LEAST or word in _AS_THEY_ARE or not (word.isascii() and word.isalpha()):
        return stem_word(word)
    return stem_word(_unify_ending(_IRREGULAR.get(word) or _drop_participle(word)))


def _fold_spelling(word: str) -> str:
    """Fold "ae", "oe" and "ue" to one letter where they stand for an umlaut."""
    for pair in ("ae", "oe", "ue"):
        at = word.find(pair)
        while at >= 0:
            if word[at + 2 :] not in ("", "s") and (at == 0 or word[at - 1] not in "aeioquy"):
                word = word[: at + 1] + word[at + 2 :]
            at = word.find(pair, at + 1)
    return word


def _drop_participle(word: str) -> str:
    """Drop the "ge" of a participle and the "zu" of an infinitive."""
    if len(word) < 7 or not word.endswith(("t", "en", "te", "ten", "ter", "tes", "ene", "enen")):
        return word
    if word.startswith("ge") and word.endswith("t"):
        return word[2:-1]
    if word.endswith("ungen"):
        return word
    for prefix in _PREFIXES:
        rest = word[len(prefix) :]
        if word.startswith(prefix) and rest.startswith(("ge", "zu")) and len(rest) >= 6:
            return prefix + rest[2 : -1 if rest[-1] == "t" else len(rest)]
    return word


def _unify_ending(word: str) -> str:
    """Bring verbs, plurals and what is made of a verb to one form."""
    for ending in ("ierungen", "ierung", "ierten", "ierte", "ieren", "iert", "iere"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + "ate"
    bare = word
    for _ in range(2):
        shorter = _strip_ending(bare)
        if shorter == bare or shorter in _AS_THEY_ARE:
            break
        bare = shorter
    return bare + "e" if bare.endswith(_BARE_S) or (bare != word and bare[-1] == "s") else bare


def _strip_ending(word: str) -> str:
    for ending in ("ungen", "ung", "en", "e"):
        bare = word[: -len(ending)]
        if word.endswith(ending) and len(bare) >= _LEAST and _is_syllable(bare):
            return bare
    if len(word) > _LEAST + 1 and word.endswith(("ern", "eln", "ers", "els")):
        return word[:-1]
    if word.endswith("et") and len(word) > _LEAST + 1 and word[:-2].endswith(_BEFORE_ET):
        return word[:-2]
    if word.endswith("t") and len(word) > _LEAST and word[:-1].endswith(_BEFORE_T):
        return word[:-1]
    return word


def _is_syllable(word: str) -> bool:
    return word[-1] not in "aiouq" or word.endswith(("ei", "au", "eu"))
