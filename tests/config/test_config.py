"""Settings: who may say what, who wins, and what becomes of nonsense and of malice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.config import compiled as compiled_settings
from twiceshy.config import quick
from twiceshy.config.edit import format_value
from twiceshy.config.load import load_config
from twiceshy.config.settings import BY_KEY, SETTINGS, Setting
from twiceshy.config.shapes import (
    AddressShape,
    ChoiceShape,
    FlagShape,
    ItemsShape,
    NumberShape,
    PathShape,
    WholeNumberShape,
)
from twiceshy.core.errors import ConfigError
from twiceshy.core.note import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config, ExplainedSetting
    from twiceshy.config.shapes import Plain

ROOT = Path(__file__).resolve().parents[2]


class World:
    """A user with a home, a memory home and a repository."""

    def __init__(self, root: Path) -> None:
        self.user = root / "user"
        self.home = root / "home"
        self.project = self.user / "src" / "app"
        self.deep = self.project / "pkg" / "inner"
        self.mine = self.home / "config.toml"
        self.theirs = self.project / ".twiceshy.toml"
        self.keeper = self.user / ".claude" / "memory-keeper" / "config.json"
        self.project_keeper = self.project / ".claude" / "memory" / "config.json"
        for folder in (self.home, self.deep, self.project / ".git"):
            folder.mkdir(parents=True, exist_ok=True)
        for file in (self.keeper, self.project_keeper):
            file.parent.mkdir(parents=True, exist_ok=True)

    def write(self, file: Path, text: str | None) -> None:
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.write_text(text, encoding="utf-8")

    def load(
        self,
        environ: dict[str, str] | None = None,
        *,
        cwd: Path | None = None,
        strict: bool = True,
    ) -> Config:
        return load_config(
            {"TWICESHY_HOME": str(self.home)} | (environ or {}),
            cwd=str(cwd or self.deep),
            home_dir=str(self.user),
            strict=strict,
        )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def row(config: Config, key: str, entry: str = "") -> ExplainedSetting:
    return next(row for row in config.explain_settings() if (row.key, row.entry) == (key, entry))


def toml(values: dict[str, Plain]) -> str:
    return "".join(f"{key} = {format_value(value)}\n" for key, value in values.items())


def values_of(setting: Setting) -> st.SearchStrategy[Plain]:
    """Return what may be written for a setting in a file."""
    found: st.SearchStrategy[Plain]
    match setting.shape:
        case WholeNumberShape(least, most):
            found = st.integers(least, most)
        case NumberShape(least, most):
            found = st.floats(least, most)
        case ChoiceShape(options):
            found = st.sampled_from(options)
        case FlagShape():
            found = st.booleans()
        case ItemsShape(shortest):
            words = st.text("abcdef*.", min_size=shortest, max_size=8)
            found = st.lists(words, max_size=3, unique=True).map(tuple)
        case AddressShape():
            found = st.sampled_from(["https://a.example", "http://b.example/v1"])
        case PathShape():
            found = st.sampled_from(["/srv/a", "/srv/b"])
        case _:
            found = st.sampled_from(["one", "two"])
    return found


def another(setting: Setting) -> Plain:
    """Return an allowed value that is not the default."""
    found: Plain
    match setting.shape:
        case WholeNumberShape(least, most):
            found = most if setting.default == least else least
        case NumberShape(least, most):
            found = most if setting.default == least else least
        case ChoiceShape(options):
            found = next(option for option in options if option != setting.default)
        case FlagShape():
            found = not setting.default
        case ItemsShape(_, options):
            found = options[1:] or ("another", "and more")
        case AddressShape():
            found = "https://another.example"
        case PathShape():
            found = "/srv/another"
        case _:
            found = "another"
    return found


SINGLE = [setting for setting in SETTINGS if not setting.table]
FREE = [setting for setting in SINGLE if setting.project == "yes"]
STRICTER = [setting for setting in SINGLE if setting.project == "stricter"]
PROTECTED = [setting for setting in SETTINGS if setting.project == "no"]


def key_of(setting: Setting) -> str:
    return setting.key


# --- defaults


def test_without_any_setting_the_defaults_hold_and_nothing_is_created(tmp_path: Path) -> None:
    config = load_config({}, cwd=str(tmp_path), home_dir=str(tmp_path))

    assert config.home == str(tmp_path / ".twiceshy")
    assert config.store == str(tmp_path / ".twiceshy" / "twiceshy.db")
    assert config.integer("brief.skill_tokens") == 500
    assert config.number("rank.relevance") == 0.6
    assert config.text("distiller.backend") == "none"
    assert config.flag("keeper.banner") is False
    assert ".env" in config.items("guards.protected")
    assert config.counts("expiry.days") == {}
    assert "test" in config.table("words.actions")["testing"]
    assert config.text("views.shared_skills") == str(tmp_path / ".ai-memory" / "skills")
    assert config.problems == ()
    assert list(tmp_path.iterdir()) == [tmp_path / "user"]


@pytest.mark.parametrize("setting", SETTINGS, ids=key_of)
def test_a_setting_is_explained_in_a_sentence_and_its_default_is_allowed(setting: Setting) -> None:
    entries = [value for _, value in setting.entries] if setting.table else [setting.default]
    written = [list(value) if isinstance(value, tuple) else value for value in entries]

    accepted = [setting.shape.accept(value) for value in written]

    assert setting.help.endswith(".")
    assert "\n" not in setting.help
    assert accepted == entries or setting.default == "" or str(setting.default)[0] == "{"


def test_no_two_settings_share_a_key_or_a_variable() -> None:
    keys = [setting.key for setting in SETTINGS]
    variables = [variable for setting in SETTINGS for variable in setting.variables]

    assert len(set(keys)) == len(keys)
    twice = {name for name in variables if variables.count(name) > 1}
    assert twice == {"SKILLS_INJECT_TOP"}  # fireworks had one number for hooks and for `inject`


def test_what_can_expire_are_the_kinds_of_notes() -> None:
    assert BY_KEY["expiry.days"].names == tuple(KINDS)


# --- who wins


@requirement("U015")
@given(said=st.sets(st.integers(0, 4)))
def test_the_strongest_layer_that_says_something_wins(world: World, said: set[int]) -> None:
    layers = [
        (f"file {world.keeper}", world.keeper, '{"saveInterval": 21}'),
        (f"file {world.project_keeper}", world.project_keeper, '{"saveInterval": 22}'),
        (f"file {world.mine}", world.mine, "keeper.save_interval = 23"),
        (f"file {world.theirs}", world.theirs, "[keeper]\nsave_interval = 24"),
    ]
    for number, (_, file, text) in enumerate(layers):
        world.write(file, text if number in said else None)
    environ = {"TWICESHY_KEEPER_SAVE_INTERVAL": "25"} if 4 in said else {}
    sources = [source for source, _, _ in layers] + ["environment TWICESHY_KEEPER_SAVE_INTERVAL"]

    config = world.load(environ)

    found = row(config, "keeper.save_interval")
    order = [sources[number] for number in sorted(said, reverse=True)] + ["default"]
    assert [found.source, *(each.source for each in found.shadowed)] == order
    assert config.integer("keeper.save_interval") == (21 + max(said) if said else 15)


@requirement("U015")
@given(drawn=st.data())
def test_each_key_is_merged_for_itself(world: World, drawn: st.DataObject) -> None:
    layers: list[dict[str, Plain]] = []
    for _ in range(3):
        chosen = drawn.draw(st.lists(st.sampled_from(FREE), max_size=6, unique_by=key_of))
        layers.append({setting.key: drawn.draw(values_of(setting)) for setting in chosen})
    mine, theirs, exported = layers
    world.write(world.mine, toml(mine))
    world.write(world.theirs, toml(theirs))
    environ = {BY_KEY[key].variables[0]: str(value) for key, value in exported.items()}

    config = world.load(environ)

    merged = {s.key: s.default for s in FREE} | mine | theirs | exported
    assert {setting.key: config.value(setting) for setting in FREE} == merged
    assert config.problems == ()


@requirement("U015", "U017")
def test_a_table_is_merged_entry_by_entry(world: World) -> None:
    world.write(world.mine, "[projects.patterns]\nshop = ['~/shop/*']\nblog = ['~/blog']")
    world.write(world.theirs, "[projects.patterns]\nblog = ['*/posts']\nwiki = ['*/wiki']")

    config = world.load({"TWICESHY_PROJECTS_PATTERNS": '{"wiki": ["/srv/wiki"], "shop": []}'})

    assert config.table("projects.patterns") == {"blog": ("*/posts",), "wiki": ("/srv/wiki",)}
    assert row(config, "projects.patterns", "shop").value == ()
    assert row(config, "projects.patterns", "blog").source == f"file {world.theirs}"


def test_the_entries_of_a_stronger_layer_come_first(world: World) -> None:
    world.write(world.mine, "words.actions = { zoning = ['z'], testing = ['t'], baking = ['b'] }")

    config = world.load({"TWICESHY_WORDS_ACTIONS": '{"baking": ["oven"], "adding": ["a"]}'})

    names = list(config.table("words.actions"))
    assert names[:4] == ["baking", "adding", "zoning", "testing"]
    assert set(names[4:]) == {name for name, _ in BY_KEY["words.actions"].entries} - {"testing"}


@requirement("U017")
def test_the_tables_people_want_to_change_are_settings(world: World) -> None:
    world.write(
        world.mine,
        """
        projects.patterns.shop = ["~/shop/*"]
        words.actions.baking = ["bake", "oven"]
        words.actions.testing = []
        guards.protected = ["*.vault"]
        guards.allowed = ["demo.vault"]
        expiry.days.task = 90
        retention = { sessions = 7, checkpoints = 3, state_days = 1 }
        """,
    )

    config = world.load()

    assert config.problems == ()
    assert config.table("projects.patterns") == {"shop": ("~/shop/*",)}
    assert config.table("words.actions")["baking"] == ("bake", "oven")
    assert "testing" not in config.table("words.actions")
    assert config.items("guards.protected") == ("*.vault",)
    assert config.items("guards.allowed") == ("demo.vault",)
    assert config.counts("expiry.days") == {"task": 90}
    assert [config.integer(f"retention.{key}") for key in ("sessions", "checkpoints")] == [7, 3]


# --- the environment

SEED_VARIABLES: list[tuple[str, str, str, object]] = [
    ("SKILLS_KNOWLEDGE_MODEL", "claude-opus", "distiller.model", "claude-opus"),
    ("SKILLS_DISTILLER_BACKEND", "openai", "distiller.backend", "openai"),
    ("SKILLS_DISTILLER_BACKEND", "null", "distiller.backend", "null"),
    ("SKILLS_DISTILLER_BACKEND", "something", "distiller.backend", "claude-cli"),
    ("SKILLS_DISTILLER_BACKEND", "off", "distiller.backend", "none"),
    ("SKILLS_DISTILLER_DEBUG", "yes", "distiller.debug", True),
    ("SKILLS_DISTILLER_LOG", "/l/d.log", "logs.distiller", "/l/d.log"),
    ("SKILL_MAX", "30", "notes.skill_max", 30),
    ("GLOBAL_MAX", "20", "notes.global_max", 20),
    ("MIN_TOOL_CALLS", "9", "learn.min_tool_calls", 9),
    ("SKILLS_INJECT_TOP", "8", "brief.skill_notes_max", 8),
    ("TRANSCRIPT_LINES", "120", "learn.transcript_lines", 120),
    ("AI_MEMORY_HOME", "/m", "views.shared", "/m"),
    ("AI_MEMORY_HOME", "/m", "views.shared_skills", "/m/skills"),
    ("AI_MEMORY_HOME", "/m", "views.shared_global", "/m/global/KNOWLEDGE.md"),
    ("AI_MEMORY_SKILLS_DIR", "/s", "views.shared_skills", "/s"),
    ("AI_MEMORY_GLOBAL_FILE", "/g.md", "views.shared_global", "/g.md"),
    ("SKILLS_KNOWLEDGE_DIR", "/k", "views.claude_skills", "/k"),
    ("SKILLS_KNOWLEDGE_GLOBAL", "/k.md", "views.claude_global", "/k.md"),
    ("SKILLS_SEEDS_DIR", "/e", "views.error_seeds", "/e"),
    ("SKILLS_STATS_FILE", "/u.json", "views.skill_stats", "/u.json"),
    ("SKILLS_MEMORY_LOG", "/r.log", "logs.run", "/r.log"),
    ("CLAUDE_PROJECTS_DIR", "/t", "transcripts.claude_code", "/t"),
    ("CODEX_HOME", "/c", "transcripts.codex", "/c/sessions"),
    ("CODEX_HOME", "/c", "views.shared", "/c/memories/fireworks-skill-memory"),
    ("OPENAI_BASE_URL", "http://[::1]:8080/v1", "distiller.openai_url", "http://[::1]:8080/v1"),
    ("OPENAI_MODEL", "gpt-6", "distiller.openai_model", "gpt-6"),
]


@requirement("U014", "F64")
@pytest.mark.parametrize(("variable", "text", "key", "value"), SEED_VARIABLES)
def test_a_variable_of_the_older_systems_is_honoured(
    world: World, variable: str, text: str, key: str, value: object
) -> None:
    config = world.load({variable: text})

    assert config.value(BY_KEY[key]) == value


@requirement("U014")
def test_a_home_of_the_older_systems_places_views_and_never_the_store(world: World) -> None:
    config = world.load({"AI_MEMORY_HOME": "/m", "CODEX_HOME": "/c"})

    assert config.text("views.shared") == "/m"
    assert config.home == str(world.home)
    assert config.store == str(world.home / "twiceshy.db")


@requirement("U014", "U168")
def test_an_api_key_is_known_to_be_there_and_never_shown(world: World) -> None:
    config = world.load({"OPENAI_API_KEY": "sk-very-secret"})

    assert config.secrets == ("OPENAI_API_KEY",)
    assert "very-secret" not in repr([config, config.fields(), config.explain_settings()])
    assert world.load().secrets == ()


@pytest.mark.parametrize("setting", SINGLE, ids=key_of)
def test_every_setting_has_a_variable_of_ours_named_after_it(
    world: World, setting: Setting
) -> None:
    ours = "TWICESHY_" + setting.key.upper().replace(".", "_")
    wanted = another(setting)
    text = ", ".join(wanted) if isinstance(wanted, tuple) else str(wanted)

    config = world.load({ours: text})

    assert config.value(setting) == wanted
    assert row(config, setting.key).source == f"environment {ours}"


def test_our_own_variable_is_stronger_than_a_seed_of_the_same_setting(world: World) -> None:
    config = world.load({"SKILL_MAX": "30", "TWICESHY_NOTES_SKILL_MAX": "40"})

    assert config.integer("notes.skill_max") == 40
    assert [each.value for each in row(config, "notes.skill_max").shadowed] == [30, 100]


@pytest.mark.parametrize("nothing", ["", "  ", "\n"])
def test_an_empty_variable_counts_as_unset(world: World, nothing: str) -> None:
    config = world.load(
        {"SKILL_MAX": nothing, "TWICESHY_LANGUAGE": nothing, "AI_MEMORY_HOME": nothing}
    )

    assert config == world.load()


@pytest.mark.parametrize(
    ("variable", "text", "allowed"),
    [
        ("SKILL_MAX", "many", "a whole number from 1 to 100,000"),
        ("SKILL_MAX", "0", "a whole number from 1 to 100,000"),
        ("SKILL_MAX", "9" * 5_000, "a whole number from 1 to 100,000"),
        ("TWICESHY_HOLDOUT_SHARE", "nan", "a number from 0 to 0.5"),
        ("TWICESHY_LANGUAGE", "fr", "one of auto, en, zh"),
        ("TWICESHY_DISTILLER_BACKEND", "something", "one of none, claude-cli, openai, null"),
        ("SKILLS_DISTILLER_DEBUG", "perhaps", "true or false"),
        ("OPENAI_BASE_URL", "ftp://host", "https:// or http://"),
        ("OPENAI_MODEL", "--dangerous", "does not begin with -"),
        ("AI_MEMORY_HOME", "~someone/else", "a path"),
        ("TWICESHY_EXPIRY_DAYS", "task=3", "a table"),
        ("TWICESHY_EXPIRY_DAYS", '{"tusk": 3}', "called one of lesson"),
        ("TWICESHY_GUARDS_ALLOWED", "[" * 90_000, "a list"),
        ("TWICESHY_REDACT_EXTRA", "abc", "4 characters or more"),
    ],
)
def test_a_variable_that_makes_no_sense_is_named_with_what_is_allowed(
    world: World, variable: str, text: str, allowed: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        world.load({variable: text})

    assert variable in str(refused.value)
    assert allowed in str(refused.value)
    assert variable in refused.value.hint


def test_in_a_hook_a_variable_that_makes_no_sense_is_only_a_problem(world: World) -> None:
    world.write(world.mine, "notes.skill_max = 7")

    config = world.load({"SKILL_MAX": "many"}, strict=False)

    assert config.integer("notes.skill_max") == 7
    assert config.problems == (
        "environment SKILL_MAX: notes.skill_max must be a whole number from 1 to 100,000",
    )


# --- the memory home and other places


@pytest.mark.parametrize(
    ("said", "home"),
    [("~", ""), ("~/memory", "/memory"), ("~/a/../b/", "/b"), ("", "/.twiceshy")],
)
def test_a_tilde_is_the_users_home(world: World, said: str, home: str) -> None:
    config = world.load({"TWICESHY_HOME": said})

    assert config.home == f"{world.user}{home}"


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("said", ["memory", "./memory", "~someone/memory", "/m\x1b[2J"])
def test_a_memory_home_that_depends_on_the_folder_is_refused(
    world: World, said: str, strict: bool
) -> None:
    with pytest.raises(ConfigError, match="TWICESHY_HOME must be an absolute path"):
        world.load({"TWICESHY_HOME": said}, strict=strict)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("below", ["", "/memory", "/a/b"])
def test_a_memory_home_that_is_a_file_or_below_one_is_refused_even_in_a_hook(
    world: World, strict: bool, below: str
) -> None:
    file = world.user / "file"
    file.touch()

    with pytest.raises(ConfigError, match="file is not a folder") as refused:
        world.load({"TWICESHY_HOME": f"{file}{below}"}, strict=strict)

    assert "TWICESHY_HOME" in refused.value.hint


def test_a_relative_path_starts_where_it_was_said(world: World) -> None:
    world.write(world.mine, "logs.run = 'logs/run.log'\nviews.shared = '~/shared'")

    config = world.load({"SKILLS_STATS_FILE": "../stats.json"})

    assert config.text("logs.run") == str(world.home / "logs" / "run.log")
    assert config.text("views.shared") == str(world.user / "shared")
    assert config.text("views.skill_stats") == str(world.deep.parent / "stats.json")


def test_the_store_can_be_another_file_or_an_address(world: World) -> None:
    assert world.load({"TWICESHY_STORE": "/srv/notes.db"}).store == "/srv/notes.db"
    assert world.load({"TWICESHY_STORE": "postgresql://h/db"}).store == "postgresql://h/db"


# --- the project's file


def test_the_project_file_is_found_from_any_folder_of_the_repository(world: World) -> None:
    world.write(world.theirs, "retention.sessions = 2")

    kept = [world.load(cwd=at).integer("retention.sessions") for at in (world.project, world.deep)]

    assert kept == [2, 2]


def test_the_nearest_project_file_holds_alone(world: World) -> None:
    world.write(world.theirs, "retention.sessions = 2\nkeeper.save_interval = 2")
    world.write(world.deep.parent / ".twiceshy.toml", "retention.sessions = 3")

    config = world.load()

    assert config.integer("retention.sessions") == 3
    assert config.integer("keeper.save_interval") == 15


def test_files_above_the_repository_or_in_the_users_home_are_no_project_files(
    world: World,
) -> None:
    for folder in (world.user, world.user.parent, world.project.parent):
        world.write(folder / ".twiceshy.toml", "retention.sessions = 2")

    config = world.load()

    assert config.integer("retention.sessions") == 30
    assert world.load(cwd=world.user).integer("retention.sessions") == 30
    assert world.load(cwd=world.project.parent).integer("retention.sessions") == 2


def test_a_home_reached_through_a_link_is_still_the_home(world: World, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(world.user)
    world.write(world.user / ".twiceshy.toml", "retention.sessions = 2")

    config = load_config({}, cwd=str(world.user), home_dir=str(link))

    assert config.integer("retention.sessions") == 30


@pytest.mark.parametrize("setting", PROTECTED, ids=key_of)
def test_a_project_cannot_set_what_is_not_its_own(world: World, setting: Setting) -> None:
    world.write(world.theirs, toml({setting.key: another(setting)}))

    config = world.load()

    assert config == world.load(cwd=world.user).but(trouble=config.trouble)
    assert len(config.problems) == 1
    assert f"file {world.theirs}: {setting.key} cannot be set" in config.problems[0]
    assert row(config, setting.key).refused == config.problems


@given(drawn=st.data())
def test_whatever_a_project_says_its_user_keeps_what_is_protected(
    world: World, drawn: st.DataObject
) -> None:
    everything = {s.key: drawn.draw(values_of(s)) for s in SINGLE if drawn.draw(st.booleans())}
    world.write(world.theirs, toml(everything))

    with_it, without_it = world.load(), world.load(cwd=world.user)

    kept = [setting for setting in PROTECTED if not setting.table]
    assert [with_it.value(s) for s in kept] == [without_it.value(s) for s in kept]
    assert with_it.secrets == without_it.secrets


@given(drawn=st.data())
def test_a_project_never_makes_laxer_what_it_may_only_tighten(
    world: World, drawn: st.DataObject
) -> None:
    setting = drawn.draw(st.sampled_from(STRICTER))
    mine, theirs = drawn.draw(values_of(setting)), drawn.draw(values_of(setting))
    world.write(world.mine, toml({setting.key: mine}))
    world.write(world.theirs, toml({setting.key: theirs}))

    config = world.load()

    held = config.value(setting)
    if isinstance(setting.shape, ChoiceShape):
        order = setting.shape.options.index
        assert held == max(str(mine), str(theirs), key=order)
    elif isinstance(mine, tuple) and isinstance(theirs, tuple):
        assert isinstance(held, tuple)
        assert set(held) == {*mine, *theirs}
    elif not isinstance(mine, str | tuple) and not isinstance(theirs, str | tuple):
        assert held == min(mine, theirs)
    else:
        pytest.fail(f"nobody said what stricter means for {setting.key}")
    assert bool(config.problems) == (held == mine != theirs and not isinstance(mine, tuple))


def test_the_user_can_still_loosen_what_a_project_tightened(world: World) -> None:
    world.write(world.theirs, "guards.mode = 'deny'\nembed.on = false")

    config = world.load({"TWICESHY_GUARDS_MODE": "off"})

    assert config.text("guards.mode") == "off"
    assert not config.flag("embed.on")


def a_directory(file: Path) -> None:
    file.mkdir()


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def a_link_to_endless_bytes(file: Path) -> None:
    file.symlink_to("/dev/zero")


def a_link_to_another_file(file: Path) -> None:
    other = file.with_name("other.toml")
    other.write_text("language = 'zh'", encoding="utf-8")
    file.symlink_to(other)


def content(text: bytes) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        file.write_bytes(text)

    return write


HOSTILE = {
    "a directory": a_directory,
    "a pipe": a_pipe,
    "a link to endless bytes": a_link_to_endless_bytes,
    "a link to another file": a_link_to_another_file,
    "too large": content(b"#" * 20_000),
    "not text": content(b"\xff\xfe\x00"),
    "not TOML": content(b"language = "),
    "nested without end": content(b"x = " + b"[" * 16_000),
    "a number without end": content(b"x = " + b"9" * 16_000),
    "said twice": content(b"language = 'zh'\nlanguage = 'zh'"),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_project_file_stops_nobody(world: World, make: Callable[[Path], None]) -> None:
    make(world.theirs)
    world.write(world.mine, "brief.skill_notes = 3")

    config = world.load()

    assert config.integer("brief.skill_notes") == 3
    assert config.integer("retention.sessions") == 30
    assert len(config.problems) == 1
    assert config.problems[0].startswith(f"file {world.theirs}: ")


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 9_000, '{"saveInterval": "often"}'])
def test_a_broken_file_of_memory_keeper_stops_nobody(world: World, text: str) -> None:
    world.write(world.keeper, text)
    world.write(world.project_keeper, '{"saveInterval": 9, "other": {}}')

    config = world.load()

    assert config.integer("keeper.save_interval") == 9
    assert len(config.problems) == 1


@given(keys=st.lists(st.text(max_size=100), min_size=1, max_size=15, unique=True))
def test_a_problem_is_one_printable_line_whatever_a_project_writes(
    world: World, keys: list[str]
) -> None:
    escaped = ("".join(f"\\U{ord(char):08x}" for char in key) for key in keys)
    world.write(world.theirs, "".join(f'"{key}" = 1\n' for key in escaped))

    problems = world.load().problems

    longest = 700 + len(str(world.theirs))
    assert len(problems) == len(keys)
    assert all(line.isprintable() and len(line) < longest for line in problems)


def test_a_file_full_of_mistakes_is_reported_in_few_lines(world: World) -> None:
    world.write(world.theirs, "".join(f"x{number} = 1\n" for number in range(1_000)))

    problems = world.load().problems

    assert len(problems) == 21
    assert problems[-1] == f"file {world.theirs}: and 980 more problems"


# --- mistakes


def test_a_misspelt_key_is_reported_with_the_one_that_was_meant(world: World) -> None:
    world.write(world.mine, "[brief]\nskil_tokens = 100\n[bref]\nx = 1")

    config = world.load()

    assert config.problems[0] == (
        f"file {world.mine}: no setting is called brief.skil_tokens; "
        "did you mean brief.skill_tokens?"
    )
    assert config.problems[1] == f"file {world.mine}: no setting is called bref"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("brief.skill_tokens = '300'", "brief.skill_tokens must be a whole number"),
        ("brief.skill_tokens = true", "brief.skill_tokens must be a whole number"),
        ("brief.skill_tokens = 99999", "from 0 to 2,250"),
        ("brief = 3", "no setting is called brief"),
        ("'brief.skill_tokens' = 300", 'no setting is called "brief.skill_tokens"'),
        ("rank.recency = -0.1", "rank.recency must be a number from 0 to 1"),
        ("guards.allowed = 'x'", "guards.allowed must be a list"),
        ("guards.allowed = ['x', 3]", "guards.allowed must be a list"),
        ('guards.allowed = ["a\\u202eb"]', "guards.allowed must be a list"),
        ("keeper.banner = 1", "keeper.banner must be true or false"),
        ("update.check = true", "update.check is no longer used"),
        ("expiry.days = 3", "expiry.days must be a table"),
        ("expiry.days.tusk = 3", "expiry.days.tusk must be a table"),
        ("words.actions.x = 'y'", "words.actions.x must be a table"),
        ("words.actions.' ' = ['y']", "words.actions.  must be a table"),
        ('words.actions."a\\u001bb" = ["y"]', "words.actions.a\\x1bb must be a table"),
        ("home = '/elsewhere'", "home cannot be set in a file; set TWICESHY_HOME"),
    ],
)
def test_a_wrong_value_in_the_users_file_is_reported_and_not_followed(
    world: World, text: str, problem: str
) -> None:
    world.write(world.mine, text)

    config = world.load()

    assert [each.key for each in config.assigned] == ["home"]
    assert len(config.problems) == 1
    assert problem in config.problems[0]


@pytest.mark.parametrize(
    ("content_of_file", "message"),
    [
        (
            "retention.sessions = 2\nbrief.skill_notes =\n",
            r"config.toml is not valid TOML: .*line 2",
        ),
        ("#" * 300_000, "larger than"),
    ],
)
def test_a_users_file_that_cannot_be_read_is_an_error_but_not_in_a_hook(
    world: World, content_of_file: str, message: str
) -> None:
    world.write(world.mine, content_of_file)
    world.write(world.theirs, "retention.sessions = 3")

    with pytest.raises(ConfigError, match=message):
        world.load()

    config = world.load(strict=False)
    assert config.integer("retention.sessions") == 3
    assert config.problems[0].startswith(f"file {world.mine}: is ")


def test_asking_for_a_setting_that_does_not_exist_is_a_mistake_in_code(world: World) -> None:
    config = world.load()

    with pytest.raises(KeyError, match=r"brief\.skill_tokens"):
        config.integer("brief.skill_token")


@pytest.mark.parametrize(
    ("accessor", "key"),
    [
        ("flag", "brief.skill_tokens"),
        ("integer", "keeper.banner"),
        ("integer", "rank.recency"),
        ("number", "brief.skill_tokens"),
        ("text", "guards.protected"),
        ("items", "language"),
        ("items", "words.actions"),
        ("table", "guards.protected"),
        ("counts", "brief.skill_tokens"),
    ],
)
def test_asking_for_another_type_is_a_mistake_in_code(
    world: World, accessor: str, key: str
) -> None:
    config = world.load()

    with pytest.raises(TypeError, match=key):
        getattr(config, accessor)(key)


# --- what is handed out


def test_a_config_cannot_be_changed(world: World) -> None:
    config = world.load()
    config.table("words.actions").clear()

    assert config.table("words.actions")
    with pytest.raises(AttributeError, match="frozen"):
        config.assigned = ()  # type: ignore[misc]  # that it must fail is the point
    with pytest.raises(AttributeError, match="frozen"):
        SETTINGS[0].default = "x"  # type: ignore[misc]  # that it must fail is the point


def test_the_same_circumstances_give_the_same_config(world: World) -> None:
    world.write(world.mine, "language = 'zh'\nredact.extra = ['mine']")

    assert world.load() == world.load()
    assert hash(world.load()) == hash(world.load())


def test_every_value_is_explained_with_what_it_stands_in_front_of(world: World) -> None:
    world.write(world.mine, "keeper.save_interval = 4\nexpiry.days.task = 9")
    world.write(world.theirs, "keeper.save_interval = 3\nexpiry.days = { task = 8, issue = 7 }")

    config = world.load({"TWICESHY_KEEPER_SAVE_INTERVAL": "2"})

    explained = config.explain_settings()
    notes = row(config, "keeper.save_interval")
    assert {each.key for each in explained} == {setting.key for setting in SETTINGS}
    assert (notes.value, notes.source) == (2, "environment TWICESHY_KEEPER_SAVE_INTERVAL")
    assert [(each.value, each.source) for each in notes.shadowed] == [
        (3, f"file {world.theirs}"),
        (4, f"file {world.mine}"),
        (15, "default"),
    ]
    assert [(e.entry, e.value) for e in explained if e.key == "expiry.days"] == [
        ("task", 8),
        ("issue", 7),
    ]
    assert [each.key for each in explained if each.changed] == [
        *("home", "expiry.days", "expiry.days", "keeper.save_interval"),
    ]


@requirement("U168")
def test_what_is_explained_holds_no_secret(world: World) -> None:
    world.write(world.mine, "redact.extra = ['Project Nightfall']")

    config = world.load(
        {
            "TWICESHY_STORE": "postgresql://me:hunter2@db.example/notes?password=hunter2",
            "OPENAI_BASE_URL": "https://me:hunter2@proxy.example/v1",
            "TWICESHY_REDACT_EXTRA": "Project Daybreak",
        }
    )

    shown = repr(config.explain_settings()) + repr(config)
    assert "hunter2" not in shown
    assert "Project" not in shown
    assert "postgresql://***@db.example/notes?***" in shown
    assert "https://***@proxy.example/v1" in shown
    assert config.store.count("hunter2") == 2
    assert config.items("redact.extra") == ("Project Daybreak",)


# --- what it costs


def test_loading_settings_loads_no_slow_module() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n"
        "from twiceshy.config.load import load_config\n"
        "load_config({'TWICESHY_STORE': '/s'}, cwd='/nowhere', home_dir='/nowhere/home', strict=False)\n"
        "print(*sys.modules)"
    )

    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout.split()

    slow = {
        "tomllib",
        "typing",
        "dataclasses",
        "pathlib",
        "enum",
        "re",
        "json",
        "difflib",
        "click",
    }
    assert slow.isdisjoint(loaded)
    assert "twiceshy.config.edit" not in loaded


# --- what hooks ask for


@pytest.mark.parametrize("key", quick.DEFAULTS)
def test_hooks_are_given_the_defaults_of_the_table(key: str) -> None:
    assert quick.DEFAULTS[key] == BY_KEY[key].default


def test_every_variable_that_could_set_them_is_looked_for() -> None:
    variables = {name for key in quick.DEFAULTS for name in BY_KEY[key].variables}
    variables |= {name for key in ("home", "store.path") for name in BY_KEY[key].variables}

    assert {name for name in variables if not name.startswith("TWICESHY_")} == set(quick.SEEDS)


def test_hooks_do_not_load_the_settings_while_nobody_set_any(tmp_path: Path) -> None:
    environ = {"TWICESHY_HOME": str(tmp_path / "home"), "OPENAI_MODEL": "x", "PATH": "/bin"}

    defaults = quick.load_quick_config(environ, cwd=str(tmp_path), home_dir=str(tmp_path))

    assert defaults
    assert defaults.home == str(tmp_path / "home")
    assert defaults.store == str(tmp_path / "home/twiceshy.db")
    assert defaults.integer("hook.lock_ms") == 100
    assert defaults.number("rank.recency") == 0.25
    assert defaults.text("skills.policy") == "auto"
    assert defaults.items("redact.extra") == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda folder, environ: (folder / "home").mkdir() or (folder / "home/config.toml").touch(),
        lambda folder, environ: (folder / ".twiceshy.toml").touch(),
        lambda folder, environ: environ.update(SKILLS_INJECT_TOP="3"),
        lambda folder, environ: environ.update(TWICESHY_SKILLS_POLICY="off"),
        lambda folder, environ: environ.update(TWICESHY_STORE="/s"),
        lambda folder, environ: environ.update(TWICESHY_HOME="relative"),
    ],
    ids=["user's file", "project's file", "seed's variable", "our variable", "store", "odd home"],
)
def test_as_soon_as_somebody_may_have_set_one_all_are_resolved_once(
    tmp_path: Path, change: Callable[[Path, dict[str, str]], object]
) -> None:
    environ = {"TWICESHY_HOME": str(tmp_path / "home")}
    change(tmp_path, environ)

    assert (
        quick.load_quick_config(environ, cwd=str(tmp_path), home_dir=str(tmp_path / "user"))
        is None
    )


# --- compiled for hooks


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., QuickConfig | None]:
    """Settings as hooks load them in a folder, compiled if they have to be resolved."""
    monkeypatch.setattr(compiled_settings, "_SETTLED_NS", -1)
    (tmp_path / "home").mkdir()

    def load(**environ: str) -> QuickConfig | None:
        given = {"TWICESHY_HOME": str(tmp_path / "home"), **environ}
        where = {"cwd": str(tmp_path / "shop"), "home_dir": str(tmp_path / "user")}
        found = quick.load_quick_config(given, **where)
        if found is None:
            config = load_config(given, strict=False, **where)
            compiled_settings.compile_settings(config, given, **where)
        return found

    return load


@requirement("H06")
@given(drawn=st.data())
@settings(max_examples=15)
def test_compiled_settings_are_the_resolved_ones(
    compiled: Callable[..., QuickConfig | None], tmp_path: Path, drawn: st.DataObject
) -> None:
    keys = drawn.draw(st.lists(st.sampled_from(sorted(quick.DEFAULTS)), max_size=4, unique=True))
    chosen = {key: drawn.draw(values_of(BY_KEY[key])) for key in keys}
    (tmp_path / "home/config.toml").write_text(toml(chosen))

    compiled()
    found = compiled()

    environ = {"TWICESHY_HOME": str(tmp_path / "home")}
    config = load_config(
        environ, cwd=str(tmp_path / "shop"), home_dir=str(tmp_path / "user"), strict=False
    )
    assert found is not None
    assert {key: found.values[key] for key in quick.DEFAULTS} == {
        key: config.value(BY_KEY[key]) for key in quick.DEFAULTS
    }
    assert (found.home, found.store, found.run_log) == (config.home, config.store, config.run_log)


@requirement("H06")
def test_a_changed_settings_file_counts_at_once(
    compiled: Callable[..., QuickConfig | None], tmp_path: Path
) -> None:
    path, own = tmp_path / "home/config.toml", tmp_path / "shop/.twiceshy.toml"
    own.parent.mkdir()
    path.write_text("[hook]\nlock_ms = 111\n")
    compiled()
    first = compiled()
    assert first is not None
    assert first.integer("hook.lock_ms") == 111

    path.write_text("[hook]\nlock_ms = 222\n")
    assert compiled() is None
    own.write_text("[keeper]\nsave_interval = 10\n")
    assert compiled() is None
    now = compiled()
    assert now is not None
    assert (now.integer("hook.lock_ms"), now.integer("keeper.save_interval")) == (222, 10)
    path.unlink()
    assert compiled() is None
    own.unlink()
    rest = compiled()
    assert rest is not None
    assert rest.values == quick.DEFAULTS


@requirement("H06")
def test_a_settings_file_behind_a_link_counts_at_once(
    compiled: Callable[..., QuickConfig | None], tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles.toml"
    (tmp_path / "home/config.toml").symlink_to(real)
    real.write_text("[hook]\nlock_ms = 111\n")
    compiled()
    assert compiled() is not None

    real.write_text("[hook]\nlock_ms = 222\n")

    assert compiled() is None
    now = compiled()
    assert now is not None
    assert now.integer("hook.lock_ms") == 222


@requirement("H06")
def test_variables_are_part_of_what_is_compiled_and_secrets_are_not(
    compiled: Callable[..., QuickConfig | None], tmp_path: Path
) -> None:
    compiled(TWICESHY_HOOK_LOCK_MS="7", TWICESHY_HOOK_DEADLINE_MS="9999")
    compiled(TWICESHY_HOOK_LOCK_MS="7", TWICESHY_REDACT_EXTRA="hunter2hunter2")
    said = compiled(TWICESHY_HOOK_LOCK_MS="7", TWICESHY_HOOK_DEADLINE_MS="9999")
    plain = compiled(TWICESHY_HOOK_DEADLINE_MS="9999")

    assert said is not None
    assert said.integer("hook.lock_ms") == 7
    assert said.integer("hook.deadline_ms") == 9999
    assert plain is not None
    assert plain.integer("hook.deadline_ms") == 300
    assert compiled(TWICESHY_HOOK_LOCK_MS="7") is None
    kept = b"".join(path.read_bytes() for path in (tmp_path / "home/settings").iterdir())
    assert b"hunter2" not in kept


@requirement("H06")
@pytest.mark.parametrize("content", [b"", b"{", b'{"version":"0","stamps":{},"values":{}}', b"[]"])
def test_a_damaged_compiled_file_is_made_again(
    compiled: Callable[..., QuickConfig | None], tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "home/config.toml").write_text("[hook]\nlock_ms = 111\n")
    compiled()
    [path] = (tmp_path / "home/settings").iterdir()
    path.write_bytes(content)

    assert compiled() is None
    found = compiled()
    assert found is not None
    assert found.integer("hook.lock_ms") == 111
    assert path.stat().st_mode & 0o077 == 0
