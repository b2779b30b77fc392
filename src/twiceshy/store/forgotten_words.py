"""Decide which words of a forgotten note or episode must vanish: those that others do not have.

Every run of five words goes, unless another note has it, too. A shorter text goes as a whole. An unusual
word goes: one that no word table knows, that no other note, project or skill has, and that is rare here.
"""

from __future__ import annotations

import re

from twiceshy.language.quoted_words import QuotedWords, list_runs, list_words, weigh_word
from twiceshy.language.terms import index_terms
from twiceshy.store import vectors
from twiceshy.store.entries import list_entries

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.core.history import Fields
    from twiceshy.core.note import Note

    Needle = tuple[str, ...]

_MAIN = ("text", "variant", "summary")
_OWN = (*_MAIN, "title")
_SHOWN = ("text", "why", "tag", "trigger")  # of another note
_ABOUT = ("why", "tag")
_LISTS = ("requests", "concepts")
_RARE_ONLY = ("trigger",)
_MACHINES = ("detector", "distiller", "historian")
_FEWEST_WHOLE = 3  # words of a short text without an unusual one
_SHORTEST_RARE = 5  # letters
_FEWEST_FOREIGN = 6  # words by which a language is told
_LONGEST_NUMBER = 5  # digits that many texts have by chance
_VOCABULARY = 50  # records with a word make it a word of the project
_SECRET = 8  # letters and digits mixed are no vocabulary
_FOREIGN = 0.5  # share of unknown words in a text of a language that the table does not know
_TEMPLATE = 3  # episodes of other sessions with the same words: ours
_QUOTING = 0.6  # share of the runs of a wording by which another note quotes it
_COUNTED = (("signals", "excerpt"), ("signals", "target"), ("payloads", "body"))
_ENDS = ".!?。！？\n"


class _OwnTexts:
    """The texts of what is forgotten, through all of its history."""

    def __init__(self, changes: Iterable[Fields]) -> None:
        self.main: dict[str, None] = {}
        self.own: dict[str, None] = {}
        self.about: dict[str, None] = {}
        self.rare: dict[str, None] = {}
        for fields in changes:
            self.main |= _list_texts(fields, _MAIN)
            self.own |= _list_texts(fields, _OWN)
            self.about |= _list_texts(fields, _ABOUT)
            self.about |= dict.fromkeys(
                str(each) for name in _LISTS for each in _as_list(fields.get(name))
            )
            self.rare |= _list_texts(fields, _RARE_ONLY)

    def list_all(self) -> list[str]:
        return [*self.own, *self.about, *self.rare]


def collect_words(
    db: sqlite3.Connection, objects: Sequence[str], *, again: Iterable[Note] = ()
) -> QuotedWords:
    """Return what must vanish with these notes and episodes; ``again`` are notes written after the request."""
    texts = _OwnTexts(_list_changes(db, objects))
    runs = {run for text in (*texts.own, *texts.about) for run in list_runs(list_words(text))}
    whole = {
        words for text in texts.own if (words := tuple(list_words(text))) and _is_short(words)
    }
    rare = _find_unusual(texts.list_all())
    known = _OtherTexts(db, objects, runs, _Quotable(texts), again)
    rare = {word for word in rare if word not in known.words and not _is_vocabulary(db, word)}
    whole = {
        words
        for words in whole
        if words not in known.texts and (len(words) >= _FEWEST_WHOLE or not rare.isdisjoint(words))
    }
    needles = (runs - known.runs) | whole | {(word,) for word in rare}
    needles |= {
        tuple(list_words(name))
        for name in _find_compounds(texts.list_all())
        if name not in known.joined and not _is_vocabulary(db, name)
    }
    return QuotedWords(frozenset(needles))


class _Quotable:
    """What of the forgotten texts makes a note quote: each wording counts alone, so that none dilutes another."""

    def __init__(self, texts: _OwnTexts) -> None:
        mains = [set(list_runs(list_words(text))) for text in texts.main]
        every = [*texts.own, *texts.about]
        # an older note may be what a text that grew began with
        self._mains = [
            (one, _QUOTING) for one in mains if one and not any(one < other for other in mains)
        ]
        self._parts = [
            *((runs, _QUOTING) for text in every if (runs := set(list_runs(list_words(text))))),
            *((runs, 1.0) for runs in _list_sentences(every)),
        ]

    def is_quoted(self, shared: set[Needle], earlier: set[Needle]) -> bool:
        """True for the runs of a note with most of a wording, or that came to say a sentence later."""
        if not shared:
            return False
        if _find_held(self._mains, shared):
            return True
        return bool(_find_held(self._parts, shared) - _find_held(self._parts, earlier))


def _find_held(parts: Sequence[tuple[set[Needle], float]], runs: set[Needle]) -> set[int]:
    """Return the numbers of the parts of which these runs hold the share that each asks for."""
    return {
        number
        for number, (part, share) in enumerate(parts)
        if len(part & runs) >= share * len(part)
    }


