"""Which parts of a command line could have failed unseen, and which of them only read.

An exit status of zero speaks for the last part only: what stands before ``|``, ``;`` or ``||`` may
have failed. This is no shell: it finds the parts well enough to tell a test run from a file read.
"""

from __future__ import annotations

import re

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEREDOC = r"(?ms)<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1([^\n]*)\n.*?(?:^[ \t]*\2[ \t]*$|\Z)"
_QUOTED = r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\."
_PART = rf"(?s)(?:{_QUOTED}|[<>]&|&>|[^\n;&|(){{}}])+|&&|\|\||[\n;&|]"
_BREAKS = frozenset("; \n &".split(" "))
_ASSIGNED = r"[A-Za-z_]\w*="

# They start the program that counts; some take a number or options before its name.
_WRAPPERS = frozenset(
    "! builtin command do doas elif else env exec if ionice nice nohup proxy rtk stdbuf sudo then"
    " time timeout until while xargs".split()
)
# Their output is what somebody else wrote, and an error word in it tells nothing.
_READERS = frozenset(
    """[ [[ : ack ag alias awk base64 basename bat break case cat cd chmod chown clear cmp column comm
    continue cp curl cut date declare df diff dig dirname done du echo egrep env esac exit export fd
    fgrep fi file find for function gawk git-grep grep head hexdump history host hostname id jobs
    journalctl jq kill less ln local look ls lsof man md5 md5sum mkdir mktemp more mv nl nslookup od
    open pgrep ping pkill popd printenv printf ps pushd pwd read readlink realpath return rev rg rm
    rmdir sed select set sha256sum shasum sleep sort source stat strings tac tail tee times top touch
    tput tr trap tree true type uname uniq unset wait wc wget whatis whereis which whoami xxd
    xmllint yes yq zcat zgrep zless""".split()
)
# Programs that do one thing or another: with these words they only show.
_SHOWING = {
    "git": frozenset(
        """blame branch cat-file config describe diff for-each-ref grep help log ls-files ls-remote
        ls-tree merge-base name-rev reflog remote rev-list rev-parse shortlog show show-ref status
        tag var version whatchanged worktree""".split()
    ),
    "gh": frozenset("api checks diff list search status view".split()),
    "glab": frozenset("api diff list status trace view".split()),
    "docker": frozenset(
        "events history images info inspect logs port ps stats top version".split()
    ),
    "podman": frozenset(
        "events history images info inspect logs port ps stats top version".split()
    ),
    "kubectl": frozenset("api-resources describe events explain get logs top version".split()),
    "go": frozenset("doc env help list version".split()),
    "cargo": frozenset("help metadata search tree version".split()),
    "npm": frozenset("help info list ls outdated search show view".split()),
    "brew": frozenset("info list search".split()),
    "pip": frozenset("help list show".split()),
    "systemctl": frozenset("cat list-units show status".split()),
}
_SHELLS = frozenset("bash sh zsh".split())
_HELP = frozenset("--help -h --version -V".split())


class Part(Value):
    """One program with its arguments, and whether its exit status is known to be zero."""

    words: tuple[str, ...]
    hidden: bool

    @property
    def program(self) -> str:
        """Return the name of the program, without the folder it lies in."""
        return self.words[0].rpartition("/")[2]

    @property
    def reads(self) -> bool:
        """Tell whether the program shows what others wrote, and does nothing that could fail."""
        words = self.words[1:]
        if self.program in _READERS or not _HELP.isdisjoint(words):
            return "-exec" not in words
        showing = _SHOWING.get(self.program, frozenset())
        return not showing.isdisjoint([word for word in words if word[:1] != "-"][:2])


def parts(command: str) -> list[Part]:
    """Take a command line apart, in order; what is quoted or in a here-document stays together."""
    found = [piece.strip(" \t") or piece[:1] for piece in re.findall(_PART, _bare(command))]
    while found and found[-1] in _BREAKS - {"&"}:
        found.pop()
    known = _known(found, pipes="pipefail" not in command)
    cut = [(words, at in known) for at, words in enumerate(map(_words, found)) if words]
    return [part for words, seen in cut for part in _inside(Part(tuple(words), not seen))]


def on_one_line(command: str) -> str:
    """Write a command of many lines on one; here-documents and comments are left out."""
    flat = re.sub(rf"(?s){_QUOTED}|\n", _joined, _bare(command).strip())
    joined = re.sub(r"(&&|[|;{(]|\b(?:do|then|else))[ \t]*(?:; )+", r"\1 ", flat)
    return re.sub(r"[ \t]+;", ";", joined).strip("; \t")


def _joined(found: re.Match[str]) -> str:
    return "; " if found[0].startswith("\n") else " ".join(found[0].split())


def _bare(command: str) -> str:
    """Return a command without here-documents and comments, and with every line whole."""
    return re.sub(r"(?m)^[ \t]*#.*\n?", "", re.sub(_HEREDOC, r"\3", command.replace("\\\n", " ")))


def _inside(part: Part) -> list[Part]:
    """Return the parts of a line that a shell was given as an argument, or the part itself."""
    if part.program not in _SHELLS or len(part.words) < 3 or part.words[1] not in ("-c", "-lc"):
        return [part]
    inner = parts(part.words[2])
    return [each.but(hidden=True) for each in inner] if part.hidden else inner


def _known(found: Sequence[str], *, pipes: bool) -> set[int]:
    """Return the places whose status the whole line's status tells: its end, and all ``&&`` before."""
    known: set[int] = set()
    for at in range(len(found) - 1, -1, -1):
        if found[at] in _BREAKS or found[at] == "||" or (pipes and found[at] == "|"):
            break
        known.add(at)
    return known


def _words(piece: str) -> list[str]:
    """Return a program and its arguments; nothing for what only joins or assigns."""
    if piece in ("&&", "||", "|", "\n", ";", "&"):
        return []
    words = [_unquoted(word) for word in re.findall(rf"(?s)(?:{_QUOTED}|\S)+", piece)]
    return list(_stripped(words))


def _stripped(words: Sequence[str]) -> Iterator[str]:
    """Yield the words from the program on that the wrappers before it start."""
    wrapped = started = False
    for word in words:
        if not started and (re.match(_ASSIGNED, word) or word in _WRAPPERS):
            wrapped = wrapped or word in _WRAPPERS
        elif not started and wrapped and (word[:1] in "-0123456789" or not word):
            continue
        else:
            started = True
            yield word


def _unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] in "'\"" and word[-1] == word[0] else word
