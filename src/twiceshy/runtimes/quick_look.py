"""Check payload bytes quickly: most tool calls are not worth parsing.

Every client uses these field names; event names differ, without contradictions.
"""

from twiceshy.runtimes.fields import extract_field

# Events that say nothing that must be kept, and to which there is nothing to say.
_QUIET = frozenset((b"SubagentStop", b"PreCompress"))
# Events after which there may be something to learn.
_RESTS = frozenset((b"Stop", b"PreCompact", b"SessionEnd", b"AfterAgent"))
# Clients that let a hook add to the instructions of their summariser, and the event for that.
_SUMMARISERS = ("claude-code", "opencode", "pi")
_SUMMARY_AHEAD = b"PreCompact"
_PENDING = frozenset((b"PreToolUse", b"BeforeTool"))
_DONE = frozenset((b"PostToolUse", b"AfterTool"))
_READERS = frozenset((b"Read", b"read", b"read_file"))
_SHELLS = frozenset((b"Bash", b"bash", b"run_shell_command"))
# Before an edit: most clients do not tell of one that went well.
_EDITORS = frozenset(
    (
        *(b"Edit", b"MultiEdit", b"Write", b"NotebookEdit"),
        *(b"edit", b"multiedit", b"write", b"patch", b"apply_patch"),
    )
)
_PROMPTS = frozenset((b"UserPromptSubmit", b"BeforeAgent"))
# Signs of a secret in an event of which nothing is kept. In real sessions 4 % of the shell commands that worked
# have one. A look at the words costs less than to search the bytes for each sign; to make sets of the long
# tables would cost more than it saves.
_NAMES = frozenset(
    b"""apikey authtoken bearer contrase cookie dbpassword kennwort passcode passphrase passwd password passwort
    pgpassword secret senha sshpass wachtwoord""".split()
)
_NAME_PARTS = (b"OKEN", b"_KEY", b"_PWD", b"_DSN", b'oken\\"', b"ssToken")
_LEAST_FORMAT = 20  # characters of a word that begins like a published format
_FORMATS = (
    b" 00D A3- AAAA ABIA ABSK ACCA AGE- AIK_ AIza AKCp AKIA AKID API- AQ. AQVN ASIA ATAT ATBB ATCT ATTA"
    b" Astr CCDB CCIP CFPA CLOJ EAA EAAA EZAK EZTK FLWS FwoG GOCS GR13 HRKU IGAA IGQV IQoJ LS0t LTAI NRAK"
    b" NRII NRIQ NRJS NRRA PMAK PRD- SBX- SG. ZXlK aio_ ak- akab amzn apif as- bb_m bb_p bce- bedr bkaj"
    b" bkct bkpt bkua cfat cfk_ cfut chpt cio cmVm crsr csb_ csk- cu_ da2- dapi dbtc dbtu dckr ddp_ ddw_"
    b" dnke doo_ dop_ dor_ dp.a dp.c dp.p dp.s dsp_ dt0c dt0s duff endr esec eyJ eyJr fc- figd fio- fm1a"
    b" fm1r fm2_ fnA fo1_ fw_ gho_ ghp_ ghr_ ghs_ ghu_ gith glag glc_ glcb gldt glff glft glim gloa glpa"
    b" glpt glrt glsa glso gsk_ hbp_ hcai hcam hcbi hcxi hf_ hvb. hvr. hvs. hxtp hxtw ico- jina lin_ ls__"
    b" lsv2 mdb_ mlsn mob- napi nfb_ nfc_ nfp_ nfu_ npg_ npm_ ntn_ nvap nyk_ oaut ops_ ory_ ovsx oy2 p8e-"
    b" pa- pat- pcsk pdl_ phx_ pk_ pnb_ pnu_ pplx psca pul- pylf pypi r8_ rdme rk_l rk_p rk_t rnd_ rpa_"
    b" ruby rzp_ s-s4 sb_s sbp_ sec- sgp_ sha2 ship shpa shpc shpp shps shpt sk- sk-N sk-a sk-h sk-l sk-o"
    b" sk-p sk-s sk.e sk_ sk_l sk_p sk_t sl. slk_ sm_a sm_p sm_s sntr snyk sq0a sq0c sqa_ sqp_ squ_ syt_"
    b" tfp_ tgp_ tk-u tr_d tr_p tr_s tske tvly unke v1.0 vca_ vci_ vck_ vcp_ vcr_ verc wand whse xaat xai-"
    b" xapp xapt xau_ xkey xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs xsmt y0_A ya29 zpka "
)
_PROGRAMS = (
    b" 7z 7za 7zz ansible-vault bcp borg bw chpasswd clickhouse-client consul cqlsh curl docker doppler"
    b" etcdctl ftp gpg gpg2 htpasswd influx isql jarsigner keydb-cli keytool kinit ldapadd ldapdelete"
    b" ldapmodify ldappasswd ldapsearch ldapwhoami lftp mariadb mariadb-dump mongo mongodump mongoexport"
    b" mongoimport mongorestore mongosh mycli mysql mysqladmin mysqldump mysqlimport mysqlsh nerdctl nmcli"
    b" oc openssl osql podman rar rclone rdesktop redis-cli rpcclient smbclient smbmap snmpget snmpset"
    b" snmpwalk sqlcmd sqlplus sshpass su sudo unrar unzip useradd usermod valkey-cli vault wget"
    b" wpa_passphrase xfreerdp xh zip "
)
_SIGNS = (
    b"\"'`\\:;,{}[]()<>=+*&|!?#$%@^~/\n\t"  # in front of words; what is missing only joins two
)
_WORDS = bytes.maketrans(_SIGNS, b" " * len(_SIGNS))
_DIGITS = _SIGNS + b"0123456789-_."
_LETTERS = bytes.maketrans(_DIGITS, b" " * len(_DIGITS))
_LOOKED_AT = 1 << 15  # bytes at each end of a payload
_EVENT, _TOOL, _SESSION, _CWD = b"hook_event_name", b"tool_name", b"session_id", b"cwd"
_AGENT = b"agent_id"
FIRST_USE = b".first"
_ERROR = b'"error":'  # Gemini CLI tells of all that failed and all that went well by one event
# Codex tells whoever it shall notify that a turn is over, and calls its sessions threads then.
_TYPE, _NOTICE, _THREAD = b"type", b"agent-turn-complete", b"thread-id"


