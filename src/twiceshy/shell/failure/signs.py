"""Failure signs in output lines, by weight.

A verdict is a program's statement about its own run. A finding is an item listed before a
failure. A complaint may have been handled, and tests provoke some. A reader repeats foreign
text: only its own complaints count.
"""

from __future__ import annotations

from twiceshy.core.patterns import ASCII, compile_pattern

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterable, Iterator

# Every alternative below begins where the line does. Whoever adds one looks at NEEDLES as well.
_SOME = r"[1-9]\d*"
_LONGEST = 1_000  # characters of a line that are looked at: no pattern needs long for so few
_VERDICTS = (
    # tests: go, bun, jest, vitest, pytest, unittest, cargo, mocha, rspec, mix, maven, tap, phpunit
    r"\s*--- FAIL\b|FAIL(?:$|[ \t])|FAILED\b|\(fail\) |not ok \d|FAILURES!|# fail " + _SOME,
    rf"\s*{_SOME} (?:fail|failed|failing|failures?|errors?)\s*$",
    rf"=+ .*\b{_SOME} (?:failed|errors?)\b.* =+|{_SOME} (?:failed|errors?)\b.* in [\d.]+s",
    rf"\s*(?:Tests?|Test Suites|Test Files|Suites):?\s+(?:{_SOME} \w+ \| )?{_SOME} failed",
    rf"test result: FAILED|.*\bTests run: \d+, Failures: (?:{_SOME}|\d+, Errors: {_SOME})",
    r"\s*\d+ (?:tests?|examples?|runs|scenarios|properties|doctests?)\b"
    rf".*, {_SOME} (?:failures?|errors?|failed)\b",
    r"ERROR (?:collecting )?\S+(?:::|\.py)|E   \S*(?:Error|assert)\b",
    # builds and checks: tsc, eslint, ruff, mypy, biome, rustc, gcc, make, ninja, gradle, maven,
    # and task runners, which put the name of the task in front
    rf"Found {_SOME} errors?\b|\s*✖ {_SOME} problems? \({_SOME} errors?",
    r"\S+(?:\(\d+,\d+\)|:\d+:\d+)(?::| -) (?:fatal )?error(?: (?:TS|C|CS|LNK)\d+)?:",
    r"error TS\d+: |error\[E\d+\]",
    r"error: (?:could not compile|aborting due to|linking with|Recipe .* failed)",
    r"(?:g?make|ninja)(?:\[\d+\])?: (?:\*\*\* |build stopped)|.*\*\*\* \[.*\] 错误 \d",
    r"BUILD FAIL(?:ED|URE)|FAILURE: |> Task \S+ FAILED|== Compilation error",
    r"\[\S+\] ERROR \S|\[ERROR\] .*(?:COMPILATION|Failed to execute goal)",
    r"npm (?:ERR!|error)|.*\bERR_PNPM_|.*\bELIFECYCLE\b|error Command failed with exit code",
    rf"error: script .* exited with code|exit (?:status|code):? {_SOME}$",
    r"panic: |fatal error: |thread '.*panicked at|goroutine \d+ \[running",
    r".*\bSegmentation fault|.*\(core dumped\)",
    # calls that could not work
    r".*: (?:line \d+: )?\S*: ?command not found|.*: command not found: |.*: 未找到命令",
    r"(?:[Ee]rror: |\S+: )?(?:[Uu]nknown|unrecognized|unexpected|[Ii]nvalid|illegal|[Nn]o such) "
    r"(?:command|subcommand|flag|option|argument)s?\b",
    r"\(eval\):(?:\w+:)?\d+: \S|The following paths are ignored by one of your",
    r"fatal: |error: failed to push|\s*! \[(?:remote )?rejected\]|CONFLICT \(|error: pathspec ",
)
_FINDINGS = (
    rf"\s*[✗✘✕×✖] \S|Found {_SOME} (?:issues?|problems?)\b|{_SOME} issues:$",
    r"\S+\.go:\d+:\d+: \S|\s*\d+:\d+  +error  +\S",
)
_COMPLAINTS = (
    r"Traceback \(most recent call last\)|\S*(?:Error|Exception): \S|Exception in thread |Uncaught ",
    r"[Ff]ailed to \w|(?:error|Error|ERROR)(?:\[\S+\])?: \S|\*\* \(\w[\w.]*\) |PHP (?:Fatal|Parse) error",
    r"(?:\S*/)?[\w.+-]+: (?:line \d+: )?.*"
    r"(?:No such file or directory|[Pp]ermission denied|Connection refused|Error response from)",
    rf".*\bexit(?:ed|s)?(?: with)?(?: exit)?(?: code| status):? {_SOME}\b|.*\bnon-zero exit ",
    r"错误[:：]|致命错误|.*(?:没有那个文件或目录|权限不够)|(?:构建|编译|测试|安装)失败",
)
_CLEAN = (
    r"\s*0 (?:fail|failed|failing|failures|errors)\s*$|test result: ok|PASS$|OK$",
    r"ok\s+\S+\s+(?:\(cached\)|[\d.]+s)|.*, 0 failures\b|\s*Tests?:?\s+\d+ passed",
    r"=+ .*\bpassed\b.* =+|\d+ passed\b.* in [\d.]+s",
)
_OWN = (
    r"(?:No such file or directory|没有那个文件或目录|Is a directory|[Pp]ermission denied|权限不够"
    r"|(?:illegal|invalid|unrecognized|unknown) (?:option|argument)|requires an argument"
    r"|syntax error|parse error|[Ii]nvalid (?:regular|range)|unterminated|ould not resolve"
    r"|ailed to connect|returned error|\(HTTP [45]\d\d\))"
)
_MISUSED = (
    r"error: unexpected argument |unknown (?:flag|command)\b|\(eval\):(?:\w+:)?\d+: \S|fatal: "
)
_ECHOED = rf"(?i)\W*(?:exit|rc|ret|status)\b[\w ]{{0,12}}[:=]?\s*{_SOME}\W*$"


