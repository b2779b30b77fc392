"""Who started this process: what clients leave in the environment, and the programs above it.

A client's agent may clear a variable of its own shell. The shells above still show the variable that they
were started with, and the client itself its name.
"""

from __future__ import annotations

import os

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping, Sequence

# What clients set where their agents run commands, and no terminal of a person has.
_MARKS = {
    "CLAUDECODE": "claude-code",
    "CLAUDE_CODE_ENTRYPOINT": "claude-code",
    "CLAUDE_CODE_SESSION_ID": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "codex",
    "CODEX_THREAD_ID": "codex",
    "CODEX_SESSION_ID": "codex",
    "CODEX_CI": "codex",
    "GEMINI_CLI": "gemini",
    "GEMINI_SESSION_ID": "gemini",
    "OPENCODE": "opencode",
    "OPENCODE_CLIENT": "opencode",
    "PI_CODING_AGENT": "pi",
    "AI_AGENT": "an agent",
    "AMP_CURRENT_THREAD_ID": "amp",
    "ANTIGRAVITY_AGENT": "antigravity",
    "AUGMENT_AGENT": "auggie",
    "CLINE_ACTIVE": "cline",
    "CRUSH": "crush",
    "CURSOR_AGENT": "cursor-agent",
    "GOOSE_TERMINAL": "goose",
    "ROO_ACTIVE": "roo",
    "TRAE_AI_SHELL_ID": "trae",
}
AGENT_MARKS = tuple(_MARKS)
# Programs that let a model run commands, as they are called on the disk.
_CLIENTS = frozenset(
    """aider amp auggie claude cline codex copilot crush cursor-agent droid gemini goose kimi opencode
    openhands pi plandex qwen""".split()
)
# Folders that packages of such programs are installed into, as a step of a path.
_PACKAGES = frozenset(
    """claude-code codex copilot-cli gemini-cli opencode-ai pi-coding-agent qwen-code""".split()
)
_INTERPRETERS = (
    "node",
    "bun",
    "deno",
    "python",
    "sh",
    "bash",
    "zsh",
    "dash",
    "fish",
    "env",
    "npx",
)
_ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".exe")
_FEW_WORDS = 4  # of a command line: the interpreter, options, the program
_HIGHEST = 64  # processes above this one that are looked at
_LONGEST = 1 << 20  # bytes of an environment
_LISTERS = ("/bin/ps", "/usr/bin/ps")  # never one that a project put on the path


class StartedProcess(Value):
    """A process above this one: its words, and the variables that it was started with."""

    words: tuple[str, ...]
    marks: tuple[str, ...] = ()


def find_marked_client(environ: Mapping[str, str]) -> str:
    """Return the client whose agent runs here, by its variables; empty if there is none."""
    return next((client for mark, client in _MARKS.items() if environ.get(mark)), "")


def find_client_above(above: Sequence[StartedProcess]) -> str:
    """Return the first of these processes that is a client, or that a client marked."""
    found = (
        _MARKS[each.marks[0]] if each.marks else find_client_name(each.words) for each in above
    )
    return next(filter(None, found), "")


def find_client_name(words: Sequence[str]) -> str:
    """Return the client that a command line starts; empty for any other program."""
    for number, word in enumerate(words[:_FEW_WORDS]):
        name = _name_program(word)
        if name in _CLIENTS:
            return name
        steps = _PACKAGES.intersection(word.replace("\\", "/").split("/"))
        if steps and (number or "/" in word):
            return min(steps)
        if not number and not name.rstrip("0123456789.").startswith(_INTERPRETERS):
            return ""
    return ""


def mark_agent(environ: MutableMapping[str, str]) -> None:
    """Mark a command below a client as its agent's, whatever the shells between them cleared."""
    if not find_marked_client(environ) and (client := find_client_above(list_processes_above())):
        environ["AI_AGENT"] = client


def list_processes_above() -> list[StartedProcess]:
    """Return the processes above this one, the nearest first; none where the system tells nothing."""
    if os.path.exists("/proc/self/stat"):
        return list(_walk_proc(os.getppid()))
    return list(_walk_listing(os.getppid()))


def _name_program(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2].lstrip("-").lower()
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name


def _walk_proc(pid: int) -> Iterator[StartedProcess]:
    for _ in range(_HIGHEST):
        if pid <= 0:
            return
        words = _read_parts(f"/proc/{pid}/cmdline")
        names = {part.partition("=")[0]: part for part in _read_parts(f"/proc/{pid}/environ")}
        marks = tuple(mark for mark in _MARKS if names.get(mark, "=").partition("=")[2])
        yield StartedProcess(tuple(words), marks)
        pid = _read_parent(pid)


def _read_parent(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # the name of the program stands between brackets, and may hold brackets and blanks
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def _read_parts(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            content = file.read(_LONGEST)
    except OSError:  # it has ended, or is somebody else's
        return []
    return [part.decode("utf-8", "replace") for part in content.split(b"\0") if part]


def _walk_listing(pid: int) -> Iterator[StartedProcess]:
    """Yield the processes above by the system's list of processes, which holds no variables."""
    import subprocess  # noqa: PLC0415 - only systems without /proc need it

    program = next(filter(os.path.exists, _LISTERS), "")
    if not program:
        return
    asked = [program, "-axo", "pid=,ppid=,command="]
    try:
        told = subprocess.run(asked, capture_output=True, timeout=5, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return
    rows = [line.split(None, 2) for line in told.decode("utf-8", "replace").splitlines()]
    known = {int(row[0]): (int(row[1]), row[2]) for row in rows if len(row) == 3}
    for _ in range(_HIGHEST):
        if pid not in known:
            return
        pid, line = known[pid]
        yield StartedProcess(tuple(line.split()))
