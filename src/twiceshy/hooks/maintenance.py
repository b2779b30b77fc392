"""Maintenance at the end of the background job, if switched on."""

from __future__ import annotations

from twiceshy import app as wiring


def tend_if_due(*, over: bool) -> None:
    """Run maintenance if switched on and due; ``over`` marks the end of a session."""
    from twiceshy.core.maintenance import TEND, MaintenanceSettings, is_maintenance_due

    config = wiring.load_settings()
    wish = MaintenanceSettings(
        config.flag("tend.after_sessions"), config.integer("tend.every_days")
    )
    if wish == MaintenanceSettings():
        return
    from twiceshy.core.errors import BusyError
    from twiceshy.upkeep.tend import run_steps

    with wiring.open_app(config) as app:
        runs = app.store.list_runs(TEND, limit=1)
        if not is_maintenance_due(runs, wish, over=over, now=app.store.now()):
            return
        try:
            run_steps(app)
        except BusyError:
            return  # somebody else is at it
