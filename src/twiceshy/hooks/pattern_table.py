"""Compile the patterns of hooks' modules for the bundle, so that hooks need no compiler of patterns."""

from __future__ import annotations

import ast
import marshal
import re
from array import array
from importlib import import_module

from twiceshy.core.patterns import IGNORE_CASE

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from twiceshy.core.prepared_patterns import PreparedPattern

    Key = tuple[str, int]

MODULE = "twiceshy.core.prepared_patterns"
_CALL = "compile_pattern"
_CODE_SIZE = 4
_compiler: Any = getattr(re, "_compiler", None)  # no stub knows it


def write_pattern_module(trees: dict[str, ast.Module]) -> str:
    """Return the source of the module of prepared patterns, for the trees of modules by name."""
    keys = {*_list_called(trees), *_list_secret_patterns()}
    table = marshal.dumps(prepare_patterns(sorted(keys)))
    # the code fits one compiler of patterns; hooks may find another one after an upgrade of Python
    return (
        "from _sre import MAGIC\nfrom marshal import loads\n"
        f"PREPARED = loads({table!r}) if MAGIC == {_read_magic()} else {{}}\n"
    )


def prepare_patterns(keys: Iterable[Key]) -> dict[Key, PreparedPattern]:
    """Compile patterns to what ``core.patterns`` builds them from; none if this Python differs."""
    if array("I").itemsize != _CODE_SIZE or _read_magic() < 0:
        return {}
    return {(source, int(flags)): _prepare(source, flags) for source, flags in keys}


def _read_magic() -> int:
    """Return the number of the compiler of patterns; -1 if this Python has none that we know."""
    known = hasattr(_compiler, "_code") and hasattr(_compiler, "_parser")
    return int(getattr(_compiler, "MAGIC", -1)) if known else -1


def _prepare(source: str, flags: int) -> PreparedPattern:
    parsed = _compiler._parser.parse(source, flags)  # noqa: SLF001 - ``re`` has no other door
    state = parsed.state
    code = array("I", _compiler._code(parsed, flags)).tobytes()  # noqa: SLF001 - as above
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    every = int(flags | state.flags)
    return every, code, state.groups - 1, tuple(state.groupdict.items()), tuple(names)


def _list_secret_patterns() -> Iterator[Key]:
    """Yield the patterns of the tables of secrets, which are compiled by the row."""
    from twiceshy.safety.redact import command_lines, contexts, formats, scan

    for _, _, rest, *head in formats.FORMATS:
        yield rest, 0
        yield scan.write_cut_pattern(rest)[0], 0
        yield from ((one + r"\Z", 0) for one in head)
    for option in {
        rule.partition("=")[0]
        for rules in contexts.PROGRAMS.values()
        for rule in rules.split()
        if rule.endswith("=user")
    }:
        if len(option) == 2:
            yield command_lines.write_group_pattern(option), 0
    for table in (contexts.HEADERS, contexts.COMMANDS, contexts.FILES, contexts.MAKERS):
        yield from ((rest, IGNORE_CASE) for _, _, rest in table)


def _list_called(trees: dict[str, ast.Module]) -> Iterator[Key]:
    """Yield the patterns that modules give to ``compile_pattern`` as constants."""
    for name, tree in trees.items():
        # to walk a tree takes as long as to parse it, and one in thirty has such a call
        for node in ast.walk(tree) if _has_import(tree.body) else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == _CALL:
                yield from _read_call(name, node)


def _has_import(body: list[ast.stmt]) -> bool:
    """True if a module imports ``compile_pattern``, at its top or in a function."""
    return any(
        any(one.name == _CALL for one in statement.names)
        if isinstance(statement, ast.ImportFrom)
        else isinstance(statement, ast.FunctionDef) and _has_import(statement.body)
        for statement in body
    )


def _read_call(module: str, call: ast.Call) -> Iterator[Key]:
    source, *flags = call.args
    choices = [source.body, source.orelse] if isinstance(source, ast.IfExp) else [source]
    for choice in choices:
        try:
            words, number = (_read_constant(module, one) for one in (choice, *flags, None)[:2])
        except (AttributeError, TypeError):
            continue  # known only when it is called
        if isinstance(words, str) and isinstance(number, int):
            yield words, number


def _read_constant(module: str, node: ast.expr | None) -> object:
    """Return the value of a constant, of a name of the module, or of such texts one after the other."""
    match node:
        case None:
            return 0
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return getattr(import_module(module), name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{_read_text(module, left)}{_read_text(module, right)}"
        case _:
            raise TypeError(ast.dump(node))


def _read_text(module: str, node: ast.expr) -> str:
    value = _read_constant(module, node)
    if isinstance(value, str):
        return value
    raise TypeError(module)
