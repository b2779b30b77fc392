"""Words that only one generated project knows, and the mistakes, wishes and summaries that hold them.

``{w}`` is a private word of the project, ``{s}`` a word that both projects of a pair know, and ``{n}`` a number.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.shell import KNOWN

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

SKILL = "ship"
SKILL_TEXT = """---
name: ship
description: Ship a release with the shipper program.
---

# ship

Run `shipper push --force` to deploy a release. Use `shipper status --all` to list every server, and
`shipper rollback --last` to take a release back. A build script adds the version; never skip the check.
Wait for the server before the next command, and read the log of the service when a deploy fails.
"""
_KNOWN = """add command script deploy release server service version check build log value option argument push
    status list read wait next use file""".split()
_ENGLISH = """harbor falcon meadow copper lantern orchid saddle thimble walnut beacon cobalt ember fjord glacier hazel
    ivory jasper kestrel lagoon magnet nectar obsidian pepper quarry raven saffron tundra umber velvet willow zephyr
    anchor bramble canyon dahlia eagle fennel garnet heron indigo juniper kelp lilac maple nutmeg onyx poplar quill
    rowan sable thistle urchin violet wren yarrow amber birch cedar drift elm fern grove heath iris jade koala lotus
    marsh night otter pearl quartz ridge spruce tiger union vine wheat yak zebra acorn bison coral delta ermine flint
    goose honey igloo jelly kiwi lemon mango noble opal plum quail rusty salmon tulip usher valley wagon xenon yeast
    """.split()
_PEOPLE = "Anneliese Bogdan Chiyoko Dragomir Eilidh Fyodor Gudrun Hiroshi Ingeborg Joaquim".split()
_FOREIGN = "größe señal žluťoučký naïve Ωmega привет 項目 데이터 cáfé ñandú übung šifra".split()
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxz"
_TOKEN = re.compile(r"[^\W_]+")


class Canary(Value):
    """A word that one project alone knows; ``marks`` are the texts by which it is recognised."""

    kind: str
    word: str
    marks: tuple[str, ...]
    whole: bool = False  # recognised only between other characters than letters and digits

    def stands_in(self, text: str) -> bool:
        """True if a text, folded as by ``fold``, holds the word."""
        if not self.whole:
            return any(mark in text for mark in self.marks)
        return any(_stands_alone(mark, text) for mark in self.marks)


def fold(text: str) -> str:
    """Return a text in which spelling variants of a word are one."""
    return unicodedata.normalize("NFKC", text).casefold()


def _stands_alone(mark: str, text: str) -> bool:
    at = text.find(mark)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(mark) : at + len(mark) + 1]
        if not any(map(str.isalnum, around)):
            return True
        at = text.find(mark, at + 1)
    return False


class WordSource:
    """Draws private words; no two projects of a store get the same one."""

    def __init__(self, dice: random.Random) -> None:
        # the words of the skill and the names of public programs are nobody's own
        self._dice, self._drawn = dice, {*_TOKEN.findall(fold(SKILL_TEXT)), *KNOWN}

    def draw_canary(self) -> Canary:
        """Draw a word of any kind."""
        kind = self._dice.choice(KINDS)
        for _ in range(20):
            found = _MAKERS[kind](self._dice, make_word(self._dice))
            if not self._drawn.intersection(found.marks):
                self._drawn.update(found.marks)
                return found
        return _build_canary("rare", make_word(self._dice, 9))

    def draw_folder(self) -> Canary:
        """Draw the name of a project's folder."""
        word = make_word(self._dice, 8)
        return Canary("folder", f"{word}-{self._dice.randrange(100)}", (word,))


def make_word(dice: random.Random, letters: int = 7) -> str:
    """Make a word that no language has."""
    return "".join(dice.choice(_VOWELS if at % 2 else _CONSONANTS) for at in range(letters))


def _build_canary(kind: str, word: str, *, whole: bool = False) -> Canary:
    return Canary(kind, word, (fold(word),), whole)


def _make_known(dice: random.Random, _: str) -> Canary:
    """Make a name of words that stand in the skill, which the name itself does not."""
    return _build_canary("known words", dice.choice("-_/.").join(dice.sample(_KNOWN, 3)))


def _make_camel(dice: random.Random, word: str) -> Canary:
    inner = make_word(dice, 6)
    return Canary("camel", f"{word.title()}{inner.title()}", (fold(word), fold(inner)))


def _make_person(dice: random.Random, word: str) -> Canary:
    named = f"{dice.choice(_PEOPLE)}.{word.title()}"
    return Canary("person", f"{named}@{word}.example", (word,))


def _make_secret(dice: random.Random, _: str) -> Canary:
    letters = "".join(dice.choices("abcdefghjkmnpqrstuvwxyzABCDEF23456789", k=36))
    return _build_canary("secret", f"ghp_{letters}")


