"""Settings for hooks, without loading the settings machinery: defaults, or compiled.

A settings file is compiled into a small file beside the store by the first hook that meets it,
and again whenever size, time or identity of a source has changed.
"""

from __future__ import annotations

import os

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Scalar = int | float | str | tuple[str, ...]

USER_FILE = "config.toml"
PROJECT_FILE = ".twiceshy.toml"
# Names of files that usually hold secrets, and of those that only look so.
PROTECTED = (
    *(".env", ".env.*", "*.env", ".envrc", ".dev.vars", "*.pem", "*.key", "*.p8", "*.p12"),
    *("*.pfx", "*.ppk", "*.jks", "*.keystore", "*.kdbx", "id_rsa", "id_dsa", "id_ecdsa"),
    *("id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", ".netrc", "_netrc", ".npmrc", ".pypirc"),
    *(".pgpass", ".my.cnf", ".htpasswd", ".git-credentials", ".vault-token", ".dockercfg"),
    *(".boto", ".s3cfg", "credentials", "*credentials*.json", "*credentials*.y*ml"),
    *("*credentials*.toml", "*credentials*.ini", "service-account*.json", "*.secret", ".secret"),
    *(".secrets", "secret.y*ml", "secrets.json", "secrets.y*ml", "secrets.toml", "*password*.txt"),
    *("*password*.csv", "kubeconfig", ".kube/config", ".aws/config", ".docker/config.json"),
    "local.settings.json",
)
ALLOWED = (
    *("*.example", "*.sample", "*.template", "*.dist", "*.example.*", "*.sample.*"),
    *("*.template.*", "example.env", "sample.env", "*.pub", "*public*.pem", "*public*.key"),
    "*.schema.json",
)
# The same as in the table of settings, which a test compares; loading that one takes 4 ms.
DEFAULTS: dict[str, Scalar] = {
    "brief.skill_tokens": 500,
    "brief.skill_notes": 6,
    "brief.skill_tokens_max": 1_500,
    "brief.skill_notes_max": 20,
    "brief.pinned_tokens": 250,
    "brief.read_tokens": 250,
    "brief.read_notes": 5,
    "brief.call_tokens": 90,
    "brief.failure_tokens": 120,
    "brief.session_tokens": 600,
    "brief.heard_tokens": 60,
    "brief.idle_tokens": 60,
    "brief.newest_pitfall": False,
    "brief.news_tokens": 250,
    "brief.principles": 3,
    "brief.max_characters": 9_000,
    "rank.relevance": 0.6,
    "rank.recency": 0.25,
    "rank.sightings": 0.15,
    "rank.half_life_days": 30.0,
    "retention.state_days": 3,
    "retention.log_kilobytes": 1_024,
    "skills.policy": "auto",
    "learn.checkpoint_messages": 20,
    "learn.promote": True,
    "notes.travel": True,
    "telling.turn_tokens": 6_000,
    "telling.token_price": 4,
    "telling.margin": 2.0,
    "telling.session_tokens": 250,
    "holdout.share": 0.1,
    "holdout.weekly": 400,
    "stops.mode": "deny",
    "rewrites.on": False,
    "guards.mode": "warn",
    "guards.push_secrets": "ask",
    "guards.push_reminder": False,
    "guards.protected": PROTECTED,
    "guards.allowed": ALLOWED,
    "keeper.banner": False,
    "keeper.save_interval": 15,
    "redact.extra": (),
    "hook.deadline_ms": 300,
    "hook.wall_ms": 3_500,
    "hook.lock_ms": 100,
}
SEEDS = ("SKILLS_INJECT_TOP",)
PROJECT = "project:"  # begins the key of what a project adds for its own texts
COMPILED = "settings"  # the folder of compiled settings in the memory home
VERSION = 4  # of the form of compiled settings
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# These say where and when we are, and are no settings.
_PLACES = frozenset(("TWICESHY_HOME", "TWICESHY_INSIDE", "TWICESHY_NOW", "TWICESHY_TRIAL"))
# The deadline is set before anything is loaded.
_DEADLINES = ("TWICESHY_HOOK_DEADLINE_MS=", "TWICESHY_HOOK_WALL_MS=")


