"""Install other programs that keep notes, and let each of them write some of its own.

They live beside the clients (``clients.CLIENTS``). A program that cannot be had here raises NoClientError, which
says why.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.journeys.lab.clients import CLIENTS, NoClientError, installed, this_platform

CLAUDE_MEM = "13.25.3"
BUN = "1.4.4"
MCP_MEMORY_SERVICE = "12.4.0"
MEM0 = "2.2.1"
BASIC_MEMORY = "0.19.2"

# Without its models, its server and its cloud: what is left writes the same database.
_MCP_NEEDS = "sqlite-vec numpy aiosqlite aiohttp httpx python-dotenv pyyaml psutil click".split()
# Without its models, two database servers and what its own tests need: half of the size, a tenth of the time.
_BASIC_NEEDS = """aiofiles aiosqlite alembic anyio dateparser fastapi fastmcp<4 greenlet httpx loguru markdown-it-py
    mcp<2 mdformat mdformat-frontmatter mdformat-gfm nest-asyncio pillow pybars3 pydantic pydantic-settings pyjwt
    python-dotenv python-frontmatter pyyaml rich sqlalchemy sqlite-vec typer unidecode watchfiles""".split()
_EXTENSIONS = (
    "whose sqlite3 loads extensions",
    "import sqlite3; sqlite3.connect(':memory:').enable_load_extension",
)
_NEWER = ("of version 3.12 or newer", "import sys; sys.exit(sys.version_info < (3, 12))")
_ANY = ("of any version", "pass")

_CLAUDE_MEM = """
const { SessionStore } = require(process.argv[2]);
const store = new SessionStore(process.argv[3]);
const id = store.createSDKSession("content-1", "shop", "tag the release");
store.updateMemorySessionId(id, "m1");
const observed = (type, title, concepts) =>
  store.storeObservation("m1", "shop", {
    type, title, subtitle: "Said in one sentence.", narrative: "And at length.", concepts,
    facts: ["One fact."], files_read: ["uv.lock"], files_modified: ["release.sh"],
  }, 1, 10);
observed("bugfix", "Lock before tagging", ["gotcha"]);
observed("decision", "Keep notes in SQLite", ["trade-off"]);
observed("feature", "Added a release script", ["what-changed"]);
store.storeSummary("m1", "shop", {
  request: "tag the release", investigated: "the lock", learned: "lock first",
  completed: "tagged", next_steps: "publish", notes: null,
}, 1, 5);
store.close();
"""
_MCP_MEMORY_SERVICE = """
import asyncio, sys
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils.hashing import generate_content_hash

async def main():
    storage = SqliteVecMemoryStorage(sys.argv[1])
    await storage.initialize()
    for words, tags, kind in (
        ("Lock before tagging.", ["release", "project:shop"], "gotcha"),
        ("Keep notes in SQLite.", ["storage"], "decision"),
        ("Forget this again.", [], "observation"),
    ):
        name = generate_content_hash(words)
        memory = Memory(content=words, content_hash=name, tags=tags, memory_type=kind)
        stored, why = await storage.store(memory)
        assert stored, why
    await storage.delete(generate_content_hash("Forget this again."))

asyncio.run(main())
"""
_MEM0 = """
import json, sys
from mem0 import Memory
from mem0.embeddings.mock import MockEmbeddings
from mem0.utils.factory import EmbedderFactory

EmbedderFactory.create = classmethod(lambda cls, *args, **named: MockEmbeddings())
store = {"path": sys.argv[1] + "/vectors", "embedding_model_dims": 10, "on_disk": True}
memory = Memory.from_config({
    "vector_store": {"provider": "qdrant", "config": store},
    "history_db_path": sys.argv[1] + "/history.db",
})
ids = []
for words in ("Lock before tagging.", "Dev prefers tabs.", "Forget this again."):
    added = memory.add(words, user_id="dev", infer=False, metadata={"project": "shop"})
    ids.append(added["results"][0]["id"])
memory.delete(ids[-1])
with open(sys.argv[1] + "/export.json", "w", encoding="utf-8") as file:
    json.dump(memory.get_all(filters={"user_id": "dev"}), file)
"""
_BASIC_MEMORY = """# Release steps

## Observations
- [gotcha] Lock before tagging #uv (seen in CI)
- [decision] Keep notes in SQLite

