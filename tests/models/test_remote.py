"""An embedder behind an address gives vectors or an error with a hint, whatever the server does."""

from __future__ import annotations

import socket
import threading
import traceback
from typing import TYPE_CHECKING

import pytest
from tests.models.conftest import Conversation, like_ollama, like_openai, numbers

from twiceshy.core.errors import ConfigError, EmbedderError
from twiceshy.language.vector import cosine_similarity, quantise_vector
from twiceshy.models import build_embedder
from twiceshy.models.post import parse_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.models.conftest import Behaviour, Server

    from twiceshy.config.resolved import Config
    from twiceshy.models.embedder import Embedder

KEY = "sk-not-to-be-seen-4711"
TEXT = "lock before you tag, said the note"


@pytest.fixture
def remote(configured: Callable[..., Config], server: Server) -> Callable[..., Embedder]:
    """An embedder whose address is our server."""

    def build(backend: str = "openai", *, key: str = "", **wishes: str) -> Embedder:
        server.behaviour = like_ollama if backend == "ollama" else like_openai
        config = configured(**{"backend": backend, "url": server.url, "timeout": "5"} | wishes)
        found = build_embedder(config, {"TWICESHY_EMBED_KEY": key})
        assert found is not None
        return found

    return build


def garbage(talk: Conversation) -> None:
    talk.answer(b"<html>It works!</html>")


def another_shape(talk: Conversation) -> None:
    talk.answer({"vectors": [[1.0, 2.0]]})


def a_list(talk: Conversation) -> None:
    talk.answer([1, 2, 3])


def not_text(talk: Conversation) -> None:
    talk.answer(b"\xff\xfe{}")


def too_deep(talk: Conversation) -> None:
    talk.answer(b"[" * 200_000)


def too_few(talk: Conversation) -> None:
    talk.answer({"data": []})


def too_many(talk: Conversation) -> None:
    talk.answer({"data": [{"index": at, "embedding": [1.0, 2.0]} for at in range(9)]})


def the_same_twice(talk: Conversation) -> None:
    talk.answer({"data": [{"index": 0, "embedding": [1.0, 2.0]} for _ in talk.asked["input"]]})


def of_two_lengths(talk: Conversation) -> None:
    rows = [
        {"index": at, "embedding": numbers(text, 4 + at)}
        for at, text in enumerate(talk.asked["input"])
    ]
    talk.answer({"data": rows})


def not_finite(talk: Conversation) -> None:
    rows = [
        {"index": at, "embedding": [1.0, float("nan")]} for at, _ in enumerate(talk.asked["input"])
    ]
    talk.answer({"data": rows})


def no_numbers(talk: Conversation) -> None:
    rows = [{"index": at, "embedding": "AACAPw=="} for at, _ in enumerate(talk.asked["input"])]
    talk.answer({"data": rows})


def broken(talk: Conversation) -> None:
    talk.answer({"error": f"could not embed {talk.asked['input']}"}, status=500)


def moved(talk: Conversation) -> None:
    talk.send_response(307)
    talk.send_header("Location", talk.server.url + "/elsewhere")
    talk.send_header("Content-Length", "0")
    talk.end_headers()


def hangs_up(talk: Conversation) -> None:
    talk.connection.shutdown(socket.SHUT_RDWR)


def hangs_up_halfway(talk: Conversation) -> None:
    talk.send_response(200)
    talk.send_header("Content-Length", "1000")
    talk.end_headers()
    talk.wfile.write(b'{"data": [{"index": 0, "embedding": [1.0,')
    talk.wfile.flush()
    talk.connection.shutdown(socket.SHUT_RDWR)


def speaks_no_http(talk: Conversation) -> None:
    talk.wfile.write(f"220 {talk.asked['input']} ready\r\n".encode())
    talk.connection.shutdown(socket.SHUT_RDWR)


def silent(talk: Conversation) -> None:
    talk.server.gone.wait(30)


def drip(talk: Conversation, drop: bytes) -> None:
    """Send a byte now and then, so that no single wait is long; ten seconds in all."""
    for _ in range(200):
        if not talk.server.gone.wait(0.05):
            talk.wfile.write(drop)
            talk.wfile.flush()
    talk.server.heard_out.set()


def drips(talk: Conversation) -> None:
    talk.send_response(200)
    talk.end_headers()
    drip(talk, b" ")


def drips_headers(talk: Conversation) -> None:
    talk.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    drip(talk, b"x")


WRONG: list[Behaviour] = [
    *(garbage, another_shape, a_list, not_text, too_deep, too_few, too_many, the_same_twice),
    *(of_two_lengths, not_finite, no_numbers, broken, moved, hangs_up, hangs_up_halfway),
    speaks_no_http,
]
SLOW: list[Behaviour] = [silent, drips, drips_headers]


