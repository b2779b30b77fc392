"""A proposed note: cleaned, redacted and checked before admission."""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.note import KINDS, fingerprint_note, parse_kind
from twiceshy.core.text import find_unsafe_character, strip_unsafe
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.note import Kind, Source
    from twiceshy.core.scope import Scope

MAX_TEXT = 8_000
MAX_PAGE = 200_000
MAX_LINE = 500
MAX_ITEMS = 50


class Draft(Value):
    """A proposed note; ``prepare`` cleans the draft, ``admit`` decides its outcome."""

    kind: Kind
    text: str
    scope: Scope
    source: Source
    subtype: str = ""
    why: str = ""
    tag: str = ""
    files: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    trigger: str = ""
    state: str = ""
    pinned: bool = False
    trust: float | None = None
    origin_project: str = ""
    origin_session: str = ""
    skill_hash: str = ""
    supersedes: str = ""
    learned_at: int = 0
    sightings: int = 1

    @property
    def fingerprint(self) -> str:
        """Return the duplicate key of the draft; the scope is the other half of the key."""
        return fingerprint_note(self.kind, self.tag, self.text)


def prepare(draft: Draft, redact: Callable[[str], str], *, longest: int = MAX_TEXT) -> Draft:
    """Return the draft cleaned, redacted and checked; NoteError explains a refusal."""
    parse_kind(draft.kind)
    longest = MAX_PAGE if draft.kind == "page" else longest
    ready = draft.but(
        text=_clean_field(draft.text, "note", longest, redact),
        why=_clean_field(draft.why, "reason", MAX_TEXT, redact),
        tag=_clean_line(draft.tag, "tag", redact),
        trigger=_clean_field(draft.trigger, "trigger", MAX_TEXT, redact),
        files=_clean_items(draft.files, "file", redact),
        concepts=_fold_blanks(_clean_items(draft.concepts, "concept", redact)),
        subtype=_check_choice(draft.subtype, KINDS[draft.kind][0], f"type of {draft.kind}"),
        state=_check_choice(draft.state, KINDS[draft.kind][1], f"state of a {draft.kind}"),
    )
    if not ready.text:
        raise NoteError("the note is empty", hint="say what the next session should do, and when")
    if ready.kind == "page" and not ready.tag:
        raise NoteError("a page needs a name", hint="give it one with --tag")
    return ready


def _clean_field(text: str, what: str, longest: int, redact: Callable[[str], str]) -> str:
    if len(text) > longest:
        raise NoteError(
            f"the {what} has {len(text):,} characters; {longest:,} is the most",
            hint="keep the lesson and leave the material where it is, with --file",
        )
    unsafe = find_unsafe_character(text.replace("\r\n", "\n"))
    if unsafe and "\ud800" <= unsafe <= "\udfff":
        raise NoteError(f"the {what} is not valid UTF-8", hint="save the text as UTF-8 first")
    if unsafe:
        raise NoteError(
            f"the {what} holds an invisible or control character (U+{ord(unsafe):04X})",
            hint="take it out; such characters can hide text from the reader",
        )
    return strip_unsafe(redact(strip_unsafe(text))) if text else text


def _clean_line(text: str, what: str, redact: Callable[[str], str]) -> str:
    if "\n" in text.strip():
        raise NoteError(f"the {what} has more than one line", hint="put the rest into the note")
    return _clean_field(text, what, MAX_LINE, redact)


def _clean_items(items: Iterable[str], what: str, redact: Callable[[str], str]) -> tuple[str, ...]:
    kept = tuple(
        dict.fromkeys(line for item in items if (line := _clean_line(item, what, redact)))
    )
    if len(kept) > MAX_ITEMS:
        raise NoteError(f"{len(kept)} {what}s are too many", hint=f"{MAX_ITEMS} is the most")
    return kept


def _fold_blanks(items: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.casefold() for item in items))


def _check_choice(given: str, known: tuple[str, ...], what: str) -> str:
    if not given:
        return known[0]
    if given not in known:
        allowed = ", ".join(filter(None, known)) or "none"
        raise NoteError(f"{given!r} is no {what}", hint=f"one of: {allowed}")
    return given
