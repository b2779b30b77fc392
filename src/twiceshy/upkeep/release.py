"""Ask once a day whether there is a newer version, if the user switched that on."""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.moment import DAY
from twiceshy.core.release import newer
from twiceshy.files.lock import Turn
from twiceshy.store.release_file import asked, keep_asked

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.config.resolved import Config


def ask_for_release(config: Config, *, now: int) -> str:
    """Ask if it is time to; return the newer version that was found by that, if any."""
    if not config.flag("update.check"):
        return ""
    address = config.text("update.url")
    with Turn(os.path.join(config.home, "update.lock"), 0.0) as mine:
        return _asked(config.home, address, now=now) if mine else ""


def _asked(home: str, address: str, *, now: int) -> str:
    known = asked(home)
    if 0 <= now - known.at < DAY:
        return ""
    # before the question: an index that cannot be reached is asked no oftener than one that can
    keep_asked(home, known.but(at=now))
    from twiceshy.models.release import newest, newest_by_pip  # noqa: PLC0415 - only who asks needs it

    try:
        version = newest(address) if address else newest_by_pip()
    except TwiceshyError:
        return ""  # there is another day
    if not newer(version, __version__):
        return ""
    keep_asked(home, asked(home).but(version=version))
    return version
