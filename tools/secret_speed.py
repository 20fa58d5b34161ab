"""Print what the secrets filter costs, in milliseconds per MB, on ordinary and on hostile text.

    python tools/secret_speed.py [size in KB, default 1024]

Processor time, the best of seven runs each; MB are bytes of UTF-8. The second column is the ratio to a quarter of
the size: about 4 means linear.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tensemem.core.secrets import Redactor

_ENGLISH = (
    "I moved to Bangalore last week, and the new team meets on Tuesdays. My wife keeps her job in Delhi until May. "
    "Could you remind me that the dentist is at 10:30 on 2026-03-14? The key point is that the token count matters. "
    "We pass the ball a lot; secretaries and cardiologists come too. Order 4500012345, room 12, about 3.5 km away.\n"
)
_CHINESE = "我上周搬到了班加罗尔，新的团队每周二开会。我的密码还没有改。订单号是4500012345，请在下午三点之前送到。\n"
_MIXED = "Über die Straße, señor; la contraseña no la digo. Café “Zum Löwen”, 10:30 – 12:00 Uhr 👍\n"
_CODE = (
    "def read_token(self, key: str, *, password: str | None = None) -> dict[str, Any]:\n"
    '    secret = self._settings.get("client_secret") or os.environ["API_KEY"]\n'
    "    return {'token': hash_of(secret), \"url\": f'https://example.com/{key}?page_token=12'}\n"
)
_LOG = (
    '{"ts": 1760000000000, "request_id": "3f2b8c1e-5a4d-4f60-9c7e-2b1a0d9e8f77", "sha": '
    '"9b74c9897bac770ffc029102a200c5de6b1d3a55", "token_count": 4096, "path": "/v1/messages"}\n'
)


def main() -> None:
    size = int(sys.argv[1]) * 1024 if len(sys.argv) > 1 else 1 << 20
    redactor = Redactor()
    print(f"{'text':34} {'ms/MB':>8} {'x for 4x':>9}")
    for name, make in _texts().items():
        text = make(size)
        whole, quarter = _best(redactor, text), _best(redactor, text[: len(text) // 4])
        megabytes = len(text.encode("utf-8", "replace")) / (1 << 20)
        print(f"{name:34} {whole * 1000 / megabytes:8.1f} {whole / quarter:9.1f}")
    message = _ENGLISH[:200]
    print(f"{'a message of 200 characters':34} {_best(redactor, message) * 1e6:8.1f} µs")


def _best(redactor: Redactor, text: str, runs: int = 7) -> float:
    times = []
    for _ in range(runs):
        start = time.thread_time()
        redactor(text)
        times.append(time.thread_time() - start)
    return min(times)


def _filled(unit: str) -> Callable[[int], str]:
    """Text of a unit repeated to about a number of bytes."""
    width = len(unit.encode())
    return lambda size: unit * (size // width)


def _texts() -> dict[str, Callable[[int], str]]:
    words = {
        "English": _ENGLISH,
        "Chinese": _CHINESE,
        "German, Spanish, emoji": _MIXED,
        "code": _CODE,
        "JSON log": _LOG,
    }
    runs = [*"ask14 \n_-=\"':@./\\[\0é密１"]
    units = [
        "sk-", "sk- ", "ghp_", "-----BEGIN", "-----BEGIN RSA PRIVATE KEY-----\n", "eyJ", "eyJ.", "eyJaaaaaaaa.",
        "-eyJ", "://", "://a:", "://a:b@", "a:b@", "AKIA", "SG.", "xox", "AIza", "[redacted:", "[redacted:x]",
        "\u200b", "a\u200b", "\\n", '="', "token", "token=", "token: ", "token=1", "password", "password ",
        "password is ", "password='", "secret=", "password for ", "key ", "api key: ", "bearer ",
        "authorization: ", "密码", "密码是", "密码1", "card ", "cc ", "cvv 1", "card 4111111111111112 ",
        "4111 1111 1111 ", "12345678901a", "1234567890123 ", "twilio ", "discord M.", ":AA", "1:AA",
    ]  # fmt: skip
    secrets = {
        "dense: password = …": "password = Hunter22x\n",
        "dense: API keys": "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 ",
        "dense: card numbers": "card 4111 1111 1111 1111\n",
        "dense: refused values": "password: required, token: invalid, secret: see-the-vault-1\n",
    }
    named = {**words, **{f"run of {unit!r}": unit for unit in [*runs, *units]}, **secrets}
    texts = {name: _filled(unit) for name, unit in named.items()}
    texts["random letters and digits, no space"] = lambda size: "".join(
        random.Random(1).choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", k=size)
    )
    texts["random printable"] = lambda size: "".join(
        random.Random(2).choices([chr(code) for code in range(32, 127)], k=size)
    )
    texts["all cues shuffled"] = lambda size: " ".join(random.Random(3).choices(units, k=size // 8))[:size]
    texts["'card' and a run of digits"] = lambda size: "card " + "4" * size
    texts["'card' and groups of digits"] = lambda size: "card " + "4111 1111 " * (size // 10)
    return texts


if __name__ == "__main__":
    main()
