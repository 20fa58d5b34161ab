"""A labelled set for the secrets filter: texts with a secret, and texts that only look as if.

The secrets are made up here and belong to nothing. Fixed beginnings are put together from pieces, so that scanners
of repositories do not take this file for a leak.
"""

from __future__ import annotations

import itertools
import random
import string
from dataclasses import dataclass

LOWER_HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
BASE32 = string.ascii_uppercase + "234567"
BASE64 = ALNUM + "+/"
BASE64URL = ALNUM + "-_"


@dataclass(frozen=True)
class Positive:
    """A text, the secret in it, and the kind it should be counted as (empty: any)."""

    text: str
    secret: str
    kind: str = ""


def made_up(seed: str, length: int, alphabet: str = ALNUM) -> str:
    """A generated-looking string, always the same for a seed."""
    choose = random.Random(f"{seed}/{length}")
    while True:
        letters = "".join(choose.choices(alphabet, k=length))
        if any(letter.isdigit() for letter in letters) and letters[0].isalnum() and letters[-1].isalnum():
            return letters


def known_tokens(round_: int = 0) -> dict[str, list[str]]:
    """Tokens of every known form, by kind; other ones for another round."""

    numbers = itertools.count()

    def body(length: int, alphabet: str = ALNUM) -> str:
        return made_up(f"token {round_} {next(numbers)}", length, alphabet)

    return {
        "aws_access_key": ["AK" + "IA" + body(16, BASE32), "AS" + "IA" + body(16, BASE32)],
        "github_token": [f"gh{letter}" + "_" + body(36) for letter in "pousr"]
        + ["github" + "_pat_" + body(22) + "_" + body(59)],
        "gitlab_token": ["gl" + "pat-" + body(20, BASE64URL)],
        "slack_token": [
            "xo" + "xb-" + body(12, string.digits) + "-" + body(13, string.digits) + "-" + body(24),
            "xo" + "xp-" + body(11, string.digits) + "-" + body(12, string.digits) + "-" + body(32, LOWER_HEX),
            "xa" + "pp-1-A" + body(10, BASE32) + "-" + body(13, string.digits) + "-" + body(64, LOWER_HEX),
        ],
        "slack_webhook": [
            "hooks.sl" + "ack.com/services/T" + body(8, BASE32) + "/B" + body(10, BASE32) + "/" + body(24)
        ],
        "openai_key": ["sk" + "-" + body(48), "sk" + "-proj-" + body(96, BASE64URL), "sk" + "-" + body(32, LOWER_HEX)],
        "anthropic_key": ["sk" + "-ant-api03-" + body(93, BASE64URL) + "AA"],
        "google_api_key": ["AI" + "za" + body(35, BASE64URL)],
        "stripe_key": ["sk" + "_live_" + body(24), "rk" + "_live_" + body(99), "sk" + "_test_" + body(24)],
        "npm_token": ["np" + "m_" + body(36)],
        "pypi_token": ["py" + "pi-AgEIcHlwaS5vcmc" + body(150, BASE64URL)],
        "huggingface_token": ["h" + "f_" + body(34)],
        "sendgrid_key": ["S" + "G." + body(22, BASE64URL) + "." + body(43, BASE64URL)],
        "digitalocean_token": ["do" + "p_v1_" + body(64, LOWER_HEX)],
        "tensemem_token": ["t" + "sm_" + body(16, LOWER_HEX) + "_" + body(64, LOWER_HEX)],
        "jwt": [
            "ey" + "J" + body(33, BASE64URL) + ".ey" + "J" + body(80, BASE64URL) + "." + body(43, BASE64URL),
            "ey" + "J" + body(17, BASE64URL) + "." + body(300, BASE64URL) + "." + body(342, BASE64URL),
        ],
        "telegram_token": [body(9, "123456789") + ":A" + "A" + body(33, BASE64URL)],
    }


CONTEXTS = (
    "{}",
    "please use {} for the demo, and tell nobody.",
    '{{"value": "{}", "n": 3}}',
    "部署时用{}就可以了",
)


