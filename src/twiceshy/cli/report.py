"""Write a redacted bug report: versions, command line and traceback."""

import os
import sys
import tempfile
import time
import traceback

from twiceshy import __version__
from twiceshy.files.replace import write_new_file
from twiceshy.safety.redact import list_secret_values, redact
from twiceshy.store.connect import SQLITE_VERSION


def write_report(error: Exception, argv: list[str]) -> str:
    """Write the report into the memory home or a temporary folder; return its path."""
    text = redact(_render_report(error, argv), known=list_secret_values(os.environ))
    name = time.strftime("bug-report-%Y%m%dT%H%M%SZ", time.gmtime()) + f"-{os.getpid()}.md"
    home = os.environ.get("TWICESHY_HOME") or os.path.expanduser("~/.twiceshy")
    for folder in (home, tempfile.gettempdir()):
        path = os.path.join(folder, name)
        try:
            write_new_file(path, text.encode("utf-8", "replace"))
        except OSError:
            continue
        return path
    return "could not be written; the traceback is lost"


def _describe_system() -> tuple[str, ...]:
    """Name the system without running a program, as ``platform`` does."""
    known = os.uname() if hasattr(os, "uname") else None
    return (known.sysname, known.release, known.machine) if known else (sys.platform,)


def _render_report(error: Exception, argv: list[str]) -> str:
    # the verb and its options help; what was said to it is nobody's business
    call = " ".join(
        word if word.startswith("-") or at == 0 else "…" for at, word in enumerate(argv)
    )
    trace = "".join(traceback.format_exception(error))
    return f"""# twiceshy bug report

- twiceshy {__version__}
- Python {sys.version.split()[0]}, SQLite {SQLITE_VERSION}
- {" ".join(_describe_system())}
- call: `twiceshy {call}`

```text
{trace}```
"""