class _OtherTexts:
    """What other notes say: their words are not those of the forgotten one alone."""

    def __init__(
        self,
        db: sqlite3.Connection,
        objects: Sequence[str],
        runs: set[Needle],
        quotable: _Quotable,
        again: Iterable[Note],
    ) -> None:
        self.words: set[str] = set()
        self.runs: set[Needle] = set()
        self.texts: set[Needle] = set()
        self.joined = ""
        gone = set(objects)
        for one in again:
            gone.add(one.id)
            told = [str(getattr(one, name)) for name in _SHOWN]
            its = [list_words(text) for text in told]
            self._add(told, its, runs.intersection(run for each in its for run in list_runs(each)))
        first = _find_first_time(db, objects)
        asked = f"SELECT id, source, status, {', '.join(_SHOWN)} FROM notes"
        for note, source, status, *texts in db.execute(asked).fetchall():
            if note in gone or (source in _MACHINES and status != "active"):
                continue
            its = [list_words(text) for text in texts]
            shared = runs.intersection(run for words in its for run in list_runs(words))
            earlier = _find_earlier_runs(db, note, first) if shared else set()
            if not quotable.is_quoted(shared, earlier):
                self._add(texts, its, shared)
        for query in (
            "SELECT name, root FROM projects",
            "SELECT DISTINCT skill, tag FROM notes WHERE skill <> ''",
        ):
            for one, other in db.execute(query).fetchall():
                self.words.update(
                    list_words(one if query.startswith("SELECT DISTINCT") else f"{one} {other}")
                )
        if any(each.startswith("e") for each in objects):
            self.runs |= _find_templates(db, gone, runs - self.runs)

    def _add(self, texts: Sequence[str], its: Sequence[list[str]], shared: set[Needle]) -> None:
        self.runs |= shared
        for words in its:
            self.words.update(words)
        self.texts.add(tuple(its[0]))
        self.joined += "\n" + "\n".join(texts).casefold()


def _find_earlier_runs(db: sqlite3.Connection, note: str, first: int) -> set[Needle]:
    """Return the runs that a note had before there was what is forgotten: those quote nothing."""
    said: dict[str, None] = {}
    for entry in list_entries(db, note):
        fields = entry.after or {}
        at = fields.get("written_at", entry.at)
        if isinstance(at, int) and at <= first:
            said |= _list_texts(fields, _SHOWN)
    return {run for text in said for run in list_runs(list_words(text))}


def _find_first_time(db: sqlite3.Connection, objects: Sequence[str]) -> int:
    entries = (entry for each in objects for entry in list_entries(db, each))
    return min((entry.at for entry in entries), default=0)


def _find_templates(db: sqlite3.Connection, gone: set[str], runs: set[Needle]) -> set[Needle]:
    """Return the runs that stand in episodes of several other sessions: they are words of ours."""
    sessions: dict[Needle, set[str]] = {}
    mine = {
        row[0]
        for each in gone
        for row in db.execute("SELECT session FROM episodes WHERE id = ?", (each,))
    }
    for session, title, summary in db.execute("SELECT session, title, summary FROM episodes"):
        if session not in mine:
            for run in runs.intersection(list_runs(list_words(f"{title}\n{summary}"))):
                sessions.setdefault(run, set()).add(session)
    return {run for run, found in sessions.items() if len(found) >= _TEMPLATE}


def _list_changes(db: sqlite3.Connection, objects: Sequence[str]) -> Iterator[Fields]:
    for each in objects:
        for entry in list_entries(db, each):
            yield from (fields for fields in (entry.before, entry.after) if fields)


def _list_texts(fields: Fields, names: Sequence[str]) -> dict[str, None]:
    return dict.fromkeys(str(fields[name]) for name in names if fields.get(name))


def _as_list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _is_short(words: Needle) -> bool:
    return sum(map(weigh_word, words)) < 10


def _list_sentences(texts: Iterable[str]) -> list[set[Needle]]:
    found = []
    for text in texts:
        line = text
        for end in _ENDS:
            line = line.replace(end, "\n")
        found += [set(list_runs(list_words(part))) for part in line.split("\n")]
    return [runs for runs in found if runs]


def _find_unusual(texts: Iterable[str]) -> set[str]:
    """Return the words that no word table knows; of a text in an unknown language only codes."""
    found: set[str] = set()
    for text in texts:
        words = dict.fromkeys(word for word in list_words(text) if len(word) >= _SHORTEST_RARE)
        unknown = [word for word in words if _is_unknown(word)]
        plain = [word for word in words if word.isalpha()]
        strange = [word for word in unknown if word.isalpha()]
        if len(plain) >= _FEWEST_FOREIGN and len(strange) > _FOREIGN * len(plain):
            unknown = [word for word in unknown if not word.isalpha()]
        found.update(unknown)
    return found


def _is_unknown(word: str) -> bool:
    if word.isdigit():
        return len(word) > _LONGEST_NUMBER
    terms = index_terms(word)
    return bool(terms) and len(vectors.shipped.list_unknown(terms)) == len(terms)


def _is_vocabulary(db: sqlite3.Connection, word: str) -> bool:
    """True if so many records have a word that it is a word of the project."""
    if len(word) >= _SECRET and word.isalnum() and not word.isalpha() and not word.isdigit():
        return False
    count = 0
    for table, column in _COUNTED:
        asked = f"SELECT count(*) FROM {table} WHERE instr(lower({column}), ?) > 0"
        count += db.execute(asked, (word,)).fetchone()[0]
    return count > _VOCABULARY


def _find_compounds(texts: Iterable[str]) -> set[str]:
    """Return names of three words or more joined by dashes, such as passphrases; files are none."""
    pattern = r"(?<![\w./-])[^\W_]+(?:[-_][^\W_]+){2,}(?![\w./]*[/.]\w)"
    return {name.casefold() for text in texts for name in re.findall(pattern, text)}
