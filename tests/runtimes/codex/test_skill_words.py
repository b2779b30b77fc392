"""A skill is loaded by a mention or by reading its file, and by nothing that only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.runtimes.codex.calls import find_mentions, find_skill_read

PACK = ".agents/skills/pack/SKILL.md"


# every row was tried with the client itself: these are the skills that it loaded
@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("please $pack it", ("pack",)),
        ("do ($pack), then $wrap!", ("pack", "wrap")),
        ("`$pack`, “$pack” and \\$pack", ("pack",)),
        ("x$pack", ("pack",)),
        ("$pack's lid, $pack.", ("pack",)),
        ("$pack-two and $a_b", ("pack-two", "a_b")),
        ("[$pack](/home/u/.agents/skills/pack/SKILL.md)", ("pack",)),
        ("$kit:wrap it", ("kit:wrap",)),
        ("$$pack$wrap", ("pack", "wrap")),
        ("$packé", ("pack",)),
        ("$Pack", ("Pack",)),
        ("echo $HOME $home $PATH $TMPDIR", ()),
        ("${pack} costs $5, or $ 6", ()),
        ("$pack: go", ()),
        ("pack /pack @pack", ()),
    ],
)
def test_a_mention_is_what_the_client_takes_for_one(prompt: str, names: tuple[str, ...]) -> None:
    assert find_mentions(prompt) == names


@pytest.mark.parametrize(
    ("command", "path"),
    [
        (f"cat {PACK}", PACK),
        (f"sed -n '1,200p' {PACK}", PACK),
        (f"head -40 {PACK}", PACK),
        (f"/bin/cat '{PACK}' | head -20", PACK),
        (f"cat {PACK}; echo done", PACK),
        (f"test -f {PACK} && sed -n 1,5p {PACK}", PACK),
        ("cd .agents/skills/pack && cat SKILL.md", PACK),
        ("cd /home/u/shop\ncat ./SKILL.md", "/home/u/shop/./SKILL.md"),
        ("cat '/home/u/my skills/pack/SKILL.md'", "/home/u/my skills/pack/SKILL.md"),
        ("cat ~/.codex/skills/pack/SKILL.md", "~/.codex/skills/pack/SKILL.md"),
        (f"cat {PACK} .agents/skills/wrap/SKILL.md", PACK),
    ],
)
def test_reading_a_skill_is_loading_it(command: str, path: str) -> None:
    assert find_skill_read(command) == path


@pytest.mark.parametrize(
    "command",
    [
        f"ls {PACK}",
        f"rg name {PACK}",
        f"grep -n tape {PACK} || true",
        f"wc -l {PACK}",
        f"git diff -- {PACK}",
        f"sed -i s/a/b/ {PACK}",
        f"echo tape >> {PACK}",
        "find . -name SKILL.md",
        "find . -name SKILL.md | xargs cat",
        "cat .agents/skills/*/SKILL.md",
        'cat "$PWD/SKILL.md"',
        "for f in a/SKILL.md b/SKILL.md; do cat $f; done",
        "cat a/SKILL.md b/SKILL.md c/SKILL.md",
        "cat NOT-A-SKILL.md",
        "cat 'SKILL.md",
        "cat README.md",
        "",
    ],
)
def test_looking_at_skills_is_not_loading_one(command: str) -> None:
    assert find_skill_read(command) == ""


@given(st.text())
def test_any_prompt_has_few_mentions_and_short_ones(prompt: str) -> None:
    names = find_mentions(prompt + "$" + prompt)

    assert len(names) <= 8
    assert all(0 < len(name) <= 100 and name.isascii() for name in names)


@given(st.text("SKILL.md cat;&|'\"\\()<>\n$#", max_size=40))
def test_any_command_can_be_looked_at(command: str) -> None:
    path = find_skill_read(command + "SKILL.md")

    assert path == "" or path.endswith("SKILL.md")
