"""A model behind an address gives a text or a structured error, whatever the server does."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from twiceshy.config.load import load_config
from twiceshy.core.errors import ConfigError
from twiceshy.models import build_completer
from twiceshy.models.completer import PREVIEW
from twiceshy.models.openai_chat import OpenAiChat, extract_text
from twiceshy.models.post import parse_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.models.conftest import Behaviour, Conversation, Server

    from twiceshy.config.resolved import Config
    from twiceshy.models.completer import Completer

KEY = "sk-not-to-be-seen-4711"
PROMPT = "What does the session teach? naïve 测试"


def settings(home: Path, **said: str) -> Config:
    home.mkdir(exist_ok=True)
    user = os.environ["HOME"]
    return load_config({"TWICESHY_HOME": str(home), **said}, cwd=user, home_dir=user)


@pytest.fixture
def model(home: Path, server: Server) -> Callable[..., Completer]:
    """A model whose address is our server, chosen as a user would."""

    def build(url: str = "", *, key: str = "") -> Completer:
        config = settings(
            home, SKILLS_DISTILLER_BACKEND="openai", OPENAI_BASE_URL=url or f"{server.url}/v1"
        )
        found = build_completer(config, {"OPENAI_API_KEY": key})
        assert found is not None
        return found

    return build


def answers(document: object, status: int = 200) -> Behaviour:
    return lambda talk: talk.answer(document, status)


def chat(text: object) -> dict[str, object]:
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}


def hangs_up(talk: Conversation) -> None:
    talk.connection.shutdown(socket.SHUT_RDWR)


def cut_off(talk: Conversation) -> None:
    talk.send_response(200)
    talk.send_header("Content-Length", "1000")
    talk.end_headers()
    talk.wfile.write(b'{"choices": [{"mess')
    talk.wfile.flush()
    talk.connection.shutdown(socket.SHUT_RDWR)


def drips(talk: Conversation) -> None:
    """Send a byte now and then, so that a socket's own timeout never comes."""
    talk.send_response(200)
    talk.end_headers()
    while not talk.server.gone.wait(0.05):
        talk.wfile.write(b" ")


def silent(talk: Conversation) -> None:
    talk.server.gone.wait(60)


class TestAnswers:
    def test_the_question_is_a_chat_with_one_message(
        self, model: Callable[..., Completer], server: Server
    ) -> None:
        server.behaviour = answers(
            chat(" [] ") | {"usage": {"prompt_tokens": 812, "completion_tokens": 3}}
        )

        answer = model(key=KEY).complete(PROMPT)

        assert (answer.text, answer.error, answer.backend, answer.model) == (
            *("[]", "", "openai", "gpt-5.4"),
        )
        assert (answer.tokens_in, answer.tokens_out) == (812, 3)
        assert server.paths == ["/v1/chat/completions"]
        assert server.asked == [
            {"model": "gpt-5.4", "messages": [{"role": "user", "content": PROMPT}]}
        ]
        assert server.keys == [f"Bearer {KEY}"]

    def test_an_address_of_responses_is_asked_in_its_own_form(
        self, model: Callable[..., Completer], server: Server
    ) -> None:
        server.behaviour = answers({"output_text": "SKIP"})

        answer = model(f"{server.url}/v1/responses").complete(PROMPT)

        assert answer.text == "SKIP"
        assert server.paths == ["/v1/responses"]
        [asked] = map(dict[str, object], server.asked)
        assert asked == {"model": "gpt-5.4", "input": PROMPT}

    @pytest.mark.parametrize(
        "document",
        [
            {"output_text": "fine"},
            chat("fine"),
            chat([{"type": "text", "text": "fi"}, {"type": "text", "text": "ne"}]),
            chat(["fi", "ne", 7]),
            {"output": [{"type": "reasoning"}, {"content": [{"text": "fine"}]}, "x"]},
        ],
    )
    def test_every_shape_in_use_is_understood(self, document: object) -> None:
        assert extract_text(document) == "fine"

    @pytest.mark.parametrize(
        "document", [None, [], {}, {"choices": []}, chat(None), chat({}), {"output": "x"}, 7]
    )
    def test_other_shapes_hold_no_text(self, document: object) -> None:
        assert extract_text(document) == ""

    def test_tokens_are_guessed_where_the_server_does_not_count(
        self, model: Callable[..., Completer], server: Server
    ) -> None:
        server.behaviour = answers(chat("fine") | {"usage": {"prompt_tokens": "many"}})

        answer = model().complete("word " * 400)

        assert 400 < answer.tokens_in < 800
        assert answer.tokens_out == 2


