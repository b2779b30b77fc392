"""Index of triggers in memory, queried for every call of a transcript."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.trigger import Trigger, TriggerMatch
    from twiceshy.shell.tool_call import ToolCall


class TriggerIndex:
    """The triggers of a project's notes by lookup word."""

    def __init__(self, matches: Iterable[TriggerMatch]) -> None:
        self._matches: dict[tuple[str, str], dict[str, TriggerMatch]] = {}
        self._keys: dict[str, tuple[str, str]] = {}
        for match in matches:
            self.put_match(match)

    def put_match(self, match: TriggerMatch) -> None:
        """Add the trigger of a note, replacing the previous trigger."""
        note, key = match.note.id, (match.trigger.tool, match.trigger.lookup_word)
        self._matches.get(self._keys.get(note, key), {}).pop(note, None)
        self._matches.setdefault(key, {})[note] = match
        self._keys[note] = key

    def list_matches(self) -> Iterator[TriggerMatch]:
        """Yield every note with its trigger."""
        for matches in self._matches.values():
            yield from matches.values()

    def match_call(self, act: ToolCall) -> Iterator[TriggerMatch]:
        """Yield the notes about a call."""
        parts = act.parts
        for gram in dict.fromkeys(gram for part in parts for gram in part):
            for match in self._matches.get((act.family, gram), {}).values():
                if match.trigger.matches(act.family, parts):
                    yield match

    def find_known(self, trigger: Trigger, failed: ToolCall) -> TriggerMatch | None:
        """Return the most specific known note about the same mistake in a call."""
        about = [
            match
            for match in self.match_call(failed)
            if match.trigger.category == trigger.category
            and set(match.trigger.words) <= set(trigger.words)
        ]
        same = [match for match in about if match.trigger == trigger]
        return max(
            same or about,
            key=lambda match: (len(match.trigger.words), match.note.sightings, match.note.id),
            default=None,
        )
