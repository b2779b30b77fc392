"""Compile the modules of hooks to the content of a bundle."""

from __future__ import annotations
import __future__

import ast
import marshal
import os
from _frozen_importlib_external import MAGIC_NUMBER

from twiceshy.hooks import pattern_table
from twiceshy.hooks.bundle import HASH_BYTES, PACKAGE, SIZE_BYTES, VERSION, hash_content

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

    from twiceshy.hooks.bundle import Entry

_OURS = "twiceshy."


def build_bundle(sources: dict[str, str]) -> bytes:
    """Compile the modules in these source files, by name, to the content of a bundle."""
    entries: dict[str, Entry] = {}
    code = bytearray()
    trees = {name: parse_file(source) for name, source in sources.items()}
    trees[pattern_table.MODULE] = ast.parse(pattern_table.write_pattern_module(trees))
    for name, source in sources.items():
        stat, tree = os.stat(source), trees[name]
        content = marshal.dumps(_compile_module(tree, source, ours=name.startswith(_OURS)))
        is_package = os.path.basename(source) == "__init__.py"
        stamp = stat.st_mtime_ns, stat.st_size
        needed = tuple(_list_needed(name, tree, sources))
        place = len(code), len(content), hash_content(content)
        entries[name] = (is_package, source, *stamp, *place, needed)
        code += content
    return _frame(entries, bytes(code))


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
    yield from dict.fromkeys(one for one in known if one in sources)


def _frame(entries: dict[str, Entry], code: bytes) -> bytes:
    """Put the index before the code; it holds the size of the whole file, which has to fit itself."""
    total = 0
    while True:
        index = marshal.dumps((VERSION, MAGIC_NUMBER, PACKAGE, total, entries))
        whole = SIZE_BYTES + HASH_BYTES + len(index) + len(code)
        if whole == total:
            return len(index).to_bytes(SIZE_BYTES, "little") + hash_content(index) + index + code
        total = whole
