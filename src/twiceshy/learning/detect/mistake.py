"""Classify a mistake: the telling line, the category of the failure, and a signature.

The signature is equal when the same mistake is made again, wherever the project lies and
whatever the numbers are. The category says how memory can help: a wrong call is wrong again
next time, while a failing test tells about the code of that day.
"""

from __future__ import annotations

import re

from twiceshy.core.trigger import FILES
from twiceshy.core.value import Value
from twiceshy.learning.detect.cause import (
    clean_lines,
    find_echo,
    find_raised,
    follow_cause,
    is_about_code,
    is_finding,
    is_telling,
    names_cause,
)
from twiceshy.learning.detect.shell_blame import speaks_for_shell
from twiceshy.shell.failure import signs

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Literal

    from twiceshy.shell.call_words import Part

    # called wrongly; aimed at what is not there; a folder taken for a file; a file too large to read
    # at once; stopped by a guard of the runtime; refused by the user; work that did not succeed;
    # transient errors (network, time, locks)
    Sort = Literal[
        "usage", "missing", "folder", "large", "guardrail", "rejected", "outcome", "transient"
    ]

_LONGEST = 300
_LONGEST_SCRIPT = 70
_LONGEST_SIGNATURE = 120
_REPORT_LINES = 12  # of a tool that refuses its arguments, one by one
_CAUSE_WORDS = 3  # a line of fewer words names no cause
_GAP = " … "