def known_positives() -> list[Positive]:
    return [
        Positive(context.format(token), token, kind)
        for round_, context in enumerate(CONTEXTS)
        for kind, tokens in known_tokens(round_).items()
        for token in tokens
    ]


def pem(label: str, lines: int = 6, end: bool = True, glue: str = "\n") -> str:
    """A private key block of a label, made up."""
    body = [made_up(f"pem {label} {number}", 64, BASE64) for number in range(lines)]
    tail = [f"-----END {label}-----"] if end else []
    return glue.join(["-----BE" + f"GIN {label}-----", *body, made_up(label, 22, BASE64) + "==", *tail])


def key_blocks() -> list[Positive]:
    labels = ["RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"]
    blocks = [pem(label) for label in labels]
    pgp = pem("PGP PRIVATE KEY BLOCK").replace("-----\n", "-----\nVersion: GnuPG v2\n\n", 1)
    old = pem("DSA PRIVATE KEY").replace(
        "-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B2C\n\n", 1
    )
    open_ended = pem("RSA PRIVATE KEY", end=False)
    escaped = pem("PRIVATE KEY", glue="\\n")
    in_one_line = pem("PRIVATE KEY", glue=" ")
    texts = [
        *((block, block) for block in blocks),
        (f"this is mine:\n{pgp}\nthanks", pgp),
        (old, old),
        (f"{open_ended}\n\nThat is all I could copy.", open_ended),
        (f'{{"type": "service_account", "private_key": "{escaped}\\n", "x": 1}}', escaped),
        (f"KEY='{in_one_line}'", in_one_line),
        ("\n".join("    " + line for line in blocks[0].split("\n")), made_up("pem RSA PRIVATE KEY 5", 64, BASE64)),
        ("\n".join("> " + line for line in blocks[1].split("\n")), made_up("pem PRIVATE KEY 3", 64, BASE64)),
    ]
    return [Positive(text, secret, "private_key") for text, secret in texts]


# The secret stands between ‹ and ›.
URLS = """
postgres://app:‹Zx81qwerty›@db.example.com:5432/main
my database is at mysql://root:‹hunter2›@localhost/shop, ask me if it is down
redis://:‹p0lar-bear-77›@10.0.0.4:6379/0
DATABASE_URL=postgresql+psycopg://svc:‹N0t%40Real›@db:5432/app?sslmode=require
amqp://guest:‹correcthorse›@broker.example.org/vhost
https://jenkins:‹11aa22bb33cc44dd›@ci.example.com/job/42
mongodb+srv://admin:‹S3cr3t@Mongo›@cluster0.example.net/test
git clone https://oauth2:‹u7Tq-99xkLm›@git.example.com/team/repo.git
ftp://backup:‹Winter2024!›@files.example.com
smtp://mailer@example.com:‹tooManySecrets›@mail.example.com:587
连接地址是postgres://app:‹zhongwen88›@db.example.com/main，请保密
"""

HEADERS = """
Authorization: Bearer ‹6f1ed002ab5595859014ebf0951522d9›
curl -H "Authorization: Bearer ‹mF_9.B5f-4.1JqM7xQ2›" https://api.example.com/me
headers = {"Authorization": "Bearer ‹q8ZfT3xWv1LrK0sPn6Yb›"}
Authorization: Basic ‹dXNlcjpwYXNzd29yZDEyMw==›
authorization: basic ‹QWxhZGRpbjpvcGVuc2VzYW1l›
-H 'authorization: token ‹9a7b3c1d5e2f4a6b8c0d›'
Proxy-Authorization: Basic ‹cHJveHk6czNjcjN0›
X-Api-Key: ‹d41d8cd98f00b204e9800998ecf8427e›
X-Auth-Token: ‹AbC123dEf456GhI789jKl›
use Bearer ‹z9Y8x7W6v5U4t3S2r1Q0› in the header
"""

