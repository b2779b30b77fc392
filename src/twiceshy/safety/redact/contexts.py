"""Secrets recognised by the text before: headers, flags, files, vendor names.

A rule is an id, lower-case literals, and the pattern after a literal; its group is the
secret. Case is ignored, and a rule looks no further than a line.
"""

from __future__ import annotations

from twiceshy.safety.redact.formats import UUID

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import TypeAlias

    Context: TypeAlias = tuple[str, tuple[str, ...], str]

_Q = r"\\{0,4}[\"']?"  # a quote, as often escaped as JSON was put into JSON
_VALUE = r"([^\s\"'`\\,;&<>]{6,})"
_WORD = r"([^\s\"'`\\]+)"
_ARGS = r"\b[^\n|;]{0,200}?\s"  # what may stand between a program's name and its flag
_TO_KEY = r"[^\n]{0,40}?\b(?:key|token|secret|password|credential|dsn|sid)s?\b[^A-Za-z0-9\n]{1,6}(?:(?:is|was|for|of|to|value|rejected|invalid|expired)\b[^A-Za-z0-9\n]{1,4}){0,2}"

HEADERS: tuple[Context, ...] = (
    ("authorization", ("authorization",), _Q + r"[ \t]*[:=][ \t]*" + _Q + r"(?:(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|ssws|bot|sso-key|genieKey)[ \t=]+)?" + _VALUE),
    ("authorization", ("bearer ",), r"[ \t]*([A-Za-z0-9._~+/-]{16,}={0,2})"),
    ("authorization", ("basic ",), r"[ \t]*([A-Za-z0-9+/]{12,}={1,2})"),
    ("authorization", ("ssws ",), r"[ \t]*([A-Za-z0-9_-]{30,})"),
    ("cookie", ("set-cookie",), _Q + r"[ \t]*:[ \t]*" + _Q + r"[\w.-]{1,64}=([^\s;\"',\\]{6,})"),
    ("cookie", ("cookie:", 'cookie":'), r"(?<!set-cookie:)(?<!set-cookie\":)[ \t]*" + _Q + r"([\w.-]{1,64}=[^\"'\n\\]{6,})"),
    ("api-key-header", ("x-api-key", "x-auth-token", "x-auth-key", "x-access-token", "x-vault-token", "x-gitlab-token", "private-token", "x-goog-api-key", "x-amz-security-token", "x-functions-key", "ocp-apim-subscription-key", "dd-api-key", "x-shopify-access-token"), _Q + r"[ \t]*[:=][ \t]*" + _Q + _VALUE),
)  # fmt: skip

COMMANDS: tuple[Context, ...] = (
    ("command-password", ("curl",), _ARGS + r"(?:-u|--user|--proxy-user|-U)[ =]?" + _Q + r"[^\s:\"']{0,128}:([^\s\"'\\]+)"),
    ("command-password", ("mysql", "mariadb"), r"[a-z]{0,8}" + _ARGS + r"(?-i:-p)(?!thread\b|ipe\b|rotocol\b)" + _Q + _WORD),
    ("command-password", ("http", "https", "xh"), _ARGS + r"(?-i:-a)[ =]?" + _Q + r"[^\s:\"']{1,128}:([^\s\"'\\]+)"),
    ("command-password", ("auth=(", "auth = (", "basicauth("), r"[ \t]*\\{0,4}[\"'][^\"'\n\\]{1,64}\\{0,4}[\"'][ \t]*,[ \t]*\\{0,4}[\"']([^\"'\n\\]{3,})\\{0,4}[\"']"),
    ("command-password", ("sshpass",), _ARGS + r"(?-i:-p)[ \t]*" + _Q + _WORD),
    ("command-password", ("redis-cli",), _ARGS + r"(?-i:-a|--pass)[ \t]+" + _Q + _WORD),
    ("command-password", ("mongo",), r"[a-z]{0,8}" + _ARGS + r"(?-i:-p)[ \t]+" + _Q + _WORD),
    ("command-password", ("docker login", "podman login", "az login", "helm registry login", "oc login", "cf login"), _ARGS + r"(?-i:-p)[ =]" + _Q + _WORD),
    ("command-password", ("ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami"), _ARGS + r"(?-i:-w)[ \t]+" + _Q + _WORD),
    ("command-password", ("unzip", "zip "), r"[^\n|;]{0,200}?(?-i:-P)[ \t]*" + _Q + _WORD),
    ("command-password", ("htpasswd",), _ARGS + r"-[a-z]{0,4}b[a-z]{0,4}[ \t]+\S{1,200}[ \t]+\S{1,64}[ \t]+" + _Q + _WORD),
    ("command-password", ("smbclient", "rpcclient"), _ARGS + r"(?-i:-U)[ \t]*" + _Q + r"[^\s%\"']{1,64}%" + _WORD),
    ("command-password", ("-passin pass:", "-passout pass:", "-pass pass:"), _WORD),
    ("command-password", ("identified by", "with password", "set password"), r"[ \t=]{1,4}" + r"\\{0,4}'([^'\n\\]{3,})\\{0,4}'"),
    ("command-password", ("::add-mask::",), _WORD),
)  # fmt: skip

