"""Take a command line apart into words, breaks and redirections, by the quoting rules of a shell."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    Token = tuple[str, str]

WORD, BREAK, INTO, FROM, HERE = "word", "break", "into", "from", "here"

_LONGEST = 60_000  # characters; a longer line is read as far as that
_BLANKS = " \t\r"
_BREAKS = ";|&()"
_TIED = "<<-"
_UNKNOWN = "$"  # stands for what a substitution prints
# The longest first: what is read, and what is written.
_ARROWS = ("<<<", _TIED, "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">")


def tokens(line: str) -> tuple[list[Token], list[str]]:
    """Return the tokens of a line, and the lines that stand in substitutions inside it."""
    reader = _Reader(line[:_LONGEST])
    while reader.at < len(reader.line):
        reader.step()
    reader.end_word()
    return reader.tokens, reader.inner


class _Reader:
    """Where we are in a line, and what was read so far."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0
        self.tokens: list[Token] = []
        self.inner: list[str] = []
        self._word: str | None = None
        self._awaited: list[str] = []  # where the here-documents of this line end
        self._tied = False  # the next word ends a here-document
        self._special: dict[str, Callable[[], None]] = {
            "\\": self._escape,
            "'": self._single,
            '"': self._double,
            "`": self._ticks,
            "\n": self._newline,
        }

    def step(self) -> None:
        """Read one character, and what belongs to it."""
        char = self.line[self.at]
        if char in self._special:
            self._special[char]()
        elif char == "$" and self._next(1) == "(":
            self._substitution(self.at + 1)
        elif char == "#" and self._word is None:
            self.at = self._find("\n", self.at)
        elif char in "<>" or (char == "&" and self._next(1) == ">"):
            self._arrow()
        elif char in _BLANKS or char in _BREAKS:
            self._separate(char)
        else:
            self._add(char)
            self.at += 1

    def end_word(self) -> None:
        """Close the word that was being read, if there is one."""
        if self._word is None:
            return
        if self._tied:
            self._awaited.append(self._word)
        else:
            self.tokens.append((WORD, self._word))
        self._word, self._tied = None, False

    def _next(self, far: int) -> str:
        return self.line[self.at + far : self.at + far + 1]

    def _find(self, text: str, start: int) -> int:
        found = self.line.find(text, start)
        return found if found >= 0 else len(self.line)

    def _add(self, text: str) -> None:
        self._word = (self._word or "") + text

    def _separate(self, char: str) -> None:
        self.end_word()
        if char in _BREAKS:
            self.tokens.append((BREAK, char))
        self.at += 1

    def _escape(self) -> None:
        if self._next(1) != "\n":  # a line that goes on
            self._add(self._next(1))
        self.at += 2

    def _single(self) -> None:
        end = self._find("'", self.at + 1)
        self._add(self.line[self.at + 1 : end])
        self.at = end + 1

    def _double(self) -> None:
        self._add("")
        self.at += 1
        while self.at < len(self.line) and self.line[self.at] != '"':
            char = self.line[self.at]
            if char == "\\" and self._next(1) in '"\\$`\n':
                self._escape()
            elif char == "$" and self._next(1) == "(":
                self._substitution(self.at + 1)
            elif char == "`":
                self._ticks()
            else:
                self._add(char)
                self.at += 1
        self.at += 1

    def _ticks(self) -> None:
        end = self._find("`", self.at + 1)
        self.inner.append(self.line[self.at + 1 : end])
        self._add(_UNKNOWN)
        self.at = end + 1

    def _substitution(self, opening: int) -> None:
        end = _closing(self.line, opening)
        inside = self.line[opening + 1 : end]
        if not inside.startswith("("):  # arithmetic
            self.inner.append(inside)
        self._add(_UNKNOWN)
        self.at = end + 1

    def _arrow(self) -> None:
        if self._word is not None and self._word.isdigit():
            self._word = None  # it says which output, and is no word
        self.end_word()
        arrow = next(each for each in _ARROWS if self.line.startswith(each, self.at))
        self.at += len(arrow)
        if arrow in ("<", ">") and self._next(0) == "(":
            self._substitution(self.at)
        elif arrow in (_TIED, "<<"):
            self._tied = True
        elif arrow == ">&" and self._next(0) in tuple("0123456789-"):
            self.tokens.append((FROM, arrow))  # another output, no file
        else:
            self.tokens.append((INTO if ">" in arrow else FROM, arrow))

    def _newline(self) -> None:
        self.end_word()
        self.at += 1
        for mark in self._awaited:
            self._document(mark)
        self._awaited.clear()
        self.tokens.append((BREAK, "\n"))

    def _document(self, mark: str) -> None:
        begin = self.at
        while self.at < len(self.line):
            start, end = self.at, self._find("\n", self.at)
            self.at = end + 1
            if self.line[start:end].strip() == mark:
                self.tokens.append((HERE, self.line[begin:start]))
                return


def _closing(line: str, opening: int) -> int:
    """Return where the bracket that opens at a place closes; the end if it does not."""
    depth, at = 0, opening
    while at < len(line):
        char = line[at]
        if char == "\\":
            at += 1
        elif char in "'\"":
            end = line.find(char, at + 1)
            at = end if end >= 0 else at
        elif char in "()":
            depth += 1 if char == "(" else -1
            if not depth:
                return at
        at += 1
    return len(line)
