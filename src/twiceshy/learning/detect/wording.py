"""Word a lesson for an agent: what to do first, then why, in about thirty tokens.

Only what differs between the failing and the working call is told. The evidence, with both
calls and the quoted error, is kept beside the line: it is matched, judged and shown to people.
"""

from __future__ import annotations

import re
from itertools import takewhile

from twiceshy.core.trigger import FILES, LARGE
from twiceshy.learning.detect.argument_wording import describe_argument
from twiceshy.learning.detect.cause import denies, has_hint
from twiceshy.learning.detect.culprit import PATH_MISTAKES, find_missing_path
from twiceshy.learning.detect.difference import OTHER_AIMS
from twiceshy.learning.detect.fix import extends_word, find_other_folder, is_other_subcommand
from twiceshy.learning.detect.preparation import find_inserted_step
from twiceshy.learning.detect.shell_blame import find_blamed_word, quote_blamed_word
from twiceshy.safety.danger import WITHHELD, quote_untrusted
from twiceshy.shell.call_head import list_heads
from twiceshy.shell.call_summary import mark_code, relative_to_root, show_code, summarise_call
from twiceshy.shell.command_line import is_assignment, parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.trigger import Trigger
    from twiceshy.learning.detect.mistake import Mistake
    from twiceshy.learning.detect.shell_blame import ShellBlame
    from twiceshy.shell.command_line import SimpleCommand
    from twiceshy.shell.tool_call import ToolCall

_LONGEST_CALL = 70
_LONGEST_PATH = 120
_LONGEST_ERROR = 80
_LONGEST_WHOLE = 90  # a whole sentence may be a little longer than a part of one
_LONGEST_WHY = 200
_LONGEST_CHANGE = 60  # characters that differ; more is another call
_SHELL = re.compile(r"(?:\(eval\)|[\w./-]*\b(?:zsh|bash|sh))(?::\w*)*: ?(?:line \d+: )?")
_LABEL = re.compile(
    r"(?i)mcp error -\d+: +|\* what went wrong: +|\*\* \(\w+\) +|npm (?:err!|error) +|\[(?:error|fatal)\] +|(?:#+ )?(?:level=\w+ msg=['\"])?(?:running )?(?:error|fatal|err)(?:\[\w+\])?[:!] +"
)
# a runner says that its command failed, and then why
_RUNNER = re.compile(
    r"(?i)(?:\[[\w:.-]+\] )?(?:the )?command (?:is terminated|failed)\b[^:]*: +(?=\S+ \S+ \S)"
)
_ASIDE = re.compile(
    r" *\(?\[REDACTED:[^\]]*\]\)?| *(?:Note: your current working directory|Did you mean|Available \w+:|See ['\"]|\(os error|Run ['\"`]|Usage:|\[? ?\{ ?['\"]|-> \[).*"
)
_FOREIGN_PATH = re.compile(r"(?<![\w./*])(?!//)/(?:[^\s'\"`:,()/]+/)+([^\s'\"`:,()/]+)")
_PLACE = re.compile(r"\s*\S+\.\w+:\d+(?::\d+)?:\s+")
_LONG_NUMBER = re.compile(r"\b(?:[0-9a-f]{7,40}|\d{5,})\b")
_SHORTEST_CLAUSE = 20
_LONGEST_CLAUSE = 50  # a longer one names things, before the cause
_COLON = re.compile(r":\s")
_CLAUSE = re.compile(r"[.;!?](?:\s|$)|\s[(\[{]|, ")
_LINE_END = re.compile(r"(?<=[.:;,)\]\s])(?:\\n)+")  # of an error that was printed as JSON
_GONE = re.compile(
    r"(?i)no such file or directory|file does not exist|does not exist|not a directory"
    r"|file not found|did not match any files?"
)
_LONG_PATH = re.compile(r"[^\s'\"`:,()]{24,}/([^\s'\"`:,()/]+)")
_OPENING, _CLOSING = re.compile(r"(?<!\w)'(?=\S)"), re.compile(r"(?<=\S)'(?!\w)")
# words that ask for a further one: no clause ends in them
_DANGLING = frozenset(
    """a all an and any are as at because been but by called choose could did do does either for from
    had has have if in into is it its may must name named no not of on one or see should so some such
    than that the their there these this those to using was were what when where which while who will
    with without would you your""".split()
)
_SAME_CALL = re.compile(r"Use (`[^`]*`); \1 fails: ")
_RIGHTS = "puts right what"  # what was found differs each time
_NO_REASON = "no reason given"


