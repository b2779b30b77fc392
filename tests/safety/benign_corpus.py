"""What developers write and agents print, without a single secret in it.

Hashes, ids and pictures are drawn at run time from a seed; every document is one text that must
pass the gate unchanged.
"""

import base64
import random
import uuid
from collections.abc import Callable

HEX = "0123456789abcdef"
BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
WORDS = """account adapter agent archive batch billing branch brief buffer build bundle cache canvas
channel client cluster column commit config context counter cursor daemon decoder deploy device
digest dispatch driver editor encoder engine episode event export feature fetch filter folder format
frame garden gateway graph handler header helper history import index inline inspect invoice journal
kernel label lambda layer ledger lesson library linker loader locale logger manifest marker matrix
memory merge metric migrate mirror module monitor native network notice object offset option order
output package parser patch payload pipeline planner policy portal prefix profile project prompt
proxy query queue reader recall record region registry release render report request resolve retry
review router runner runtime sample schema scope script search section segment server session
setting signal sketch socket source stream string summary switch symbol syntax table target task
template thread ticket timer title trace tracker trigger update upload user vector version viewer
widget window worker writer""".split()

# One line, one document: mostly about secrets, never with one.
LINES = """
password=""
password: ********
password: ''
password = None
password=$DB_PASSWORD
password: ${DB_PASSWORD}
password: <your-password>
password: [hidden]
password: changeme
"password": "<redacted>"
"password": null,
token = get_token()
token = self.tokens.pop()
token: string;
token?: string | undefined
token=$(gh auth token)
token: ${{ secrets.GITHUB_TOKEN }}
export GITHUB_TOKEN=<token>
export OPENAI_API_KEY=your-key-here
export OPENAI_API_KEY="sk-..."
OPENAI_API_KEY=sk-xxxxxxxx
api_key=os.environ["OPENAI_API_KEY"]
api_key = os.getenv("ANTHROPIC_API_KEY")
apiKey: process.env.STRIPE_API_KEY,
SECRET_KEY=${SECRET}
SECRET_KEY = env("DJANGO_SECRET_KEY")
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
password: str
password: str = ""
password: Optional[str] = None
def login(user: str, password: str) -> Token:
def check(password, hashed_password): return verify(password, hashed_password)
const { password, ...rest } = user;
const token = await getToken();
const token = req.headers.authorization?.split(" ")[1];
if (!password) throw new Error("password is required");
if token == expected_token:
if token.type == TokenType.IDENTIFIER:
let token = tokens.next().unwrap();
fn parse_token(input: &str) -> Result<Token, Error>
private static final String TOKEN_HEADER = "X-Token-Type";
public string Password { get; set; }
public string? ApiKey { get; init; }
password VARCHAR(255) NOT NULL,
ALTER TABLE users ADD COLUMN password_hash TEXT NOT NULL;
SELECT id, email FROM users WHERE reset_token IS NOT NULL;
CREATE TABLE tokens (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, created_at INTEGER);
<input type="password" name="password" id="password" autocomplete="current-password">
<label for="password">Password:</label>
<input v-model="form.password" placeholder="Password" />
{"type": "password", "name": "password", "label": "Password", "required": true}
{"password": ["This field is required."]}
{"password": "required|min:8|max:64", "email": "required|email"}
{"forgotPassword": "Forgot your password?", "password": "Password", "signIn": "Sign in"}
{"prompt_tokens": 1523, "completion_tokens": 212, "total_tokens": 1735}
{"max_tokens": 4096, "temperature": 0.2, "stop": null}
max_tokens=1500
tokens: 500
tokens used: 12,345 of 200,000
token limit is 4096
token count was 1833
The context window holds 200000 tokens.
the password is checked by the server
the password is stored as a bcrypt hash
the password is never written to disk
the password was wrong
The password for this account is managed by the identity provider.
Password for user postgres:
[sudo] password for dev:
Enter passphrase for key '/home/dev/.ssh/id_ed25519':
Permission denied, please try again.
the token is validated by the middleware
the token is passed in the Authorization header
The secret is mounted as a file under /run/secrets/db_password.
secret santa
the secret sauce is caching
passwords_test.py
tests/test_password_reset.py::test_token_expires PASSED
src/auth/token_refresh.go:42: undefined: refreshToken
cannot use token (variable of type *Token) as string value
Unexpected token '}' in JSON at position 1024
SyntaxError: Unexpected token 'export'
error: unexpected token: identifier
unknown key "retries" in section [build]
KeyError: 'api_key'
key: value
primary key: id
foreign key (user_id) references users(id)
cache key: user:1234:profile
cache_key = f"recall:{project}:{digest}"
sort_key="created_at"
partition_key=tenant_id
<div key={item.id} className="flex items-center justify-between px-4 py-2 text-sm">
public key: ssh-ed25519
PublicKeyToken=b77a5c561934e089
keyboard: press the escape key to close
Auth: none
auth: basic
auth_provider: github
authorization: required
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
Authorization: Bearer $TOKEN
"Authorization": f"Bearer {token}"
curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.example.com/user
curl -u "$USER:$PASS" https://api.example.com
curl -fsSL https://example.com/install.sh | sh
docker run --rm -u 1000:1000 -v "$PWD":/app -w /app node:20 npm ci
docker login --username dev --password-stdin
mysql -u root -p shop < dump.sql
mysqldump --single-transaction -u root -p shop > dump.sql
gcc -o demo demo.c -lmysqlclient -pthread
psql "postgresql://localhost:5432/shop"
psql -h localhost -U postgres -d shop
postgres://user:password@localhost:5432/shop
postgresql://${DB_USER}:${DB_PASSWORD}@${DB_HOST}/shop
redis://localhost:6379/0
mongodb://localhost:27017/shop
git clone git@example.com:acme/shop.git
git remote add origin ssh://git@example.com/acme/shop.git
git push -u origin feature/token-refresh
ssh -i ~/.ssh/id_ed25519 deploy@10.0.0.12
scp -P 2222 build.tar.gz deploy@host.example.com:/srv/app
rsync -avz --delete ./dist/ deploy@host.example.com:/srv/app/
use --password to be asked for one
pass --token flag or set GITHUB_TOKEN
--password TEXT  The password to use.  [required]
  --token <TOKEN>          API token [env: API_TOKEN]
usage: tool [-h] [--api-key API_KEY] [--secret SECRET] path
aws configure set region eu-central-1
aws sts get-caller-identity --profile staging
kubectl create secret generic db --from-literal=password=$DB_PASSWORD
kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
secretKeyRef: {name: db, key: password}
secretName: shop-tls
imagePullSecrets: [{name: registry-credentials}]
vault kv get -field=password secret/shop/db
op read "op://Private/npm/token"
gh secret set NPM_TOKEN < token.txt
gh auth status
npm config set //registry.example.com/:_authToken '${NPM_TOKEN}'
_authToken=${NPM_TOKEN}
-----BEGIN CERTIFICATE-----
The file must start with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----.
grep -rn "BEGIN RSA PRIVATE KEY" .
re.compile(r"(?i)password\\s*[:=]\\s*(\\S+)")
pattern = r"gh[pousr]_[A-Za-z0-9]{36,}"
const AWS_KEY = /AKIA[0-9A-Z]{16}/;
if line.startswith("ghp_"): report(line)
tokens start with sk-ant- or sk-proj-
GitHub tokens begin with `ghp_`, GitLab's with `glpat-`.
the prefix xoxb- marks a bot token
The cookie is set by the login page.
Set-Cookie: theme=dark; Path=/
Cookie policy: we use none.
document.cookie = `theme=${theme}`;
session cookie expires after 30 minutes
credentials: "include"
credentials: 'same-origin'
with_credentials=False
Access-Control-Allow-Credentials: true
x-api-key: <key>
Bearer token authentication is required for this endpoint.
WWW-Authenticate: Bearer realm="api", error="invalid_token"
HTTP/1.1 401 Unauthorized
{"error": "invalid_token", "error_description": "The access token expired"}
{"code": "auth/wrong-password", "message": "The password is invalid."}
grant_type=password&scope=openid
response_type=token
AUTH=none
AUTH_TYPE=oauth2
TOKEN_TTL=3600
PASSWORD_MIN_LENGTH=12
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
ENABLE_TOKEN_REFRESH=true
SECRET_NAME=shop-db-credentials
KEY_FILE=/etc/ssl/private/server.key
SSH_AUTH_SOCK=/tmp/ssh-agent.sock
PWD=/home/dev/projects/shop
OLDPWD=/home/dev
pwd
echo "$PWD"
pass: 124, fail: 3, skip: 2
PASS: TestTokenRefresh (0.02s)
--- PASS: TestGetSessionByID (0.06s)
ok  	example.com/shop/auth	0.412s
1 passed, 2 failed, 3 skipped in 4.21s
bypass=true
compass: north
monkey: business
turkey=delight
author: Ada Lovelace <ada@example.com>
Co-authored-by: Grace Hopper <grace@example.com>
Signed-off-by: Linus Example <linus@example.com>
tokenizer=AutoTokenizer.from_pretrained("bert-base-uncased")
TOKENIZERS_PARALLELISM=false
secretary: Jane
secrets.token_urlsafe(32)
secrets.compare_digest(a, b)
hmac.new(key, msg, hashlib.sha256).hexdigest()
openssl rand -base64 32
openssl req -x509 -newkey rsa:4096 -keyout key.pem -out cert.pem -days 365 -nodes
ssh-keygen -t ed25519 -C "dev@example.com"
gpg --list-secret-keys --keyid-format=long
pass:passwd is not a valid option
See RFC 6749, section 4.3 (Resource Owner Password Credentials Grant).
密码由服务器校验。
密码是必填项
密码是 string 类型
密码错误，请重试。
请输入密码：
修改密码后需要重新登录
密码的长度至少为 8 位
令牌已过期
令牌由中间件校验
密钥保存在系统钥匙串中，不会写入磁盘。
请先设置环境变量 GITHUB_TOKEN，再运行脚本。
口令：
パスワードは必須です
Das Passwort ist falsch.
Le mot de passe est requis.
https://example.com/docs/authentication#tokens
https://example.com/search?q=reset+password&page=2
https://example.com/watch?v=dQw4w9WgXcQ
http://localhost:3000/api/auth/callback/github
http://localhost:8080
user@example.com
see main.3f2a9c1b.js and vendor.9b1c2d3e.css
lodash@4.17.21
@types/node@20.11.5
python3.11-slim-bookworm
x86_64-unknown-linux-gnu
com.example.shop.authentication.TokenAuthenticationFilterConfiguration
shouldReturnUnauthorizedWhenTokenIsMissingOrExpired2
AbstractSingletonProxyFactoryBean
test_a_token_that_expired_yesterday_is_refused_with_401
NSURLSessionAuthChallengeUseCredential
UPPER_SNAKE_CASE_CONSTANT_NAME_V2
2026-11-02T09:15:27.123456+00:00
v2.31.0-rc.4+build.20261102
data-testid="password-reset-form-submit-button"
aria-label="Show password"
"""