PASSWORDS = """
my password is ‹hunter22›
My password is ‹Tr0ub4dor&3›.
the wifi password is ‹Sunflower2019›
The password for the router is ‹admin4567›
password for gmail: ‹Kitten-4-Ever›
password = ‹S3cur3P4ss›
password: ‹letmein123›
password="‹aB3$kL9!›"
PASSWORD='‹Qwerty12345›'
DB_PASSWORD=‹x7Gh2kLp›
db_pass = "‹mySQL#2024›"
export PGPASSWORD=‹pgsecret99›
{"username": "bob", "password": "‹b0bsPassw0rd›"}
{'password': '‹hunter2hunter2›'}
password => '‹rails4ever›'
<password>‹xml1sFun›</password>
mysqldump -u root --password=‹cli4rgument› shop
tool login --password ‹cli4rgument2› --yes
"passwd": "‹r00tr00t›"
pwd: ‹doorcode88›
pwd=‹Summer#21›
user=sa;Password=‹yourStrong(!)Passw0rd›;Database=master
Server=db;User Id=app;Password=‹Conn3ct!›;Encrypt=yes
https://example.com/login?user=bob&password=‹url4pass›&next=/
I changed my password to ‹NewPass2025›, please remember it
I set my password to ‹correct7horse› today
the password was ‹OldPass99›
my new password is "‹quoted#Pass1›"
my password is “‹curly88quote›”
password: ‹12345678›
my email password is ‹654321›
passphrase: ‹blue7Whale!Sky›
the passcode is ‹482913›
**Password:** ‹mark4down›
`password`: `‹code5Span›`
root password is: ‹T0or!T0or›
password is now ‹fresh5tart›
Passwort: ‹Geheim123›
mein Passwort ist ‹Sommer2024!›
Das Passwort lautet ‹Blume_77x›.
Kennwort: ‹Katze99!›
mi contraseña es ‹Gato2024›
contraseña: ‹perro123›
la contraseña del wifi es ‹casa-azul-7›
contrasena=‹Madrid88›
la clave es ‹Clave2023x›
mot de passe : ‹Soleil75!›
mon mot de passe est ‹fromage12›
a senha é ‹Brasil2022›
senha: ‹futebol10›
我的密码是‹hunter22x›
密码：‹abc12345›
密码: ‹Zhang1988›
我的密码是 ‹888888aa›，不要告诉别人
WiFi密码‹wifi88888›
路由器的密码为‹Home2020!›。
登录密码设置为‹Qw3rty88›
口令是‹open5esame›
パスワードは‹sakura2021›です
パスワード：‹Fuji3776m›
비밀번호는 ‹seoul2024›
비밀번호: ‹kimchi77›
мой пароль ‹zima2023›
Пароль: ‹Moskva_95›
login: bob / password: ‹gr8Expect›
pass: ‹hunter22›
"password\\": \\"‹esc4ped1›\\"
password:‹nospace7›
new_password1 = '‹An0ther0ne›'
spring.datasource.password=‹pr0perties›
MYSQL_ROOT_PASSWORD: ‹compose99›
"""