@pytest.mark.parametrize("backend", ["openai", "ollama"])
def test_texts_become_vectors_in_their_order(
    remote: Callable[..., Embedder], backend: str
) -> None:
    texts = ["tag the release", "lock", "the cat"]

    found = remote(backend).embed(texts)

    assert found == [quantise_vector(numbers(text)) for text in texts]
    assert cosine_similarity(found[0], found[1]) == 0


def test_openais_way_is_its_own(remote: Callable[..., Embedder], server: Server) -> None:
    remote("openai").embed(["tag"])

    model, option = "text-embedding-3-small", {"encoding_format": "float"}
    assert server.paths == ["/v1/embeddings"]
    assert server.asked == [{"model": model, "input": ["tag"], **option}]


def test_ollamas_way_is_its_own(remote: Callable[..., Embedder], server: Server) -> None:
    remote("ollama", model="bge-m3").embed(["tag"])

    assert server.paths == ["/api/embed"]
    assert server.asked == [{"model": "bge-m3", "input": ["tag"], "truncate": True}]


def test_the_identity_names_backend_model_length_and_host_and_no_secret(
    remote: Callable[..., Embedder], server: Server
) -> None:
    one = remote(model="their/model", key=KEY)

    assert one.dims == 4
    assert one.identity == f"openai their/model 4 127.0.0.1:{server.server_port}"
    assert remote("ollama").identity != one.identity


def test_the_identity_is_the_same_before_and_after_the_first_text(
    remote: Callable[..., Embedder],
) -> None:
    fresh, used = remote(), remote()
    used.embed([TEXT])

    assert fresh.identity == used.identity


def test_no_texts_are_no_question(remote: Callable[..., Embedder], server: Server) -> None:
    assert remote().embed([]) == []
    assert server.asked == []


def test_many_texts_go_in_several_questions_and_come_back_whole(
    remote: Callable[..., Embedder], server: Server
) -> None:
    texts = [f"{'tag' if at % 2 else 'lock'} {at}" for at in range(150)]

    found = remote().embed(texts)

    assert [len(each["input"]) for each in server.asked] == [64, 64, 22]
    assert found == [quantise_vector(numbers(text)) for text in texts]


def test_long_texts_are_cut_and_spread(remote: Callable[..., Embedder], server: Server) -> None:
    remote().embed(["lock " * 10_000] * 20)

    assert [len(each["input"]) for each in server.asked] == [16, 4]
    assert {len(text) for each in server.asked for text in each["input"]} == {5_999}


def test_a_text_that_no_encoding_knows_is_sent_all_the_same(
    remote: Callable[..., Embedder], server: Server
) -> None:
    remote().embed(["tag \ud800", ""])

    assert server.asked[0]["input"] == ["tag ?", " "]


@pytest.mark.parametrize("behaviour", WRONG, ids=lambda each: each.__name__)
def test_a_server_that_misbehaves_is_an_error_with_no_vector(
    remote: Callable[..., Embedder], server: Server, behaviour: Behaviour
) -> None:
    chosen = remote()
    server.behaviour = behaviour

    with pytest.raises(EmbedderError):
        chosen.embed([TEXT, "lock"])

    assert server.paths == ["/v1/embeddings"]  # asked once, and nowhere else


@pytest.mark.parametrize("behaviour", SLOW, ids=lambda each: each.__name__)
def test_a_server_that_is_slow_is_hung_up_on(
    remote: Callable[..., Embedder], server: Server, behaviour: Behaviour
) -> None:
    chosen = remote(timeout="0.5")
    server.behaviour = behaviour

    with pytest.raises(EmbedderError, match=r"did not answer within 0\.5 s"):
        chosen.embed([TEXT])

    assert not server.heard_out.is_set()  # nobody waited for its end


def test_nobody_there_is_an_error_that_says_so(configured: Callable[..., Config]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    chosen = build_embedder(configured(backend="ollama", url=f"http://127.0.0.1:{port}"), {})
    assert chosen is not None

    with pytest.raises(EmbedderError, match=f"127.0.0.1:{port} cannot be reached") as caught:
        chosen.embed([TEXT])

    assert "is it running?" in caught.value.hint


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (307, "redirects are not followed"),
        (401, "is the key right?"),
        (404, "embed.model"),
        (429, "too many"),
        (503, ""),
    ],
)
def test_a_refusal_names_the_status_and_what_to_do(
    remote: Callable[..., Embedder], server: Server, status: int, hint: str
) -> None:
    chosen = remote()
    server.behaviour = lambda talk: talk.answer({}, status=status)

    with pytest.raises(EmbedderError, match=f"answered {status}") as caught:
        chosen.embed([TEXT])

    assert hint in caught.value.hint


def test_vectors_that_change_their_length_are_refused(
    remote: Callable[..., Embedder], server: Server
) -> None:
    chosen = remote()
    chosen.embed(["tag"])
    server.behaviour = lambda talk: talk.answer({"data": [{"index": 0, "embedding": [1.0] * 5}]})

    with pytest.raises(EmbedderError, match="5 numbers where it gave 4 before"):
        chosen.embed(["tag"])

    assert chosen.dims == 4


