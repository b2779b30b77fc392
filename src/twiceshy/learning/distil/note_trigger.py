"""Give a distilled note a trigger, if the session made a matching call."""

from __future__ import annotations

from twiceshy.core.trigger import FILES, Trigger, tool_family
from twiceshy.shell.call_words import call_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.learning.distil.material import MaterialSpan

_WRITES = "Write"  # the one tool with a path that does not look for it
_FEWEST, _MOST = 2, 3  # grams; one alone, such as "git", would concern half of all calls


def build_trigger(subject: str, spans: Iterable[MaterialSpan]) -> str:
    """Return the trigger for a command or path named by a model; empty if never called."""
    for span in spans:
        if span.origin != "command":
            continue
        tool, _, call = span.text.removeprefix("TC: ").partition("(")
        name = "file_path" if tool_family(tool) == FILES or tool == _WRITES else "command"
        wanted = call_words({name: subject})
        made = call_words({name: call.removesuffix(")")})
        if len(wanted) == 1 and len(wanted[0]) >= _FEWEST and _is_among(wanted[0], made):
            return Trigger(tool_family(tool), wanted[0][:_MOST]).to_line()
    return ""


def _is_among(grams: tuple[str, ...], parts: Iterable[tuple[str, ...]]) -> bool:
    return any(set(grams) <= set(part) for part in parts)
