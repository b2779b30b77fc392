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
    ("authorization", ("authorization",), _Q + r"\]?[ \t]*[:=,][ \t]*" + _Q + r"(?:(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|ssws|bot|sso-key|genieKey)[ \t=]+)?" + _VALUE),
    ("authorization", ("bearer ",), r"[ \t]*([A-Za-z0-9._~+/-]{16,}={0,2})"),
    ("authorization", ("basic ",), r"[ \t]*([A-Za-z0-9+/]{12,}={1,2})"),
    ("authorization", ("ssws ",), r"[ \t]*([A-Za-z0-9_-]{30,})"),
    ("cookie", ("set-cookie",), _Q + r"[ \t]*:[ \t]*" + _Q + r"[\w.-]{1,64}=([^\s;\"',\\]{6,})"),
    ("cookie", ("cookie:", 'cookie":'), r"(?<!set-cookie:)(?<!set-cookie\":)[ \t]*" + _Q + r"([\w.-]{1,64}=[^\"'\n\\]{6,})"),
    ("cookie", ("cookie",), r"[ \t]*=[ \t]*" + _Q + r"([\w.-]{1,64}=[^\s\"';\n\\]{16,})"),
    ("cookie", ("_gitlab_session=", "phpsessid=", "jsessionid=", "connect.sid=", "laravel_session=", "_session="), r"([^\s;\"',\\&]{16,})"),
    ("api-key-header", ("x-api-key", "x-auth-token", "x-auth-key", "x-access-token", "x-vault-token", "x-gitlab-token", "private-token", "x-goog-api-key", "x-amz-security-token", "x-functions-key", "ocp-apim-subscription-key", "dd-api-key", "x-shopify-access-token"), _Q + r"[ \t]*[:=][ \t]*" + _Q + _VALUE),
)  # fmt: skip

COMMANDS: tuple[Context, ...] = (
    ("command-password", ("auth=(", "auth = (", "basicauth("), r"[ \t]*\\{0,4}[\"'][^\"'\n\\]{1,64}\\{0,4}[\"'][ \t]*,[ \t]*\\{0,4}[\"']([^\"'\n\\]{3,})\\{0,4}[\"']"),
    ("command-password", ("htpasswd",), _ARGS + r"-[a-zB]{0,4}b[a-zB]{0,4}(?:[ \t]+-\S{1,16}){0,4}[ \t]+(?:\S{1,200}[ \t]+)??\S{1,64}[ \t]+" + _Q + _WORD + r"(?=[\"'`)}\],;|&\n]|\\|$|[ \t]+[|;&>#\n]|[ \t]*$)"),
    ("command-password", ("-passin pass:", "-passout pass:", "-pass pass:"), _WORD),
    ("command-password", ("-passin 'pass:", "-passout 'pass:", "-pass 'pass:", '-passin "pass:', '-passout "pass:', '-pass "pass:'), _WORD),
    ("command-password", ("identified by", "with password", "set password", "native_password by", "sha2_password by"), r"(?:[ \t]+for[ \t]+\S{1,80})?[ \t=]{1,4}(?:password\()?" + r"\\{0,4}['\"]([^'\"\n\\]{3,})\\{0,4}['\"]"),
    ("command-password", ("> auth ",), r"(?:\S{1,40}[ \t]+)??" + _Q + r"([^\s\"'\\]{5,})[\"']?[ \t]*(?=\n|$)"),
    ("command-password", ("::add-mask::",), _WORD),
    ("command-password", ('send "', 'send -- "', 'send \\"'), r"(?=[^\"\s\\]{0,64}\d)([^\"\s\\]{5,64})(?:\\{1,4}[rn]|[ \n])\\{0,4}\""),
)  # fmt: skip