_MAKERS: Mapping[str, Callable[[random.Random, str], Canary]] = {
    "rare": lambda _, word: _build_canary("rare", word),
    "short": lambda dice, _: _build_canary(
        "short", f"{make_word(dice, 2)}{dice.randrange(10)}", whole=True
    ),
    "english": lambda dice, _: _build_canary("english", dice.choice(_ENGLISH), whole=True),
    "known words": _make_known,
    "camel": _make_camel,
    "flag": lambda _, word: Canary("flag", f"--{word}", (word,)),
    "number": lambda dice, _: _build_canary(
        "number", str(dice.randrange(1_000, 9_999)), whole=True
    ),
    "ticket": lambda dice, word: _build_canary(
        "ticket", f"{word[:4].upper()}-{dice.randrange(10, 999)}"
    ),
    "id": lambda dice, _: _build_canary("id", f"{dice.getrandbits(48):012x}"),
    "host": lambda dice, word: Canary("host", f"db{dice.randrange(9)}.{word}.internal", (word,)),
    "person": _make_person,
    "secret": _make_secret,
    "unicode": lambda dice, word: _build_canary("unicode", f"{dice.choice(_FOREIGN)}{word[:4]}"),
}
KINDS = tuple(_MAKERS)


class GeneratedCall(Value):
    """A failing call of a tool, its error, and the call that worked, if any."""

    tool: str
    wrong: dict[str, str]
    error: str
    right: dict[str, str] | None
    by_skill: bool = False

    def fill(self, **words: str) -> GeneratedCall:
        """Return the call with its places filled."""

        def put(text: str) -> str:
            for name, word in words.items():
                text = text.replace(f"{{{name}}}", word)
            return text

        right = {name: put(value) for name, value in self.right.items()} if self.right else None
        wrong = {name: put(value) for name, value in self.wrong.items()}
        return self.but(wrong=wrong, error=put(self.error), right=right)


def _shell(wrong: str, error: str, right: str = "", *, by_skill: bool = False) -> GeneratedCall:
    said = f"Exit code 1\n{error}"
    fixed = {"command": right} if right else None
    return GeneratedCall("Bash", {"command": wrong}, said, fixed, by_skill)