def word_evidence(failed: ToolCall, mistake: Mistake, fix: ToolCall | None, root: str) -> str:
    """Return what happened: the failing call, the error as quoted, and the working call."""
    text = f'`{summarise_call(failed, root)}` failed: "{quote_error(mistake.line, root)}".'
    if fix is not None:
        folder = find_other_folder(failed, fix)
        call = f"cd {show_code(folder)} && " if folder else ""
        text += f" `{call}{summarise_call(fix, root)}` {'ran' if fix.mistake else 'worked'}."
    return text


def quote_error(line: str, root: str) -> str:
    """Return an error line that may stand inside quotes."""
    return quote_untrusted(relative_to_root(line, root)).replace('"', "'")


def word_lesson(
    failed: ToolCall, mistake: Mistake, fix: ToolCall | None, trigger: Trigger, *, root: str = ""
) -> str:
    """Return the line that is told."""
    error = shorten_error(mistake.line, root)
    if fix and (around := _word_surroundings(failed, fix, root)):
        return f"{around}: {error}"
    if mistake.category in (*PATH_MISTAKES, LARGE) and find_missing_path(failed, mistake):
        return _word_missing(failed, mistake, fix, trigger, root)
    if blame := find_blamed_word(failed, mistake.line):
        return _word_blame(blame, error)
    if error.lower().startswith("usage:"):
        flags = " ".join(word for word in trigger.words if word[:1] == "-")
        error = f"no such option: {flags}" if flags else "called wrongly"
    if fix is None:
        return f"{_show_call(_pick_failing_step(failed, trigger), root)} fails: {error}"
    changed = (
        _describe_flags(failed, fix, trigger)
        or _describe_change(failed, fix, trigger)
        or _describe_step(failed, fix, trigger)
    )
    if changed:
        return changed if _RIGHTS in changed else f"{changed}: {error}"
    wrong, right = (_show_call(call, root) for call in _pick_different_steps(failed, fix))
    if _is_inside(right, failed.command) and _is_inside(wrong, fix.command):
        wrong = right  # both were cut before they differ
    return f"Use {right}; {wrong} fails: {error}"


def _is_inside(shown: str, command: str) -> bool:
    """True if a shown call has no word that a command lacks."""
    return all(word in command for word in shown.strip("`").split())


def tells_nothing(text: str) -> bool:
    """True if the line of a lesson shows the same call as wrong and as right."""
    return _SAME_CALL.match(text) is not None


def word_refusal(refused: ToolCall, reason: str, trigger: Trigger, *, root: str = "") -> str:
    """Return the line about a call that the user refuses."""
    why = _keep_words(reason, _LONGEST_WHY).rstrip(".") or _NO_REASON
    return f"The user refuses {_show_call(_pick_failing_step(refused, trigger), root)} here: {why}"


def shorten_error(line: str, root: str = "") -> str:
    """Return the telling clause of an error: no place, label or aside, never cut in a clause."""
    if quote_error(line, root) == WITHHELD:
        return WITHHELD
    # an order may be hidden among folders, so what is left of the line is looked at again
    plain = _ASIDE.sub("", _FOREIGN_PATH.sub(r"\1", relative_to_root(line, root)))
    last = _find_last_cause(plain) if len(plain) > _LONGEST_WHOLE else ""
    said = quote_error(last or plain, "")
    for noise in (_PLACE, _SHELL, _LABEL, _RUNNER):
        found = noise.match(said)
        said = said[found.end() :] if found and found.end() < len(said) else said
    said = (
        _LONG_NUMBER.sub("‹n›", _ASIDE.sub("", _LINE_END.sub(" ", said))).strip().rstrip(".[{: ")
    )
    if len(said) > _LONGEST_ERROR:
        said = _LONG_PATH.sub(r"\1", said)
    if said.endswith("…"):  # it was cut, perhaps in a word
        said = said.rpartition(" ")[0] or said
    elif len(said) <= _LONGEST_WHOLE:
        return said
    return _keep_clause(said)


def _keep_clause(said: str) -> str:
    """Return the beginning of an error that is too long, up to the end of a clause."""
    for clause in (_CLAUSE, _COLON):
        ends = [found.start() for found in clause.finditer(said)]
        pieces = [said[:end] for end in ends if _SHORTEST_CLAUSE <= end <= _LONGEST_ERROR]
        if whole := [piece for piece in pieces if _is_whole(piece)]:
            return whole[-1].rstrip(" ,;:")
    words = _keep_words(said, _LONGEST_ERROR).split()
    while len(words) > 1 and not _is_whole(" ".join(words)):
        words.pop()
    kept = " ".join(words).rstrip(" :,;")
    return kept if len(kept) >= _SHORTEST_CLAUSE else said