# Programs that take a secret on their command line: where it stands. A rule is an option whose value is the
# secret, after "=" how the value holds it, and before "/" the words that must come first:
#   user    bob:SECRET, bob%SECRET, bob/SECRET, bob,SECRET
#   setting NAME=SECRET, if the name or the value tells
#   all     NAME=SECRET, whatever the name, except for names of users and places
#   header, cookie    as HTTP has them
#   apart   only in the next word: ``-keyout`` is another option of openssl
#   glued   only if it follows the option without a blank: else the program asks for it
# "#2" is the second word without a dash behind those words; "#" is every one of them. "<" is the input: what was
# echoed into a pipe, a here-string or a here-document; an option behind "<" must be there.
PROGRAMS = {
    "7z": "-p=glued", "7za": "-p=glued", "7zz": "-p=glued", "rar": "-p=glued -hp=glued", "unrar": "-p=glued",
    "ansible-vault": "encrypt_string/#1",
    "aws": "--value --secret-string --password --master-user-password --admin-password --temporary-password --permanent-password --proposed-password",
    "az": "--password login/-p --admin-password secret+set/--value --account-key --sas-token --secret --client-secret create/-p",
    "bcp": "-P", "sqlcmd": "-P", "osql": "-P", "isql": "-P #3",
    "cypher-shell": "-p --password",
    "mc": "alias+set/#4 config+host+add/#4",
    "doctl": "-t --access-token",
    "keepassxc-cli": "<",
    "ipmitool": "-P",
    "mosquitto_pub": "-P --pw",
    "mosquitto_sub": "-P --pw",
    "borg": "--passphrase", "bw": "unlock/#1 login/#2 --passwordenv",
    "cf": "login/-p auth/#2", "oc": "login/-p -p", "helm": "--password login/-p <--password-stdin",
    "chpasswd": "<=user", "passwd": "<--stdin <", "su": "<", "doas": "<",
    "circleci": "store-secret/<",
    "clickhouse-client": "--password", "cqlsh": "-p", "influx": "-password -p", "mongo": "-p", "mongosh": "-p", "mongodump": "-p", "mongorestore": "-p", "mongoimport": "-p", "mongoexport": "-p",
    "consul": "kv+put/#2", "etcdctl": "--user=user",
    "convertto-securestring": "#1",
    "cryptsetup": "<",
    "curl": "-u=user --user=user -U=user --proxy-user=user -b=cookie --cookie=cookie -H=header --header=header --oauth2-bearer --pass --proxy-pass --tlspassword",
    "docker": "login/-p login/--password login/<--password-stdin -e=setting --env=setting --build-arg=setting create/<",
    "podman": "login/-p login/--password login/<--password-stdin -e=setting --env=setting --build-arg=setting create/<",
    "nerdctl": "login/-p login/<--password-stdin -e=setting --env=setting",
    "doppler": "secrets+set/#=all secrets+set/#2",
    "dotnet": "user-secrets+set/#2 push/-k push/--api-key nuget/-p",
    "firebase": "functions:config:set/#=setting",
    "fly": "secrets+set/#=all secrets+import/<=all", "flyctl": "secrets+set/#=all secrets+import/<=all",
    "gcloud": "--password --data-file=input <--data-file", "gsutil": "-o=setting",
    "gem": "--key -k", "cargo": "login/#1 --token", "twine": "-p --password",
    "gh": "secret+set/--body secret+set/-b secret+set/< variable+set/--body --with-token/<", "glab": "--value variable+set/-v --token",
    "gpg": "--passphrase <--passphrase-fd", "gpg2": "--passphrase <--passphrase-fd",
    "heroku": "config:set/#=setting config:add/#=setting",
    "http": "-a=user --auth=user", "https": "-a=user --auth=user", "xh": "-a=user --auth=user",
    "keytool": "-storepass -keypass -srcstorepass -deststorepass", "jarsigner": "-storepass -keypass", "apksigner": "--ks-pass --key-pass",
    "kinit": "<", "ktutil": "<",
    "kubectl": "--from-literal=all --token --password --docker-password", "oc-adm": "--from-literal=all",
    "ldapsearch": "-w", "ldapadd": "-w", "ldapmodify": "-w", "ldapwhoami": "-w", "ldapdelete": "-w", "ldappasswd": "-w -s -a",
    "lftp": "-u=user", "ncftp": "-p", "ncftpput": "-p", "ncftpget": "-p",
    "mysql": "-p=glued", "mysqldump": "-p=glued", "mysqladmin": "-p=glued password/#1", "mysqlimport": "-p=glued", "mysqlsh": "-p=glued #1=user", "mariadb": "-p=glued", "mariadb-dump": "-p=glued", "mycli": "-p=glued",
    "net": "use/#3 user/#2", "netlify": "env:set/#2",
    "nmcli": "password/#1 wifi-sec.psk/#1", "wpa_passphrase": "#2 <",
    "npm": "_auth/#1 _password/#1 <login", "op": "--password",
    "openssl": "-k=apart -K=apart -passin=pass -passout=pass -pass=pass <-pass <-passin",
    "rclone": "obscure/#1", "ftp": "<=last", "pass": "insert/<", "secret-tool": "store/<", "age": "<-p",
    "poetry": "config/#3 -p --password", "pip": "--password",
    "psexec": "-p #=domain", "winrm": "-p:", "winrs": "-p:", "xfreerdp": "/p:", "wfreerdp": "/p:", "rdesktop": "-p", "evil-winrm": "-p", "cmdkey": "/pass:",
    "pulumi": "config+set/#2",
    "rabbitmqctl": "add_user/#2 change_password/#2 authenticate_user/#2",
    "railway": "--set=setting variables/#=setting",
    "redis-cli": "-a --pass auth/# config+set+requirepass/#1 config+set+masterauth/#1", "keydb-cli": "-a --pass auth/#", "valkey-cli": "-a --pass auth/#",
    "security": "add-generic-password/-w add-internet-password/-w unlock-keychain/-p import/-P create-keychain/-p",
    "smbclient": "-U=user #=domain", "rpcclient": "-U=user", "smbmap": "-p", "crackmapexec": "-p", "netexec": "-p",
    "snmpwalk": "-A -X -a=name", "snmpget": "-A -X", "snmpset": "-A -X",
    "sqlplus": "#=user", "expdp": "#=user", "impdp": "#=user",
    "ssh-keygen": "-N -P", "sshpass": "-p",
    "sudo": "<-S <--stdin",
    "supabase": "secrets+set/#=all --db-password -p", "useradd": "-p --password", "usermod": "-p --password",
    "unzip": "-P", "zip": "-P --password",
    "vault": "kv+put/#=all kv+put/< kv+patch/#=all write/#=setting login/#1 unseal/#1",
    "vercel": "env+add/<", "wrangler": "secret+put/< secret:put/<", "eas": "--value",
    "wget": "--password --http-password --ftp-password --proxy-password --header=header",
    "yarn": "npmAuthToken/#1", "pnpm": "_auth/#1 _password/#1",
    **dict.fromkeys(
        """smbexec wmiexec atexec dcomexec secretsdump getuserspns getnpusers gettgt getst getadusers
        mssqlclient lookupsid samrdump rpcdump addcomputer dacledit owneredit finddelegation
        impacket-psexec impacket-smbexec impacket-wmiexec impacket-atexec impacket-dcomexec
        impacket-secretsdump impacket-smbclient impacket-mssqlclient impacket-getuserspns
        impacket-getnpusers impacket-lookupsid""".split(), "#=domain"),
}  # fmt: skip

