"""The parsers that read what others wrote, each with its samples."""

from __future__ import annotations

import io
import json
import os
import tempfile
import tomllib
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.safety.hostile_corpus import planted
from tests.store.support import app_of, learn, opened

from twiceshy.config.files import read_json, read_toml
from twiceshy.core.errors import ConfigError, TwiceshyError
from twiceshy.core.note import Note
from twiceshy.files import json_edit, toml_edit
from twiceshy.interop.formats import FileContext, join_pieces
from twiceshy.interop.formats.registry import FORMATS, guess_formats, load_format
from twiceshy.language.denial import contradicts
from twiceshy.language.excerpt import cut_to_sentence
from twiceshy.language.terms import index_terms, query_terms
from twiceshy.learning.detect.attribution import parse_attribution
from twiceshy.learning.detect.correction import parse_prompt, parse_rejection
from twiceshy.learning.distil.answer import LESSON_KINDS, parse_answer
from twiceshy.mcp.arguments import check_arguments
from twiceshy.mcp.tools import TOOLS
from twiceshy.models.remote import DIALECTS
from twiceshy.notes.edit import retire_note
from twiceshy.places.identity import canonical_path, claude_slug, normalise_remote, project_name
from twiceshy.places.skill_frontmatter import parse_skill_settings
from twiceshy.runtimes import RUNTIMES, package_name_of
from twiceshy.runtimes.codex.plugin import parse_config
from twiceshy.runtimes.quick_look import may_matter
from twiceshy.runtimes.transcripts import load_reader
from twiceshy.safety.danger import find_danger, find_danger_in_order, quote_untrusted
from twiceshy.safety.names import check_name, check_relative_path
from twiceshy.safety.redact import redact
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.derive_trigger import parse_when
from twiceshy.shell.failure import find_hidden_failure
from twiceshy.store.record_types import RECORD_TYPES
from twiceshy.store.spool import list_waiting
from twiceshy.sync.bundle import read_bundle, read_lines, write_history
from twiceshy.sync.journal_file import complete_lines, parse_rows
from twiceshy.sync.records import NOTE, record_from_json
from twiceshy.sync.rules import check_address, explain_git_error, parse_format

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.runtimes.transcripts import TranscriptReader

TESTS = Path(__file__).resolve().parents[2] / "tests"
_SAMPLES, _PAYLOADS = TESTS / "samples", TESTS / "payloads"
_PROJECT = "git:" + "a" * 40
_LARGEST = 60_000  # bytes of a sample


class ParserTarget(NamedTuple):
    """A parser and what it is fed with; it may refuse its input with our own errors only."""

    name: str
    parse: Callable[[bytes], object]
    seeds: Sequence[bytes]


@cache
def list_targets() -> list[ParserTarget]:
    """Return every parser; new ones are added here."""
    return [
        *_list_text_parsers(),
        *_list_payload_parsers(),
        *_list_format_parsers(),
        *_list_file_parsers(),
        ParserTarget("bundle", _parse_bundle, [b"".join(_write_bundle())]),
        ParserTarget("record of a bundle", _parse_record, _write_bundle()),
        ParserTarget("journal file", _parse_journal, [b"".join(_write_bundle())]),
        ParserTarget("sync format", parse_format, [b"twiceshy-sync 1\npurges 0\n"]),
        ParserTarget("answer of a model", _parse_answer, _ANSWERS),
        ParserTarget("arguments of a tool", _parse_arguments, _ARGUMENTS),
        ParserTarget("reply of an embedder", _parse_vectors, _VECTORS),
    ]


def _on_text(parse: Callable[[str], object]) -> Callable[[bytes], object]:
    """Let a parser of texts read bytes as files and pipes are read."""
    return lambda raw: parse(
        raw.decode("utf-8", "surrogateescape" if b"\xfe" in raw else "replace")
    )


