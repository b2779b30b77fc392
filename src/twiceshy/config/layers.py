"""Build a settings layer from a source: accepted values, and refused values with reasons."""

from __future__ import annotations

import os

from twiceshy.config.resolved import AssignedSetting, SettingsLayer, SettingsProblem
from twiceshy.config.settings import BY_KEY, SECTIONS, SETTINGS, UNUSED
from twiceshy.config.shapes import NO, PathShape, parse_json_value, tighten_value
from twiceshy.core.errors import ConfigError

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from twiceshy.config.resolved import Config
    from twiceshy.config.settings import Setting
    from twiceshy.config.shapes import Plain

_MOST_PROBLEMS = 20  # of one file; a hostile one could hold thousands


def layer_from_document(
    document: Mapping[str, object], *, path: str, below: Config, project: bool = False
) -> SettingsLayer:
    """Build a layer from a parsed file; ``below`` are the weaker layers, which a project may tighten."""
    source, base = f"file {path}", os.path.dirname(path)
    found: list[AssignedSetting | SettingsProblem] = []
    for key, raw in _list_leaves(document):
        asked = BY_KEY.get(key)
        if key in UNUSED:
            found.append(SettingsProblem(source, key, f"{key} is no longer used; delete it"))
        elif asked is None:
            found.append(
                SettingsProblem(source, key, f"no setting is called {key[:60]}", unknown=True)
            )
        elif reason := _build_refusal(asked, project=project):
            found.append(SettingsProblem(source, key, f"{key} {reason}"))
        else:
            values = _entries_of_value(asked, raw)
            said = _judge_value(asked, values, source=source, base=base, home_dir=below.home_dir)
            found += [_vet_project_value(each, asked, below) for each in said] if project else said
    return _build_layer(found)


def layer_from_environment(
    environ: Mapping[str, str], *, cwd: str, home_dir: str, strict: bool
) -> SettingsLayer:
    """Build a layer from environment variables; an empty variable counts as unset."""
    found: list[AssignedSetting | SettingsProblem] = []
    for asked in SETTINGS:
        for variable in asked.variables:
            name, slash, folder = variable.partition("/")
            if not (text := environ.get(name, "").strip()):
                continue
            source = f"environment {name}"
            values = parse_spelled(asked, text + slash + folder, seed=variable in asked.seeds)
            said = list(_judge_value(asked, values, source=source, base=cwd, home_dir=home_dir))
            if any(isinstance(each, SettingsProblem) for each in said) and (
                strict or asked.key == "home"
            ):
                raise ConfigError(
                    f"{name} must be {asked.allowed()}", hint=f"correct {name}, or unset it"
                )
            found += said
    return _build_layer(found)


def parse_spelled(
    asked: Setting, text: str, *, seed: bool = False
) -> Iterator[tuple[str, Plain | None]]:
    """Yield the values spelled by a variable or argument: table entries, or a single value."""
    if asked.table:
        yield from _entries_of_value(asked, parse_json_value(text))
        return
    value = asked.shape.parse(text)
    if value is None and seed and asked.otherwise:
        value = asked.default if text.lower() in NO else asked.otherwise
    yield "", value


def _list_leaves(document: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, raw in document.items():
        if name in SECTIONS and isinstance(raw, dict):
            yield from ((f"{name}.{inner}", each) for inner, each in raw.items())
        elif raw != {}:  # a heading with nothing below it says nothing
            yield f'"{name}"' if "." in name else name, raw  # a quoted dot divides nothing


def _entries_of_value(asked: Setting, raw: object) -> Iterator[tuple[str, Plain | None]]:
    """Yield each table entry, or the single value, parsed by the shape."""
    if not asked.table:
        yield "", asked.shape.accept(raw)
    elif not isinstance(raw, dict):
        yield "", None
    else:
        for entry, each in raw.items():
            fits = entry in asked.names if asked.names else entry.isprintable() and entry.strip()
            yield entry, asked.shape.accept(each) if fits else None


def _judge_value(
    asked: Setting,
    values: Iterable[tuple[str, Plain | None]],
    *,
    source: str,
    base: str,
    home_dir: str,
) -> Iterator[AssignedSetting | SettingsProblem]:
    for entry, value in values:
        if value is None:
            name = f"{asked.key}.{entry[:60]}" if entry else asked.key
            yield SettingsProblem(source, asked.key, f"{name} must be {asked.allowed()}")
        elif isinstance(asked.shape, PathShape) and isinstance(value, str):
            place = asked.shape.expand_path(value, base=base, home_dir=home_dir)
            yield AssignedSetting(asked.key, entry, place, source)
        else:
            yield AssignedSetting(asked.key, entry, value, source)


def _build_refusal(asked: Setting, *, project: bool) -> str:
    if not asked.file:
        return f"cannot be set in a file; set {asked.variables[0]}"
    if project and asked.project == "no":
        return "cannot be set by a project; set it in your own file"
    return ""


def _vet_project_value(
    found: AssignedSetting | SettingsProblem, asked: Setting, below: Config
) -> AssignedSetting | SettingsProblem:
    """Accept a project's value if free to set, or no laxer than before."""
    if isinstance(found, SettingsProblem):
        return found
    if found.entry and found.entry in asked.kept:
        what = f"{asked.key}.{found.entry} cannot be set by a project; set it in your own file"
        return SettingsProblem(found.source, asked.key, what)
    if asked.project == "yes":
        return found
    value = tighten_value(asked.shape, below.value(asked), found.value)
    if value is None:
        what = f"{asked.key} can only be made stricter by a project"
        return SettingsProblem(found.source, asked.key, what)
    return found.but(value=value)


def _build_layer(found: list[AssignedSetting | SettingsProblem]) -> SettingsLayer:
    trouble = [each for each in found if isinstance(each, SettingsProblem)]
    if len(trouble) > _MOST_PROBLEMS:
        more = SettingsProblem(
            trouble[0].source, "", f"and {len(trouble) - _MOST_PROBLEMS} more problems"
        )
        trouble = [*trouble[:_MOST_PROBLEMS], more]
    return SettingsLayer(
        tuple(each for each in found if isinstance(each, AssignedSetting)), tuple(trouble)
    )
