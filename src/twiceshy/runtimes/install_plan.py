"""Plan the connection of a client with the memory home.

Nothing is written here. Each ``runtimes/<name>/install.py`` returns a request; this module
knows no client.
"""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files.installed_package import command_for_extra, find_package_source
from twiceshy.runtimes import launcher, receipt
from twiceshy.runtimes.edits import insert_edit, read_client_file
from twiceshy.runtimes.plan import (
    ClientCommand,
    FileChange,
    InstallPlan,
    folders_to_make,
    read_bytes,
)
from twiceshy.runtimes.receipt import (
    Receipt,
    TouchedFile,
    build_receipt,
    build_sealer,
    hash_content,
    plan_records,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.runtimes.edits import ClientEdit
    from twiceshy.runtimes.launcher import Target

    Files = Mapping[str, tuple[bytes, int]]  # path → content and mode
    Words = tuple[str, ...]


def describe_missing_tools() -> str:
    """Say how tools over MCP come to work, where the SDK is missing."""
    return f"tools over MCP need more: {command_for_extra('mcp')}; then: twiceshy install"


class InstallPlace(Value):
    """Locations of an install: memory home, user home, package, launcher target."""

    home: str
    home_dir: str
    package: str
    environ: Mapping[str, str]
    target: Target
    mcp: bool = False  # whether the MCP server can run
    answers: bool = False  # whether it shall answer events too, where a client can ask it
    counts: bool = False  # whether every tool use shall be counted for the save reminder
    short: bool = False  # whether the slash commands shall stand under their short names as well
    of_model: tuple[str, ...] = ()  # slash commands that the model may run by itself

    @property
    def launcher_path(self) -> str:
        """Return the hook launcher."""
        return launcher.launcher_path(self.home)

    @property
    def server_path(self) -> str:
        """Return the MCP server launcher."""
        return launcher.server_path(self.home)

    @property
    def server_command(self) -> str:
        """Return the MCP server launcher; empty if the server cannot run."""
        return self.server_path if self.mcp else ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return the remark of an install without the tools over MCP."""
        return () if self.mcp else (describe_missing_tools(),)

    def runtime_folder(self, runtime: str) -> str:
        """Return the rendered folder of a runtime."""
        return os.path.join(self.home, runtime)

    def client_folder(self, variable: str, *otherwise: str) -> str:
        """Return a client's folder: from a variable, or in the user's home."""
        given = self.environ.get(variable) or os.path.join(self.home_dir, *otherwise)
        return os.path.abspath(os.path.expanduser(given))

    def has_program(self, program: str) -> bool:
        """True if a program is on the PATH."""
        return bool(ClientCommand((program,), self.environ).find_program)

    def server_launcher(self) -> Files:
        """Return the MCP server launcher, for ``InstallRequest.files``."""
        text = launcher.render_server_launcher(self.home, self.target)
        return {self.server_path: (text.encode(), launcher.MODE)}

    def build_files(
        self, runtime: str, rendered: Mapping[str, bytes], *, server: bool = False
    ) -> Files:
        """Return the launchers and the rendered files of a runtime, for ``InstallRequest.files``.

        ``server``: the runtime needs the server launcher even without MCP.
        """
        hook = launcher.render_launcher(self.home, self.target).encode()
        folder = self.runtime_folder(runtime)
        return {
            self.launcher_path: (hook, launcher.MODE),
            **(self.server_launcher() if server or self.mcp else {}),
            **{
                os.path.join(folder, *name.split("/")): (content, 0o600)
                for name, content in rendered.items()
            },
        }


class InstallRequest(Value):
    """Needs of a runtime for install and uninstall.

    ``commands`` and ``undo`` hold currently needed commands: none if the client already reads
    us, or knows nothing of us.
    """

    runtime: str
    files: Files  # ours alone
    edits: tuple[ClientEdit, ...] = ()  # lines of ours in the client's files
    commands: tuple[Words, ...] = ()  # the client's own, that make it read us; run after the rest
    undo: tuple[Words, ...] = ()  # the client's own, that take us out; run before the rest
    touches: tuple[str, ...] = ()  # the client's files that these commands write to
    noted: tuple[ClientEdit, ...] = ()  # what the client writes down about us by itself
    leftovers: tuple[str, ...] = ()  # files and folders that it makes for us alone
    remarks: tuple[str, ...] = ()


def build_install_place(
    home: str,
    home_dir: str,
    package: str,
    environ: Mapping[str, str],
    *,
    mcp: bool,
    answers: bool = False,
    counts: bool = False,
) -> InstallPlace:
    """Return the locations for an install by this interpreter, without the wishes of settings."""
    try:
        f"{home}{home_dir}{package}".encode()
    except UnicodeEncodeError as error:
        raise ConfigError(
            f"{home!r} cannot be written into a settings file",
            hint="let TWICESHY_HOME name a folder whose name is valid UTF-8",
        ) from error
    target = launcher.find_own_target(package)
    return InstallPlace(home, home_dir, package, environ, target, mcp, answers, counts)


def build_sample(folder: str, **fields: object) -> dict[str, object]:
    """Return a payload of a finished call for ``doctor``, in Claude Code's form."""
    common = {"hook_event_name": "PostToolUse", "session_id": "twiceshy-doctor", "cwd": folder}
    return {**common, "tool_use_id": "call_doctor", **fields}


def write_sample_skill(folder: str, inside: str, name: str) -> str:
    """Write a SKILL.md for ``doctor`` in a folder read by the client."""
    path = os.path.join(folder, inside, "skills", name, "SKILL.md")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"---\nname: {name}\ndescription: Look after a patient.\n---\n")
    return path


