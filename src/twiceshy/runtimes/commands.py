"""Run a client's own command unattended, to register or remove us."""

from __future__ import annotations

import os

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import CompletedProcess

_PATIENCE_S = 120  # the slowest seen took 12 s on a busy machine
_PLAIN = {"NO_COLOR": "1", "TERM": "dumb"}  # their last line is quoted to people


class ClientCommand(Value):
    """A program with arguments, environment and working folder.

    The folder is not the user's: clients read and obey settings of the project they are called
    in.
    """

    words: tuple[str, ...]
    environ: Mapping[str, str]
    folder: str = os.sep

    @property
    def to_line(self) -> str:
        """Return the command as typed."""
        from shlex import join  # noqa: PLC0415 - no hook runs a command

        return join(self.words)

    @property
    def find_program(self) -> str:
        """Return the path of the program; empty if not on the PATH."""
        from shutil import which  # noqa: PLC0415 - as above

        return which(self.words[0], path=self.environ.get("PATH", os.defpath)) or ""

    def run_command(self) -> str:
        """Run to the end; return the error in a line, or empty."""
        import subprocess  # noqa: PLC0415 - as above

        try:
            done = subprocess.run(
                [self.find_program or self.words[0], *self.words[1:]],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=self.folder,
                env={**self.environ, **_PLAIN},
                timeout=_PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"it did not end within {_PATIENCE_S} seconds"
        except OSError as error:
            return error.strerror or str(error)
        return _last_line(done) if done.returncode else ""


def _last_line(done: CompletedProcess[bytes]) -> str:
    from twiceshy.core.text import fold_to_line, strip_unsafe  # noqa: PLC0415 - as above

    said = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace").splitlines()
    return (
        fold_to_line(strip_unsafe(said[-1]), limit=300) if said else f"exit code {done.returncode}"
    )
