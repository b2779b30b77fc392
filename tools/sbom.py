"""Write the bill of materials: what an installation brings, with versions, licences and hashes.

    python tools/sbom.py

pip resolves the package with all extras, without installing anything, and reports what it chose.
The result is CycloneDX in docs/sbom.cdx.json. The hashes are those of the files that pip chose on this
platform; the two packages that everybody gets are the same file on all platforms.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BILL = ROOT / "docs" / "sbom.cdx.json"
OWN = "twiceshy"
BASE = ("click", "tomlkit")
# What packages say in words of their own → its SPDX name
_SPDX = {
    "CC0 1.0 Universal": "CC0-1.0",
    "MIT License": "MIT",
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
}


def main() -> int:
    """Ask pip, and write the bill."""
    BILL.write_text(render_bill(ask_pip()), "utf-8")
    print(
        f"{BILL.relative_to(ROOT)}: {len(json.loads(BILL.read_text('utf-8'))['components'])} packages"
    )
    return 0


def ask_pip() -> list[dict[str, Any]]:
    """Return what pip would install for the package with all extras."""
    asked = "install --quiet --dry-run --ignore-installed --report - .[mcp,embed]".split()
    told = subprocess.run(
        [sys.executable, "-m", "pip", *asked], cwd=ROOT, capture_output=True, text=True, check=True
    )
    chosen: list[dict[str, Any]] = json.loads(told.stdout)["install"]
    return chosen


def render_bill(chosen: list[dict[str, Any]]) -> str:
    """Return the bill as CycloneDX, sorted by name."""
    others = [one for one in chosen if one["metadata"]["name"] != OWN]
    components = sorted(map(_build_component, others), key=lambda each: str(each["name"]))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "library", "name": OWN, "licenses": [_license("MIT")]}},
        "components": components,
    }
    return json.dumps(bill, indent=1, ensure_ascii=False) + "\n"


def normalise_name(name: str) -> str:
    """Return the name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _build_component(one: dict[str, Any]) -> dict[str, object]:
    about = one["metadata"]
    name, version = normalise_name(about["name"]), about["version"]
    said = about.get("license_expression") or about.get("license") or ""
    return {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "scope": "required" if name in BASE else "optional",
        "licenses": [_license(_SPDX.get(said, said))],
        "hashes": [
            {"alg": "SHA-256", "content": one["download_info"]["archive_info"]["hashes"]["sha256"]}
        ],
    }


def _license(said: str) -> dict[str, object]:
    single = re.fullmatch(r"[\w.+-]+", said)
    return {"license": {"id": said}} if single else {"expression": said}


if __name__ == "__main__":
    raise SystemExit(main())
