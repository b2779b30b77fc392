"""Commands that bring in a package."""

from __future__ import annotations

from itertools import pairwise

from twiceshy.safety.danger.lines import PROSE, program_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.safety.danger.lines import WordRun

_VERBS = {
    **dict.fromkeys("npm pnpm bun cnpm".split(), frozenset("i install add in".split())),
    **dict.fromkeys("yarn poetry pdm bundle cargo uv".split(), frozenset("add".split())),
    **dict.fromkeys(
        "pip pip3 pipx gem luarocks pip2 mamba conda".split(), frozenset("install inject".split())
    ),
    "cargo": frozenset("add install".split()),
    "go": frozenset("install get".split()),
    "composer": frozenset("require".split()),
    "dotnet": frozenset("add tool".split()),
    "deno": frozenset("install add".split()),
    "cpanm": frozenset(),
    "uv": frozenset("add install".split()),
}
_STARTERS = frozenset("npx bunx uvx dlx pnpx".split())
_STARTING = {"npm": "exec", "pipx": "run", "uv": "run"}
# Their next word is no package: a file, a folder, a place.
_WITH_VALUE = frozenset(
    """-r --requirement -c --constraint -e --editable --path --target -t --prefix --group --extra -C
    --filter -F --workspace -w --manifest-path --features --python -p --directory --root --cwd
    --index-url --extra-index-url --registry -i""".split()
)
# Tools that projects run by name every day.
_KNOWN = frozenset(
    """@biomejs/biome @playwright/test astro ava biome black bun c8 commitlint concurrently coverage cypress
    dotenv drizzle-kit electron-builder esbuild eslint flake8 husky isort jest knip lerna lint-staged
    markdownlint-cli2 mocha mypy next node nodemon nx nyc oxlint parcel pip-audit playwright postcss pre-commit
    prettier prisma pyright pytest react-scripts rimraf rollup ruff sass semantic-release
    standard storybook stylelint svelte-check swc tailwindcss tap tape tox tsc tsc-alias tsd tsx
    tsup ts-node ts-jest turbo typedoc typescript vite vite-node vitest vue-tsc webpack wrangler xo
    changeset""".split()
)


def is_install(run: WordRun) -> bool:
    """True if a run installs or fetches and starts a package."""
    words = list(run.words)
    names = [program_name(word) for word in words]
    for at, name in enumerate(names):
        if name in _STARTERS or (name in _STARTING and _STARTING[name] in names[at + 1 : at + 3]):
            return _fetches_package(name, words[at + 1 :])
    for at, name in enumerate(names):
        if verbs := _VERBS.get(name):
            behind = [
                each for each in range(at + 1, min(at + 4, len(names))) if names[each] in verbs
            ]
            return bool(behind) and _is_package_name(words[behind[0] + 1 :])
    return False


def _fetches_package(name: str, words: Sequence[str]) -> bool:
    if name == "uv" and "tool" not in words[:1]:
        return bool(_option_value("--with", words))
    if "--no-install" in words or "--no" in words or "--offline" in words:
        return False
    if (
        asked := _option_value("--package", words)
        or _option_value("-p", words)
        or _option_value("--from", words)
    ):
        return _strip_version(asked) not in _KNOWN
    plain = [word for word in words if word[:1] != "-" and word not in ("exec", "run", "tool")]
    return (
        bool(plain)
        and not _is_local_path(plain[0])
        and _strip_version(plain[0]) not in _KNOWN | PROSE
    )


def _option_value(flag: str, words: Sequence[str]) -> str:
    joined = (word.partition("=")[2] for word in words if word.startswith(f"{flag}="))
    behind = (then for word, then in pairwise(words) if word == flag)
    return next(joined, "") or next(behind, "")


def _strip_version(word: str) -> str:
    """Return a package name without version."""
    at = word.find("@", 1)
    return (
        program_name(word[:at] if at > 0 else word)
        if word[:1] != "@"
        else (word[:at] if at > 0 else word)
    )


def _is_package_name(words: Sequence[str]) -> bool:
    before = ""
    for word in words:
        plain = word[:1] not in ("-", "<", ">", "$", "…") and before not in _WITH_VALUE
        if plain and word.lower().rstrip(".,:") in PROSE:
            return False
        if plain and not _is_local_path(word) and not word.isdigit():
            return True
        before = word
    return False


def _is_local_path(word: str) -> bool:
    return (
        word[:1] in "./~"
        or word.endswith((".whl", ".tgz", ".txt", "...", "…"))
        or not word.strip(".,:…")
    )