def test_a_server_that_failed_is_asked_the_next_time_all_the_same(
    remote: Callable[..., Embedder], server: Server
) -> None:
    chosen = remote()
    working, server.behaviour = server.behaviour, broken
    for _ in range(4):
        with pytest.raises(EmbedderError, match="answered 500"):
            chosen.embed([TEXT])
    server.behaviour = working

    assert len(chosen.embed([TEXT])) == 1
    assert len(server.asked) == 5


def test_the_key_is_sent_with_every_question(
    remote: Callable[..., Embedder], server: Server
) -> None:
    remote(key=f" {KEY}\n").embed(["tag"])

    assert server.keys == [f"Bearer {KEY}"]


def test_openais_key_is_shown_to_nobody_else(
    configured: Callable[..., Config], server: Server
) -> None:
    chosen = build_embedder(configured(backend="openai", url=server.url), {"OPENAI_API_KEY": KEY})
    assert chosen is not None

    chosen.embed(["tag"])

    assert server.keys == [""]


@pytest.mark.parametrize("behaviour", [*WRONG, silent], ids=lambda each: each.__name__)
def test_neither_key_nor_text_shows_in_errors_files_output_or_the_identity(
    remote: Callable[..., Embedder],
    server: Server,
    home: Path,
    behaviour: Behaviour,
    capfd: pytest.CaptureFixture[str],
) -> None:
    chosen = remote(key=KEY, timeout="0.5")
    identity = chosen.identity
    server.behaviour = behaviour

    with pytest.raises(EmbedderError) as caught:
        chosen.embed([TEXT, "lock"])

    seen = [
        *traceback.format_exception(caught.value),
        *(caught.value.hint, repr(chosen), identity, *capfd.readouterr()),
        *(file.read_text() for file in home.glob("*")),
    ]
    assert not [each for each in seen if KEY in each or TEXT in each]


@pytest.mark.parametrize(
    ("url", "key", "allowed"),
    [
        ("http://embed.example/v1", KEY, False),
        ("http://192.168.1.9:11434", KEY, False),
        ("http://127.0.0.1.evil.example", KEY, False),
        ("http://127.evil", KEY, False),
        ("http://localhost.evil.example", KEY, False),
        ("http://192.168.1.9:11434", "", False),
        ("http://127.0.0.1:8080/v1", KEY, True),
        ("http://localhost:8080/v1", KEY, True),
        ("http://[::1]:8080/v1", KEY, True),
        ("https://embed.example/v1", KEY, True),
    ],
)
def test_neither_a_note_nor_a_key_leaves_the_machine_unencrypted(
    configured: Callable[..., Config], url: str, key: str, allowed: bool
) -> None:
    config = configured(backend="openai", url=url)

    if allowed:
        assert build_embedder(config, {"TWICESHY_EMBED_KEY": key}) is not None
    else:
        with pytest.raises(ConfigError, match="unencrypted") as caught:
            build_embedder(config, {"TWICESHY_EMBED_KEY": key})
        assert KEY not in f"{caught.value}{caught.value.hint}"


@pytest.mark.parametrize("key", [f"{KEY}\r\nX-Evil: 1", f"{KEY}é", f"{KEY}\x00"])
def test_a_key_that_is_none_is_refused_without_being_shown(
    configured: Callable[..., Config], server: Server, key: str
) -> None:
    config = configured(backend="openai", url=server.url)

    with pytest.raises(ConfigError) as caught:
        build_embedder(config, {"TWICESHY_EMBED_KEY": key})

    assert KEY not in f"{caught.value}{caught.value.hint}"


@pytest.mark.parametrize(
    "url",
    [
        *("http://", "http://:80", "https://user:pw@host/v1", "http://host:99999"),
        *("http://[::1", "http://hóst/"),
    ],
)
def test_an_address_that_cannot_be_asked_is_refused(
    configured: Callable[..., Config], url: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        build_embedder(configured(backend="openai", url=url), {})

    assert caught.value.hint
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "name", "path"),
    [
        ("https://api.openai.com/v1", "api.openai.com", "/v1/embeddings"),
        ("https://API.example/", "api.example", "/v1/embeddings"),
        ("http://host:8080/openai/v1/", "host:8080", "/openai/v1/embeddings"),
        ("https://a.example/d?api-version=2", "a.example", "/d/embeddings?api-version=2"),
        ("http://[::1]:80", "[::1]", "/v1/embeddings"),
    ],
)
def test_an_address_is_taken_apart(address: str, name: str, path: str) -> None:
    place = parse_endpoint(address, root="/v1", path="/embeddings")

    assert (place.display_name, place.path) == (name, path)


def test_two_threads_may_ask_at_once(remote: Callable[..., Embedder]) -> None:
    chosen = remote()
    found: list[list[bytes]] = []

    threads = [
        threading.Thread(target=lambda: found.append(chosen.embed(["tag", "lock"])))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [[quantise_vector(numbers("tag")), quantise_vector(numbers("lock"))]] * 8
    assert chosen.dims == 4
