"""What a terminal shows: characters in cells, moved by the few control sequences clients use."""

import re

TOKEN = re.compile(
    r"\x1b\[(?P<numbers>[0-9;]*)(?P<act>[A-HJKfd])"  # moves the cursor or erases
    r"|\x1b\[[0-9;?<>=]*[ -/]*[@-~]"  # colours and modes
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and links
    r"|\x1b(?:[()].|[@-Z\\-_=>78])"
    r"|(?P<text>[^\x00-\x1f\x7f])"
    r"|(?P<step>[\r\n\b])"
)
UP_DOWN_RIGHT_LEFT = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}


class Screen:
    """Rows of cells and a cursor; what scrolls out at the top is gone."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self._cells = [[" "] * columns for _ in range(rows)]
        self._row = self._column = 0
        self._unfinished = ""

    @property
    def text(self) -> str:
        """Return what a person would read now."""
        return "\n".join("".join(row).rstrip() for row in self._cells).strip("\n")

    def feed(self, written: str) -> None:
        """Take what the client wrote; a sequence cut in two waits for its second half."""
        written = self._unfinished + written
        cut = written.rfind("\x1b")
        whole = cut < 0 or len(written) - cut > 40 or TOKEN.match(written, cut) is not None
        self._unfinished = "" if whole else written[cut:]
        for token in TOKEN.finditer(written if whole else written[:cut]):
            if token["text"]:
                self._put(token["text"])
            elif token["step"]:
                self._step(token["step"])
            elif token["act"]:
                given = [int(number or 0) for number in token["numbers"].split(";")]
                self._act(token["act"], given)

    def _put(self, character: str) -> None:
        if self._column == self.columns:
            self._step("\r")
            self._step("\n")
        self._cells[self._row][self._column] = character
        self._column += 1

    def _step(self, control: str) -> None:
        if control == "\r":
            self._column = 0
        elif control == "\b":
            self._column = max(0, self._column - 1)
        elif self._row + 1 < self.rows:
            self._row += 1
        else:
            self._cells = [*self._cells[1:], [" "] * self.columns]

    def _act(self, act: str, given: list[int]) -> None:
        first = given[0]
        if act in UP_DOWN_RIGHT_LEFT:
            down, right = UP_DOWN_RIGHT_LEFT[act]
            self._move(self._row + down * max(1, first), self._column + right * max(1, first))
        elif act in "Hf":
            self._move(first - 1, (given[1] if len(given) > 1 else 1) - 1)
        elif act == "G":
            self._move(self._row, first - 1)
        elif act == "d":
            self._move(first - 1, self._column)
        elif act == "K":
            self._erase_line(first)
        elif act == "J":
            self._erase_screen(first)

    def _move(self, row: int, column: int) -> None:
        self._row = min(max(0, row), self.rows - 1)
        self._column = min(max(0, column), self.columns - 1)

    def _erase_line(self, which: int) -> None:
        begin, end = (self._column, self.columns) if which == 0 else (0, self.columns)
        end = self._column + 1 if which == 1 else end
        self._cells[self._row][begin:end] = [" "] * (end - begin)

    def _erase_screen(self, which: int) -> None:
        first, last = {0: (self._row + 1, self.rows), 1: (0, self._row)}.get(which, (0, self.rows))
        for row in range(first, last):
            self._cells[row] = [" "] * self.columns
        if which < 2:
            self._erase_line(which)
