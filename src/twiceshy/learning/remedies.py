"""Remedies of one-word slips: count the calls that use the right word and work."""

from __future__ import annotations

from twiceshy.effect.slip import find_slip

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.shell.tool_call import ToolCall

_REWRITE = "rewrite"


class RemedyIndex:
    """The remedies of one-word slips, by the right word."""

    def __init__(self) -> None:
        self._remedies: dict[str, dict[str, frozenset[str]]] = {}
        self._words: dict[str, str] = {}

    def put_note(self, note: Note) -> None:
        """Add the remedy of a note, replacing the previous remedy."""
        self._remedies.get(self._words.pop(note.id, ""), {}).pop(note.id, None)
        if slip := find_slip(note):
            self._remedies.setdefault(slip.right, {})[note.id] = slip.remedy
            self._words[note.id] = slip.right

    def match_call(self, act: ToolCall) -> Iterator[str]:
        """Yield the notes whose remedy a call uses."""
        if not self._remedies or not act.command:
            return
        for part in act.parts:
            for word in part:
                for note, words in self._remedies.get(word, {}).items():
                    if words.issubset(part):
                        yield note


def list_rewritten_calls(store: Store, session: str) -> frozenset[str]:
    """Return the ids of the calls of a session that ran with a changed word."""
    exposures = store.list_exposures(session=session)
    return frozenset(
        shown.key.rpartition("/")[2] for shown in exposures if shown.channel == _REWRITE
    )
