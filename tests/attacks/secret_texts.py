"""Texts with a secret, by class, as agents meet them; every secret is made up at run time.

The language of the templates is that of ``tests/safety/redact_corpus.py``: ``{W36}`` is drawn, guillemets
stand around what is secret. ``{pw}`` is a password as people choose one, ``{same}`` the secret once more, and
``¶`` a line break.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.safety.redact_corpus import ALPHABETS

COMMAND_LINES = r"""
echo «{pw}» | sudo -S apt-get update
echo '«{pw}»' | sudo -S -p '' systemctl restart nginx
printf '%s\n' "«{pw}»" | sudo --stdin true
sudo -S make install <<< "«{pw}»"
echo "«{W24}»" | docker login --username bob --password-stdin registry.example.com
echo -n «{W24}» | podman login -u bob --password-stdin quay.example.io
cat <<EOF | docker login -u bob --password-stdin¶«{W24}»¶EOF
SSHPASS=«{pw}» sshpass -e ssh deploy@10.0.0.4 uptime
export SSHPASS='«{pw}»'
sshpass -p«{pw}» scp a.tgz deploy@10.0.0.4:
sshpass -p '«{pw}»' rsync -a ./ deploy@host:/srv
redis-cli -h cache.internal AUTH «{pw}»
redis-cli -h cache.internal AUTH default «{pw}»
redis-cli -a «{pw}» --no-auth-warning KEYS '*'
redis-cli --user app --pass «{pw}» ping
REDISCLI_AUTH=«{pw}» redis-cli ping
gh secret set DEPLOY_KEY --body "«{W24}»" --repo acme/shop
gh secret set DEPLOY_KEY -b«{W24}»
echo «{W24}» | gh secret set NPM_KEY
gh auth login --with-token <<< «{W40}»
vault kv put secret/shop db=«{pw}» user=bob
vault kv put -mount=secret shop value="«{pw}»"
vault write auth/userpass/users/bob password=«{pw}»
vault login «{B26}»
aws ssm put-parameter --name /shop/db --type SecureString --value «{pw}»
aws ssm put-parameter --name /shop/db --value="«{pw}»" --overwrite
aws secretsmanager create-secret --name shop --secret-string '«{pw}»'
aws configure set aws_secret_access_key «{P40}»
aws configure set aws_session_token «{P90}» --profile prod
heroku config:set STRIPE=«{W24}» -a shop
heroku config:set FOO=bar SIGNING=«{W24}»
fly secrets set SIGNING=«{W24}» OTHER=x
flyctl secrets set DATABASE_URL=postgres://app:«{pw}»@db.internal/app
echo «{W32}» | wrangler secret put SIGNING
kubectl create secret generic db --from-literal=value=«{pw}» -n shop
kubectl create secret generic db --from-literal username=bob --from-literal pass='«{pw}»'
kubectl create secret docker-registry regcred --docker-server=r.example.com --docker-username=bob --docker-password=«{pw}»
curl -u bob:«{pw}» https://api.example.com
curl -ubob:«{pw}» https://api.example.com
curl -sS -u 'bob:«{pw}»' https://api.example.com
curl --user=bob:«{pw}» https://api.example.com
curl -b 'sid=«{W32}»' https://example.com/account
curl --cookie "session_id=«{H32}»; theme=dark" https://example.com/account
curl -H 'Authorization: «{W32}»' https://api.example.com
curl -H "X-Auth: «{W32}»" https://api.example.com/me
curl -d 'user=bob&password=«{pw}»' https://example.com/login
curl --data-urlencode 'pass=«{pw}»' https://example.com/login
curl -F password='«{pw}»' https://example.com/login
curl -x http://proxy:3128 --proxy-user bob:«{pw}» https://example.com
curl --oauth2-bearer «{W32}» https://api.example.com
wget --user=bob --password=«{pw}» https://example.com/f.tgz
wget --http-password «{pw}» --http-user bob https://example.com/f.tgz
mysql -uroot -p«{pw}» shop < dump.sql
mysqldump -uroot -p'«{pw}»' shop
mysql --host db --password='«{pw}»' shop
mysqladmin -u root password «{pw}»
7z a -p«{pw}» out.7z src/
7z x archive.7z -p'«{pw}»'
zip -P «{pw}» out.zip a b
zip -r -P«{pw}» out.zip src
unzip -P «{pw}» out.zip
unrar x -p«{pw}» backup.rar
openssl enc -aes-256-cbc -k «{pw}» -in a -out b
openssl enc -d -aes-256-cbc -K «{H64}» -iv 0 -in a
openssl aes-256-cbc -pass pass:«{pw}» -in a -out b
openssl pkcs12 -export -passout 'pass:«{pw}»' -out a.p12
openssl genrsa -aes256 -passout pass:«{pw}» 4096
gpg --batch --passphrase «{pw}» -c file
gpg --batch --yes --passphrase '«{pw}»' --decrypt a.gpg
echo «{pw}» | gpg --batch --passphrase-fd 0 -d a.gpg
PGPASSWORD=«{pw}» psql -h db -U app
PGPASSWORD='«{pw}»' pg_dump shop
SECRET_KEY_BASE=«{H64}» rails s
psql postgres://app:«{pw}»@db:5432/app
psql "host=db user=app password=«{pw}» dbname=app"
mongo --host db -u root -p «{pw}»
mongodump --uri mongodb://root:«{pw}»@db/app
mongosh -u root -p'«{pw}»' admin
htpasswd -b users bob «{pw}»
htpasswd -nbB bob «{pw}»
ldapsearch -x -D cn=admin -w «{pw}» uid=bob
ldapadd -D cn=admin,dc=example -w'«{pw}»' -f a.ldif
net use Z: \\server\share «{pw}» /user:bob
net user bob «{pw}» /add
az login --service-principal -u app -p «{W34}» --tenant t
az sql server create --name s --admin-user a --admin-password «{pw}»
az keyvault secret set --vault-name v --name n --value «{pw}»
gcloud sql users set-password root --instance=i --password=«{pw}»
npm config set //npm.example.com/:_authToken «{W36}»
npm config set //registry.example.com/:_authToken=«{W36}»
npm config set _auth «{W28}=»
yarn config set npmAuthToken «{W36}»
docker run -e POSTGRES_PASSWORD=«{pw}» postgres:16
docker run --env API_SECRET=«{W24}» app
docker build --build-arg NPM_TOKEN=«{W36}» .
docker exec db psql -c "ALTER USER app WITH PASSWORD '«{pw}»'"
set -x¶+ DB_PASSWORD='«{pw}»'¶+ deploy
++ curl -u 'bob:«{pw}»' https://api.example.com
+ mysql -uroot '-p«{pw}»' shop
+ export 'API_TOKEN=«{W28}»'
ansible-playbook site.yml -e "ansible_become_pass=«{pw}»"
ansible-vault encrypt_string '«{pw}»' --name db_pass
helm upgrade shop ./chart --set postgresql.auth.password=«{pw}»
helm repo add priv https://charts.example.com --username bob --password «{pw}»
helm install x --set-string global.apiKey=«{W28}»
git clone https://bob:«{pw}»@git.example.com/a/b.git
git clone https://«{W40}»@git.example.com/a/b.git
git config --global credential.helper '!f() { echo "password=«{pw}»"; }; f'
git -c http.extraheader="AUTHORIZATION: basic «{W28}=»" fetch
ssh-keygen -t ed25519 -N '«{pw}»' -f key
security add-generic-password -a bob -s shop -w '«{pw}»'
keytool -genkey -storepass «{pw}» -keypass «{same}»
jarsigner -storepass «{pw}» app.jar alias
mvn deploy -Dpassword=«{pw}»
gradle publish -PsigningPassword=«{pw}»
java -Djavax.net.ssl.keyStorePassword=«{pw}» -jar app.jar
echo "bob:«{pw}»" | chpasswd
echo -e "«{pw}»\n{same}" | passwd bob
useradd -p '«{pw}»' bob
usermod --password «{pw}» bob
smbclient //nas/share -U 'bob%«{pw}»'
mount -t cifs //nas/s /mnt -o username=bob,password=«{pw}»
lftp -u bob,«{pw}» ftp.example.com
ftp://bob:«{pw}»@ftp.example.com/a
rclone config create r s3 access_key_id AKIA{T16} secret_access_key «{P40}»
restic -r s3:x --password-command 'echo «{pw}»' backup
RESTIC_PASSWORD=«{pw}» restic snapshots
borg init -e repokey --passphrase «{pw}»
cryptsetup luksFormat /dev/sdb1 <<< '«{pw}»'
nmcli dev wifi connect Home password «{pw}»
wpa_passphrase Home «{pw}»
sqlcmd -S db -U sa -P «{pw}» -Q 'SELECT 1'
sqlplus system/«{pw}»@orcl
bcp shop.dbo.t out t.csv -S db -U sa -P«{pw}»
psexec \\host -u admin -p «{pw}» cmd
winrm -u:admin -p:«{pw}» identify
xfreerdp /u:bob /p:«{pw}» /v:host
vncviewer -passwd «{pw}» host
twine upload -u __token__ -p «{W40}» dist/*
poetry config pypi-token.pypi «{W40}»
poetry config http-basic.acme bob «{pw}»
cargo login «{W36}»
gem push --key «{W36}» x.gem
dotnet nuget push x.nupkg -k «{L46}» -s https://nuget.example.com
dotnet user-secrets set "Db:Pass" "«{pw}»"
supabase secrets set SIGNING=«{W24}»
railway variables --set "SIGNING=«{W24}»"
vercel env add SIGNING production <<< «{W24}»
netlify env:set SIGNING «{W24}»
firebase functions:config:set mail.key="«{W24}»"
doppler secrets set SIGNING=«{W24}»
op item create --category=login password='«{pw}»'
bw unlock «{pw}»
pass insert -e shop <<< '«{pw}»'
consul kv put shop/db/password «{pw}»
etcdctl --user root:«{pw}» get /
influx -username a -password «{pw}»
cqlsh -u cassandra -p «{pw}» db
clickhouse-client --password «{pw}» -q 'SELECT 1'
snowsql -a x -u bob --password «{pw}»
rabbitmqctl add_user app «{pw}»
rabbitmqctl change_password app '«{pw}»'
kinit bob <<< «{pw}»
expect -c 'send "«{pw}»\r"'
openstack --os-password «{pw}» server list
pulumi config set --secret db:password «{pw}»
terraform apply -var 'db_password=«{pw}»'
TF_VAR_db_password=«{pw}» terraform plan
circleci context store-secret gh acme shop NAME <<< «{W24}»
http --auth bob:«{pw}» api.example.com
http -A bearer -a «{W32}» api.example.com
http POST api.example.com password=«{pw}» user=bob
snmpwalk -v3 -u bob -A «{pw}» -X «{same}» host
$env:DB_PASSWORD = "«{pw}»"
setx API_TOKEN "«{W28}»"
ConvertTo-SecureString "«{pw}»" -AsPlainText -Force
"""

CODE_AND_CONFIG = r"""
define('DB_PASSWORD', '«{pw}»');
define("AUTH_KEY", "«{S40}»");
$cfg['blowfish_secret'] = '«{S32}»';
'password' => env('DB_PASSWORD', '«{pw}»'),
ENV DB_PASSWORD=«{pw}»
ENV API_TOKEN «{W28}»
ENV DB_PASSWORD «{pw}»
ARG NPM_TOKEN=«{W36}»
RUN echo "//npm.example.com/:_authToken=«{W36}»" > .npmrc
db:¶  password: "«{pw}»"
db:¶  password: «{pw}»
- name: DB_PASSWORD¶  value: «{pw}»
env:¶  - name: API_SECRET¶    value: "«{W28}»"
{"name": "DB_PASSWORD", "value": "«{pw}»"}
{"Key": "db_password", "Value": "«{pw}»"}
{"ParameterKey": "DbPassword", "ParameterValue": "«{pw}»"}
spring.datasource.password=«{pw}»
spring.datasource.password: «{pw}»
<property name="password" value="«{pw}»"/>
<property name="hibernate.connection.password">«{pw}»</property>
<connectionString>Server=db;Uid=app;Pwd=«{pw}»;</connectionString>
<server><username>bob</username><password>«{pw}»</password></server>
[database]¶password = "«{pw}»"
[client]¶user=root¶password=«{pw}»
machine api.example.com login bob password «{pw}»
machine api.example.com¶login bob¶password «{pw}»
db.example.com:5432:shop:bob:«{pw}»
db.example.com:6432:*:bob:«{pw}»
*:*:*:bob:«{pw}»
String password = "«{pw}»";
private static final String API_SECRET = "«{W28}»";
char *passwd = "«{pw}»";
#define WIFI_PASSWORD "«{pw}»"
#define SECRET_PASS "«{pw}»"
WiFi.begin("home", "«{pw}»");
let password = "«{pw}»"
val dbPassword: String = "«{pw}»"
var dbPassword = `«{pw}»`
const DB_PASS = "«{pw}»"
const config = { user: 'bob', password: '«{pw}»', port: 5432 };
new Pool({ host: "db", pass: "«{pw}»" })
mysqli_connect("db", "root", "«{pw}»", "shop");
new PDO("mysql:host=db", "root", "«{pw}»");
pymysql.connect(host="db", user="root", passwd="«{pw}»")
psycopg2.connect("dbname=shop user=bob password=«{pw}»")
smtp.login("bob@example.com", "«{pw}»")
client.login(username="bob", password="«{pw}»")
DriverManager.getConnection("jdbc:postgresql://db/shop", "bob", "«{pw}»");
jdbc:mysql://db/shop?user=bob&password=«{pw}»
sql.Open("mysql", "bob:«{pw}»@tcp(db:3306)/shop")
Client::new("bob", "«{pw}»").with_password("«{same}»")
password := "«{pw}»"
self.password = '«{pw}»'
@password = "«{pw}»"
config.secret_key_base = '«{H64}»'
secret_key_base: «{H64}»
SECRET_KEY = 'django-insecure-«{S40}»'
app.secret_key = b'«{W24}»'
app.config['SECRET_KEY'] = '«{W20}»'
JWT_SECRET="«{pw}»"
jwt.sign(payload, '«{W24}»')
jwt.encode(data, "«{W24}»", algorithm="HS256")
hmac.new(b"«{W32}»", msg, sha256)
crypto.createHmac('sha256', '«{H32}»')
AES.new(b'«{W16}», AES.MODE_CBC)
password="«correct horse battery staple»"
DB_PASS='«{pw} {W6}»'
passphrase: «tulip canyon ember seven»
encryption_key = "«{H32}»"
access_key_id: AKIA{T16}¶secret_access_key: «{P40}»
export AWS_SECRET_ACCESS_KEY=«{P40}»
apikey=«{H32}»
"apikey" : "«{W32}»"
api-key: «{uuid}»
x-api-token: «{H40}»
"auth": {"user": "bob", "pass": "«{pw}»"}
username=bob;password=«{pw}»;
ftp_user bob¶ftp_password «{pw}»
pwd: «{pw}»
user: bob / pass: «{pw}»
login: bob¶pass: «{pw}»
creds = ("bob", "«{pw}»")
auth=HTTPBasicAuth('bob', '«{pw}»')
requests.post(u, auth=('bob', '«{pw}»'))
requests.get(u, headers={"X-Token": "«{H40}»"})
axios.defaults.headers.common['Authorization'] = '«{H40}»';
fetch(u, {headers: {Authorization: `Bearer «{W32}»`}})
req.Header.Set("X-Api-Key", "«{W32}»")
http.Header.Add("Authorization", "Token «{H40}»")
.basic_auth("bob", Some("«{pw}»"))
:password => "«{pw}»"
"Password" "«{pw}»"
(setq db-password "«{pw}»")
password "«{pw}»";
identity_file¶PreSharedKey = «{P43}=»
pre-shared-key "«{pw}»";
wpa_passphrase=«{pw}»
psk="«{pw}»"
requirepass «{pw}»
masterauth «{pw}»
PostgreSQL role app created with password «{pw}»
CREATE USER bob WITH PASSWORD '«{pw}»';
CREATE LOGIN bob WITH PASSWORD = '«{pw}»';
GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY '«{pw}»';
ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '«{pw}»';
SET PASSWORD FOR 'bob'@'%' = PASSWORD('«{pw}»');
SET PASSWORD FOR bob = '«{pw}»';
"""

LOGS_AND_PROSE = r"""
2026-01-04 12:00:01 INFO login user=bob password=«{pw}» ok
level=error msg="bad login" user=bob pass=«{pw}»
{"level":"info","user":"bob","passwd":"«{pw}»"}
DEBUG connecting with {'user': 'bob', 'password': '«{pw}»'}
ERROR 1045: Access denied for bob using password '«{pw}»'
POST /login HTTP/1.1¶¶user=bob&passwd=«{pw}»
POST /login body={"email":"a@b.c","password":"«{pw}»"}
GET /reset?token=«{W32}» 200
GET /hook?key=«{W32}» 200
set-cookie: _gitlab_session=«{H32}»; path=/
Cookie: _gitlab_session=«{H32}»
cookie=connect.sid=s%3A«{W32}».{W43}
document.cookie = "sid=«{H32}»"
Generated password: «{pw}»
A temporary password is generated for root@localhost: «{pw}»
Your new password is «{pw}»
initial admin password:¶«{H32}»
Please use the following password to proceed to installation:¶¶«{H32}»
the db password is still «{pw}» on staging
use «{pw}» as the password
use the password «{pw}» for the demo account
log in as admin with password «{pw}»
login bob / «{pw}»
credentials: bob / «{pw}»
user bob, password «{pw}»
username bob password «{pw}»
password=«{pw}» and then retry with {same} again
set DB_PASSWORD=«{pw}»; later the log said: rejected {same} for bob
PW=«{pw}»¶curl -s https://x.example.com -d "{same}"
el password es «{pw}»
la contraseña es «{pw}»
contraseña: «{pw}»
la clave de la wifi es «{pw}»
le mot de passe est «{pw}»
mot de passe : «{pw}»
das Passwort lautet «{pw}»
das Kennwort ist «{pw}»
Passwort: «{pw}»
la password è «{pw}»
a senha é «{pw}»
senha: «{pw}»
het wachtwoord is «{pw}»
lösenordet är «{pw}»
adgangskoden er «{pw}»
passordet er «{pw}»
salasana on «{pw}»
hasło to «{pw}»
heslo je «{pw}»
пароль: «{pw}»
пароль от базы «{pw}»
пароль — «{pw}»
şifre: «{pw}»
parola «{pw}» olacak
parola este «{pw}»
a jelszó «{pw}»
ο κωδικός είναι «{pw}»
密码是 «{pw}»
密码为：«{pw}»
口令：«{pw}»
パスワードは «{pw}» です
パスワード：«{pw}»
비밀번호는 «{pw}» 입니다
비밀번호: «{pw}»
mật khẩu là «{pw}»
kata sandinya adalah «{pw}»
password-nya «{pw}»
รหัสผ่านคือ «{pw}»
पासवर्ड «{pw}» है
كلمة المرور هي «{pw}»
הסיסמה היא «{pw}»
رمز عبور «{pw}» است
the PIN is «739154»
der PIN ist «739154»
token: «{W28}»
"""

UNNAMED = r"""
{W3}8Q~«{W34}»
s.«{W24}»
hvs.«{W24}»
hvb.«{B120}»
FLWSECK_TEST-«{H32}»-X
FLWPUBK_TEST-{H32}-X¶FLWSECK-«{H32}»-X
pat.{B22}.{H24}.«{W20}»
sat.{B22}.{H24}.«{W20}»
da2-«{L26}»
amzn.mws.«{uuid}»
EAA«{W120}»
{D16}|«{B27}»
sm_aat_«{W16}»
sm_pat_«{W16}»
sm_sat_«{W16}»
sc_{L20}.{L5}.acc-{L12}.«{B40}»
ext_{L20}.{L5}.acc_{L12}.«{B40}»
_gitlab_session=«{H32}»
xoxb-{D12}-{D12}-«{W24}»
ghp_«{W36}»
glsa_«{W32}»_{H8}
AGE-SECRET-KEY-1«{X58}»
PRIVATE-TOKEN: «{B20}»
"""

CLASSES = {
    "command lines": COMMAND_LINES,
    "code and configuration": CODE_AND_CONFIG,
    "logs and prose": LOGS_AND_PROSE,
    "formats without a name": UNNAMED,
}
_HOLE = re.compile(r"\{(?:([A-Z])(\d+)|uuid|pw)\}")
_PLACES = "Harbor Tulip Canyon Maple Ember Comet Walnut Otter Saffron Velvet".split()


@dataclass(frozen=True)
class SecretText:
    """A text and the secret that it holds."""

    template: str
    text: str
    secret: str


def fill_templates(table: str, seed: int = 7) -> list[SecretText]:
    """Return a text for each line of a table."""
    return [fill_template(line, seed) for line in table.strip().splitlines()]


def fill_template(line: str, seed: int) -> SecretText:
    """Return the text of a template, and its secret."""
    dice = random.Random(f"{seed}{line}")
    filled = _HOLE.sub(lambda hole: _fill_hole(hole, dice), line)
    before, opened, rest = filled.partition("«")
    secret, _, after = rest.partition("»")
    for _ in range(2):  # more than one part may be marked
        after = after.replace("«", "").replace("»", "")
    text = (before + secret + after) if opened else filled
    return SecretText(line, text.replace("{same}", secret).replace("¶", "\n"), secret)


def _fill_hole(hole: re.Match[str], dice: random.Random) -> str:
    if hole[1]:
        return "".join(dice.choice(ALPHABETS[hole[1]]) for _ in range(int(hole[2])))
    if hole[0] == "{pw}":
        word, number = dice.choice(_PLACES), dice.randrange(10, 10_000)
        return dice.choice(
            [
                f"{word}{number}!",
                f"{word.lower()}-{number}",
                f"{word[:4]}{number}x",
                f"{number}{word}#q",
            ]
        )
    return "-".join(
        "".join(dice.choice("0123456789abcdef") for _ in range(n)) for n in (8, 4, 4, 4, 12)
    )


def list_readable_pieces(secret: str, seen: str, *, size: int = 6) -> Iterator[str]:
    """Yield the pieces of a secret that can still be read."""
    size = min(size, len(secret))
    for at in range(len(secret) - size + 1):
        if secret[at : at + size] in seen:
            yield secret[at : at + size]
