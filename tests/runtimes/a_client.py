"""A small client of our own: a real program that copies plugins and writes its configuration by itself."""

from pathlib import Path

from twiceshy.runtimes.install_plan import (
    InstallPlace,
    InstallRequest,
)
from twiceshy.runtimes.plan import read_bytes

# `stall add FOLDER` copies a plugin and notes it; `stall drop` takes it out again.
PROGRAM = """#!/bin/sh
own={own}
test -z "$(cat)" || exit 9
pwd >"$own/called in"
case "$1" in
add)
    test -e "$own/broken" && {{ echo "looking"; echo "stall: no room left" >&2; exit 4; }}
    mkdir -p "$own/cache/twiceshy" && cp "$2/plugin.txt" "$own/cache/twiceshy/"
    test ! -e "$own/stall.conf" || sed -i "/^plugin /d" "$own/stall.conf"
    echo "plugin $2 $(cat "$2/plugin.txt")" >>"$own/stall.conf"
    ;;
drop)
    test -e "$own/broken" && {{ echo "stall: who?" >&2; exit 5; }}
    rm -r "$own/cache/twiceshy"
    sed -i "/^plugin /d" "$own/stall.conf"
    ;;
esac
"""


class Stall:
    """The client and its folder; says what it wants like a module of ours does."""

    def __init__(self, root: Path, runtime: str = "stall") -> None:
        self.runtime = runtime
        self.own = root / f"{runtime} client"
        self.conf = self.own / "stall.conf"
        self.copy = self.own / "cache" / "twiceshy" / "plugin.txt"
        self.program = root / "bin" / runtime
        self.text = b"the plugin\n"
        self.common = b"what several clients read\n"

    def set_up(self, conf: str | None = "theirs 1\n") -> None:
        """Put the program on its PATH, and its configuration where it is."""
        self.own.mkdir()
        self.program.parent.mkdir(exist_ok=True)
        self.program.write_text(PROGRAM.format(own=f"'{self.own}'"))
        self.program.chmod(0o755)
        if conf is not None:
            self.conf.write_text(conf)

    def wanted(self, here: InstallPlace) -> InstallRequest:
        """Have the folder added unless the client's copy is the one that would be made."""
        folder = here.runtime_folder(self.runtime)
        known = b"plugin " in (read_bytes(str(self.conf)) or b"")
        same = known and read_bytes(str(self.copy)) == self.text
        return InstallRequest(
            self.runtime,
            {
                **here.build_files(self.runtime, {"plugin.txt": self.text}),
                f"{here.home}/common/read.txt": (self.common, 0o600),
            },
            commands=() if same else ((self.runtime, "add", folder),),
            undo=((self.runtime, "drop"),) if known else (),
            touches=(str(self.conf),),
            leftovers=(str(self.copy.parent),),
        )
