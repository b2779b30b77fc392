"""Find the notes that quote an error, in their text or their reason.

Notes of people and agents say what went wrong in the words of the tool. An error finds them by
its rare words; a note counts only if it echoes the error: the name of the error, or most of what
one of its lines says.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import HookStore

    ErrorLine = list[list[str]]  # the words of each clause
    IsEcho = Callable[[Sequence[str], int, Collection[int]], bool]

_MAX_LINES = 16  # of an error, those at its end: tools say last what went wrong
MAX_LINE = 300  # characters
_MAX_ASKED = 14  # words that reach the index, 15 µs each
_MIN_LENGTH = 4
MAX_PROPOSED = 8
# So many words in a row are an echo if they are half of what a line of the error says, or this long;
# so is a whole clause of four words or more.
MIN_RUN, LONG_RUN = 3, 6
_MIN_RELATED = 2  # words in a row of a line that a note without an echo may be about
_MAX_DIGITS = 2  # more of them make an id or a hash
_CODE_LENGTH = 5
_MAX_CODE_LETTERS = 3
_MARKS = ".,:;()[]'\"`‘’“”"
_CODE_LETTERS, _CODE_DIGITS = 3, 5  # of ORA-00942
_COMMON_ERRORS = frozenset(
    """AssertionError AttributeError CalledProcessError Error ERROR ERRORS ENOENT EXIT Exception
    FileNotFoundError ImportError IndexError KeyError ModuleNotFoundError NameError OSError
    ReferenceError RuntimeError SyntaxError TypeError ValueError Warning UserWarning""".split()
)
_NUMBER = "#"
_APART = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
# What most errors say: words that tell no error from another.
_GENERIC = frozenset(
    """a abort aborted an and any are argument arguments as at be been but by call called can cannot code
    command could did directory do does error errors exception exist exists exit exited expected fail
    failed failing failure fatal file files for found from function get had has have help if in info
    input instance into invalid is it its last line list main method missing module most name no node
    not object of on only open operation or option options output path permission denied please process
    program read recent refuse refuses refusing return returned run running script see set should stack
    such status string test tests than that the then there this to trace traceback try type undefined
    unable unexpected unknown unrecognized usage use used using value was warn warning when while with without write you your""".split()
)


def find_notes_for_error(store: HookStore, projects: Sequence[str], error: str) -> list[Note]:
    """Return the notes of some projects that echo an error, the longest echo first.

    Lessons that were learned are not among them: they are told by their trigger, while it holds.
    """
    written_lines = [line for line in error.splitlines() if any(split_line(line))][-_MAX_LINES:]
    lines = [split_line(line) for line in written_lines]
    telling = list_telling_words(reversed(lines))[:_MAX_ASKED]
    if not telling:
        return []
    proposed = store.propose_quoting(projects, telling, limit=MAX_PROPOSED)
    found = sort_by_echo(
        (_measure_note(f"{note.text}\n{note.why}", lines, written_lines), note)
        for note in proposed
        if note.source != "detector"
    )
    return [note for note in found if not is_about_another(note, written_lines, measure_echo)]


def _measure_note(text: str, lines: Sequence[ErrorLine], written: Sequence[str]) -> int:
    """Return the longest echo of an error; a path counts with the name of the error."""
    return measure_echo(text, lines) or MIN_RUN * _repeats_path(text, written)


def _repeats_path(text: str, lines: Iterable[str]) -> bool:
    """True if a text has the name of an error and the path that a line has behind it."""
    said = {word.strip(_MARKS) for word in text.split()}
    for line in lines:
        known = [word for word in (raw.strip(_MARKS) for raw in line.split()) if word in said]
        if any(map(is_error_name, known)) and any("/" in word[1:-1] for word in known):
            return True
    return False


def is_about_another(
    note: Note, lines: Sequence[str], measure: Callable[[str, Sequence[ErrorLine]], int]
) -> bool:
    """True if a note has the error of a line, but with one other name or code in it."""
    from twiceshy.recall.error_codes import names_other_code
    from twiceshy.recall.error_names import names_another

    text = f"{note.text}\n{note.why}"
    echoing = [measure(text, [split_line(line)]) > 0 for line in lines]
    begins = [line[:MAX_LINE] for line in lines]
    related = [at for at, echoes in enumerate(echoing) if echoes] or [
        at for at, line in enumerate(lines) if measure_echo(text, [split_line(line)], _is_related)
    ]
    return names_other_code(text, begins, related) or names_another(
        text, begins, echoing, generic=_GENERIC
    )


def _is_related(run: Sequence[str], *_: object) -> bool:
    """True if a line may be what a note found by its subject is about."""
    return len(run) >= _MIN_RELATED and any(map(is_specific, run))


def list_telling_words(lines: Iterable[ErrorLine]) -> list[str]:
    """Return the words that tell an error from others, the names of errors first."""
    lines = list(lines)
    words = dict.fromkeys(word for line in lines for part in line for word in part)
    codes = [_write_code(word) for word in words if is_code(word)]
    codes += [
        word for line in lines for word in list_keys([each for part in line for each in part])
    ]
    specific = [word for word in words if word.isalpha() and is_specific(word)]
    return list(dict.fromkeys((*codes, *specific)))


def sort_by_echo(echoes: Iterable[tuple[int, Note]]) -> list[Note]:
    """Return the notes with an echo, the longest first."""
    found = [(length, note) for length, note in echoes if length]
    return [note for _, note in sorted(found, key=lambda pair: (-pair[0], pair[1].id))]


def measure_echo(text: str, error: Sequence[ErrorLine], is_echo: IsEcho | None = None) -> int:
    """Return how many words of a line of an error a text repeats in a row; 0 for no echo."""
    is_echo = is_echo or _is_echo
    said = split_words(text)
    folded = [_fold_word(word) for word in said]
    places: dict[str, list[int]] = {}
    for at, word in enumerate(folded):
        places.setdefault(word, []).append(at)
    best = 0
    for parts in error:
        line = [word for part in parts for word in part]
        wanted = [_fold_word(word) for word in line]
        clauses = {len(part) for part in parts}
        for start, word in enumerate(wanted):
            for at in places.get(word, ()):
                if start and at and folded[at - 1] == wanted[start - 1]:
                    continue  # inside a longer run
                length = _measure_run(folded, at, wanted, start)
                run = line[start : start + length]
                if length > best and is_echo(run, len(line), clauses):
                    best = length
    return best


def _measure_run(one: Sequence[str], at: int, other: Sequence[str], start: int) -> int:
    length = 0
    while (
        at + length < len(one)
        and start + length < len(other)
        and one[at + length] == other[start + length]
    ):
        length += 1
    return length


def _is_echo(run: Sequence[str], line: int, clauses: Collection[int]) -> bool:
    """True if shared words can only be about this error: its name, or most of what a line says."""
    keys = list_keys(run)
    if any(map(is_code, run)) or any("_" in key or len(run) == line for key in keys):
        return True
    if len(run) < MIN_RUN:
        return False
    specific = {word.lower() for word in run if is_specific(word)}
    if len(specific) > 1 and (
        len(run) >= LONG_RUN or (len(run) > MIN_RUN and len(run) in clauses)
    ):
        return True
    return len(specific) > 0 and 2 * len(run) >= line


def split_line(line: str) -> ErrorLine:
    """Return the words of each clause of a line, without paths, addresses and other places."""
    plain = " ".join(word for word in line.split() if "/" not in word and "\\" not in word)
    clauses = (split_words(clause) for clause in plain[:MAX_LINE].split(": "))
    return [clause for clause in clauses if clause]


def split_words(text: str) -> list[str]:
    """Return the words of a text: letters, digits and what joins names; ``ORA-00942`` is one."""
    if "-" in text:
        text = _join_codes(text)
    if text.isascii():
        return text.translate(_APART).split()
    return "".join(char if char.isalnum() or char == "_" else " " for char in text).split()


def _join_codes(text: str) -> str:
    """Join the codes that are written with a hyphen."""
    head, *rest = text.split("-")
    joined = head
    for part in rest:
        letters, digits = head[-_CODE_LETTERS:], part[:_CODE_DIGITS]
        whole = not head[:-_CODE_LETTERS][-1:].isalnum() and not part[_CODE_DIGITS:][:1].isalnum()
        is_joined = letters.isalpha() and letters.isupper() and digits.isdigit() and whole
        joined += f"{'_' if is_joined and len(digits) == _CODE_DIGITS else '-'}{part}"
        head = part
    return joined


def _write_code(word: str) -> str:
    """Return a code as it is written, and found by the index."""
    letters, _, digits = word.partition("_")
    is_joined = len(letters) == _CODE_LETTERS and len(digits) == _CODE_DIGITS and digits.isdigit()
    return f"{letters}-{digits}" if is_joined else word


def _fold_word(word: str) -> str:
    return _NUMBER if word.isdigit() else word.lower()


def is_specific(word: str) -> bool:
    """True for words that tell an error from others: no ids, and nothing that most errors say."""
    digits = sum(map(str.isdigit, word))
    return len(word) >= _MIN_LENGTH and word.lower() not in _GENERIC and digits <= _MAX_DIGITS


def list_keys(words: Sequence[str]) -> list[str]:
    """Return the telling words that stand behind the name of an error: ``KeyError: 'customer_id'``."""
    return [
        word
        for at, word in enumerate(words)
        if at and is_error_name(words[at - 1]) and is_specific(word)
    ]


def is_error_name(word: str) -> bool:
    """True for the name of an exception, common or not."""
    return word.endswith(("Error", "Exception")) and word not in ("Error", "Exception")


def is_code(word: str) -> bool:
    """True for names of errors: ``ECONNREFUSED``, ``TS2307``, ``DetachedInstanceError``."""
    if len(word) < _CODE_LENGTH or not word.isascii() or word in _COMMON_ERRORS:
        return False
    letters, digits = word.rstrip("0123456789"), word.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    if word.isupper() and (("_" in word and letters) or letters[:1] == "E" or word[:4] == "SIG"):
        return True
    numbered = 0 < len(word) - len(digits) <= _MAX_CODE_LETTERS and digits.isdigit()
    return numbered or (word.endswith(("Error", "Exception", "Warning")) and not word.islower())
