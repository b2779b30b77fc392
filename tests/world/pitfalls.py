"""What is planted in the synthetic world: mistakes, what puts them right, and how likely all of it is."""

from dataclasses import dataclass, field

SHOP, BLOG = "shop", "blog"
ROOTS = {SHOP: "/home/u/shop", BLOG: "/home/u/blog"}


@dataclass(frozen=True, eq=False)
class Pitfall:
    """A mistake that agents make in one project until they are told.

    ``wrong`` are ways to make it, ``right`` are the same ways put right; ``advised`` is what a note
    says instead, where its advice is bad. An agent who is not told slips with probability ``slips``,
    and a slip fails with probability ``fails``: from session ``mended`` on it never does.
    """

    name: str
    project: str
    tool: str
    wrong: tuple[dict[str, str], ...]
    right: tuple[dict[str, str], ...]
    error: str
    slips: float = 1.0
    fails: float = 1.0
    mended: int | None = None
    advised: dict[str, str] | None = None
    trouble: str = ""  # what the advised call prints, because it fails

    def fails_in(self, number: int) -> float:
        """Return how likely a slip fails in a session."""
        return 0.0 if self.mended is not None and number >= self.mended else self.fails


def commands(*lines: str) -> tuple[dict[str, str], ...]:
    """Return command lines as the arguments of calls."""
    return tuple({"command": line} for line in lines)


FLAG = Pitfall(
    "flag",
    SHOP,
    "Bash",
    commands("gh pr diff --stat", "gh pr diff 12 --stat", "gh pr diff --stat | head"),
    commands(
        "gh pr diff --name-only", "gh pr diff 12 --name-only", "gh pr diff --name-only | head"
    ),
    "unknown flag: --stat",
)
WRAPPER = Pitfall(
    "wrapper",
    SHOP,
    "Bash",
    commands("rtk bun run test", "cd web && rtk bun run build", "rtk bun run lint 2>&1 | tail -5"),
    commands("bun run test", "cd web && bun run build", "bun run lint 2>&1 | tail -5"),
    "error: unrecognized subcommand 'bun'",
    slips=0.7,
)
PATH = Pitfall(
    "path",
    SHOP,
    "Read",
    ({"file_path": "/home/u/shop/deploy/values.yml"},),
    ({"file_path": "/home/u/shop/deploy/values.yaml"},),
    "File does not exist.",
    slips=0.8,
)
UPGRADED = Pitfall(
    "upgraded",
    SHOP,
    "Bash",
    commands("uv export --format requirements", "uv export --format requirements -q"),
    commands("uv export --format requirements-txt", "uv export --format requirements-txt -q"),
    "error: invalid value 'requirements' for '--format'",
    mended=40,
)
HARMFUL = Pitfall(
    "harmful",
    SHOP,
    "Bash",
    commands("npm run lint:all"),
    commands("npm run lint"),
    "npm error Missing script: lint:all",
    slips=0.4,
    advised={"command": "npm run lint:all:ci"},
    trouble="npm error Missing script: lint:all:ci",
)
# It fails two times out of three, which is no sign that anything has changed when it does not.
UNRELIABLE = Pitfall(
    "unreliable",
    SHOP,
    "Bash",
    commands("docker-compose up"),
    commands("docker compose up"),
    "docker-compose: command not found",
    fails=0.67,
)
# The same programs, and the other way round: what is right in one project is wrong in the other.
REVERSED = Pitfall(
    "reversed",
    BLOG,
    "Bash",
    commands("bun run test", "bun run build"),
    commands("rtk bun run test", "rtk bun run build"),
    "error: unrecognized subcommand 'run'",
    fails=0.9,
)
PLANTED = (FLAG, WRAPPER, PATH, UPGRADED, HARMFUL, UNRELIABLE, REVERSED)


@dataclass(frozen=True)
class Said:
    """What the user says to the agent in some session; ``takes_back`` the one said before."""

    text: str
    avoid: str
    prefer: str
    takes_back: bool = False


CORRECTIONS = (
    Said("No, don't use npm here, use pnpm.", "npm", "pnpm"),
    Said("不要用pnpm，用npm", "pnpm", "npm", takes_back=True),
    Said("Always use ruff instead of flake8.", "flake8", "ruff"),
    Said("以后不要用ruff，改用flake8", "ruff", "flake8", takes_back=True),
)


@dataclass
class Truth:
    """What really happened to one pitfall in one session, as only the world knows."""

    session: str
    pitfall: str
    told: bool = False
    obeyed: bool = False
    tried: list[str] = field(default_factory=list)  # "right", "wrong" or "advised", call by call
    failed: list[bool] = field(default_factory=list)
