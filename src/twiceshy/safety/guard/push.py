"""Read ``git push`` calls on a command line, in any spelling."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.shell.command_line import VALUED, join_folder, parse_command_line, read_options

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.shell.command_line import SimpleCommand

_PUSH = "push"
_ALIAS = "alias."
_MOST_ALIASES = 5  # that stand for each other
# Of push, with a value in the next word; some have a short form.
_PUSH_VALUED = frozenset("--push-option --receive-pack --exec --repo".split())
_LONG = (
    *("--all", "--branches", "--mirror", "--delete", "--dry-run", "--force", "--no-force"),
    *("--force-with-lease", "--force-if-includes", "--no-force-with-lease", "--tags", "--prune"),
    *("--follow-tags", "--set-upstream", "--atomic", "--porcelain", "--quiet", "--verbose"),
    *("--push-option", "--receive-pack", "--exec", "--repo", "--recurse-submodules", "--signed"),
    *("--thin", "--progress", "--verify", "--no-verify", "--ipv4", "--ipv6"),
)
# No alias can have the name of a verb.
_VERBS = frozenset(
    """add am apply bisect blame branch cat-file checkout cherry-pick clean clone commit config describe
    diff fetch for-each-ref grep init log ls-files ls-remote merge mv pull push rebase reflog remote
    reset restore rev-list rev-parse revert rm show stash status submodule switch tag worktree""".split()
)
_SHORT = {"f": "--force", "d": "--delete", "n": "--dry-run", "o": "--push-option"}


class GitPush(Value):
    """A push: directory, remote, refs, and overwritten or deleted refs.

    ``forced`` is the forcing word; a lease is no force, because it overwrites only a seen state.
    """

    directory: str = ""
    git_dir: str = ""
    remote: str = ""
    refs: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    forced: str = ""
    mirror: bool = False
    every: bool = False  # all branches
    tags: bool = False
    prune: bool = False
    after_commit: bool = False  # a commit on the same line comes before


class GitCall(Value):
    """A git call: directory, verb with arguments, and own aliases."""

    directory: str
    git_dir: str
    words: tuple[str, ...]
    aliases: Mapping[str, str]


def list_git_calls(line: str) -> Iterator[GitCall]:
    """Yield the git calls on a command line; a variable that is told to push may be git, too."""
    for command in parse_command_line(line).walk_commands():
        variable = command.program.startswith("$") and command.words[1:2] == (_PUSH,)
        if variable or command.program in ("git", "git.exe"):
            yield _parse_git_call(command)


def list_pushes(line: str, aliases: Mapping[str, str] | None = None) -> tuple[GitPush, ...]:
    """Return every push of a command line; dry runs excluded."""
    found: dict[GitPush, None] = {}
    committed = False
    for git in list_git_calls(line):
        committed = committed or git.words[:1] == ("commit",)
        for push in _pushes_of_call(git, aliases or {}, _MOST_ALIASES):
            found[push.but(after_commit=committed)] = None
    return tuple(found)


def may_be_alias(line: str) -> bool:
    """True if a git verb on a command line is unknown."""
    return any(git.words and git.words[0] not in _VERBS for git in list_git_calls(line))


def _pushes_of_call(git: GitCall, aliases: Mapping[str, str], left: int) -> Iterator[GitPush]:
    known = {**aliases, **git.aliases}
    verb, *given = git.words or ("",)
    if verb == _PUSH:
        if push := _parse_push(git, given):
            yield push
    elif verb == "send-pack" or (verb == "subtree" and _PUSH in given):
        yield GitPush(directory=git.directory, git_dir=git.git_dir)
    elif left and (meaning := known.get(verb.lower(), "").strip()):
        for further in _expand_alias(git, meaning, given):
            yield from _pushes_of_call(further, known, left - 1)


def _expand_alias(git: GitCall, meaning: str, given: Sequence[str]) -> Iterator[GitCall]:
    """Yield the calls behind an alias; a shell alias gets its words at the end."""
    if not meaning.startswith("!"):
        words = (word for each in parse_command_line(meaning).commands for word in each.words)
        yield git.but(words=(*words, *given))
        return
    found = [
        command for command in parse_command_line(meaning[1:]).walk_commands() if command.words
    ]
    for at, command in enumerate(found, start=1):
        if command.program == "git":
            last = given if at == len(found) else ()
            further = _parse_git_call(command.but(words=(*command.words, *last)))
            yield further.but(directory=join_folder(git.directory, further.directory))


def _parse_git_call(command: SimpleCommand) -> GitCall:
    """Parse the options before the verb."""
    options, verb = read_options(command.words, 1, VALUED["git"])
    git_dir = _parse_setting(command.environment, "GIT_DIR")
    aliases: dict[str, str] = {}
    for option, value in options:
        if option == "--git-dir":
            git_dir = value
        elif option == "-c" and value.lower().startswith(_ALIAS):
            name, _, meaning = value[len(_ALIAS) :].partition("=")
            aliases[name.lower()] = meaning
    where = join_folder(command.folder, git_dir) if git_dir else ""
    return GitCall(command.folder, where, command.words[verb:], aliases)


def _parse_setting(environment: Sequence[str], name: str) -> str:
    return next(
        (word.partition("=")[2] for word in environment if word.startswith(f"{name}=")), ""
    )


def _parse_push(git: GitCall, given: Sequence[str]) -> GitPush | None:
    options, names = _split_options(given)
    if "--dry-run" in options:
        return None
    remote = options.get("--repo", "")
    if names:
        remote, *names = names
    specs = list(_list_refspecs(names))
    gone = [spec.lstrip("+") for spec in specs] if "--delete" in options else []
    gone += [bare[1:] for spec in specs if len(bare := spec.lstrip("+")) > 1 and bare[0] == ":"]
    refs = [] if "--delete" in options else [_refspec_source(spec) for spec in specs]
    plus = [spec for spec in specs if spec.startswith("+")]
    return GitPush(
        directory=git.directory,
        git_dir=git.git_dir,
        remote=remote,
        refs=tuple(ref for ref in refs if ref),
        deleted=tuple(gone),
        forced=next(iter([*_forcing_word(options), *plus]), ""),
        mirror="--mirror" in options,
        every=bool({"--all", "--branches"} & options.keys())
        or any(s.strip("+") == ":" for s in specs),
        tags="--tags" in options,
        prune="--prune" in options,
    )


def _forcing_word(options: Mapping[str, str]) -> Iterator[str]:
    return (option for option in ("--force", "--mirror") if option in options)


def _refspec_source(spec: str) -> str:
    """Return the source of a refspec; empty for a deletion."""
    return spec.lstrip("+").partition(":")[0]


def _list_refspecs(names: Iterable[str]) -> Iterator[str]:
    """Yield refspecs; ``tag v1`` is a refspec in two words."""
    tag = False
    for name in names:
        if tag:
            yield f"refs/tags/{name}"
        elif name != "tag":
            yield name
        tag = not tag and name == "tag"


def _split_options(given: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Split options, with values, from other words."""
    options: dict[str, str] = {}
    names: list[str] = []
    words = list(given)
    while words:
        word = words.pop(0)
        if word == "--":
            names += words
            break
        if word[:1] != "-" or word == "-":
            names.append(word)
            continue
        for option, value in _expand_options(word):
            needs = option in _PUSH_VALUED and not value and words
            options[option] = words.pop(0) if needs else value
            if option == "--no-force":
                options.pop("--force", None)
    return options, names


def _expand_options(word: str) -> Iterator[tuple[str, str]]:
    """Yield the options of a word: an abbreviated long option, or several short ones."""
    if word.startswith("--"):
        name, _, value = word.partition("=")
        near = [each for each in _LONG if each.startswith(name)]
        yield (near[0] if len(near) == 1 and name not in _LONG else name), value
        return
    for at, letter in enumerate(word[1:], start=2):
        option = _SHORT.get(letter, f"-{letter}")
        if option in _PUSH_VALUED:
            yield option, word[at:]
            return
        yield option, ""
