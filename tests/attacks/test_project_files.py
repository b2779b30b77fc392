"""A project's settings file weakens nothing: neither for its own user nor for other projects."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.checkouts import User, git
from tests.attacks.tally import Tally
from tests.person import run_by_person
from tests.requirements import requirement

from twiceshy.config.settings import BY_KEY, SETTINGS

FAMILY = "settings files of projects"
NAME = ".twiceshy.toml"
# Every key that a project may set, and why that is harmless. A new one needs its reason here.
ALLOWED = {
    "expiry.days": "notes of that project only, and no rules or preferences; they are retired, not erased",
    "retention.sessions": "sessions of that project only, which become lines of an archive",
    "retention.checkpoints": "checkpoints of that project only, likewise",
    "retention.archive_days": "the same, and the newest stays",
    "learn.transcript_lines": "can only be lowered: less of that project's sessions is sent to a model",
    "learn.promote": "can only be switched off: nothing is asked of a summariser there",
    "distiller.daily_calls": "can only be lowered: fewer calls that the user pays for",
    "embed.on": "can only be switched off: no text of that project is embedded elsewhere",
    "keeper.save_interval": "counts only where the user has switched the banner on",
    "keeper.banner": "can only be switched off",
    "projects.patterns": "names sessions of that project; no pattern is a regular expression",
    "words.actions": "names the kind of work of that project's sessions",
    "stops.mode": "can only be made stricter",
    "guards.mode": "can only be made stricter",
    "guards.push_secrets": "can only be made stricter",
    "guards.protected": "can only add names, at most 50, each with three letters or digits",
    "redact.extra": "for texts of that project only, at most 20, each with eight letters or digits",
}


def other_value(key: str) -> str:
    """Return another value than the default, as TOML."""
    asked = BY_KEY[key]
    for text in (
        "true",
        "false",
        "0",
        "1",
        "2",
        "0.35",
        "250",
        "'off'",
        "'null'",
        "'opt-in'",
        "'server'",
        "'onnx'",
        "'fireworks'",
        "'zh'",
        "'https://x.example'",
        "'/x'",
        "['a-long-text-of-theirs']",
        "['fireworks']",
    ):
        value = json.loads(text.replace("'", '"'))
        if asked.shape.accept(value) not in (None, asked.default):
            if not asked.table:
                return text
            entry = asked.names[0] if asked.names else "x"
            return f"{{ {entry} = {text} }}"
    raise AssertionError(f"no other value for {key}")


@requirement("Y73")
def test_a_project_sets_only_what_has_a_reason() -> None:
    assert {one.key for one in SETTINGS if one.project != "no"} == set(ALLOWED)
    assert all(len(reason) > 15 for reason in ALLOWED.values())


@requirement("Y73")
def test_every_other_key_of_a_project_file_is_ignored_and_named(
    tmp_path: Path, home: Path, tally: Tally
) -> None:
    keys = [one.key for one in SETTINGS if one.key not in ALLOWED and one.file]
    place = tmp_path / "clone"
    place.mkdir()
    before = json.loads(run_by_person("config", "--json", cwd=place, env={}).out)

    for key in keys:
        (place / NAME).write_text(f"{key} = {other_value(key)}\n")
        ran = run_by_person("config", "--json", cwd=place, env={})
        explained = run_by_person("config", "--explain", cwd=place, env={})
        named = f"{key} cannot be set by a project" in explained.err
        held = json.loads(ran.out) == before
        tally.count_attack(FAMILY, key, succeeded=not (named and held))
    (place / NAME).write_text(f"{keys[0]} = {other_value(keys[0])}\n")
    doctor = run_by_person("doctor", cwd=place, env={}).out

    assert tally.succeeded == []
    assert len(keys) > 60
    assert f"{keys[0]} cannot be set by a project" in doctor


WORDS = ["'error'", "'that'", "'release'", "'    '", "'----------'", "'e'", f"'{'x' * 300}'"]


@requirement("Y74")
@pytest.mark.parametrize("words", [*WORDS, ",".join(f"'word no {n:04}'" for n in range(400))])
def test_words_that_mean_nothing_blank_nothing(words: str, tmp_path: Path, home: Path) -> None:
    place = tmp_path / "clone"
    place.mkdir()
    (place / NAME).write_text(f"redact.extra = [{words}]\n")
    text = "An error of that release: word no 0399 is wrong, ---------- and so on."

    run_by_person("note", text, cwd=place, env={})

    assert "An error of that release: word no 0399" in run_by_person("list", cwd=place, env={}).out


@pytest.fixture
def two(tmp_path: Path, home: Path) -> tuple[User, Path, Path]:
    """A user with a shop, and a clone whose file names a word of the shop."""
    user, shop, clone = User(home), tmp_path / "shop", tmp_path / "clone"
    for path in (shop, clone):
        path.mkdir()
        git(path, "init", "-q")
        git(path, "commit", "-q", "--allow-empty", "-m", path.name)
    user.learn("The shop signs with Bluestampings today.", shop)
    (clone / NAME).write_text('redact.extra = ["Bluestampings", "today today"]\n')
    return user, shop, clone


@requirement("Y74")
def test_the_words_of_a_project_are_redacted_in_its_own_texts(
    two: tuple[User, Path, Path],
) -> None:
    user, _, clone = two

    user.learn("We use Bluestampings here.", clone)
    told = user.tell(clone)

    assert "Bluestampings" not in told
    assert "We use [REDACTED" in told


@requirement("Y74")
def test_the_words_of_a_project_spoil_no_other_text(
    two: tuple[User, Path, Path], tmp_path: Path, tally: Tally
) -> None:
    user, shop, clone = two
    remote = tmp_path / "memory.git"
    remote.mkdir()
    git(remote, "init", "-q", "--bare")

    user.run("note", "Everywhere: Bluestampings.", "--everywhere", at=clone)
    user.run("note", "Of the shop: Bluestampings.", "--project", str(shop), at=clone)
    user.run("export", str(tmp_path / "all.jsonl"), at=clone)
    user.run("export", "--as", "fireworks", str(tmp_path / "out"), at=clone)
    synced = run_by_person("sync", "--remote", str(remote), cwd=clone, env=user.env)
    lines = user.run("list", at=shop).splitlines()
    handle = next(line.split()[0] for line in lines if "today" in line)
    user.run("edit", handle, "The shop signs with Bluestampings, always.", at=clone)
    session = user.begin(shop)
    told = user.tell(shop)
    bundle = (tmp_path / "all.jsonl").read_text()

    spoilt = {
        "note for all projects": "Everywhere: Bluestampings" not in told,
        "note of another project": "Of the shop: Bluestampings" not in told,
        "export": bundle.count("Bluestampings") < 3 or "REDACTED" in bundle,
        "sync": synced.code != 0 or "forget" in synced.out + synced.err,
        "edit": "Bluestampings, always" not in told,
        "session": "Bluestampings" not in session,
    }
    for what, bad in spoilt.items():
        tally.count_attack(FAMILY, what, succeeded=bad)
    assert tally.succeeded == [], told


@requirement("Y73")
def test_a_project_cannot_let_notes_of_all_projects_expire(tmp_path: Path, home: Path) -> None:
    place = tmp_path / "clone"
    place.mkdir()
    (place / NAME).write_text("[expiry.days]\nlesson = 1\nrule = 1\npreference = 1\n")

    every = run_by_person("note", "For all.", "--everywhere", cwd=place, env={}).out.strip()
    own = run_by_person("note", "For one.", cwd=place, env={}).out.strip()
    explained = run_by_person("config", "--explain", cwd=place, env={}).err

    def expires(note: str) -> object:
        shown = json.loads(run_by_person("show", note, "--json", cwd=place, env={}).out)
        return (shown[0] if isinstance(shown, list) else shown)["expires_at"]

    assert not expires(every)
    assert expires(own)
    assert "expiry.days.rule cannot be set by a project" in explained
    assert "expiry.days.preference cannot be set by a project" in explained


@requirement("Y73")
@given(st.lists(st.text(max_size=6), max_size=60))
def test_no_pattern_of_a_project_makes_each_file_sensitive(patterns: list[str]) -> None:
    from twiceshy.config.layers import layer_from_document
    from twiceshy.config.resolved import Config
    from twiceshy.safety.guard.names import ProtectedNames

    base = Config("/home/u")
    document = {"guards": {"protected": [*patterns, "*", "**", "*.*", "?"]}}
    layer = layer_from_document(document, path=f"/c/{NAME}", below=base, project=True)
    held = base.with_layer(layer).items("guards.protected")

    names = ProtectedNames(held, ())
    assert not names.is_sensitive("src/q.zz")
    assert len(held) <= len(base.items("guards.protected")) + 50