def documents(seed: int = 11) -> list[str]:
    """Return all documents: the lines above, and nine of each kind below."""
    made = [make(random.Random(f"{seed}{make.__name__}{n}")) for make in MAKERS for n in range(9)]
    return [*LINES.strip().splitlines(), *made]


def drawn(dice: random.Random, size: int, alphabet: str = HEX) -> str:
    return "".join(dice.choice(alphabet) for _ in range(size))


def words(dice: random.Random, count: int, joint: str = " ") -> str:
    return joint.join(dice.choice(WORDS) for _ in range(count))


def an_id(dice: random.Random) -> str:
    return str(uuid.UUID(int=dice.getrandbits(128), version=4))


def b64(dice: random.Random, size: int) -> str:
    return base64.b64encode(dice.randbytes(size)).decode()


def a_path(dice: random.Random) -> str:
    return f"src/{words(dice, 2, '/')}/{words(dice, 2, '_')}.{dice.choice(['py', 'ts', 'go'])}"


def rows(dice: random.Random, row: Callable[[], str], least: int = 5, most: int = 12) -> str:
    return "\n".join(row() for _ in range(dice.randint(least, most)))


def a_git_log(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"commit {drawn(dice, 40)}\nAuthor: Ada <ada@example.com>\n"
            f"Date:   Mon Nov 2 09:{dice.randint(10, 59)}:27 2026 +0000\n\n    {words(dice, 6)}\n"
        ),
    )


