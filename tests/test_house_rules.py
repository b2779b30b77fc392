"""How our code looks; each rule says in a sentence what is wrong and where."""

import ast
import io
import re
import shutil
import subprocess
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LONGEST_MODULE = 400
# A name built from these tells nothing about what the thing does.
EMPTY_WORDS = set(
    "common helper helpers manager managers misc service services stuff util utils".split()
)
# These may be part of a name, but are none by themselves.
EMPTY_NAMES = EMPTY_WORDS | {"data", "info", "process"}

BROAD = {"Exception", "BaseException"}
LATER = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
WAIVER = re.compile(r"#\s*(?:noqa|type:\s*ignore)\b[^#]*", re.IGNORECASE)
CODED = re.compile(r"#\s*(?:noqa:\s*[A-Z]+[0-9]+|type:\s*ignore\[[a-z-]+)")
CODES = re.compile(r"#\s*noqa:[\sA-Z0-9,]*|#\s*type:\s*ignore\[[^]]*\]")
# Where one developer keeps things, and where one machine fetches packages from.
ONE_MACHINE = re.compile(
    r"(?<![\w.~*)}-])/(?:root|work)/"
    r"|\.\./shared\b"
    r"|\b(?:files\.pythonhosted|(?:test\.)?pypi|registry\.npmjs)\.org\b"
)


@dataclass(frozen=True)
class Source:
    """A file of the repository, by its path in it."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def comments(self) -> dict[int, str]:
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


Complaints = Iterator[tuple[int, str]]
Rule = Callable[[Source], Complaints]


def a_module_begins_with_a_sentence(source: Source) -> Complaints:
    first, *_ = (ast.get_docstring(source.tree) or "").splitlines() or [""]
    if not first.endswith((".", "?")):
        yield 1, "the module's docstring must begin with one sentence that states its purpose"


def a_module_fits_in_a_head(source: Source) -> Complaints:
    if len(source.lines) > LONGEST_MODULE:
        yield len(source.lines), f"a module of ours ends before line {LONGEST_MODULE}; split it"


def names_say_what_a_thing_does(source: Source) -> Complaints:
    for part in Path(source.path).with_suffix("").parts:
        if part.strip("_") in EMPTY_NAMES or EMPTY_WORDS & set(part.split("_")):
            yield 1, f"{part!r} does not say what the module is about; name the idea"
    for node in source.nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", node.name)
            if EMPTY_WORDS & {word.lower() for word in words} or (
                node.name.strip("_").lower() in EMPTY_NAMES
            ):
                yield node.lineno, f"{node.name!r} does not say what it does; name the idea"


def only_the_command_line_prints(source: Source) -> Complaints:
    if source.path.startswith("src/twiceshy/cli/"):
        return
    for node in source.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print":
            yield node.lineno, "stdout belongs to the command line; return the text instead"


def a_broad_except_gives_its_reason(source: Source) -> Complaints:
    for node in source.nodes:
        if not isinstance(node, ast.ExceptHandler) or not catches_everything(node):
            continue
        passes_on = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
        if not passes_on and not reason(source.comments.get(node.lineno, "")):
            yield node.lineno, "catching everything needs a reason, in a comment on that line"


def clocks_know_their_time_zone(source: Source) -> Complaints:
    for node in source.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        asked = node.func.attr
        naive = asked in {"utcnow", "utcfromtimestamp"} or (
            asked in {"now", "today"}
            and ast.unparse(node.func.value) in {"datetime", "datetime.datetime"}
            and not node.args
            and not node.keywords
        )
        if naive:
            yield (
                node.lineno,
                f"{asked}() has no time zone; pass one, or take the time as argument",
            )


def nothing_is_left_for_later(source: Source) -> Complaints:
    for number, line in enumerate(source.lines, start=1):
        if LATER.search(line):
            yield number, "finish it, or open an issue; the code holds no reminders"


def a_waived_check_is_named_and_explained(source: Source) -> Complaints:
    if not WAIVER.search(source.text):  # most files; finding their comments would take longest
        return
    for number, comment in source.comments.items():
        for waiver in WAIVER.findall(comment):
            if not CODED.match(waiver):
                yield number, f"{waiver.strip()!r} waives every check; name the one it is about"
            elif not reason(comment):
                yield number, f"{waiver.strip()!r} needs a reason beside it"


def nothing_belongs_to_one_machine(source: Source) -> Complaints:
    for number, line in enumerate(source.lines, start=1):
        for found in ONE_MACHINE.findall(line):
            yield number, f"{found!r} exists on one machine only; the repository is for all"


def a_rule_switched_off_gives_its_reason(source: Source) -> Complaints:
    table = setting = ""
    for number, line in enumerate(source.lines, start=1):
        code, _, comment = line.partition("#")
        if heading := re.match(r"\[+([\w.-]+)\]+", code):
            table, setting = heading[1], ""
        if key := re.match(r'([\w-]+|"[^"]*")\s*=', code):
            setting = key[1]
        inside = (table, setting) == ("tool.ruff.lint", "ignore") or table.endswith("file-ignores")
        if inside and re.search(r'"[A-Z]+[0-9]*"', code) and not comment.strip():
            yield number, "say beside it why the rule is switched off"


def catches_everything(handler: ast.ExceptHandler) -> bool:
    """Tell whether an except clause lets nothing through."""
    match handler.type:
        case None:
            return True
        case ast.Tuple(elts=kinds):
            return any(ast.unparse(kind) in BROAD for kind in kinds)
        case kind:
            return ast.unparse(kind) in BROAD


def reason(comment: str) -> bool:
    """Tell whether a comment holds words besides the codes it names."""
    return len(re.findall(r"[A-Za-z]{2,}", CODES.sub("", comment))) >= 2


def repository() -> list[Source]:
    """Return every text file that is, or could be, committed."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout to know which files are ours")
    listing = [
        *(git, "-c", "safe.directory=*", "ls-files", "-z"),
        *("--cached", "--others", "--exclude-standard"),
    ]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout
    paths = sorted(set(names.decode().split("\0")) - {""})
    return [
        Source(path, (ROOT / path).read_text(encoding="utf-8", errors="replace"))
        for path in paths
        if (ROOT / path).is_file()
    ]


