"""Harvest what a text is called and what it says: headings, docstrings, manual pages.

    python -m tools.lexicon.harvest SOURCE... --out pairs.jsonl.gz

A SOURCE is a folder, or a source archive (.tar.gz, .tgz). Each line of the result has a ``short``
text, the ``long`` one it names, and where they are from. The same sources give the same lines.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import os
import re
import tarfile
import warnings
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Pair = tuple[str, str]

# One package must not drown the others, nor one file its package.
MOST_PER_SOURCE, MOST_PER_FILE = 6_000, 60
# of a folder's files that begin with the same word; one vendor brings 16,000 manual pages
MOST_ALIKE = 200
LONGEST = 1_500
PROSE = (".md", ".rst", ".txt", ".markdown", ".mdx")
MANUAL = re.compile(r"\.[1-8][a-z]*(\.gz)?$")
LEFT_OUT = re.compile(
    r"(^|/)(tests?|testing|locales?|node_modules|vendor|_vendor|licenses?)/", re.I
)
# what a heading looks like in Markdown, and what underlines one in reStructuredText
HEADING = re.compile(r"^#{1,5}\s+(.+?)\s*#*$")
UNDERLINE = re.compile(r"^([=\-~^\"'`*+#.:])\1{2,}\s*$")
ROFF_TAG = re.compile(r"\\f[A-Z0-9]|\\f\(..|\\[&,/]|\\s[-+]?\d")


def main() -> None:
    """Write the pairs of all sources into one file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # old code has escapes that Python frowns upon
    seen: set[str] = set()
    with gzip.open(given.out, "wt", encoding="utf-8") as out:
        for source in given.sources:
            new = (pair for pair in pairs_of(source) if _telling(*pair) and _first(pair[0], seen))
            found = list(islice(new, MOST_PER_SOURCE))
            for short, long in found:
                line = {"short": short, "long": long, "from": os.path.basename(source)}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
            print(f"{len(found):6} {source}", flush=True)


def pairs_of(source: str) -> Iterator[Pair]:
    """Return the pairs of every file that holds prose, Python or a manual page."""
    for path, content in _files(source):
        reader = _reader(path)
        if reader is None or LEFT_OUT.search(path):
            continue
        text = gzip.decompress(content) if path.endswith(".gz") else content
        yield from list(reader(text.decode("utf-8", "replace")))[:MOST_PER_FILE]


def _files(source: str) -> Iterator[tuple[str, bytes]]:
    if os.path.isdir(source):
        for folder, inside, names in os.walk(source):
            inside.sort()
            alike = Counter[str]()
            for name in sorted(names):
                path = os.path.join(folder, name)
                alike[word := re.split(r"[-_.]", name)[0]] += 1
                if _reader(path) and os.path.isfile(path) and alike[word] <= MOST_ALIKE:
                    with open(path, "rb") as file:
                        yield path, file.read()
        return
    with tarfile.open(source) as archive:
        for member in archive:
            if member.isfile() and _reader(member.name) and member.size < 2_000_000:
                content = archive.extractfile(member)
                if content is not None:
                    yield member.name, content.read()


def _reader(path: str) -> Callable[[str], Iterator[Pair]] | None:
    if path.endswith(".py"):
        return functions
    if path.endswith(PROSE):
        return sections
    return manual if MANUAL.search(path) else None


def functions(text: str) -> Iterator[Pair]:
    """Yield the first sentence of each docstring, and the code without it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = text.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        said = ast.get_docstring(node) or ""
        if said and len(node.body) > 1:
            first, rest = node.body[0], node.body[1]
            code = (
                lines[node.lineno - 1 : first.lineno - 1]
                + lines[rest.lineno - 1 : node.end_lineno]
            )
            yield _sentence(said), "\n".join(code)[:LONGEST]


def sections(text: str) -> Iterator[Pair]:
    """Yield each heading with what stands below it."""
    heading, fenced = "", False
    body: list[str] = []
    lines = text.splitlines()
    for at, line in enumerate(lines):
        fenced ^= line.lstrip().startswith("```")
        title = (
            ""
            if fenced
            else _title(line, before=lines[max(0, at - 2) : at], after=lines[at + 1 : at + 2])
        )
        if title:
            yield _bare(heading), "\n".join(body).strip()[:LONGEST]
            heading, body = title, []
        elif not UNDERLINE.match(line):
            body.append(line)
    yield _bare(heading), "\n".join(body).strip()[:LONGEST]


def manual(text: str) -> Iterator[Pair]:
    """Yield what a page says it is for, and what each of its options does."""
    lines = [_unroff(line) for line in text.splitlines() if not line.startswith(('.\\"', "'\\\""))]
    plain = "\n".join(line for line in lines if line)
    named = re.search(r"\bNAME\n(.+?) [\\-]+ (.+)", plain)
    if named:
        after = plain[named.end() :]
        yield named[2].strip(), f"{named[1]}\n{after}"[:LONGEST]
    for option, said in re.findall(
        r"\n((?:-{1,2}[\w-]+[^\n]{0,40}))\n([A-Z][^\n]{15,200})", plain
    ):
        yield _sentence(said), f"{named[1] if named else ''} {option}".strip()


def _unroff(line: str) -> str:
    line = ROFF_TAG.sub("", re.sub(r"^\.[A-Za-z]{1,2}\s*", "", line))
    return line.replace("\\-", "-").replace("\\", "").replace('"', "").strip()


def _title(line: str, *, before: list[str], after: list[str]) -> str:
    """Return the heading that the line is: marked, underlined, or below a rule that ends a section."""
    if found := HEADING.match(line):
        return found[1]
    if not line.strip() or line.startswith((" ", "\t")) or UNDERLINE.match(line):
        return ""
    below_rule = len(before) == 2 and not before[0].strip() and bool(UNDERLINE.match(before[1]))
    underlined = bool(after) and bool(UNDERLINE.match(after[0]))
    return line.partition("\t")[0] if below_rule or underlined else ""


def _bare(heading: str) -> str:
    """Drop links, roles and numbers from a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)|:\w+:`([^`<]*)[^`]*`", r"\1\2", heading)
    return re.sub(r"^[\d.\s]+|[*`]|<[^>]*>", "", heading).strip()


def _sentence(text: str) -> str:
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s", paragraph, maxsplit=1)[0].strip()


def _first(short: str, seen: set[str]) -> bool:
    if short.lower() in seen:
        return False
    seen.add(short.lower())
    return True


def _telling(short: str, long: str) -> bool:
    words = short.split()
    return 2 <= len(words) <= 25 and len(short) <= 200 and len(long) >= 15 and short.isascii()


if __name__ == "__main__":
    main()
