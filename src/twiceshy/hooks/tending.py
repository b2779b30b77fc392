"""What the process that learns does at its end, if the user switched it on: tend, and ask for a release.

Called after everything else, so that nothing learned waits for it, and in a process that nobody waits for.
"""

from __future__ import annotations

from twiceshy import app as wiring

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.config.resolved import Config


def tend_if_due(*, over: bool) -> None:
    """Tend if that was switched on and it is time; ``over`` says that a session has just ended."""
    config = wiring.settings()
    _tend(config, over=over)
    if config.flag("update.check"):
        from twiceshy.upkeep.release import ask_for_release

        ask_for_release(config, now=wiring.clock())


def _tend(config: Config, *, over: bool) -> None:
    from twiceshy.core.maintenance import TEND, Wish, due

    wish = Wish(config.flag("tend.after_sessions"), config.integer("tend.every_days"))
    if wish == Wish():
        return
    from twiceshy.core.errors import BusyError
    from twiceshy.upkeep.tending import tend

    with wiring.opened(config) as app:
        runs = app.store.runs(TEND, limit=1)
        if not due(runs, wish, over=over, now=app.store.now()):
            return
        try:
            tend(app)
        except BusyError:
            return  # somebody else is at it