def _find_last_cause(said: str) -> str:
    """Return the last clauses of an error, as many as fit, if only they say what is wrong."""
    first = _COLON.split(_LABEL.sub("", said, count=1), maxsplit=1)[0]
    if len(first) <= _LONGEST_CLAUSE and denies(first):
        return ""
    begins = [found.end() for found in _COLON.finditer(said)]
    tails = [said[at:] for at in begins if _SHORTEST_CLAUSE <= len(said) - at <= _LONGEST_ERROR]
    return next((tail for tail in tails if has_hint(tail)), "")


def _is_whole(piece: str) -> bool:
    """True if a piece of a sentence may end there: no quote is open, and its last word asks for none."""
    is_open = len(_OPENING.findall(piece)) > len(_CLOSING.findall(piece))
    return not is_open and piece.rpartition(" ")[2].strip("'(:,;").lower() not in _DANGLING


def _word_surroundings(failed: ToolCall, fix: ToolCall, root: str) -> str:
    """Return where to make the very same call, or what to do before it."""
    if folder := find_other_folder(failed, fix):
        return f"Run {_show_call(failed, root)} in {mark_code(folder)}"
    if step := find_inserted_step(failed, fix):
        first = _show_call(fix.but(arguments={"command": step}), root)
        return f"{first} first, then {_show_call(failed, root)}"
    return ""


def _word_missing(
    failed: ToolCall, mistake: Mistake, fix: ToolCall | None, trigger: Trigger, root: str
) -> str:
    """Return the line about a path: where the file is or how to read it, then what is wrong."""
    if mistake.category == LARGE:
        path = mark_code(_keep_end(relative_to_root(failed.path, root)))
        return f"Read {path} with `offset` and `limit`: it is too large to read whole"
    path = find_missing_path(failed, mistake)
    if trigger.tool == FILES:
        path = _cut_path(failed, max(trigger.words, key=len), root)
    wrong = mark_code(_keep_end(relative_to_root(path, root)))
    if fix is None and mistake.category == "folder":
        return f"List {wrong} with `ls`: it is a directory"
    reason = _find_reason(mistake)
    if fix is None:
        return f"{wrong}: {reason}"
    right = mark_code(_keep_end(relative_to_root(fix.path, root)))
    right = right if fix.path else _show_call(fix, root)
    if not fix.path and _is_inside(right, failed.command):
        return f"Use {right}; {right} fails: {reason}"  # it was cut before the right path
    return f"Use {right}, not {wrong}: {reason}"


def _find_reason(mistake: Mistake) -> str:
    """Return what is wrong with a path, in the words of the error."""
    if mistake.category == "folder":
        return "is a directory"
    found = _GONE.search(mistake.line)
    return found[0].lower() if found else "does not exist"


def _cut_path(failed: ToolCall, pair: str, root: str) -> str:
    """Return the path of a call up to the step that is wrong."""
    words = [failed.path] if failed.path else failed.command.split()
    for word in words:
        path = relative_to_root(word.strip("'\"`;"), root)
        at = path.find(pair)
        if at >= 0:
            return path[: at + len(pair)]
    return pair


def _word_blame(blame: ShellBlame, error: str) -> str:
    """Return how to write a word so that the shell leaves it alone."""
    head = mark_code(blame.head)
    if blame.expansion == "condition":
        return f"{head}: use {mark_code('=')}, not {mark_code(blame.word)}: {error}"
    if blame.is_operand:
        return f"{head}: use find where a glob may match nothing: {error}"
    return f"{head}: quote {mark_code(quote_blamed_word(blame))}; unquoted: {error}"


def _describe_change(failed: ToolCall, fix: ToolCall, trigger: Trigger) -> str:
    """Return what to change in a call, if both calls are one program with few other words."""
    if not failed.command:
        return describe_argument(failed, fix)
    one, other = _split_single(failed.command), _split_single(fix.command)
    if not one or not other or one[0] != other[0] or is_other_subcommand(failed, fix):
        return ""  # another subcommand holds for what it is given, and not for the program
    gone = [word for word in one if word not in other]
    new = [word for word in other if word not in one]
    if (not gone and not new) or len(" ".join((*gone, *new))) > _LONGEST_CHANGE:
        return ""
    if gone and not any(word in each for each in gone for word in trigger.words):
        return ""  # what was wrong is still there: something else was done
    program = mark_code(_name_task(_list_working_steps(failed.command)[0], gone))
    variables = [word for word in new if is_assignment(word)]
    if variables and not gone and set(new) <= {*variables, "env"}:
        return f"{program}: set {mark_code(' '.join(variables))}"
    return _describe_words(program, gone, new)


def _describe_words(program: str, gone: Sequence[str], new: Sequence[str]) -> str:
    """Return which words of a call to replace, add or leave out."""
    added, dropped = mark_code(" ".join(new)), mark_code(" ".join(gone))
    is_more = len(gone) == len(new) == 1 and extends_word(new[0], gone[0])
    if is_more and new[0][len(gone[0]) + 1 :] in OTHER_AIMS:
        return f"{mark_code(f'{program[1:-1]} {new[0]}')} {_RIGHTS} {dropped} finds"
    change = f"use {added}, not {dropped}" if new else f"leave out {dropped}"
    return f"{program}: {change if gone else f'add {added}'}"


