"""Secrets that come in by every door, and a search of every byte that is kept and sent."""

import gzip
import json
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from tests.attacks import more_secret_texts, secret_texts
from tests.attacks.byte_search import find_places, search_bytes
from tests.attacks.plants import Victim
from tests.attacks.secret_texts import SecretText, fill_templates
from tests.attacks.tally import Tally
from tests.commands import run_command
from tests.hooks.attack import compact, fire_all
from tests.hooks.conftest import Client
from tests.hooks.sessions import Session
from tests.person import run_by_person
from tests.requirements import requirement
from tests.sync.support import bare

from twiceshy.runtimes.quick_look import may_show_secret

FAMILY = "secrets through every door"
_ALL = [
    one
    for texts in (secret_texts, more_secret_texts)
    for table in texts.CLASSES.values()
    for one in fill_templates(table, 77)
]
SAMPLE = _ALL[::7]
TOKEN = "ghp_" + "a8Bc9dE0" * 5
WORD = "Saffron-9917!x"


def count_left(tally: Tally, folder: Path, texts: list[SecretText], *, door: str) -> None:
    """Count the secrets that any byte below a folder holds, in any coding or packed."""
    everything = read_everything(folder)
    for one in texts:
        inside = one.secret[2:14] if len(one.secret) > 16 else one.secret
        left = search_bytes(
            everything, {one.secret.lower().encode(), inside.lower().encode()}, depth=0
        )
        tally.count_attack(FAMILY, f"{door}: {one.template}", succeeded=left)
    if find_places(folder, [one.secret for one in texts[::9]]) and not tally.succeeded:
        tally.succeeded.append("a coded form")


def read_everything(folder: Path) -> bytes:
    """Return every byte below a folder, of packed files and git objects what is packed in them."""
    found = []
    for path in sorted(folder.rglob("*")):
        found.append(str(path.relative_to(folder)).encode())
        if path.is_file():
            content = path.read_bytes()
            found.append(content)
            try:
                found.append(
                    gzip.decompress(content)
                    if content[:2] == b"\x1f\x8b"
                    else zlib.decompress(content)
                )
            except (zlib.error, EOFError):
                continue
    return b"\n".join(found).lower()


def call(one: SecretText, number: int, project: Path, **fields: object) -> bytes:
    common = {
        "session_id": f"session-{number}",
        "cwd": str(project),
        "transcript_path": "/t.jsonl",
        "tool_name": "Bash",
        "tool_use_id": f"toolu_{number}",
        "hook_event_name": "PostToolUseFailure",
        "is_interrupt": False,
    }
    return compact({**common, "tool_input": {"command": one.text}, **fields})


@requirement("Y62")
def test_no_secret_of_a_call_its_error_or_a_summary_is_kept(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    payloads = []
    for number, one in enumerate(SAMPLE):
        error = f"Exit code 1\nerror: rejected\n{one.text}\nsee the log"
        payloads.append(call(one, number, tmp_path, error=error))
        if number % 5:
            continue
        summary = f"<summary>We tried this:\n{one.text}\nand went on.</summary>"
        payloads.append(
            call(
                one,
                number + 900,
                tmp_path,
                hook_event_name="PostCompact",
                compact_summary=summary,
                trigger="auto",
            )
        )

    answers = fire_all(payloads, cwd=tmp_path)

    assert {answer.code for answer in answers} == {0}
    assert find_places(home, ["see the log"]), "the texts around are kept"
    count_left(tally, home, SAMPLE, door="hook")
    assert len(tally.succeeded) <= 0.01 * len(SAMPLE), tally.succeeded


@requirement("Y62", "E77")
def test_no_secret_of_a_command_a_transcript_or_an_import_is_kept_or_sent(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    victim = Victim(home, project)
    remote = bare(tmp_path / "remote")
    for one in SAMPLE[::4]:
        victim.run("note", f"About the depot: {one.text}")
        victim.run("todo", "add", f"Look at this: {one.text[:200]}")
    page = project / "lessons.md"
    page.write_text(
        "# Lessons\n\n" + "\n".join(f"- The depot says {one.text}" for one in SAMPLE[1::4])
    )
    victim.run("import", "markdown", str(page))
    page.unlink()
    victim.run("memory-set", "architecture", "\n\n".join(one.text for one in SAMPLE[2::8]))
    session = Session(project, "session-7")
    session.works(*((one.text, f"Exit code 1\nerror: refused {one.text}") for one in SAMPLE[3::4]))
    victim.run("distill", "--transcript", str(session.transcript))
    session.transcript.unlink()
    victim.run("views", "write")
    victim.run("config", "set", "sync.remote", str(remote))
    victim.run("backup")

    assert find_places(home, ["About the depot"]), "the texts around are kept"
    count_left(tally, home, SAMPLE, door="command")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(remote), str(clone)], check=True)
    count_left(tally, clone, SAMPLE, door="remote")
    assert len(tally.succeeded) <= 0.02 * len(SAMPLE), tally.succeeded


