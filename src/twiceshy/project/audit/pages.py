"""Check pages, hubs and their links: empty, too large, stale, orphaned, or broken."""

import re
from collections.abc import Iterator

from twiceshy.core.moment import DAY
from twiceshy.core.value import Value
from twiceshy.notes.pages import LARGEST, STALE, STALE_DAYS, TOO_LARGE, WARN, count_lines
from twiceshy.project.audit.facts import (
    AuditFacts,
    AuditFinding,
    PageCollection,
    PageFacts,
    build_finding,
)

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
# Claude Code's own folder: memory-engine's hooks read these by name, whatever the hub says.
_READ_BY_NAME = ("todo-status", "handoff-")
_SUFFIX = ".md"


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
        foreign = _SCHEME.match(target) or target.startswith("//")
        if target and not foreign and _NO_PATH.isdisjoint(target):
            yield target


def count_days_unchanged(page: PageFacts, now: int) -> int:
    """Return the number of whole days since a page changed."""
    return max(0, now - page.changed_at) // DAY


class PageCondition(Value):
    """Size and age of a page, and its problems."""

    name: str
    lines: int
    days: int
    status: tuple[str, ...]


def page_conditions(facts: AuditFacts) -> list[PageCondition]:
    """Return the condition of every page."""
    found = []
    for page in facts.pages:
        lines, days = count_lines(page.text), count_days_unchanged(page, facts.now)
        wrong = {STALE: days >= STALE_DAYS, TOO_LARGE: lines > LARGEST}
        status = tuple(word for word in wrong if wrong[word])
        found.append(PageCondition(page.where, lines, days, status))
    return found


def _build_page_finding(about: str, page: PageFacts, **values: object) -> AuditFinding:
    named = {"name": page.name, "file": bool(page.place)}
    found = build_finding(about, "memory", page.where, **values, **named)
    return found.but(notes=(page.note,)) if page.note else found


def check_structure(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find empty pages, and pages with an unclosed code block."""
    for page in facts.pages:
        if not page.text.strip():
            yield _build_page_finding("page-empty", page)
        elif has_unclosed_fence(page.text):
            yield _build_page_finding("page-fence", page)


def check_sizes(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find hubs near or over the limit, and pages too long to read."""
    for collection in facts.page_collections:
        yield from _check_hub_size(collection)
        for page in collection.pages:
            if (lines := count_lines(page.text)) > LARGEST:
                yield _build_page_finding("page-large", page, lines=lines, most=LARGEST)


def _check_hub_size(collection: PageCollection) -> Iterator[AuditFinding]:
    lines = count_lines(collection.hub.text) if collection.hub else 0
    if not collection.hub or lines < WARN:
        return
    # a generated hub never exceeds the most: what did not fit was folded
    about = "hub-full" if lines > LARGEST or collection.hub.folded else "hub-filling"
    said = {"lines": lines, "most": LARGEST, "file": not collection.generated}
    yield build_finding(about, "memory", collection.hub.where, **said)


def find_stale_pages(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find pages unchanged for 30 days."""
    for page in facts.pages:
        if (days := count_days_unchanged(page, facts.now)) >= STALE_DAYS:
            yield _build_page_finding("page-stale", page, days=days)


def find_broken_links(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find broken links of pages and hubs."""
    for collection in facts.page_collections:
        for each in collection.documents:
            for target in each.dead:
                yield build_finding("link-broken", "memory", each.where, target=target)


def find_orphans(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find orphaned pages.

    The hub of the store names every page, so a stored page counts as an orphan only if no other page
    links to the topic, no note names it, nobody changed it in 30 days, and no session was shown it. A
    file of Claude Code's folder is an orphan if neither the hub nor another file names it.
    """
    said = "\n".join(
        " ".join((note.text, note.tag, *note.concepts))
        for note in facts.notes
        if note.kind != "page"
    ).casefold()
    for collection in facts.page_collections:
        found_here = (
            _list_forgotten(collection, said, facts.now)
            if collection.generated
            else _list_unlisted(collection)
        )
        for page in found_here:
            yield _build_page_finding("page-orphan", page)


def _list_forgotten(collection: PageCollection, note_text: str, now: int) -> Iterator[PageFacts]:
    """Yield the topic pages not linked, named, changed or shown."""
    linked = {
        _link_name(link.target)
        for page in collection.pages
        for link in find_links(page.text)
        if _link_name(link.target) != _link_name(page.name)
    }
    for page in collection.pages:
        used = page.times_shown or count_days_unchanged(page, now) < STALE_DAYS
        named = _link_name(page.name) in linked or page.name.casefold() in note_text
        if page.is_topic and not used and not named:
            yield page


def _list_unlisted(collection: PageCollection) -> Iterator[PageFacts]:
    """Yield the files not named by the hub or by a different file."""
    hub = collection.hub.text if collection.hub else ""
    for page in collection.pages:
        others = (other.text for other in collection.pages if other.name != page.name)
        named = any(page.name in text for text in (hub, *others))
        if not named and not page.name.startswith(_READ_BY_NAME):
            yield page


def is_link_to(target: str, name: str) -> bool:
    """True if a link means a page, whatever its folder and ending."""
    return _link_name(target) == _link_name(name)


def _link_name(target: str) -> str:
    return target.rstrip("/").rpartition("/")[2].casefold().removesuffix(_SUFFIX)