def ours(path: str) -> bool:
    return path.startswith("src/") and path.endswith(".py")


def python(path: str) -> bool:
    return path.endswith(".py")


def anything(path: str) -> bool:
    return True


def project_file(path: str) -> bool:
    return path == "pyproject.toml"


RULES: list[tuple[Rule, Callable[[str], bool]]] = [
    (a_module_begins_with_a_sentence, ours),
    (a_module_fits_in_a_head, ours),
    (names_say_what_a_thing_does, ours),
    (only_the_command_line_prints, ours),
    (a_broad_except_gives_its_reason, ours),
    (clocks_know_their_time_zone, ours),
    (nothing_is_left_for_later, ours),
    (a_waived_check_is_named_and_explained, python),
    (nothing_belongs_to_one_machine, anything),
    (a_rule_switched_off_gives_its_reason, project_file),
]


def test_the_house_rules_hold() -> None:
    files = repository()
    concerned: Counter[str] = Counter()
    complaints = []

    while files:  # what was parsed of a file goes with it: all of the package are 110 MB
        file = files.pop()
        for rule, concerns in RULES:
            if concerns(file.path):
                concerned[rule.__name__] += 1
                complaints += [f"{file.path}:{line}: {why}" for line, why in rule(file)]

    assert set(concerned) == {rule.__name__ for rule, _ in RULES}
    assert not complaints, "\n" + "\n".join(sorted(complaints))


def test_a_class_name_is_unique_in_the_package() -> None:
    """Two classes of one name send a reader who searches for it to the wrong place."""
    places: dict[str, list[str]] = {}
    for source in repository():
        if ours(source.path):
            for name in re.findall(r"^class (\w+)", source.text, re.MULTILINE):
                places.setdefault(name, []).append(source.path)

    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


LONGEST_VERB = 160


def test_a_verb_translates_and_prints_and_computes_elsewhere() -> None:
    """A verb that grows computes: MCP, the API and the dashboard need that from a room."""
    verbs = {
        source.path: len(source.lines)
        for source in repository()
        if source.path.startswith("src/twiceshy/cli/") and source.path.endswith(".py")
    }

    longer = {path: lines for path, lines in verbs.items() if lines > LONGEST_VERB}
    assert not longer, f"a verb translates and prints; its work belongs to a room: {longer}"


