"""Remedies of one-word slips: count the calls that use the right word and work."""

from __future__ import annotations

from twiceshy.effect.slip import find_slip

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.store import Store
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.shell.tool_call import ToolCall

_REWRITE = "rewrite"


class RemedyIndex:
    """The remedies of one-word slips, by the right word."""

    def __init__(self, matches: Iterable[TriggerMatch]) -> None:
        self._remedies: dict[str, list[tuple[str, frozenset[str]]]] = {}
        for match in matches:
            if slip := find_slip(match.note):
                remedy = (match.note.id, slip.remedy)
                self._remedies.setdefault(slip.right, []).append(remedy)

    def match_call(self, act: ToolCall) -> Iterator[str]:
        """Yield the notes whose remedy a call uses."""
        if not self._remedies or not act.command:
            return
        for part in act.parts:
            for word in part:
                for note, words in self._remedies.get(word, ()):
                    if words.issubset(part):
                        yield note


def list_rewritten_calls(store: Store, session: str) -> frozenset[str]:
    """Return the ids of the calls of a session that ran with a changed word."""
    exposures = store.list_exposures(session=session)
    return frozenset(
        shown.key.rpartition("/")[2] for shown in exposures if shown.channel == _REWRITE
    )
