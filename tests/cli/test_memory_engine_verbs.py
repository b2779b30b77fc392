"""The verbs and files of memory-engine, as its users find them here."""

import os
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.learning.sessions import Told
from tests.older_systems import engine_files as engine
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.files.json_edit import parse_document
from twiceshy.places.identity import claude_slug
from twiceshy.runtimes.command_table import PAIRS
from twiceshy.wording import speak

CLAUDE = ("CLAUDE_CONFIG_DIR", "CLAUDE_PROJECTS_DIR")


@pytest.fixture
def claude(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a Claude Code that is installed here."""
    for name in CLAUDE:
        monkeypatch.delenv(name, raising=False)
    folder = Path(os.environ["HOME"]) / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text('{\n  "model": "opus"\n}\n')
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file and folder below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"/"
        for path in folder.rglob("*")
    }


def signals(home: Path, kind: str) -> list[str]:
    with opened(home) as store:
        found = store.list_signals(sessions=["s1"])
    return [one.excerpt for one in found if one.kind == kind]


SENTENCES = (
    "Remember: the API key rotates monthly",
    "The staging DB is at db.stage.example:5432",
    "用戶喜歡先看結論再看細節",
    "記住：部署前一定要跑測試",
    "Our sprint ends on Wednesday",
    "Do not run migrations on Mondays",
    "The customer is called Acme",
)


@requirement("E45")
@pytest.mark.parametrize("text", SENTENCES)
def test_save_refuses_no_plain_sentence(twiceshy: Command, text: str) -> None:
    twiceshy("memory-set", "deploy", "# Deploy\n\nUse helm.")

    twiceshy("save", text)

    notes = [one["text"] for one in twiceshy("list", "--json", "--all").json]
    assert any(text in one for one in [*notes, twiceshy("memory-get", "deploy").out])


@requirement("E09")
def test_an_error_and_its_fix_are_one_lesson_with_both(
    twiceshy: Command, project: Path, home: Path
) -> None:
    twiceshy("distill", "--transcript", str(Told().mistaken().whiled(8).file(project)))

    [lesson] = twiceshy("list", "--all", "--status", "any", "--kind", "lesson", "--json").json
    assert "use `--name-only`, not `--stat`" in lesson["text"]
    assert "unknown flag: --stat" in lesson["text"]


@requirement("E10", "E11")
def test_retries_and_corrections_are_noticed_in_both_languages(
    twiceshy: Command, project: Path, home: Path
) -> None:
    told = Told().said("build the page").ran("make page")
    told.said("No, that is wrong. I meant the other header, not this one.")
    told.ran("make header").said("不對，我說的是另一個檔案，改回來")
    for _ in range(6):
        told.failed("make deploy", "no rule for deploy")
    told.ran("make clean deploy.yaml").ran("cat deploy.yaml").whiled(8)

    twiceshy("distill", "--transcript", str(told.file(project)))

    corrections = " ".join(signals(home, "correction"))
    assert "other header" in corrections
    assert "另一個檔案" in corrections
    assert set(signals(home, "retry")) == {"no rule for deploy"}


@requirement("E12")
@pytest.mark.parametrize(
    ("word", "said"), [("blimey", "Blimey, the other header please"), ("換掉", "把標題換掉")]
)
def test_a_word_of_the_users_own_makes_a_message_a_correction(
    twiceshy: Command, project: Path, home: Path, word: str, said: str
) -> None:
    told = Told().said("build the page").ran("make page")
    twiceshy("distill", "--transcript", str(told.said(said).file(project)))
    assert signals(home, "correction") == []

    twiceshy("config", "set", "words.corrections", f'["{word}"]')
    twiceshy(
        "distill", "--transcript", str(told.ran("make header").said(f"{said}!").file(project))
    )

    assert signals(home, "correction") == [f"{said}!"]
    assert word in twiceshy("config", "words.corrections").out


@requirement("E65")
@pytest.mark.parametrize("locale", ["C", "en_US.UTF-8", "zh_TW.UTF-8"])
def test_a_command_by_its_chinese_name_answers_in_chinese(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    monkeypatch.setenv("LANG", locale)

    told = twiceshy("健檢").out

    speak(lambda: "en")
    assert "筆記:" in told


@requirement("E64")
def test_every_pair_of_names_is_one_verb(twiceshy: Command) -> None:
    assert len(PAIRS) == 18
    for pair in PAIRS:
        english, chinese = (twiceshy(name, "--help").out for name in (pair.name, pair.chinese))
        speak(lambda: "en")
        assert english.split()[:2] == ["Usage:", "twiceshy"]
        assert pair.name in english
        assert chinese.split()[:2] == ["Usage:", "twiceshy"]


@requirement("E66")
def test_commands_stand_under_their_short_names_on_request_and_go_again(
    twiceshy: Command, claude: Path
) -> None:
    (claude / "commands").mkdir()
    (claude / "commands" / "save.md").write_text("my own save\n")
    before = contents(claude)
    twiceshy("config", "set", "commands.short", "true")

    said = twiceshy("install", "claude-code", "--yes")

    there = {path.name for path in (claude / "commands").iterdir()}
    assert there == {f"{name}.md" for pair in PAIRS for name in (pair.name, pair.chinese)}
    assert "twiceshy todo" in (claude / "commands" / "待辦.md").read_text()
    assert (claude / "commands" / "save.md").read_text() == "my own save\n"
    assert "save.md" in said.err
    assert "is yours and stays" in said.err
    twiceshy("uninstall", "--yes")
    assert contents(claude) == before


def test_without_the_request_no_short_command_is_written(twiceshy: Command, claude: Path) -> None:
    twiceshy("install", "claude-code", "--yes")

    assert not (claude / "commands").exists()


@requirement("E56")
def test_the_model_may_run_the_commands_that_the_user_allows(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    twiceshy("config", "set", "commands.model", '["learn"]')

    twiceshy("install", "claude-code", "--yes")

    folder = home / "claude-code/plugins/twiceshy/commands"
    names = {name for pair in PAIRS for name in (pair.name, pair.chinese)}
    allowed = {
        name
        for name in names
        if "disable-model-invocation" not in (folder / f"{name}.md").read_text()
    }
    assert allowed == {"learn", "學習"}


@pytest.fixture
def older(claude: Path, project: Path) -> None:
    """Files that memory-engine left."""
    engine.write_files(claude, engine.home(claude_slug(str(project))))


@requirement("E06")
@pytest.mark.usefixtures("older")
def test_install_names_files_of_memory_engine_in_the_plan_and_once_when_it_is_done(
    twiceshy: Command, home: Path
) -> None:
    planned = twiceshy("install", "claude-code", "--plan").err
    nothing = home.exists()
    done = twiceshy("install", "claude-code", "--yes").err
    again = twiceshy("install", "claude-code", "--yes").err

    line = next(line for line in planned.splitlines() if line.startswith("memory-engine: "))
    assert "3 sessions" in line
    assert "1 notebook" in line
    assert "1 handoff," in line
    assert line.endswith("; to import them: twiceshy import memory-engine")
    assert not nothing
    assert line in done.splitlines()
    assert "memory-engine" not in again


@requirement("E06")
@pytest.mark.usefixtures("older")
def test_install_is_silent_about_what_was_imported_and_about_its_own_files(
    twiceshy: Command, claude: Path
) -> None:
    twiceshy("import", "memory-engine")
    twiceshy("memory-set", "architecture", "# Layers")
    twiceshy("views", "write")

    assert "to import them" not in twiceshy("install", "claude-code", "--yes").err
    assert parse_document((claude / "settings.json").read_text())["model"] == "opus"


@requirement("E13")
def test_the_same_mistake_on_three_days_leads_to_a_proposed_rule(
    twiceshy: Command, project: Path
) -> None:
    for day in range(3):
        told = Told(f"s{day}", day=day).mistaken().whiled(8)
        proposed = twiceshy("review", "--json").json["proposals"]
        assert proposed == []
        twiceshy("distill", "--transcript", str(told.file(project)))

    [rule] = twiceshy("list", "--all", "--status", "any", "--kind", "rule", "--json").json
    assert rule["status"] == "candidate"
    assert "Use `--name-only`, not `--stat`" in rule["text"]


@requirement("E08", "E15")
def test_a_summary_names_work_tools_files_and_the_project_that_a_pattern_says(
    twiceshy: Command, project: Path
) -> None:
    patterns = '{"tea": ["/home/u/*"]}'
    told = (
        Told()
        .said("Fix the login form, it loses the token")
        .called("Edit", file_path="/home/u/shop/login.py", old_string="a", new_string="b")
    )
    (project / ".twiceshy.toml").write_text("")
    twiceshy("config", "set", "projects.patterns", patterns)

    twiceshy("distill", "--transcript", str(told.ran("pytest tests/test_login.py").file(project)))

    [summary] = twiceshy("episodes", "--all", "--json").json
    assert (summary["title"], summary["tag"]) == ("Fix the login form, it loses the token", "tea")
    assert set(summary["tools"]) == {"Edit", "Bash"}
    assert [Path(name).name for name in summary["files"]] == ["login.py"]
    assert "fixing" in summary["doing"]


@requirement("E29", "E57", "E72")
def test_switched_on_the_views_hold_the_files_of_memory_engine(
    twiceshy: Command, project: Path, home: Path
) -> None:
    twiceshy("learn", "Tags need a fetch", "--problem", "old tags", "--solution", "fetch")
    twiceshy("handoff", "login", "--status", "half done", "--left", "the form")
    twiceshy("diary", "--add", "Ask Ann")
    work = engine.Work("Fix the form", ["fix it"])
    kinds = {
        "session": engine.session(work),
        "compact": engine.compact(work),
        "checkpoint": engine.checkpoint(work),
    }
    sessions = {f"sessions/{engine.DAY}-a1-{kind}.md": text for kind, text in kinds.items()}
    engine.write_files(Path(os.environ["HOME"]) / ".claude", sessions)
    twiceshy("import", "memory-engine")

    twiceshy("config", "set", "views.layouts", '["memory-engine"]')
    twiceshy("views", "write")

    files = {str(path.relative_to(home / "views")) for path in (home / "views").rglob("*.md")}
    mine = {name.partition("/memory/")[2]: name for name in files}
    text = {name: (home / "views" / path).read_text() for name, path in mine.items()}
    assert "## What's left to do\n- [ ] the form\n" in text["handoff-login.md"]
    [lesson] = [one for name, one in text.items() if name.startswith("learned/")]
    assert "## Problem\nold tags\n" in lesson
    [diary] = [one for name, one in text.items() if name.startswith("sessions/diary/")]
    assert "## What I did today\n" in diary
    for kind in kinds:
        assert [name for name in text if name.endswith(f"-{kind}.md")]
