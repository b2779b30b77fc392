"""Remedies of one-word slips: count the calls that use the right word and work."""

from __future__ import annotations

from twiceshy.effect.slip import find_slip, list_slip_words, may_be_remedy

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.effect.slip import WordSlip
    from twiceshy.shell.tool_call import ToolCall

_REWRITE = "rewrite"


class RemedyIndex:
    """The remedies of one-word slips, by the words that the notes quote.

    What a note quotes is parsed once a call may use its remedy: most calls use none.
    """

    def __init__(self) -> None:
        self._notes: dict[str, dict[str, Note]] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._slips: dict[str, WordSlip | None] = {}

    def put_note(self, note: Note) -> None:
        """Add the remedy of a note, replacing the previous remedy."""
        for word in self._words.pop(note.id, ()):
            del self._notes[word][note.id]
        self._slips.pop(note.id, None)
        words = list_slip_words(note)
        for word in words:
            self._notes.setdefault(word, {})[note.id] = note
        if words:
            self._words[note.id] = words

    def match_call(self, act: ToolCall) -> Iterator[str]:
        """Yield the notes whose remedy a call uses."""
        if not self._notes or not act.command:
            return
        for part in act.parts:
            for word in part:
                for note in self._notes.get(word, {}).values():
                    slip = self._find_slip(note) if may_be_remedy(note, part) else None
                    if slip and slip.right == word and slip.remedy.issubset(part):
                        yield note.id

    def _find_slip(self, note: Note) -> WordSlip | None:
        if note.id not in self._slips:
            self._slips[note.id] = find_slip(note)
        return self._slips[note.id]


def list_rewritten_calls(store: Store, session: str) -> frozenset[str]:
    """Return the ids of the calls of a session that ran with a changed word."""
    exposures = store.list_exposures(session=session)
    return frozenset(
        shown.key.rpartition("/")[2] for shown in exposures if shown.channel == _REWRITE
    )
