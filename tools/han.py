"""Write the pairs of ``language/han.py`` from OpenCC's dictionaries, or check that they are current.

    python tools/han.py FOLDER [--check]

FOLDER is ``opencc/dictionary`` as unpacked from ``opencc-python-reimplemented`` 0.1.7 (Apache-2.0).
A traditional character becomes the first other one that is given for it, whatever that one becomes
in turn; what only Taiwan, Hong Kong or Japan writes becomes what the character it stands for becomes.
Japanese ones that Chinese writes too, in their own right, stay what they are, such as 芸 beside 藝,
and so does everything that the index does not take in pairs.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

MODULE = Path(__file__).resolve().parents[1] / "src" / "twiceshy" / "core" / "han.py"
LITERAL = re.compile(r"(?<=^_PAIRS = \(\n)(?:    \".*\"\n)*(?=^\)$)", re.MULTILINE)
JAPANESE = "JPVariants.txt"
REGIONAL = ("TWVariants.txt", "HKVariants.txt", JAPANESE)
PAIRS_A_LINE = 22


def main() -> int:
    """Write the module anew; with --check, only tell whether that would change it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path, help="OpenCC's dictionaries")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if it is stale")
    given = parser.parse_args()
    before = MODULE.read_text(encoding="utf-8")
    after = LITERAL.sub(literal(pairs(given.folder)), before)
    if given.check:
        return int(before != after)
    MODULE.write_text(after, encoding="utf-8")
    return 0


def pairs(folder: Path) -> dict[str, str]:
    """Return each character that is folded and what it becomes, in the order of Unicode."""
    steps = {old: new for old, new, *_ in given_for(folder / "TSCharacters.txt")}
    known = steps.keys() | set(steps.values())
    for regional in REGIONAL:
        for standard, *variants in given_for(folder / regional):
            own = known.union(filter(chinese, variants)) if regional == JAPANESE else known
            steps |= {char: standard for char in variants if char not in own}
    ends = {char: end_of(char, steps) for char in sorted(steps)}
    return {char: end for char, end in ends.items() if char != end and paired(char + end)}


def given_for(path: Path) -> list[list[str]]:
    """Read each character with the other ones that are given for it, best first."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    several = [[char, *(other for other in given if other != char)] for char, *given in lines]
    return [line for line in several if len(line) > 1]


def end_of(char: str, steps: dict[str, str]) -> str:
    """Follow the steps to their end; where they run in a circle, its smallest character is the end."""
    seen = [char]
    while (following := steps.get(seen[-1], seen[-1])) not in seen:
        seen.append(following)
    return min(seen[seen.index(following) :])


def chinese(char: str) -> bool:
    """Tell whether the everyday character sets of China or Taiwan have a character."""
    for charset in ("gb2312", "big5"):
        try:
            char.encode(charset)
        except UnicodeEncodeError:
            continue
        return True
    return False


def paired(text: str) -> bool:
    """Tell whether the index takes all these characters in pairs."""
    return all("\u3400" <= char <= "\u9fff" for char in text)


def literal(folded: dict[str, str]) -> str:
    """Write the pairs one after the other, in lines of equal length."""
    flat = "".join(char + end for char, end in folded.items())
    width = 2 * PAIRS_A_LINE
    lines = (flat[at : at + width] for at in range(0, len(flat), width))
    return "".join(f'    "{line}"\n' for line in lines)


if __name__ == "__main__":
    sys.exit(main())
