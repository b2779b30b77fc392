"""Before a call about which there is nothing to say, no store is opened; whatever is odd is looked at."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hooks.sessions import (
    TEXT,
    TRIGGER,
    Session,
    project_of,
    state,
    store_of,
    teach,
    twiceshy,
)
from tests.hooks.test_just_in_time import commands
from tests.requirements import requirement
from tests.store.support import bytes_under, modes_under

from twiceshy.config.quick import PROTECTED
from twiceshy.core.note import Note
from twiceshy.core.prefilter_words import (
    FOLDER,
    OURS,
    hash_name,
    name_watch_file,
    payload_may_match,
    required_words,
)
from twiceshy.core.scope import GLOBAL
from twiceshy.core.trigger import Trigger, parse_trigger
from twiceshy.safety.guard import list_prefilter_lines
from twiceshy.shell.call_words import call_words

COMMON = {"session_id": "s1", "cwd": "/home/u/shop", "hook_event_name": "PreToolUse"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def session(home: Path, project: Path) -> Session:
    """A session that has begun where something was noted about one command."""
    state(home, project)
    session = Session(project)
    session.start()
    return session


def watch(home: Path, project: Path, settings: Mapping[str, str] = MappingProxyType({})) -> Path:
    """Return the file that says what calls in a project must hold."""
    return home / FOLDER / name_watch_file(project_of(project).encode(), settings)


def pointer(home: Path, project: Path) -> Path:
    """Return the file that says which project a directory belongs to."""
    return home / FOLDER / hash_name(os.fsencode(project))


def words_of_notes(
    home: Path, project: Path, settings: Mapping[str, str] = MappingProxyType({})
) -> list[bytes]:
    """Return the lines that stand there for a note; guards and our own calls have some in every file."""
    guarded = [*list_prefilter_lines(PROTECTED), *OURS]
    lines = watch(home, project, settings).read_bytes().splitlines(keepends=True)
    assert set(guarded) <= set(lines)
    return [line for line in lines if line not in guarded]


def spoil_store(home: Path) -> None:
    for file in home.glob("twiceshy.db*"):
        file.unlink()
    (home / "twiceshy.db").write_bytes(b"This is no database. " * 400)


def opened_the_store(home: Path) -> bool:
    """Tell whether a hook met the spoiled store."""
    log = home / "hook.log"
    return log.exists() and "DamagedStoreError" in log.read_text()


def test_no_store_is_opened_for_a_call_that_nothing_is_known_about(
    home: Path, session: Session
) -> None:
    spoil_store(home)
    before = bytes_under(home)

    session.calls("make test")
    session.calls("git status --short")
    session.told("PreToolUse", **session.call("Read", file_path="/etc/make"))

    assert bytes_under(home) == before
    session.calls("make deploy")
    assert opened_the_store(home)


def test_a_project_without_such_notes_opens_no_store_before_any_call(
    home: Path, project: Path
) -> None:
    session = Session(project)
    session.start()
    spoil_store(home)

    session.calls("make deploy")

    assert words_of_notes(home, project) == []
    assert not opened_the_store(home)


@requirement("H10")
def test_a_lesson_that_can_stop_no_call_wakes_no_hook_before_one(
    home: Path, project: Path
) -> None:
    teach(home, project)
    session = Session(project)
    session.start()

    told = session.fails("make deploy")
    spoil_store(home)
    session.calls("make deploy")

    assert "make ship" in told
    assert words_of_notes(home, project) == []
    assert not opened_the_store(home)


@requirement("H10")
@pytest.mark.parametrize(
    ("calls", "settings", "wakes"),
    [
        ("ff", {}, False),
        ("fff", {}, True),
        ("fffw", {}, False),
        ("fff", {"TWICESHY_STOPS_MODE": "off"}, False),
        ("fff", {"TWICESHY_STOPS_MODE": "off", "TWICESHY_REWRITES_ON": "true"}, True),
    ],
)
def test_a_lesson_wakes_the_hook_before_a_call_while_it_may_stop_or_rewrite_it(
    home: Path, project: Path, calls: str, settings: dict[str, str], wakes: bool
) -> None:
    count_calls(home, teach(home, project), calls)
    session = Session(project)
    session.env = settings
    session.start()

    assert words_of_notes(home, project, settings) == [b"deploy\tmake\n"] * wakes


@requirement("H10")
def test_failures_in_one_project_let_hooks_of_another_look_for_a_global_lesson(
    home: Path, project: Path, tmp_path: Path
) -> None:
    error = "Exit code 1\ngit: 'stauts' is not a git command. See 'git --help'."
    lesson = teach(home, project, scope=GLOBAL, trigger="Bash/usage git stauts")
    count_calls(home, lesson, "ff")
    blog = tmp_path / "blog"
    blog.mkdir()
    Session(blog, "before").start()
    assert words_of_notes(home, blog) == []

    teaching = Session(project, "teaching")
    teaching.start()
    teaching.works(("git stauts", error), ("git status", None), seconds=40)
    twiceshy(project, "distill", "--transcript", str(teaching.transcript))
    later = Session(blog, "later")
    later.start()

    said = later.answer("PreToolUse", **later.call("Bash", command="git stauts"))
    assert words_of_notes(home, blog) == [b"git\tstauts\n"]
    assert "permissionDecision" not in said  # it never failed there, so it is not stopped


def count_calls(home: Path, note: Note, calls: str) -> None:
    """Let earlier sessions have made calls that a lesson is about: f for failed, w for worked."""
    with store_of(home) as store, store.change():
        for call in calls:
            store.count_call([note.id], "", failed=call == "f", ran_ms=30_000)


def test_the_words_to_look_for_stand_in_owner_only_files(
    home: Path, project: Path, session: Session
) -> None:
    assert words_of_notes(home, project) == [b"deploy\tmake\n"]
    assert pointer(home, project).read_text() == watch(home, project).name
    modes = modes_under(home / FOLDER)
    assert modes.pop(".") == "0700"
    assert set(modes.values()) == {"0600"}
    assert session.name == "session-1"


@pytest.mark.parametrize("scope", [None, GLOBAL])
def test_what_was_written_since_is_looked_for_from_the_next_session_on(
    home: Path, project: Path, session: Session, scope: object
) -> None:
    more = {} if scope is None else {"scope": scope}
    state(home, project, "It is spelled install.", trigger="Bash instal pip", **more)

    following = Session(project, "session-2")
    following.start()

    assert "It is spelled" in following.calls("pip instal x")


def gone(file: Path) -> None:
    file.unlink()


def of_zeros(file: Path) -> None:
    file.write_bytes(b"\0" * 40)


def of_other_names(file: Path) -> None:
    (file.parent.parent / "empty").touch()
    file.write_bytes(b"../empty")


def huge(file: Path) -> None:
    file.write_bytes(b"never\n" * 400_000)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def a_link(file: Path) -> None:
    other = file.with_name("0" * 16)
    file.rename(other)
    other.write_bytes(b"")
    file.symlink_to(other)


def a_link_to_nowhere_ending(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


SPOILS = [gone, of_zeros, of_other_names, huge, a_folder, a_link, a_link_to_nowhere_ending, a_pipe]


@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__)
def test_a_pointer_that_is_not_ours_only_costs_a_look(
    home: Path, project: Path, session: Session, spoil: Callable[[Path], None]
) -> None:
    spoil(pointer(home, project))

    assert "make ship" in session.calls("make deploy")
    assert session.calls("ls") == ""
    assert not (home / "hook.log").exists()


@pytest.mark.parametrize(
    "spoil",
    [gone, huge, a_folder, a_link, a_link_to_nowhere_ending, a_pipe],
    ids=lambda spoil: spoil.__name__,
)
def test_a_list_of_words_that_is_not_ours_only_costs_a_look(
    home: Path, project: Path, session: Session, spoil: Callable[[Path], None]
) -> None:
    spoil(watch(home, project))

    assert "make ship" in session.calls("make deploy")
    assert session.calls("ls") == ""
    assert not (home / "hook.log").exists()


@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__)
def test_the_next_session_puts_right_what_is_not_ours(
    home: Path, project: Path, session: Session, spoil: Callable[[Path], None]
) -> None:
    spoil(pointer(home, project))

    Session(project, "session-2").start()

    assert session.name == "session-1"
    if spoil not in (a_folder, a_pipe):  # nobody removes what somebody else made
        assert pointer(home, project).is_file()
        assert not pointer(home, project).is_symlink()
        assert pointer(home, project).read_text() == watch(home, project).name


def test_a_session_is_kept_where_nothing_can_be_put_beside_it(home: Path, project: Path) -> None:
    teach(
        home,
        project,
        "Answers in English.",
        kind="preference",
        subtype="",
        trigger="",
        source="user",
    )
    (home / FOLDER).write_text("in the way")
    session = Session(project)

    assert "Answers in English." in session.start()
    assert session.calls("make deploy") == ""
    assert not (home / "hook.log").exists()
    from tests.hooks.sessions import exposures, store_of

    with store_of(home) as store:
        assert store.session("session-1") is not None
    assert [shown.channel for shown in exposures(home)] == ["start"]


def test_a_directory_whose_name_json_writes_otherwise_is_looked_at(
    home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / 'a "shop"'
    folder.mkdir()
    state(home, folder)
    session = Session(folder)
    session.start()

    assert "make ship" in session.calls("make deploy")


def test_the_directory_that_the_client_was_started_in_counts(
    home: Path, project: Path, session: Session
) -> None:
    (project / "web").mkdir()
    below = Session(project / "web")
    below.env = {"CLAUDE_PROJECT_DIR": str(project)}
    below.start("resume")
    spoil_store(home)

    below.calls("ls")

    assert not opened_the_store(home)
    assert session.project == project


def payload(command: str) -> bytes:
    call = {"tool_name": "Bash", "tool_input": {"command": command}}
    return json.dumps(COMMON | call, separators=(",", ":"), ensure_ascii=False).encode()


@given(command=commands, picks=st.lists(st.integers(0, 9), min_size=1, max_size=3))
def test_whatever_a_trigger_matches_is_heard(command: str, picks: list[int]) -> None:
    parts = call_words({"command": command})
    for part in parts:
        trigger = Trigger("Bash", tuple({part[pick % len(part)] for pick in picks}))

        assert trigger.matches("Bash", parts)
        assert payload_may_match(required_words(trigger), payload(command))


@given(text=st.text(max_size=40))
def test_whatever_is_in_an_argument_is_heard(text: str) -> None:
    given_ = {"skill": text, "file_path": f"/home/{text}/x"}
    call = {"tool_name": "Skill", "tool_input": given_}
    for plain in (False, True):
        raw = json.dumps(COMMON | call, ensure_ascii=plain).encode("utf-8", "surrogatepass")
        for gram in (gram for part in call_words(given_) for gram in part):
            assert payload_may_match(required_words(Trigger("Skill", (gram,))), raw)


def test_a_line_is_heard_when_all_its_words_are() -> None:
    trigger = parse_trigger(TRIGGER)
    assert trigger is not None
    lines = required_words(trigger) + b"instal\tpip\n"

    assert payload_may_match(lines, payload("make deploy"))
    assert payload_may_match(lines, payload("pip instal"))
    assert payload_may_match(lines, payload("m'ak'e dep\\loy"))
    assert not payload_may_match(lines, payload("make instal"))
    assert not payload_may_match(b"", payload(TEXT))
