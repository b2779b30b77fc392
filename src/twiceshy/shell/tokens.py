"""Tokens of a command line by the quoting rules of a shell, each with its place in the text.

Nothing is expanded: a variable stays as written, and ``$`` stands for the output of a substitution.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Substitution = tuple["tuple[Token, ...]", bool]

WORD, OPERATOR, REDIRECTION, DOCUMENT, COMMENT = "word", "operator", "redirection", "document", "#"

_LONGEST = 60_000  # characters; the rest of a longer text is ignored
_DEEPEST = 8  # substitutions inside each other; Python's stack has an end
_BLANKS = " \t\r"
_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "(", ")")  # the longest first
HERE_SIGNS = ("<<", "<<-")
_ARROWS = ("<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">")
SPECIAL = frozenset(_BLANKS + "\n;|&()<>'\"\\`$")
_SPECIAL_IN_QUOTES = frozenset('"\\`$')
_UNKNOWN = "$"


class Token(Value):
    """A word, operator, redirection sign, here-document or comment, from ``start`` to ``end``.

    A word's text has no quotes; ``quotes`` are their places. ``substitutions`` are the tokens inside
    ``$(…)``, backticks and ``<(…)``, each with True if double quotes surround them.
    """

    kind: str
    text: str
    start: int
    end: int
    quotes: tuple[tuple[int, int], ...] = ()
    substitutions: tuple[Substitution, ...] = ()


def read_tokens(text: str) -> tuple[tuple[Token, ...], bool]:
    """Return the tokens of a command line, and False if a quote or a bracket never closes."""
    scanner = _Scanner(text, 0, min(len(text), _LONGEST), _DEEPEST)
    scanner.scan()
    return tuple(scanner.tokens), scanner.is_complete


class _Scanner:
    """Position in a text, the tokens before it, and the word that is being read."""

    def __init__(self, text: str, at: int, end: int, depth: int) -> None:
        self.at = at
        self.tokens: list[Token] = []
        self.is_complete = True
        self._text, self._end, self._depth = text, end, depth
        self._brackets = 0
        self._pieces: list[str] | None = None
        self._start = self._stop = at
        self._quotes: list[tuple[int, int]] = []
        self._substitutions: list[Substitution] = []
        self._delimiters: list[str] = []  # of here-documents that begin on the next line

    def scan(self, *, inside: bool = False) -> None:
        """Read all tokens; ``inside`` a substitution up to the bracket that closes it."""
        while self.at < self._end and not (inside and self._brackets < 0):
            begin, word = self.at, self._pieces
            self._READERS.get(self._text[begin], _Scanner._plain)(self)
            if self._pieces is None or self._text.startswith("\\\n", begin):
                continue
            self._start = self._start if self._pieces is word else begin
            self._stop = self.at
        self._end_word()
        if inside and self._brackets < 0:
            self.tokens.pop()
        elif inside:
            self.is_complete = False

    def _end_word(self) -> None:
        if self._pieces is None:
            return
        text = "".join(self._pieces)
        last = self.tokens[-1] if self.tokens else None
        if last and last.kind == REDIRECTION and last.text.lstrip("0123456789") in HERE_SIGNS:
            self._delimiters.append(text)
        given = tuple(self._quotes), tuple(self._substitutions)
        self.tokens.append(Token(WORD, text, self._start, self._stop, *given))
        self._pieces, self._quotes, self._substitutions = None, [], []

    def _emit(self, kind: str, start: int, end: int | None = None) -> None:
        text = self._text[start : self.at if end is None else end]
        self.tokens.append(Token(kind, text, start, self.at))

    def _add(self, text: str) -> None:
        if self._pieces is None:
            self._pieces = []
        self._pieces.append(text)

    def _next(self) -> str:
        return self._text[self.at + 1 : min(self.at + 2, self._end)]

    def _find(self, text: str, start: int) -> int:
        found = self._text.find(text, start, self._end)
        return found if found >= 0 else self._end

    def _closing(self, quote: str) -> int:
        """Return the place of the quote that closes the one here."""
        end = self._find(quote, self.at + 1)
        self.is_complete = self.is_complete and end < self._end
        return end

    def _take(self, stops: frozenset[str]) -> None:
        """Add the character here, and those up to the next stop."""
        begin = self.at
        self.at += 1
        while self.at < self._end and self._text[self.at] not in stops:
            self.at += 1
        self._add(self._text[begin : self.at])

    def _plain(self) -> None:
        self._take(SPECIAL)

    def _blank(self) -> None:
        self._end_word()
        self.at += 1

    def _comment(self) -> None:
        if self._pieces is not None:
            self._plain()
            return
        begin, self.at = self.at, self._find("\n", self.at)
        self._emit(COMMENT, begin)

    def _escape(self) -> None:
        if self._next() != "\n":  # else the line goes on
            self._add(self._next())
        self.at = min(self.at + 2, self._end)

    def _single(self) -> None:
        begin, end = self.at, self._closing("'")
        self._add(self._text[begin + 1 : end])
        self.at = min(end + 1, self._end)
        self._quotes.append((begin, self.at))

    def _double(self) -> None:
        begin = self.at
        self._add("")
        self.at += 1
        while self.at < self._end and (char := self._text[self.at]) != '"':
            if char == "\\" and self._next() in (*'"\\$`', "\n"):
                self._escape()
            elif char == "`":
                self._backticks(quoted=True)
            elif char == "$":
                self._dollar(_SPECIAL_IN_QUOTES, quoted=True)
            else:
                self._take(_SPECIAL_IN_QUOTES)
        self.is_complete = self.is_complete and self.at < self._end
        self.at = min(self.at + 1, self._end)
        self._quotes.append((begin, self.at))

    def _backticks(self, *, quoted: bool = False) -> None:
        end = self._closing("`")
        inner = _Scanner(self._text, self.at + 1, end, self._depth - 1)
        if self._depth:
            inner.scan()
        self._add(_UNKNOWN)
        self._substitutions.append((tuple(inner.tokens), quoted))
        self.at = min(end + 1, self._end)

    def _dollar(self, stops: frozenset[str] = SPECIAL, *, quoted: bool = False) -> None:
        if self._next() == "(" and self._depth:
            self.at += 1
            self._substitute(quoted=quoted)
        else:
            self._take(stops)

    def _substitute(self, *, quoted: bool = False) -> None:
        """Read a substitution from its bracket on; arithmetic starts no program."""
        inner = _Scanner(self._text, self.at + 1, self._end, self._depth - 1)
        inner.scan(inside=True)
        self._add(_UNKNOWN)
        if self._next() != "(":
            self._substitutions.append((tuple(inner.tokens), quoted))
        self.at = inner.at
        self.is_complete = self.is_complete and inner.is_complete

    def _ampersand(self) -> None:
        if self._next() == ">":
            self._arrow()
        else:
            self._operator()

    def _operator(self) -> None:
        self._end_word()
        sign = next(each for each in _OPERATORS if self._text.startswith(each, self.at))
        self._brackets += (sign == "(") - (sign == ")")
        self.at += len(sign)
        self._emit(OPERATOR, self.at - len(sign))

    def _arrow(self) -> None:
        begin = self.at
        if self._pieces is not None and self._text[self._start : self.at].isdecimal():
            begin, self._pieces = self._start, None  # the number of a file descriptor is no word
        self._end_word()
        sign = next(each for each in _ARROWS if self._text.startswith(each, self.at))
        self.at += len(sign)
        if sign in ("<", ">") and self._text.startswith("(", self.at) and self._depth:
            self._substitute()
        else:
            self._emit(REDIRECTION, begin)

    def _newline(self) -> None:
        self._end_word()
        self.at += 1
        self._emit(OPERATOR, self.at - 1)
        for delimiter in self._delimiters:
            self._document(delimiter)
        self._delimiters.clear()

    def _document(self, delimiter: str) -> None:
        begin = stop = self.at
        while self.at < self._end:
            stop, end = self.at, self._find("\n", self.at)
            self.at = min(end + 1, self._end)
            if self._text[stop:end].strip() == delimiter:
                break
        else:
            stop = self._end
        self._emit(DOCUMENT, begin, stop)

    _READERS: Mapping[str, Callable[[_Scanner], None]] = {
        **dict.fromkeys(_BLANKS, _blank),
        **dict.fromkeys(";|()", _operator),
        **dict.fromkeys("<>", _arrow),
        **dict(zip("&\n#$\\", (_ampersand, _newline, _comment, _dollar, _escape), strict=True)),
        **dict(zip("'\"`", (_single, _double, _backticks), strict=True)),
    }