SLASH = "/"  # apart from the name behind it, so that this page obeys its own rule
WAIVE = "# no" + "qa"
IGNORE = "# type: " + "ignore"
OFFENDERS: list[tuple[Rule, str]] = [
    (a_module_begins_with_a_sentence, "x = 1"),
    (a_module_begins_with_a_sentence, '"""Things for notes"""'),
    (a_module_fits_in_a_head, "x = 1\n" * (LONGEST_MODULE + 1)),
    (names_say_what_a_thing_does, "class NoteManager: ..."),
    (names_say_what_a_thing_does, "class SQLHelper: ..."),
    (names_say_what_a_thing_does, "def date_utils(): ..."),
    (names_say_what_a_thing_does, "def process(): ..."),
    (only_the_command_line_prints, "if x:\n  print(1)"),
    (a_broad_except_gives_its_reason, "try: x()\nexcept Exception: pass"),
    (a_broad_except_gives_its_reason, "try: x()\nexcept: pass"),
    (a_broad_except_gives_its_reason, f"try: x()\nexcept Exception:  {WAIVE}: BLE001\n  pass"),
    (a_broad_except_gives_its_reason, "try: x()\nexcept (OSError, BaseException) as e: y(e)"),
    (clocks_know_their_time_zone, "datetime.now()"),
    (clocks_know_their_time_zone, "datetime.datetime.today()"),
    (clocks_know_their_time_zone, "dt.utcnow()"),
    (nothing_is_left_for_later, "x = 1  # TODO: more"),
    (nothing_is_left_for_later, "# FIXME"),
    (a_waived_check_is_named_and_explained, f"x = 1  {WAIVE}"),
    (a_waived_check_is_named_and_explained, f"x = 1  {WAIVE} because it is odd"),
    (a_waived_check_is_named_and_explained, f"x = 1  {WAIVE}: S105"),
    (a_waived_check_is_named_and_explained, f"x = 1  {IGNORE}"),
    (a_waived_check_is_named_and_explained, f"x = 1  {IGNORE}[attr-defined]"),
    (nothing_belongs_to_one_machine, f"see {SLASH}root/notes.md"),
    (nothing_belongs_to_one_machine, f"cd {SLASH}work/main"),
    (nothing_belongs_to_one_machine, f"https:{SLASH}/py" + "pi.org/project/click"),
    (nothing_belongs_to_one_machine, f"read ..{SLASH}shared/spec"),
    (a_rule_switched_off_gives_its_reason, '[tool.ruff.lint]\nignore = [\n  "D105",\n]'),
    (a_rule_switched_off_gives_its_reason, '[tool.ruff.lint]\nignore = ["D105"]  #'),
    (a_rule_switched_off_gives_its_reason, '[tool.ruff.lint.per-file-ignores]\n"a/**" = ["S"]'),
]
INNOCENTS: list[tuple[Rule, str]] = [
    (a_module_begins_with_a_sentence, '"""Things that notes have.\n\nMore about it\n"""'),
    (a_module_fits_in_a_head, "x = 1\n" * LONGEST_MODULE),
    (names_say_what_a_thing_does, "class Note: ...\ndef process_exists(): ..."),
    (only_the_command_line_prints, "text.print()\nblueprint()"),
    (a_broad_except_gives_its_reason, "try: x()\nexcept OSError: pass"),
    (a_broad_except_gives_its_reason, "try: x()\nexcept BaseException:\n  undo()\n  raise"),
    (
        a_broad_except_gives_its_reason,
        f"try: x()\nexcept Exception:  {WAIVE}: BLE001 - a hook never hurts a session\n  pass",
    ),
    (clocks_know_their_time_zone, "datetime.now(UTC)\nclock.now()\ndate.today()"),
    (nothing_is_left_for_later, "todo = 'XXXX'"),
    (a_waived_check_is_named_and_explained, f"x = 1  {WAIVE}: S105 - not a real password"),
    (a_waived_check_is_named_and_explained, f"x = 1  {IGNORE}[misc]  # mypy sees no metaclass"),
    (a_waived_check_is_named_and_explained, f"x = '{WAIVE}'"),
    (nothing_belongs_to_one_machine, f"a{SLASH}root/b ~{SLASH}work/c {SLASH}home/u/app"),
    (a_rule_switched_off_gives_its_reason, '[tool.ruff.lint]\nignore = [\n  "D1",  # why\n]'),
    (a_rule_switched_off_gives_its_reason, '[tool.ruff.lint]\nselect = ["A", "B"]'),
]


@pytest.mark.parametrize(("rule", "text"), OFFENDERS)
def test_a_house_rule_catches_what_it_forbids(rule: Rule, text: str) -> None:
    complaints = list(rule(Source("src/twiceshy/core/sample.py", text)))

    assert len(complaints) == 1


@pytest.mark.parametrize(("rule", "text"), INNOCENTS)
def test_a_house_rule_leaves_the_innocent_alone(rule: Rule, text: str) -> None:
    complaints = list(rule(Source("src/twiceshy/core/sample.py", text)))

    assert complaints == []


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("src/twiceshy/utils.py", False),
        ("src/twiceshy/common/note.py", False),
        ("src/twiceshy/stores/data.py", False),
        ("src/twiceshy/note_helpers.py", False),
        ("src/twiceshy/core/note.py", True),
        ("src/twiceshy/__main__.py", True),
    ],
)
def test_a_module_is_named_after_its_idea(path: str, allowed: bool) -> None:
    complaints = list(names_say_what_a_thing_does(Source(path, "")))

    assert (complaints == []) is allowed


def test_the_command_line_may_print() -> None:
    complaints = list(only_the_command_line_prints(Source("src/twiceshy/cli/show.py", "print(1)")))

    assert complaints == []