_USAGE = re.compile(
    r"(?i)(?:\b(?:un(?:known|recogni[sz]ed|expected|supported)|invalid|illegal|ambiguous|no such|bad) "
    r"(?:sub-?command|command|flag|option|argument|switch|parameter|skill|tool|agent|task|script|target|field|type|json)"
    r"|\bunknown (?:revision|shorthand|json)|ambiguous argument|command not found|\bsh: \d+: [^ ]+: not found|not found: |no matches found|"
    r"(?:sub-?command|command|task|generator|script|option|flag|package|module|goal|recipe)"
    r" ['\"`‘]?[\w:./@-]+['\"`’]? (?:does not exist|(?:could|was) not (?:be )?found|not found|did not match|is not (?:defined|recogni[sz]ed))"
    r"|could not find (?:\w+ )?(?:sub-?command|command|task|generator|script|goal|recipe)\b"
    r"|has no (?:\w+ )?(?:sub-?command|command|task|generator|script|option)\b|['\"`] did not match any (?!files?\b)|"
    r"is not a (?:git |\w+ )?command|unrecognized (?:argument|option)|not (?:a )?recogni[sz]ed"
    r"|requires? (?:an? |at least |exactly )?(?:\w+ )?(?:argument|value|flag)|missing (?:required |operand|argument|script)"
    r"|provided but not defined|no rule to make target|agent type '|inputvalidationerror|usage: |unknown skill|^usage: "
    r"|params(?: must |/)|tool \"[^\"]+\" not found"
    r"|setup failed|build constraints exclude|not in the expected format|disable-model-invocation"
    r"|could not resolve to a|bad substitution|unbound variable|event not found"
    r"|^(?:\S*(?:bash|zsh|sh)|\(eval\))(?::\w+)*: .*(?:parse|syntax) error)"
)
# how tools refuse the names, types or values of their arguments
_ARGUMENTS = re.compile(
    r"(?i)\b(?:validation (?:errors?|failed)|invalid (?:arguments|parameters|params|input)\b|invalid_type"
    r"|(?:un(?:expected|recogni[sz]ed|known)|missing|required|additional) (?:(?:named|keyword|required) )?"
    r"(?:arguments?|parameters?|propert(?:y|ies)|fields?|keys?)|field required|is a required property"
    r"|invalid type: |-32602)"
)
_MISSING = re.compile(
    r"(?i)\b(?:no such file|does not exist|file not found|not a directory|enoent"
    r"|no files? (?:matched|found)|pathspec|cannot (?:access|open|stat)|can't cd)"
)
_FOLDER = re.compile(r"(?i)\b(?:is a directory|eisdir)\b")
_LARGE = re.compile(r"(?i)\bfile (?:content|size)\b.*\bexceeds\b|\bfile is too large to read\b")
_GUARD = re.compile(
    r"(?i)(?:has not been read yet|string to replace not found|found \d+ matches of the string"
    r"|modified since read|has been (?:unexpectedly )?modified|exceeds maximum allowed|old_string and new_string"
    r"|file content \(.*exceeds|permission to use|was blocked|denied by|tool permission|no changes to (?:make|apply)"
    r"|could not find (?:an exact match|the exact text)|oldstring not found|failed to find expected lines"
    r"|must (?:first )?read (?:the )?file"
    r"|requested permissions|hook (?:error|blocked)|sandbox)"
)
_TRANSIENT = re.compile(
    r"(?i)(?:timed? ?out|timeout|connection (?:refused|reset)|could not resolve host|network is unreachable"
    r"|rate limit|temporarily unavailable|\b50[0234]\b|index\.lock|resource busy|too many requests|econn|socket hang up"
    r"|already (?:in use|running)|cancelled|interrupted|posix_spawn|spawn \S+ e[a-z]+\b"
    r"|error connecting|could not read from remote|unable to access|hung up unexpectedly"
    r"|unexpected disconnect|tls handshake|no (?:route to|such) host|broken pipe)"
)
_IDLE = re.compile(
    r"\s*(?:at |ok\b|PASS|--- PASS|===|Exit code|usage:|\$ |> |warning\b|hint:)", re.I
)
_PYTHON = re.compile(r"[\w.]*(?:Error|Exception)\b.*: ")
_MANUAL = re.compile(r"(?i)usage: \S")
_SCRIPT = re.compile(r"[$>] \S+ \S")
_WORD = re.compile(r"[\w./:@+=-]+")
_PATH = re.compile(r"[^\s'\"`:,()]*/([^\s'\"`:,()/]+)/?")
# how many failed, and where: the cause stands beside it
_SUMMARY = re.compile(
    r"(?i)\W*(?:--- fail|fail(?:ed|ures?)?\b|not ok \d|# fail|\d+ (?:of \d+ )?(?:\w+ )?(?:fail|error|problem|issue)"
    r"|tests?:|tests? +\d+ (?:failed|passed)|test (?:suites|files|result)|suites:|build fail|found \d|exit(?:ed)?(?: status| code)|npm (?:err!?|error)(?:\W*$| (?:code|errno|syscall|path|command|lifecycle|exit|a complete log|workspace|location|in workspace)\b)"
    r"|(?:[\w.-]+: )?\d+ (?:\w+ )?errors?\W*$|(?:\w+ )?(?:errors?|failures?|problems?|issues?): \d+\b|(?:error: )?(?:\d+ [\w()-]+ \w+, )*\d+ [\w()-]+ failed|(?:\d+ \w+, )*\d+ tests?\b|some errors|(?:error: )?could not compile|halting vm"
    r"|error: (?:script|command failed)|error command failed|err_\w*first_fail|\S*elifecycle|\[(?:skipped|started|failed|completed)\]|(?:the )?command (?:is terminated|failed)|g?make(?:\[\d+\])?: \*|ninja: |\[[\w:.-]+\] error|=+ )"
)
_COUNT = re.compile(
    r"(?i)\b(\d{1,6}) (?:tests? )?(?:failed|failures?|failing|errors?|problems?|issues?)\b"
)
_PLACE = re.compile(r"\s*\S+\.\w+(?::\d+(?::\d+)?|\(\d+,\d+\)):\s+")
_VARYING = re.compile(r"\b[0-9a-f]{7,40}\b|\d+")


class Mistake(Value):
    """Failure of a call: category, telling line, and signature.

    ``count`` is how many things failed, by the last count in the output; 0 if it does not say.
    ``is_finding`` if a program reports about the code that it was given.
    """

    category: Sort
    line: str
    signature: str
    count: int = 0
    is_finding: bool = False


def classify_mistake(
    tool: str, parts: Sequence[Part], text: str, *, refusal: str = "", command: bool = False
) -> Mistake:
    """Classify the failure of a call by its words; ``command`` if a command line."""
    lines = clean_lines(text)
    telling = find_telling_line(lines, {term for part in parts for term in part})
    line, cause = telling, telling
    if telling in lines:
        line, cause = follow_cause(lines, telling, _is_cause)
    line = line[:_LONGEST]
    sort = _categorise(line, "\n".join(lines), refusal)
    if tool == FILES and sort in ("guardrail", "outcome") and _LARGE.search(line):
        sort = "large"
    if not command and sort in ("outcome", "usage"):
        at = next((at for at, each in enumerate(lines) if _ARGUMENTS.search(each)), None)
        if at is not None:  # the arguments are named further down
            sort, line = "usage", " ".join(lines[at : at + _REPORT_LINES])[:_LONGEST]
    called = (
        not command or _MANUAL.match(line) or any(find_named_words(part, line) for part in parts)
    )
    if sort in ("usage", "missing", "folder") and not called:
        sort = "outcome"  # somebody further down was called wrongly, which this call cannot help
    if command and sort == "outcome" and speaks_for_shell(line):
        sort = "usage"
    head = parts[0][0] if parts else ""
    signature = f"{tool}|{head}|{build_skeleton(line)[:_LONGEST_SIGNATURE]}"
    found = is_finding(line) or is_about_code(lines, cause)
    return Mistake(sort, line, signature, _count_failures(lines) if command else 0, found)


