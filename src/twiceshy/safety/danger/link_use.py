"""Tell a link that is used from a link that documents, by the words before it.

Nothing is known of hosts here: a page of documentation passes as an argument of ``curl`` as little
as any other address does.
"""

from __future__ import annotations

from twiceshy.safety.danger.late_pattern import LatePattern

# Programs that fetch, send, clone, install, start or configure what an address names.
_PROGRAMS = frozenset(
    """aria2c axel curl wget http https httpie iwr irm invoke-webrequest invoke-restmethod fetch lynx w3m links
    git hg svn gh glab jj npm npx pnpm yarn bun bunx deno pip pip3 pipx uv uvx poetry pdm conda mamba cargo go gem
    composer nuget dotnet luarocks helm kubectl k9s terraform tofu pulumi docker podman nerdctl skopeo brew apt
    apt-get add-apt-repository yum dnf zypper apk pacman snap flatpak choco winget scoop nix nix-env asdf mise
    claude codex gemini opencode cursor code ngrok cloudflared nc ncat netcat socat telnet ssh scp sftp rsync ftp
    lftp mosh ping dig nslookup host openssl ab wrk hey k6 vegeta siege nmap sqlmap websocat wscat grpcurl
    psql mysql mongo mongosh redis-cli bash sh zsh source eval python python3 node ruby perl php java chromium
    chrome firefox open xdg-open start youtube-dl yt-dlp ffmpeg rclone aws gsutil s3cmd mc restic borg twiceshy
    export setx set env ansible-galaxy packer vagrant flux argocd istioctl easy_install twine mvn gradle rustup""".split()
)
# Words that go on with a sentence: what follows them is no argument of a program before them.
_PROSE = frozenset(
    """a about according above after again also an and are as at back because before below but by can cf check
    consult described details doc docs documentation documented does error errors example explained explains
    fail failed fails faq for found from guide has have here how http https if in into is issue issues it its link
    links listed manual means mentioned more needs not note of off on or our out over page per policy prints read reads
    reference reported returns says see seen shows since so source such tells than that the their then there these they this
    thread through ticket to tutorial under upstream use used uses using via was were what when where which while
    why with without works you your""".split()
)
# Verbs that send something to an address, or have the reader run what stands there.
_TO = LatePattern(
    r"(?i)(?:\b(?:send|sends|sending|upload|uploads|uploading|post|forward|forwards|exfiltrate|report|beacon|transmit|push|publish|copy|mirrors?|(?:mirror|send|upload|forward|post|push|copy|sync|submit|deliver|mail)(?:s|es|ing)"
    r"|connect|connecting|ping|call|phone|curl|pipe|stream|sync|mirror|submit|deliver|append|leak|mail|dump)\b.{0,60}(?<!\bgoes )\b(?:to|into|at|with|home)"
    r"|\b(?:run|execute|executing|invoke|source|eval|install|import|load|pipe|curl|wget|clone|mirror|fetch(?!:))\b(?: (?!see\b|docs?\b|as\b|is\b|of\b|per\b|according\b)[\w'`\".-]{1,20}){0,4}"
    r"|(?:发送|上传|发到|传到|转发|提交|推送|连接|运行|执行|下载|安装|访问并)[^,.;，。；]{0,20}?)[ :`'\"(<]{0,4}$"
)
_RUN_AFTER = LatePattern(
    r"(?i)^[^\s]{1,300}[)>`'\".,]{0,3} ?(?:and|then|并|然后|, then)? ?(?:immediately |just |simply |directly )?"
    r"(?:run|execute|follow|obey|install|do|source|eval|pipe|运行|执行|安装|照做)\b"
)
_FETCHING = LatePattern(
    r"(?i)\b(?:download|downloads|fetch|get|grab|open|visit|load|read|curl|retrieve|下载|获取|访问|打开)\b[^.;!?\n]{0,60}$"
)
_SET = LatePattern(r"(?:[A-Za-z_][\w.-]{0,40}|--?[\w-]{1,40})=[\"'`]?(?:[\w+.-]{1,20}:)?$|@$")
_CALLED = LatePattern(
    r"(?i)\b(?:fetch|get|post|put|patch|delete|request|head|urlopen|urlretrieve|open|axios|ajax|load|connect|websocket|eventsource|sendbeacon|importscripts|import|require"
    r"|downloadstring|downloadfile|fsockopen|file_get_contents|httpclient|src) ?[(=] ?[\"'`]?(?:[\w+.-]{1,20}:)?$"
)
_SCHEME = LatePattern(r"[\w.+-]{1,40}:?/{0,2}$")
_BEFORE = 200
_ENDS = LatePattern(r"[.!?]\s|\n|[;|&\u3002\uff1b\uff01\uff1f]")
_MOST_WORDS = 14


def is_used(text: str, at: int) -> bool:
    """True if the address at a place in a text is used, not just named."""
    before = text[max(0, at - _BEFORE) : at]
    line = before[max((end.end() for end in _ENDS.finditer(before)), default=0) :]
    line = _SCHEME.sub("", line) if not line.endswith("@") else line
    if _CALLED.search(line) or _SET.search(line) or _TO.search(line):
        return True
    if _FETCHING.search(line) and _RUN_AFTER.search(text[at : at + 400]):
        return True
    return _is_argument(line)


def _is_argument(line: str) -> bool:
    """True if a program stands before, and nothing but arguments between."""
    words = line.split()
    if line[-1:] in (",", ".", "("):
        return False
    for word in reversed(words[-_MOST_WORDS:]):
        bare = word.strip("`'\"$([{<>").lower()
        name = bare.rpartition("/")[2]
        if name in _PROGRAMS:
            return True
        if bare in _PROSE or word[-1:] in (",", ".", ")", ":", "]"):
            return False
    return False
