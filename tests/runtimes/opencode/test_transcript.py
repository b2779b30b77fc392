"""A session of OpenCode is read once, as it grows, in a database that others write to."""

import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.runtimes.opencode.database import (
    AGENT,
    COLUMNS,
    SESSION,
    Database,
    bash,
    call,
    keys,
    recorded,
    text,
)

from twiceshy.core.errors import NotFoundError
from twiceshy.core.transcript import CallStep, InterruptStep, ResultStep, SummaryStep, UserMessage
from twiceshy.runtimes.claude_code import transcript as claude_code
from twiceshy.runtimes.opencode import transcript
from twiceshy.runtimes.opencode.transcript import read_transcript, transcript_size


@pytest.fixture
def database(tmp_path: Path) -> Database:
    made = Database(tmp_path)
    made.session()
    return made


def first_number(position: str) -> int:
    return int(position.partition("-")[0])


@requirement("R06")
def test_a_second_pass_reads_only_what_is_new(database: Database) -> None:
    database.said(1, "pack")
    first = read_transcript(database.place())
    steps = list(first)
    database.said(2, "ship")

    second = read_transcript(database.place(), after=first.position)

    assert [step.text for step in steps if isinstance(step, UserMessage)] == ["pack"]
    assert [step.text for step in second if isinstance(step, UserMessage)] == ["ship"]
    assert list(read_transcript(database.place(), after=second.position)) == []


def test_a_position_begins_with_the_size_when_all_was_read(database: Database) -> None:
    database.said(1, "pack")
    database.answer(2, text("Packed."), bash("ls", "a\n"))
    reading = read_transcript(database.place())

    list(reading)

    assert first_number(reading.position) == transcript_size(database.place()) > 0
    assert len(reading.position) < 40
    again = read_transcript(database.place(), after=reading.position)
    assert list(again) == []
    assert again.position == reading.position


def test_a_part_is_read_when_it_is_finished_and_none_behind_it_before(database: Database) -> None:
    database.said(1, "pack")
    running = call("bash", "call_1", {"command": "make"}, "running")
    done = bash("ls", "a\n", call_id="call_2")
    database.answer(2, running, done, unfinished=True)
    early = read_transcript(database.place())
    before = list(early)
    nothing_more = first_number(early.position) == transcript_size(database.place())
    database.answer(2, bash("make", "made\n"), done)

    later = list(read_transcript(database.place(), after=early.position))

    assert [type(step) for step in before] == [UserMessage]
    assert keys(later) == [
        "CallStep:call_1",
        "ResultStep:call_1",
        "CallStep:call_2",
        "ResultStep:call_2",
    ]
    assert nothing_more  # until something is finished, which is seen by the size
    assert first_number(early.position) != transcript_size(database.place())


def test_what_is_said_while_the_agent_works_waits_for_its_answer(database: Database) -> None:
    database.said(1, "pack")
    database.answer(2, text("Let me see."), unfinished=True)
    database.said(3, "and hurry")
    early = read_transcript(database.place())
    before = list(early)
    database.answer(2, text("Let me see."), bash("ls"))

    later = list(read_transcript(database.place(), after=early.position))

    assert [getattr(step, "text", "") for step in before] == ["pack", "Let me see."]
    assert keys(later) == ["CallStep:call_1", "ResultStep:call_1", "UserMessage:prt_003"]


def test_a_call_of_a_client_that_was_killed_is_told_once_another_answer_follows(
    database: Database,
) -> None:
    database.answer(1, call("bash", "call_1", {"command": "make"}, "running"), unfinished=True)
    alone = list(read_transcript(database.place()))
    database.said(2, "go on")
    database.answer(3, text("Yes."))

    steps = list(read_transcript(database.place()))

    assert alone == []
    assert keys(steps) == ["CallStep:call_1", "UserMessage:prt_002", "AgentMessage:prt_003_0"]


def test_after_a_revert_a_session_is_read_from_its_beginning(database: Database) -> None:
    database.said(1, "pack")
    database.said(2, "no, ship")
    reading = read_transcript(database.place())
    list(reading)
    database.delete("part", "prt_002")

    again = list(read_transcript(database.place(), after=reading.position))

    assert keys(again) == ["UserMessage:prt_001"]


def test_what_is_known_is_not_told_again(database: Database) -> None:
    database.said(1, "pack")
    database.answer(2, bash("ls"))
    known = {"UserMessage:prt_001"}
    reading = read_transcript(database.place(), known=known)

    steps = list(reading)

    assert keys(steps) == ["CallStep:call_1", "ResultStep:call_1"]
    assert "ResultStep:call_1" in known