def a_short_log(dice: random.Random) -> str:
    return rows(dice, lambda: f"{drawn(dice, 7)} {words(dice, 5)} (#{dice.randint(1, 999)})")


def a_diff(dice: random.Random) -> str:
    path, name = a_path(dice), words(dice, 2, "_")
    return (
        f"diff --git a/{path} b/{path}\nindex {drawn(dice, 7)}..{drawn(dice, 7)} 100644\n"
        f"--- a/{path}\n+++ b/{path}\n@@ -12,7 +12,9 @@ def {name}(token, password):\n"
        f"-    return check(password, token)\n+    if not password:\n"
        f"+        raise ValueError('password is empty')\n+    return check(password, token=token)\n"
    )


def an_npm_lock(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f'    "node_modules/{words(dice, 2, "-")}": {{\n      "version": "{dice.randint(0, 9)}.4.1",\n'
            f'      "resolved": "https://registry.example.com/x/-/x-1.4.1.tgz",\n'
            f'      "integrity": "sha512-{b64(dice, 64)}",\n      "license": "MIT"\n    }},'
        ),
    )


def a_yarn_lock(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f'"{words(dice, 1)}@npm:^2.0.0":\n  version: 2.0.1\n  resolution: "x@npm:2.0.1"\n'
            f"  checksum: 10c0/{drawn(dice, 128)}\n  languageName: node\n  linkType: hard\n"
        ),
    )