def find_verdicts(lines: Iterable[str], programs: Collection[str] = ()) -> Iterator[str]:
    """Yield lines in which a program reports its own failure; these programs say ``ERROR``."""
    return _matching_lines(_VERDICTS, lines, programs)


def find_findings(lines: Iterable[str], programs: Collection[str] = ()) -> Iterator[str]:
    """Yield verdicts, and items listed before a failure."""
    return _matching_lines((*_VERDICTS, *_FINDINGS), lines, programs)


def find_complaints(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines about problems, perhaps handled."""
    return _matching_lines(_COMPLAINTS, lines)


def has_clean_count(lines: Iterable[str]) -> bool:
    """True if a program counted its failures as zero."""
    return any(_matching_lines(_CLEAN, lines))


def find_own_complaints(lines: Iterable[str], programs: Collection[str]) -> Iterator[str]:
    """Yield complaints by these programs, or the shell, about themselves."""
    reasons, misused = _compile_signs(_OWN), _compile_signs(_MISUSED)
    for line in lines:
        speaker, _, said = line[:_LONGEST].partition(": ")
        if (speaker.rpartition("/")[2] in programs and reasons.search(said)) or misused.match(
            line
        ):
            yield line


def find_echoed_status(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that printed a non-zero exit status."""
    return _matching_lines((_ECHOED,), lines)


def _matching_lines(
    sources: tuple[str, ...], lines: Iterable[str], programs: Collection[str] = ()
) -> Iterator[str]:
    found = [_compile_signs(source).match for source in sources]
    names = tuple(f"{program} ERROR " for program in programs if program)
    return (
        line
        for line in lines
        if line.startswith(names) or any(matches(line[:_LONGEST]) for matches in found)
    )


def _compile_signs(source: str) -> re.Pattern[str]:
    # numbers are printed in digits of ours, whatever the language
    return compile_pattern(source, ASCII)
