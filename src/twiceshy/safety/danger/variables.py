"""Variables that make a program load, run, trust or send something, by what they are set to."""

from __future__ import annotations

import re

from twiceshy.safety.danger.late_pattern import LatePattern
from twiceshy.safety.danger.reasons import CREDENTIALS, ENDPOINT, RIGHTS, SETTINGS, TLS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from twiceshy.safety.danger.lines import WordRun

# variable → reason; what it is set to is dangerous unless it is one of the harmless values below.
_LOADING = frozenset(
    """BASH_ENV BROWSER CARGO_BUILD_RUSTC_WRAPPER CARGO_BUILD_RUSTC DYLD_FRAMEWORK_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH
    EDITOR ENV GIT_ASKPASS GIT_CONFIG_GLOBAL GIT_CONFIG_PARAMETERS GIT_CONFIG_SYSTEM GIT_EDITOR GIT_EXEC_PATH GIT_EXTERNAL_DIFF
    GIT_PAGER GIT_PROXY_COMMAND GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_TEMPLATE_DIR LD_AUDIT LD_PRELOAD LESSOPEN
    MAKEFILES MANPAGER NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_USERCONFIG PAGER PERL5DB PERL5OPT PROMPT_COMMAND PYTHONHOME PYTHONINSPECT
    PYTHONBREAKPOINT PYTHONSTARTUP RUBYOPT RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER SHELL SSH_ASKPASS SUDO_ASKPASS VISUAL ZDOTDIR
    CLAUDE_CONFIG_DIR CODEX_HOME TWICESHY_HOME DOCKER_CONFIG""".split()
)
_PATHS = frozenset(
    "CLASSPATH GEM_PATH GOPATH LD_LIBRARY_PATH LUA_PATH NODE_PATH PERL5LIB PYTHONPATH PYTHONUSERBASE RUBYLIB TCLLIBPATH".split()
)
_OPTIONS = {
    "NODE_OPTIONS": re.compile(r"(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|--inspect)"),
    "JAVA_TOOL_OPTIONS": re.compile("-javaagent|-agent|-Djava.security"),
    "_JAVA_OPTIONS": re.compile("-javaagent|-agent|-Djava.security"),
    "JDK_JAVA_OPTIONS": re.compile("-javaagent|-agent"),
    "MAVEN_OPTS": re.compile("-javaagent|-agent"),
    "PYTHONWARNINGS": re.compile("error::.{0,40}\\."),
    "GOFLAGS": re.compile("-toolexec|-exec|-insecure|-overlay"),
    "RUSTFLAGS": re.compile("linker="),
    "BUN_OPTIONS": re.compile("preload"),
}  # fmt: skip
_HOSTS = LatePattern(
    r"(?:[A-Z0-9_]{0,40}_)?(?:PROXY|REGISTRY|INDEX_URL|EXTRA_INDEX_URL|INDEX|BASE_URL|API_BASE|API_URL|ENDPOINT_URL|FIND_LINKS|MIRROR)$"
    r"|GOPROXY|DOCKER_HOST|UV_DEFAULT_INDEX|HF_ENDPOINT|RUSTUP_DIST_SERVER|HOMEBREW_[A-Z_]{1,40}(?:DOMAIN|REMOTE)$|KUBECONFIG"
)
_TRUSTING = LatePattern(
    r"(?:SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|GIT_SSL_CAINFO|PIP_CERT)$"
)
_HARMLESS = LatePattern(
    r"(?:|true|:|cat|less|more|vi|vim|nano|emacs|code|none|false|0|1|direct|/bin/true|/usr/bin/true|(?:/usr)?/bin/(?:ba|z|da)?sh|(?:ba|z)?sh"
    r"|\"?(?:code|vim|nvim|vi) --?\w{1,20}\"?|sccache|ccache|off)$"
)
_LOCAL = LatePattern(
    r"(?i)(?:[a-z+.-]{1,20}://)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker\.internal|direct|off|\$|<|none|$)"
)
_WRITABLE = LatePattern(
    r"^(?:\.\.|\.?/?(?:tmp|dev/shm|var/tmp|private/tmp)(?:/|$)|/(?:tmp|dev/shm|var/tmp|private/tmp)(?:/|$)|~|\$HOME(?:/|$)|\$\{HOME\})|\$\(|`|://"
)
_USUAL = LatePattern(
    r"^(?:(?!\$\{?(?:PWD|HOME|TMPDIR|OLDPWD|CI_PROJECT_DIR|GITHUB_WORKSPACE)\b)\$?\{?[A-Z_]{2,40}\}?(?:/[\w./-]{0,60})?|(?:~|\$HOME|\$\{HOME\})/(?:bin|\.local/bin|\.cargo/bin|go/bin|\.bun/bin|\.deno/bin|\.volta/bin"
    r"|\.pyenv/[\w/.-]{1,30}|\.rbenv/[\w/.-]{1,30}|\.asdf/[\w/.-]{1,30}|\.nvm/[\w/.-]{1,60}|\.poetry/bin|\.npm-global/bin|\.dotnet(?:/tools)?|\.krew/bin"
    r"|Library/[\w/.-]{1,60}|\.sdkman/[\w/.-]{1,60}|\.local/share/[\w/.-]{1,60}|\.rye/shims|\.jenv/bin|\.composer/vendor/bin)/?"
    r"|/(?:usr|opt|bin|sbin|nix|snap|home/linuxbrew|Applications|Library)(?:/[\w.@+-]{1,60}){0,8}/?"
    r"|(?:\./|\$PWD/|\$\(pwd\)/|\$\{PWD\}/)?(?:node_modules/\.bin|\.venv/bin|venv/bin|vendor/bin|bin|target/(?:debug|release)|dist|build)/?)$"
)
_ASSIGNED = re.compile(r"([A-Za-z_]\w{0,60})\+?=(.{0,400})$", re.S)
_PATH = ("PATH", "Path")
_LOWER = ("npm_config_", "http_proxy", "https_proxy", "all_proxy", "pip_", "uv_")
_HISTORY = ("HISTFILE", "HISTSIZE")


