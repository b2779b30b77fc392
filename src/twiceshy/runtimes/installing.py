"""Plan the connection of a client with the memory home.

Nothing is written here. Each ``runtimes/<name>/install.py`` returns a request; this module
knows no client.
"""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.runtimes import launcher, receipt
from twiceshy.runtimes.bookkeeping import new_receipt, records_of, sealing
from twiceshy.runtimes.commands import Command
from twiceshy.runtimes.edits import put_into, text_of
from twiceshy.runtimes.plan import Change, Plan, folders_for, read
from twiceshy.runtimes.receipt import Receipt, Touched, fingerprint

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.runtimes.edits import Edit
    from twiceshy.runtimes.launcher import Target

    Files = Mapping[str, tuple[bytes, int]]  # path → content and mode
    Words = tuple[str, ...]

WITHOUT_TOOLS = (
    "tools over MCP need more: pip install 'twiceshy[mcp]', then twiceshy install again"
)


class Here(Value):
    """Locations of an install: memory home, user home, package, launcher target."""

    home: str
    home_dir: str
    package: str
    environ: Mapping[str, str]
    target: Target
    mcp: bool = False  # whether the MCP server can run
    answers: bool = False  # whether it shall answer events too, where a client can ask it

    @property
    def launcher(self) -> str:
        """Return the hook launcher."""
        return launcher.launcher_path(self.home)

    @property
    def server(self) -> str:
        """Return the MCP server launcher."""
        return launcher.server_path(self.home)

    def folder(self, runtime: str) -> str:
        """Return the rendered folder of a runtime."""
        return os.path.join(self.home, runtime)


class Wanted(Value):
    """Needs of a runtime for install and uninstall.

    ``commands`` and ``undo`` hold currently needed commands: none if the client already reads
    us, or knows nothing of us.
    """

    runtime: str
    files: Files  # ours alone
    edits: tuple[Edit, ...] = ()  # lines of ours in the client's files
    commands: tuple[Words, ...] = ()  # the client's own, that make it read us; run after the rest
    undo: tuple[Words, ...] = ()  # the client's own, that take us out; run before the rest
    touches: tuple[str, ...] = ()  # the client's files that these commands write to
    noted: tuple[Edit, ...] = ()  # what the client writes down about us by itself
    leftovers: tuple[str, ...] = ()  # files and folders that it makes for us alone
    remarks: tuple[str, ...] = ()


def here_for(
    home: str,
    home_dir: str,
    package: str,
    environ: Mapping[str, str],
    *,
    mcp: bool,
    answers: bool = False,
) -> Here:
    """Return the locations for an install by this interpreter."""
    try:
        f"{home}{home_dir}{package}".encode()
    except UnicodeEncodeError as error:
        raise ConfigError(
            f"{home!r} cannot be written into a settings file",
            hint="let TWICESHY_HOME name a folder whose name is valid UTF-8",
        ) from error
    return Here(home, home_dir, package, environ, launcher.own_target(package), mcp, answers)


def client_folder(
    home_dir: str, environ: Mapping[str, str], variable: str, *otherwise: str
) -> str:
    """Return the client's folder: from a variable, or in the user's home."""
    given = environ.get(variable) or os.path.join(home_dir, *otherwise)
    return os.path.abspath(os.path.expanduser(given))


def on_path(program: str, environ: Mapping[str, str]) -> bool:
    """True if a program is on the PATH."""
    return bool(Command((program,), environ).program)


def skill_file(folder: str, inside: str, name: str) -> str:
    """Write a SKILL.md for ``doctor`` in a folder read by the client."""
    path = os.path.join(folder, inside, "skills", name, "SKILL.md")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"---\nname: {name}\ndescription: Look after a patient.\n---\n")
    return path


def hook_file(here: Here) -> dict[str, tuple[bytes, int]]:
    """Return the hook launcher for ``Wanted.files``."""
    return {here.launcher: (launcher.script(here.home, here.target).encode(), launcher.MODE)}


def server_file(here: Here) -> dict[str, tuple[bytes, int]]:
    """Return the server launcher for ``Wanted.files``; empty if unavailable."""
    text = launcher.server_script(here.home, here.target)
    return {here.server: (text.encode(), launcher.MODE)} if here.mcp else {}


def plan_install(here: Here, wanted: Wanted) -> Plan:
    """Plan the changes for an install; empty if complete."""
    old = receipt.load(here.home, wanted.runtime) or Receipt(wanted.runtime, __version__)
    if not (wanted.files or wanted.edits or wanted.commands or old.files):
        return Plan(remarks=wanted.remarks)
    edited = [_edited(edit) for edit in wanted.edits]
    kept = {*wanted.files, *named_elsewhere(here.home, wanted.runtime)}
    changes = [
        *_renewed(wanted.files),
        *deletions(here.home, [file for file in old.own if file.path not in kept]),
        *(change for change in edited if change.before != change.after),
    ]  # the client is told last, when all is there
    commands = tuple(Command(words, here.environ, here.home) for words in wanted.commands)
    _expect_programs(commands)
    new = new_receipt(here, wanted, old, edited)
    made = folders_for([*changes, *(Change(p, None, b"") for p in _made_by_client(wanted))])
    records = list(records_of(here, old, new.but(folders=tuple(made)), changes))
    return Plan(
        tuple(changes),
        tuple(records),
        remarks=(*_fleeting(here), *wanted.remarks),
        commands=commands,
        watched=tuple(map(_as_it_is, wanted.touches)) if commands else (),
        afterwards=sealing(here.home, wanted.runtime) if commands else None,
    )


def named_elsewhere(home: str, runtime: str, gone: frozenset[str] = frozenset()) -> Iterator[str]:
    """Return our files needed by other runtimes, except those ``gone``."""
    for other in receipt.others(home, runtime):
        if other.runtime not in gone:
            yield from (file.path for file in other.own)


def deletions(home: str, files: Iterable[Touched]) -> Iterator[Change]:
    """Plan deletions of files unchanged since our install."""
    for file in files:
        content = read(file.path)
        if content is not None and (
            fingerprint(content) == file.after or launcher.untouched(home, content)
        ):
            yield Change(file.path, content, None)


def _edited(edit: Edit) -> Change:
    before = read(edit.path)
    return Change(edit.path, before, put_into(edit, text_of(edit.path, before)).encode())


def _expect_programs(commands: Sequence[Command]) -> None:
    for command in commands:
        if not command.program:
            raise ConfigError(
                f"the program {command.words[0]!r} is not on the PATH; nothing was written",
                hint=f"call this where `{command.words[0]} --version` answers",
            )


def _fleeting(here: Here) -> Iterator[str]:
    if here.target.fleeting:
        yield f"{here.target.python} is in a cache and may vanish: uv tool install twiceshy, first"


def _renewed(files: Files) -> Iterator[Change]:
    for path, (content, mode) in files.items():
        before = read(path)
        if before != content or os.stat(path).st_mode & 0o777 != mode:
            yield Change(path, before, content, mode)


def _as_it_is(path: str) -> Change:
    now = read(path)
    return Change(path, now, now)


def _made_by_client(wanted: Wanted) -> tuple[str, ...]:
    return (*wanted.leftovers, *wanted.touches)
