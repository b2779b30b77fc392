"""Default settings for hooks, without loading the settings machinery."""

from __future__ import annotations

import os

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
DEFAULTS: dict[str, int | float | str | tuple[str, ...]] = {
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
    "holdout.share": 0.1,
    "guards.mode": "warn",
    "guards.push_secrets": "ask",
    "guards.protected": PROTECTED,
    "guards.allowed": ALLOWED,
    "keeper.banner": False,
    "keeper.save_interval": 15,
    "redact.extra": (),
    "hook.deadline_ms": 300,
    "hook.wall_ms": 4_000,
    "hook.lock_ms": 100,
}
SEEDS = ("SKILLS_INJECT_TOP",)
# These say where and when we are; the deadline is set before anything is loaded.
_HARMLESS = frozenset(
    """TWICESHY_HOME TWICESHY_HOOK_DEADLINE_MS TWICESHY_HOOK_WALL_MS TWICESHY_INSIDE
    TWICESHY_NOW""".split()
)


class QuickConfig(Value):
    """Defaults of some settings, with the accessors of ``Config``."""

    home: str

    @property
    def store(self) -> str:
        """Return the path of the store."""
        return os.path.join(self.home, "twiceshy.db")

    @property
    def run_log(self) -> str:
        """Return the path of the run log."""
        return os.path.join(self.home, "run.log")

    def integer(self, key: str) -> int:
        """Return an integer setting."""
        value = DEFAULTS[key]
        assert isinstance(value, int)  # noqa: S101 - a mistake in code, and for mypy
        return value

    def number(self, key: str) -> float:
        """Return a number setting."""
        value = DEFAULTS[key]
        assert isinstance(value, float)  # noqa: S101 - as above
        return value

    def text(self, key: str) -> str:
        """Return a text or choice setting."""
        value = DEFAULTS[key]
        assert isinstance(value, str)  # noqa: S101 - as above
        return value

    def flag(self, key: str) -> bool:
        """Return an on/off setting."""
        return DEFAULTS[key] is True

    def items(self, key: str) -> tuple[str, ...]:
        """Return a list setting."""
        value = DEFAULTS[key]
        assert isinstance(value, tuple)  # noqa: S101 - as above
        return value


def load_quick_config(
    environ: Mapping[str, str], *, cwd: str, home_dir: str
) -> QuickConfig | None:
    """Return the defaults; None if any source may set a value."""
    home = environ.get("TWICESHY_HOME", "").strip() or os.path.join(home_dir, ".twiceshy")
    said = (name for name in environ if name.startswith("TWICESHY_") or name in SEEDS)
    if not os.path.isabs(home) or any(name not in _HARMLESS for name in said):
        return None
    if os.path.lexists(os.path.join(home, USER_FILE)):
        return None
    if find_project_file(PROJECT_FILE, cwd=cwd, home_dir=home_dir):
        return None
    return QuickConfig(os.path.normpath(home))


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