@requirement("Y59", "Y62")
def test_a_secret_of_a_session_is_known_to_its_later_hooks_by_a_hash(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    first = SecretText("", f"mysql -uroot -p{WORD} shop", WORD)
    later = SecretText("", f"rejected: {WORD} for bob", WORD)
    error = "Exit code 1\nerror: it broke"

    fire_all(
        [
            call(first, 1, tmp_path, error=error),
            call(later, 1, tmp_path, tool_input={"command": "make it"}, tool_use_id="later",
                 error=f"Exit code 1\nerror: told you\n{later.text}"),
        ],
        cwd=tmp_path,
    )  # fmt: skip

    assert (home / "found" / "session-1").stat().st_size in (4, 8)
    assert find_places(home, ["told you"])
    count_left(tally, home, [later], door="later hook")
    assert tally.succeeded == []


@requirement("Y59", "Y62")
def test_a_secret_that_a_call_showed_without_an_error_is_known_to_later_hooks(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    ways: list[dict[str, object]] = [
        bash(f"mysql -uroot -p{WORD} shop", "ok"),
        bash("cat .env", f"PORT=80\nDB_PASSWORD={WORD}\n"),
        bash(f"psql postgresql://app:{WORD}@db/shop", "1 row"),
        bash(f"echo '{WORD}' | sudo -S true", ""),
        bash(f"make login && curl -u bob:{WORD} https://x", "ok"),
        {"hook_event_name": "UserPromptSubmit", "prompt": f"the password is {WORD}, log in"},
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": "/x/.env", "content": f"API_SECRET={WORD}\n"},
            "tool_response": {"type": "create"},
        },
    ]
    Client(tmp_path).start()
    payloads = []
    later = SecretText("", f"rejected: {WORD} for bob", WORD)
    for number, shown in enumerate(ways):
        one = call(SecretText("", "make it", ""), number, tmp_path, error="")
        payloads.append(compact({**json.loads(one), **shown}))
        told = f"Exit code 1\nerror: told you\n{later.text}"
        payloads.append(
            call(later, number, tmp_path, tool_input={"command": "make it"}, tool_use_id=f"later-{number}", error=told)
        )  # fmt: skip

    for payload in payloads:
        fire_all([payload], cwd=tmp_path)

    assert find_places(home, ["told you"])
    for number, shown in enumerate(ways):
        known = (home / "found" / f"session-{number}").exists()
        tally.count_attack("secrets seen before an error", str(shown), succeeded=not known)
    count_left(tally, home, [later], door="later hook")
    assert tally.succeeded == []


def bash(command: str, said: str) -> dict[str, object]:
    return {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_response": {"stdout": said, "stderr": "", "interrupted": False},
    }


@requirement("Y59")
def test_a_secret_in_a_command_of_an_agent_is_known_to_later_hooks_of_its_session(
    home: Path, tmp_path: Path
) -> None:
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "session-1"}
    done = run_command("note", f"The password is {WORD}.", cwd=tmp_path, env=env)
    outside = {**env, "CLAUDE_CODE_SESSION_ID": "../../session-2"}
    refused = run_command("note", f"The passphrase is {WORD}.", cwd=tmp_path, env=outside)

    later = SecretText("", "", WORD)
    fire_all(
        [call(later, 1, tmp_path, error=f"Exit code 1\ntold you {WORD} for bob")], cwd=tmp_path
    )

    assert (done.code, refused.code) == (0, 0), (done.err, refused.err)
    assert find_places(home, ["told you"])
    assert find_places(home, [WORD]) == set()
    assert [each.name for each in (home / "found").iterdir()] == ["session-1"]
    assert not list(tmp_path.rglob("session-2"))


@requirement("Y59")
def test_few_calls_of_everyday_work_are_read_for_secrets() -> None:
    everyday = [
        compact({"session_id": "s", **bash(line, "ok: 12 passed in 0.4s\nsrc/app.py:12: keyword")})
        for line in EVERYDAY.strip().splitlines()
    ]
    telling = [
        compact({"session_id": "s", **bash(one.text, "")})
        for module in (secret_texts, more_secret_texts)
        for one in fill_templates(module.COMMAND_LINES, 21)
    ]

    assert [raw for raw in everyday if may_show_secret(raw)] == []
    assert sum(map(may_show_secret, telling)) >= 0.7 * len(telling)


