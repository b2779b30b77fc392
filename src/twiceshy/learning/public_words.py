"""Words that every project knows: public programs, and what programs call their options.

A lesson made of such words may leave its project at once. Whatever is not known to be public
counts as private: names of tasks, operands, values, hosts, paths.
"""

from __future__ import annotations

import os
import re

from twiceshy.core.note import MISTAKE
from twiceshy.core.trigger import parse_trigger
from twiceshy.shell import KNOWN

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Trigger

# What programs say of a wrong call, and what we say of it.
COMMON = frozenset(
    """a add an and argument arguments as at called command does exist expected fails flag for found here
    illegal in invalid is it leave missing no not of option or out required script such the to
    unexpected unknown unrecognised unrecognized usage use used value wrongly""".split()
)
# More of what programs say, in errors about their options and subcommands.
_ERROR_WORDS = COMMON | frozenset(
    """-- accepts allowed ambiguous available be but by cannot can't choice choose commands defined did
    doesn't error fatal flags from given have help i install's isn't known mean must needs none one only
    options parameter parse positional provided recognised recognized requires see shorthand similar
    subcommand supported switch takes than that there this too try undefined unsupported valid with
    you""".split()
)
# Names of subcommands and options that many programs share; none says anything about a project.
_CLI_WORDS = frozenset(
    """abort account add after all amend annotate any append apply archive args attach auth author auto
    base before body branch branches build bundle cache cached cert check checkout cherry chmod clean clone
    close cluster code color columns comment commit compare compress config confirm container context
    copy count cover create current data date debug decode deep default define delete delimiter depth
    describe destroy detach device diff digest dir directory disable discover display down drop dry
    dump edit enable encoding end endpoint env environment error exact exclude exec exit export ext
    extended extra fetch field fields file filename files filter fix fixed flat follow force format from full
    function get global graph group grep head header headers help hidden history host id ignore image images
    import include index info init input insecure inspect install interactive issue item items job jobs
    json keep key keys kill kind label labels latest level limit line lines link list local lock log login
    logout logs long match max merge message meta method metadata min mode module monitor mount move name
    names namespace namespaces native network new no node nodes none not offline offset only open order
    origin out output owner package packages page parallel params parent password patch path pattern
    plain plan platform pod pods policy port pr pretty preview print profile progress project prompt prune
    public publish pull push quiet raw read rebase recurse recursive ref refresh region regex release remote
    remove rename render repeat replace repo report request require reset resource resources restart restore
    resume retries retry reverse revert role rollback root rules run safe save schema scope search secret
    sections select selector server service services set shallow shell short show shortstat sign silent
    since single size skip sort source spec squash stage staged start stash stat state stats status stdin
    stop strict string submodule submodules subset summary switch sync tag tags tail target task template
    test text threads time timeout title token top trace track tree trim type unset until untracked update
    upgrade upload upstream url user username validate value values var verbose verify version view
    volume wait warn watch width with word workers workspace worktree write yes zone""".split()
)
# Their first argument is named by the project.
_TASK_RUNNERS = frozenset(
    """bundle deno gradle gradlew just make mix mvn nox npx nx pipx rails rake sbt serverless task tox turbo
    uvx""".split()
)
_SCRIPT_HOSTS = frozenset(
    "bun cargo composer conda dotnet flutter go hatch npm pip pip3 pnpm poetry rye swift uv yarn zig".split()
)
_PROJECTS_OWN = frozenset("build dev exec run start task test tool x".split())
_INTERPRETERS = frozenset(
    "bash code dash env find java ksh node perl php python python3 ruby sh ssh sudo xargs zsh".split()
)
_SYSTEM_FOLDERS = ("/usr/bin", "/bin", "/usr/sbin", "/sbin")
_PROGRAM_FOLDERS = ("", "bin", "script", "scripts", "tools")
_AROUND = "`'\"“”‘’«».,:;!?…()[]{}<>*"  # what may stand around a word
_FLAG = re.compile(r"--?[a-z][a-z0-9]*(?:-[a-z0-9]+)*|-[A-Za-z]")
_SHORTEST, _ALIKE = 4, 0.72


