"""Warnings of a guard: a framed line with the finding and advice."""

from __future__ import annotations

from twiceshy.core.text import escape_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.safety.guard.commits import SensitiveChanges
    from twiceshy.safety.guard.push import GitPush

_MOST = 3  # that are named
_LONGEST_NAME = 80


def warn_about_files(paths: Sequence[str]) -> str:
    """Warn about sensitive files written by a call; empty if none."""
    if not paths:
        return ""
    verb = "is a file that usually holds" if len(paths) == 1 else "are files that usually hold"
    return _frame_warning(
        f"this call writes {_list_names(paths)}, which {verb} secrets. "
        "Make sure that the user wants it, and that it is never committed."
    )


def warn_about_push(push: GitPush, outgoing: SensitiveChanges) -> str:
    """Warn about content sent, overwritten or deleted by a push; empty if none."""
    said = [*_describe_sent(outgoing), *_describe_overwritten(push)]
    if not said:
        return ""
    return _frame_warning(f"this push {'; it '.join(said)}. Make sure that the user wants it.")


def remind_before_push() -> str:
    """Remind of what to look at before any push."""
    return _frame_warning(
        "before you push: 1. no key, password or .env file is in the commits; "
        "2. the tests passed; 3. branch and remote are the right ones."
    )


def _describe_sent(outgoing: SensitiveChanges) -> Iterator[str]:
    if outgoing.files:
        yield f"sends commits that add {_list_names(outgoing.files)}"
    if outgoing.secrets:
        places = [f"{path} ({rule})" for path, rule in outgoing.secrets]
        yield f"sends commits with what looks like a secret in {_list_names(places)}"
    if outgoing.unsure:
        yield f"could not be searched for secrets as a whole: {outgoing.unsure}"


def _describe_overwritten(push: GitPush) -> Iterator[str]:
    where = f" on {_list_names([push.remote])}" if push.remote else ""
    if push.mirror:
        yield f"makes everything{where} as it is here, and deletes the rest (`--mirror`)"
    elif push.forced:
        lease = "`--force-with-lease` would keep what others pushed"
        yield f"overwrites history{where} ({_list_names([push.forced])}); {lease}"
    if push.deleted:
        yield f"deletes {_list_names(push.deleted)}{where}"
    if push.prune:
        yield f"deletes every branch{where} that is not here (`--prune`)"


def _list_names(names: Sequence[str]) -> str:
    shown = [
        f"`{escape_line(name, limit=_LONGEST_NAME).replace('`', '')}`" for name in names[:_MOST]
    ]
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(shown) + more


def _frame_warning(text: str) -> str:
    return f"<twiceshy-guard>About this call: {text}</twiceshy-guard>"