class QuickConfig(Value):
    """The settings of hooks, defaults or compiled, with the accessors of ``Config``."""

    home: str
    values: Mapping[str, Scalar] = DEFAULTS

    @property
    def store(self) -> str:
        """Return the path of the store, or its address if with ://."""
        return str(self.values.get("store.path") or os.path.join(self.home, "twiceshy.db"))

    @property
    def run_log(self) -> str:
        """Return the path of the run log."""
        return str(self.values.get("logs.run") or os.path.join(self.home, "run.log"))

    def integer(self, key: str) -> int:
        """Return an integer setting."""
        value = self.values[key]
        assert isinstance(value, int)  # noqa: S101 - a mistake in code, and for mypy
        return value

    def number(self, key: str) -> float:
        """Return a number setting."""
        value = self.values[key]
        assert isinstance(value, float)  # noqa: S101 - as above
        return value

    def text(self, key: str) -> str:
        """Return a text or choice setting."""
        value = self.values[key]
        assert isinstance(value, str)  # noqa: S101 - as above
        return value

    def flag(self, key: str) -> bool:
        """Return an on/off setting."""
        return self.values[key] is True

    def items(self, key: str) -> tuple[str, ...]:
        """Return a list setting."""
        value = self.values[key]
        assert isinstance(value, tuple)  # noqa: S101 - as above
        return value

    def project_items(self, key: str) -> tuple[str, ...]:
        """Return what a project adds to a list that counts for its own texts only."""
        value = self.values.get(PROJECT + key, ())
        return value if isinstance(value, tuple) else ()


class SettingsSources:
    """The places that may set a value for work in a folder: files, and the environment."""

    def __init__(self, environ: Mapping[str, str], *, cwd: str, home_dir: str) -> None:
        self.home = environ.get("TWICESHY_HOME", "").strip() or os.path.join(home_dir, ".twiceshy")
        self.user = os.path.join(self.home, USER_FILE)
        self.project = find_project_file(PROJECT_FILE, cwd=cwd, home_dir=home_dir)
        self.environment = sorted(
            f"{name}={value}"
            for name, value in environ.items()
            if (name.startswith("TWICESHY_") or name in SEEDS) and name not in _PLACES
        )

    def is_silent(self) -> bool:
        """True if no source sets anything."""
        named = any(not said.startswith(_DEADLINES) for said in self.environment)
        return not (named or self.project or os.path.lexists(self.user))

    @property
    def compiled(self) -> str:
        """Return the path of the compiled settings of these sources."""
        if not (self.project or self.environment):
            return os.path.join(self.home, COMPILED, "user")
        from twiceshy.core.prefilter_words import hash_name  # noqa: PLC0415 - most set less

        known = "\0".join((self.project, *self.environment)).encode("utf-8", "surrogateescape")
        return os.path.join(self.home, COMPILED, hash_name(known))


def load_quick_config(
    environ: Mapping[str, str], *, cwd: str, home_dir: str
) -> QuickConfig | None:
    """Return the defaults or the compiled settings; None if they must be resolved anew."""
    sources = SettingsSources(environ, cwd=cwd, home_dir=home_dir)
    if not os.path.isabs(sources.home):
        return None
    if sources.is_silent():
        return QuickConfig(os.path.normpath(sources.home))
    return _read_compiled(sources)


def _read_compiled(sources: SettingsSources) -> QuickConfig | None:
    """Return the compiled settings; None if missing, damaged, or older than a source."""
    from twiceshy.core.jsontext import parse_mapping_or_empty  # noqa: PLC0415 - most set nothing
    from twiceshy.files import is_foreign_file  # noqa: PLC0415 - as above

    try:
        with open(os.open(sources.compiled, _READ), encoding="utf-8") as file:
            if is_foreign_file(os.fstat(file.fileno())):
                return None
            found = parse_mapping_or_empty(file.read())
    except (OSError, ValueError):
        return None
    stamps, values = found.get("stamps"), found.get("values")
    if found.get("version") != VERSION or not (
        isinstance(stamps, dict) and isinstance(values, dict)
    ):
        return None
    if any(stamp_source(path) != stamp for path, stamp in stamps.items()):
        return None
    said = {key: tuple(one) if isinstance(one, list) else one for key, one in values.items()}
    return QuickConfig(os.path.normpath(sources.home), {**DEFAULTS, **said})


def stamp_source(path: str) -> list[int]:
    """Return the stamp of a settings file: size, times and identity; empty if missing."""
    try:
        found = os.stat(path)  # of what a link leads to
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def find_project_file(name: str, *, cwd: str, home_dir: str) -> str:
    """Return the nearest settings file from ``cwd`` up to the repository root; empty if none."""
    paths = (os.path.join(folder, name) for folder in _walk_upwards(cwd, home_dir))
    return next((path for path in paths if os.path.lexists(path)), "")


def _walk_upwards(cwd: str, home_dir: str) -> Iterator[str]:
    """Yield the possible project folders: neither the home nor the file system root."""
    home = os.path.realpath(home_dir)
    folder = os.path.realpath(cwd)
    while folder not in (home, os.path.dirname(folder)):
        yield folder
        if os.path.lexists(os.path.join(folder, ".git")):
            return
        folder = os.path.dirname(folder)
