"""Plan of changes on disk: shown as a diff, then carried out exactly or not at all.

A file changed since planning stops everything before the first write. Links are followed and
stay links, and file modes are kept. The client's own commands take part: registering
commands run last, removing commands first.
"""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files import list_program_folders, open_plain
from twiceshy.files.lock import FileLock
from twiceshy.files.replace import remove_file, replace_file

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from subprocess import CompletedProcess

_LARGEST = 4_194_304
_PATIENCE_S = 120  # the slowest command seen took 12 s on a busy machine
_PLAIN = {"NO_COLOR": "1", "TERM": "dumb"}  # the last line of a command is quoted to people


class FileChange(Value):
    """A file before and after; None for no file."""

    path: str
    before: bytes | None
    after: bytes | None
    mode: int | None = None  # None: it stays, and a new file is its owner's alone

    @property
    def action_word(self) -> str:
        """Return the word for the change."""
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "change"

    def to_diff(self) -> str:
        """Return the change as a unified diff."""
        from difflib import unified_diff  # noqa: PLC0415 - 12 ms, for those who read it

        if self.before == self.after:
            return f"{self.path}: mode {_file_mode(self.path, None):o} becomes {self.mode:o}\n"
        old, new = _decode_lines(self.before), _decode_lines(self.after)
        if old is None or new is None:
            size = len(self.after or self.before or b"")
            return f"Binary file {self.path} differs: {self.action_word}, {size:,} bytes\n"
        nothing = "/dev/null"
        source = nothing if self.before is None else self.path
        target = nothing if self.after is None else self.path
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in unified_diff(old, new, source, target)
        )


class ClientCommand(Value):
    """A command of the client: a program with arguments, environment and working folder.

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

        folders = list_program_folders(self.environ.get("PATH", os.defpath))
        return which(self.words[0], path=folders) or ""

    def run_command(self) -> str:
        """Run to the end; return the error in a line, or empty."""
        import subprocess  # noqa: PLC0415 - as above

        try:
            done = subprocess.run(
                [self.find_program or os.path.join(os.sep, self.words[0]), *self.words[1:]],
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


class InstallPlan(Value):
    """Every step of a command, in order, with remarks."""

    changes: tuple[FileChange, ...] = ()
    # receipt and backups: written before, deleted after the rest
    records: tuple[FileChange, ...] = ()
    folders: tuple[str, ...] = ()  # of ours, to go if they are empty in the end
    remarks: tuple[str, ...] = ()
    undo: tuple[ClientCommand, ...] = ()  # run first; one that fails is told, and the rest is done
    commands: tuple[ClientCommand, ...] = ()  # run last; one that fails stops it
    watched: tuple[FileChange, ...] = ()  # what those write to, as it is now
    afterwards: Callable[[], Sequence[FileChange]] | None = None  # what to write down after those

    @property
    def is_empty(self) -> bool:
        """True if nothing is to do."""
        return not (self.changes or self.records or self.undo or self.commands)

    def execute_plan(self, home: str) -> tuple[str, ...]:
        """Execute under a lock; nothing is written unless everything is as planned.

        Return removals refused by the client's commands.
        """
        with _lock_home(home):
            check_unchanged((*self.changes, *self.records, *self.watched))
            refused = [(command, why) for command in self.undo if (why := command.run_command())]
            write_changes([record for record in self.records if record.after is not None])
            write_changes(self.changes)
            try:
                _run_commands(self.commands)
            finally:
                write_changes(self.afterwards() if self.afterwards else [])
            write_changes([record for record in self.records if record.after is None])
        for folder in sorted(self.folders, reverse=True):
            with contextlib.suppress(OSError):
                os.rmdir(folder)  # refused while it holds anything
        return tuple(f"{command.to_line}: {why}" for command, why in refused)


def read_bytes(path: str) -> bytes | None:
    """Return the content of a file; None if missing."""
    try:
        with open(path, "rb", opener=open_plain) as file:
            content = file.read(_LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST:
        raise ConfigError(f"{path} is larger than {_LARGEST:,} bytes; that cannot be right")
    return content


def folders_to_make(changes: Sequence[FileChange]) -> list[str]:
    """Return missing parent folders of files, outermost first."""
    missing: dict[str, None] = {}
    for change in changes:
        above = os.path.dirname(os.path.realpath(change.path))
        chain = []
        while change.after is not None and not os.path.isdir(above):
            chain.append(above)
            above = os.path.dirname(above)
        missing |= dict.fromkeys(reversed(chain))
    return list(missing)


def check_unchanged(changes: Sequence[FileChange]) -> None:
    """Check that every file is unchanged since planning, and writable."""
    for change in changes:
        if (now := read_bytes(change.path)) not in (change.before, change.after):
            raise ConfigError(
                f"{change.path} was changed in the meantime; nothing was written",
                hint="call the command again and look at the new plan",
            )
        writable = now is None or (
            os.stat(change.path).st_mode & 0o200 and os.access(change.path, os.W_OK)
        )
        if not writable:
            raise ConfigError(
                f"{change.path} is read-only; nothing was written",
                hint="make it writable, or have the lines of --plan put in where it comes from",
            )


def write_changes(changes: Sequence[FileChange]) -> None:
    """Write planned files, each atomically."""
    for change in changes:
        path = os.path.realpath(change.path)  # some link it to their dotfiles
        try:
            if change.after is None:
                remove_file(change.path)  # the client's command may have been first
            else:
                _make_folders(os.path.dirname(path))
                mode = _file_mode(path, change.mode)
                replace_file(path, change.after, mode=mode, durable=True)
        except OSError as error:
            raise ConfigError(
                f"{change.path} cannot be written: {error.strerror}",
                hint="is its folder yours to write? `twiceshy uninstall` takes back what was done",
            ) from error


def _run_commands(commands: Sequence[ClientCommand]) -> None:
    for command in commands:
        if why := command.run_command():
            raise ConfigError(
                f"`{command.to_line}` failed: {why}",
                hint="what was written before stays; `twiceshy install` tries again, "
                "`twiceshy uninstall` takes it back",
            )


def _lock_home(home: str) -> FileLock:
    """Make the memory home if missing, and return its lock."""
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the memory home {home} cannot be made: {error.strerror}",
            hint="let TWICESHY_HOME name a folder you can write to",
        ) from error
    return FileLock(home)


def _make_folders(folder: str) -> None:
    """Make a folder with parents, each owner-only; makedirs does so only for the last."""
    if not os.path.isdir(folder):
        _make_folders(os.path.dirname(folder))
        os.mkdir(folder, 0o700)


def _file_mode(path: str, wanted: int | None) -> int:
    try:
        return os.stat(path).st_mode & 0o777 if wanted is None else wanted
    except FileNotFoundError:
        return 0o600


def _last_line(done: "CompletedProcess[bytes]") -> str:
    from twiceshy.core.text import fold_to_line, strip_unsafe  # noqa: PLC0415 - as above

    said = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace").splitlines()
    if not said:
        return f"exit code {done.returncode}"
    return fold_to_line(strip_unsafe(said[-1]), limit=300)


def _decode_lines(content: bytes | None) -> list[str] | None:
    try:
        text = (content or b"").decode()
    except UnicodeDecodeError:
        return None
    return text.splitlines(keepends=True) if "\0" not in text else None
