"""Ask the background job to learn from a session, and start the job unless one runs; no hook waits for it.

A request is an empty file in a folder of the memory home, so that a job that is killed loses none, and
many sessions that end at once start one job. A job redacts the secrets of its own environment, so hooks
with other secrets have a queue and a job of their own; these jobs take turns before they load anything.
"""

from __future__ import annotations

import sys

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]  # the same functions under another name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_HOOK = __file__.rpartition("/recall/")[0] + "/hooks/run.py"
_LONGEST_ID = 128
FOLDER, LOCK, TURN_FILE = "requests", "lock", "turn"
TURN, OVER = ".turn", ".over"  # a turn of the session has ended, or the session
# Words for the job: that there is no request, and before the handle of its queue's lock.
UNQUEUED, LOCKED = "unqueued", "lock="
# Parts of the names of variables that may hold a secret.
_TELLING = tuple(b"KEY TOKEN SECRET PASS AUTH CRED DSN JWT PAT PSK PWD BEARER COOKIE".split())
_FOLDERS = (b"PWD", b"OLDPWD")
_SHORTEST = 8  # bytes of a secret that is redacted by value
_NAME_BYTES = 2  # of a digest: nobody finds a password by so little
_DIGEST_KEY = 0x7477696365
# How long a job waits for others that work, and between two looks: then it goes on beside them.
_PATIENCE_S, _PAUSE_S = 240.0, 0.1
_OPEN = getattr(system, "O_CLOEXEC", 0) | getattr(system, "O_NOFOLLOW", 0)


def start_background_job(session: str, *, over: bool = False) -> None:
    """Ask for learning from this session, and start the background job unless one runs."""
    if not _is_session_id(session) or not hasattr(system, "posix_spawn"):
        return
    words = [session, *(["over"] if over else [])]
    try:
        folder = locate_queue()
        leave_request(folder, session, over=over)
        lock = take_queue(folder)
    except OSError as error:  # a full disk, or a memory home that cannot be written
        if not _is_home_forbidden(error):
            _spawn([*words, UNQUEUED])
        return
    if lock >= 0:
        try:
            # the job has the lock from its beginning to its end
            system.set_inheritable(lock, True)  # noqa: FBT003 - Python takes no names here
            _spawn([*words, f"{LOCKED}{lock}"])
        finally:
            system.close(lock)


def _is_home_forbidden(error: OSError) -> bool:
    """True if the memory home cannot be written at all: a job could only fail there."""
    from errno import EACCES, EPERM, EROFS

    return error.errno in (EACCES, EPERM, EROFS) and not system.access(_locate_home(), system.W_OK)


def locate_queue() -> bytes:
    """Return the folder of the requests of hooks with the secrets of this environment."""
    return _locate_home() + b"/" + FOLDER.encode() + b"/" + _name_secrets().encode()


def _locate_home() -> bytes:
    home = system.environ.get(b"TWICESHY_HOME", b"").strip()
    if not home:
        if not system.environ.get(b"HOME"):
            raise FileNotFoundError
        home = system.environ[b"HOME"] + b"/.twiceshy"
    return home


def take_queue(folder: bytes) -> int:
    """Return a handle that holds the lock of a queue; -1 if a job has it."""
    import fcntl

    lock = system.open(
        folder + b"/" + LOCK.encode(), system.O_RDWR | system.O_CREAT | _OPEN, 0o600
    )
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        system.close(lock)
        return -1
    except OSError:
        system.close(lock)
        raise
    return lock


def wait_for_turn() -> None:
    """Wait until no other job works; the turn is this process's until it ends.

    A job that works has 40 MB of modules and rows; one that waits has loaded next to nothing.
    """
    from time import monotonic, sleep

    try:
        import fcntl

        turn = system.open(
            _locate_home() + f"/{FOLDER}/{TURN_FILE}".encode(),
            system.O_RDWR | system.O_CREAT | _OPEN,
            0o600,
        )
    except (ImportError, OSError):
        return  # nobody else can take it either
    until = monotonic() + _PATIENCE_S
    while monotonic() < until:
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(_PAUSE_S)
        except OSError:
            return
        else:
            return


def leave_request(folder: bytes, session: str, *, over: bool) -> None:
    """Leave a request in a queue; one that is there already stays as it is."""
    path = folder + b"/" + session.encode() + (OVER if over else TURN).encode()
    how = system.O_WRONLY | system.O_CREAT | _OPEN
    try:
        system.close(system.open(path, how, 0o600))
    except FileNotFoundError:
        parent = folder.rpartition(b"/")[0]
        for place in (parent.rpartition(b"/")[0], parent, folder):
            try:
                system.mkdir(place, 0o700)
            except FileExistsError:
                continue
        system.close(system.open(path, how, 0o600))


def _name_secrets() -> str:
    """Return a short digest of the variables that may hold a secret."""
    from _imp import source_hash

    said: bytes = source_hash(_DIGEST_KEY, b"\0".join(list_suspects(system.environ)))
    return said[:_NAME_BYTES].hex()


def list_suspects(environ: Mapping[bytes, bytes]) -> list[bytes]:
    """Return the variables that may hold a secret, sorted; rather too many than too few."""
    found = []
    for name, value in environ.items():
        if len(value) < _SHORTEST or name in _FOLDERS or _is_path(value):
            continue
        upper = name.upper()
        if any(part in upper for part in _TELLING):
            found.append(name + b"=" + value)
    return sorted(found)


def _is_path(value: bytes) -> bool:
    return value[:1] == b"/" and value.split() == [value]


def _spawn(words: list[str]) -> None:
    nowhere = system.open("/dev/null", system.O_RDWR)
    streams = [(system.POSIX_SPAWN_DUP2, nowhere, stream) for stream in (0, 1, 2)]
    command = [sys.executable, "-I", "-S", _HOOK, "learn", *words]
    system.posix_spawn(sys.executable, command, system.environ, file_actions=streams, setsid=True)
    system.close(nowhere)


def start_rescue(raw: bytes) -> None:
    """Start the background job for a damaged store; one process in two minutes does."""
    import time

    from twiceshy.app import load_settings_in_hook
    from twiceshy.runtimes.quick_look import extract_directory, extract_session
    from twiceshy.store.convert import claim_conversion

    config = load_settings_in_hook(extract_directory(raw).decode("utf-8", "replace"))
    if claim_conversion(config.store, now_s=time.time()):
        start_background_job(extract_session(raw).decode("ascii", "replace"))


def _is_session_id(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_ID and text.isascii() and _strip_separators(text).isalnum()


def _strip_separators(text: str) -> str:
    return text.replace("-", "").replace("_", "")
