"""Reasons for review, as shown to the user."""

RUNS = "runs what it downloads or decodes"
INSTRUCTION = "reads like an instruction to an agent"
CREDENTIALS = "reads or sends credentials"
HOOKS = "switches off hooks or signing"
TLS = "switches off the checks of TLS"
FORCE = "overwrites or deletes without asking"
DESTROYS = "destroys what a database or a cloud holds"
RIGHTS = "takes more rights"
CHECKS = "switches off tests or checks"
SETTINGS = "changes what agents, shells or schedulers load"
INSTALLS = "installs or runs a package"
ENDPOINT = "talks to a host that is not known here"
SHARES = "shares or publishes what is here"
ORDER = (
    RUNS, INSTRUCTION, CREDENTIALS, HOOKS, TLS, FORCE, DESTROYS, RIGHTS, CHECKS, SETTINGS, INSTALLS, SHARES, ENDPOINT,
)  # fmt: skip