def test_a_fork_repeats_its_calls_under_the_same_names_and_words_at_the_same_time(
    database: Database,
) -> None:
    database.session("ses_0f")
    for session, mark in ((SESSION, "a"), ("ses_0f", "b")):
        times = {"created": 1_767_603_600_000, "completed": 1}
        database.message(f"msg_{mark}", "user", session=session, time=times)
        database.part(
            f"prt_{mark}1", f"msg_{mark}", {"type": "text", "text": "x"}, session=session
        )
        database.message(f"msg_{mark}2", "assistant", session=session, time=times)
        database.part(f"prt_{mark}2", f"msg_{mark}2", bash("ls"), session=session)

    one, other = (list(read_transcript(database.place(name))) for name in (SESSION, "ses_0f"))

    assert keys(one)[1:] == keys(other)[1:] == ["CallStep:call_1", "ResultStep:call_1"]
    assert one[0].at == other[0].at


def test_a_subagent_is_part_of_its_session(tmp_path: Path) -> None:
    database = recorded(tmp_path, "subagent")
    root, agent = "ses_00000000000000000000002004", "ses_00000000000000000000002002"

    parts = transcript.list_session_parts(database.place(root))
    steps = list(read_transcript(database.place(agent)))

    assert parts == [database.place(root), database.place(agent)]
    assert {(step.session, step.agent) for step in steps} == {(root, agent)}
    assert not any(isinstance(step, UserMessage) for step in steps)  # an agent wrote its prompt
    assert transcript.read_opening(database.place(agent)).sessions == {root}


def test_sessions_that_start_each_other_are_an_end(database: Database) -> None:
    database.put("session", {"id": SESSION, "parent_id": AGENT, "directory": "/a"})
    database.put("session", {"id": AGENT, "parent_id": SESSION, "directory": "/a"})

    assert transcript.list_session_parts(database.place()) == [
        database.place(),
        database.place(AGENT),
    ]
    assert list(read_transcript(database.place())) == []


def test_a_compaction_leaves_its_summary(tmp_path: Path) -> None:
    database = recorded(tmp_path, "compaction")

    steps = list(read_transcript(database.place("ses_00000000000000000000003001")))

    (summary,) = (step for step in steps if isinstance(step, SummaryStep))
    assert (summary.summary, summary.automatic) == ("<summary>An aside.</summary>", True)
    assert [step.text for step in steps if isinstance(step, UserMessage)] == ["count the boxes"]


def test_an_answer_that_the_user_stopped_says_so_behind_its_parts(database: Database) -> None:
    database.said(1, "pack")
    database.answer(2, bash("ls"), error={"name": "MessageAbortedError"})
    database.said(3, "no, the other one")

    steps = list(read_transcript(database.place()))

    assert [type(step) for step in steps] == [
        UserMessage,
        CallStep,
        ResultStep,
        InterruptStep,
        UserMessage,
    ]


def test_all_sessions_are_found_the_oldest_first(database: Database) -> None:
    database.session(AGENT, SESSION)
    database.session("ses_09")
    database.put("session", {"id": "../odd", "directory": "/a", "time_created": 1})
    other = Database(database.path.parent, "opencode-dev.db")
    other.session("ses_dev")
    (database.path.parent / "other.db").write_text("")
    folder = str(database.path.parent)

    found = transcript.list_transcripts(folder)

    assert found == [other.place("ses_dev"), database.place(), database.place("ses_09")]
    assert transcript.find_transcript("ses_09", folder) == database.place("ses_09")
    assert transcript.find_transcript("ses_none", folder) == ""
    assert [transcript.session_of_path(path) for path in found[:2]] == ["ses_dev", SESSION]


def test_a_session_tells_where_and_when_it_began(database: Database) -> None:
    opening = transcript.read_opening(database.place())

    assert opening.sessions == {SESSION}
    assert (opening.cwd, opening.at) == ("/home/u/shop", "2026-01-05T09:00:01.000Z")
    assert transcript.read_opening(database.place("ses_none")).sessions == frozenset()


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("/home/u/.local/share/opencode/opencode.db#ses_1", True),
        ("/x/opencode-dev.db#ses_1", True),
        ("/x/opencode.db", False),
        ("/x/opencode.db#", False),
        ("/home/u/.claude/projects/-x/00.jsonl", False),
        ("/x/opencode.db#a/b.jsonl", False),
        ("/x/other.db#ses_1", False),
    ],
)
def test_a_transcript_is_known_by_its_path(path: str, ours: bool) -> None:
    assert transcript.owns_transcript(path) is ours
    assert not (ours and claude_code.owns_transcript(path))


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    folder = tmp_path / "opencode"
    folder.mkdir()
    place = f"{folder}/opencode.db#ses_1"

    with pytest.raises(NotFoundError):
        list(read_transcript(place))

    assert transcript_size(place) == -1
    assert transcript.list_session_parts(place) == [place]
    assert transcript.list_transcripts(str(folder)) == []
    assert transcript.read_opening(place).cwd == ""
    assert os.listdir(folder) == []


@pytest.mark.parametrize("content", [b"", b"This is no database. " * 400])
def test_a_file_that_is_no_database_is_no_transcript(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "opencode.db").write_bytes(content)
    place = f"{tmp_path}/opencode.db#ses_1"

    with pytest.raises(NotFoundError):
        list(read_transcript(place))

    assert transcript_size(place) == -1
    assert (tmp_path / "opencode.db").read_bytes() == content