# Nouns for passwords in prose of other languages, as a text in lower case has them, endings left out.
NOUNS = (
    "contraseña", "contrasena", "clave", "mot de passe", "passwort", "kennwort", "senha", "palavra-passe", "parola",
    "wachtwoord", "lösenord", "adgangskode", "kodeord", "passord", "salasana", "lykilorð", "hasł", "heslo",
    "jelsz", "lozink", "geslo", "parol", "slaptažod", "şifre", "sifre", "κωδικ", "συνθηματικ", "пароль", "пароля",
    "пароле", "паролем", "паролата", "лозинк", "סיסמ", "كلمة المرور", "كلمة مرور", "كلمة سر", "كلمة السر", "رمز عبور", "گذرواژه", "पासवर्ड",
    "পাসওয়ার্ড", "கடவுச்சொல்", "รหัสผ่าน", "mật khẩu", "kata sandi", "katalaluan", "kata laluan", "비밀번호",
    "암호", "パスワード", "暗証番号", "密码", "密碼", "口令", "token de acceso", "clé d'api", "clé api", "api-schlüssel",
    "chave de api", "chiave api", "ключ", "токен", "키는", "토큰", "トークン", "令牌", "密钥", "密鑰",
)  # fmt: skip
PEOPLE = ("credentials", "creds", "login", "log in")
PHRASES = ("passphrase", "mnemonic", "seed phrase", "recovery phrase", "seed words")
NOUNS_IN_ENGLISH = ("password", "passphrase", "passcode", "passwd", *PEOPLE, *PHRASES[1:])
PINS = ("pin", "otp", "2fa", "暗証番号")
# Calls that take a user and a password, or a key: any quoted word of theirs that has the shape is one.
LOGINS = (
    "mysqli_connect(", "mysqli(", "pdo(", "getconnection(", "basicauth(", "basic_auth(", ".login(", "credential(", "credentials(",
    "wifi.begin(", ".authenticate(", "createpool(", "new client(", ".basic(", "client::new(", "creds = (", "auth = (", "ftp_login(",
    "imap_open(", "ldap_bind(", "simple_bind_s(", "simple_bind(", "set_credentials(", "withcredentials(", "setcredentials(", "begin(ssid",
)  # fmt: skip
SIGNERS = (
    "jwt.sign(", "jwt.encode(", "jwt.verify(", "jwt.decode(", "createhmac(", "hmac.new(", "aes.new(", "fernet(",
    "setsigningkey(", "signwith(", "secretkeyspec(", "createcipheriv(", "cookieparser(", "createdecipheriv(", "hs256(",
)  # fmt: skip
CALLS = (*LOGINS, *SIGNERS, "@tcp(", "@unix(")
TOLD = (
    *NOUNS,
    *NOUNS_IN_ENGLISH,
    *PINS,
    *LOGINS,
    *SIGNERS,
)  # one stands by each password in prose or in a call

