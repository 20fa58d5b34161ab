"""What becomes of recalled text before it comes back: cut, wrapped, escaped, quoted, turned into other markup."""

from __future__ import annotations

import html
import json
import re
import textwrap
import unicodedata
from collections.abc import Callable

Damage = Callable[[str], str]


def lines(text: str) -> list[str]:
    return text.split("\n")


def bare(text: str) -> str:
    """The text without its fence, if it has one."""
    return "\n".join(one for one in lines(text) if "tensemem-" not in one)


def facts(text: str) -> list[str]:
    """The lines that tell a fact, without their bullets."""
    return [one.removeprefix("- ") for one in lines(text) if re.search(r"\d{4}-\d\d-\d\d", one)]


def each(change: Callable[[str], str]) -> Damage:
    return lambda text: "\n".join(map(change, lines(bare(text))))


def bulleted(mark: str) -> Damage:
    return lambda text: re.sub(r"(?m)^- ", lambda _: mark, bare(text))


ANY: dict[str, Damage] = {
    "as it is": lambda text: text,
    "without the fence": bare,
    "one fact alone": lambda text: next(one for one in facts(text) if "Delhi" in one),
    "facts only": lambda text: "\n".join(facts(text)),
    "without its first line": lambda text: "\n".join(lines(text)[1:]),
    "without its last line": lambda text: "\n".join(lines(text)[:-1]),
    "cut after the value": lambda text: text[: text.index("Delhi") + len("Delhi (since 2026-01-11)")],
    "escaped": html.escape,
    "escaped twice": lambda text: html.escape(html.escape(text)),
    "escaped, without the fence": lambda text: html.escape(bare(text)),
    "in a code block": lambda text: f"```\n{bare(text)}\n```",
    "in a code block in a list": lambda text: "- see\n" + textwrap.indent(f"```text\n{bare(text)}\n```", "  "),
    "as a reply": each(lambda one: f"> {one}"),
    "as a reply to a reply": each(lambda one: f"> > {one}"),
    "indented": each(lambda one: f"\t{one}"),
    "with carriage returns": lambda text: bare(text).replace("\n", "\r\n"),
    "with other line breaks": lambda text: bare(text).replace("\n", "\u2028"),
    "with a zero-width space in each place": lambda text: "\u200b".join(bare(text)),
    "with soft hyphens in words": lambda text: re.sub(r"(?<=[a-z])(?=[a-z])", "\u00ad", bare(text)),
    "with no-break spaces": lambda text: bare(text).replace(" ", "\u00a0"),
    "in capitals": str.upper,
    "in capitals, without the fence": lambda text: bare(text).upper(),
    "decomposed": lambda text: unicodedata.normalize("NFD", bare(text)),
    "as a JSON string": json.dumps,
    "as a JSON string, without the fence": lambda text: json.dumps(bare(text)),
    "inside an object": lambda text: json.dumps({"memory": bare(text)}, indent=1),
    "with an introduction": lambda text: f"This is what you told me:\n{bare(text)}",
    "with spaces doubled": lambda text: bare(text).replace(" ", "  "),
}
MARKDOWN: dict[str, Damage] = {
    "with stars": bulleted("* "),
    "with dots": bulleted("• "),
    "with arrows": bulleted("→ "),
    "with ticks": bulleted("✅ "),
    "numbered": bulleted("1. "),
    "lettered": bulleted("a) "),
    "to be done": bulleted("- [ ] "),
    "without bullets": bulleted(""),
    "joined by semicolons": lambda text: "; ".join(facts(text)),
    "joined by blanks": lambda text: " ".join(facts(text)),
    "in one sentence": lambda text: f"My memory says {', and '.join(facts(text))}, right?",
    "wrapped at 40": lambda text: textwrap.fill(bare(text).replace("\n", " "), 40),
    "wrapped at 20": lambda text: textwrap.fill(bare(text).replace("\n", " "), 20),
    "with the value on a line of its own": lambda text: bare(text).replace(": ", ":\n  "),
    "with dates in square brackets": lambda text: bare(text).replace("(", "[").replace(")", "]"),
    "with wide brackets": lambda text: bare(text).replace("(", "（").replace(")", "）"),
    "with dates behind a comma": lambda text: bare(text).replace(" (", ", ").replace(")", ""),
    "without brackets": lambda text: bare(text).replace("(", "").replace(")", ""),
    "with every line cut off": each(lambda one: one[:-4]),
    "with dates cut off": lambda text: bare(text).replace("-11)", "…"),
    "translated to German": lambda text: bare(text).replace("since", "seit"),
    "translated to Spanish": lambda text: "\n".join(facts(text)).replace("since", "desde el"),
    "with equals signs": lambda text: "\n".join(facts(text)).replace(": ", " = "),
    "with dashes": lambda text: "\n".join(facts(text)).replace(": ", " - "),
    "with arrows for colons": lambda text: "\n".join(facts(text)).replace(": ", " → "),
    "with wide colons": lambda text: "\n".join(facts(text)).replace(": ", "："),
    "as a table": lambda text: "\n".join(f"| {one.replace(': ', ' | ')} |" for one in facts(text)),
    "as a table of three": lambda text: "\n".join(
        f"| {one.replace(': ', ' | ').replace(' (', ' | ').replace(')', '')} |" for one in facts(text)
    ),
    "as an HTML list": lambda text: "<ul>" + "".join(f"<li>{one}</li>" for one in facts(text)) + "</ul>",
    "as an HTML list with bold names": lambda text: "".join(
        f"<li><b>{one.replace(':', ':</b>', 1)}</li>" for one in facts(text)
    ),
    "with bold names": lambda text: re.sub(r"(?m)^- (.*?):", r"- **\1**:", bare(text)),
    "with bold values": lambda text: bare(text).replace(": Delhi", ": **Delhi**"),
    "with HTML-bold values": lambda text: bare(text).replace(": Delhi", ": <b>Delhi</b>"),
    "with links": lambda text: bare(text).replace(": Delhi", ": [Delhi](https://example.org/delhi)"),
    "with quoted values": lambda text: bare(text).replace(": Delhi", ': "Delhi"'),
    "in quotation marks": lambda text: "\n".join(f"“{one}”" for one in facts(text)),
    "struck out": lambda text: re.sub(r"(?m)^- (.*)$", r"- ~~\1~~", bare(text)),
    "with blanks in names": lambda text: bare(text).replace("lives_in", "lives in"),
    "with joined names": lambda text: bare(text).replace("lives_in", "livesIn"),
    "with the subject before the name": lambda text: "\n".join(f"user.{one}" for one in facts(text)),
    # Without dates a line is known only below the title.
    "below its title, without dates": each(lambda one: one.split(" (")[0]),
    "below its title, with equals signs and without dates": each(lambda one: one.split(" (")[0].replace(": ", " = ")),
    "below its title, without bullets and dates": each(lambda one: one.split(" (")[0].removeprefix("- ")),
    "below its title in other letters": lambda text: bare(text).replace("Known", "Κnоwn").replace(" (since", ", seit"),
}
XML: dict[str, Damage] = {
    "with the elements cut off": each(lambda one: one[:-4]),
    "with plain quotation marks": lambda text: bare(text).replace('"', "'"),
    "with curly quotation marks": lambda text: re.sub('"([^"]*)"', r"“\1”", bare(text)),
    "with joined names": lambda text: bare(text).replace("lives_in", "livesIn"),
    "one fact, on two lines": lambda text: facts(text)[1].replace(" since", "\n  since"),
}
JSON: dict[str, Damage] = {
    "with plain quotation marks": lambda text: bare(text).replace('"', "'"),
    "with curly quotation marks": lambda text: re.sub('"([^"]*)"', r"“\1”", bare(text)),
    "with the objects cut off": each(lambda one: one[:-4]),
    "without quotation marks": lambda text: "\n".join(facts(text)).replace('"', ""),
    "with joined names": lambda text: bare(text).replace("lives_in", "livesIn"),
    "indented by a formatter": lambda text: json.dumps(json.loads(text), indent=2),
    "one fact, indented by a formatter": lambda text: json.dumps(json.loads(text)["current"][1], indent=4),
    "with equals signs": lambda text: "\n".join(facts(text)).replace(": ", " = "),
}
BY_FORMAT: dict[str, dict[str, Damage]] = {
    "markdown": {**ANY, **MARKDOWN},
    "xml": {**ANY, **XML},
    "json": {**ANY, **JSON},
}