FILES: tuple[Context, ...] = (
    ("netrc-password", ("login ",), r"[ \t]*\S{1,128}\s{1,40}(?:account\s{1,8}\S{1,128}\s{1,40})?password\s{1,8}" + _WORD),
    ("pgpass-password", (":5432:",), r"[^\s:]{1,64}:[^\s:]{1,64}:" + _WORD),
    ("putty-private-key", ("private-lines:",), r"[ \t]*\d{1,4}\s{1,8}((?:[A-Za-z0-9+/=]{16,80}\s{1,8}){0,400}[A-Za-z0-9+/=]{16,})"),
    ("wireguard-key", ("privatekey", "presharedkey"), r"[ \t]*=[ \t]*([A-Za-z0-9+/]{42,44}=?)"),
    ("docker-auth", ('auth"', "auth'"), r"[ \t]*:[ \t]*" + _Q + r"([A-Za-z0-9+/]{12,}={0,2})" + r"\\{0,4}[\"']"),
    ("kubeconfig-key", ("client-key-data",), _Q + r"[ \t]*:[ \t]*" + _Q + r"([A-Za-z0-9+/=]{32,})"),
    ("azure-account-key", ("accountkey=", "sharedaccesskey=", "sharedsecret="), r"([A-Za-z0-9+/%]{20,}={0,2})"),
    ("url-signature", ("sig=", "x-amz-signature=", "x-goog-signature=", "x-amz-credential=", "x-amz-security-token=", "signature="), r"([A-Za-z0-9%+/_-]{20,}={0,2})"),
    ("aws-secret-key", ("akia", "asia"), r"[A-Z2-7]{16}[\s,:;|/\"']{1,4}([A-Za-z0-9/+]{40})"),
)  # fmt: skip

# Keys without a prefix of their own, when the maker and a word such as key or token come first.
_MAKERS = {
    r"[0-9a-f]{32}": "algolia; assemblyai; rollbar; twilio",
    r"[A-Za-z0-9/+]{40}": "aws",
    r"[A-Za-z0-9]{84}|[A-Za-z0-9]{52}|[0-9a-f]{32}": "azure",
    r"[0-9a-f]{40}": "circleci,circle ci; deepgram; gitea,forgejo,gogs; wandb,weights & biases",
    r"[A-Za-z0-9_-]{37,40}": "cloudflare",
    UUID: "codecov; heroku; opsgenie; postmark; scaleway; snyk; splunk",
    r"[A-Za-z0-9]{40}": "cohere",
    r"[0-9a-f]{40}|[0-9a-f]{32}": "datadog",
    r"[A-Za-z0-9_-]{32}": "fastly",
    r"[A-Za-z0-9]{64}": "hetzner,hcloud",
    r"[0-9a-f]{32,34}": "jenkins",
    r"[0-9a-f]{64}": "linode",
    r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}": "mailgun",
    r"[A-Za-z0-9]{32}": "mistral",
    r"[A-Za-z0-9]{20,32}_[A-Za-z0-9]{16,24}": "ngrok",
    r"00[A-Za-z0-9_-]{40}": "okta",
    r"[0-9a-f]{32}|[A-Za-z0-9_+-]{20}": "pagerduty",
    r"[A-Za-z0-9_-]{80}": "paypal",
    r"[a-z0-9]{30}": "twitch",
    r"[A-Za-z0-9=_-]{36,64}": "upstash",
    r"[A-Za-z0-9]{24}": "vercel",
    r"[0-9a-f]{32}\.[A-Za-z0-9]{16}": "zhipu,bigmodel,glm",
}  # shape → makers, each with its other names
MAKERS: tuple[Context, ...] = tuple(
    (f"{names.partition(',')[0]}-credential", tuple(names.split(",")), _TO_KEY + rf"({shape})")
    for shape, makers in _MAKERS.items()
    for names in makers.split("; ")
)

CONTEXTS: tuple[Context, ...] = (*HEADERS, *COMMANDS, *FILES, *MAKERS)
