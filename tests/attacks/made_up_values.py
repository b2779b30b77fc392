"""Texts around values that a person made up or a short generator drew, and look-alikes that hold none.

``{}`` is the place of the value. They were written after the rules, and not looked at while these were written.
"""

import random

from tests.attacks.benign_texts import BASE62

_WORDS = "cobalt harvest lantern meadow orchid pepper quartz summit timber willow".split()

COMMANDS = """
curl -fsSLuci-bot:{} https://nexus.example.com/repository/raw/app.tgz -o app.tgz
curl -kvu deploy:{} https://registry.example.com/v2/_catalog
wmiexec.py -shell-type powershell example.com/svc_backup:{}@dc01.example.com
impacket-secretsdump 'EXAMPLE/administrator:{}@192.168.56.10' -just-dc
python3 /opt/impacket/examples/mssqlclient.py sa:{}@10.20.0.5
printf '%s' {} | bunx wrangler secret put SESSION_SIGNING
echo "{}" | pnpm dlx wrangler@latest secret put WEBHOOK --env production
echo '{}' | npx --yes vercel env add DATABASE production
http --auth-type bearer --auth {} GET https://api.example.com/me
curl -sS https://api.example.com/jobs -H 'X-Access-Token: {}'
curl -H "Proxy-Authorization: Basic-ish" -H "Authorization: token {}" https://git.example.com/api/v1/user
mysql --host=db --user=shop --password={} shop
mongodump --uri='mongodb://backup:{}@mongo-1.example.com:27017/shop?authSource=admin'
influx -username admin -password {} -execute 'show databases'
kubectl create secret docker-registry pull --docker-username=bot --docker-password={}
"""
CODE = """
const webhookSecret = "{}";
private static final String API_TOKEN = "{}";
let session_secret = std::env::var("SESSION_SECRET").unwrap_or("{}".into());
$app_key = getenv('APP_KEY') ?: '{}';
JWT_SECRET: process.env.JWT_SECRET ?? "{}",
secret_key = os.getenv("SECRET_KEY") or "{}"
app.secret_key = '{}'
app.config["SECRET_KEY"] = "{}"
define('SECURE_AUTH_SALT', '{}');
const token = jwt.sign({ id: user.id }, "{}");
payload = jwt.decode(raw, "{}", algorithms=["HS256"])
db, err := sql.Open("mysql", "shop:{}@tcp(127.0.0.1:3306)/shop?parseTime=true")
Connection c = DriverManager.getConnection("jdbc:postgresql://db/shop", "shop", "{}");
$pdo = new PDO("pgsql:host=db;dbname=shop", "shop", "{}");
client.Credentials = new NetworkCredential("mailer@example.com", "{}");
let req = client.get(url).basic_auth("svc", Some("{}"));
smtp.login("mailer@example.com", "{}")
auth = HTTPBasicAuth("svc", "{}")
//registry.example.com/:_authToken={}
_authToken = {}
[http]\\nauth_token = "{}"
api_key: {}
secretKeyBase: {}
hmac_secret = "{}"
password: <%= ENV.fetch("DB_PASSWORD") { "{}" } %>
password = config.get("database", "password", fallback="{}")
spring.security.oauth2.client.registration.okta.client-secret={}
ENCRYPTION_KEY={}
"""
PROSE = """
use {} as the root password for now
for the vpn I picked {} as my password
our api token: {}, valid until May
The client secret of the sandbox is {}.
signing secret for the webhook is {} btw
the admin password on the new cluster has been set to {}
Das Kennwort zum Testsystem heißt {}
Als Passwort habe ich {} eingetragen
Le mot de passe du compte de service est désormais {}.
mets {} comme mot de passe
La contraseña de la base de datos es {}
la clave nueva del panel de administración es {}
A senha do usuário de produção é {}
a senha ficou {} depois da troca
La password dell'utente admin è {}
la nuova password sarebbe {}
データベースのパスワードは {} に変更しました
管理者のパスワード：{}
Пароль администратора теперь {}
пароль к базе такой: {}
데이터베이스 비밀번호를 {} 로 바꿨어요
Yönetici şifresi artık {}
Het wachtwoord van de server is {}
Hasło do bazy danych to {}
数据库密码改成了 {}
"""
BENIGN = """
password: user_input_2
The password policy check_policy_v2 rejects short ones
password reset flow runs in step_3 of onboarding-flow-2
token = "access-token-2024"
const tokenType = "refresh_token_v2";
the api key rotation job rotate-keys-nightly-20250514 failed
password must match the rule in utf8mb4_0900_ai_ci tables
the password column moved to users_2024 table
La contraseña debe tener 12 caracteres como mínimo
Das Passwort wird in passwort_test_3 geprüft
le mot de passe est haché avec argon2id_v13
the secret is mounted at /run/secrets/app_1
secret: my-release-postgresql
secretName: tls-example-com-2024
existingSecret: shop-db-credentials
password is validated by test_password_reset_12 in ci
jwt.sign(payload, privateKey, { algorithm: 'RS256' })
jwt.verify(token, getKey, { audience: 'api-v2-internal' })
new NetworkCredential(userName, password)
createPool({ host: 'db-01.example.com', user: 'shop' })
getConnection("jdbc:mysql://db:3306/shop2", user, pass)
password = options.password or "default"
token: process.env.TOKEN || ''
secret = config.secret ?? undefined
curl -sSL https://get.example.com/install-v2.sh | sh
curl -su "$USER:$TOKEN" https://ci.example.com/api
echo $TOKEN | npx wrangler secret put API_TOKEN
echo done | npx vercel deploy --prod
psexec.py -h
smbclient -L //server/share -N
Authorization: Bearer <token>
X-Auth-Key: $CF_KEY
the token type is Bearer and the scope read:packages_v2
auth: basic-auth-2 middleware is enabled
the password prompt shows up in ubuntu-22.04 images
the key cache-key-v2-1234 was evicted
La password è obbligatoria per l'utente_2
пароль должен содержать минимум 8 символов
パスワードは8文字以上です
비밀번호는 8자 이상이어야 합니다
şifre en az 8 karakter olmalı
login fails with error_code_4012 after the password change
the password helper moved from utils_v1 to helpers_v2
api_key_header = "X-Api-Key-V2"
with utf8_general_ci as the collation and no password
"""


def make_values(seed: int) -> dict[str, str]:
    """Return a value of each of the kinds that people use."""
    dice = random.Random(seed)

    def draw(size: int, letters: str = BASE62) -> str:
        return "".join(dice.choices(letters, k=size))

    def word() -> str:
        return dice.choice(_WORDS)

    digits, small = BASE62[52:], BASE62[26:]
    return {
        "words and a year": word().title() + word() + draw(1, "!*_-") + draw(4, digits),
        "words with hyphens": f"{word()}-{word()}-{draw(4, digits)}{draw(3, small)}",
        "drawn with a sign": draw(14) + draw(1, "_-") + draw(2, digits),
        "drawn": draw(20),
        "drawn with signs": f"{draw(6)}#{draw(5)}!{draw(5)}.{draw(3)}",
    }


def list_texts(table: str) -> list[str]:
    """Return the texts of a table, a line each."""
    return [line.replace("\\n", "\n") for line in table.strip().splitlines()]