KEYS = """
api_key = "‹a8f5f167f44f4964e6c998dee827110c›"
apiKey: '‹7Hj2kLm9Qw4Er6Ty›'
API_KEY=‹Zk3vT8wQ1xN5mB7c›
"api-key": "‹3f2504e0-4f89-11d3-9a0c-0305e82c3301›"
my api key is ‹9c1185a5c5e9fc54612808977ee8f548›
the api key for the weather service is ‹b6907d289e10d714a6e88b30761fae22›
client_secret: "‹GXq7Lr2VtN8sKp4W›"
"client_secret": "‹4tKz~9xPq.Lm2Rv7Hs›"
client_secret=‹e4d909c290d0fb1ca068ffaddf22cbd0›&grant_type=client_credentials
SECRET_KEY = 'django-insecure-‹k#2v@9x!m3q$7w^z8n&b5c*4›'
secret: ‹s3cr3tV4lu3s1234›
JWT_SECRET=‹u8x/A?D(G+KbPeSh›
access_token: ‹ya29.a0AfH6SMBx7Qk3vT8w›
"refresh_token": "‹1//0gK3vT8wQ1xN5mB7c-L9IrT›"
auth token: ‹5d41402abc4b2a76b9719d911017c592›
token = "‹v2.1f699f1069f60xxq7k3m›"
GITEA_TOKEN=‹0a4d55a8d778e5022fab701977c5d840›
"token": "‹Zm9vYmFyYmF6cXV4MTIz›"
my bot token is ‹MTIzNDU2Nzg5MDEyMzQ1Njc4.X1yZ2a.bCdEfGhIjKlMnOpQrStUvWxYz12›
accessToken: "‹k9Lm3Nq7Rt1Vx5Zb›"
signing key: ‹whR7tY2uI9oP4aS6›
ENCRYPTION_KEY=‹00112233445566778899aabbccddeeff›
private_key: ‹5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF›
密钥是‹f1d3ff8443297732862df21dc4e57262›
令牌：‹c4ca4238a0b923820dcc509a6f75849b›
API key：‹QmFzZTY0S2V5MTIzNDU2›
app secret => ‹98f13708210194c475687be6106a3b84›
webhook secret is ‹wX4yZ7aB1cD5eF8g›
"""

CARDS = """
my card is ‹4111 1111 1111 1111›
card number: ‹4111111111111111›
Visa ‹4012-8888-8888-1881›
visa: ‹4222222222222›
mastercard ‹5555 5555 5555 4444›, exp 12/27
MasterCard number ‹5105105105105100› cvv 123
my mastercard is ‹2223003122003222›
amex ‹378282246310005›
Amex: ‹3714 496353 98431› please
american express ‹3787-344936-71000›
discover card ‹6011 1111 1111 1117›
diners card ‹30569309025904›
jcb ‹3530111333300000›
UnionPay card ‹6200 0000 0000 0005›
‹4111 1111 1111 1111› cvv 123
‹5555555555554444› (cc)
cc: ‹4242424242424242›
{"card_number": "‹4242 4242 4242 4242›", "exp": "12/27"}
please charge the card ending soon, the full number of it is ‹4000 0566 5566 5556› thanks
信用卡号‹4111111111111111›
我的卡号是 ‹6212345678901232›
卡号：‹４１１１１１１１１１１１１１１１›
mi tarjeta es ‹5200 8282 8282 8210›
meine Karte: ‹4012 8888 8888 1881›
Kreditkarte ‹5105 1051 0510 5100›
ma carte bancaire ‹4970 1012 3456 7893›
debit card ‹4000056655665556›
card ‹4111\u00a01111\u00a01111\u00a01111›
カード番号は‹3566002020360505›です
"""

# Freer wording. Four of these are beyond the filter: a value before its cue, a short PIN, a value with a blank,
# a token made of words and a number.
FREER = """
hey, can you store this for later: the vpn password is ‹Gr33nTea!› ok?
Netflix login: me@example.com, password ‹popcorn77›
pw for the nas is ‹Synology#1›
wifi: HomeNet / pass: ‹bluefish42›
I use ‹MyD0gRex99› as my password
ssh root@10.0.0.1 password ‹toor1234›
my bank pin is ‹4821›
password:‹P@ssw0rd›
Password - ‹Welcome1›
her password's ‹Tulip2020›
password → ‹Arrow88x›
"db":{"user":"x","pass":"‹zX9kQ2mm›"}
the admin password was changed from ‹Old1234x› to Neu
SMTP_PASS=‹mail-er-2020›
spring.mail.password: ‹abcd efgh›
twitter secret: ‹Hq8Zr3LmX0pVw7Bt›
"apiToken":"‹rM8tY3kL0pQz›"
bearer: ‹0f8fad5bd9cb469fa16570867728950e›
pay with card no. ‹5454 5454 5454 5454› please
my cc number's ‹4012888888881881›
CVC 123, number ‹6011000990139424›
numéro de carte : ‹4970 1012 3456 7893›
número de tarjeta: ‹4111 1111 1111 1111›
Kartennummer ‹4111111111111111›
我的信用卡是‹5105105105105100›
数据库密码：‹mysql@123›
账号 root 密码 ‹Root#2023›
密码改成了‹NewPwd99›
パスワードを‹Kaede77›に変えました
el password es ‹Lima2024›
clave: ‹Toro4321›
das WLAN-Passwort: ‹Hund&Katze1›
il mio password è ‹Roma2020!›
postgresql://reader:‹Fd8-kk2›@pg/db
mqtt://dev:‹mq77tt›@broker:1883
https://admin:‹Adm1n!›@192.168.1.1/
APIKEY ‹3b1f0c9d8e7a6b5c4d3e2f1a›
token ‹9b2c3d4e5f60718293a4b5c6›
Token: ‹abcDEF123ghiJKL456›
x-access-token: ‹AbCdEf.123456.GhIjKl›
"""

