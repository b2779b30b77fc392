"""What the audit says of files: shared lines, skills, commands, hooks, repositories."""

from typing import Any

import pytest
from tests.core.builders import NOW, a_note, an_id

from twiceshy.core.scope import Scope
from twiceshy.core.store import HealthFinding as Looked
from twiceshy.places.git import Checkout
from twiceshy.project.audit import environment
from twiceshy.project.audit.facts import (
    AuditFacts,
    CommandFile,
    DeadHook,
    HubFacts,
    InstructionFile,
    PageCollection,
    PageFacts,
    ReferenceFile,
    SkillFolder,
    ViewDrift,
)
from twiceshy.project.audit.gather_files import list_hook_commands, list_programs
from twiceshy.project.audit.notes import (
    find_near_pairs,
    find_repeated_instructions,
    find_shared_lines,
)

LONG = "All times in the database are stored in UTC and shown in local time."
DENSE = "資料庫裡的時間一律以世界標準時間儲存"


def told(findings: Any) -> list[tuple[str, str]]:
    return [(finding.about, finding.where) for finding in findings]


def shelf(**texts: str) -> tuple[PageCollection, ...]:
    return (
        PageCollection(None, tuple(PageFacts(name, text, NOW) for name, text in texts.items())),
    )


def test_a_sentence_on_two_pages_is_a_duplicate_whatever_its_bullet() -> None:
    found = find_shared_lines(
        AuditFacts(NOW, shelf(a=f"# A\n- {LONG}\n- {DENSE}", b=f"* {LONG}\n{DENSE}"))
    )

    assert [(one.where, one.values["count"]) for one in found] == [("a, b", 2)]


@pytest.mark.parametrize(
    "line",
    [
        "A short line.",
        f"# {LONG}",
        f"| {LONG} |",
        f"```\n{LONG}\n```",
        f"- [a pointer](x.md) {LONG}",
        f"---\ndescription: {LONG}\n---",
    ],
)
def test_what_many_files_may_have_is_no_duplicate(line: str) -> None:
    assert told(find_shared_lines(AuditFacts(NOW, shelf(a=line, b=line)))) == []


def test_what_an_instruction_file_says_again_is_a_duplicate() -> None:
    shelves = (PageCollection(HubFacts("MEMORY.md", LONG), (PageFacts("a", f"{LONG}", NOW),)),)
    given = AuditFacts(
        NOW, shelves, instructions=(InstructionFile("CLAUDE.md", f"# Rules\n- {LONG}\n"),)
    )

    found = list(find_repeated_instructions(given))

    assert [(one.where, one.values["other"]) for one in found] == [
        ("CLAUDE.md", "MEMORY.md"),
        ("CLAUDE.md", "a"),
    ]


def skilled(count: int, *, gotchas: int) -> tuple[Any, ...]:
    names = [f"word{number}" for number in range(count)]
    return tuple(
        a_note(f"{name} is told", id=an_id(at), subtype="gotcha" if at < gotchas else "fix")
        for at, name in enumerate(names)
    )


@pytest.mark.parametrize(("count", "expected"), [(100, []), (101, ["skill-crowded"])])
def test_a_skill_is_crowded_above_100_notes(count: int, expected: list[str]) -> None:
    found = environment.find_crowded_skills(AuditFacts(NOW, notes=skilled(count, gotchas=0)))

    assert [finding.about for finding in found] == expected


@pytest.mark.parametrize(
    ("count", "gotchas", "expected"),
    [(20, 20, []), (30, 9, []), (30, 10, ["skill-gotchas"]), (21, 21, ["skill-gotchas"])],
)
def test_more_than_30_percent_gotchas_are_too_many_where_there_are_enough(
    count: int, gotchas: int, expected: list[str]
) -> None:
    found = environment.find_crowded_skills(AuditFacts(NOW, notes=skilled(count, gotchas=gotchas)))

    assert [finding.about for finding in found] == expected


def test_a_skill_is_counted_with_pins_and_vectors_and_near_duplicates() -> None:
    text = "Run the database migrations before starting the worker process"
    notes = (
        a_note(text, pinned=True),
        a_note(f"{text} again", id=an_id(2), subtype="fix"),
        a_note("Elsewhere", id=an_id(3), scope=Scope("demo")),
    )
    given = AuditFacts(
        NOW,
        notes=notes,
        near=tuple(find_near_pairs(notes, 0.63)),
        without_vector=frozenset([notes[1].id]),
    )

    (tally,) = environment.count_skills(given)
    (missing,) = environment.find_missing_vectors(given)

    assert tally.fields() == {
        "skill": "release",
        "notes": 2,
        "pinned": 1,
        "gotchas": 1,
        "near": 1,
        "without_vector": 1,
    }
    assert missing.values == {"count": 1}
    assert told(environment.find_missing_vectors(given.but(without_vector=frozenset()))) == []


def test_a_view_that_drifted_is_stale() -> None:
    given = AuditFacts(NOW, drifts=(ViewDrift("KNOWLEDGE.md", "release", 1, 2),))

    assert told(environment.find_drifted_views(given)) == [("view-drifted", "KNOWLEDGE.md")]


def a_skill(text: str = "", *references: ReferenceFile, **fields: Any) -> SkillFolder:
    usual = {"name": "pdf", "place": "pdf/SKILL.md", "text": text, "description": ""}
    return SkillFolder.of(usual | {"references": references} | fields)


