"""How this package was installed, and the command that adds what an extra needs.

The package is never named as something to install: the name may belong to somebody else on an
index. What an extra needs is named instead, and the place that this installation came from.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from importlib import metadata, util

_PACKAGE = "twiceshy"


def command_for_extra(
    extra: str, *, prefix: str = sys.prefix, python: str = sys.executable
) -> str:
    """Return the command that adds an extra's requirements to this installation."""
    needed = list_requirements(extra)
    if not needed:
        return f"install the extra {extra!r} where {_PACKAGE} is installed"
    words = " ".join(map(shlex.quote, needed))
    if os.path.isfile(os.path.join(prefix, "pipx_metadata.json")):
        return f"pipx inject {os.path.basename(prefix)} {words}"
    if os.path.isfile(os.path.join(prefix, "uv-receipt.toml")) or util.find_spec("pip") is None:
        return f"uv pip install --python {shlex.quote(python)} {words}"
    return f"{shlex.quote(python)} -m pip install {words}"


def list_requirements(extra: str) -> list[str]:
    """Return the requirements of an extra; none if the package was not installed."""
    try:
        declared = metadata.requires(_PACKAGE) or []
    except metadata.PackageNotFoundError:
        return []
    found = (line.partition(";") for line in declared)
    return [
        needed.strip()
        for needed, _, marker in found
        if marker.replace('"', "'").strip() == f"extra == '{extra}'"
    ]


def find_package_source() -> str:
    """Return where this installation came from: a folder, a wheel or a git address; empty if unknown."""
    try:
        text = metadata.distribution(_PACKAGE).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return ""
    told = json.loads(text) if text else {}
    address = str(told.get("url", ""))
    if kind := told.get("vcs_info", {}).get("vcs"):
        return f"{kind}+{address}"
    return address.removeprefix("file://")
