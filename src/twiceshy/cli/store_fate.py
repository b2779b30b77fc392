"""What commands say of a store that was found damaged or gone when they opened it."""

from twiceshy.app import App
from twiceshy.cli.output import print_worded
from twiceshy.core.moment import format_day
from twiceshy.core.rescue_report import RescueReport
from twiceshy.store.copies import list_copies


def report_loss(store: str) -> None:
    """Say that a store was gone, and its copies are not."""
    if copies := list_copies(store):
        day = format_day(copies[0].at)
        print_worded(
            "the store was gone, and a new one is empty; a copy of {day} is there", day=day
        )
        print_worded("hint: to restore it: twiceshy recover --copy")


def report_rescue(session: App, told: RescueReport | None) -> RescueReport | None:
    """Say what was saved if the store was found damaged when it was opened, or written to."""
    rescued = session.store.rescued
    if rescued and rescued != told:
        print_worded("the store was damaged; it is set aside in {path}", path=rescued.path)
        if count := rescued.completed:
            day = format_day(rescued.copy_at)
            print_worded("{count} notes completed from the copy of {day}", count=count, day=day)
            print_worded("what was written after that copy may be missing")
        print_worded("hint: {count} notes are there; see: twiceshy doctor", count=rescued.notes)
    return rescued