def a_cargo_lock(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f'[[package]]\nname = "{words(dice, 2, "-")}"\nversion = "0.{dice.randint(1, 99)}.2"\n'
            f'source = "registry+https://github.com/rust-lang/crates.io-index"\n'
            f'checksum = "{drawn(dice, 64)}"\n'
        ),
    )


def a_uv_lock(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f'    {{ url = "https://files.example.com/packages/{drawn(dice, 2)}/{drawn(dice, 60)}/'
            f'{words(dice, 1)}-3.1-py3-none-any.whl", hash = "sha256:{drawn(dice, 64)}", size = 65398 }},'
        ),
    )


def a_pip_requirement(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"{words(dice, 1)}==2.{dice.randint(0, 30)}.1 \\\n    --hash=sha256:{drawn(dice, 64)} \\\n"
            f"    --hash=sha256:{drawn(dice, 64)}"
        ),
    )


def a_go_sum(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"github.com/{words(dice, 2, '/')} v1.{dice.randint(0, 20)}.0 h1:{b64(dice, 32)}\n"
            f"github.com/{words(dice, 2, '/')} v1.2.0/go.mod h1:{b64(dice, 32)}"
        ),
    )


def a_wheel_record(dice: random.Random) -> str:
    def row() -> str:
        digest = base64.urlsafe_b64encode(dice.randbytes(32)).decode().rstrip("=")
        return f"{words(dice, 2, '/')}.py,sha256={digest},{dice.randint(100, 9999)}"

    return rows(dice, row)


def a_picture(dice: random.Random) -> str:
    return f'<img alt="logo" src="data:image/png;base64,{b64(dice, dice.randint(200, 2000))}">'


def a_picture_file(dice: random.Random) -> str:
    blob = b64(dice, 900)
    return "\n".join(blob[at : at + 76] for at in range(0, len(blob), 76))


def a_certificate(dice: random.Random) -> str:
    blob = b64(dice, 700)
    lines = "\n".join(blob[at : at + 64] for at in range(0, len(blob), 64))
    return f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n"


def a_public_key(dice: random.Random) -> str:
    return f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64(dice, 33)} dev@example.com\n"


def a_fingerprint(dice: random.Random) -> str:
    return f"The key fingerprint is:\nSHA256:{b64(dice, 32).rstrip('=')} dev@example.com\n"


def a_python_trace(dice: random.Random) -> str:
    return (
        "Traceback (most recent call last):\n"
        + rows(
            dice,
            lambda: (
                f'  File "/home/dev/shop/{a_path(dice)}", line {dice.randint(1, 900)}, in {words(dice, 2, "_")}\n'
                f"    return {words(dice, 1)}.{words(dice, 2, '_')}(token=token, password=password)"
            ),
        )
        + f"\nValueError: invalid token at 0x{drawn(dice, 12)}\n"
    )