def plan_install(here: InstallPlace, wanted: InstallRequest) -> InstallPlan:
    """Plan the changes for an install; empty if complete."""
    old = receipt.load_receipt(here.home, wanted.runtime) or Receipt(wanted.runtime, __version__)
    if not (wanted.files or wanted.edits or wanted.commands or old.files):
        return InstallPlan(remarks=wanted.remarks)
    edited = [_plan_edits(edit) for edit in wanted.edits]
    kept = {*wanted.files, *files_of_other_runtimes(here.home, wanted.runtime)}
    changes = [
        *_plan_files(wanted.files),
        *plan_deletions(here.home, [file for file in old.own_files if file.path not in kept]),
        *(change for change in edited if change.before != change.after),
    ]  # the client is told last, when all is there
    commands = tuple(ClientCommand(words, here.environ, here.home) for words in wanted.commands)
    _check_programs(commands)
    new = build_receipt(here, wanted, old, edited)
    by_client = (FileChange(path, None, b"") for path in (*wanted.leftovers, *wanted.touches))
    made = folders_to_make([*changes, *by_client])
    source = find_package_source()
    how = f": uv tool install {source}" if source else ""
    cached = (
        f"{here.target.python} is in a cache and may vanish; install twiceshy for good first{how}"
    )
    records = list(plan_records(here, old, new.but(folders=tuple(made)), changes))
    return InstallPlan(
        tuple(changes),
        tuple(records),
        remarks=(*([cached] if here.target.is_in_cache else []), *wanted.remarks),
        commands=commands,
        watched=tuple(map(_keep_as_is, wanted.touches)) if commands else (),
        afterwards=build_sealer(here.home, wanted.runtime) if commands else None,
    )


def files_of_other_runtimes(
    home: str, runtime: str, gone: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Return our files needed by other runtimes, except those ``gone``."""
    for other in receipt.load_other_receipts(home, runtime):
        if other.runtime not in gone:
            yield from (file.path for file in other.own_files)


def plan_deletions(home: str, files: Iterable[TouchedFile]) -> Iterator[FileChange]:
    """Plan deletions of files unchanged since our install."""
    for file in files:
        content = read_bytes(file.path)
        if content is not None and (
            hash_content(content) == file.after or launcher.is_untouched_launcher(home, content)
        ):
            yield FileChange(file.path, content, None)


def _plan_edits(edit: ClientEdit) -> FileChange:
    before = read_bytes(edit.path)
    return FileChange(
        edit.path, before, insert_edit(edit, read_client_file(edit.path, before)).encode()
    )


def _check_programs(commands: Sequence[ClientCommand]) -> None:
    for command in commands:
        if not command.find_program:
            raise ConfigError(
                f"the program {command.words[0]!r} is not on the PATH; nothing was written",
                hint=f"call this where `{command.words[0]} --version` answers",
            )


def _plan_files(files: Files) -> Iterator[FileChange]:
    for path, (content, mode) in files.items():
        before = read_bytes(path)
        if before != content or os.stat(path).st_mode & 0o777 != mode:
            yield FileChange(path, before, content, mode)


def _keep_as_is(path: str) -> FileChange:
    now = read_bytes(path)
    return FileChange(path, now, now)
