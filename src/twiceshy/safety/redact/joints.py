"""Read a text cut into lines by a terminal, a shell or a JSON writer.

Blanked: escape sequences become spaces and escaped line breaks become line breaks. Closed:
every joint between lines is removed, so that a cut token is whole again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from twiceshy.core.patterns import compile_pattern
from twiceshy.core.value import Value
from twiceshy.safety.redact.values import is_plain_word, is_random_looking

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

# How sure it is that a token goes on behind a joint: there was nothing to see, or the line was
# full, or a writer escaped a line break, or a short line just ended.
UNSEEN, FULL, ESCAPED, ENDED = "unseen", "full", "escaped", "ended"
_LETTER = "letter"  # no joint at all: one character, written with several

_FULL_LINE = 72  # columns; terminals wrap at 80 and more, and panels take a few for their frame

# Quantifiers are bounded or possessive: text from outside must not make this slow.
_JOINT = (
    r"(?=[\x00\n\r\\\x1b\[])(?:"  # looking at one character first makes it four times as fast
    r"(?P<nul>\x00++)"  # every second byte of UTF-16
    r"|(?P<unseen>\x1b\[[0-?]{0,32}[ -/]{0,4}[@-~]"  # colours and cursor moves
    r"|\x1b\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)"  # titles and links
    r"|\\{1,4}(?:x1[bB]|u001[bB]|033|e)\[[0-9;]{0,16}[A-Za-z]"  # the same, printed by a writer
    r"|\[\d{1,3}(?:;\d{1,3}){0,4}m(?:\[K)?|\[m\[K"  # the same, after control characters were lost
    r"|\\\r?\n[ \t]*+)"  # a shell goes on in the next line
    r"|(?P<letter>\\{1,4}(?:/|u(?!00[01]|[dD][89a-fA-F])[0-9a-fA-F]{4}))"  # as JSON may write it
    r"|(?P<escaped>(?:\\{1,4}[nrt])++[ \t]*+)"
    r"|(?P<blank>\r?\n(?:[ \t]*+\r?\n)++)"
    r"|\r?\n[ \t]*+)"
)
_ZERO_WIDTH = r"|(?P<nothing>[\u00ad\u200b-\u200d\u2060\ufeff])"
_PIECE = r"[^\s\"'`<>,;&\\]*"
_NAMED = r"[A-Za-z_][\w.-]{0,64}(?:=[^=]|:)"


class JoinedText(Value):
    """A joined text, with the original position of each character."""

    text: str
    cuts: list[int]  # where a joint was taken out; the first piece begins at 0
    origins: list[int]  # where in the original the piece behind each cut begins
    kinds: list[str]  # what kind of joint it was
    size: int  # of the original

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of the characters from start to end."""
        first, last = bisect_right(self.cuts, start) - 1, bisect_right(self.cuts, end - 1) - 1
        if self.kinds[last] == _LETTER:
            behind = self.origins[last + 1]
        else:
            behind = self.origins[last] + end - self.cuts[last]
        return self.origins[first] + start - self.cuts[first], behind

    def is_piece_start(self, at: int) -> bool:
        """True if a piece of the text begins here."""
        piece = bisect_left(self.cuts, at)
        return piece < len(self.cuts) and self.cuts[piece] == at

    def list_joints(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield position and kind of each joint from start to end."""
        for piece in range(bisect_right(self.cuts, start), bisect_left(self.cuts, end)):
            yield self.cuts[piece], self.kinds[piece]

    def continues_token(self, cut: int, kind: str) -> bool:
        """True if the text after a joint continues the token before."""
        if kind in (UNSEEN, _LETTER):
            return True
        following = bisect_right(self.cuts, cut)
        until = self.cuts[following] if following < len(self.cuts) else len(self.text)
        found = compile_pattern(_PIECE).match(self.text, cut, until)
        piece = found[0] if found else ""
        if compile_pattern(_NAMED).match(piece):
            return False  # the next setting
        if kind == ENDED:
            return len(piece) >= 16 and is_random_looking(piece)
        # a word is the next sentence, and a number after a line break the next line
        return not is_plain_word(piece) or (kind == FULL and piece.isdigit())

    def value_end(self, start: int, end: int, *, words: bool = False) -> int:
        """Return the end of a value or of a row of words: at a joint without continuation."""
        for cut, kind in self.list_joints(start, end):
            if not self.continues_token(cut, kind) and not (words and kind == FULL):
                return cut
        return end

    def is_one_line(self, start: int, end: int) -> bool:
        """True if the characters form a line, perhaps wrapped by a terminal."""
        return all(kind in (UNSEEN, _LETTER, FULL) for _, kind in self.list_joints(start, end))

    def is_one_token(self, start: int, end: int) -> bool:
        """True if the characters form a token, perhaps wrapped by a terminal."""
        for cut, kind in self.list_joints(start, end):
            torn = (
                kind == FULL
                and self.continues_token(cut, kind)
                and not is_plain_word(self.text[start:cut])
            )
            if kind not in (UNSEEN, _LETTER) and not torn:
                return False
            start = cut
        return True


def build_readings(text: str) -> tuple[JoinedText, JoinedText]:
    """Return the text with joints blanked, and with joints closed."""
    blanked, closed = _JoinReader(text), _JoinReader(text)
    if text.isascii() and not any(hint in text for hint in "\0\n\\\x1b["):
        return blanked.build_joined_text(), closed.build_joined_text()
    line = 0
    for joint in compile_pattern(_JOINT if text.isascii() else _JOINT + _ZERO_WIDTH).finditer(
        text
    ):
        start, end = joint.span()
        kind = joint.lastgroup
        if kind is None:
            closed.put_text(start, end, "", FULL if start - line >= _FULL_LINE else ENDED)
        if kind is None or kind == "blank":  # an empty line ends every token
            line = end
            continue
        instead, certainty = _classify_joint(kind, joint[0])
        blanked.put_text(start, end, instead, certainty)
        closed.put_text(start, end, instead if kind == "letter" else "", certainty)
    return blanked.build_joined_text(), closed.build_joined_text()


def _classify_joint(kind: str, joint: str) -> tuple[str, str]:
    """Return the reading of a joint other than a line break, and its kind when closed."""
    if kind == "letter":
        return ("/" if joint[-1] == "/" else chr(int(joint[-4:], 16))), _LETTER
    if kind == "escaped":
        breaks = joint.count("n")
        return ("\n" if breaks else " "), (ENDED if breaks > 1 else ESCAPED)
    return ("" if kind in ("nothing", "nul") else " "), UNSEEN


class _JoinReader:
    """Builder of a joined text."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.pieces: list[str] = []
        self.at = self.size = 0
        self.cuts, self.origins, self.kinds = [0], [0], [UNSEEN]

    def put_text(self, start: int, end: int, instead: str, kind: str) -> None:
        """Replace a span of the text in the reading."""
        self.pieces.append(self.source[self.at : start])
        self.size += start - self.at
        self.at = end
        if instead:
            self._mark_cut(start, _LETTER)
            self.pieces.append(instead)
            self.size += 1
            kind = UNSEEN
        self._mark_cut(end, kind)

    def _mark_cut(self, origin: int, kind: str) -> None:
        if self.cuts[-1] == self.size:  # two joints in a row are one; the doubtful one decides
            self.origins[-1] = origin
            self.kinds[-1] = self.kinds[-1] if kind == UNSEEN else kind
        else:
            self.cuts.append(self.size)
            self.origins.append(origin)
            self.kinds.append(kind)

    def build_joined_text(self) -> JoinedText:
        """Return the joined text."""
        text = "".join([*self.pieces, self.source[self.at :]])
        return JoinedText(text, self.cuts, self.origins, self.kinds, len(self.source))
