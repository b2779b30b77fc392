"""Signals of a session: failed calls, corrections, and patterns in its calls."""

from __future__ import annotations

from twiceshy.core.evidence import Signal
from twiceshy.shell.form import form, relative
from twiceshy.shell.summary import excerpt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.learning.detect.correction import Correction
    from twiceshy.learning.detect.watch import CallPattern
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.shell.tool_call import Act


def error_signal(origin: SessionOrigin, act: Act) -> Signal:
    """Build the signal of a call that failed."""
    return Signal(
        key=f"call:{act.id}",
        kind="error",
        session=origin.session,
        project=origin.project,
        at=act.at,
        skill=act.skill,
        tool=act.tool,
        target=form(act, origin.root),
        mistake=act.mistake.signature if act.mistake else "",
        excerpt=excerpt(act.mistake.line if act.mistake else ""),
        call=act.id,
    )


def correction_signal(origin: SessionOrigin, correction: Correction) -> Signal:
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
        target=form(call, origin.root) if call else "",
        mistake=f"{correction.tier}|{correction.sort}",
        excerpt=correction.text,
        call=call.id if call else "",
    )


def pattern_signal(origin: SessionOrigin, pattern: CallPattern) -> Signal:
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
        target=relative(pattern.target, origin.root),
        mistake=act.mistake.signature if act.mistake else "",
        excerpt=excerpt(pattern.excerpt),
        call=act.id,
    )
