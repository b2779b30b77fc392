"""Install the built package alone in a fresh environment and use it as a user would.

The tests run with everything a developer has; only this notices a dependency that was never
declared, a file that is missing from the wheel, or a package that grew too heavy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LESSON = "Lock with uv lock --frozen before tagging"
RUNTIME = {"click", "tomlkit", "twiceshy"}
HEAVIEST = 12_000_000  # all that the base brings; pip adds the bytecode, a good quarter more
COMPILED = (".so", ".pyd", ".dylib", ".dll")


class SmokeError(Exception):
    """The package does not do what it should."""


def main() -> int:
    """Build, install and use the package in a folder that is gone afterwards."""
    try:
        with tempfile.TemporaryDirectory(prefix="twiceshy-smoke-") as folder:
            smoke(Path(folder).resolve())
    except SmokeError as error:
        print(f"smoke: {error}", file=sys.stderr)
        return 1
    return 0


def smoke(folder: Path) -> None:
    """Take the steps in order; each prints what it has checked."""
    wheel = build(folder / "dist")
    venv = folder / "venv"
    installed = install(wheel, venv)
    weigh(installed)
    use(venv, folder / "user")


def build(target: Path) -> Path:
    """Build the wheel with uv where there is one, else with pip."""
    if uv := shutil.which("uv"):
        run([uv, "build", "--quiet", "--wheel", "--out-dir", target, ROOT])
    else:
        pip = [sys.executable, "-m", "pip"]
        run([*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", target, ROOT])
    wheels = sorted(target.glob("*.whl"))
    expect(
        [wheel.name.endswith("-py3-none-any.whl") for wheel in wheels] == [True],
        f"one wheel for every platform is built, not {[wheel.name for wheel in wheels]}",
    )
    step(
        "build", f"{wheels[0].name}, {wheels[0].stat().st_size / 1000:.0f} kB, for every platform"
    )
    return wheels[0]


def install(wheel: Path, venv: Path) -> list[Distribution]:
    """Install the wheel with what it declares, and see that nothing else comes along."""
    if uv := shutil.which("uv"):
        run([uv, "venv", "--quiet", "--python", sys.executable, venv])
        before = {dist.name for dist in present(venv)}
        run([uv, "pip", "install", "--quiet", "--python", venv / "bin" / "python", wheel])
    else:
        run([sys.executable, "-m", "venv", venv])
        before = {dist.name for dist in present(venv)}
        run([venv / "bin" / "python", "-m", "pip", "install", "--quiet", wheel])
    added = [dist for dist in present(venv) if dist.name not in before]
    names = {dist.name for dist in added}
    expect(
        names == RUNTIME, f"installing brings {sorted(RUNTIME)} and no more, not {sorted(names)}"
    )
    step("install", "beside the installer there are " + " and ".join(sorted(names)) + ", no more")
    return added


def weigh(installed: list[Distribution]) -> None:
    """See that all of the base together is light, and that nothing in it is compiled."""
    total = 0
    for dist in installed:
        files = [Path(str(file.locate())) for file in dist.files or []]
        compiled = [file.name for file in files if file.name.endswith(COMPILED)]
        expect(not compiled, f"{dist.name} has no compiled files, not {compiled}")
        # what the wheels bring; how much bytecode pip writes beside it is its interpreter's affair
        ours = [file for file in files if file.is_file() and file.parent.name != "__pycache__"]
        total += sum(file.stat().st_size for file in ours)
    expect(0 < total <= HEAVIEST, f"the base weighs at most 12 MB, not {total / 1e6:.1f}")
    step("weight", f"twiceshy, click and tomlkit take {total / 1e6:.2f} of at most 12 MB")
    step("pure", "nothing compiled in " + " or ".join(sorted(dist.name for dist in installed)))


def use(venv: Path, user: Path) -> None:
    """Write a note and get it back, in a home and a project that were never used before."""
    project = user / "project"
    project.mkdir(parents=True)
    # An explicit environment: nothing of the developer's may help, or be touched.
    environment = {
        "HOME": str(user),
        "LANG": "C.UTF-8",
        "PATH": os.pathsep.join([str(venv / "bin"), os.defpath]),
        "TWICESHY_HOME": str(user / "memory"),
    }

    def twiceshy(*arguments: str) -> str:
        return run([venv / "bin" / "twiceshy", *arguments], cwd=project, env=environment)

    expect("Usage: twiceshy" in twiceshy("--help"), "--help shows how to use it")
    step("help", "twiceshy --help answers")

    version = next(dist.version for dist in present(venv) if dist.name == "twiceshy")
    expect(version in twiceshy("--version"), f"--version says {version}")
    step("version", f"twiceshy --version says {version}")

    twiceshy("note", LESSON, "--skill", "release")
    expect((user / "memory").is_dir(), "a note is kept under TWICESHY_HOME")
    step("note", "twiceshy note keeps a lesson under TWICESHY_HOME")

    brief = twiceshy("recall", "cut a release", "--skill", "release")
    expect(LESSON in brief, f"recall gives the lesson back, not {brief!r}")
    step("recall", "twiceshy recall, another process, gives it back")


def present(venv: Path) -> list[Distribution]:
    """Return what is installed in an environment."""
    return list(distributions(path=[str(path) for path in venv.glob("lib/python*/site-packages")]))


def run(
    command: list[str | Path], *, cwd: Path | None = None, env: dict[str, str] | None = None
) -> str:
    """Run a program and return what it printed; its failure is ours."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    said = f"{done.stdout}{done.stderr}".strip()
    shown = " ".join([Path(command[0]).name, *(str(part) for part in command[1:])])
    expect(done.returncode == 0, f"`{shown}` succeeds, not exit {done.returncode}:\n{said}")
    return done.stdout


def expect(holds: bool, promise: str) -> None:  # noqa: FBT001 - it reads as an assertion
    """Stop with the promise that was broken."""
    if not holds:
        raise SmokeError(f"broken promise: {promise}")


def step(name: str, checked: str) -> None:
    """Say what has been checked."""
    print(f"smoke: {name:8} {checked}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