def a_node_trace(dice: random.Random) -> str:
    return f"TypeError: Cannot read properties of undefined (reading '{words(dice, 1)}')\n" + rows(
        dice,
        lambda: (
            f"    at {words(dice, 1).title()}{words(dice, 1).title()}.{words(dice, 1)} "
            f"(/home/dev/shop/node_modules/{words(dice, 2, '/')}/index.js:{dice.randint(1, 999)}:17)"
        ),
    )


def a_java_trace(dice: random.Random) -> str:
    return "java.lang.IllegalStateException: token was null\n" + rows(
        dice,
        lambda: (
            f"\tat com.example.{words(dice, 2, '.')}.{words(dice, 1).title()}Token"
            f"{words(dice, 1).title()}Factory.create({words(dice, 1).title()}.java:{dice.randint(9, 999)})"
        ),
    )


def a_go_panic(dice: random.Random) -> str:
    return "panic: runtime error: invalid memory address\n\ngoroutine 1 [running]:\n" + rows(
        dice,
        lambda: (
            f"main.(*{words(dice, 1).title()}).{words(dice, 1).title()}(0xc000{drawn(dice, 6)}, 0x{drawn(dice, 8)})\n"
            f"\t/home/dev/shop/{words(dice, 1)}.go:{dice.randint(9, 999)} +0x{drawn(dice, 3)}"
        ),
    )


def a_test_report(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"tests/test_{words(dice, 2, '_')}.py::test_the_token_of_{words(dice, 3, '_')} "
            f"{dice.choice(['PASSED', 'FAILED', 'SKIPPED'])} [ {dice.randint(1, 99)}%]"
        ),
    )


def a_go_test_report(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"=== RUN   Test{words(dice, 1).title()}By{words(dice, 1).title()}\n"
            f"--- PASS: Test{words(dice, 1).title()}By{words(dice, 1).title()} (0.0{dice.randint(0, 9)}s)"
        ),
    )


def a_coverage_table(dice: random.Random) -> str:
    return "Name    Stmts   Miss  Cover\n" + rows(
        dice,
        lambda: (
            f"{a_path(dice)}    {dice.randint(9, 400)}    {dice.randint(0, 9)}    9{dice.randint(0, 9)}%"
        ),
    )


def docker_output(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"#{dice.randint(1, 20)} sha256:{drawn(dice, 64)} 31.36MB / 31.36MB {dice.random():.1f}s done\n"
            f"{drawn(dice, 12)}   shop:{dice.randint(1, 30)}.2   {words(dice, 2, '_')}   Up 3 hours   0.0.0.0:8080->80/tcp"
        ),
    )


def kubectl_output(dice: random.Random) -> str:
    return "NAME   READY   STATUS   RESTARTS   AGE\n" + rows(
        dice,
        lambda: (
            f"{words(dice, 2, '-')}-{drawn(dice, 9, 'bcdfghjklmnpqrstvwxz2456789')}-"
            f"{drawn(dice, 5, 'bcdfghjklmnpqrstvwxz2456789')}   1/1   Running   0   {dice.randint(1, 40)}d"
        ),
    )


def a_kubernetes_manifest(dice: random.Random) -> str:
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {words(dice, 2, '-')}\n"
        f"  uid: {an_id(dice)}\nspec:\n  template:\n    spec:\n      containers:\n"
        f"        - image: registry.example.com/{words(dice, 1)}@sha256:{drawn(dice, 64)}\n"
        "          env:\n            - name: DB_PASSWORD\n              valueFrom:\n"
        "                secretKeyRef:\n                  name: db\n                  key: password\n"
        "            - name: API_TOKEN\n              valueFrom: {secretKeyRef: {name: api, key: token}}\n"
    )


def a_compose_file(dice: random.Random) -> str:
    return (
        f"services:\n  {words(dice, 1)}:\n    image: postgres:16\n    environment:\n"
        "      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set it in .env}\n      POSTGRES_USER: shop\n"
        "    secrets:\n      - db_password\nsecrets:\n  db_password:\n    file: ./db_password.txt\n"
    )


def a_workflow(dice: random.Random) -> str:
    return (
        f"name: {words(dice, 2)}\non: [push]\njobs:\n  {words(dice, 1)}:\n    runs-on: ubuntu-latest\n"
        f"    steps:\n      - uses: actions/checkout@{drawn(dice, 40)} # v4\n        with:\n"
        "          token: ${{ secrets.GITHUB_TOKEN }}\n          persist-credentials: false\n"
        "      - run: npm publish\n        env:\n          NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}\n"
    )


