"""Standing orders in what others say: always to run a script, a download or a program nobody knows."""

from __future__ import annotations

from twiceshy.safety.danger.late_pattern import LatePattern
from twiceshy.safety.danger.lines import program_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_CODE = LatePattern(r"`([^`\n]{1,300})`")
_SCRIPT = LatePattern(
    r"(?<![\w:/])(?:\.{0,2}/|~/)?(?:[\w.-]{1,60}/){0,8}[\w-]{1,60}\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|ps1|bat|cmd|exe|php|jar|run|bin|command)\b"
    r"|(?<![\w:/.])(?:\./|~/|/)[\w.-]{1,60}(?:/[\w.-]{1,60}){0,8}"
)
_SAID = LatePattern(
    r"(?i)\b(?:run|execute|launch|invoke|call|starte|ejecuta|lance|esegui|uruchom|运行|执行|запусти|выполни)[: ]{1,2}"
    r"([a-z][\w.-]{2,40} (?:-{1,2}\w|[./]|enroll|install|setup|init|start|run|sync|login|register|join|bootstrap|update|apply)[\w./-]{0,60})"
)
# What projects run every day: advice to run these is advice.
_KNOWN = frozenset(
    """alembic ansible ant artisan astro ava bash bazel bin/rails biome black brew buck bundle bun bunx cargo cd clang-format clippy cmake
    composer conan coverage cp ctest cypress dart deno direnv django-admin docker docker-compose dotnet drizzle-kit echo eslint expo export find
    flake8 flutter gcc gem gh git go gofmt golangci-lint goimports goreleaser gradle gradlew grep grunt gulp hatch helm husky invoke isort jest
    jq just karma knip kubectl lefthook lein lerna lint-staged ls make manage.py meson mix mkdir mocha mvn mvnw mypy next ng ninja node nox
    npm npx nvm nx nyc pdm perl phpstan phpunit pip pip3 pipenv playwright pnpm poetry pre-commit prettier prisma protoc psql pwd pylint pyright
    pytest python python3 rails rake redis-cli rg rspec rubocop ruby ruff rustfmt sbt sed shellcheck sh sqlite3 storybook stylelint swift
    swiftlint task terraform tox tofu touch tsc tsx turbo uv uvx vite vitest vue-tsc webpack wrangler xcodebuild yarn zig buf sqlc templ air
    detekt ktlint pipx poe rye hugo jekyll mkdocs sphinx-build changeset nbstripout sqlfluff hadolint actionlint yamllint markdownlint""".split()
)
_STARTING = frozenset(
    "bash sh zsh python python3 node ruby perl php deno bun npx uvx pwsh".split()
)


def names_unknown_target(text: str) -> bool:
    """True if a folded text names something to run that projects do not run by name every day."""
    return any(_is_unknown(target) for target in _list_targets(text))


def _list_targets(text: str) -> Iterator[str]:
    yield from _CODE.findall(text)
    bare = _CODE.sub(" ", text)
    yield from (found[0] for found in _SCRIPT.finditer(bare))
    yield from _SAID.findall(bare)


def _is_unknown(target: str) -> bool:
    words = [word for word in target.split() if "=" not in word or word[:1] == "-"]
    if not words:
        return False
    name = program_name(words[0])
    if _SCRIPT.fullmatch(words[0]) and name not in _KNOWN:
        return True
    if name in _STARTING:
        return any(_SCRIPT.fullmatch(word) for word in words[1:2])
    # a function, a setting or a single word is no command line
    return name not in _KNOWN and len(words) > 1 and words[0].isascii() and words[0][:1].isalpha()
