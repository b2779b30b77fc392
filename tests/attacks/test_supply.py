"""What an installation brings is listed with versions, licences and hashes, and is free to use."""

import json
import re
import tomllib
from importlib.metadata import requires
from pathlib import Path
from typing import Any

from tests.requirements import requirement
from tools.sbom import BASE, BILL, normalise_name, render_bill

ROOT = Path(__file__).resolve().parents[2]
# Nothing that asks those who use twiceshy to publish their own work
FREE = frozenset(
    """MIT MIT-0 BSD-2-Clause BSD-3-Clause 0BSD Apache-2.0 PSF-2.0 CC0-1.0 Zlib MPL-2.0 ISC""".split()
)


def components() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(BILL.read_text("utf-8"))["components"]
    return listed


def declared() -> dict[str, set[str]]:
    """Return the names that pyproject.toml asks for: of everybody, and of extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [each for some in project["optional-dependencies"].values() for each in some]
    return {
        "required": {package_of(each) for each in project["dependencies"]},
        "optional": {package_of(each) for each in extras},
    }


def package_of(asked: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", asked)
    assert found, asked
    return normalise_name(found[0])


@requirement("Y01")
def test_the_bill_lists_what_everybody_gets_and_what_extras_add() -> None:
    found = {scope: {one["name"] for one in components() if one["scope"] == scope}
             for scope in ("required", "optional")}  # fmt: skip

    assert found["required"] == declared()["required"] == set(BASE)
    assert declared()["optional"] <= found["optional"]


@requirement("Y01")
def test_what_those_packages_ask_for_themselves_is_listed_as_well() -> None:
    listed = {one["name"] for one in components()}
    wanted = {
        package_of(each)
        for name in ("click", "tomlkit", "mcp")
        for each in requires(name) or ()
        if "extra ==" not in each and "sys_platform" not in each and "python_version" not in each
    }

    assert wanted, "nothing was read"
    assert wanted <= listed


@requirement("Y01")
def test_each_has_a_free_licence_and_a_hash_and_no_address() -> None:
    for one in components():
        (said,) = one["licenses"]
        names = re.findall(r"[\w.+-]+", said.get("expression") or said["license"]["id"])
        assert set(names) - {"AND", "OR"} <= FREE, one
        assert re.fullmatch(r"[0-9a-f]{64}", one["hashes"][0]["content"]), one
    assert "://" not in BILL.read_text("utf-8")


def test_a_package_in_words_of_its_own_gets_its_usual_name() -> None:
    chosen = {
        "metadata": {"name": "Word_Piece.X", "version": "1", "license": "MIT License"},
        "download_info": {"archive_info": {"hashes": {"sha256": "0" * 64}}},
    }

    (one,) = json.loads(render_bill([chosen]))["components"]

    assert (one["name"], one["licenses"]) == ("word-piece-x", [{"license": {"id": "MIT"}}])