## Relations
- relates_to [[Storage]]
"""


def claude_mem_writes(path: Path) -> Path:
    """Let claude-mem write a database: two notes, a feature and a summary."""
    chip = this_platform().replace("arm64", "aarch64")
    bun = installed(f"bun-{BUN}", f"bun@{BUN}", wanted=f"node_modules/@oven/bun-{chip}/bin/bun")
    module = _unpacked("claude-mem", CLAUDE_MEM) / "plugin/sqlite/SessionStore.js"
    script = path.with_suffix(".cjs")
    script.write_text(_CLAUDE_MEM, encoding="utf-8")
    _run([bun, script, module, path], home=path.parent)
    return path


def mcp_memory_service_writes(path: Path) -> Path:
    """Let mcp-memory-service write a database: two memories, and one that it deletes."""
    python = _python("mcp-memory-service", MCP_MEMORY_SERVICE, *_MCP_NEEDS, must=_EXTENSIONS)
    _run([python, "-c", _MCP_MEMORY_SERVICE, path], home=path.parent)
    return path


def mem0_writes(folder: Path) -> Path:
    """Let mem0 write its history and an export: two memories, and one that it deletes."""
    python = _python("mem0ai", MEM0)
    quiet = {"MEM0_TELEMETRY": "false", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none"}
    _run([python, "-c", _MEM0, folder], home=folder, **quiet)
    return folder


def basic_memory_writes(folder: Path, home: Path) -> Path:
    """Let basic-memory write a note with two observations into a project of its own."""
    python = _python("basic-memory", BASIC_MEMORY, *_BASIC_NEEDS, must=_NEWER)
    program = python.with_name("basic-memory")
    quiet = {"BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false"}
    _run([program, "project", "add", "shop", folder, "--default"], home=home, **quiet)
    wrote = ["--title", "Release steps", "--folder", "notes", "--tags", "release"]
    words = [program, "tool", "write-note", "--project", "shop", *wrote]
    _run([*words, "--content", _BASIC_MEMORY], home=home, **quiet)
    return folder


def _unpacked(package: str, version: str) -> Path:
    """Return the folder of a package from npm, without those that it depends on."""
    folder = CLIENTS / f"{package}-{version}"
    if not (folder / "package").exists():
        folder.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm")
        if npm is None:
            raise NoClientError(f"npm is needed to fetch {package}; install Node.js")
        words = [npm, "pack", "--silent", "--pack-destination", str(folder)]
        words.append(f"{package}@{version}")
        tried = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if tried.returncode:
            raise NoClientError(f"npm could not fetch {package}:\n{tried.stderr}")
        with tarfile.open(folder / f"{package}-{version}.tgz") as archive:
            archive.extractall(folder, filter="data")
    return folder / "package"


def _python(package: str, version: str, *needs: str, must: tuple[str, str] = _ANY) -> Path:
    """Return the interpreter of an environment that has a package; with ``needs``, these alone beside it."""
    folder = CLIENTS / f"{package}-{version}"
    done = folder / "installed.json"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / ".lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                _install(folder, f"{package}=={version}", needs, must)
                done.write_text(json.dumps([package, version]), encoding="utf-8")
    return folder / "bin" / "python"


def _install(folder: Path, package: str, needs: tuple[str, ...], must: tuple[str, str]) -> None:
    beside = Path(sys.base_prefix).parent.glob("*/bin/python3")  # where versions lie side by side
    named = map(shutil.which, ("python3.13", "python3.12"))
    names = [sys.executable, *named, "/usr/bin/python3", *map(str, sorted(beside))]
    able = [name for name in names if name and os.path.exists(name) and _does(name, must[1])]
    if not able:
        raise NoClientError(f"{package} needs a Python {must[0]}, and there is none here")
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    alone = ["--no-deps"] if needs else []
    steps = [[able[0], "-m", "venv", str(folder)], [*pip, *alone, package]]
    steps += [[*pip, *needs]] if needs else []
    for step in steps:
        tried = subprocess.run(step, capture_output=True, text=True, check=False)
        if tried.returncode:
            raise NoClientError(f"{package} cannot be installed here:\n{tried.stderr[-2000:]}")


def _does(python: str, must: str) -> bool:
    return not subprocess.run([python, "-c", must], capture_output=True, check=False).returncode


def _run(words: list[object], *, home: Path, **environ: str) -> None:
    done = subprocess.run(
        list(map(str, words)),
        env={"PATH": os.environ["PATH"], "HOME": str(home)} | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