def _list_text_parsers() -> list[ParserTarget]:
    texts = [one.text.encode("utf-8", "replace") for one in planted()[::7]]
    lines = [
        b'cd a && FOO=1 make -j4 \'x y\' | tee "$HOME/l" 2>&1; for f in *; do rm "$f"; done',
        b"cat <<'EOF' > f\nx\nEOF\npython - <<< \"$(echo hi)\" || ssh u@h 'ls -la' & wait",
        b"docker run --rm -v $PWD:/w -e A=b img sh -c 'git commit -m \"x\"'",
        b"Get-ChildItem -Path C:\\x | Where-Object { $_.Name -like '*.py' }",
    ]
    outputs = [
        b"error: unrecognized option '--boxs'\nmake: *** [all] Error 2\n",
        b"Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nKeyError: 'x'\n",
        b"FAILED tests/a.py::test_b - assert 1 == 2\n1 failed, 3 passed in 0.1s\n",
    ]
    said = ["No, use pnpm, not npm. 不要用 make。 Wir nutzen ab jetzt uv.".encode(), *texts]
    places = [b"git@github.com:a/b.git", b"ssh://u@h:22/x.git", b"C:\\a\\b", b"/mnt/c/x/../y"]
    skills = [b"---\nname: release\ntwiceshy:\n  enabled: true\n  max_tokens: 300\n---\n# x\n"]
    mixed = [*texts, *lines, *outputs, *said]
    parsers: dict[str, tuple[Callable[[str], object], Sequence[bytes]]] = {
        "command line": (_walk_command_line, [*lines, *texts]),
        "output of a tool": (lambda text: find_hidden_failure("make x", text), outputs),
        "condition of a note": (parse_when, [b"before git push", *lines]),
        "redaction": (
            _redact_twice,
            [b"API_KEY=abc password: hunter2 <private>x</private>", *mixed],
        ),
        "danger": (find_danger, mixed),
        "danger in an order": (find_danger_in_order, said),
        "quoted output": (quote_untrusted, [*outputs, *texts]),
        "words": (lambda text: (index_terms(text), query_terms(text)), mixed),
        "excerpt": (lambda text: cut_to_sentence(text, ("pnpm", "make"), limit=80), mixed),
        "contradiction": (lambda text: contradicts(text[: len(text) // 2], text), said),
        "prompt": (_parse_prompt, said),
        "rejection": (parse_rejection, said),
        "attribution": (parse_attribution, mixed),
        "remote": (normalise_remote, places),
        "path": (lambda text: (canonical_path(text), project_name(text)), places),
        "slug": (claude_slug, places),
        "address of a remote": (check_address, places),
        "words of git": (lambda text: explain_git_error(text, "x"), [b"remote: denied\nfatal: x"]),
        "name of a skill": (check_name, [b"release", "发布".encode(), b"a:b"]),
        "relative path": (check_relative_path, [b"a/b.md", b"../x", b"a\\b"]),
        "settings of a skill": (parse_skill_settings, skills),
    }
    return [ParserTarget(name, _on_text(parse), seeds) for name, (parse, seeds) in parsers.items()]


def _walk_command_line(text: str) -> object:
    return [(each.words, each.redirections) for each in parse_command_line(text).walk_commands()]


def _redact_twice(text: str) -> None:
    once = redact(text)
    if redact(once) != once:
        raise ValueError("what was redacted once changes when it is redacted again")


def _parse_prompt(text: str) -> object:
    return parse_prompt(text, first=False, acted=True, interrupted=False)


def _list_payload_parsers() -> list[ParserTarget]:
    found = []
    for runtime in RUNTIMES:
        parse = __import__(
            f"twiceshy.runtimes.{package_name_of(runtime)}.payload", fromlist=["_"]
        ).parse
        seeds = _read_files(_PAYLOADS / package_name_of(runtime), ".json")

        def look(raw: bytes, parse: Callable[..., object] = parse, runtime: str = runtime) -> None:
            may_matter(raw, runtime)
            if _is_object(raw):  # the hook counts whatever else as unreadable
                parse(raw, environ={}, now=1)

        found.append(ParserTarget(f"payload of {runtime}", look, seeds))
    return found


def _is_object(raw: bytes) -> bool:
    with suppress(ValueError, RecursionError):
        return isinstance(json.loads(raw), dict)
    return False


def _list_format_parsers() -> list[ParserTarget]:
    seeds = [
        *_read_files(_SAMPLES, ".md"),
        *_read_files(_SAMPLES, ".txt"),
        *_read_files(_SAMPLES, ".json"),
    ]
    about = FileContext(_PROJECT, "release", now=1_700_000_000_000, name="a.md")

    def parse_with(name: str) -> Callable[[str], object]:
        def parse(text: str) -> None:
            if join_pieces(load_format(name).parse_text(text, about)) != text:
                raise ValueError("the pieces do not join to the text")
            guess_formats("a/b.md", text)

        return parse

    return [ParserTarget(f"format {name}", _on_text(parse_with(name)), seeds) for name in FORMATS]


def _list_file_parsers() -> list[ParserTarget]:
    """Return what reads a path: transcripts, settings, the spool."""
    toml = [b'# x\n[recall]\ntop = 3\nlist = ["a", "b"]\n[[x]]\ny = {a = 1, "b.c" = 2}\n']
    plain = [b'{"hooks": {"Stop": [{"command": "x"}]}, "a": [1, 2], "b": null}\n']
    found = [
        ParserTarget(
            "settings in TOML", _from_file(lambda path: read_toml(path, trusted=False)), toml
        ),
        ParserTarget(
            "settings in JSON", _from_file(lambda path: read_json(path, trusted=False)), plain
        ),
        ParserTarget("settings of Codex", _on_text(parse_config), toml),
        ParserTarget("edit of TOML", _on_text(_edit_toml), toml),
        ParserTarget("edit of JSON", _on_text(_edit_json), plain),
        ParserTarget("spool", _from_file(list_waiting), [b'{"kind": "signal", "at": 1}\n' * 3]),
    ]
    for runtime in RUNTIMES:
        folder = _PAYLOADS / package_name_of(runtime)
        seeds = [*_read_files(folder, ".jsonl"), *_read_files(folder / "transcripts", ".json")]
        if seeds and runtime != "opencode":  # it has a database
            read = partial(_read_transcript, load_reader(runtime))
            found.append(ParserTarget(f"transcript of {runtime}", _from_file(read), seeds))
    return found


def _edit_toml(text: str) -> None:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return  # who edits has read the file before
    try:
        toml_edit.set_value(text, ("a", "b"), 1)
    except ValueError as error:  # how an edit refuses; what calls it says this to the user
        if "unsupported layout" not in str(error):
            raise
        raise ConfigError(str(error)) from error


def _edit_json(text: str) -> object:
    changed = json_edit.set_member(text, ("hooks", "Stop"), [1], comments=True)
    return json_edit.remove_member(changed, ("hooks", "Stop"), comments=True)


def _from_file(parse: Callable[[str], object]) -> Callable[[bytes], object]:
    """Let a parser of files read bytes from a file of its own."""

    def read(raw: bytes) -> object:
        with tempfile.TemporaryDirectory(prefix="parsers-") as folder:
            path = os.path.join(folder, "00000000-0000-4000-8000-0000000000a1.jsonl")
            Path(path).write_bytes(raw)
            return parse(path)

    return read


def _read_transcript(reader: TranscriptReader, path: str) -> object:
    read = reader.read_transcript(path)
    return [*read], read.position, reader.read_opening(path)


def _parse_bundle(raw: bytes) -> None:
    lines = list(read_lines(io.BytesIO(raw)))
    for own in (False, True):
        with suppress(TwiceshyError):
            for record in read_bundle(lines, own=own).iterate_records():
                if isinstance(record, Note):
                    record.fingerprint  # noqa: B018 - computed from what the line says


def _parse_record(raw: bytes) -> None:
    try:
        given = json.loads(raw)
    except (ValueError, RecursionError):
        return  # a line that is no JSON is refused before
    for name, body in given.items() if isinstance(given, dict) else ():
        if name in (*RECORD_TYPES, NOTE):
            record_from_json(name, body)


@cache
def _write_bundle() -> list[bytes]:
    """Return the lines of a bundle with records of most kinds."""
    with (
        tempfile.TemporaryDirectory(prefix="parsers-") as folder,
        opened(Path(folder) / "h") as store,
    ):
        for number, text in enumerate(
            ("Sign the tag first.", "Use uv lock.", "Ask before a push.")
        ):
            note = learn(store, text)
            retire_note(app_of(store), note) if number == 1 else None
        return list(write_history(app_of(store)))


def _parse_journal(raw: bytes) -> object:
    rows = [(row.identity, row.object_id, row.referred_entry) for row in parse_rows(raw)]
    return rows, complete_lines(raw)


def _parse_answer(raw: bytes) -> object:
    return parse_answer(raw.decode("utf-8", "replace"), known=("n1", "n2"), kinds=LESSON_KINDS)


def _parse_arguments(raw: bytes) -> None:
    try:
        given = json.loads(raw)
    except (ValueError, RecursionError):
        return  # the SDK says so before we are asked
    if isinstance(given, dict):
        for tool in TOOLS:
            with suppress(TwiceshyError):
                check_arguments(tool.arguments, given)


def _parse_vectors(raw: bytes) -> None:
    try:
        given = json.loads(raw)
    except (ValueError, RecursionError):
        return
    for dialect in DIALECTS.values():
        dialect.vectors(given)


def _read_files(folder: Path, ending: str) -> list[bytes]:
    found = sorted(path for path in folder.rglob(f"*{ending}") if path.is_file())
    return [path.read_bytes() for path in found if path.stat().st_size < _LARGEST]


_ANSWERS = [
    b'[{"op": "add", "kind": "gotcha", "text": "Use uv.", "why": "pip fails"}]',
    b'```json\n[{"op": "reinforce", "id": "n1"}, {"op": "contradict", "id": "n2", "why": "x"}]\n```',
    b"- [gotcha] Use uv. (pip fails)\n- [fix] Sign the tag.\nSKIP",
]
_ARGUMENTS = [
    b'{"skill": "release", "intent": "tag", "max_tokens": 200}',
    b'{"text": "Use uv.", "tags": ["uv", "pip"], "kind": "gotcha", "skill": null}',
    b'{"query": "uv", "limit": 3, "all_projects": true, "id": "n1", "status": "done"}',
]
_VECTORS = [
    b'{"data": [{"index": 0, "embedding": [0.1, 0.2]}, {"index": 1, "embedding": [1e308, 0]}]}',
    b'{"embeddings": [[0.1, 0.2], [0.3]]}',
]