_SK = made_up("twilio", 32, LOWER_HEX)
_AWS = made_up("aws secret", 40, BASE64)
_AZURE = made_up("azure", 86, BASE64) + "=="
_DISCORD = "M" + made_up("discord a", 23) + "." + made_up("discord b", 6) + "." + made_up("discord c", 27)
_GITHUB = "gh" + "p_" + made_up("hidden", 36)


def others() -> list[Positive]:
    hidden = "\u200b".join([_GITHUB[:7], _GITHUB[7:20], _GITHUB[20:]])
    joined = "\u2060".join(_GITHUB)
    return [
        Positive(f"twilio key SK{_SK}", f"SK{_SK}", "twilio_key"),
        Positive(f"TWILIO_API_KEY_SID=SK{_SK}", f"SK{_SK}", "twilio_key"),
        Positive(f"aws_secret_access_key = {_AWS}", _AWS, "aws_secret_key"),
        Positive(f'"SecretAccessKey": "{_AWS}"', _AWS, "aws_secret_key"),
        Positive("AK" + f"IA{made_up('pair', 16, BASE32)},{_AWS}", _AWS, "aws_secret_key"),
        Positive("id " + "AK" + f"IA{made_up('pair', 16, BASE32)}\nkey {_AWS}\n", _AWS, "aws_secret_key"),
        Positive(f"AccountName=shop;AccountKey={_AZURE};EndpointSuffix=x", _AZURE, "azure_key"),
        Positive(f"Endpoint=sb://x/;SharedAccessKeyName=r;SharedAccessKey={_AZURE[40:]}", _AZURE[40:], "azure_key"),
        Positive(f"the discord bot logs in with {_DISCORD}", _DISCORD, "discord_token"),
        Positive(f"run {hidden} now", hidden, "github_token"),
        Positive(f"run {joined} now", joined, "github_token"),
        Positive(f"line one\\n{_GITHUB}\\nline three", _GITHUB, "github_token"),
        Positive(f"https://{_GITHUB}@github.com/a/b.git", _GITHUB, "github_token"),
        Positive(f"https://api.telegram.org/bot{known_tokens()['telegram_token'][0]}/getMe",
                 known_tokens()["telegram_token"][0], "telegram_token"),
    ]  # fmt: skip


def marked(lines: str, kind: str = "") -> list[Positive]:
    """The lines of a table; the secret is what stands between the last pair of ‹ and ›."""
    found = []
    for line in lines.strip().splitlines():
        secret = line.rpartition("‹")[2].partition("›")[0]
        found.append(Positive(line.replace("‹", "").replace("›", ""), secret, kind))
    return found


def positives() -> list[Positive]:
    """Every text that holds a secret."""
    return [
        *known_positives(),
        *key_blocks(),
        *marked(URLS, "url_password"),
        *marked(HEADERS),
        *marked(PASSWORDS, "password"),
        *marked(KEYS),
        *marked(CARDS, "card_number"),
        *marked(FREER),
        *others(),
    ]