def is_public_lesson(note: Note, root: str) -> bool:
    """True if key and line of a note about a wrong call hold public words only."""
    trigger = parse_trigger(note.trigger)
    if trigger is None or note.subtype != "fix" or note.tag != f"{MISTAKE}{note.trigger}":
        return False
    if (trigger.tool, trigger.category) != ("Bash", "usage"):
        return False
    program, *behind = note.text.partition("`")[2].partition("`")[0].split() or [""]
    if program not in trigger.words or not _is_public_program(program, root):
        return False
    if program in _SCRIPT_HOSTS and not _PROJECTS_OWN.isdisjoint((*behind, *trigger.words)):
        return False
    return _are_public(program, trigger, note.text)


def _is_public_program(name: str, root: str) -> bool:
    """True for a program that people know, and that is no file of the project."""
    if name in _TASK_RUNNERS or name in _INTERPRETERS:
        return False  # what it is told to do is the project's own
    if name == os.path.basename(root) or any(
        os.path.lexists(os.path.join(root, folder, name)) for folder in _PROGRAM_FOLDERS
    ):
        return False
    if name in KNOWN:
        return True
    return any(_is_program(os.path.join(folder, name)) for folder in _SYSTEM_FOLDERS)


def _is_program(path: str) -> bool:
    return os.access(path, os.X_OK) and not os.path.isdir(path)


def _are_public(program: str, trigger: Trigger, text: str) -> bool:
    """True if every word of a trigger and a line is public, or a slip of a public one."""
    words = {program, *_split_words(text), *trigger.words, *trigger.absent}
    wrong = {word for word in words if word in trigger.words and word != program}
    right = {word for word in words - wrong if _is_public_word(word, whole=False)}
    right.add(program)
    slips = {word for word in words - right if _is_slip_of_any(word, right)}
    plain = {word for word in wrong if _is_public_word(word, whole=True)}
    return words <= right | slips | plain | _ERROR_WORDS


def _is_public_word(word: str, *, whole: bool) -> bool:
    """True for a word that many programs use; an option may be made of several, unless ``whole``.

    An option that worked is one of the program, whatever words it is made of; a wrong one may be
    anything.
    """
    if len(word.strip("-")) <= 1:
        return True
    if word in _ERROR_WORDS or word in _CLI_WORDS or word in KNOWN:
        return True
    if not _FLAG.fullmatch(word):
        return False
    parts = word.lstrip("-").split("-")
    return (not whole or len(parts) == 1) and all(part in _CLI_WORDS for part in parts)


def _is_slip_of_any(word: str, right: Collection[str]) -> bool:
    return any(_is_slip(word, each) for each in right if each not in _ERROR_WORDS)


def _is_slip(wrong: str, right: str) -> bool:
    """True if two words differ by a slip of the hand, or by one letter at the end."""
    bad, good = (word.strip("-").replace("-", "").lower() for word in (wrong, right))
    if not bad.isalpha() or bad[0] != good[:1]:
        return False
    if good in (bad, bad[:-1]) or bad == good[:-1]:
        return True
    if min(len(bad), len(good)) < _SHORTEST or abs(len(bad) - len(good)) > 2:
        return sorted(bad) == sorted(good)
    from difflib import SequenceMatcher  # noqa: PLC0415 - few words are compared

    return SequenceMatcher(None, bad, good, autojunk=False).ratio() >= _ALIKE


def _split_words(text: str) -> Iterator[str]:
    """Yield the words of a text as written between blanks, without punctuation around them."""
    for part in text.replace("`", " ").split():
        word = part.strip(_AROUND)
        if word:
            yield word if word[0] == "-" else word.casefold()