PRIVATE = (
    _shell("gh pr diff {w} --stat", "unknown flag: --stat", "gh pr diff {w} --name-only"),
    _shell("git push origin {w} --al", "error: unknown option `al'", "git push origin {w} --all"),
    _shell("gh repo view --nam={w}", "unknown flag: --nam", "gh repo view --name={w}"),
    _shell("gh repo view --name={w}", "unknown flag: --name", "gh repo view {w}"),
    _shell("kubectl get pods --{w}", "error: unknown flag: --{w}", "kubectl get pods --all"),
    _shell(
        "kubectl get {w}",
        'error: the server doesn\'t have a resource type "{w}"',
        "kubectl get pods",
    ),
    _shell("npm run {w}", 'npm error Missing script: "{w}"', "npm run {w}:all"),
    _shell("make {w}", "make: *** No rule to make target '{w}'.  Stop.", "make all"),
    _shell("make all", "make: *** [Makefile:3: {w}] Error 1", "make {w} all"),
    _shell("{w} --fast", "bash: {w}: command not found", "./bin/{w} --fast"),
    _shell("cat src/{w}.py", "cat: src/{w}.py: No such file or directory", "cat lib/{w}.py"),
    _shell("cd {w} && go vet ./...", "no Go files in {w}", "cd {w}/cmd && go vet ./..."),
    _shell("go build ./...", "go: cannot find main module", "cd {w} && go build ./..."),
    _shell("pytest", "ModuleNotFoundError: No module named '{w}'", "PYTHONPATH={w} pytest"),
    _shell("npm test", "Error: {w} is not set", "{w}=1 npm test"),
    _shell(
        "curl https://{w}/v1", "curl: (6) Could not resolve host: {w}", "curl http://localhost/v1"
    ),
    _shell("psql -h {w} -U app", 'psql: error: FATAL: role "{w}" does not exist', "psql -h {w}"),
    _shell(
        "git push",
        "fatal: The current branch {w} has no upstream branch.",
        "git push -u origin {w}",
    ),
    _shell(
        "git checkout {w}",
        "error: pathspec '{w}' did not match any file(s)",
        "git checkout -b {w}",
    ),
    _shell("docker run {w}/app --rmm", "unknown flag: --rmm", "docker run {w}/app --rm"),
    _shell(
        "pip install {w}", "ERROR: No matching distribution found for {w}", "pip install -e {w}"
    ),
    _shell(
        "aws s3 ls s3://{w} --recursiv",
        "Unknown options: --recursiv",
        "aws s3 ls s3://{w} --recursive",
    ),
    _shell("rg {w} --typ py", "error: unrecognized flag --typ", "rg {w} --type py"),
    _shell(
        "git commit -m 'fix {w}'",
        "error: pre-commit hook of {w} failed",
        "git add . && git commit -m 'fix {w}'",
    ),
    _shell("terraform apply -var name={w}", "Error: No value for required variable {w}"),
    _shell("ls *.{w}", "zsh: no matches found: *.{w}", "ls '*.{w}'"),
    # what may travel by its public words alone, with a private word in every place where one may stand
    _shell("docker run --nme {w} redis", "unknown flag: --nme", "docker run --name {w} redis"),
    _shell(
        "kubectl --contxt {w} get pods",
        "error: unknown flag: --contxt",
        "kubectl --context {w} get pods",
    ),
    _shell("git {w} --shrt", "error: unknown option `shrt'", "git {w} --short"),
    _shell(
        "git log --onelin={w}", "fatal: unrecognized argument: --onelin={w}", "git log --oneline"
    ),
    _shell(
        "git log --formt",
        "fatal: bad object {w}: unrecognized argument: --formt",
        "git log --format",
    ),
    _shell("gh {w} --jsn", "unknown flag: --jsn", "gh {w} --json"),
    _shell("{w} push --al", "unknown flag: --al", "{w} push --all"),
    _shell("make {w}s", "make: *** No rule to make target '{w}s'.  Stop.", "make {w}"),
    _shell("npm run {w}s", 'npm error Missing script: "{w}s"', "npm run {w}"),
    _shell("npm run build -- --{w}s", "error: unknown option '--{w}s'", "npm run build -- --{w}"),
    _shell("docker {w}s ps", "docker: '{w}s' is not a docker command", "docker {w} ps"),
    _shell("helm list --outpt", "Error: unknown flag: --outpt at {w}", "helm list --output"),
    _shell("gh pr list --repoo {w}", "unknown flag: --repoo", "gh pr list --repo {w}"),
    _shell("git fetch --deptth", "error: unknown option `deptth' of {w}", "git fetch {w} --depth"),
    _shell("kubectl get pods --{w}s", "error: unknown flag: --{w}s", "kubectl get pods --{w}"),
    _shell("gh pr diff --stat", "unknown flag: --stat", "gh pr diff --{w}"),
    _shell("cargo run --{w}s", "error: unexpected argument '--{w}s' found", "cargo run --{w}"),
    _shell("python3 {w}.py --al", "{w}.py: unrecognized arguments: --al", "python3 {w}.py --all"),
    _shell(
        "curl --usr {w} localhost", "curl: option --usr: is unknown", "curl --user {w} localhost"
    ),
    _shell("shipper push --{w}", "unknown flag: --{w}", "shipper push --force", by_skill=True),
    _shell("shipper push {w} --al", "unknown flag: --al", "shipper push {w} --all", by_skill=True),
    _shell("shipper {w}", "unknown command {w}", "shipper status", by_skill=True),
    _shell("shipper deploy {w}", "no such file: {w}", "shipper push {w}", by_skill=True),
    _shell("cat {w}", "cat: {w}: No such file or directory", "cat build/{w}", by_skill=True),
    GeneratedCall("mcp__tracker__get_issue", {"id": "{w}"}, "no issue {w}", {"id": "the-{w}"}),
    GeneratedCall(
        "mcp__tracker__find", {"team": "{w}"}, "unknown argument: team", {"group": "{w}"}
    ),
    GeneratedCall(
        "Read",
        {"file_path": "{root}/src/{w}.ts"},
        "File does not exist.",
        {"file_path": "{root}/lib/{w}.ts"},
    ),
)
# what a single project teaches to all others, once two of its sessions met it
PUBLIC = (
    _shell("kubectl get pods --ns {w}", "error: unknown flag: --ns", "kubectl get pods -n {w}"),
    _shell(
        "git stauts {w}", "git: 'stauts' is not a git command. See 'git --help'.", "git status {w}"
    ),
    _shell("gh pr list --sttate", "unknown flag: --sttate", "gh pr list --state"),
    _shell("docker ps --al", "unknown flag: --al", "docker ps --all"),
)
# what two projects teach in the same words, each with numbers and names of its own around it
SHARED = (
    _shell("gh pr diff {n} --{s}", "unknown flag: --{s}", "gh pr diff {n} --name-only"),
    _shell("git log {w} --{s}", "fatal: unrecognized argument: --{s}", "git log {w} --oneline"),
    _shell("kubectl get pods --{s}", "error: unknown flag: --{s}", "kubectl get pods --all"),
    _shell("npm {s}", 'Unknown command: "{s}", did you mean "install"?', "npm install"),
    _shell("docker ps --{s}", "unknown flag: --{s}", "docker ps --all"),
    _shell(
        "cargo build --{s}", "error: unexpected argument '--{s}' found", "cargo build --release"
    ),
    _shell("git {s}", "git: '{s}' is not a git command, but status is.", "git status"),
    _shell("go test -{s} ./...", "flag provided but not defined: -{s}", "go test -race ./..."),
)
WISHES = (
    "No, always use {w} for this, never the default.",
    "We don't deploy to {w}. Use the staging server instead.",
    "Never push to {w} again.",
    "Please always run {w} before you commit.",
)
REFUSALS = ("never touch {w}", "we do that by {w} here")
OBSERVATIONS = (
    "Push {w} first, then wait for the server.",
    "The check of {w} must run before the deploy.",
    "`shipper push {w}` needs --force.",
    "Never skip {w} when a deploy fails.",
)
PROMPTS = ("Please look at {w} and release it.", "The build of {w} is broken, repair it.")
ENDINGS = ("Next I will release {w}.", "Left to do: the tests of {w}.")