def may_matter(raw: bytes, runtime: str = "") -> bool:
    """Return False only if the payload cannot matter; odd payloads pass."""
    event = extract_field(_EVENT, raw)
    if event not in _DONE:
        return bool(raw) and event not in _QUIET
    if b"SKILL.md" in raw:
        return True
    tool = extract_field(_TOOL, raw)
    if tool in _READERS:
        return _ERROR in raw
    if tool not in _SHELLS:
        return runtime != "gemini" or tool == b"activate_skill" or _ERROR in raw
    if runtime == "codex":
        from twiceshy.runtimes.codex.outcome import has_failed  # noqa: PLC0415 - it alone must ask

        if has_failed(raw):
            return True
    from twiceshy.shell.failure import may_hold_failure  # noqa: PLC0415 - only a shell needs it

    return b"Exit Code:" in raw or may_hold_failure(raw)


def may_show_secret(raw: bytes) -> bool:
    """True if a call that worked, or a prompt, may show a secret that comes back in an error."""
    event = extract_field(_EVENT, raw)
    if event not in _DONE and event not in _PROMPTS:
        return False
    if len(raw) > 2 * _LOOKED_AT:
        raw = raw[:_LOOKED_AT] + b" " + raw[-_LOOKED_AT:]
    text = raw.replace(b"\\n", b" ")
    if not _NAMES.isdisjoint(text.lower().translate(_LETTERS).split()):
        return True
    if any(sign in raw for sign in _NAME_PARTS) or (event in _DONE and _runs_program(raw)):
        return True
    long = [word for word in text.translate(_WORDS).split() if len(word) >= _LEAST_FORMAT]
    return any(b" %b " % word[:size] in _FORMATS for word in long for size in (3, 4))


def _runs_program(raw: bytes) -> bool:
    """True if a command names a program that takes secrets on its command line, or a login in an address."""
    at = raw.find(b'"command":')
    command = raw[at : at + 4_096].partition(b'"tool_response":')[0] if at >= 0 else b""
    if b"@" in command.partition(b"://")[2]:
        return True
    words = command.replace(b"\\n", b" ").translate(_WORDS).split()
    return any(b" %b " % word in _PROGRAMS for word in words)


def name_window(raw: bytes, *, answered: bool) -> bytes:
    """Return the file that counts the calls still recorded of an agent; empty for other events.

    The fix of a failure is a later call that worked: see ``recall.capture``. A result that is
    ``answered`` is recorded with the answer.
    """
    event = extract_field(_EVENT, raw)
    edits = event == b"PreToolUse" and extract_field(_TOOL, raw) in _EDITORS
    if not (edits or (event in _DONE and not answered)):
        return b""
    session, agent = extract_field(_SESSION, raw), extract_field(_AGENT, raw)
    name = session + b"." + agent if agent else session
    return name if session and _is_file_name(name.replace(b".", b"", 1)) else b""


def name_watch(raw: bytes) -> bytes:
    """Return the file of programs about which something is told at their first use in a session.

    Empty for other events than the result of a shell command, and for other agents of the session.
    """
    if extract_field(_EVENT, raw) not in _DONE or extract_field(_TOOL, raw) not in _SHELLS:
        return b""
    session = extract_field(_SESSION, raw)
    own = session and _is_file_name(session) and not extract_field(_AGENT, raw)
    return session + FIRST_USE if own else b""


def _is_file_name(name: bytes) -> bool:
    return name.replace(b"-", b"").replace(b"_", b"").isalnum()


def is_turn_end(raw: bytes) -> bool:
    """True at the end of a turn, when the background job may learn."""
    event = extract_field(_EVENT, raw)
    return event in _RESTS if event else extract_field(_TYPE, raw) == _NOTICE


def may_go_on(raw: bytes) -> bool:
    """True at the end of a turn after which a hook can make the agent go on."""
    return extract_field(_EVENT, raw) == b"Stop"


def can_ask_summariser(raw: bytes, runtime: str) -> bool:
    """True before a compaction whose summariser a hook can ask for something."""
    return runtime in _SUMMARISERS and extract_field(_EVENT, raw) == _SUMMARY_AHEAD


def is_session_end(raw: bytes) -> bool:
    """True at the end of a session."""
    return extract_field(_EVENT, raw) == b"SessionEnd"


def is_pending_call(raw: bytes) -> bool:
    """True for a pending call."""
    return extract_field(_EVENT, raw) in _PENDING


def extract_session(raw: bytes) -> bytes:
    """Return the session id."""
    return extract_field(_SESSION, raw) or extract_field(_THREAD, raw)


def extract_directory(raw: bytes) -> bytes:
    """Return the directory, if written without escapes."""
    place = extract_field(_CWD, raw)
    return b"" if b"\\" in place else place


def extract_event_name(raw: bytes) -> str:
    """Return the event name, if valid."""
    name = extract_field(_EVENT, raw).decode("ascii", "replace")
    return name if name.isalpha() else ""
