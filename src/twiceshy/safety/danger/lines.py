"""Split a text into runs, one program with its arguments each; prose is a run of words.

This is no shell: in a note an apostrophe opens no quote, ``#`` no comment, and commands
stand between backticks, colons and Chinese, so the tokens of ``shell`` would miss later
commands. The program behind wrappers is asked there. Arguments for saying or searching are
separated from arguments for doing.
"""

from __future__ import annotations

import re

from twiceshy.core.value import Value
from twiceshy.shell.command_line import is_assignment, skip_wrappers

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Chinese stands beside commands without a blank, and is never a part of one.
_PIECE = re.compile(
    r"(?P<gap>(?:[ \t]|[\u3000-\u9fff][:,!?]{0,2})+)|(?P<joint>\|\||&&|\|&|<\(|>\(|[|;&\n`(){}]|(?<=\w):(?=\s))"
    r"|(?P<into>&?>>?[|&]?|<{1,3})|\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    r"|(?P<plain>(?:[^\s\"'|;&`(){}<>:\u3000-\u9fff]|:(?!\s))+|.)",
    re.S,
)
_SEARCHING = frozenset("ack ag egrep fgrep grep jq rg zgrep".split())
_SAYING = frozenset("echo printf".split())
_NOTING = frozenset("alembic gh git hg jj".split())  # whose -m is a message
_SAID = frozenset(
    "--message --title --body --notes --subject --description --grep --author --comment".split()
)
# In prose the word behind "npm install" or "| sh" goes on with the sentence.
PROSE = frozenset(
    """a after again all an and as at because before but by command commands does each every everything
    exits fail failed fails first for from has here if in instead into is it must needs no not nothing now
    on once only or ran run runs script should so step succeeded that the then there this to too under until
    was when which while will with within without worked works would you your""".split()
)
_SHORT = ("-m", "-am", "-nm", "-anm")
_QUOTES = ("'", '"')
_SENTENCE_ENDS = ".,:!?…"


class WordRun(Value):
    """A run of words with quoted texts, the joint before, and its line.

    ``called`` are the program and its arguments, without wrappers, variables and comments.
    """

    words: tuple[str, ...]
    quoted: tuple[str, ...]
    joint: str
    line: str
    called: tuple[str, ...]

    @property
    def program(self) -> str:
        """Return the program name; in prose, the first word."""
        return self.called[0] if self.called else ""


def program_name(word: str) -> str:
    """Return a word as program name: lower case, without folder; flags unchanged."""
    if word.startswith("-"):
        return word.rstrip(_SENTENCE_ENDS)
    name = word.rpartition("/")[2].lower()
    return name.rstrip(_SENTENCE_ENDS).removesuffix(".exe") or name


def split_runs(text: str) -> list[WordRun]:
    """Return the runs of a folded text, in order."""
    found: list[WordRun] = []
    draft = _RunBuilder("")
    for piece in _PIECE.finditer(text):
        if piece.lastgroup == "joint":
            found += draft.build_run()
            draft = _RunBuilder(piece[0])
        else:
            draft.take_piece(piece[piece.lastgroup or 0], piece.lastgroup or "")
    return [*found, *draft.build_run()]


def join_runs(found: Iterable[WordRun]) -> str:
    """Join runs to a text, without spoken arguments."""
    flat = " ".join(f"{run.joint} {run.line}" for run in found)
    return flat.replace("$ (", "$(").replace(" : ", ": ")


class _RunBuilder:
    """Builder of a run: words, and which were quoted."""

    def __init__(self, joint: str) -> None:
        self._joint = joint
        self._words: list[str] = []
        self._texts: dict[int, str] = {}
        self._quoted: set[int] = set()
        self._open = False

    def take_piece(self, said: str, kind: str) -> None:
        """Take a piece: blanks end a word, adjacent pieces join."""
        # a quote that is never closed, as where a line was cut
        if kind == "gap" or said in _QUOTES:
            self._open = self._open and kind != "gap"
        elif kind in ("double", "single") and any(blank in said for blank in " \t\n"):
            self._texts[len(self._words)] = said
            self._words.append("")
            self._open = False
        elif self._open and kind != "into":
            self._words[-1] += said
        else:
            if kind in ("double", "single"):
                self._quoted.add(len(self._words))
            self._words.append(said)
            self._open = kind != "into"

    def build_run(self) -> Iterator[WordRun]:
        """Yield the run without spoken arguments: messages, searches, prints."""
        if not self._words:
            return
        said = set(self._said_words())
        kept = [at for at in range(len(self._words)) if at not in said]
        yield WordRun(
            words=tuple(self._words[at] for at in kept if self._words[at]),
            quoted=tuple(self._texts[at] for at in kept if at in self._texts),
            joint=self._joint,
            line=" ".join(self._texts.get(at, self._words[at]) for at in kept),
            called=tuple(self._called_words(kept)),
        )

    def _called_words(self, kept: Sequence[int]) -> Iterator[str]:
        """Yield the program name and its arguments."""
        words = [self._texts.get(at, word) for at, word in enumerate(self._words)]
        begin, begun = skip_wrappers(words)[0], False
        if words[begin : begin + 2] == ["command", "-v"]:  # it only asks, but who knows why
            begin += 2
        for word in (self._words[at] for at in kept if at >= begin):
            if begun and word.startswith("#"):
                return
            if word:
                yield word if begun else program_name(word)
                begun = True

    def _said_words(self) -> Iterator[int]:
        program, searching = self._find_program()
        first = True
        for at, (before, word) in enumerate(zip(("", *self._words), self._words, strict=False)):
            noted = before.rstrip("=") in _SAID or (program in _NOTING and before in _SHORT)
            if (
                noted
                or word.partition("=")[0] in _SAID
                or (program in _SAYING and at in self._texts)
            ):
                yield at
            elif at >= searching > 0 and (at in self._quoted or (first and word[:1] != "-")):
                first = first and at in self._quoted and word[:1] == "-"
                yield at

    def _find_program(self) -> tuple[str, int]:
        """Return the program, and the start of its search pattern; 0 if none."""
        for at, word in enumerate(self._words):
            if not is_assignment(word):
                name = program_name(word)
                if name == "git" and self._words[at + 1 : at + 2] == ["grep"]:
                    return name, at + 2
                return name, at + 1 if name in _SEARCHING else 0
        return "", 0
