"""Signals of a session: failed calls, corrections, and patterns in its calls."""

from __future__ import annotations

from twiceshy.core.evidence import Signal
from twiceshy.shell.call_summary import relative_to_root, summarise_call
from twiceshy.shell.summary import cut_excerpt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.learning.detect.correction import Correction
    from twiceshy.learning.detect.watch import CallPattern
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.shell.tool_call import ToolCall


def build_error_signal(origin: SessionOrigin, act: ToolCall) -> Signal:
    """Build the signal of a call that failed."""
    return Signal(
        key=f"call:{act.id}",
        kind="error",
        session=origin.session,
        project=origin.project,
        at=act.at,
        skill=act.skill,
        tool=act.tool,
        target=summarise_call(act, origin.root),
        mistake=act.mistake.signature if act.mistake else "",
        excerpt=cut_excerpt(act.mistake.line if act.mistake else ""),
        call=act.id,
    )


def build_correction_signal(origin: SessionOrigin, correction: Correction) -> Signal:
    """Build the signal of a correction by the user."""
    call = correction.call
    return Signal(
        key=f"said:{correction.id}",
        kind="correction",
        session=origin.session,
        project=origin.project,
        at=correction.at,
        skill=correction.skill,
        tool=call.tool if call else "",
        target=summarise_call(call, origin.root) if call else "",
        mistake=f"{correction.tier}|{correction.category}",
        excerpt=correction.text,
        call=call.id if call else "",
    )


def build_pattern_signal(origin: SessionOrigin, pattern: CallPattern) -> Signal:
    """Build the signal of a loop, a thrash or a workflow."""
    act = pattern.call
    return Signal(
        key=f"{pattern.kind}:{act.id}",
        kind=pattern.kind,
        session=origin.session,
        project=origin.project,
        at=act.at,
        skill=act.skill,
        tool=act.tool,
        target=relative_to_root(pattern.target, origin.root),
        mistake=act.mistake.signature if act.mistake else "",
        excerpt=cut_excerpt(pattern.excerpt),
        call=act.id,
    )
