"""Fences, echoes, quoted regions, and text that hides nothing."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.fence import (
    blanked,
    covers,
    echo_spans,
    fence_tag,
    find_fences,
    line_skeleton,
    merge_spans,
    neutralise,
    one_line,
    quoted_regions,
    visible,
    wrap,
    xml_escape,
)
from tests.settings import law_settings

TAG = fence_tag("00" * 32)
OTHER = fence_tag("11" * 32)
HEX = TAG[-6:]


def pieces(text: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [text[begin:stop] for begin, stop in spans]


# Tags


def test_each_database_has_a_tag_of_its_own() -> None:
    assert fence_tag("00" * 32) == TAG
    assert re.fullmatch(r"tensemem-[0-9a-f]{6}", TAG)
    assert TAG != OTHER
    assert HEX not in "00" * 32


def test_wrapped_text_stands_between_two_tags() -> None:
    assert wrap("- a", "tensemem-3f9a2c") == "<tensemem-3f9a2c>\n- a\n</tensemem-3f9a2c>"


# What a value may do to a fence. The reader here is written without a look at the code: it undoes whatever a tolerant
# reader might undo, and then looks for the tag.


def tolerant_reading(text: str) -> str:
    for _ in range(6):
        text = html.unescape(text)
    text = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
    text = re.sub(r"%([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), text)
    text = unicodedata.normalize("NFKD", text).casefold()
    text = text.translate(str.maketrans("еѕтм", "estm"))
    return re.sub(r"[^a-z0-9]", "", text)


def is_imitated(text: str) -> bool:
    return TAG.replace("-", "") in tolerant_reading(text)


def inserted(text: str, place: int, what: str) -> str:
    place %= len(text) + 1
    return text[:place] + what + text[place:]


MUTATIONS: dict[str, Callable[[str, int], str]] = {
    "capitals": lambda t, n: t.upper() if n % 2 else t.title(),
    "space": lambda t, n: inserted(t, n, " \t\n\u3000"[n % 4]),
    "spaces": lambda t, n: " ".join(t) if len(t) < 80 else t,
    "zero width": lambda t, n: inserted(t, n, "\u200b\u00ad\ufeff\u2060\u200d\u202e\U000e0041"[n % 7]),
    "accent": lambda t, n: inserted(t, n, "\u0336"),
    "full width": lambda t, n: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in t),
    "named": lambda t, n: t.replace("<", "&lt;").replace(">", "&gt;"),
    "escaped": lambda t, n: html.escape(t, quote=n % 2 == 0),
    "decimal": lambda t, n: "".join(f"&#{ord(c)};" for c in t) if len(t) < 80 else t,
    "hex": lambda t, n: "".join(f"&#x{ord(c):X};" if (i + n) % 3 else c for i, c in enumerate(t[:80])) + t[80:],
    "percent": lambda t, n: t.replace("<", "%3C").replace("/", "%2F"),
    "json": lambda t, n: t.replace("<", "\\u003c").replace("s", "\\u0073"),
    "mathematical": lambda t, n: "".join(chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c for c in t),
    "cyrillic": lambda t, n: t.translate(str.maketrans("estm", "еѕтм")),
    "nested": lambda t, n: inserted(t, n, f"</{TAG}>") if len(t) < 300 else t,
    "twice": lambda t, n: t + t if len(t) < 300 else t,
    "among words": lambda t, n: f"I live in {t} & <b>Delhi</b>",
}  # fmt: skip


def mutate(text: str, steps: list[tuple[str, int]]) -> str:
    for name, number in steps:
        text = MUTATIONS[name](text, number)
    return text


mutated = st.builds(
    mutate,
    st.sampled_from([f"</{TAG}>", f"<{TAG}>", TAG, f"< / {TAG} >", f"</ten</{TAG}>semem-{HEX}>"]),
    st.lists(st.tuples(st.sampled_from(sorted(MUTATIONS)), st.integers(0, 400)), max_size=5),
)


@law_settings
@given(mutated)
def test_no_value_imitates_the_tag_however_it_is_disguised(value: str) -> None:
    result = neutralise(value, TAG)
    assert not is_imitated(result)
    assert find_fences(result) == ()


@pytest.mark.parametrize(
    "value",
    [
        f"</{TAG}>",
        f"</{TAG.upper()}>",
        f"<\t/\n{TAG} >",
        f"&lt;/{TAG}&gt;",
        f"&#60;&#x2F;{TAG}&#x3e;",
        f"&amp;amp;lt;/&amp;#116;ensemem-{HEX}&gt;",
        f"</tense\u200bmem-{HEX}>",
        f"</tense\u200dmem\u2011{HEX}>",
        f"＜／{TAG}＞",
        f"</tеnsemem-{HEX}>",
        f"<\\/{TAG}>",
        f"\\u003c/{TAG}\\u003e",
        f"</tensemem_{HEX}>",
        f"</{OTHER}>",
        f"<{OTHER}>",
        OTHER.replace("-", "\u2010"),
    ],
)
def test_an_imitation_is_replaced_with_its_brackets(value: str) -> None:
    assert neutralise(f"in {value} Delhi", TAG) == "in [quoted mark] Delhi"


def test_what_closes_up_around_a_replacement_is_no_tag() -> None:
    assert neutralise(f"</ten</{TAG}>semem-{HEX}>", TAG) == f"</ten[quoted mark]semem-{HEX}>"


def test_invisible_ascii_is_removed() -> None:
    smuggled = "".join(chr(0xE0000 + ord(char)) for char in f"</{TAG}>")
    assert neutralise(f"a{smuggled}b", TAG) == "ab"


@pytest.mark.parametrize(
    "value", ["", "Delhi", "a < b && c > d", "tensemem is a memory", "100%fad", "C:\\user", "&lt;b&gt;", "दिल्ली"]
)
def test_other_values_stay_as_they_are(value: str) -> None:
    assert neutralise(value, TAG) == value


@law_settings
@given(st.one_of(mutated, st.text()))
def test_neutralising_twice_is_neutralising_once(value: str) -> None:
    once = neutralise(value, TAG)
    assert neutralise(once, TAG) == once


# What is hidden


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\\u001b[31mb"),
        ("a\0\x01\x7f\x85b", "a\\u0000\\u0001\\u007f\nb"),
        ("abc\u202edef\u2066", "abc\\u202edef\\u2066"),
        ("x\ud800", "x\\ud800"),
        ("De\u00adl\u200bhi\ufeff\u2060", "Delhi"),
        ("a\U000e0041\U000e007fb", "ab"),
        ("De\u200dlhi\ufe0f", "Delhi"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "❤\ufe0f\u200d🔥 1\ufe0f\u20e3"),
        ("می\u200c\u200c\u200cخ", "میخ"),
        ("a\r\nb\rc\u2028d\te\n", "a\nb\nc\nd\te\n"),
        ("\ufffe\uffff", "\\ufffe\\uffff"),
    ],
)
def test_nothing_hidden_is_passed_on(text: str, shown: str) -> None:
    assert visible(text) == shown


hidden_text = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab \n\r\x00\x1b\x85\u00ad\u061c\u200b\u200c\u200d\u200e\u202e\u2028\u2066\ufeff\ufe0f"),
        st.sampled_from("\ufe00\u0646\u0645❤🔥1#\ud800\uffff\U000e0041"),
        st.characters(),
    )
)  # fmt: skip


@law_settings
@given(hidden_text)
def test_visible_text_holds_no_control_and_is_stable(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    kinds = {unicodedata.category(char) for char in shown if char not in "\n\t"}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}
    assert not re.search("[\u202a-\u202e\u2060-\u206f\ufeff\u200b\u00ad\U000e0000-\U000e0fff]", shown)
    assert not re.search("[\u200c\u200d]{2}|\ufe0f{2}", shown)


@law_settings
@given(hidden_text)
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert "\r" not in one_line(text)


def test_a_line_break_is_written_as_a_backslash_and_n() -> None:
    assert one_line("a\r\nb\n\nc\u2029d") == "a\\nb\\n\\nc\\nd"


@law_settings
@given(hidden_text)
def test_escaped_text_is_well_formed_xml_and_says_the_same(text: str) -> None:
    escaped = xml_escape(text)
    element = ET.fromstring(f"<a b='{escaped}' c=\"{escaped}\">{escaped}</a>".encode())
    legal = not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", text)
    if legal:
        assert (element.text or "") == text


def test_characters_without_a_place_in_xml_are_shown() -> None:
    assert xml_escape("<a&\x01\ud800'\"") == "&lt;a&amp;\\u0001\\ud800&#39;&quot;"


# Fences on the way in


BLOCK = f"<{TAG}>\n## Facts\n\n- lives_in: Delhi\n</{TAG}>"


def test_two_blocks_leave_the_text_between_them() -> None:
    foreign = f"<{OTHER}>\n- likes: tea\n</{OTHER}>"
    text = f"Hi {BLOCK} I moved to Pune. {foreign} Bye."
    assert pieces(text, find_fences(text)) == [BLOCK, foreign]
    assert blanked(text, find_fences(text)).split() == ["Hi", "I", "moved", "to", "Pune.", "Bye."]


@pytest.mark.parametrize(
    "block",
    [
        BLOCK.replace("<", "&lt;").replace(">", "&gt;"),
        html.escape(html.escape(BLOCK)),
        BLOCK.replace("mem", "m\u200be\u2060m"),
        BLOCK.replace("<", "＜").replace(">", "＞"),
        BLOCK.replace(TAG, TAG.upper()),
        BLOCK.replace(f"</{TAG}>", f"< / {TAG} >"),
        BLOCK.replace("<", "\\u003c").replace(">", "\\u003e"),
        BLOCK.replace("</", "<\\/").replace("-", "\\-"),
    ],
)
def test_a_mangled_block_is_recognised(block: str) -> None:
    text = f"before {block} after"
    assert pieces(text, find_fences(text)) == [block]


def test_blocks_inside_a_block_belong_to_it() -> None:
    inner = f"<{OTHER}>\nx\n</{OTHER}>"
    text = f"a <{TAG}> {inner} - y <{TAG}>z</{TAG}> </{TAG}> b"
    assert pieces(text, find_fences(text)) == [text[2:-2]]


def test_the_end_of_another_block_does_not_end_this_one() -> None:
    text = f"a <{TAG}> x </{OTHER}> y </{TAG}> b"
    assert pieces(text, find_fences(text)) == [text[2:-2]]


def test_the_end_of_a_block_ends_those_left_open_inside() -> None:
    text = f"a <{TAG}> <{OTHER}> y </{TAG}> b"
    assert pieces(text, find_fences(text)) == [text[2:-2]]


def test_without_an_opening_tag_a_block_begins_with_the_text() -> None:
    text = f"ives_in: Delhi\n</{TAG}>\nI moved."
    assert pieces(text, find_fences(text)) == [f"ives_in: Delhi\n</{TAG}>"]


def test_without_an_opening_tag_a_block_begins_after_the_block_before() -> None:
    text = f"hi {BLOCK} - lives_in: Pune </{TAG}> bye"
    assert blanked(text, find_fences(text)).split() == ["hi", "bye"]


@pytest.mark.parametrize(
    "rest",
    [
        "\n- lives_in: Delhi",
        "\n- lives_in: Delhi\nand so on",
        "\n\n- lives_in: Delhi\n\n",
        "\nlives in Delhi\n \u200b\n&#45; works at Acme\nreally",
        "\n## Facts\n\nintro\n\n> he lives in Delhi\n</tense",
    ],
)
def test_without_a_closing_tag_a_block_reaches_to_the_end(rest: str) -> None:
    text = f"I moved. <{TAG}>{rest}"
    assert find_fences(text) == ((9, len(text)),)


def test_without_a_closing_tag_a_paragraph_below_is_kept() -> None:
    recalled = f"<{TAG}>\n## Facts\n\n- lives_in: Delhi\n- likes: tea"
    text = f"{recalled}\n\nI moved to Pune.\nReally."
    assert pieces(text, find_fences(text)) == [recalled]


def test_without_a_closing_tag_a_line_memory_knows_is_not_kept() -> None:
    text = f"<{TAG}>\n- likes: tea\n\nLives in: Delhi.\n\nI moved."
    spans = find_fences(text, is_context_line=lambda line: line == "lives in: delhi")
    assert blanked(text, spans).split() == ["I", "moved."]


@pytest.mark.parametrize(
    "text", ["", "I live in Delhi", "use tensemem <b>now</b>", "<tensemem>", "tensemem-abcdef is a tag"]
)
def test_text_without_tags_has_no_fences(text: str) -> None:
    assert find_fences(text) == ()


@law_settings
@given(
    st.lists(st.sampled_from([f"<{TAG}>", f"</{TAG}>", f"<{OTHER}>", f"</{OTHER}>", "\n", "\n\n", "- a", "b", "c d"]))
)
def test_no_line_that_looks_recalled_stands_outside_after_an_open_tag(parts: list[str]) -> None:
    text = "\n".join(parts)
    spans = find_fences(text)
    assert list(spans) == sorted(spans)
    assert all(begin < stop <= len(text) for begin, stop in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    left = blanked(text, spans)
    assert "<" not in left.replace("</", "") or find_fences(left) == ()


@law_settings
@given(st.lists(st.text(alphabet="ab -\n", max_size=9), min_size=1, max_size=4), st.text(alphabet="xy \n"))
def test_nothing_inside_closed_blocks_is_left_and_nothing_outside_is_covered(inside: list[str], own: str) -> None:
    text = own.join(["", *(wrap(part, TAG) for part in inside), ""])
    assert blanked(text, find_fences(text)).replace(" ", "") == own.replace(" ", "") * (len(inside) + 1)


# Echoes


@pytest.mark.parametrize(
    "line",
    [
        "- lives_in: New Delhi",
        "* **lives in**: New  Delhi",
        "  > • Lives in: `New Delhi`.",
        "12. lives_in: New Delhi",
        "- [x] lives_in: New Delhi",
        "### lives\u200b_in: New Del\u00adhi",
        "&bull; lives&lowbar;in: New&nbsp;&#68;elhi",
        '"lives in: New Delhi",',
        "- lives\\_in: New Delhi",
    ],
)
def test_lines_that_say_the_same_have_one_skeleton(line: str) -> None:
    assert line_skeleton(line) == "lives in: new delhi"


@pytest.mark.parametrize("line", ["- lives_in: New Delhi since 2020", "- lives_in: Delhi", "lives in New Delhi"])
def test_lines_that_say_something_else_have_another(line: str) -> None:
    assert line_skeleton(line) != "lives in: new delhi"


def test_echoes_are_the_lines_memory_printed() -> None:
    known = {line_skeleton("- lives_in: Delhi"), line_skeleton("- likes: tea")}
    text = "So:\r\n* Lives in: Delhi\r\n\n   likes: tea.\nI moved to Pune."
    assert pieces(text, echo_spans(text, known.__contains__)) == ["* Lives in: Delhi", "   likes: tea."]
    assert echo_spans("\n\n- \n", lambda line: True) == ()


# Quoted regions


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a\n```py\nx = 1\n```\nb", ["```py\nx = 1\n```"]),
        ("a\n~~~\nx\n```\ny", ["~~~\nx\n```\ny"]),
        ("- ````\n```\nx\n````\nb", ["- ````\n```\nx\n````"]),
        ("> one\nmine\n  >> two", ["> one", "  >> two"]),
        ("&gt; one\nmine", ["&gt; one"]),
        ("Hi\nOn 3 May, Anna wrote:\n> x\nyes", ["On 3 May, Anna wrote:\n> x"]),
        ("On 3 May, Anna\n<a@example.org> wrote:\n\n> x\nyes", ["On 3 May, Anna\n<a@example.org> wrote:\n\n> x"]),
        ("Am 3. Mai schrieb Anna:\n> x", ["Am 3. Mai schrieb Anna:\n> x"]),
        ("She wrote:\n\n\n> x", ["> x"]),
        ("see\n--- Forwarded message ---\nI live in Rome\n", ["--- Forwarded message ---\nI live in Rome\n"]),
        ("Begin forwarded message:\nx", ["Begin forwarded message:\nx"]),
        ('He said "I live in Delhi" today', ['"I live in Delhi"']),
        ("“I live in “old” Delhi now” he said", ["“I live in “old” Delhi now”"]),
        ("« J'habite à Paris maintenant » dit-il", ["« J'habite à Paris maintenant »"]),
        ("er sagte „Ich wohne in Berlin“ und ging", ["„Ich wohne in Berlin“"]),
        ("»Ich wohne in Berlin« sagte er", ["»Ich wohne in Berlin«"]),
        ("彼は「私は今東京に住んでいます」と言った", ["「私は今東京に住んでいます」"]),
        ('他说"我现在住在北京市朝阳区附近"', ['"我现在住在北京市朝阳区附近"']),
        ('"abcdefghijklmnopqrstuvwxyzabcdef"', ['"abcdefghijklmnopqrstuvwxyzabcdef"']),
        ("run `I live in Delhi now` please", ["`I live in Delhi now`"]),
        ("“stray and “I live in Delhi now” ok", ["“stray and “I live in Delhi now” ok"]),
        ("it's 'I live in Delhi now' he said", ["'I live in Delhi now'"]),
        ("she said ‘I live in Delhi now’, she didn’t", ["‘I live in Delhi now’"]),
        ("‚Ich wohne in Berlin‘ sagt er", ["‚Ich wohne in Berlin‘"]),
        ("›Ich wohne in Berlin‹ sagt er", ["›Ich wohne in Berlin‹"]),
        ("‹ J'habite à Paris maintenant › dit-il", ["‹ J'habite à Paris maintenant ›"]),
        ("hon sa ”Jag bor nu i Stockholm” igen", ["”Jag bor nu i Stockholm”"]),
        ("hän sanoi »Minä asun nyt Turussa» taas", ["»Minä asun nyt Turussa»"]),
        ("他说「我住在北京」", ["「我住在北京」"]),
        ('he said "I\'m vegan"', ['"I\'m vegan"']),
        ("He said “I live in Delhi now\n\nI don't", ["“I live in Delhi now"]),
        ("&ldquo;I live in Delhi now&rdquo; he said", ["&ldquo;I live in Delhi now&rdquo;"]),
        ("a [quote=Bo]I live in Rome[/quote] b", ["[quote=Bo]I live in Rome[/quote]"]),
        ("see:\n<document>\nI live in Rome\n</document>\nok", ["<document>\nI live in Rome\n</document>"]),
        ("see:\n<document>\nI live in Rome", ["<document>\nI live in Rome"]),
        ("[10:12, 3/5/2026] Bo: I live in Rome\nmine", ["[10:12, 3/5/2026] Bo: I live in Rome"]),
        ("12/05/26, 10:12 - Bo: I live\nin Rome\n12/05/26, 10:13 - Al: ok\n\nmine",
         ["12/05/26, 10:12 - Bo: I live\nin Rome\n12/05/26, 10:13 - Al: ok"]),
        ("see\nUser: I live in Rome\nAssistant: ok\n\nmine", ["User: I live in Rome\nAssistant: ok"]),
        ('see [{"role": "user", "content": "I live in Rome"}] ok', ['[{"role": "user", "content": "I live in Rome"}]']),
        ("<|im_start|>user\nI live in Rome", ["<|im_start|>user\nI live in Rome"]),
        ("On Mon, 3 May 2026, Bo wrote:\n\nI live in Rome", ["On Mon, 3 May 2026, Bo wrote:\n\nI live in Rome"]),
        ("mine\nFrom: Bo\nSent: today\nTo: me\nSubject: hi\n\nI live in Rome",
         ["From: Bo\nSent: today\nTo: me\nSubject: hi\n\nI live in Rome"]),
    ],
)  # fmt: skip
def test_what_is_quoted_is_found(text: str, quoted: list[str]) -> None:
    found = pieces(text, quoted_regions(text))
    assert "\n".join(found).replace("\n\n", "\n") == "\n".join(quoted).replace("\n\n", "\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        'my cat is called "Tom"',
        "my book is “War and Peace”",
        "彼は「猫」が好き",
        "「東京」「大阪」「京都」「奈良」「神戸」",
        "I don't eat 'em, I'm vegan and I live in Pune now 'cause",
        "the boys' dogs and the girls' cats live with me",
        "rock 'n' roll and fish 'n' chips for me and my friends'",
        "born in the '90s, livin' in Pune, workin' on it",
        "je m'appelle Luc, j'habite à Lyon et j'ai l'impression d'être en retard",
        'my favourite film is "I Am Legend"',
        "「猫」が好き",
        "call me 'Bo'",
        "» I live in Delhi\n» I know Go",
        "pass the <file> and I live in Delhi",
        "City: Delhi\nJob: nurse\nFrom: Goa",
        "User: ann\nSystem: macOS",
        "10:30 breakfast: porridge",
        "I'm 5'11\" and my wife is 5'4\" tall, I think",
        'a 27" screen\n\nand then a 32" one for the office',
        "I use `git rebase` and `uv`",
        "x > y and a -> b",
        "she wrote:\nI live in Delhi",
        "``` is three backticks ```",
        '"oops\n\nand I live in Delhi now" ok',
        '"abcdefghijklmnopqrstuvwxyzabc"',
        '"Tom" and I went to live with "Tim"',
    ],
)
def test_names_and_own_words_are_not_quoted(text: str) -> None:
    assert quoted_regions(text) == ()


# Spans


def test_spans_that_overlap_or_touch_are_one() -> None:
    assert merge_spans([(5, 9), (1, 3), (3, 4), (6, 7), (12, 12)]) == ((1, 4), (5, 9))
    assert merge_spans([]) == ()


def test_a_piece_is_inside_if_any_character_of_it_is() -> None:
    assert covers([(2, 5)], 4, 9)
    assert covers([(2, 5)], 0, 3)
    assert covers([(2, 5)], 3, 4)
    assert not covers([(2, 5)], 5, 9)
    assert not covers([(2, 5)], 0, 2)
    assert not covers([(2, 5)], 3, 3)
    assert not covers([], 0, 9)


@law_settings
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))), st.integers(0, 30))
def test_merging_changes_no_cover(spans: list[tuple[int, int]], place: int) -> None:
    assert covers(merge_spans(spans), place, place + 1) == covers(spans, place, place + 1)


@law_settings
@given(st.text(alphabet=st.sampled_from('ab1 .>\n"“”„«»「」`~<&;東-:*#\t\u200b'), max_size=60))
def test_every_span_lies_in_the_text(text: str) -> None:
    for spans in (quoted_regions(text), find_fences(text), echo_spans(text, bool)):
        assert list(spans) == sorted(spans)
        assert all(0 <= begin < stop <= len(text) for begin, stop in spans)
    assert len(blanked(text, quoted_regions(text))) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "<" * 200_000,
        "&" + "amp;" * 50_000,
        "&#" + "0" * 200_000,
        '"' * 200_000,
        "“" * 100_000 + "”" * 100_000,
        f"<{TAG}>" * 5_000 + f"</{OTHER}>" * 5_000,
        "`" * 200_000,
        "-" * 200_000,
        "wrote " * 30_000 + ":",
        "\n" * 200_000,
    ],
)
def test_long_and_odd_text_is_no_trouble(text: str) -> None:
    neutralise(text, TAG)
    visible(text)
    find_fences(text)
    echo_spans(text, bool)
    quoted_regions(text)
