"""What the audit says of pages and their hub."""

from typing import Any

import pytest
from tests.core.builders import NOW, a_note

from twiceshy.core.moment import DAY
from twiceshy.project.audit import pages
from twiceshy.project.audit.facts import AuditFacts, HubFacts, PageCollection, PageFacts


def a_page(name: str = "billing", text: str = "# Billing", **fields: Any) -> PageFacts:
    return PageFacts.of({"name": name, "text": text, "changed_at": NOW} | fields)


def facts(
    *shelved: PageFacts, hub: HubFacts | None = None, generated: bool = True, **more: Any
) -> AuditFacts:
    return AuditFacts.of(
        {"now": NOW, "page_collections": (PageCollection(hub, shelved, generated),)} | more
    )


def abouts(findings: Any) -> list[tuple[str, str]]:
    return [(finding.about, finding.where) for finding in findings]


def lines(count: int) -> str:
    return "\n".join(f"- line {number}" for number in range(count)) + "\n"


@pytest.mark.parametrize(("count", "expected"), [(200, []), (201, [("page-large", "billing")])])
def test_a_page_is_too_large_beyond_200_lines(count: int, expected: list[Any]) -> None:
    assert abouts(pages.check_sizes(facts(a_page(text=lines(count))))) == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [(169, []), (170, ["hub-filling"]), (200, ["hub-filling"]), (201, ["hub-full"])],
)
def test_the_hub_warns_from_170_lines_and_is_full_above_200(
    count: int, expected: list[str]
) -> None:
    found = pages.check_sizes(facts(hub=HubFacts("MEMORY.md", lines(count)), generated=False))

    assert [finding.about for finding in found] == expected


def test_a_generated_hub_is_full_when_pages_have_no_line_left() -> None:
    found = pages.check_sizes(facts(hub=HubFacts("MEMORY.md", lines(200), folded=3)))

    assert abouts(found) == [("hub-full", "MEMORY.md")]


@pytest.mark.parametrize(("days", "expected"), [(29, []), (30, [30])])
def test_a_page_is_stale_after_30_days(days: int, expected: list[int]) -> None:
    found = pages.find_stale_pages(facts(a_page(changed_at=NOW - days * DAY)))

    assert [finding.values["days"] for finding in found] == expected


def test_an_empty_page_and_code_without_end_are_no_structure() -> None:
    found = pages.check_structure(facts(a_page("a", " \n"), a_page("b", "```\nx"), a_page("c")))

    assert abouts(found) == [("page-empty", "a"), ("page-fence", "b")]


def test_every_link_that_leads_nowhere_is_told() -> None:
    hub = HubFacts("MEMORY.md", "", dead=("x.md",))

    found = list(pages.find_broken_links(facts(a_page(dead=("y.md", "z")), hub=hub)))

    assert [(one.where, one.values["target"]) for one in found] == [
        ("MEMORY.md", "x.md"),
        ("billing", "y.md"),
        ("billing", "z"),
    ]


OLD = NOW - 30 * DAY


@pytest.mark.parametrize(
    "page",
    [
        a_page(changed_at=OLD + DAY),
        a_page("conventions", changed_at=OLD, is_topic=False),
        a_page(changed_at=OLD, times_shown=1),
    ],
)
def test_a_page_that_is_used_is_no_orphan(page: PageFacts) -> None:
    assert abouts(pages.find_orphans(facts(page))) == []


@pytest.mark.parametrize("text", ["see [[Billing]]", "see [it](pages/billing.md)"])
def test_a_page_that_another_links_to_is_no_orphan(text: str) -> None:
    found = pages.find_orphans(facts(a_page(changed_at=OLD), a_page("shop", text)))

    assert abouts(found) == []


@pytest.mark.parametrize(
    "note",
    [a_note("All of it is in Billing."), a_note(tag="billing"), a_note(concepts=("Billing",))],
)
def test_a_page_that_a_note_names_is_no_orphan(note: Any) -> None:
    assert abouts(pages.find_orphans(facts(a_page(changed_at=OLD), notes=(note,)))) == []


def test_a_page_that_names_only_itself_is_an_orphan() -> None:
    itself = a_note("# Billing", kind="page", tag="billing")
    page = a_page(text="see [me](billing.md)", changed_at=OLD)

    assert abouts(pages.find_orphans(facts(page, notes=(itself,)))) == [("page-orphan", "billing")]


def test_a_file_that_the_hub_does_not_name_is_an_orphan() -> None:
    hub = HubFacts("MEMORY.md", "- [a](a.md)")
    files = [
        a_page(name, place=f"{name}.md") for name in ("a", "lone", "handoff-x", "todo-status")
    ]

    found = pages.find_orphans(facts(*files, hub=hub, generated=False))

    assert abouts(found) == [("page-orphan", "lone.md")]


def test_a_file_that_another_file_names_is_no_orphan() -> None:
    files = [a_page("a", "more in b.md"), a_page("b", "less in a.md")]

    assert abouts(pages.find_orphans(facts(*files, generated=False))) == []
