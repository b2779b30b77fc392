"""Maintenance at the end of the background job, if switched on."""

from __future__ import annotations

from twiceshy import app as wiring


def tend_if_due(*, over: bool) -> None:
    """Run maintenance if switched on and due; ``over`` marks the end of a session."""
    from twiceshy.core.maintenance import TEND, Wish, due

    config = wiring.settings()
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
