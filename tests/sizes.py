"""How far tests go: as far as a suite can afford, or much further in ``make soak``."""

import os
from typing import TypeVar

T = TypeVar("T")
SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"


def sized(usual: T, soak: T) -> T:
    """Return the size for the suite, which reaches the same code, or the full one."""
    return soak if SOAK else usual
