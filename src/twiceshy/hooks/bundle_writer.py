"""Write the bundle of hooks' modules, if it is missing or a source has changed."""

from __future__ import annotations
import __future__

import marshal
import os
from _frozen_importlib_external import MAGIC_NUMBER
from importlib import import_module

from twiceshy.files.replace import replace_file
from twiceshy.hooks import pattern_table
from twiceshy.hooks.bundle import (
    HASH_BYTES,
    PACKAGE,
    SIZE_BYTES,
    VERSION,
    ModuleBundle,
    hash_content,
)
from twiceshy.runtimes.launcher import bundle_path, launcher_path

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator
    from types import CodeType

    from twiceshy.hooks.bundle import Entry

# Rooms whose modules hooks load; a module that is missing here is imported as ever.
ROOMS = "config core effect files hooks language places recall runtimes safety shell store".split()
# The package and this file are imported before the bundle is used.
_BEFORE = ("twiceshy.hooks", "twiceshy.hooks.bundle", "twiceshy.hooks.bundle_writer")
_OURS = "twiceshy."
# What is not frozen of the standard library that hooks load.
STANDARD = """__future__ collections contextlib copyreg enum functools hashlib json json.decoder json.encoder json.scanner
    keyword operator re re._casefix re._compiler re._constants re._parser reprlib types""".split()


def refresh_bundle(home: str) -> bool:
    """Write the bundle of a memory home with a launcher unless it is current; True if written."""
    path = bundle_path(home)
    if not os.path.exists(launcher_path(home)):
        return False  # no client starts hooks from here
    sources = dict(list_sources())
    if _is_current(path, sources):
        return False
    replace_file(path, _build_bundle(sources))
    return True


def _is_current(path: str, sources: dict[str, str]) -> bool:
    try:
        bundle = ModuleBundle.read(os.fsencode(path))
    except (OSError, ValueError, EOFError, TypeError):
        return False
    return bundle is not None and all(map(bundle.is_current, sources))


def list_sources() -> Iterator[tuple[str, str]]:
    """Yield the names and source files of all modules of the bundle."""
    above = len(os.path.dirname(PACKAGE)) + len(os.sep)
    yield "twiceshy.app", os.path.join(PACKAGE, "app.py")
    for room in ROOMS:
        for source in _list_files(os.path.join(PACKAGE, room)):
            name = _name_module(source[above:])
            if name not in _BEFORE:
                yield name, source
    for name in STANDARD:
        if source := getattr(import_module(name), "__file__", ""):
            yield name, os.path.abspath(source)


def _list_files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith(".py"):
            yield entry.path
        elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            yield from _list_files(entry.path)


def _name_module(path: str) -> str:
    """Return the name of the module in a file, from its path below the folder of the package."""
    name = path.removesuffix(".py").replace(os.sep, ".")
    return name.removesuffix(".__init__")


def _build_bundle(sources: dict[str, str]) -> bytes:
    import ast  # most jobs find the file current

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
    import ast

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
    import ast

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
