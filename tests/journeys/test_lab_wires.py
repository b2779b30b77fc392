"""The protocols of the laboratory: what a model is asked and what it answers, vendor by vendor."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from tests.journeys.lab.bench import WIRES
from tests.journeys.lab.gemini_api import GeminiApi
from tests.journeys.lab.openai_chat import OpenAIChat
from tests.journeys.lab.openai_responses import OpenAIResponses
from tests.journeys.lab.script import Asked, Step, calls, filling, says, together
from tests.journeys.lab.wire import Json, Wire

GEMINI = "/v1beta/models/gemini-2.5-pro"


@dataclass(frozen=True)
class Vendor:
    """A protocol, and a conversation of two messages in it."""

    wire: Wire
    path: str
    body: Json
    messages: str  # where the conversation stands


def chat(*texts: str, role: str = "user") -> list[Json]:
    return [{"role": role, "content": text} for text in texts]


RESPONSES = Vendor(
    OpenAIResponses(),
    "/v1/responses",
    {
        "model": "gpt-5.5",
        "instructions": "Be brief.",
        "tools": [{"type": "function", "name": "exec_command"}, {"type": "web_search"}],
        "input": [*chat("hello"), {"type": "function_call_output", "output": "two files"}],
        "stream": True,
    },
    "input",
)
CHAT = Vendor(
    OpenAIChat(),
    "/v1/chat/completions",
    {
        "model": "lab-model",
        "tools": [{"type": "function", "function": {"name": "bash"}}],
        "messages": [*chat("Be brief.", role="system"), *chat("hello", "two files")],
        "stream": True,
    },
    "messages",
)
CONTENTS = Vendor(
    GeminiApi(),
    f"{GEMINI}:streamGenerateContent",
    {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [{"functionDeclarations": [{"name": "run_shell_command"}]}],
        "contents": [
            {"role": "user", "parts": [{"text": "hello"}]},
            {
                "role": "user",
                "parts": [{"functionResponse": {"response": {"output": "two files"}}}],
            },
        ],
    },
    "contents",
)
VENDORS = [RESPONSES, CHAT, CONTENTS]
every_vendor = pytest.mark.parametrize(
    "vendor", VENDORS, ids=lambda vendor: type(vendor.wire).__name__
)


@pytest.mark.parametrize(
    ("vendor", "asked"),
    [
        (
            RESPONSES,
            Asked(
                "gpt-5.5", ("exec_command", "web_search"), "Be brief.", "two files", streams=True
            ),
        ),
        (CHAT, Asked("lab-model", ("bash",), "Be brief.", "two files", streams=True)),
        (
            CONTENTS,
            Asked(
                "gemini-2.5-pro", ("run_shell_command",), "Be brief.", "two files", streams=True
            ),
        ),
    ],
)
def test_a_request_is_read_in_the_words_of_its_vendor(vendor: Vendor, asked: Asked) -> None:
    assert vendor.wire.asked(vendor.path, vendor.body) == asked


@every_vendor
def test_a_path_is_served_by_one_protocol(vendor: Vendor) -> None:
    assert [type(wire) for wire in WIRES if wire.serves(vendor.path)] == [type(vendor.wire)]


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/models", f"{GEMINI}:countTokens", "/"])
def test_no_other_path_is_served(path: str) -> None:
    assert not [vendor for vendor in VENDORS if vendor.wire.serves(path)]


def test_newer_models_find_their_tools_in_the_conversation() -> None:
    tools = [{"type": "namespace", "name": "functions"}]
    body = {"model": "m", "input": [{"type": "additional_tools", "tools": tools}, *chat("hello")]}

    asked = OpenAIResponses().asked("/v1/responses", body)

    assert asked.tools == ("functions",)


def test_gemini_may_ask_for_the_answer_in_one_piece() -> None:
    asked = GeminiApi().asked(f"{GEMINI}:generateContent", {"contents": []})

    assert not asked.streams


def said(answer: Json) -> str:
    """Return all that an answer says and calls, whatever its vendor."""
    return json.dumps(answer).replace('\\"', '"')


@every_vendor
def test_an_answer_says_the_text_and_makes_the_calls(vendor: Vendor) -> None:
    step = Step("Let me look.", together(calls("look", at="a"), calls("look", at="b")).calls)

    answer = said(vendor.wire.whole(step, "m"))

    places = [answer.index(part) for part in ("Let me look.", '"at": "a"', '"at": "b"')]
    assert places == sorted(places)
    assert answer.count('"look"') == 2


@every_vendor
def test_a_streamed_answer_is_the_same_answer(vendor: Vendor) -> None:
    step = Step("Let me look.", calls("look", at="a").calls)

    events = [told for _, told in vendor.wire.stream(step, "m")]

    streamed = "".join(said(told) for told in events if not isinstance(told, str))
    assert "Let me look." in streamed
    assert '"at": "a"' in streamed


@every_vendor
def test_an_empty_answer_still_says_something(vendor: Vendor) -> None:
    answer = said(vendor.wire.whole(Step(), "m"))

    assert '"."' in answer


@every_vendor
@pytest.mark.parametrize(("step", "tokens"), [(says("x"), 1000), (filling(says("x")), 400_000)])
def test_an_answer_tells_how_long_the_conversation_was(
    vendor: Vendor, step: Step, tokens: int
) -> None:
    events = [told for _, told in vendor.wire.stream(step, "m")]

    assert f": {tokens}," in said(vendor.wire.whole(step, "m"))
    assert any(f": {tokens}," in said(told) for told in events if not isinstance(told, str))


def test_codex_gets_a_patch_as_text_and_a_servers_tool_by_its_server() -> None:
    step = together(
        calls("apply_patch", input="*** Begin"), calls("mcp__scales__weigh", box="red")
    )

    patch, weigh = OpenAIResponses().whole(step, "m")["output"]

    assert (patch["type"], patch["input"]) == ("custom_tool_call", "*** Begin")
    assert (weigh["namespace"], weigh["name"]) == ("mcp__scales", "weigh")
    assert json.loads(weigh["arguments"]) == {"box": "red"}


@every_vendor
def test_the_prompt_is_what_comes_before_and_then_the_conversation(vendor: Vendor) -> None:
    before, conversation = vendor.wire.prompt(vendor.body)

    assert conversation == vendor.body[vendor.messages]
    assert "Be brief." in said({"all": [before, conversation]})
    for tool in vendor.body["tools"]:
        assert tool in before


@every_vendor
def test_an_aside_needs_no_model(vendor: Vendor) -> None:
    known: dict[type[Any], str] = {
        OpenAIResponses: "/v1/models",
        GeminiApi: f"{GEMINI}:countTokens",
    }

    for path in ("/v1/models", f"{GEMINI}:countTokens", "/elsewhere"):
        answer = vendor.wire.aside(path, "{}")

        assert (answer is not None) is (known.get(type(vendor.wire)) == path)
