"""Front door: hook calls take the fast lane, everything else goes to the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run ``twiceshy``."""
    if sys.argv[1:2] == ["hook"]:  # not through the command line: every millisecond counts there
        from twiceshy.hooks.entry import main as answer

        answer(sys.argv[2:])
        return 0
    from twiceshy.cli import run_command_line

    return run_command_line(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
