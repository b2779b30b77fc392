"""Dangerous data flow between programs: pipes, substitutions, downloads."""

from __future__ import annotations

from twiceshy.safety.danger.lines import PROSE, program_name
from twiceshy.safety.danger.reasons import CHECKS, CREDENTIALS, ENDPOINT, FORCE, RUNS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.safety.danger.lines import WordRun

_SHELLS = frozenset("sh bash zsh dash ksh fish ash iex invoke-expression".split())
_INTERPRETERS = frozenset(
    "python python2 python3 node perl ruby php pwsh powershell deno bun osascript lua".split()
)
_FETCHERS = frozenset(
    "curl wget fetch aria2c iwr irm invoke-webrequest invoke-restmethod base64 xxd openssl http".split()
)
_TAKING = frozenset(
    "sh bash zsh dash ksh fish source . eval exec python python3 node perl ruby".split()
)
_SENDING = frozenset(
    "curl wget nc ncat netcat telnet ssh scp socat mail sendmail base64 xxd http tee".split()
)
# Their failure says that something is not there, and going on is what people mean.
_LOOKING = frozenset(
    """[ [[ ack ag awk cat cd command cp createdb curl diff docker egrep fgrep find gh git grep head jq
    kill killall ls lsof mkdir mv pgrep pkill popd ps pushd read rg rm rmdir sed stat tail test touch tr
    type unlink wait wc which""".split()
)
_ASKING = frozenset("dig nslookup host ping drill kdig".split())  # a name is a message, too
_PASSING = frozenset("true :".split())
_CHECKING = frozenset("commit push test lint".split())  # git and docker start these as well
# What a build makes, it makes again.
_MADE = frozenset(
    """.cache .gradle .mypy_cache .next .nuxt .nyc_output .parcel-cache .pytest_cache .ruff_cache
    .svelte-kit .tox .turbo .venv .vite __pycache__ bin build coverage deriveddata dist htmlcov
    node_modules obj out target temp tmp venv""".split()
)
_REMOVING_OTHERWISE = frozenset("aws docker git gsutil kubectl npm podman".split())
_RECURSIVE = frozenset("-r -R -rf -fr -Rf -fR -rfv -vrf --recursive".split())


def find_flow_dangers(found: Sequence[WordRun]) -> Iterator[str]:
    """Yield reasons for review by the joints between runs."""
    saved: set[str] = set()
    for at, run in enumerate(found):
        before = found[at - 1] if at else None
        if _runs_fetched(run, before) or not saved.isdisjoint(
            run.words[:3] if run.program in _TAKING else ()
        ):
            yield RUNS
        if run.joint == "||" and before and _ignores_failure(run, before):
            yield CHECKS
        yield from _find_leaks(run, before)
        if run.program not in _REMOVING_OTHERWISE and _removes_folders(run):
            yield FORCE
        if run.program in _FETCHERS:
            saved |= set(_download_names(run))


def _find_leaks(run: WordRun, before: WordRun | None) -> Iterator[str]:
    """Yield reasons where variables or names carry something away."""
    if before and run.joint == "|" and before.words in (("env",), ("printenv",), ("set",)):
        yield from [CREDENTIALS] if run.program in _SENDING else []
    if run.words[:1] == ("env",) and run.words[1:2] in ((">",), (">>",)):
        yield CREDENTIALS
    if before and run.joint == "(" and before.program in _ASKING and before.words[-1][-1:] == "$":
        yield ENDPOINT


def _runs_fetched(run: WordRun, before: WordRun | None) -> bool:
    """True if a program runs fetched or decoded text."""
    called = run.called
    if not called or before is None:
        return False
    if run.joint in ("|", "|&"):
        return (called[0] in _SHELLS and _reads_pipe(called[1:])) or (
            called[0] in _INTERPRETERS and set(called[1:]) <= {"-", "/dev/stdin", "-s"}
        )
    opened = run.joint in ("<(", "(", "`")
    if not opened or called[0] not in _FETCHERS:
        return False
    if run.joint == "<(":
        return not _TAKING.isdisjoint(map(program_name, before.words[-3:]))
    return _program_before_substitution(before) in _TAKING


def _reads_pipe(arguments: Sequence[str]) -> bool:
    """True if a shell reads commands from a pipe: no command and no file given."""
    if "-s" in arguments or "/dev/stdin" in arguments:
        return True
    files = [each for each in arguments if each[:1] not in ("-", ">", "<") and not each.isdigit()]
    return "-c" not in arguments and "-n" not in arguments and set(files[:1]) <= PROSE


def _program_before_substitution(run: WordRun) -> str:
    """Return the program that receives a substitution's output."""
    called = [word for word in run.called if word != "$"]
    return called[0] if called and called[1:] in ([], ["-c"]) else ""


def _ignores_failure(run: WordRun, before: WordRun) -> bool:
    """True if a meaningful failure is ignored."""
    words = run.called
    if not (words[:1] and words[0] in _PASSING) and words[:2] != ("exit", "0"):
        return False
    names = set(before.called)
    return before.program not in _LOOKING or not names.isdisjoint(_CHECKING)


def _removes_folders(run: WordRun) -> bool:
    """True if folders are removed that no build recreates."""
    names = [program_name(word) for word in run.words]
    if "rm" not in names or (_RECURSIVE.isdisjoint(run.words) and "*" not in run.words):
        return False
    behind = run.words[names.index("rm") + 1 :]
    targets = [
        word for word in behind if word[:1] != "-" and word[:1] not in "<>" and not word.isdigit()
    ]
    return not targets or not all(map(_is_build_folder, targets))


def _is_build_folder(path: str) -> bool:
    names = path.rstrip("/").split("/")
    if ".." in names or path[:1] in "~$*":
        return False
    if path.startswith(("/tmp/", "/private/tmp/", "/var/tmp/")):  # noqa: S108 - a name to compare
        return bool(names[-1].strip("*"))
    if path.startswith("/var/folders/") and "T" in names[:-1]:
        return True
    return path[:1] != "/" and any(
        name.lower() in _MADE or name.endswith(".egg-info") for name in names
    )


def _download_names(run: WordRun) -> Iterator[str]:
    """Yield file names of downloads."""
    for flag, name in zip(run.words, run.words[1:], strict=False):
        if flag in ("-o", "-O", "--output", "--output-document", ">"):
            yield name
            yield f"./{name}"
    yield from (word.rpartition("/")[2] for word in run.words if "/" in word and "-O" in run.words)
