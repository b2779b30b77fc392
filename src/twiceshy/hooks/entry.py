"""Hook entry: one event in, at most one JSON object out, exit code 0.

Most tool calls need no answer: the payload is checked as bytes first, and nothing is
imported before the check.
"""

from __future__ import annotations

from twiceshy.hooks import deadline
from twiceshy.hooks.deadline import exit_fast, last_words, set_deadline, set_hard_limit, system

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST = 16 << 20  # bytes; a payload that is larger is read to its end and not looked at
_AT_ONCE = 1 << 20
_LATE, _LATE_MS = "late", 1_200  # clients wait five seconds in all
_PIPED = 60_000  # bytes that every pipe holds
_RUN = __file__.rpartition("/")[0] + "/run.py"
_FILE = 0o10  # what the mode of a plain file begins with
_ONLY_FILES = getattr(system, "O_NOFOLLOW", 0) | getattr(system, "O_NONBLOCK", 0)


def main(arguments: list[str]) -> None:
    """Answer an event of the named runtime, and end the process."""
    if arguments[:1] == ["learn"]:
        set_hard_limit()
        from twiceshy.recall.background import wait_for_turn

        wait_for_turn()
        from twiceshy.hooks.background import run_background_job

        run_background_job(arguments[1:])
    elif arguments[:1] == [_LATE]:
        _finish_late(*arguments[1:])
    else:
        answer_event(arguments, exit_fast)
    exit_fast()


def _finish_late(runtime: str, limit: str, *done: str) -> None:
    """Do what an expired hook has left undone: hold the record, ask, and log."""
    set_deadline(_LATE_MS, _LATE_MS)
    from twiceshy.recall.unchecked_call import end_late

    end_late(runtime, _read_stdin(), limit, write_stdout, done=done)


def answer_event(arguments: list[str], leave: Callable[[], None]) -> None:
    """Answer an event, whatever its content."""
    if b"TWICESHY_INSIDE" in system.environ:
        return  # the model that fired this event was started by us
    runtime = arguments[0] if arguments else ""
    reply = _Reply(runtime)
    last_words[:] = [reply.end_late]
    set_deadline(
        _limit_ms(b"TWICESHY_HOOK_DEADLINE_MS", deadline.CPU_MS),
        _limit_ms(b"TWICESHY_HOOK_WALL_MS", deadline.WALL_MS),
    )
    try:
        reply.raw = _event_argument(arguments) or _read_stdin()
        worth = _is_worth_parsing(reply.raw, runtime)
        if _follows_failure(reply.raw, runtime, answered=worth):
            _import_os()
            from twiceshy.recall.later_call import record_later_call

            record_later_call(runtime, reply.raw)
        elif _may_show_secret(reply.raw, runtime):
            _import_os()
            from twiceshy.recall.shown_secrets import learn_shown_secrets

            learn_shown_secrets(runtime, reply.raw)
        if worth:
            from twiceshy.runtimes.quick_look import can_ask_summariser, is_turn_end

            if is_turn_end(reply.raw):
                _start_background_job(reply.raw)
                asked = can_ask_summariser(reply.raw, runtime)
                if not (asked or _are_uses_counted(reply.raw)):
                    return
            _import_os()
            from twiceshy.recall.answer import answer_event

            answer_event(runtime, reply.raw, reply.say, leave, deadline)
    except Exception as error:  # noqa: BLE001 - a hook must not fail, whatever is wrong with it
        reply.end_with_error(error)


def _import_os() -> None:
    from twiceshy.hooks.import_os import import_os

    import_os()


class _Reply:
    """The reply to an event: said at most once, and left out only where nothing depends on it."""

    def __init__(self, runtime: str) -> None:
        self.raw = b""
        self._runtime = runtime
        self._is_said = False

    def say(self, text: str) -> None:
        """Print the reply."""
        self._is_said = True
        write_stdout(text)

    def end_late(self, limit: str) -> None:
        """Start this process anew for the rest: a module may be half loaded, and its import fail."""
        import sys

        if hasattr(system, "memfd_create"):
            handle = system.memfd_create("event")
            rest = self.raw
            while rest:
                rest = rest[system.write(handle, rest) :]
            system.lseek(handle, 0, 0)
        else:
            handle, into = system.pipe()
            system.write(into, self.raw[:_PIPED])  # a longer event is cut, and only logged
            system.close(into)
        system.dup2(handle, 0)
        done = ["said"] * self._is_said + ["held"] * deadline.is_held
        words = [sys.executable, "-I", "-S", _RUN, _LATE, self._runtime, limit, *done]
        system.execv(sys.executable, words)

    def end_with_error(self, error: Exception) -> None:
        """Ask where a rule or guard could not look, and log the error."""
        for act in (self._ask_unchecked, self._log, self._start_rescue):
            try:
                act(error)
            except Exception:  # noqa: BLE001, S112 - nothing is left that could be told
                continue

    def _ask_unchecked(self, error: Exception) -> None:
        if self._is_said or not self.raw:
            return
        from twiceshy.recall.unchecked_call import build_unchecked_reply

        why = f"{type(error).__name__} (see twiceshy doctor)"
        if text := build_unchecked_reply(self._runtime, self.raw, why=why):
            self.say(text)

    def _start_rescue(self, error: Exception) -> None:
        """Let the background job rescue a damaged store: it opens the store as a command does."""
        if type(error).__name__ == "DamagedStoreError":
            from twiceshy.recall.background import start_rescue

            start_rescue(self.raw)

    def _log(self, error: Exception) -> None:
        from twiceshy.recall.hook_log import report_error

        report_error(self._runtime, self.raw, error)


