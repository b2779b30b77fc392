"""Tokens of a command line by shell quoting rules, with positions.

Nothing is expanded: a variable stays as written, and ``$`` stands for the output of a
substitution.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Substitution = tuple["tuple[Token, ...]", bool]

WORD, OPERATOR, REDIRECTION, DOCUMENT, COMMENT = "word", "operator", "redirection", "document", "#"

_LONGEST = 60_000  # characters; the rest of a longer text is ignored
_DEEPEST = 8  # substitutions inside each other; Python's stack has an end
_BLANKS = " \t\r"
# The longest signs first.
_OPERATORS = ("&&", "||", ";;", "|&", *";|&()\n")
_ARROWS = ("<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">")
_SPECIAL = frozenset(_BLANKS + "\n;|&()<>'\"\\`$")
_SPECIAL_IN_QUOTES = frozenset('"\\`$')
_UNKNOWN = "$"


class Token(Value):
    """A word, operator, redirection sign, here-document or comment, with its span.

    A word's text has no quotes; ``quotes`` are their positions. ``substitutions`` are the tokens
    inside ``$(…)``, backticks and ``<(…)``, each with True inside double quotes. The text of a
    here-document's delimiter is the document.
    """

    kind: str
    text: str
    start: int
    end: int
    quotes: tuple[tuple[int, int], ...] = ()
    substitutions: tuple[Substitution, ...] = ()


def read_tokens(text: str) -> tuple[tuple[Token, ...], bool]:
    """Return the tokens of a command line, and False for an unclosed quote or bracket."""
    scanner = _Scanner(text, 0, min(len(text), _LONGEST), _DEEPEST)
    scanner.scan_tokens()
    return tuple(scanner.tokens), scanner.is_complete


def is_here_sign(token: Token) -> bool:
    """True if a token begins a here-document."""
    return token.kind == REDIRECTION and token.text.lstrip("0123456789") in ("<<", "<<-")


def replace_spans(text: str, edits: Iterable[tuple[int, int, str]], at: int = 0) -> str:
    """Return a text from a position with spans replaced; of overlapping spans, the first."""
    kept = ""
    for start, end, instead in sorted(edits):
        if start >= at:
            kept, at = kept + text[at:start] + instead, end
    return kept + text[at:]


def join_words(words: Iterable[str]) -> str:
    """Join words to a command line, quoted where needed."""
    return " ".join(
        word
        if word[:1] not in ("", "#") and _SPECIAL.isdisjoint(word)
        else "'" + word.replace("'", "'\\''") + "'"
        for word in words
    )


class _Scanner:
    """Position in a text, finished tokens, and the current word."""

    def __init__(self, text: str, at: int, end: int, depth: int) -> None:
        self.at = at
        self.tokens: list[Token] = []
        self.is_complete = True
        self._text, self._end, self._depth, self._brackets = text, end, depth, 0
        self._pieces: list[str] | None = None
        self._start = self._stop = at
        self._quotes: list[tuple[int, int]] = []
        self._substitutions: list[Substitution] = []
        self._delimiters: list[int] = []  # tokens, of here-documents that begin on the next line

    def scan_tokens(self, *, inside: bool = False) -> None:
        """Read every token; ``inside`` a substitution up to its closing bracket."""
        while self.at < self._end and not (inside and self._brackets < 0):
            begin, word = self.at, self._pieces
            self._READERS.get(self._text[begin], _Scanner._take_characters)(self)
            if self._pieces is not None and not self._text.startswith("\\\n", begin):
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
        if self.tokens and is_here_sign(self.tokens[-1]):
            self._delimiters.append(len(self.tokens))
        given = tuple(self._quotes), tuple(self._substitutions)
        self.tokens.append(Token(WORD, text, self._start, self._stop, *given))
        self._pieces, self._quotes, self._substitutions = None, [], []

    def _emit_token(self, kind: str, start: int) -> None:
        self.tokens.append(Token(kind, self._text[start : self.at], start, self.at))

    def _add_text(self, text: str) -> None:
        self._pieces = self._pieces if self._pieces is not None else []
        self._pieces.append(text)

    def _find_closing(self, text: str, start: int) -> int:
        found = self._text.find(text, start, self._end)
        return found if found >= 0 else self._end

    def _close_quote(self, begin: int, end: int) -> None:
        """Move past a quote ending at a position, or unclosed."""
        self.is_complete = self.is_complete and end < self._end
        self.at = min(end + 1, self._end)
        self._quotes.append((begin, self.at))

    def _take_characters(self, stops: frozenset[str] = _SPECIAL) -> None:
        """Add characters up to the next special character."""
        begin = self.at
        self.at += 1
        while self.at < self._end and self._text[self.at] not in stops:
            self.at += 1
        self._add_text(self._text[begin : self.at])

    def _read_blank(self) -> None:
        self._end_word()
        self.at += 1

    def _read_comment(self) -> None:
        if self._pieces is not None:
            self._take_characters()
            return
        begin, self.at = self.at, self._find_closing("\n", self.at)
        self._emit_token(COMMENT, begin)

    def _read_escape(self) -> None:
        char = self._text[self.at + 1 : self.at + 2]
        if char != "\n":  # else the line goes on
            self._add_text(char)
        self.at = min(self.at + 2, self._end)

    def _read_single_quotes(self) -> None:
        begin, end = self.at, self._find_closing("'", self.at + 1)
        self._add_text(self._text[begin + 1 : end])
        self._close_quote(begin, end)

    def _read_double_quotes(self) -> None:
        begin = self.at
        self._add_text("")
        self.at += 1
        while self.at < self._end and (char := self._text[self.at]) != '"':
            if char == "\\" and self._text[self.at + 1 : self.at + 2] in (*'"\\$`', "\n"):
                self._read_escape()
            elif char == "`":
                self._read_backticks(quoted=True)
            elif char == "$":
                self._read_dollar(_SPECIAL_IN_QUOTES, quoted=True)
            else:
                self._take_characters(_SPECIAL_IN_QUOTES)
        self._close_quote(begin, self.at)

    def _read_backticks(self, *, quoted: bool = False) -> None:
        end = self._find_closing("`", self.at + 1)
        inner = _Scanner(self._text, self.at + 1, end, self._depth - 1)
        if self._depth:
            inner.scan_tokens()
        inner.is_complete = inner.is_complete and end < self._end
        inner.at = min(end + 1, self._end)
        self._read_substitution(inner, quoted=quoted)

    def _read_dollar(self, stops: frozenset[str] = _SPECIAL, *, quoted: bool = False) -> None:
        if self._depth and self._text.startswith("$(", self.at):
            self._read_bracket(self.at + 2, quoted=quoted)
        else:
            self._take_characters(stops)

    def _read_bracket(self, begin: int, *, quoted: bool = False) -> None:
        inner = _Scanner(self._text, begin, self._end, self._depth - 1)
        inner.scan_tokens(inside=True)
        if self._text.startswith("(", begin):
            inner.tokens = []  # arithmetic starts no program
        self._read_substitution(inner, quoted=quoted)

    def _read_substitution(self, inner: _Scanner, *, quoted: bool) -> None:
        self._add_text(_UNKNOWN)
        self._substitutions.append((tuple(inner.tokens), quoted))
        self.at, self.is_complete = inner.at, self.is_complete and inner.is_complete

    def _read_operator(self) -> None:
        if self._text.startswith("&>", self.at):
            self._read_redirection()
            return
        self._end_word()
        sign = next(each for each in _OPERATORS if self._text.startswith(each, self.at))
        self._brackets += (sign == "(") - (sign == ")")
        self.at += len(sign)
        self._emit_token(OPERATOR, self.at - len(sign))
        if sign == "\n":
            while self._delimiters:
                self._read_document(self._delimiters.pop(0))

    def _read_redirection(self) -> None:
        begin = self.at
        if self._pieces is not None and self._text[self._start : self.at].isdecimal():
            begin, self._pieces = self._start, None  # the number of a file descriptor is no word
        self._end_word()
        sign = next(each for each in _ARROWS if self._text.startswith(each, self.at))
        self.at += len(sign)
        if sign in ("<", ">") and self._text.startswith("(", self.at) and self._depth:
            self._read_bracket(self.at + 1)
        else:
            self._emit_token(REDIRECTION, begin)

    def _read_document(self, place: int) -> None:
        """Read a here-document, whose text replaces its delimiter."""
        begin, stop, line, delimiter = self.at, self.at, None, self.tokens[place].text
        while self.at < self._end and line != delimiter:
            stop, end = self.at, self._find_closing("\n", self.at)
            line, self.at = self._text[stop:end].strip(), min(end + 1, self._end)
        text = self._text[begin : stop if line == delimiter else self._end]
        self.tokens[place] = self.tokens[place].but(text=text)
        self._emit_token(DOCUMENT, begin)

    _READERS: Mapping[str, Callable[[_Scanner], None]] = {
        **dict.fromkeys(_BLANKS, _read_blank),
        **dict.fromkeys("\n;|&()", _read_operator),
        **dict.fromkeys("<>", _read_redirection),
        "#": _read_comment,
        "$": _read_dollar,
        "\\": _read_escape,
        "'": _read_single_quotes,
        '"': _read_double_quotes,
        "`": _read_backticks,
    }
