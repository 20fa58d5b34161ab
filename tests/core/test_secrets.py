"""Secrets are replaced by stable marks, lookalikes stay, and no shape of text costs more than its length."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tensemem.core import secret_distant, secret_patterns
from tensemem.core.secret_text import MARK, view
from tensemem.core.secrets import Redaction, Redactor, redact_value, redactor
from tests.core.secret_cases import Positive, key_blocks, known_tokens, made_up, positives
from tests.core.secret_lookalikes import negatives
from tests.counting import calls_of
from tests.settings import law_settings

redact = Redactor()
GITHUB = known_tokens()["github_token"][0]


# What is found


def test_of_the_labelled_secrets_at_most_two_in_a_hundred_are_missed_and_of_the_lookalikes_one_in_two_hundred_hit(
    record_property: Callable[[str, object], None],
) -> None:
    cases, lookalikes = positives(), negatives()
    missed = [case.text for case in cases if remains(case)]
    hit = [text for text in lookalikes if redact(text).text != text]
    figures = (
        f"{len(missed)} of {len(cases)} secrets missed ({len(missed) / len(cases):.1%}), "
        f"{len(hit)} of {len(lookalikes)} lookalikes hit ({len(hit) / len(lookalikes):.1%})"
    )
    print(figures)
    record_property("secrets", figures)
    assert len(cases) >= 150
    assert len(lookalikes) >= 250
    assert len(missed) <= 0.02 * len(cases), missed
    assert len(hit) <= 0.005 * len(lookalikes), hit


def remains(case: Positive) -> bool:
    """Whether any six characters in a row of the secret are left beside the marks."""
    text = MARK.sub("|", redact(case.text).text)
    return any(case.secret[at : at + 6] in text for at in range(max(1, len(case.secret) - 5)))


def test_a_secret_is_counted_under_its_kind() -> None:
    named = [case for case in positives() if case.kind and not remains(case)]
    wrong = [(case.kind, case.text) for case in named if case.kind not in redact(case.text).counts]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"use {GITHUB} now", "use [redacted:github_token] now"),
        ("my password is hunter22.", "my password is [redacted:password]."),
        ("db=postgres://bob:s3cr3t@h/x", "db=postgres://bob:[redacted:url_password]@h/x"),
        ('{"password": "hunter22", "n": 1}', '{"password": "[redacted:password]", "n": 1}'),
        ("?password=hunter22&next=1", "?password=[redacted:password]&next=1"),
        ("Uid=sa;Password=Hunter;22!;Database=x", "Uid=sa;Password=[redacted:password];Database=x"),
        ("visa 4111 1111 1111 1111, thanks", "visa [redacted:card_number], thanks"),
        ("密码是hunter22x，谢谢", "密码是[redacted:password]，谢谢"),
        ("卡号４１１１１１１１１１１１１１１１。", "卡号[redacted:card_number]。"),
    ],
)
def test_only_the_secret_is_replaced(text: str, expected: str) -> None:
    assert redact(text).text == expected


def test_every_replacement_is_counted_by_kind() -> None:
    text = f"{GITHUB} and {GITHUB}, password: hunter22"
    assert redact(text).counts == {"github_token": 2, "password": 1}


def test_a_text_without_secrets_comes_back_as_it_is_with_no_counts() -> None:
    assert redact("I live in Delhi.") == Redaction("I live in Delhi.", {})


def test_one_place_found_by_two_rules_is_one_replacement() -> None:
    redaction = redact(f"token: {GITHUB}")
    assert redaction == Redaction("token: [redacted:github_token]", {"github_token": 1})


@pytest.mark.parametrize("block", [case for case in key_blocks() if "-----END" not in case.text])
def test_a_private_key_without_its_last_line_ends_with_its_base64(block: Positive) -> None:
    assert redact(block.text).text == "[redacted:private_key]\n\nThat is all I could copy."


def test_a_long_value_after_a_cue_is_replaced_to_its_end() -> None:
    assert redact(f"secret = {made_up('long', 5000)} end").text == "secret = [redacted:secret] end"


def test_a_card_number_needs_a_cue_in_the_sixty_characters_before_or_the_thirty_after() -> None:
    number = "4111111111111111"
    assert redact(f"card{'.' * 56}{number}").counts == {"card_number": 1}
    assert redact(f"card{'.' * 57}{number}").counts == {}
    assert redact(f"{number}{'.' * 26}card").counts == {"card_number": 1}
    assert redact(f"{number}{'.' * 27}card").counts == {}


def test_a_list_of_cards_needs_one_cue() -> None:
    numbers = ["4111 1111 1111 1111", "5555 5555 5555 4444", "3782 822463 10005"] * 20
    assert redact("cards: " + ", ".join(numbers)).counts == {"card_number": 60}


@pytest.mark.parametrize("number", ["4111111111111112", "9111111111111111", "411111111111111", "55555555555544445555"])
def test_a_number_with_a_wrong_check_digit_issuer_or_length_is_no_card(number: str) -> None:
    assert redact(f"my card is {number}").counts == {}


@pytest.mark.parametrize("hidden", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\ufe0f"])
def test_invisible_characters_do_not_hide_a_secret(hidden: str) -> None:
    token = hidden.join(GITHUB)
    assert redact(f"é{hidden}: {token}{hidden}!").text == f"é{hidden}: [redacted:github_token]{hidden}!"


def test_invisible_characters_elsewhere_stay() -> None:
    text = "👨\u200d👩\u200d👧 and می\u200cروم, password: {}"
    assert redact(text.format("hunter22")).text == text.format("[redacted:password]")


def test_control_characters_and_lone_surrogates_are_taken_as_they_are() -> None:
    text = "\x00\x01\x02\x03\x04\x05\x06\x07 \ud800 password: {} \x00\x04abc12345"
    assert redact(text.format("hunter22")).text == text.format("[redacted:password]")
    assert redact("\x04abc12345 \x06 4111111111111111").counts == {}


@pytest.mark.parametrize("case", positives()[::7])
def test_a_long_text_is_searched_as_a_short_one_is(case: Positive) -> None:
    padding = " lorem ipsum" * 200
    assert redact(case.text + padding).text == redact(case.text).text + padding


# Redacting twice


PIECES = [
    *(token for tokens in known_tokens().values() for token in tokens),
    "password", "password is ", "passwords: ", " secret = ", "token: ", "api key ", "密码", "密码是", "卡号", "card ",
    "cvv", "hunter22", "Sommer2024!", "a8f5f167f44f4964e6c998dee827110c", "4111 1111 1111 1111", "5555555555554444",
    "4111", "://", "https://bob:", "@host/", "Bearer ", "Authorization: Basic ", "twilio ", "discord ",
    "-----BEGIN ", "RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", made_up("x", 64), made_up("y", 40),
    "SK" + "0a1b2c3d" * 4, "[redacted:password]", "[redacted:card_number]", "[redacted:", "]", "[", "AKIA", "eyJ",
    "sk-", "ghp_", ":AA", " ", "  ", "\n", "\\n", "-", "_", "=", ":", ";", "&", ",", ".", "/", '"', "'", "`", "<", ">",
    "(", "|", "x", "1", "é", "是", "，", "\u200b", "\x00", "\x01", "\x04", " for the wifi ", " is ", "&x=", ";y=", "e",
    "word", "a" * 128, "." * 58,
]  # fmt: skip

texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=14).map("".join)


@law_settings
@given(texts)
@example(f"{GITHUB}: hunter22")
@example(known_tokens()["aws_access_key"][0] + known_tokens()["slack_webhook"][0])
@example(known_tokens()["jwt"][0] + known_tokens()["aws_access_key"][0])
@example(f"card {known_tokens()['jwt'][0]} 4111111111111111")
@example(f"password: 90days-{GITHUB}")
@example(f"token: 90days-{GITHUB}")
@example(f"https://bob:{known_tokens()['jwt'][1]}@host/")
@example(f"card 4111 1111 1111 1111 5555 5555 5555 4444{'.' * 55}4111 1111 1111 1111")
def test_redacting_a_redacted_text_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once) == Redaction(once, {})


@law_settings
@given(texts)
def test_what_is_not_replaced_stays_in_place(text: str) -> None:
    redaction = redact(text)
    between = [re.escape(part) for part in MARK.split(redaction.text)]
    assert re.fullmatch("(?s:.*)".join(between), text)


@law_settings
@given(texts)
def test_as_many_marks_are_added_as_are_counted(text: str) -> None:
    redaction = redact(text)
    added = len(MARK.findall(redaction.text)) - len(MARK.findall(text))
    assert added == sum(redaction.counts.values())


@pytest.mark.parametrize(
    "text", ["[redacted:password]", "password: [redacted:anything]", "[redacted:card_number] 4111111111111111"]
)
def test_text_that_looks_like_a_mark_stays_and_is_no_cue(text: str) -> None:
    assert redact(text) == Redaction(text, {})


# Options


def test_true_is_the_built_in_filter_and_false_none() -> None:
    assert redactor(True)(GITHUB).counts == {"github_token": 1}
    assert redactor(False)(GITHUB) == Redaction(GITHUB, {})


@pytest.mark.parametrize("option", [[r"EMP-\d+"], (re.compile(r"EMP-\d+"),), r"EMP-\d+", re.compile(r"EMP-\d+")])
def test_patterns_are_added_to_the_built_in_filter(option: Any) -> None:
    redaction = redactor(option)(f"I am EMP-4711, {GITHUB}")
    assert redaction.text == "I am [redacted:custom], [redacted:github_token]"
    assert redaction.counts == {"custom": 1, "github_token": 1}


def test_a_pattern_sees_the_text_as_written_and_never_touches_a_mark() -> None:
    custom = redactor(["[a-zé]+\u200b?[a-z]*"])
    assert custom("12 é\u200bab 3").text == "12 [redacted:custom] 3"
    assert custom("1 [redacted:password] 2") == Redaction("1 [redacted:password] 2", {})


def test_a_pattern_that_cuts_a_word_lays_no_secret_bare() -> None:
    assert redactor(["abc"])(f"abc{GITHUB}").counts == {"custom": 1, "github_token": 1}


def test_a_pattern_that_matches_nothing_at_all_replaces_nothing() -> None:
    assert redactor(["x*"])("abc") == Redaction("abc", {})


def test_a_callable_takes_the_place_of_the_filter_and_counts_once() -> None:
    custom = redactor(lambda text: text.replace("Delhi", "…"))
    assert custom("Delhi, Delhi") == Redaction("…, …", {"custom": 1})
    assert custom(GITHUB) == Redaction(GITHUB, {})


def test_a_redactor_is_taken_as_it_is() -> None:
    own = Redactor(["x"])
    assert redactor(own) is own


@pytest.mark.parametrize("option", [None, 3, [3], [re.compile(b"x")]])
def test_an_option_of_another_type_is_refused(option: Any) -> None:
    with pytest.raises(TypeError, match="redact"):
        redactor(option)


def test_a_callable_that_does_not_return_text_is_reported() -> None:
    broken: Any = lambda text: None  # noqa: E731
    with pytest.raises(TypeError, match="must return text"):
        redactor(broken)("x")


def test_patterns_and_a_replacement_together_are_refused() -> None:
    with pytest.raises(TypeError, match="not both"):
        Redactor(["x"], replace=str.upper)


# Values


def test_every_text_of_a_value_is_redacted_keys_included() -> None:
    value = {"a": [1, GITHUB, (f"x {GITHUB}",)], GITHUB: {"b": "plain", "c": None}}
    clean, counts = redact_value(value, redact)
    mark = "[redacted:github_token]"
    assert clean == {"a": [1, mark, (f"x {mark}",)], mark: {"b": "plain", "c": None}}
    assert counts == {"github_token": 3}


def test_a_value_without_secrets_is_the_same_object() -> None:
    value = {"a": [1, 2.5, True, None, ("x",)], 3: "y"}
    clean, counts = redact_value(value, redact)
    assert clean is value
    assert counts == {}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"password": "hunter22"}, {"password": "[redacted:password]"}),
        ({"db_password": ["hunter22", "none"]}, {"db_password": ["[redacted:password]", "none"]}),
        ({"card_number": 4111111111111111}, {"card_number": "[redacted:card_number]"}),
        (
            {"op": "set", "predicate": "wifi_password", "value": "hunter22"},
            {"op": "set", "predicate": "wifi_password", "value": "[redacted:password]"},
        ),
        ({"city": "hunter22", "order": 4111111111111111}, {"city": "hunter22", "order": 4111111111111111}),
    ],
)
def test_a_key_or_a_predicate_is_the_cue_of_its_value(value: object, expected: object) -> None:
    assert redact_value(value, redact)[0] == expected


def test_a_callable_in_the_place_of_the_filter_sees_every_text_once() -> None:
    clean, counts = redact_value({"a": "b", "c": ["d", 4]}, redactor(lambda text: text + "!"))
    assert clean == {"a!": "b!", "c!": ["d!", 4]}
    assert counts == {"custom": 4}


def test_keys_that_become_equal_are_told_apart() -> None:
    first, second = known_tokens()["github_token"][:2]
    clean, _ = redact_value({first: 1, second: 2, "[redacted:github_token]": 3}, redact)
    assert clean == {"[redacted:github_token]#2": 1, "[redacted:github_token]#3": 2, "[redacted:github_token]": 3}


short_texts = st.lists(st.sampled_from(PIECES), max_size=3).map("".join)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(short_texts, inner, max_size=3)


@given(st.recursive(short_texts | st.integers() | st.none(), nested, max_leaves=6))
@example({"password": f"hunter22 {GITHUB}"})
@example({"password is": f"{GITHUB} hunter22"})
@example({f"{GITHUB} password": "hunter22hunter22"})
def test_redacting_a_redacted_value_changes_nothing(value: object) -> None:
    once, _ = redact_value(value, redact)
    assert redact_value(once, redact) == (once, {})


# Work


HOSTILE = [
    "a", "1", "4", "sk-", "sk- ", "-----BEGIN", "-----BEGIN RSA PRIVATE KEY-----\n", '"', "=", '="', "eyJ.", "-eyJ",
    "eyJaaaaaaaa.", "@", "a:b@", "://a:b@", "://abc:bcd@", "\u200b", "a\u200b", "[redacted:", "[redacted:x]", "token",
    "token=", "token=1", "token=a1b2", "password is ", "password for ", "密码", "密码1", "card ", "4111 ", "AKIA",
    ":AA", "card 4111111111111112 ", "card 4111111111111111 ", "x 4111111111111111 card" + " " * 90, "twilio ",
    "password = Hunter22x\n",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_work_grows_no_faster_than_the_text(unit: str) -> None:
    small, large = unit * (8_000 // len(unit)), unit * (32_000 // len(unit))
    assert work(large) <= 4.5 * work(small) + 100


def work(text: str) -> int:
    """How many calls a redaction makes, of Python and of built-in functions: every attempt outside of an expression."""
    return calls_of(lambda: redact(text))


def test_an_open_repetition_never_gives_back_what_it_took() -> None:
    """Inside an expression: what may repeat without a bound is possessive, so an attempt walks a text once."""
    backtracking = [pattern.pattern for pattern in expressions() if open_repetitions(pattern)]
    assert backtracking == []


def test_every_expression_that_walks_a_whole_text_starts_with_a_literal() -> None:
    assert [pattern.pattern for pattern in walking() if not starts_with_literal(pattern)] == []


def test_an_attempt_at_a_jwt_is_not_begun_again_inside_the_run_it_walked() -> None:
    """The price of walking a run once: a JWT glued to a longer word by `-` or `_` is not looked at."""
    assert redact(f"x-{known_tokens()['jwt'][0]}").counts == {}


def test_an_open_repetition_that_gives_back_is_found() -> None:
    assert open_repetitions(re.compile(rb"a(?:b|[cd]+x)"))
    assert not open_repetitions(re.compile(rb"a(?:b|[cd]++x){1,9}"))


def walking() -> list[re.Pattern[bytes]]:
    literals = [literal for rule in secret_distant.RULES for literal in rule.literals]
    return [scan.pattern for scan in [*secret_patterns.NEAR_SCANS, *literals]]


def expressions() -> list[re.Pattern[bytes]]:
    return [*walking(), *(rule.form for rule in secret_distant.RULES), *(rule.cue for rule in secret_distant.RULES)]


def parsed(pattern: re.Pattern[bytes]) -> Any:
    return re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]


def starts_with_literal(pattern: re.Pattern[bytes]) -> bool:
    return str(parsed(pattern)[0][0]) == "LITERAL"


def open_repetitions(pattern: re.Pattern[bytes]) -> bool:
    def walk(node: Any) -> bool:
        if isinstance(node, tuple) and len(node) == 2 and str(node[0]) in {"MAX_REPEAT", "MIN_REPEAT"}:
            return int(node[1][1]) > 5000 or walk(node[1][2])
        if isinstance(node, str | bytes | int) or node is None:
            return False
        return any(walk(child) for child in node)

    return walk(list(parsed(pattern)))


def test_the_view_has_a_byte_for_every_visible_character() -> None:
    assert view("a?é是１\u200b。").codes == b"a?\x01:1\x01"


@given(st.sampled_from(["api_key", "password", "lives_in", "card", "discord", "\u5bc6\u7801"]), texts)
@law_settings
def test_what_passes_at_one_look_is_what_the_filter_leaves_alone(cue: str, text: str) -> None:
    redactor = Redactor()
    if redactor.passes(cue, text):
        assert redact_value({cue: text}, redactor) == ({cue: text}, {})
        for whole in (cue, text, f"{cue}: {text}"):
            assert redactor(whole) == Redaction(whole)


def test_no_secret_passes_and_nothing_passes_a_filter_of_your_own() -> None:
    redactor = Redactor()
    for case in positives():
        assert not redactor.passes("lives_in", case.text) or remains(case)
    assert redactor.passes("lives_in", "a town in the south")
    assert not Redactor([r"EMP-\d+"]).passes("lives_in", "Delhi")
    assert not Redactor(replace=str.upper).passes("lives_in", "Delhi")
