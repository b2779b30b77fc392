"""``twiceshy config``: what it prints, and what it does to the user's file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from tests.config.test_config import SEED_VARIABLES
from tests.requirements import requirement

from twiceshy.cli.config import command
from twiceshy.config.edit import format_value, remove_value, set_value
from twiceshy.config.everyday import EVERYDAY
from twiceshy.config.quick import ALLOWED
from twiceshy.config.settings import SETTINGS
from twiceshy.core.errors import ConfigError
from twiceshy.notes.person import person_confirmed

if TYPE_CHECKING:
    from pathlib import Path

    from twiceshy.config.shapes import Plain


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in a repository of its own."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def run(*words: str, text: str = "") -> Result:
    with person_confirmed():  # that one is asked is tested in test_person.py
        return CliRunner().invoke(command, words, input=text, catch_exceptions=False)


def refusal(*words: str) -> ConfigError:
    with pytest.raises(ConfigError) as refused:
        run(*words)
    return refused.value


# --- reading


def test_without_a_key_it_lists_what_differs_from_the_defaults(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_MAX", "30")
    run("set", "guards.allowed", "a.pem, b.pem")
    run("set", "brief.skill_tokens", "500")

    listed = run()

    assert listed.stdout == (
        f'home = "{home}"\nnotes.skill_max = 30\nguards.allowed = ["a.pem", "b.pem"]\n'
    )
    assert listed.stderr == ""


@requirement("U014", "F64")
@pytest.mark.parametrize(("variable", "text", "key", "value"), SEED_VARIABLES)
def test_a_variable_of_fireworks_is_the_value_that_is_printed(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, key: str, value: object
) -> None:
    monkeypatch.setenv(variable, text)

    assert run(key).stdout.strip() == ("true" if value is True else str(value))


def test_when_everything_has_its_default_the_data_is_empty_and_the_talk_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TWICESHY_HOME")

    listed = run()

    assert listed.stdout == ""
    assert "--all" in listed.stderr


def test_the_list_of_all_settings_could_stand_in_a_file() -> None:
    listed = run("--all").stdout

    said = tomllib.loads(listed)
    sections = {key.split(".")[0] for key in (setting.key for setting in SETTINGS)}
    assert set(said) == sections
    assert said["brief"]["skill_tokens"] == 500
    assert said["expiry"]["days"] == {}
    assert "test" in said["words"]["actions"]["testing"]


@requirement("N07")
def test_the_settings_that_people_change_come_first_and_say_what_changes() -> None:
    common, _, rest = run("--all").stdout.partition("# Advanced")

    lines = common.strip().splitlines()
    assert 20 <= len(EVERYDAY) < 40
    assert {line.split(" ")[0].partition(".days.")[0] for line in lines} == set(EVERYDAY)
    assert all(line.endswith(f"  # {EVERYDAY[line.split(' ')[0]]}") for line in lines)
    keys = {line.split(" = ")[0] for line in rest.splitlines()[1:] if line}
    assert not keys & set(EVERYDAY)
    assert refusal("brief.skill_token").hint == "did you mean brief.skill_tokens?"


@pytest.mark.parametrize(
    ("key", "printed", "as_json"),
    [
        ("brief.skill_tokens", "500\n", 500),
        ("rank.recency", "0.25\n", 0.25),
        ("keeper.banner", "false\n", False),
        ("language", "auto\n", "auto"),
        ("redact.extra", "", []),
        ("guards.allowed", "".join(f"{name}\n" for name in ALLOWED), list(ALLOWED)),
        ("expiry.days", "", {}),
    ],
)
def test_one_value_is_printed_bare(key: str, printed: str, as_json: object) -> None:
    assert run(key).stdout == printed
    assert json.loads(run(key, "--json").stdout) == as_json


def test_a_table_is_printed_by_entry_and_an_entry_has_a_key_of_its_own() -> None:
    run("set", "projects.patterns.my app", "~/a/*, ~/b")

    assert run("projects.patterns").stdout == '"my app" = ["~/a/*", "~/b"]\n'
    assert json.loads(run("projects.patterns", "--json").stdout) == {"my app": ["~/a/*", "~/b"]}
    assert run("projects.patterns.my app").stdout == "~/a/*\n~/b\n"
    assert run('projects.patterns."my app"').stdout == "~/a/*\n~/b\n"
    assert "has no entry other" in str(refusal("projects.patterns.other"))


def test_a_key_that_does_not_exist_is_an_error_with_the_nearest_one() -> None:
    error = refusal("brief.skil_tokens")

    assert str(error) == "no setting is called brief.skil_tokens"
    assert error.hint == "did you mean brief.skill_tokens?"


def test_too_many_words_are_a_usage_error() -> None:
    result = run("brief.skill_tokens", "300")

    assert result.exit_code == 2
    assert "set KEY VALUE" in result.stderr


def test_explain_tells_where_each_value_comes_from(
    home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("set", "keeper.save_interval", "4")
    (project / ".twiceshy.toml").write_text("keeper.save_interval = 3\nstore.path = '/s'\nx = 1\n")
    monkeypatch.setenv("TWICESHY_KEEPER_SAVE_INTERVAL", "2")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")

    explained = run("--explain")

    lines = explained.stdout.splitlines()
    assert (
        "keeper.save_interval = 2  # environment TWICESHY_KEEPER_SAVE_INTERVAL"
        f"; over 3 from file {project}/.twiceshy.toml"
        f"; over 4 from file {home}/config.toml; over 15 from default"
    ) in lines
    assert "brief.read_notes = 5  # default" in lines
    assert lines[-2:] == ["# OPENAI_API_KEY is set", "# TWICESHY_EMBED_KEY is not set"]
    assert explained.stderr.splitlines() == [
        f"file {project}/.twiceshy.toml: store.path cannot be set by a project; "
        "set it in your own file",
        f"file {project}/.twiceshy.toml: no setting is called x",
    ]
    assert "very-secret" not in explained.output


def test_explain_can_be_asked_about_one_key_and_for_json(project: Path) -> None:
    (project / ".twiceshy.toml").write_text("notes.skill_max = 1\nguards.mode = 'deny'\n")

    whole = json.loads(run("--explain", "--json").stdout)
    one = json.loads(run("guards.mode", "--explain", "--json").stdout)

    by_key = {row["key"]: row for row in whole["settings"]}
    problem = (
        f"file {project}/.twiceshy.toml: notes.skill_max cannot be set by a project; "
        "set it in your own file"
    )
    assert set(by_key) == {setting.key for setting in SETTINGS}
    assert by_key["notes.skill_max"]["refused"] == whole["problems"] == [problem]
    assert whole["secrets"] == {"OPENAI_API_KEY": False, "TWICESHY_EMBED_KEY": False}
    assert one["settings"] == [
        {
            "key": "guards.mode",
            "entry": "",
            "value": "deny",
            "source": f"file {project}/.twiceshy.toml",
            "changed": True,
            "shadowed": [{"value": "warn", "source": "default"}],
            "refused": [],
        }
    ]


def test_explain_works_when_the_file_is_broken_and_the_rest_says_why_not(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    (home / "config.toml").write_text("brief.skill_notes = \n")
    monkeypatch.setenv("SKILL_MAX", "many")

    explained = run("--explain")

    assert "brief.skill_notes = 6  # default" in explained.stdout
    assert "is not valid TOML" in explained.stderr
    assert "SKILL_MAX" in explained.stderr
    assert "SKILL_MAX" in str(refusal())
    monkeypatch.delenv("SKILL_MAX")
    assert "line 1" in str(refusal("language"))


@requirement("U168")
def test_what_is_redacted_and_passwords_are_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_STORE", "postgresql://me:hunter2@db.example/notes")
    run("set", "redact.extra", "-", text="Project Nightfall\n")

    outputs = [
        run(*words, *form).output
        for words in ((), ("redact.extra",), ("store.path",), ("--all",), ("--explain",))
        for form in ((), ("--json",))
    ]

    assert not any("Nightfall" in output or "hunter2" in output for output in outputs)
    assert run("redact.extra").stdout == "***\n"
    assert run("store.path").stdout == "postgresql://***@db.example/notes\n"


# --- writing

AUTHORED = """\
# my settings
language = "zh"   # for my mother

