"""Measure `tensemem.times.find`: `python tools/time_speed.py`.

Prints microseconds of processor time per message of about 100 characters for each language, told and tried, beside a
floor measured in the same run: one `re` scan for words and digits over the same text. The messages are half with times,
half without.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tensemem.times import find

REFERENCE = datetime(2025, 5, 14, 10, tzinfo=UTC)
FLOOR = re.compile(r"\w+|\d+|[^\w\s]")
ROUNDS, REPEATS = 30, 20
MESSAGES = {
    "en": (
        "I moved to Bangalore last March and I have worked at Acme since 2019, before that I lived in Delhi, ok.",
        "I really like working with Python and Go, but my team prefers Rust for everything that has to be fast.",
        "Could you please book the meeting room for next Tuesday at 3pm and tell my wife that I will be there?",
        "My wife is allergic to peanuts and our daughter likes to draw, so we need some paper for the kitchen.",
    ),
    "es": (
        "Me mudé a Valencia el mes pasado y trabajo en la misma empresa desde 2019, antes vivía en otra ciudad.",
        "Me gusta mucho trabajar con Python y Go, pero mi equipo prefiere Rust para todo lo que debe ser rápido.",
    ),
    "de": (
        "Ich bin letzten Monat nach Köln gezogen und arbeite seit 2019 bei derselben Firma, davor in Bremen, ja.",
        "Ich arbeite sehr gern mit Python und Go, aber mein Team nimmt lieber Rust für alles, was schnell sein muss.",
    ),
    "fr": (
        "J'ai déménagé à Nantes le mois dernier et je travaille dans la même entreprise depuis 2019, à peu près.",
        "J'aime beaucoup travailler avec Python et Go, mais mon équipe préfère Rust pour tout ce qui va vite, bon.",
    ),
    "zh": (
        "我上个月搬到了杭州，从2019年起一直在同一家公司工作，之前住在南京，现在每个周末都会和朋友一起去爬山，也喜欢喝茶和看电影，"
        "明年打算再换一个大一点的房子，因为孩子要上学了，家里的东西也越来越多，不过还没有决定在哪个区买。",
        "我很喜欢用Python和Go写程序，不过我的团队更喜欢Rust，因为他们觉得速度很重要，我们经常为这个问题争论，最后还是听大家的意见，"
        "用大家都熟悉的语言，这样维护起来也比较方便，新来的同事也容易上手，代码也更容易读。",
    ),
    "ja": (
        "先月大阪に引っ越しました。2019年から同じ会社で働いています。その前は京都に住んでいました。友達と山に登ることが好きです。"
        "来年はもう少し大きい家に移りたいと思っていますが、まだ場所は決めていません。子どもの学校も考えます。",
        "PythonとGoで書くのがとても好きですが、チームのみんなはRustのほうが好きです。速さが大切だからです。よく話し合いますが、"
        "結局みんながよく知っている言語を使うことになります。そのほうが直しやすいからです。読みやすさも大切です。",
    ),
}


def main() -> None:
    """Print the figures."""
    print(f"{'':10}{'told':>10}{'tried':>10}{'floor':>10}   µs per message")
    for language, messages in MESSAGES.items():
        told = measured(lambda text, code=language: find(text, reference=REFERENCE, language=code), messages)  # type: ignore[misc]
        tried = measured(lambda text: find(text, reference=REFERENCE), messages)
        floor = measured(FLOOR.findall, messages)
        mean = sum(map(len, messages)) / len(messages)
        print(f"{language:10}{told:10.1f}{tried:10.1f}{floor:10.1f}   {mean:.0f} characters")


def measured(work: Callable[[str], object], messages: tuple[str, ...]) -> float:
    """Give the microseconds that a message takes on average, the best of some rounds."""
    best = float("inf")
    for message in messages:
        work(message)
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(REPEATS):
            for message in messages:
                work(message)
        best = min(best, time.process_time() - start)
    return best / REPEATS / len(messages) * 1e6


if __name__ == "__main__":
    main()
