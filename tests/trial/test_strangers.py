"""Text that is no chat is refused by name, and plain text that resembles it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensemem.errors import InvalidValueError
from tensemem.trial import run
from tensemem.trial.readers import recognise
from tests.trial.made import put, read, source

REFUSED = {
    "one row": ("ana,I live in Porto\n", "a table separated by commas"),
    "rows with a head": ("user,message\nana,Hi, I live in Porto\nbob,\"yes, me too\"\n", "a table separated by commas"),
    "names of two words": ("Ana Smith,hello\nBob Jones,I live in Porto\n", "a table separated by commas"),
    "rows with times": ("2026-01-05 10:00,Ana,I live in Porto\n2026-01-05 10:01,Bob,Hi, you\n", "commas"),
    "semicolons": ("date;from;text\n2026-01-05 10:00;Ana Smith;I live in Porto\n", "a table separated by semicolons"),
    "tabs": ("10:02\tAna\tI live in Porto\n10:03\tBob\tnice\nand so on\n", "a table separated by tabs"),
    "bars": ("| who | says |\n|---|---|\n| ana | I live in Porto |\n", "a table separated by bars"),
    "HTML": ("<!DOCTYPE html>\n<html><body>I live in Porto</body></html>\n", "HTML or XML"),
    "a piece of HTML": ("\ufeff<p>I live in Porto</p>\n", "HTML or XML"),
    "XML": ('<smses count="1">\n<sms body="I live in Porto" />\n</smses>\n', "HTML or XML"),
    "JSON text": ('"I live in Porto"', "JSON that is no chat"),
    "JSON text over lines": ('\n  "I live in Porto"\n\n', "JSON that is no chat"),
    "a JSON text a line": ('"I live in Porto"\n"I like tea"\n', "JSON that is no chat"),
    "a JSON list a line": ('[1, "I live in Porto"]\n[2, "I like tea"]\n', "JSON that is no chat"),
    "JSON that is cut off": ('{"messages": [\n {"role": "user",\n', "JSON that is broken or cut off"),
    "no JSON": ("{'role': 'user', 'content': 'I live in Porto'}\n", "JSON that is broken or cut off"),
    "YAML": ("- role: user\n  content: I live in Porto\n", "YAML"),
    "names in angles": ("<ana> I live in Porto\n<bob> I live in Rome\n", "a log with names as in <ana>"),
    "names in angles behind times": ("10:02 <ana> I live in Porto\n10:03 <bob> hi\n", "a log with names as in <ana>"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_by_what_it_looks_like(case: str, tmp_path: Path) -> None:
    content, what = REFUSED[case]
    with pytest.raises(InvalidValueError, match=r"^chat looks like .* which is not read; expected a JSON list") as why:
        recognise(source(put(tmp_path, "chat", content)))
    assert what in str(why.value)


NOT_READ = {
    "numbers": ("[1,2]", "a number stands there"),
    "many numbers": (f"[{','.join('7' * 40_000)}]", "a number stands there"),
    "truth values": ("[\n true\n]", "a truth value stands there"),
    "texts": ('["I live in Porto"]', "a text stands there"),
    "another object": ('{"name": "Ana"}', "it has no role"),
    "Telegram": (
        '{"name": "Bob", "messages": [{"from": "Ana", "date": "2024-05-12T10:02:00", "text": "I live in Porto"}]}',
        "its role is 'Ana'",
    ),
    "Slack": ('[{"type": "message", "user": "U1", "text": "I live in Porto", "ts": "1715500000.1"}]', "it has no role"),
}


@pytest.mark.parametrize("case", NOT_READ)
def test_json_without_messages_is_refused(case: str, tmp_path: Path) -> None:
    content, why = NOT_READ[case]
    with pytest.raises(InvalidValueError, match=f"^no message could be read: chat:[12]: {why}; expected a message"):
        run([str(put(tmp_path, "chat", content))], "offline")


PLAIN = {
    "commas": "Hi, I live in Porto\nYes, I do\n",
    "a comma without a blank": "Hi,I live in Porto\nyes, I do\n",
    "a comma in one line of several": "I live in Porto,really\nI like tea\n",
    "one sentence with a comma": "I moved, and I like it\n",
    "a day": "On 12/05/2024 I moved to Porto\n12/05/2024 I like it\n",
    "a day and a time": "12/05/2024, 10:02 I moved to Porto\n",
    "times of the day": "10:02 I got up; I had tea\n10:05 I left; it rained\n",
    "a sign like a tag": "<3 you, I live in Porto\n",
    "a word in angles": "<sigh> I live in Porto\nI like tea\n",
    "a footnote": "[1] I live in Porto\n",
    "a quotation": '"Life" is good\n"So" they say\n',
    "a tab at the beginning": "\tI live in Porto\n\tI like tea\n",
    "a name in braces": "{name}, I live in Porto\n",
    "bars in one line": "I live in Porto | Lisbon\nI like tea\n",
    "a comma a line": "I live in Porto, Portugal\nI like tea, coffee\n",
}


@pytest.mark.parametrize("case", PLAIN)
def test_plain_text_that_resembles_it_stays_plain_text(case: str, tmp_path: Path) -> None:
    form, said, faults = read(put(tmp_path, "notes", PLAIN[case]))
    assert form == "plain text, one message a line"
    assert [one.text for one in said] == [line.strip() for line in PLAIN[case].splitlines()]
    assert faults == []
