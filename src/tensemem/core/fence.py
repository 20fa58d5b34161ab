"""Recalled text: fenced on the way out, found again on the way in.

What memory prints goes back to it sooner or later: an agent pastes its prompt, a person quotes an answer. So recalled
text stands between tags that no value can imitate (`wrap`, `neutralise`), and a message is searched for such blocks
(`find_fences`), for lines that say what the renderer says (`echo_spans`), and for what is quoted from elsewhere
(`quoted_regions`). Every span is `(begin, stop)` in the offsets of the text as given; every function is linear.

Tags are sought on a skeleton: escapes decoded, look-alike letters made one, and everything left out that is neither a
letter, a digit nor one of `< > / -`. A reader who overlooks spaces, accents and invisible characters sees the same.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from html.entities import html5
from typing import NamedTuple

from .quoting import quoted_regions
from .regions import LINE_BREAK, blanked, covers, lines_of, merge_spans, replaced
from .text import INVISIBLE, CharTable, Span, comparison_key

__all__ = [
    "blanked",
    "covers",
    "echo_spans",
    "fence_tag",
    "find_fences",
    "find_titled",
    "line_skeleton",
    "merge_spans",
    "neutralise",
    "one_line",
    "quoted_regions",
    "visible",
    "wrap",
    "xml_escape",
]


def fence_tag(secret_hex: str) -> str:
    """Return the tag of a database, such as `tensemem-3f9a2c`. It does not reveal the secret it is made from."""
    return f"tensemem-{hashlib.sha256(f'fence:{secret_hex}'.encode()).hexdigest()[:6]}"


def wrap(text: str, tag: str) -> str:
    """Return the text between an opening and a closing tag, each on a line of its own."""
    return f"<{tag}>\n{text}\n</{tag}>"


def neutralise(text: str, tag: str) -> str:
    """Return the text with every imitation of the tag, or of another database's, replaced by `[quoted mark]`.

    An imitation is found in any case, spacing, punctuation, escape or look-alike script, with its brackets. The
    result holds none, also where what is left closes up around a replacement. Tag characters (invisible ASCII) are
    removed. `tag` is one that `fence_tag` gave.
    """
    text = _TAG_CHARACTERS.sub("", text)
    name, bones = _name_of(tag), _skeleton(text)
    if name not in _letters(bones) and not _TAG_NAME.search(bones):
        return text
    return replaced(text, _imitations(text, name), lambda _: _REPLACEMENT)


def visible(text: str) -> str:
    """Return the text with nothing hidden in it.

    Controls, bidirectional overrides and lone surrogates are shown as `\\u202e`, any kind of line break is a newline,
    tabs stay. Other invisible characters are removed, except where they shape what is seen: a joiner between two
    letters of a script that has joined forms or between emoji, and an emoji's or a keycap's presentation selector.
    """
    return _HIDDEN.sub(_shown, text)


def one_line(text: str) -> str:
    """Return the text with each line break written as `\\n`, so that a value cannot begin a line."""
    return LINE_BREAK.sub(r"\\n", text)


def xml_escape(text: str) -> str:
    """Return the text as content of an XML 1.0 element or attribute; characters XML has no place for as `\\u0001`."""
    return _XML_UNSAFE.sub(lambda found: _XML.get(found[0]) or _escaped(found[0]), text)


def find_fences(text: str, *, is_context_line: Callable[[str], bool] | None = None) -> tuple[Span, ...]:
    """Return the blocks between tags of this or any other database, the tags included.

    Blocks may be nested; what stands between two blocks is not covered. A closing tag of another block does not end
    one. Where the opening tag was cut off, the block begins where the text, or what follows the block before, begins.

    Where the closing tag was cut off, the block reaches to the end of the text, but for what follows a blank line and
    cannot be recalled text: paragraphs after the last one with a line that begins like a rendered line (bullet,
    number, heading, quote, markup) or whose `line_skeleton` satisfies `is_context_line`. So a cut tag teaches
    nothing, as long as the renderer gives every recalled text a line that begins so, and a person's own paragraph
    below is kept.
    """
    spans, opened, begin = list[Span](), list[str](), 0
    waiting: Counter[str] = Counter()
    for at, after, is_closing, name in _tags(text):
        if not is_closing:
            begin = begin if opened else at
            opened.append(name)
            waiting[name] += 1
        elif waiting[name] or not opened:
            while opened:  # with it close those inside that nothing closed
                inner = opened.pop()
                waiting[inner] -= 1
                if inner == name:
                    break
            if not opened:
                spans.append((begin, after))
                begin = after
    if opened:
        spans.append((begin, _end_of_cut_block(text, begin, is_context_line)))
    return tuple(spans)


class Titled(NamedTuple):
    """Recalled text that is known by its title: where that begins and stops, its line, and the lines listed below."""

    begin: int
    stop: int
    line_stop: int
    list_stop: int


def find_titled(text: str, title: str, *, is_context_line: Callable[[str], bool]) -> tuple[Titled, ...]:
    """Return where the title of recalled text stands, in whatever disguise, with the lines below that continue it.

    A line continues it if it begins like a rendered line or satisfies `is_context_line`; the first other one, or a
    blank one, ends it.
    """
    name = _letters(_skeleton(title))
    if name not in _letters(_skeleton(text)):
        return ()
    bones, places = _placed_bones(text)
    found = list[Titled]()
    for first, after in _names(bones, name):
        begin, stop = places[first][0], places[after - 1][1]
        if not found or begin >= found[-1].list_stop:
            found.append(Titled(begin, stop, *_list_below(text, stop, is_context_line)))
    return tuple(found)


def _list_below(text: str, begin: int, is_context_line: Callable[[str], bool]) -> Span:
    line_stop, covered = -1, begin
    for _, stop, line in lines_of(text, begin):
        shown = _shown_line(line)
        if line_stop < 0:
            line_stop = stop
        elif not shown or not (shown[0] == '"' or _CONTEXT_LINE.match(shown) or is_context_line(line)):
            break
        covered = stop
    return max(line_stop, begin), covered


def _shown_line(line: str) -> str:
    return _UNSEEN.sub("", _plain(line, _ENTITY)).strip()


def echo_spans(text: str, rendered_lines: Callable[[str], bool]) -> tuple[Span, ...]:
    """Return the lines of the text, without their line breaks, whose `line_skeleton` satisfies the predicate."""
    return tuple(
        (begin, stop)
        for begin, stop, line in lines_of(text)
        if (skeleton := line_skeleton(line)) and rendered_lines(skeleton)
    )


def line_skeleton(line: str) -> str:
    """Return what a line says: its comparison key without list, heading, quote and emphasis marks, entities decoded.

    Two lines of one skeleton differ in markup, case, spacing, invisible characters and punctuation at the edges only.
    """
    plain = _EMPHASIS.sub("", comparison_key(_plain(line, _ENTITY))).replace("_", " ")
    return " ".join(_LEAD.sub("", plain).rstrip(_EDGES).split())


_ENTITY_FORM = (
    r"(?:&|\\u0026|%26)(?:(?:amp|#0*38|#x0*26);)*"  # escaped any number of times
    r"(?:#0*(?P<decimal>[0-9]{1,7})|#x0*(?P<hex>[0-9a-f]{1,6})|(?P<name>[a-z][a-z0-9]{1,31})(?=;));?"
)
_CODE_FORM = r"\\u(?P<unicode>[0-9a-f]{4})|\\x(?P<byte>[0-9a-f]{2})|%(?P<percent>[0-9a-f]{2})"
_ENTITY = re.compile(_ENTITY_FORM, re.ASCII | re.IGNORECASE)
_ESCAPE_DEPTH = 8
_ESCAPE = re.compile(f"{_ENTITY_FORM}|{_CODE_FORM}", re.ASCII | re.IGNORECASE)


def _decoded(found: re.Match[str]) -> str:
    kind, code = found.lastgroup, found[found.lastgroup or 0]
    if kind == "name":
        return html5.get(f"{code};", found[0])
    point = int(code, 10 if kind == "decimal" else 16)
    return chr(point) if point <= 0x10FFFF else found[0]


def _plain(text: str, escapes: re.Pattern[str]) -> str:
    """The text with escapes decoded, and those that appear then, as deep as anyone reads."""
    if "&" not in text and "%" not in text and "\\" not in text:
        return text  # every escape begins with one of them
    for _ in range(_ESCAPE_DEPTH):
        before, text = text, escapes.sub(_decoded, text)
        if text == before:
            break
    return text


# What may be read as a letter of a tag, as a bracket, a slash or a hyphen.
_LOOKALIKES = {
    char: letter
    for letter, chars in {
        "a": "аɑαᴀАΑꓮᎪ", "b": "ьƅВΒʙꓐᏴ", "c": "сϲᴄСϹꓚᏟ", "d": "ԁᴅꓓᎠ", "e": "еҽᴇ℮ЕΕꓰᎬ", "f": "ƒꜰϜꓝ",
        "m": "мᴍМΜꓟᎷ", "n": "пոɴΝꓠ", "s": "ѕꜱЅՏꓢᏚ", "t": "тᴛτТΤꓔᎢ", "0": "oоοօОΟ", "1": "liıіΙІӏӀǀ", "3": "зЗʒƷ",
        "<": "‹«⟨〈《≪≺˂ᐸ❮❬", ">": "›»⟩〉》≫≻˃ᐳ❯❭", "/": "∕⁄⧸╱⟋", "-": "_−",
    }.items()
    for char in chars
}  # fmt: skip
_ENCLOSED_LETTERS = {start + i: chr(97 + i) for start in (0x1F150, 0x1F170, 0x1F1E6) for i in range(26)}


def _bone(char: str) -> str:
    """What is left of a character on the skeleton."""
    char = _ENCLOSED_LETTERS.get(ord(char), char)
    if (known := _LOOKALIKES.get(char)) is not None:
        return known
    folded = unicodedata.normalize("NFKD", char).casefold()
    if folded != char:
        return "".join(map(_bone, folded))
    if char in "<>/":
        return char
    category = unicodedata.category(char)
    if category == "Pd":
        return "-"
    return char if category[0] in "LN" and not _UNSEEN.match(char) else ""


_UNSEEN = re.compile(f"[{INVISIBLE}]")
_BONES = CharTable(_bone)
_NOT_LETTERS = re.compile("[<>/-]")
_TAG_CHARACTERS = re.compile("[\U000e0000-\U000e007f]")
_TAG_NAME = re.compile(r"(?:</*tensemem-*|tensemem-+)[0-9a-f]{6}")
_TAG = re.compile(r"<(/*)tensemem-*([0-9a-f]{6})/*>?")
# It begins and ends with a letter that no tag has, so no imitation can reach across it.
_REPLACEMENT = "[quoted mark]"


def _skeleton(text: str) -> str:
    return _plain(text, _ESCAPE).translate(_BONES)


@lru_cache(maxsize=64)
def _name_of(tag: str) -> str:
    return _letters(_skeleton(tag))


def _letters(bones: str) -> str:
    return _NOT_LETTERS.sub("", bones)


def _placed_bones(text: str) -> tuple[str, list[Span]]:
    """The skeleton, and for each of its characters where it comes from."""
    places = [(place, place + 1) for place in range(len(text))]
    for _ in range(_ESCAPE_DEPTH):
        parts, kept, done = list[str](), list[Span](), 0
        for found in _ESCAPE.finditer(text):
            begin, stop, decoded = *found.span(), _decoded(found)
            parts += text[done:begin], decoded
            kept += places[done:begin]
            whole = (places[begin][0], places[stop - 1][1])
            kept += places[begin:stop] if decoded == found[0] else [whole] * len(decoded)
            done = stop
        if not done:
            break
        text, places = "".join((*parts, text[done:])), kept + places[done:]
    placed = [(bone, place) for char, place in zip(text, places, strict=True) for bone in char.translate(_BONES)]
    return "".join(bone for bone, _ in placed), [place for _, place in placed]


def _imitations(text: str, name: str) -> Iterator[Span]:
    bones, places = _placed_bones(text)
    for begin, stop in merge_spans((*_names(bones, name), *(found.span() for found in _TAG_NAME.finditer(bones)))):
        first, after = begin, stop
        while first and bones[first - 1] in "</":
            first -= 1
        while after < len(bones) and bones[after] in "/>":
            after += 1
        yield places[first][0], places[after - 1][1]


def _names(bones: str, name: str) -> Iterator[Span]:
    """Where a tag's name stands on the skeleton, whatever brackets and hyphens stand inside it."""
    kept = [place for place, bone in enumerate(bones) if not _NOT_LETTERS.match(bone)]
    letters = _letters(bones)
    at = letters.find(name) if name else -1
    while at >= 0:
        yield kept[at], kept[at + len(name) - 1] + 1
        at = letters.find(name, at + len(name))