EVERYDAY = """
make test
git commit -m 'Read keywords' && git push
mkdir -p src/app && ls -la
npm run build
kubectl get pods -n shop
docker-compose ps
grep -rn 'tokenize' src
pytest -q tests/test_auth.py
cat package.json
python -m http.server -b 127.0.0.1
"""


@requirement("Y60")
def test_no_cut_of_ours_leaves_a_part_of_a_secret(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    edges = (400, 800, 1_000, 4_000, 8_000, 16_000)
    filler = "The ledger went to the archive of the depot on that day. " * 900
    texts = []
    payloads = []
    for number, at in enumerate(edge - back for edge in edges for back in (30, 8)):
        secret = f"ghp_{number:02}" + "".join(
            f"{chr(97 + number % 26)}{number:02}{each}Bx" for each in range(7)
        )
        head = filler[:at]
        texts.append(SecretText(f"at {at}", "", secret))
        payloads.append(
            call(
                texts[-1],
                number,
                tmp_path,
                tool_input={"command": "make it"},
                error=f"{head} {secret} {filler[:1_500]}",
            )
        )
        payloads.append(
            call(
                texts[-1],
                number + 500,
                tmp_path,
                tool_input={"command": f"run {head[:3_000]} {secret} {filler[:99]}"},
                error="Exit code 1\nerror: it broke",
            )
        )
        payloads.append(call(texts[-1], number + 900, tmp_path, hook_event_name="PostCompact", trigger="auto",
                             compact_summary=f"<summary>{head} {secret} {filler[:1_500]}</summary>"))  # fmt: skip

    fire_all(payloads, cwd=tmp_path)

    everything = read_everything(home)
    for one in texts:
        pieces = {
            one.secret[begin : begin + 9].lower().encode()
            for begin in range(6, len(one.secret) - 9, 4)
        }
        left = any(piece in everything for piece in pieces)
        tally.count_attack("secrets at a cut", one.template, succeeded=left)
    assert find_places(home, ["archive of the depot"])
    assert tally.succeeded == []


@requirement("Y63")
@pytest.mark.parametrize(
    "words",
    [
        ("note", "Something to keep.", "--skill", TOKEN),
        ("handoff", TOKEN, "--status", "half done", "--yes"),
        ("memory-set", TOKEN, "Some words."),
        ("inject", TOKEN),
        ("distill", "--session", TOKEN),
        ("config", "set", TOKEN, "1"),
        ("search", TOKEN, "--skill", TOKEN),
    ],
)
def test_a_secret_is_refused_as_a_name_and_not_repeated(
    words: tuple[str, ...], home: Path, tmp_path: Path, tally: Tally
) -> None:
    Victim(home, tmp_path).run("note", "The store is there.")
    done = run_by_person(*words, cwd=tmp_path, env={})

    left = find_places(home, [TOKEN, TOKEN[4:20]])
    tally.count_attack("secrets as names", words[0], succeeded=bool(left))
    assert tally.succeeded == []
    assert TOKEN not in done.out


@requirement("Y63")
def test_a_session_named_like_a_secret_leaves_nothing(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    client = Client(tmp_path, session=TOKEN)
    client.start()
    client.prompt("please cut a release")
    client.fail("make it", "Exit code 2\nerror: it broke")
    folder = tmp_path / TOKEN
    folder.mkdir()
    Victim(home, folder).run("note", "Something about this folder.")

    left = find_places(home, [TOKEN, TOKEN[4:20]])
    tally.count_attack("secrets as names", "session and folder", succeeded=bool(left))
    assert left == set()


def speak_mcp(place: Path, calls: list[tuple[str, dict[str, object]]]) -> str:
    """Let a server process answer calls of tools, and return all that it printed."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    said: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    for number, (tool, given) in enumerate(calls, start=1):
        params = {"name": tool, "arguments": given}
        said.append({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", "mcp"],
        input="".join(f"{json.dumps(each)}\n" for each in said).encode(),
        cwd=place,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return done.stdout.decode()


@requirement("Y62")
def test_no_secret_given_by_mcp_is_kept_or_told_back(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    texts = SAMPLE[::3]
    calls: list[tuple[str, dict[str, object]]] = [
        ("note", {"text": f"About the depot: {one.text}", "kind": "gotcha"}) for one in texts
    ]

    told = speak_mcp(tmp_path, [*calls, ("search", {"query": "depot"})])

    assert find_places(home, ["About the depot"]), "the texts around are kept"
    count_left(tally, home, texts, door="MCP")
    for one in texts:
        tally.count_attack(FAMILY, f"told by MCP: {one.template}", succeeded=one.secret in told)
    assert tally.succeeded == []