def write_stdout(text: str) -> None:
    """Write the whole text to stdout; a closed pipe is ignored."""
    rest = text.encode("utf-8", "replace")
    try:
        while rest:
            rest = rest[system.write(1, rest) :]
    except OSError:
        return


def _event_argument(arguments: list[str]) -> bytes:
    """Return an event given as argument; other clients write to stdin."""
    word = arguments[1] if len(arguments) > 1 else ""
    return word.encode("utf-8", "surrogateescape") if word.startswith("{") else b""


def _read_stdin() -> bytes:
    """Return stdin; empty if too long."""
    pieces, length = [], 0
    while piece := system.read(0, _AT_ONCE):
        length += len(piece)
        if length <= _LARGEST:
            pieces.append(piece)
        else:
            pieces.clear()
    return b"".join(pieces)


def _is_worth_parsing(raw: bytes, runtime: str) -> bool:
    from twiceshy.runtimes import RUNTIMES, quick_look

    if runtime not in RUNTIMES:
        return False
    if quick_look.is_pending_call(raw):
        return _prefilter_matches(
            raw, _client_start_directory(runtime) or quick_look.extract_directory(raw)
        )
    return quick_look.may_matter(raw, runtime) or _is_first_use(raw)


def _is_first_use(raw: bytes) -> bool:
    """True if a shell command may use a program for the first time about which something is known."""
    from twiceshy.runtimes.quick_look import name_watch

    watch = name_watch(raw)
    path = _memory_home() + b"/calls/" + watch
    try:
        if not watch or not system.stat(path).st_size:
            return False
    except OSError:
        return False
    from twiceshy.recall.claim_first_use import claim_first_use

    return claim_first_use(raw, path)


def _follows_failure(raw: bytes, runtime: str, *, answered: bool) -> bool:
    """True for one of the few calls behind a failure: the fix may be among them."""
    from twiceshy.runtimes import RUNTIMES, quick_look

    window = quick_look.name_window(raw, answered=answered) if runtime in RUNTIMES else b""
    try:
        return bool(window) and system.stat(_memory_home() + b"/calls/" + window).st_size > 0
    except OSError:
        return False


def _are_uses_counted(raw: bytes) -> bool:
    """True at the end of a turn where tool uses are counted for the save reminder."""
    counters = _memory_home() + b"/keeper/"
    try:
        names = system.listdir(counters)  # most users have none
        counted = any(system.stat(counters + name).st_size for name in names)
    except OSError:
        return False
    from twiceshy.runtimes.quick_look import may_go_on

    return counted and may_go_on(raw)


def _may_show_secret(raw: bytes, runtime: str) -> bool:
    from twiceshy.runtimes import RUNTIMES, quick_look

    return runtime in RUNTIMES and quick_look.may_show_secret(raw)


def _client_start_directory(runtime: str) -> bytes:
    """Return the start directory reported by the client, not by a surrounding client."""
    from twiceshy.runtimes import STARTS_TOLD

    return system.environ.get(b"CLAUDE_PROJECT_DIR", b"") if runtime in STARTS_TOLD else b""


def _prefilter_matches(raw: bytes, place: bytes) -> bool:
    """True if a note may match a pending call; True without a prefilter file."""
    from twiceshy.core.prefilter_words import FOLDER, name_watch_file, payload_may_match

    folder = _memory_home() + b"/" + FOLDER.encode() + b"/"
    try:
        project = _read_small_file(folder + name_watch_file(place, system.environ).encode())
        # a name is hexadecimal digits; whatever else stands there was not written by us
        return not project.isalnum() or payload_may_match(_read_small_file(folder + project), raw)
    except OSError:
        return True


def _memory_home() -> bytes:
    return system.environ.get(b"TWICESHY_HOME") or system.environ.get(b"HOME", b"") + b"/.twiceshy"


def _read_small_file(path: bytes) -> bytes:
    """Return a small file of ours; OSError for anything else, without waiting for a pipe."""
    handle = system.open(path, system.O_RDONLY | _ONLY_FILES)
    try:
        content = system.read(handle, _AT_ONCE)
        if system.fstat(handle).st_mode >> 12 != _FILE or len(content) == _AT_ONCE:
            raise OSError
        return content
    finally:
        system.close(handle)


def _start_background_job(raw: bytes) -> None:
    from twiceshy.recall.background import start_background_job
    from twiceshy.runtimes.quick_look import extract_session, is_session_end

    start_background_job(extract_session(raw).decode("ascii", "replace"), over=is_session_end(raw))


def _limit_ms(variable: bytes, usual: int) -> int:
    said = system.environ.get(variable, b"")
    fits = len(said) < 6 and said.isdigit() and 10 <= int(said) <= 60_000
    return int(said) if fits else usual