def _tags(text: str) -> Iterator[tuple[int, int, bool, str]]:
    """Each tag: where it begins and stops, whether it closes, and whose it is."""
    if not _TAG.search(_skeleton(text)):
        return
    bones, places = _placed_bones(text)
    for found in _TAG.finditer(bones):
        yield places[found.start()][0], places[found.end() - 1][1], bool(found[1]), found[2]


_CONTEXT_LINE = re.compile(r"[-*+•·‣▪◦●○–—#>|<{}\[\]]|\d{1,4}[.)]")


def _end_of_cut_block(text: str, begin: int, is_context_line: Callable[[str], bool] | None) -> int:
    covered, is_inside = begin, True
    for _, stop, line in lines_of(text, begin):
        shown = _shown_line(line)
        if not shown:
            is_inside = False
        elif _CONTEXT_LINE.match(shown) or (is_context_line and is_context_line(line_skeleton(line))):
            is_inside = True
        covered = stop if is_inside else covered
    return covered if text[covered:].strip() else len(text)


_EMPHASIS = re.compile(r"[*`~\\]")
_EDGES = " .,;:!|\"'“”‘’«»"
_LEAD = re.compile(rf"\A(?:[-+•·‣▪◦●○–—>#{_EDGES}]|\d{{1,4}}[.)] |\[[ x]?\] )+")

_HIDDEN = re.compile(f"\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff{INVISIBLE}]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_JOINERS = "\u200c\u200d"
_PRESENTATION = "\ufe0e\ufe0f"


def _shown(found: re.Match[str]) -> str:
    char = found[0]
    if LINE_BREAK.fullmatch(char):
        return "\n"
    if not _UNSEEN.match(char) or _DIRECTION.match(char):
        return _escaped(char)
    return char if _is_shaping(char, found.string, found.start()) else ""


def _is_shaping(char: str, text: str, place: int) -> bool:
    before, after = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
    if char in _PRESENTATION:
        return before in _KEYCAPS or _is_shaped(before)
    if char in _JOINERS:
        return (_is_shaped(before) or before in _PRESENTATION) and _is_shaped(after)
    return False


def _is_shaped(char: str) -> bool:
    """Whether the character may have a shape to choose: none of Latin has, so nothing hides in a plain word."""
    return char > "\u02ff" and not char.isspace() and not _HIDDEN.match(char)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"


_KEYCAPS = tuple("0123456789#*")
_XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\r": "&#13;"}
_XML_UNSAFE = re.compile("[&<>\"'\r\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
