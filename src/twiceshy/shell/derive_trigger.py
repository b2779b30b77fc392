"""Derive the trigger of a note from its words: a command with flags or a subcommand, or a file.

"Lock with `uv lock --frozen`" is about `uv lock` without that flag; "never `git push --force`" is
about the very call. A program alone is no trigger: it would match calls of every kind.
"""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.trigger import FILES, Trigger, parse_trigger, read_evidence
from twiceshy.shell.call_head import list_heads
from twiceshy.shell.call_words import call_words, path_pairs

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note

NO_TRIGGER = "none"
_DERIVED_KINDS = ("lesson", "decision", "pattern", "issue")
_DERIVED_SOURCES = ("user", "agent", "import")
_SHELL = "Bash"
_MIN_WORDS = 2  # a program alone is no trigger
_MAX_WORDS = 5
_MAX_TEXT = 4_000
# Words before a command that advise against it, and those that advise it.
_AGAINST = frozenset("avoid don't dont never no not plain bare without than of cannot".split())
_FOR = frozenset(
    """use run call with via by through to into at see check prefer always pass add try execute first
    then and or after before""".split()
)
_LOOK_BACK = 3
_QUOTES = "'\"()[]{},;:!?*"
_FILE_ENDINGS = frozenset(
    """c cc cfg conf cpp cs css csv env ex go gradle graphql h hs html ini java js json jsx kt lock lua
    md mjs php proto ps1 py rb rs scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml
    zig""".split()
)


def read_note_trigger(note: Note) -> Trigger | None:
    """Return the trigger set for a note, or the one that its words give; None if neither."""
    if note.trigger:
        return parse_trigger(note.trigger)
    if note.kind not in _DERIVED_KINDS or note.source not in _DERIVED_SOURCES:
        return None
    text = f"{note.text}\n{note.why}"[:_MAX_TEXT]
    found = [*_find_commands(text)]
    against = [trigger for trigger, is_advised in found if not is_advised]
    advised = [trigger for trigger, is_advised in found if is_advised]
    paths = (path for path in (*_find_files(text), *note.files) if "*" not in path)
    files = (Trigger(FILES, tuple(path_pairs(path)[-1:])) for path in paths if path_pairs(path))
    return next(iter((*against, *advised, *files)), None)


def find_program(note: Note, trigger: Trigger) -> str:
    """Return the program whose calls a learned note is about; empty for files and other tools."""
    if trigger.tool != _SHELL or note.source != "detector":
        return ""
    call = read_evidence(note).partition("`")[2].partition("` failed: ")[0]
    parts = call_words({"command": call})
    named = note.text.partition("`")[2].partition("`")[0].split(" ")[0]  # if it was not kept
    known = [part[0] for part in parts if set(trigger.words).issubset(part)]
    return (known or [word for word in trigger.words if word == named] or [""])[0]


def parse_when(text: str) -> str:
    """Return the trigger line for a command, a file or a trigger line; ``none`` for no trigger.

    NoteError explains what cannot be one.
    """
    given = " ".join(text.split())
    words = given.split(" ")
    if given in ("", NO_TRIGGER):
        return given  # it names no word, so no call matches it
    if words[0] == FILES or (words[0][:1].isupper() and len(words) > 1):
        trigger = parse_trigger(given)
    elif len(words) == 1 and _is_file(given, quoted=True):
        trigger = Trigger(FILES, tuple(path_pairs(given)[-1:]))
    else:
        part = next(iter(call_words({"command": given})), ())
        trigger = Trigger(_SHELL, part) if len(part) >= _MIN_WORDS else None
    if trigger is None or not trigger.words:
        raise NoteError(
            f"{given[:60]!r} names no call",
            hint='give a command with a flag or subcommand ("git push --force"), or a file',
        )
    return trigger.to_line()


def _find_commands(text: str) -> Iterator[tuple[Trigger, bool]]:
    """Yield a trigger for each command in backticks, and whether the text advises the command."""
    spans = text.split("`")
    for at in range(1, len(spans) - 1, 2):
        heads = list_heads(spans[at])
        part = next(iter(call_words({"command": spans[at]})), ())
        if len(heads) != 1 or not _MIN_WORDS <= len(part) <= _MAX_WORDS:
            continue
        flags = tuple(word for word in part if word[0] == "-")
        head = tuple(heads[0].split(" "))
        if not part[0].islower() or not (flags or len(head) >= _MIN_WORDS):
            continue  # quoted words, a path, an error
        if not _is_advised(spans[at - 1]):
            yield Trigger(_SHELL, part), False
        elif flags and len(head) >= _MIN_WORDS:
            yield Trigger(_SHELL, head, flags), True


def _is_advised(before: str) -> bool:
    """True if the words before a command advise it; a bare mention is about the command."""
    sentence = before.replace(". ", "\n").rpartition("\n")[2]
    last = [word.strip(_QUOTES).lower() for word in sentence.split()][-_LOOK_BACK:]
    if _AGAINST.intersection(last):
        return False
    return bool(_FOR.intersection(last))


def _find_files(text: str) -> Iterator[str]:
    """Yield the paths that a text names; a bare name counts in backticks only."""
    for at, span in enumerate(text.split("`")):
        words = [word.strip(_QUOTES).rstrip(".") for word in span.split()]
        quoted = at % 2 == 1 and len(words) == 1
        yield from (word for word in words if _is_file(word, quoted=quoted))


def _is_file(word: str, *, quoted: bool) -> bool:
    name, dot, ending = word.rpartition("/")[2].rpartition(".")
    known = bool(dot and name) and ending.lower() in _FILE_ENDINGS
    return known and "://" not in word and "*" not in word and (quoted or "/" in word)
