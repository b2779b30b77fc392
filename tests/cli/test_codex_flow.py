"""The flow of fireworks on Codex, as its scripts call it: inject, checkpoint, flush, show."""

import os
from pathlib import Path

import pytest
from tests.commands import run_command
from tests.requirements import requirement

SUMMARY = (
    "# Session\n\n## Lessons\n- Lock before tagging\n- Fetch the tags\n- Push first\n- Wait\n"
)


def twiceshy(*words: str, said: str = "") -> tuple[int, list[str], str]:
    """Run the command as a shell would; return its exit code, its lines, and what it complains of."""
    ran = run_command(*words, cwd=Path.cwd(), env={}, stdin=said)
    return ran.code, ran.out.splitlines(), ran.err


@requirement("U002", "F16")
def test_a_script_for_fireworks_on_codex_finds_its_verbs_options_and_exit_codes(
    tmp_path: Path,
) -> None:
    summary, session = tmp_path / "summary.md", tmp_path / "session.jsonl"
    summary.write_text(SUMMARY)
    session.write_text('{"text": "## Takeaways\\n- Sign the tag"}\n')
    skill = ("--skill", "release")

    nothing = twiceshy("inject", *skill)
    written = twiceshy("checkpoint", *skill, "--note", "The mirror lags behind")
    first = twiceshy("flush", *skill, "--summary-file", str(summary))
    fourth = twiceshy("flush", *skill, "--stdin", "--max-lessons", "4", said=SUMMARY)
    both = twiceshy("flush", *skill, "--session-file", str(session), "--include-checkpoints")
    kept = ("--include-checkpoints", "--keep-checkpoints")
    again = twiceshy("flush", *skill, "--session-file", str(session), *kept)
    told = twiceshy("inject", *skill, "--top", "2")
    page = twiceshy("show", *skill)

    assert (nothing[0], nothing[1]) == (1, [])
    assert (written[0], len(written[1])) == (0, 1)
    assert [(code, len(lines)) for code, lines, _ in (first, fourth, both, again)] == [
        (0, 3),
        (0, 4),
        (0, 2),
        (0, 1),
    ]
    assert told[0] == 0
    assert told[1][0] == "[fireworks-skill-memory: release]"
    assert told[1].index("Past experience:") == len(told[1]) - 3
    assert page[0] == 0
    assert page[1][0] == "# release — experience"
    assert len([line for line in page[1] if line.startswith("- [")]) == 6


@requirement("U002", "F16")
def test_what_fireworks_refused_is_refused_with_the_same_exit_code(tmp_path: Path) -> None:
    (tmp_path / "prose.md").write_text("No lessons here, only prose.\n")
    prose, skill = str(tmp_path / "prose.md"), ("--skill", "release")
    one = [
        ("inject", *skill),
        ("show", *skill),
        ("checkpoint", *skill, "--note", " "),
        ("flush", *skill, "--summary-file", prose),
        ("flush", *skill, "--summary-file", str(tmp_path / "missing.md")),
        ("flush", *skill, "--stdin"),
    ]
    two = [
        ("inject",),
        ("inject", *skill, "--top", "many"),
        ("checkpoint", *skill),
        ("checkpoint", "--note", "x"),
        ("flush", *skill),
        ("flush", *skill, "--stdin", "--summary-file", prose),
    ]

    codes = {words: twiceshy(*words) for words in (*one, *two)}

    assert [codes[words][0] for words in one] == [1] * len(one)
    assert [codes[words][0] for words in two] == [2] * len(two)
    assert not [lines for _, lines, _ in codes.values() if lines]
    assert all("hint: " in said for _, _, said in codes.values())


def test_what_lies_in_the_folder_of_codex_is_read_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    folder = tmp_path / "codex/memories/fireworks-skill-memory/skills/release"
    folder.mkdir(parents=True)
    (folder / "KNOWLEDGE.md").write_text("## Entries\n\n- [2025-02] Sign the tag  [HIT:3]\n")

    told = twiceshy("inject", "--skill", "release")

    assert told[1][-1] == "- [2025-02] Sign the tag  [HIT:3]"
    assert os.listdir(folder) == ["KNOWLEDGE.md"]