def find_named_words(part: Part, line: str) -> list[str]:
    """Return the command words named in an error, flags first."""
    words = set(_WORD.findall(line))
    words |= {word.rstrip(".:,") for word in words} | {word.rpartition("/")[2] for word in words}
    words |= {word.partition("=")[0] for word in words if word[:1] == "-"}
    found = [
        term
        for term in part
        if {term, term.partition("=")[2], term.rpartition("/")[2]} & words - {""}
    ]
    # some programs name a short option without its dash
    found += [
        term
        for term in part
        if len(term) == 2 and term[0] == "-" and term[1] in words and term not in found
    ]
    return sorted(found, key=lambda term: term[:1] != "-")


def build_skeleton(line: str) -> str:
    """Return a line without varying parts: place in a file, folders, numbers, hashes.

    Of a script and what its program said, the script remains.
    """
    plain = _PLACE.sub("", line.partition(_GAP)[0])
    return " ".join(_VARYING.sub("N", _PATH.sub(r"\1", plain)).split())


def is_summary(line: str) -> bool:
    """True if a line only says that something failed: a count, a script, no cause."""
    return bool(_SUMMARY.match(line) or _SCRIPT.match(line))


def has_place(line: str) -> bool:
    """True if a line begins with a place in a file: a finding about the code of the day."""
    return bool(_PLACE.match(line))


def find_telling_line(lines: list[str], words: Collection[str] = ()) -> str:
    """Return the line with the best description of the failure of a call with these words."""
    if lines and _MANUAL.match(lines[0]):
        # a program that was called wrongly prints how to call it, and all else is that
        return lines[0]
    for good in (_USAGE.search, _FOLDER.search, _MISSING.search):
        for line in lines:
            if good(line) and not _IDLE.match(line):
                return line
    python = [line for line in lines if _PYTHON.match(line) and _is_cause(line)]
    if raised := find_raised(lines) or (python[-1] if python else ""):
        return raised
    likely = [line for line in lines if is_telling(line) and not _IDLE.match(line)]
    verdicts = list(signs.find_verdicts(lines))
    # what a script stands for says more than how many errors there were
    if script := next((line for line in lines[:2] if _SCRIPT.match(line)), ""):
        found = (verdicts or likely or lines[-1:] or [""])[0]
        return f"{script[:_LONGEST_SCRIPT]}{_GAP}{found}"
    hinting = [line for line in lines if not _IDLE.match(line)]
    causes = (line for each in (likely, hinting) for line in each if _is_cause(line))
    found = next(causes, "") or find_echo(hinting, words)
    return found or (verdicts or likely or lines[-1:] or [""])[0]


def _is_cause(line: str) -> bool:
    """True if a line says why, in more than two words."""
    return not is_summary(line) and len(line.split()) >= _CAUSE_WORDS and names_cause(line)


def _count_failures(lines: Sequence[str]) -> int:
    """Return the last count of failures in an output; 0 if there is none."""
    counts = (_COUNT.findall(line) for line in reversed(lines))
    return next((int(found[-1]) for found in counts if found), 0)


def _categorise(line: str, everything: str, refusal: str) -> Sort:
    if refusal == "rejected":
        return "rejected"
    if refusal in ("cancelled", "interrupted"):
        return "transient"
    if refusal == "denied" or _GUARD.search(everything[:2_000]):
        return "guardrail"
    kinds: tuple[tuple[re.Pattern[str], Sort], ...] = (
        (_TRANSIENT, "transient"),
        (_USAGE, "usage"),
        (_FOLDER, "folder"),
        (_MISSING, "missing"),
    )
    return next((kind for pattern, kind in kinds if pattern.search(line)), "outcome")