def _describe_step(failed: ToolCall, fix: ToolCall, trigger: Trigger) -> str:
    """Return what to add to the failing one of several steps, if the fix is that step alone."""
    alone = _pick_failing_step(failed, trigger)
    if alone.command == failed.command or not _split_single(fix.command):
        return ""
    one, other = _split_single(alone.command), _split_single(fix.command)
    is_more = one[:1] == other[:1] and set(one) < set(other) and bool(trigger.absent)
    return _describe_change(alone, fix, trigger) if is_more else ""


def _pick_different_steps(failed: ToolCall, fix: ToolCall) -> tuple[ToolCall, ToolCall]:
    """Return two calls without what their lines have in common, if one program each is left."""
    steps = [_list_working_steps(act.command) for act in (failed, fix)]
    gone, new = (
        [step for step in one if all(step.words != each.words for each in other)]
        for one, other in (steps, steps[::-1])
    )
    if len(gone) != 1 or len(new) != 1:
        return failed, fix
    lines = (" ".join((*each.environment, *each.sources)) for each in (gone[0], new[0]))
    wrong, right = (
        act.but(arguments={"command": line})
        for act, line in zip((failed, fix), lines, strict=True)
    )
    return wrong, right


def _pick_failing_step(failed: ToolCall, trigger: Trigger) -> ToolCall:
    """Return a call without the steps of its line that a trigger is not about."""
    if sum(1 for _ in parse_command_line(failed.command).list_steps()) == 1:
        return failed
    for step in reversed(_list_working_steps(failed.command)):
        wrappers = (word for wrapper in step.wrappers for word in wrapper)
        line = " ".join((*step.environment, *wrappers, *step.sources))
        alone = failed.but(arguments={"command": line})
        if trigger.matches(alone.family, alone.parts):
            return alone
    return failed


def _name_task(step: SimpleCommand, gone: Sequence[str]) -> str:
    """Return the program and subcommand of a call, up to the first option or wrong word.

    What stands behind those may be their value.
    """
    before = takewhile(lambda word: word[:1] != "-" and word not in gone, step.sources)
    heads = list_heads(" ".join(before))
    return heads[0] if heads else step.program


def _describe_flags(failed: ToolCall, fix: ToolCall, trigger: Trigger) -> str:
    """Return the option to use instead of a wrong one, whatever else is on the lines."""
    wrong = [word for word in trigger.words if word[:1] == "-"]
    if not wrong:
        return ""
    for step in parse_command_line(failed.command).list_steps():
        flags = [word for word in step.arguments if word.partition("=")[0] in wrong]
        others = parse_command_line(fix.command).list_steps()
        same = next((each for each in others if each.program == step.program), None)
        if not flags or same is None or "--" in same.arguments:
            continue
        known = {word for word in step.arguments if word[:1] == "-"}
        new = [word for word in same.arguments if word[:1] == "-" and word not in known]
        head = _name_task(step, flags)
        dropped = mark_code(" ".join(flags))
        change = (
            f"use {mark_code(' '.join(new))}, not {dropped}" if new else f"leave out {dropped}"
        )
        if len(" ".join((*flags, *new))) <= _LONGEST_CHANGE:
            return f"{mark_code(head)}: {change}"
    return ""


def _split_single(command: str) -> Sequence[str]:
    """Return the words of a command line of one program, as written; what is before it last."""
    working = _list_working_steps(command)
    if len(working) != 1:
        return ()
    wrappers = [word for wrapper in working[0].wrappers for word in wrapper]
    return (*working[0].sources, *working[0].environment, *wrappers)


def _list_working_steps(command: str) -> list[SimpleCommand]:
    """Return the programs of a line that do the work: not where, and how much of it is shown."""
    steps = parse_command_line(command).list_steps()
    return [
        each
        for each in steps
        if each.program not in ("cd", "echo", "head", "tail")
        and not (each.words == ("cat",) and each.redirections)  # it writes a here-document
    ]


def _show_call(act: ToolCall, root: str) -> str:
    return mark_code(_keep_words(summarise_call(act, root), _LONGEST_CALL))


def _keep_end(path: str) -> str:
    """Return the last names of a path, within the limit."""
    if len(path) <= _LONGEST_PATH:
        return path
    return path[-_LONGEST_PATH:].partition("/")[2] or path[-_LONGEST_PATH:]


def _keep_words(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    end = text.rfind(" ", 0, limit)
    return text[: end if end > 0 else limit].rstrip(" …")
