"""Word what to change in the arguments of a tool."""

from __future__ import annotations

from twiceshy.learning.detect.arguments import is_renamed, list_other_arguments
from twiceshy.shell.call_summary import mark_code, show_code

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.shell.tool_call import ToolCall

_LONGEST_VALUE = 70
_MOST_NAMES = 3  # of arguments


def _describe_argument_names(failed: ToolCall, fix: ToolCall) -> str:
    """Return the arguments to give to a tool instead of others, or as well, or as another type."""
    gone, new = list_other_arguments(failed, fix)
    both = [name[:-1] for name in gone if name[:-1] in fix.arguments]
    if both:
        kind = "a text" if f"{both[0]}=" in new else "a value, not as a text"
        return f"{show_code(failed.tool)}: give {mark_code(both[0])} as {kind}"
    wrong, right = (", ".join(name[:-1] for name in names[:_MOST_NAMES]) for names in (gone, new))
    change = f"argument {mark_code(right)}, not {mark_code(wrong)}"
    if not gone or not new:
        verb = "add" if new else "leave out"
        change = f"{verb} argument {mark_code(right or wrong)}"
    return f"{show_code(failed.tool)}: {change}"


def describe_argument(failed: ToolCall, fix: ToolCall) -> str:
    """Return the value of an argument to give instead of another one, or its name."""
    if is_renamed(failed, fix):
        return _describe_argument_names(failed, fix)
    for name, value in failed.arguments.items():
        new = fix.arguments.get(name)
        if not isinstance(value, str) or not isinstance(new, str) or value == new:
            continue
        if max(len(value), len(new)) <= _LONGEST_VALUE:
            change = f"{mark_code(new)}, not {mark_code(value)}"
            return f"{show_code(failed.tool)}: {show_code(name)} {change}"
    return ""