def test_reading_changes_nothing_and_waits_for_nobody(database: Database) -> None:
    database.said(1, "pack")
    database.said(2, "ship")

    with closing(database.open()) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM part")
        steps = list(read_transcript(database.place()))  # as it was before
        writer.execute("ROLLBACK")

    assert len(steps) == 2


def test_what_a_client_that_was_killed_left_behind_is_read_and_left_there(
    database: Database, tmp_path: Path
) -> None:
    with closing(database.open()) as writer:
        writer.execute("SELECT count(*) FROM part").fetchall()
        database.said(1, "pack")
        copy = tmp_path / "copy"
        shutil.copytree(database.path.parent, copy, ignore=shutil.ignore_patterns("*-shm", "copy"))
    files = [copy / "opencode.db", copy / "opencode.db-wal"]
    before = [file.read_bytes() for file in files]

    steps = list(read_transcript(f"{files[0]}#{SESSION}"))

    assert keys(steps) == ["UserMessage:prt_001"]
    assert [file.read_bytes() for file in files] == before
    assert before[1]


def test_no_transaction_is_left_open_between_two_steps(database: Database) -> None:
    for number in range(1, 4):
        database.said(number, "pack")
    steps = iter(read_transcript(database.place()))
    next(steps)

    with closing(database.open()) as writer:
        writer.execute("INSERT INTO session (id) VALUES ('ses_0z')")
        (busy, *_) = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    assert busy == 0
    assert len(list(steps)) == 2


def test_a_large_session_in_odd_encoding_is_read(database: Database) -> None:
    database.said(1, "pack")
    with closing(database.open()) as writer:
        raw = b'{"type": "text", "text": "\xff\xfe pack"}'
        writer.execute("UPDATE part SET data = CAST(? AS TEXT)", [raw])

    (step,) = read_transcript(database.place())

    assert isinstance(step, UserMessage)
    assert "pack" in step.text


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "text", "tool", "state", "input", "time", "metadata", "error", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
records = st.dictionaries(
    st.sampled_from(
        "type text tool callID state time metadata synthetic role summary error path parentID".split()
    ),
    anything
    | st.sampled_from(["text", "tool", "user", "assistant", "completed", "bash", "compaction"]),
    max_size=6,
)


@settings(max_examples=60)
@given(st.lists(st.tuples(records, records), max_size=4), st.text(max_size=30))
def test_no_row_of_any_shape_breaks_a_pass(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[object, object]], after: str
) -> None:
    database = Database(tmp_path_factory.mktemp("odd"))
    database.session()
    for number, (message, part) in enumerate(rows):
        row = {"id": f"m{number}", "session_id": SESSION, "data": message, "time_created": number}
        database.put("message", row)
        database.part(f"p{number}", f"m{number}", part)

    for step in read_transcript(database.place(), after=after):
        assert step.session == SESSION
        step.key.encode()


values = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text() | st.binary()


@settings(max_examples=40)
@given(st.data())
def test_no_column_of_any_type_breaks_a_pass(
    tmp_path_factory: pytest.TempPathFactory, drawn: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    database = Database(folder)
    database.session()
    database.said(1, "pack")
    table = drawn.draw(st.sampled_from(sorted(COLUMNS)))
    column = drawn.draw(st.sampled_from([each.split()[0] for each in COLUMNS[table].split(", ")]))
    value = drawn.draw(values)

    with closing(database.open()) as writer:
        writer.execute(f"UPDATE {table} SET {column} = ?", [value])

    for place in [database.place(), *transcript.list_transcripts(str(folder))]:
        try:
            list(read_transcript(place))
        except NotFoundError:
            continue
        transcript.read_opening(place)


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(["user", "answer", "fail", "open"]), min_size=1, max_size=8),
    st.data(),
)
def test_reading_in_pieces_is_reading_at_once(
    tmp_path_factory: pytest.TempPathFactory, turns: list[str], drawn: st.DataObject
) -> None:
    database = Database(tmp_path_factory.mktemp("pieces"))
    database.session()
    pieces, position = [], ""
    for number, turn in enumerate(turns):
        call_id = f"call_{number}"
        if turn == "user":
            database.said(number, f"say {number}")
        elif turn == "open":
            running = call("bash", call_id, {"command": "make"}, "running")
            database.answer(number, text("Well."), running, unfinished=True)
            reading = read_transcript(database.place(), after=position)
            pieces += list(reading)
            position = reading.position or position
            database.answer(number, text("Well."), bash("make", "made", 0, call_id))
        else:
            database.answer(
                number, bash("make", "made", int(turn == "fail"), call_id), text("So.")
            )
        if drawn.draw(st.booleans()):
            reading = read_transcript(database.place(), after=position)
            pieces += list(reading)
            position = reading.position or position
    rest = read_transcript(database.place(), after=position)
    pieces += list(rest)

    whole = read_transcript(database.place())

    assert pieces == list(whole)
    assert rest.position == whole.position
    assert first_number(whole.position) == transcript_size(database.place())
