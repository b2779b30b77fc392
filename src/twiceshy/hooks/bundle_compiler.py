"""Compile the modules of hooks to the content of a bundle."""

from __future__ import annotations
import __future__

import ast
import marshal
import os
from _frozen_importlib_external import MAGIC_NUMBER

from twiceshy.hooks import pattern_table
from twiceshy.hooks.bundle import (
    HASH_BYTES,
    PACKAGE,
    SIZE_BYTES,
    VERSION,
    hash_content,
    hash_in_pieces,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

    from twiceshy.hooks.bundle import Place, Stamp

_OURS = "twiceshy."
_ANSWER = """recall.answer config.quick core.jsontext files.log runtimes.dialect safety.redact.quick_check
    store.hook_store"""
_ANSWERED = f"hooks.entry runtimes.quick_look {_ANSWER}"
_JOB = "hooks.background hooks.pattern_cache config.load store.command_store"
# What is loaded together, by the module that is asked for first, and what is loaded before that: by the
# background job, for every event, for every event that is answered, in a session that is new, for a text
# that may hold a secret, for what is told of calls, at a start, at a prompt, and for a skill.
GROUPS = {
    "learning.learn": (
        "effect.reconsider learning.compaction_advice learning.sources upkeep.compress upkeep.fade",
        _JOB,
    ),
    "hooks.entry": ("runtimes.quick_look", ""),
    "recall.answer": (_ANSWER, "hooks.entry runtimes.quick_look"),
    "places.joining": ("", _ANSWERED),
    "safety.redact.gate": ("core.prepared_patterns", _ANSWERED),
    "recall.before_call": (
        "core.trigger shell.call_words shell.command_line shell.tokens",
        _ANSWERED,
    ),
    "recall.session_start": (
        """core.lesson_value core.prefilter_words core.prices core.trigger core.trust effect.holdout
        files.json_cache recall.first_use recall.prefilter""",
        f"{_ANSWERED} places.joining",
    ),
    "recall.prompt_match": (
        """core.trigger language.rank language.terms language.vector recall.brief recall.prompt_subject
        store.vectors store.words""",
        _ANSWERED,
    ),
    "recall.recall_notes": (
        """language.asked_order language.rank language.terms language.vector recall.brief store.vectors
        store.words""",
        _ANSWERED,
    ),
}


def build_bundle(sources: dict[str, str]) -> bytes:
    """Compile the modules in these source files, by name, to the content of a bundle."""
    trees = {name: parse_file(source) for name, source in sources.items()}
    trees[pattern_table.MODULE] = ast.parse(pattern_table.write_pattern_module(trees))
    stamps = {name: _stamp_source(source) for name, source in sources.items()}
    needed = {name: tuple(_list_needed(name, trees[name], sources)) for name in sources}
    codes = {
        name: _compile_module(trees[name], source, ours=name.startswith(_OURS))
        for name, source in sources.items()
    }
    content = bytearray()

    def put(head: bytes, rest: bytes = b"") -> Place:
        place = len(content), len(head), HASH_BYTES + len(head) + len(rest)
        content.extend(hash_content(head + rest) + head + rest)
        return place

    places = {
        name: put(marshal.dumps((stamps[name], needed[name])), marshal.dumps(codes[name]))
        for name in sources
    }
    groups: dict[str, Place] = {}
    for name, (more, before) in GROUPS.items():
        known = _list_in_order(before, needed)
        # the first is loaded by whoever asks for it
        order = [one for one in _list_in_order(f"{name} {more}", needed) if one not in known]
        members = tuple((one, stamps[one], codes[one]) for one in order if one != _OURS + name)
        groups[_OURS + name] = put(marshal.dumps(members))
    return _frame(places, groups, bytes(content))


def _stamp_source(source: str) -> Stamp:
    stat = os.stat(source)
    return os.path.basename(source) == "__init__.py", source, stat.st_mtime_ns, stat.st_size


def _list_in_order(names: str, needed: dict[str, tuple[str, ...]]) -> list[str]:
    """Return modules of ours, each behind everything that it needs."""
    order: dict[str, None] = {}
    met: set[str] = set()

    def add(name: str) -> None:
        if name in met or name not in needed:
            return
        met.add(name)
        for each in needed[name]:
            add(each)
        order[name] = None

    for name in names.split():
        add(_OURS + name)
    return list(order)


def parse_file(path: str) -> ast.Module:
    """Return the tree of a source file."""
    with open(path, "rb") as file:
        return ast.parse(file.read())


def _compile_module(tree: ast.Module, source: str, *, ours: bool) -> CodeType:
    """Compile a module without docstrings, assertions, and what only type checkers read."""
    if not ours:
        return compile(tree, source, "exec", dont_inherit=True, optimize=2)
    tree.body = _remove_type_hints(tree.body)
    flags = __future__.annotations.compiler_flag  # fields of values are annotations of classes
    code: CodeType = compile(tree, source, "exec", flags=flags, dont_inherit=True, optimize=2)
    return code


def _remove_type_hints(body: list[ast.stmt]) -> list[ast.stmt]:
    """Remove annotations of functions, imports for type checkers, and the import of these features."""
    kept: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.ImportFrom(module="__future__"):
                continue
            case ast.If(test=ast.Name("TYPE_CHECKING"), orelse=instead):
                kept += instead
                continue
            case ast.FunctionDef(args=given):
                statement.returns = None
                places = (*given.posonlyargs, *given.args, *given.kwonlyargs)
                for one in filter(None, (*places, given.vararg, given.kwarg)):
                    one.annotation = None
            case _:
                pass
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            statement.body = _remove_type_hints(statement.body) or statement.body
        kept.append(statement)
    return kept


def _list_needed(name: str, tree: ast.Module, sources: dict[str, str]) -> Iterator[str]:
    """Yield the modules of the bundle that a module imports at its top, the package of ours first."""
    known = [name.rpartition(".")[0]] if name.startswith(_OURS) else []
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            known += [one.name for one in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            inside = [f"{statement.module}.{one.name}" for one in statement.names]
            known += [statement.module, *inside]
    # the features of ``__future__`` are compiled in
    yield from dict.fromkeys(one for one in known if one in sources and one != "__future__")


def _frame(places: dict[str, Place], groups: dict[str, Place], content: bytes) -> bytes:
    """Put the index before the records; it holds the size of the whole file, which has to fit itself."""
    whole_hash = hash_in_pieces(lambda size, offset: content[offset : offset + size])
    total = 0
    while True:
        about = VERSION, MAGIC_NUMBER, PACKAGE
        index = marshal.dumps((about, total, whole_hash, places, groups))
        whole = SIZE_BYTES + HASH_BYTES + len(index) + len(content)
        if whole == total:
            return (
                len(index).to_bytes(SIZE_BYTES, "little") + hash_content(index) + index + content
            )
        total = whole