@pytest.mark.parametrize(
    "text",
    ["see references/forms.md", "read all of `references/`", "ls references/*", "the forms file"],
)
def test_a_reference_that_its_skill_mentions_is_no_orphan(text: str) -> None:
    skill = a_skill(text, ReferenceFile("references/forms.md", "x"))

    assert told(environment.check_references(AuditFacts(NOW, skills=(skill,)))) == []


def test_references_are_followed_to_their_end() -> None:
    large = ReferenceFile("references/large.md", "x\n" * 301)
    skill = a_skill("see references/large.md", large, ReferenceFile("references/lone.md", "y"))

    found = told(
        environment.check_references(
            AuditFacts(NOW, skills=(skill.but(dead=("references/gone.md",)),))
        )
    )

    assert found == [
        ("link-broken", "pdf/SKILL.md"),
        ("reference-large", "pdf/SKILL.md: references/large.md"),
        ("reference-orphan", "pdf/SKILL.md: references/lone.md"),
    ]


def test_skills_that_describe_themselves_alike_are_a_conflict() -> None:
    same = [a_skill(name=name, description="Use for PDF files.") for name in ("a", "b", "b")]
    given = AuditFacts(NOW, skills=(*same, a_skill(name="c"), a_skill(name="d")))

    assert told(environment.find_same_descriptions(given)) == [("skill-conflict", "a, b")]
    assert told(environment.find_same_descriptions(given.but(skills=tuple(same[1:])))) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nname: x\ndescription: Use it.\n---\n", "Use it."),
        ("---\ndescription: >-\n  Use\n  it.\nname: x\n---\n", "Use it."),
        ("---\ndescription: never closed", "never closed"),
        ("---\nname: x\n---\ndescription: no\n", ""),
        ("# Heading", ""),
        ("", ""),
    ],
)
def test_a_skill_says_in_its_front_matter_when_to_be_used(text: str, expected: str) -> None:
    assert environment.parse_description(text) == expected


def test_a_command_that_calls_a_verb_we_do_not_have_is_dead() -> None:
    text = "Run `twiceshy frob x`, !`twiceshy save $ARGUMENTS` or `twiceshy 存記憶`. In prose twiceshy is free."
    given = AuditFacts(
        NOW,
        commands=(CommandFile("a", "a.md", text), CommandFile("b", "b.md", " ")),
        verbs=frozenset(["save", "存記憶"]),
    )

    assert told(environment.check_commands(given)) == [
        ("command-dead", "a.md"),
        ("command-empty", "b.md"),
    ]


def test_two_different_commands_of_one_name_hide_each_other() -> None:
    def given(*texts: str) -> AuditFacts:
        files = (CommandFile("a", f"{at}/a.md", text) for at, text in enumerate(texts))
        return AuditFacts(NOW, commands=tuple(files))

    assert told(environment.find_shadowed_commands(given("x", "y"))) == [
        ("command-twice", "0/a.md, 1/a.md")
    ]
    assert told(environment.find_shadowed_commands(given("x", "x"))) == []


def test_hooks_are_told_as_far_as_they_do_not_work() -> None:
    looked = (Looked("launcher", "ok", "fine"), Looked("launcher", "broken", "gone", "run: x"))
    given = AuditFacts(
        NOW,
        hooks=(*looked, Looked("hooks", "warning", "3 failures")),
        dead_hooks=(DeadHook("settings.json", "node x.js", "/x.js"),),
    )

    assert told(environment.check_hooks(given)) == [
        ("hook-broken", "launcher"),
        ("hook-trouble", "hooks"),
        ("hook-dead", "settings.json"),
    ]


def test_instructions_that_take_in_what_is_gone_are_broken() -> None:
    given = AuditFacts(NOW, instructions=(InstructionFile("CLAUDE.md", "", ("x.md",)),))

    assert told(environment.check_instructions(given)) == [("link-broken", "CLAUDE.md")]


def test_a_repository_is_dirty_or_behind_or_both() -> None:
    given = AuditFacts(
        NOW, repositories=(Checkout("a", 0), Checkout("b", 2), Checkout("c", 1, 3, 4))
    )

    assert told(environment.check_repositories(given)) == [
        ("repository-dirty", "b"),
        ("repository-dirty", "c"),
        ("repository-behind", "c"),
    ]


KNOWN = {"CLAUDE_PROJECT_DIR": "/shop", "HOME": "/home/ada"}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("node ~/.claude/hooks/end.js", ["/home/ada/.claude/hooks/end.js"]),
        ('"$CLAUDE_PROJECT_DIR"/check.sh --fast', ["/shop/check.sh"]),
        ("${HOME}/bin/notify", ["/home/ada/bin/notify"]),
        ("/opt/hook claude >> /tmp/out.log", ["/opt/hook"]),
        ("python3 scripts/x.py", []),
        ("$OTHER/x.sh", []),
        ("[ -x /opt/hook ] && /opt/hook", []),
        ("/opt/hook || true", []),
        ("echo 'unclosed", []),
    ],
)
def test_a_hook_line_names_its_programs(command: str, expected: list[str]) -> None:
    assert list_programs(command, KNOWN) == expected


def test_hook_lines_are_found_in_settings_of_any_shape() -> None:
    sound = {
        "hooks": {"Stop": [{"hooks": [{"command": "a"}, {"prompt": "b"}, 3]}, {"hooks": 4}, 5]}
    }

    assert list(list_hook_commands(sound)) == ["a"]
    assert [
        *list_hook_commands(None),
        *list_hook_commands([]),
        *list_hook_commands({"hooks": 1}),
    ] == []
    assert list(list_hook_commands({"hooks": {"Stop": 1}})) == []