def a_terraform_plan(dice: random.Random) -> str:
    return (
        f'  # aws_db_instance.{words(dice, 1)} will be created\n  + resource "aws_db_instance" "main" {{\n'
        "      + arn                 = (known after apply)\n      + password            = (sensitive value)\n"
        f'      + identifier          = "{words(dice, 2, "-")}"\n      + kms_key_id          = (known after apply)\n'
        "    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n"
    )


def a_config_in_toml(dice: random.Random) -> str:
    return (
        f'[tool.{words(dice, 1)}]\nname = "{words(dice, 2, "-")}"\nline-length = 99\n'
        f'[auth]\nprovider = "github"\ntoken_ttl = 3600\npassword_min_length = 12\ntoken_file = "/run/secrets/token"\n'
        f'[{words(dice, 1)}]\ncache_key = "{words(dice, 2, ":")}"\nsecret_name = "{words(dice, 2, "-")}"\n'
    )


def a_config_in_json(dice: random.Random) -> str:
    return (
        f'{{"name": "{words(dice, 2, "-")}", "id": "{an_id(dice)}", "etag": "{drawn(dice, 32)}",\n'
        f' "auth": {{"type": "oauth2", "tokenUrl": "https://auth.example.com/token", "scopes": ["read"]}},\n'
        f' "maxTokens": {dice.randint(100, 9999)}, "passwordPolicy": {{"minLength": 12, "requireDigits": true}}}}'
    )


def an_openapi_excerpt(dice: random.Random) -> str:
    return (
        f"paths:\n  /{words(dice, 2, '/')}:\n    post:\n      security:\n        - bearerAuth: []\n"
        "components:\n  securitySchemes:\n    bearerAuth: {type: http, scheme: bearer, bearerFormat: JWT}\n"
        "    apiKey: {type: apiKey, in: header, name: X-API-Key}\n"
        f"  schemas:\n    Login:\n      properties:\n        {words(dice, 1)}: {{type: string}}\n"
        "        password: {type: string, format: password, minLength: 8}\n"
    )


def an_agent_transcript(dice: random.Random) -> str:
    def row() -> str:
        return (
            f'{{"type":"assistant","uuid":"{an_id(dice)}","sessionId":"{an_id(dice)}","message":'
            f'{{"id":"msg_01{drawn(dice, 22, BASE62)}","content":[{{"type":"tool_use",'
            f'"id":"toolu_01{drawn(dice, 22, BASE62)}","name":"Bash","input":{{"command":"ls {a_path(dice)}"}}}}],'
            f'"usage":{{"input_tokens":{dice.randint(1, 999)},"output_tokens":{dice.randint(1, 999)}}}}},'
            f'"requestId":"req_011C{drawn(dice, 20, BASE62)}"}}'
        )

    return rows(dice, row, 2, 5)


def github_json(dice: random.Random) -> str:
    return (
        f'{{"id":"PR_kwDO{drawn(dice, 14, BASE62)}","number":{dice.randint(1, 999)},"author":{{"login":"ada"}},'
        f'"headRefOid":"{drawn(dice, 40)}","title":"{words(dice, 5)}","reviews":[{{"id":"PRR_kwDO{drawn(dice, 14, BASE62)}"}}]}}'
    )


def note_ids(dice: random.Random) -> str:
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    return rows(dice, lambda: f"01J{drawn(dice, 23, alphabet)}  {words(dice, 6)}")


def a_directory_listing(dice: random.Random) -> str:
    return f"total {dice.randint(9, 99)}\n" + rows(
        dice,
        lambda: (
            f"-rw-r--r--  1 dev dev {dice.randint(10, 99999)} Nov  2 09:15 {words(dice, 2, '_')}_token.{drawn(dice, 8)}.js"
        ),
    )


def digests(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"{drawn(dice, 32)}  {words(dice, 1)}.tar.gz\n{drawn(dice, 64)}  {words(dice, 1)}.whl\n"
            f"{drawn(dice, 128)}  {words(dice, 1)}.iso"
        ),
    )


def uuids(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"{words(dice, 1)}_id={an_id(dice)} trace_id={drawn(dice, 32)} span_id={drawn(dice, 16)}"
        ),
    )


