"""Find links to files and pages in a Markdown text, outside code and web addresses."""

from __future__ import annotations

import re

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

# The target may stand in angle brackets and have a title behind it; an escaped bracket begins no link.
_INLINE = re.compile(
    r"(?<!\\)\[[^\]\n]{0,300}\]\(\s*(?:<([^>\n]{1,500})>|([^\s()<>]{1,500}))[^)\n]*\)"
)
# "[[ -f x ]]" is shell
_WIKI = re.compile(r"\[\[([^\s\[\]|#][^\[\]|#\n]{0,99})(?:[|#][^\]\n]{0,200})?\]\]")
_IMPORT = re.compile(
    r"(?:^|(?<=\s))@((?:~/|\.{0,2}/)?[\w.-]+(?:/[\w.-]+)*\.(?:md|markdown|mdc|txt))(?![\w/@])"
)
_CODE = re.compile(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_LINE = re.compile(r":\d+(?:[-:]\d+)?$")
# What a template writes where a name will be, and what no file is called.
_NO_PATH = frozenset('<>{}$*|"…\0')


class MarkdownLink(Value):
    """Link target; ``is_wiki`` for a page name in double brackets."""

    target: str
    is_wiki: bool = False


def find_links(text: str) -> list[MarkdownLink]:
    """Return each distinct link to a file or page in a text."""
    prose = "\n".join(list_prose_lines(text))
    found = [MarkdownLink(target) for target in _list_targets(prose)]
    found += [MarkdownLink(each[1].strip(), is_wiki=True) for each in _WIKI.finditer(prose)]
    return list(dict.fromkeys(found))


def find_imports(text: str) -> list[str]:
    """Return the files imported by an instruction file with ``@path``."""
    prose = "\n".join(list_prose_lines(text))
    return list(dict.fromkeys(each[1] for each in _IMPORT.finditer(prose)))


def list_prose_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with code blocks and inline code blanked."""
    for line, fenced in _mark_fenced(text):
        yield "" if fenced else _CODE.sub("", line)


def has_unclosed_fence(text: str) -> bool:
    """True if a text ends inside a code block."""
    *_, (_, fenced) = (("", False), *_mark_fenced(f"{text}\n\n"))
    return fenced


def _mark_fenced(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line with True if it belongs to a code block, fences included."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        mark = found[1] if found else ""
        yield line, bool(fence or mark)
        if not fence:
            fence = mark
        elif mark.startswith(fence) and not line.strip(f" {mark[0]}"):
            fence = ""


def _list_targets(prose: str) -> Iterator[str]:
    for each in _INLINE.finditer(prose):
        target = (each[1] or each[2]).partition("#")[0].partition("?")[0]
        target = _LINE.sub("", target.replace("%20", " ")).strip()
        if (
            target
            and not _SCHEME.match(target)
            and _NO_PATH.isdisjoint(target)
            and target[:2] != "//"
        ):
            yield target
