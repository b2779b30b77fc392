"""The laboratory itself: what it tells about a client is true."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.journeys.lab.bench import Lab, Place
from tests.journeys.lab.clients import NoClientError, npm_install
from tests.journeys.lab.screen import Screen
from tests.journeys.lab.script import Script, calls, says, together
from tests.journeys.lab.terminal import Terminal

INTERFACES = "import socket; print([name for _, name in socket.if_nameindex()])"
HELLO = [{"role": "user", "content": "hello"}]


def post(lab: Lab, *, path: str = "/v1/messages", **body: Any) -> str:
    """Ask the model from inside, as a client does."""
    program = (
        "import sys, urllib.request as u; "
        "print(u.urlopen(u.Request(sys.argv[1], sys.argv[2].encode())).read().decode())"
    )
    command = [sys.executable, "-c", program, lab.model.url + path, json.dumps(body)]
    return lab.run(command, cwd=lab.home, env=lab.env()).out


def test_a_client_sees_loopback_and_no_other_network(lab: Lab) -> None:
    if lab.loopback.why_open:
        pytest.skip(f"no network namespace here: {lab.loopback.why_open}")

    ran = lab.run([sys.executable, "-c", INTERFACES], cwd=lab.home, env=lab.env())

    assert ran.out == "['lo']\n"


def test_the_test_itself_stays_on_its_network(lab: Lab) -> None:
    if lab.loopback.namespace is None:
        pytest.skip(f"no network namespace here: {lab.loopback.why_open}")

    ours = os.stat("/proc/self/ns/net").st_ino

    assert ours != os.fstat(lab.loopback.namespace).st_ino
    assert ours == os.stat(f"/proc/{os.getppid()}/ns/net").st_ino


def test_a_client_sees_nothing_of_the_users_home_and_environment(lab: Lab) -> None:
    ran = lab.run(["/usr/bin/env"], cwd=lab.home, env=lab.env())

    names = {line.partition("=")[0] for line in ran.out.splitlines()}
    assert f"HOME={lab.home}" in ran.out
    assert not {name for name in names if name.startswith(("TWICESHY", "CLAUDE", "ANTHROPIC"))}


def test_a_project_has_one_commit_and_none_is_like_another(lab: Lab) -> None:
    ids = []
    for name in ("shop", "bank"):
        git = ["/usr/bin/env", "git", "rev-list", "--all"]
        ids.append(lab.run(git, cwd=lab.project(name), env=lab.env()).out)

    assert [len(found.splitlines()) for found in ids] == [1, 1]
    assert ids[0] != ids[1]


def test_the_model_takes_its_steps_in_order_and_ends_with_the_last_word(lab: Lab) -> None:
    lab.model.play(Script(steps=[calls("Bash", command="ls"), says("Two files.")]))

    answers = [json.loads(post(lab, messages=HELLO, tools=[{"name": "Bash"}])) for _ in range(3)]

    assert [answer["stop_reason"] for answer in answers] == ["tool_use", "end_turn", "end_turn"]
    assert answers[0]["content"][0]["input"] == {"command": "ls"}
    assert answers[1]["content"] == [{"type": "text", "text": "Two files."}]
    assert answers[2]["content"] == [{"type": "text", "text": "All done."}]


def test_an_aside_takes_no_step(lab: Lab) -> None:
    lab.model.play(Script(steps=[says("The answer.")]))

    title = post(lab, messages=HELLO)
    count = post(lab, path="/v1/messages/count_tokens", messages=HELLO)
    answer = post(lab, messages=HELLO, tools=[{"name": "Bash"}])

    assert "An aside." in title
    assert json.loads(count)["input_tokens"] > 0
    assert "The answer." in answer
    assert len(lab.requests) == 1


def test_a_streamed_answer_arrives_in_parts(lab: Lab) -> None:
    both = together(calls("Bash", command="ls"), calls("Read", file_path="/a"))
    lab.model.play(Script(steps=[both]))

    told = post(lab, messages=HELLO, tools=[{"name": "Bash"}], stream=True)

    events = [json.loads(line[6:]) for line in told.splitlines() if line.startswith("data: ")]
    parts = [
        event["delta"]["partial_json"] for event in events if "index" in event and "delta" in event
    ]
    assert [json.loads(part) for part in parts] == [{"command": "ls"}, {"file_path": "/a"}]
    assert [events[0]["type"], events[-1]["type"]] == ["message_start", "message_stop"]


def conversation(lab: Lab, *turns: dict[str, Any]) -> str:
    """Send these requests, and tell where one does not continue the one before."""
    for turn in turns:
        post(lab, tools=[{"name": "Bash"}], **turn)
    return lab.broken_prefix()


def said(text: str, **marks: object) -> dict[str, object]:
    return {"role": "user", "content": [{"type": "text", "text": text} | marks]}


def test_a_conversation_that_only_grows_keeps_its_prefix(lab: Lab) -> None:
    mark = {"type": "ephemeral"}

    broken = conversation(
        lab,
        {"system": "Be brief.", "messages": [said("a", cache_control=mark)]},
        {"system": "Be brief.", "messages": [said("a"), said("b", cache_control=mark)]},
    )

    assert broken == ""


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ({"system": "Be long.", "messages": [said("a"), said("b")]}, "before the conversation"),
        ({"system": "Be brief.", "messages": [said("a!"), said("b")]}, "message 0"),
        ({"system": "Be brief.", "messages": []}, "message 0"),
    ],
)
def test_a_changed_prefix_is_found(lab: Lab, second: dict[str, object], told: str) -> None:
    broken = conversation(lab, {"system": "Be brief.", "messages": [said("a")]}, second)

    assert told in broken


def test_a_text_is_found_where_it_reached_the_model(lab: Lab) -> None:
    conversation(lab, {"messages": [said("x")]}, {"messages": [said("x"), said("see MARK-7")]})

    places = lab.find("MARK-7")

    assert places == [Place(1, "messages[1].content[0].text")]


def test_a_screen_shows_what_was_written_last(lab: Lab) -> None:
    screen = Screen(rows=3, columns=10)

    for written in (
        "one\r\ntwo\r\nthree",
        "\x1b[2;1Hzwei\x1b[31m!",
        "\x1b[1;",
        "1H\x1b[2K\x1b[3Cx",
    ):
        screen.feed(written)

    assert screen.text == "   x\nzwei!\nthree"


def test_a_screen_scrolls(lab: Lab) -> None:
    screen = Screen(rows=2, columns=4)

    screen.feed("abcdef\r\nghi")

    assert screen.text == "ef\nghi"


def test_a_person_can_talk_to_a_program_on_a_terminal(lab: Lab) -> None:
    program = "name = input('Who? '); print('Hello', name); input()"

    with Terminal(
        lambda tty: lab.loopback.start(
            [sys.executable, "-c", program], cwd=lab.home, env=lab.env(), terminal=tty
        )
    ) as terminal:
        terminal.wait_for("Who?")
        terminal.press("Kim\n")
        terminal.wait_for("Hello Kim")


def test_without_npm_the_message_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(NoClientError, match=r"npm is needed .* TWICESHY_CLIENTS"):
        npm_install(tmp_path, ("@anthropic-ai/claude-code",))