def access_log(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"10.0.{dice.randint(0, 255)}.{dice.randint(1, 254)} - - [02/Nov/2026:09:15:27 +0000] "
            f'"GET /api/{words(dice, 2, "/")}?page={dice.randint(1, 9)}&sort=created_at HTTP/1.1" 200 {dice.randint(100, 9999)} '
            f'"-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"'
        ),
    )


def structured_log(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f'time=2026-11-02T09:15:{dice.randint(10, 59)}Z level=INFO msg="token refreshed" user_id={dice.randint(1, 9999)} '
            f"request_id={an_id(dice)} auth=oauth2 duration={dice.randint(1, 900)}ms"
        ),
    )


def minified_script(dice: random.Random) -> str:
    names = [drawn(dice, 2, BASE62[:52]) for _ in range(8)]
    body = "".join(
        f"function {name}(t,e){{var n=t.{words(dice, 1)},r=e[{dice.randint(0, 9)}];return n&&r?n.{words(dice, 1)}(r):void 0}}"
        for name in names
    )
    return f'!function(t,e){{"use strict";{body}}}(this,function(){{return window.{words(dice, 1)}}});'


def style_soup(dice: random.Random) -> str:
    names = [
        "flex",
        "mt-4",
        "px-2.5",
        "md:grid-cols-3",
        "hover:bg-gray-100",
        "dark:text-white",
        "w-[calc(100%-2rem)]",
    ]
    return rows(
        dice,
        lambda: (
            f'<div class="{" ".join(dice.sample(names, 4))} css-{drawn(dice, 6)} sc-{drawn(dice, 8, BASE62[:52])}">'
        ),
    )


def a_query(dice: random.Random) -> str:
    return (
        f"SELECT u.id, u.email, t.kind FROM users u JOIN tokens t ON t.user_id = u.id\n"
        f"WHERE u.password_hash IS NOT NULL AND t.expires_at > {dice.randint(10**9, 2 * 10**9)}\n"
        f"  AND t.kind = '{words(dice, 1)}' ORDER BY t.created_at DESC LIMIT {dice.randint(1, 100)};"
    )


def a_shell_session(dice: random.Random) -> str:
    return (
        f"$ cd ~/projects/{words(dice, 1)} && git switch -c fix/{words(dice, 2, '-')}\n"
        f"Switched to a new branch\n$ pip install -e '.[dev]'\nSuccessfully installed {words(dice, 1)}-1.2.3\n"
        f'$ export PATH="$HOME/.local/bin:$PATH"\n$ curl -s localhost:8000/health | jq .status\n"ok"\n'
        f"$ echo $GITHUB_TOKEN | wc -c\n41\n"
    )


def python_about_secrets(dice: random.Random) -> str:
    name = words(dice, 2, "_")
    return (
        f"class {name.title().replace('_', '')}Token(Value):\n    value: str\n    expires_at: int\n\n"
        f"def {name}(user, password=None, *, token: str | None = None, api_key: str = DEFAULT_KEY):\n"
        f"    secret = settings.SECRET_KEY\n    password = password or getpass.getpass('Password: ')\n"
        f"    token = token or secrets.token_hex({dice.randint(8, 64)})\n"
        f"    headers = {{'Authorization': f'Bearer {{token}}', 'X-Api-Key': api_key}}\n"
        f"    client = Client(user=user, password=password, token=token, secret=secret)\n"
        f"    assert client.password is not None and client.token != ''\n    return client\n"
    )


def typescript_about_secrets(dice: random.Random) -> str:
    name = words(dice, 1)
    return (
        f"export interface {name.title()}Credentials {{\n  username: string;\n  password: string;\n  apiKey?: string;\n"
        f"  token: string | null;\n}}\n\nexport async function {name}({{ username, password }}: {name.title()}Credentials) {{\n"
        f"  const token = await this.authService.issueToken(username, password);\n"
        f"  localStorage.setItem('token', token);\n"
        f"  return fetch(url, {{ credentials: 'include', headers: {{ Authorization: `Bearer ${{token}}` }} }});\n}}\n"
    )


