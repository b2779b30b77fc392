"""Find the notes that quote an error which a prompt names, wherever in the prompt it stands.

People write about errors in prose, so words in common are an echo only if they are an error: its
name, a long run of its words, or a clause that says what went wrong.
"""

from __future__ import annotations

from twiceshy.core.trigger import list_quoted_errors, read_evidence
from twiceshy.recall.error_match import (
    LONG_RUN,
    MAX_LINE,
    MAX_PROPOSED,
    MIN_RUN,
    is_about_another,
    is_code,
    is_specific,
    list_telling_words,
    measure_echo,
    sort_by_echo,
    split_line,
    split_words,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import HookStore
    from twiceshy.recall.error_match import ErrorLine

_MAX_ASKED = 48  # words that reach the index, 15 µs each
_MIN_SPECIFIC = 2
_SENTENCE_ENDS = (". ", "? ", "! ")
# Words by which a clause says that something went wrong.
_SIGNS = frozenset(
    """abort aborted already cannot can't conflict denied err error errors exceeded exception fail failed
    failing fails failure fatal illegal invalid killed missing mismatch no not panic refused rejected
    timeout unable undefined unexpected unknown unrecognized unreachable unresolved unsupported""".split()
)


def find_notes_for_prompt_error(
    store: HookStore, projects: Sequence[str], prompt: str
) -> list[Note]:
    """Return the notes of some projects that echo an error in a prompt, the longest echo first.

    A lesson that was learned counts only if the prompt has most of the error that it quotes.
    """
    sentences = [each for each in split_sentences(prompt) if any(split_line(each))]
    lines = [split_line(each) for each in sentences]
    lines.sort(key=lambda line: not _has_sign(line))  # their words are asked for first
    telling = list_telling_words(lines)[:_MAX_ASKED]
    if not telling:
        return []
    proposed = store.propose_quoting(projects, telling, limit=MAX_PROPOSED)
    found = sort_by_echo((_measure_note(note, lines), note) for note in proposed)
    return drop_other_names(found, sentences)


def drop_other_names(notes: Sequence[Note], sentences: Sequence[str]) -> list[Note]:
    """Drop the notes that have an error of these sentences, but with one other name in it."""
    return [note for note in notes if not is_about_another(note, sentences, _measure_text)]


def _measure_note(note: Note, lines: Sequence[ErrorLine]) -> int:
    if note.source != "detector":
        return _measure_text(f"{note.text}\n{note.why}", lines)
    quoted = [(_measure_text(each, lines), each) for each in _list_quotes(note)]
    return max((most for most, each in quoted if 2 * most >= len(split_words(each))), default=0)


def _list_quotes(note: Note) -> list[str]:
    return list_quoted_errors(read_evidence(note))


def _measure_text(text: str, lines: Sequence[ErrorLine]) -> int:
    """Return the longest echo of a prompt in a text; a whole clause of either is one."""
    own = {len(clause) for line in text.splitlines() for clause in split_line(line)}

    def is_echo(run: Sequence[str], line: int, clauses: Collection[int]) -> bool:
        if any(map(is_code, run)):
            return True
        if len({word.lower() for word in run if is_specific(word)}) < _MIN_SPECIFIC:
            return False
        whole = len(run) in own or len(run) in clauses or 2 * len(run) >= line
        says_error = any(word.lower() in _SIGNS for word in run)
        return len(run) >= LONG_RUN or (len(run) > MIN_RUN and whole and says_error)

    return measure_echo(text, lines, is_echo)


def _has_sign(line: ErrorLine) -> bool:
    return any(word.lower() in _SIGNS or is_code(word) for part in line for word in part)


def split_sentences(prompt: str) -> Iterator[str]:
    """Yield the sentences of a prompt, none longer than a line that is read to its end."""
    for end in _SENTENCE_ENDS:
        prompt = prompt.replace(end, f"{end}\n")
    for line in prompt.splitlines():
        rest = line
        while len(rest) > MAX_LINE:
            head = rest[:MAX_LINE].rpartition(" ")[0] or rest[:MAX_LINE]
            yield head
            rest = rest[len(head) :].lstrip()
        yield rest