class TestFailures:
    @pytest.mark.parametrize(
        ("behaviour", "error"),
        [
            (
                answers({"error": {"message": "model overloaded"}}, 500),
                "http 500: model overloaded",
            ),
            (answers({"error": "no key"}, 401), "http 401: no key"),
            (answers({"detail": "slow down"}, 429), "http 429: slow down"),
            (answers(b"<html>Bad gateway</html>", 502), "http 502"),
            (answers({"error": {"message": "x" * 9_000}}, 400), "http 400: xxx"),
            (answers(b"<html>It works!</html>"), "bad JSON"),
            (answers(b"\xff\xfe{}"), "bad JSON"),
            (answers(b"[" * 200_000), "bad JSON"),
            (answers({"choices": []}), "no text in the answer"),
            (answers({"error": {"message": "refused"}}), "no text: refused"),
            (answers(b'{"output_text": "' + b"x" * (10 << 20) + b'"}'), "too long"),
            (hangs_up, "unreachable: 127.0.0.1"),
            (cut_off, "bad JSON: it is cut off"),
        ],
    )
    def test_a_failure_is_an_answer_that_names_its_cause(
        self,
        model: Callable[..., Completer],
        server: Server,
        behaviour: Behaviour,
        error: str,
    ) -> None:
        server.behaviour = behaviour

        answer = model(key=KEY).complete(PROMPT)

        assert answer.text == ""
        assert answer.error.startswith(error)
        assert len(answer.error) < 300
        assert len(answer.preview) <= PREVIEW
        assert KEY not in str(answer)

    @pytest.mark.parametrize("behaviour", [silent, drips])
    def test_one_that_takes_too_long_is_given_up(
        self, server: Server, behaviour: Behaviour
    ) -> None:
        server.behaviour = behaviour
        place = parse_endpoint(server.url, root="/v1", path="/chat/completions")

        answer = OpenAiChat("m", place, key="", seconds=0.3).complete(PROMPT)

        assert answer.error.startswith("timeout: 127.0.0.1")

    def test_where_nobody_listens_nothing_is_answered(self, server: Server) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        place = parse_endpoint(f"http://127.0.0.1:{port}", root="/v1", path="/chat/completions")

        answer = OpenAiChat("m", place, key="").complete(PROMPT)

        assert answer.error.startswith("unreachable: 127.0.0.1")

    def test_a_redirect_is_not_followed(
        self, model: Callable[..., Completer], server: Server
    ) -> None:
        def moved(talk: Conversation) -> None:
            talk.send_response(307)
            talk.send_header("Location", talk.server.url + "/elsewhere")
            talk.send_header("Content-Length", "0")
            talk.end_headers()

        server.behaviour = moved

        assert model(key=KEY).complete(PROMPT).error == "http 307"
        assert len(server.paths) == 1


class TestChoice:
    def test_no_model_is_the_default_and_null_says_nothing(self, home: Path) -> None:
        null = build_completer(settings(home, SKILLS_DISTILLER_BACKEND="null"), {})

        assert build_completer(settings(home), {}) is None
        assert null is not None
        assert null.complete(PROMPT).text == "SKIP"

    def test_a_word_that_fireworks_did_not_know_means_the_command_line(self, home: Path) -> None:
        found = build_completer(settings(home, SKILLS_DISTILLER_BACKEND="whatever"), {"PATH": ""})

        assert found is not None
        assert found.complete(PROMPT).backend == "claude-cli"

    @pytest.mark.parametrize(
        ("url", "key", "says"),
        [
            ("http://models.example/v1", KEY, "unencrypted"),
            ("https://u:p@models.example/v1", KEY, "no address, or holds a password"),
            ("https:///v1", "", "no address"),
            ("https://models.example/v1", "sk\u200b-x", "characters that no key has"),
        ],
    )
    def test_a_setting_that_makes_no_sense_is_an_error_with_a_hint(
        self, model: Callable[..., Completer], url: str, key: str, says: str
    ) -> None:
        with pytest.raises(ConfigError, match=says) as caught:
            model(url, key=key)

        assert caught.value.hint
        assert KEY not in str(caught.value) + caught.value.hint