def go_about_secrets(dice: random.Random) -> str:
    name = words(dice, 1).title()
    return (
        f'type {name}Config struct {{\n\tPassword string `json:"password" env:"{name.upper()}_PASSWORD"`\n'
        f'\tAPIKey   string `json:"api_key"`\n\tToken    *Token `json:"token,omitempty"`\n}}\n\n'
        f'func (c *{name}Config) Validate() error {{\n\tif c.Password == "" {{\n'
        f'\t\treturn errors.New("password is required")\n\t}}\n\tc.Token = NewToken(c.Password)\n\treturn nil\n}}\n'
    )


def english_prose(dice: random.Random) -> str:
    return (
        f"The {words(dice, 1)} asks for a password once and keeps a token in the keyring. When the token is "
        f"refused, the {words(dice, 1)} asks again; the password itself is never stored. A secret that the "
        f"{words(dice, 1)} needs is read from the environment, and a key that is missing is an error. "
        f"Each {words(dice, 1)} has {dice.randint(2, 9)} tokens at most, and {words(dice, 3)} share one."
    )


def chinese_prose(dice: random.Random) -> str:
    return (
        f"首次运行 {words(dice, 1)} 时会要求输入密码，密码是由服务器校验的，不会写入磁盘。\n"
        f"如果令牌已过期，请重新登录；密钥是在 {words(dice, 1)} 中生成的，共 {dice.randint(2, 9)} 个。\n"
        f"注意：密码的长度至少为 {dice.randint(8, 16)} 位，不能与用户名相同。"
    )


def a_readme(dice: random.Random) -> str:
    return (
        f"# {words(dice, 2).title()}\n\n## Authentication\n\nCreate a token in the settings and export it:\n\n"
        "```sh\nexport API_TOKEN=<your token>\nexport DB_PASSWORD='...'\n```\n\n"
        f"| variable | meaning |\n|---|---|\n| `API_TOKEN` | token for the {words(dice, 1)} service |\n"
        "| `DB_PASSWORD` | password of the database user |\n| `SECRET_KEY` | any long random string |\n"
    )


def a_changelog(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"- Fix {words(dice, 3)} when the token expires ([#{dice.randint(1, 999)}](https://example.com/i/{dice.randint(1, 999)}), {drawn(dice, 7)})"
        ),
    )


def a_notebook_cell(dice: random.Random) -> str:
    return (
        f'{{"cell_type": "code", "execution_count": {dice.randint(1, 99)}, "id": "{drawn(dice, 8)}", "outputs": '
        f'[{{"data": {{"image/png": "iVBORw0KGgo{b64(dice, 600)}"}}}}], "source": ["df.head()"]}}'
    )


def a_source_map(dice: random.Random) -> str:
    segments = ";".join(
        ",".join(drawn(dice, 4, "ACEGIKMOQSUWYacegikmoq") for _ in range(6)) for _ in range(30)
    )
    return f'{{"version":3,"sources":["../{a_path(dice)}"],"names":[],"mappings":"{segments}"}}'


def a_storybook_of_ids(dice: random.Random) -> str:
    return rows(
        dice,
        lambda: (
            f"https://docs.example.com/document/d/1{drawn(dice, 43, BASE62)}/edit "
            f"https://video.example.com/watch?v={drawn(dice, 11, BASE62)} arn:aws:iam::{dice.randint(10**11, 10**12 - 1)}:role/{words(dice, 1)}"
        ),
    )


MAKERS: tuple[Callable[[random.Random], str], ...] = (
    a_git_log, a_short_log, a_diff, an_npm_lock, a_yarn_lock, a_cargo_lock, a_uv_lock,
    a_pip_requirement, a_go_sum, a_wheel_record, a_picture, a_picture_file, a_certificate,
    a_public_key, a_fingerprint, a_python_trace, a_node_trace, a_java_trace, a_go_panic,
    a_test_report, a_go_test_report, a_coverage_table, docker_output, kubectl_output,
    a_kubernetes_manifest, a_compose_file, a_workflow, a_terraform_plan, a_config_in_toml,
    a_config_in_json, an_openapi_excerpt, an_agent_transcript, github_json, note_ids,
    a_directory_listing, digests, uuids, access_log, structured_log, minified_script, style_soup,
    a_query, a_shell_session, python_about_secrets, typescript_about_secrets, go_about_secrets,
    english_prose, chinese_prose, a_readme, a_changelog, a_notebook_cell, a_source_map,
    a_storybook_of_ids,
)  # fmt: skip