[brief]   # briefs
  skill_tokens = 400     # "#" means comment
skill_notes=3
# about patterns

[projects.patterns]
shop = [   # two places
    "~/shop/*",  # the first
    "~/old#shop",
]  # that is all
'my app' = ["x"]

[keeper]
"""


@requirement("U167")
def test_the_first_setting_creates_a_home_and_a_file_for_its_owner_only(home: Path) -> None:
    before = os.umask(0)
    try:
        result = run("set", "brief.skill_tokens", "300")
    finally:
        os.umask(before)

    file = home / "config.toml"
    assert result.stdout == ""
    assert result.stderr == f"brief.skill_tokens is set in {file}\n"
    assert home.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text().startswith("# ")
    assert tomllib.loads(file.read_text()) == {"brief": {"skill_tokens": 300}}
    assert [path.name for path in home.iterdir()] == ["config.toml"]
    assert run("brief.skill_tokens").stdout == "300\n"


def test_a_changed_setting_keeps_the_comments_and_the_order_around_it() -> None:
    changed = set_value(AUTHORED, ("brief", "skill_tokens"), 99)
    changed = set_value(changed, ("projects", "patterns", "shop"), ("~/new",))
    changed = set_value(changed, ("language",), "en")

    assert changed == AUTHORED.replace("= 400", "= 99").replace('"zh"', '"en"').replace(
        '[   # two places\n    "~/shop/*",  # the first\n    "~/old#shop",\n]  # that is all',
        '["~/new"]  # that is all',
    )


def test_a_new_setting_goes_to_its_section() -> None:
    changed = set_value(AUTHORED, ("brief", "read_notes"), 2)
    changed = set_value(changed, ("projects", "patterns", "a.b"), ("y",))
    changed = set_value(changed, ("keeper", "banner"), value=True)
    changed = set_value(changed, ("guards", "mode"), "ask")

    assert changed == (
        AUTHORED.replace("skill_notes=3\n", "skill_notes=3\nread_notes = 2\n").replace(
            "'my app' = [\"x\"]\n", '\'my app\' = ["x"]\n"a.b" = ["y"]\n'
        )
        + 'banner = true\n\n[guards]\nmode = "ask"\n'
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'language = "en"\n'),
        ("# mine", '# mine\nlanguage = "en"\n'),
        ("# mine\n\n# briefs\n[brief]\n", '# mine\nlanguage = "en"\n\n# briefs\n[brief]\n'),
        ("brief.x = 1\n[rank]\n", 'brief.x = 1\nlanguage = "en"\n[rank]\n'),
        ("[[list]]\nlanguage = 'zh'\n", "language = \"en\"\n[[list]]\nlanguage = 'zh'\n"),
    ],
)
def test_a_setting_without_section_goes_before_the_first_one(before: str, after: str) -> None:
    assert set_value(before, ("language",), "en") == after


def test_a_line_ends_where_toml_says_so() -> None:
    text = "# a\u2028language = 'zh'\n"

    assert set_value(text, ("language",), "en") == text + 'language = "en"\n'
    assert remove_value(text, ("language",)) == text


def test_dotted_keys_stay_dotted() -> None:
    changed = set_value("brief.skill_notes = 3\n", ("brief", "skill_tokens"), 9)

    assert changed == "brief.skill_notes = 3\nbrief.skill_tokens = 9\n"


def test_a_file_written_in_a_way_we_cannot_extend_is_left_alone(home: Path) -> None:
    text = "brief = { skill_notes = 3, read_notes = 2 }\n"
    home.mkdir()
    (home / "config.toml").write_text(text)

    error = refusal("set", "brief.skill_tokens", "300")

    assert str(error) == (
        "cannot edit config.toml automatically: unsupported layout; set brief.skill_tokens by hand"
    )
    assert "editor" in error.hint
    assert (home / "config.toml").read_text() == text


KEYS = [
    *[("language",), ("brief", "skill_tokens"), ("brief", "skill_notes"), ("keeper", "banner")],
    *[
        ("projects", "patterns", "shop"),
        ("projects", "patterns", "my app"),
        ("expiry", "days", "é"),
    ],
]
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(-1e9, 1e9),
    st.text(st.characters(exclude_categories=["C", "Z"]), max_size=20),
    st.lists(st.text("ab#'\"\\[]= ,", max_size=5), max_size=3).map(tuple),
)
AUTHORS = ["", AUTHORED, "brief.skill_tokens = 1\n", "[brief]\n[[other]]\nlanguage = 1\n# end"]


@given(
    text=st.sampled_from(AUTHORS),
    changes=st.lists(st.tuples(st.sampled_from(KEYS), st.none() | VALUES), max_size=8),
)
def test_whatever_is_changed_all_else_stays_as_it_was(
    text: str, changes: list[tuple[tuple[str, ...], Plain | None]]
) -> None:
    said = leaves(tomllib.loads(text))
    comments = [line for line in text.splitlines() if line.startswith("#")]

    for path, value in changes:
        if value is None:
            text = remove_value(text, path)
            said.pop(path, None)
        else:
            text = set_value(text, path, value)
            said[path] = list(value) if isinstance(value, tuple) else value

    assert leaves(tomllib.loads(text)) == said
    assert [line for line in text.splitlines() if line.startswith("#")] == comments


def leaves(table: dict[str, object], path: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    found: dict[tuple[str, ...], object] = {}
    for name, value in table.items():
        inner = leaves(value, (*path, name)) if isinstance(value, dict) else {(*path, name): value}
        found.update(inner)
    return found


@given(value=VALUES)
def test_a_value_is_written_as_toml_reads_it(value: Plain) -> None:
    read = tomllib.loads(f"x = {format_value(value)}")["x"]

    assert read == (list(value) if isinstance(value, tuple) else value)


def test_a_whole_table_can_be_set_and_unset() -> None:
    run("set", "expiry.days", '{"task": 30, "issue": 60}')
    run("set", "expiry.days", '{"page": 9}')
    run("set", "expiry.days.task", "7")

    before = run("expiry.days").stdout
    run("unset", "expiry.days.page")
    between = run("expiry.days").stdout
    run("unset", "expiry.days")

    assert before == "page = 9\ntask = 7\n"
    assert between == "task = 7\n"
    assert run("expiry.days").stdout == ""


def test_unset_returns_to_the_default_and_says_when_there_was_nothing_to_do(home: Path) -> None:
    run("set", "language", "zh")

    first, second = run("unset", "language"), run("unset", "language")

    assert first.stderr == f"language is no longer set in {home}/config.toml\n"
    assert second.stderr == f"language was not set in {home}/config.toml\n"
    assert run("language").stdout == "auto\n"


def test_a_misspelt_key_can_be_taken_out_of_the_file(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text("[bref]\nnotes = 3\n")

    run("unset", "bref.notes")

    assert run().stderr == ""


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("brief.skill_tokens", "many", "brief.skill_tokens must be a whole number"),
        ("brief.skill_tokens", "99999", "from 0 to 2,250"),
        ("guards.mode", "shout", "one of off, warn, ask, deny"),
        ("expiry.days.tusk", "3", "called one of lesson"),
        ("expiry.days", "3", "expiry.days must be a table"),
        ("projects.patterns.a\x1bb", "x", "projects.patterns must be a table"),
        ("home", "/elsewhere", "home cannot be set in a file"),
        ("brief.nothing", "1", "no setting is called brief.nothing"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_and_nothing_is_written(
    home: Path, key: str, value: str, message: str
) -> None:
    error = refusal("set", key, value)

    assert message in str(error)
    assert error.hint
    assert not home.exists()


def test_when_something_stronger_holds_set_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILL_MAX", "30")

    result = run("set", "notes.skill_max", "40")

    assert result.stderr.splitlines()[1] == (
        "environment SKILL_MAX overrides it: notes.skill_max = 30"
    )


def test_a_path_is_kept_so_that_it_holds_in_any_folder(home: Path, project: Path) -> None:
    run("set", "logs.run", "logs/run.log")
    run("set", "views.shared", "~/shared")

    said = tomllib.loads((home / "config.toml").read_text())

    assert said["logs"]["run"] == str(project / "logs" / "run.log")
    assert said["views"]["shared"] == "~/shared"


def test_a_file_that_is_a_link_stays_one(home: Path, tmp_path: Path) -> None:
    dotfile = tmp_path / "dotfiles.toml"
    dotfile.write_text("language = 'zh'\n")
    home.mkdir()
    (home / "config.toml").symlink_to(dotfile)

    run("set", "language", "en")

    assert (home / "config.toml").is_symlink()
    assert dotfile.read_text() == 'language = "en"\n'


def test_a_home_that_cannot_be_written_is_an_error_with_a_hint(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.touch()
    monkeypatch.setenv("TWICESHY_HOME", str(home / "below"))

    error = refusal("set", "language", "en")

    assert "cannot be written" in str(error)
    assert error.hint


@requirement("U105")
def test_settings_changed_by_several_processes_at_once_are_all_kept(home: Path) -> None:
    keys = [f"brief.{name}" for name in ("skill_notes", "read_notes", "principles")]
    keys += [f"retention.{name}" for name in ("sessions", "checkpoints", "archive_days")]
    program = "from twiceshy.cli.config import command; command()"

    started = [
        subprocess.Popen([sys.executable, "-c", program, "set", key, "7"], stderr=subprocess.PIPE)
        for key in keys
    ]
    errors = [(process.communicate()[1], process.returncode) for process in started]

    assert [code for _, code in errors] == [0] * len(keys), errors
    assert [run(key).stdout for key in keys] == ["7\n"] * len(keys)


def test_the_help_ends_with_an_example() -> None:
    text, _, _ = run("--help").stdout.partition("Options:")

    assert text.rstrip().splitlines()[-1].strip().startswith("Example: twiceshy config ")
