"""The front door: everything goes to the command line, which loads only the verb that was called."""

from __future__ import annotations

import sys


def main() -> int:
    """Run ``twiceshy``."""
    from twiceshy.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