def find_variable_dangers(run: WordRun, known: Collection[str]) -> Iterator[str]:
    """Yield reasons for review by the variables that a run sets; ``known`` are hosts."""
    for text in (*run.words, *run.quoted):
        if found := _ASSIGNED.match(text.lstrip("$").removeprefix("env:")):
            values = run.quoted if not found[2] and text in run.words else (found[2].strip("\"'"),)
            for value in values:
                yield from _judge(found[1], value, known)
    for name, _, value in _list_set(run):
        yield from _judge(name, value, known)


def _list_set(run: WordRun) -> Iterator[tuple[str, str, str]]:
    """Yield what ``fish``, ``cmd`` and ``csh`` set without an equals sign."""
    words = [word for word in run.words if word[:1] != "-"]
    if words[:1] in (["setenv"], ["setx"], ["set"]) and len(words) > 2:
        yield words[1], "", words[2]


def _judge(name: str, value: str, known: Collection[str]) -> Iterator[str]:
    upper = name.upper()
    if name in _PATH:
        yield from [SETTINGS] if _puts_in_front(value) else []
    elif name != upper and not name.startswith(_LOWER):
        return
    elif upper in _HISTORY:
        yield from [RIGHTS] if _HARMLESS.match(value) or "null" in value else []
    elif upper == "SSH_AUTH_SOCK":
        yield CREDENTIALS
    else:
        yield from _judge_value(upper, value, known)


def _judge_value(upper: str, value: str, known: Collection[str]) -> Iterator[str]:
    if upper in _LOADING or upper.startswith("GIT_CONFIG_"):
        yield from [] if _HARMLESS.match(value) else [SETTINGS]
    elif upper in _PATHS:
        yield from [SETTINGS] if any(map(_WRITABLE.search, value.split(":"))) else []
    elif upper in _OPTIONS:
        yield from [SETTINGS] if _OPTIONS[upper].search(value) else []
    elif _TRUSTING.match(upper):
        yield from [TLS] if _WRITABLE.search(value) or _HARMLESS.match(value) else []
    elif _HOSTS.match(upper):
        host = value.partition("://")[2].rpartition("@")[2] or value
        is_known = re.split("[/:?#]", host, maxsplit=1)[0].lower() in known
        yield from [] if is_known or _LOCAL.match(value) else [ENDPOINT]


def _puts_in_front(value: str) -> bool:
    """True if a search path begins with a folder that anybody, or a clone, may fill."""
    folders = value.split(":" if "$env:" not in value.lower() and ";" not in value else ";")
    for folder in folders:
        if re.match(r"\$\{?(?:PATH|path)\b|%PATH%|\$env:", folder):
            return False  # what stands behind it is searched last
        if not _USUAL.match(folder):
            return True
    return False