FILES: tuple[Context, ...] = (
    ("netrc-password", ("login ",), r"[ \t]*\S{1,128}\s{1,40}(?:account\s{1,8}\S{1,128}\s{1,40})?password\s{1,8}" + _WORD),
    ("pgpass-password", (":5432:", ":5433:", ":6432:", ":*:"), r"[^\s:]{1,64}:[^\s:]{1,64}:" + _WORD),
    ("putty-private-key", ("private-lines:",), r"[ \t]*\d{1,4}\s{1,8}((?:[A-Za-z0-9+/=]{16,80}\s{1,8}){0,400}[A-Za-z0-9+/=]{16,})"),
    ("wireguard-key", ("privatekey", "presharedkey"), r"[ \t]*=[ \t]*([A-Za-z0-9+/]{42,44}=?)"),
    ("docker-auth", ('auth"', "auth'"), r"[ \t]*:[ \t]*" + _Q + r"([A-Za-z0-9+/]{12,}={0,2})" + r"\\{0,4}[\"']"),
    ("kubeconfig-key", ("client-key-data",), _Q + r"[ \t]*:[ \t]*" + _Q + r"([A-Za-z0-9+/=]{32,})"),
    ("azure-account-key", ("accountkey=", "sharedaccesskey=", "sharedsecret="), r"([A-Za-z0-9+/%]{20,}={0,2})"),
    ("url-signature", ("sig=", "x-amz-signature=", "x-goog-signature=", "x-amz-credential=", "x-amz-security-token=", "signature="), r"([A-Za-z0-9%+/_-]{20,}={0,2})"),
    ("url-signature", ("?key=", "&key=", "?code=", "&code=", "?auth=", "&auth=", "?apikey=", "&apikey=", "?token=", "&token=", "&k=", "?k="), r"([A-Za-z0-9%+/_-]{20,}={0,2})"),
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
