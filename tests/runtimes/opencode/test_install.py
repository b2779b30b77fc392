"""Into OpenCode and out again: what was there stays, comments as well, and what we wrote goes."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.files.json_parts import blank_comments
from twiceshy.runtimes import install_plan, uninstall_plan
from twiceshy.runtimes.install_plan import InstallPlace, build_install_place
from twiceshy.runtimes.opencode.install import (
    OpenCodeRegistration,
    build_request,
    find_trouble,
    is_installed,
    sample_payload,
)
from twiceshy.runtimes.opencode.payload import parse

PACKAGE = str(Path(twiceshy.__file__).parent)
SCHEMA = '"$schema": "https://opencode.ai/config.json"'
COMMENTED = """\
// my own configuration
{
  "$schema": "https://opencode.ai/config.json",  // "not": {a, string}
  /* the models
     of this year */
  "model": "lab/large", // \\" fast
  "plugin": [
    "opencode-wakatime@1.0", // counts
    ["/home/u/x.js", {"a": 1}],
  ],
  "mcp": { "docs": {"type": "remote", "url": "https://docs.example.org/*.md"}, },
}
"""
TEXTS = [
    COMMENTED,
    "{}",
    "",
    "{ }\n",
    '{"a":1}',
    f"{{{SCHEMA}}}\n",
    '\ufeff{\r\n\t"model": "lab/large"\r\n}\r\n',
    '{"plugin": [], "mcp": {}}\n',
    '{"plugin": ["a"]}',
    '{"plugin": ["a",]}',
    '{"plugin": [ ]}',
    '{\n  "plugin": [\n    "a",\n    "b"\n  ]\n}\n',
    '{"plugin": ["a"], "plugin": ["b"]}',
    "{\n  // nothing yet\n}\n",
    '{\n  "model": "x", // the last\n}\n',
    '{\n  "model": "x"\n  // the end\n}\n',
    '{"mcp": {"other": {"type": "local", "command": ["x"]}}}',
]


def a_place(folder: Path, **more: str) -> InstallPlace:
    environ = {"XDG_CONFIG_HOME": str(folder / "config"), **more}
    return build_install_place(str(folder / "a home"), str(folder), PACKAGE, environ, mcp=True)


@pytest.fixture
def here(tmp_path: Path) -> InstallPlace:
    (tmp_path / "config" / "opencode").mkdir(parents=True)
    return a_place(tmp_path)


def config(here: InstallPlace, name: str = "opencode.json") -> Path:
    return Path(here.environ["XDG_CONFIG_HOME"], "opencode", name)


def install(here: InstallPlace) -> None:
    install_plan.plan_install(here, build_request(here)).execute_plan(here.home)


def uninstall(here: InstallPlace) -> None:
    uninstall_plan.plan_uninstall(here, build_request(here)).execute_plan(here.home)


def said(path: Path) -> dict[str, object]:
    found = json.loads(blank_comments(path.read_text(encoding="utf-8-sig")))
    assert isinstance(found, dict)
    return found


def plugin(here: InstallPlace) -> str:
    return os.path.join(here.home, "opencode", "twiceshy.js")


def everything(folder: str | Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


def test_the_plugin_and_the_server_are_registered(here: InstallPlace) -> None:
    config(here).write_text(f'{{\n  {SCHEMA},\n  "plugin": ["mine"]\n}}\n')

    install(here)

    assert said(config(here))["plugin"] == ["mine", plugin(here)]
    assert said(config(here))["mcp"] == {
        "twiceshy": {
            "type": "local",
            "command": [here.server_path],
            "enabled": True,
            "timeout": 10_000,
        }
    }
    assert os.path.isfile(plugin(here))
    assert json.dumps(here.launcher_path) in Path(plugin(here)).read_text()
    assert os.stat(plugin(here)).st_mode & 0o777 == 0o600
    assert find_trouble(here) == ""


def test_without_the_sdk_no_server_is_registered_and_the_user_is_told(here: InstallPlace) -> None:
    bare = here.but(mcp=False)

    install(bare)

    assert said(config(here)).keys() == {"$schema", "plugin"}
    assert any("mcp<2" in remark for remark in build_request(bare).remarks)


def test_who_never_ran_the_client_is_told_what_it_fetches(here: InstallPlace) -> None:
    never = build_request(here).remarks
    (config(here).parent / "node_modules" / "@opencode-ai" / "plugin").mkdir(parents=True)

    assert any("npm" in remark for remark in never)
    assert build_request(here).remarks == ()


def test_a_server_is_taken_out_when_it_can_no_longer_run(here: InstallPlace) -> None:
    config(here).write_text('{"model": "x"}')
    install(here)

    config(here).write_text(config(here).read_text() + "\n")  # so that there is no way back
    uninstall(here.but(mcp=False))

    assert said(config(here)) == {"model": "x"}


@pytest.mark.parametrize("text", TEXTS)
def test_an_install_is_idempotent_and_an_uninstall_restores_every_byte(
    here: InstallPlace, text: str
) -> None:
    config(here).write_bytes(text.encode())
    before = everything(config(here).parent)

    install(here)
    first = everything(here.home) | everything(config(here).parent)
    install(here)
    second = everything(here.home) | everything(config(here).parent)
    uninstall(here)

    assert first == second
    assert first[str(config(here))] != text.encode()
    assert everything(config(here).parent) == before
    assert not os.path.exists(here.home)


@pytest.mark.parametrize("text", TEXTS)
def test_our_lines_are_taken_out_of_a_file_that_others_changed(
    here: InstallPlace, text: str
) -> None:
    edit = OpenCodeRegistration(str(config(here)), plugin(here), here.server_path)

    put = edit.insert_into(text)
    taken = edit.remove_from(put, text)

    assert blank_comments(put) != blank_comments(text)
    if "{" in text and "a" in text:
        assert taken == text
    assert edit.insert_into(put) == put


def test_comments_stay_where_they_are(here: InstallPlace) -> None:
    config(here).write_text(COMMENTED)

    install(here)

    text = config(here).read_text()
    comments = [
        "// my own configuration",
        '// "not": {a, string}',
        "/* the models\n     of this year */",
    ]
    assert [text.count(comment) for comment in [*comments, '// \\" fast', "// counts"]] == [1] * 5
    assert said(config(here))["plugin"] == [
        "opencode-wakatime@1.0",
        ["/home/u/x.js", {"a": 1}],
        plugin(here),
    ]


def test_what_the_client_adds_to_its_file_stays(here: InstallPlace) -> None:
    config(here).write_text('{\n  "model": "x" // mine\n}\n')
    install(here)
    text = config(here).read_text()
    config(here).write_text(text.replace("{", f"{{\n  {SCHEMA},", 1))  # as OpenCode does

    uninstall(here)

    assert config(here).read_text() == f'{{\n  {SCHEMA},\n  "model": "x" // mine\n}}\n'


def test_a_file_that_we_made_goes_again(here: InstallPlace) -> None:
    install(here)
    made = said(config(here))
    config(here).write_text(config(here).read_text() + "\n")

    uninstall(here)

    assert made["$schema"] == "https://opencode.ai/config.json"  # or OpenCode would write to it
    assert everything(config(here).parent) == {}


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ({}, "opencode.json"),
        ({"opencode.jsonc": "{}"}, "opencode.jsonc"),
        ({"config.json": "{}"}, "config.json"),
        ({"opencode.json": "{}", "opencode.jsonc": "{}"}, "opencode.jsonc"),
        ({"opencode.json": '{"plugin": ["a"]}', "opencode.jsonc": "{}"}, "opencode.json"),
        (
            {"opencode.json": '{"plugin": ["a"]}', "opencode.jsonc": '{"plugin": []}'},
            "opencode.jsonc",
        ),
    ],
)
def test_the_list_of_plugins_that_counts_gets_ours(
    here: InstallPlace, files: dict[str, str], chosen: str
) -> None:
    for name, text in files.items():
        config(here, name).write_text(text)
    before = everything(config(here).parent)

    install(here)
    changed = [
        path for path, text in everything(config(here).parent).items() if before.get(path) != text
    ]
    uninstall(here)

    assert changed == [str(config(here, chosen))]
    assert everything(config(here).parent) == before


def test_when_another_list_counts_we_move_there(here: InstallPlace) -> None:
    config(here).write_text('{"model": "x"}')
    install(here)
    config(here, "opencode.jsonc").write_text('{"plugin": ["a"]}')
    told = find_trouble(here)

    install(here)
    moved = said(config(here)), said(config(here, "opencode.jsonc"))["plugin"], find_trouble(here)
    uninstall(here)

    assert "not registered" in told
    assert moved == ({"model": "x"}, ["a", plugin(here)], "")
    assert config(here).read_text() == '{"model": "x"}'
    assert config(here, "opencode.jsonc").read_text() == '{"plugin": ["a"]}'


@pytest.mark.parametrize(
    "text", ["{", '{"plugin": "a"}', "[]", '{"a": 1 "b"}', '{"mcp": []}', '{"a": "b}', "{/*"]
)
def test_a_file_that_cannot_be_edited_is_left_alone(here: InstallPlace, text: str) -> None:
    config(here).write_text(text)

    with pytest.raises(ConfigError, match=r"opencode\.json"):
        install(here)

    assert config(here).read_text() == text
    assert not os.path.exists(here.home)


def test_trouble_names_the_file(here: InstallPlace) -> None:
    install(here)
    config(here).write_text("{}")

    assert str(config(here)) in find_trouble(here)

    config(here).write_text("{")
    with pytest.raises(ConfigError, match=r"opencode\.json"):
        find_trouble(here)


def test_the_client_is_found_by_its_folder_or_its_program(
    here: InstallPlace, tmp_path: Path
) -> None:
    tmp_path = tmp_path / "elsewhere"
    tmp_path.mkdir()
    nowhere = {"PATH": str(tmp_path / "bin"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    place = here.but(home_dir=str(tmp_path), environ=nowhere)
    absent = is_installed(place)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "opencode"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    by_program = is_installed(place)
    program.unlink()
    (tmp_path / ".config" / "opencode").mkdir(parents=True)

    assert (absent, by_program) == (False, True)
    assert is_installed(place.but(environ={"PATH": ""}))
    assert not is_installed(place)


def test_the_sample_is_a_loaded_skill(tmp_path: Path) -> None:
    raw = json.dumps(sample_payload(str(tmp_path), "pack")).encode()

    _, event = parse(raw, environ={}, now=1)

    assert getattr(event, "skill", "") == "pack"


words = st.text(alphabet='ab/*"\\,{}[]: \n', max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(words | st.sampled_from(["model", "agent"]), values, max_size=4),
    st.none() | st.lists(words, max_size=3),
    st.sampled_from([None, 2, "\t"]),
    st.sampled_from(["", "// a\n", "/* b */", "/*\n, }*/ "]),
    st.booleans(),
)
@example({}, [], None, "// a\n", True)
def test_whatever_a_file_says_it_says_again_without_us(
    settings: dict[str, object],
    plugins: list[str] | None,
    indent: int | str | None,
    comment: str,
    spare: bool,
) -> None:
    if plugins is not None:
        settings["plugin"] = plugins
    text = json.dumps(settings, indent=indent)
    body = text[1:-1] + ("," if spare and settings else "")
    text = f"{comment}{{{comment}{body}{comment}}}{comment}"
    edit = OpenCodeRegistration(
        "opencode.json", "/home/u/.twiceshy/opencode/twiceshy.js", "/bin/mcp"
    )

    put = edit.insert_into(text)
    taken = edit.remove_from(put, text)

    with_us = json.loads(blank_comments(put))
    assert with_us["plugin"] == [*(plugins or []), edit.plugin]
    assert not comment or put.count(comment.strip()) == text.count(comment.strip())
    assert json.loads(blank_comments(taken)).keys() - {"$schema"} == settings.keys() - {"$schema"}
    if settings:
        assert taken == text
