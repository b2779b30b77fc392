"""In a network namespace of their own, hooks, commands and a sync make not one attempt to reach anybody."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.attacks.tally import Tally
from tests.requirements import requirement

ROOT = Path(__file__).resolve().parents[2]
FAMILY = "packets sent without a setting"
# The kernel counts each attempt of every process in the namespace, failed ones included.
COUNTED = {
    "Ip": ("OutRequests", "OutNoRoutes"),
    "Tcp": ("ActiveOpens",),
    "Udp": ("OutDatagrams",),
}
KNOCK = "import socket; socket.socket(2, 2).sendto(b'x', ('10.1.2.3', 53))"
LIFE = """
set -e
twiceshy() { "$PYTHON" -m twiceshy "$@" >/dev/null; }
git init -q --bare "$WORK/remote.git"
git init -q "$WORK/shop"
cd "$WORK/shop"
twiceshy note "Lock with uv lock --frozen before tagging." --skill release
twiceshy search lock
twiceshy install claude-code --yes
twiceshy import --yes || true
printf '[sync]\nremote = "%s"\n' "$WORK/remote.git" >> "$TWICESHY_HOME/config.toml"
twiceshy sync
twiceshy tend
twiceshy doctor || true
twiceshy replay || true
twiceshy export "$WORK/bundle.jsonl"
twiceshy uninstall --yes || true
"""


def run_alone(*command: str, home: Path) -> tuple[int, int, str]:
    """Run a command in a namespace; return its exit code, the attempts to send, and what it printed."""
    work = home.parent / "work"
    work.mkdir(exist_ok=True)
    env = os.environ | {"PYTHON": sys.executable, "WORK": str(work)}
    script = '"$@"; code=$?; sleep 0; echo "exit $code"; cat /proc/net/snmp'
    ran = subprocess.run(
        [find_unshare(), "-rn", "sh", "-c", script, "sh", *command],
        capture_output=True,
        text=True,
        check=False,
        env=env,
        cwd=work,
    )
    said, _, counted = ran.stdout.rpartition("exit ")
    code, _, table = counted.partition("\n")
    return int(code), count_attempts(table), said + ran.stderr


def find_unshare() -> str:
    found = shutil.which("unshare")
    if (
        not found
        or subprocess.run([found, "-rn", "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this machine does not let its users have a network namespace")
    return found


def count_attempts(table: str) -> int:
    rows = [line.split() for line in table.splitlines()]
    total = 0
    for names, values in zip(rows[::2], rows[1::2], strict=True):
        kind = names[0].rstrip(":")
        told = dict(zip(names[1:], values[1:], strict=True))
        total += sum(int(told[name]) for name in COUNTED.get(kind, ()))
    return total


def test_an_attempt_is_counted(home: Path) -> None:
    _, attempts, _ = run_alone(sys.executable, "-c", KNOCK, home=home)

    assert attempts > 0


@requirement("Y02")
def test_hooks_and_agents_of_the_demonstration_reach_nobody(home: Path, tally: Tally) -> None:
    code, attempts, said = run_alone(sys.executable, str(ROOT / "tools" / "demo.py"), home=home)

    assert code == 0, said[-2_000:]
    tally.count_attack(FAMILY, "demo", succeeded=attempts > 0)
    assert tally.succeeded == []


@requirement("Y02")
def test_commands_and_a_sync_with_a_folder_reach_nobody(home: Path, tally: Tally) -> None:
    code, attempts, said = run_alone("sh", "-c", LIFE, home=home)

    assert code == 0, said[-2_000:]
    tally.count_attack(FAMILY, "commands", succeeded=attempts > 0)
    assert tally.succeeded == []
