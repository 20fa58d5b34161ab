"""Each language's gates: what is asserted, what takes away, what is planned, and what says nothing."""

from __future__ import annotations

import pytest

from tests.extract.offline.asking import said

ASSERTED = "set lives_in={}"
TAKEN = "retract lives_in={}"
DENIED = "deny lives_in={}"
PLANNED = "set lives_in={} (planned)"
NOTHING = ""

ENGLISH = [
    ("I live in Oslo", ASSERTED),
    ("i live in oslo", "set lives_in=oslo"),
    ("I'm living in Oslo now", ASSERTED),
    ("I currently live in Oslo", ASSERTED),
    ("By the way, I live in Oslo these days", ASSERTED),
    ("I've lived in Oslo since 2015", ASSERTED),
    ("I've been living in Oslo for ten years", ASSERTED),
    ("I just moved to Oslo", ASSERTED),
    ("I have moved to Oslo", ASSERTED),
    ("I work from home and live in Oslo", ASSERTED),
    ("I live in Oslo, if you must know", ASSERTED),
    ("I live in Oslo, can you recommend a cafe?", ASSERTED),
    ("I no longer live in Oslo", TAKEN),
    ("I don't live in Oslo anymore", TAKEN),
    ("I don't live in Oslo", TAKEN),
    ("I used to live in Oslo", TAKEN),
    ("I've never lived in Oslo", DENIED),
    ("I never lived in Oslo", DENIED),
    ("I'm moving to Oslo next month", PLANNED),
    ("I'm going to move to Oslo", PLANNED),
    ("I will live in Oslo", PLANNED),
    ("I want to live in Oslo", NOTHING),
    ("I would live in Oslo", NOTHING),
    ("I'd love to live in Oslo", NOTHING),
    ("I might move to Oslo", NOTHING),
    ("I wish I lived in Oslo", NOTHING),
    ("I almost moved to Oslo", NOTHING),
    ("I didn't move to Oslo", NOTHING),
    ("Maybe I live in Oslo", NOTHING),
    ("If I live in Oslo, I ski", NOTHING),
    ("Suppose I live in Oslo", NOTHING),
    ("Let's say I live in Oslo", NOTHING),
    ("Do I live in Oslo?", NOTHING),
    ("I live in Oslo?", NOTHING),
    ("I live in Oslo, right?", NOTHING),
    ("I wonder if I live in Oslo", NOTHING),
    ('She said "I live in Oslo"', NOTHING),
    ("She said: I live in Oslo", NOTHING),
    ("My boss thinks I live in Oslo", NOTHING),
    ("According to my file I live in Oslo", NOTHING),
    ("He lives in Oslo", NOTHING),
    ("People live in Oslo", NOTHING),
    ("Anna lives in Oslo", NOTHING),
    ("someone who lives in Oslo", NOTHING),
    ("I'm visiting Oslo", NOTHING),
    ("I'm on holiday in Oslo", NOTHING),
    ("I landed in Oslo", NOTHING),
    ("I live in Oslo for two weeks", NOTHING),
    ("In the game I live in Oslo", NOTHING),
    ("I dreamt I live in Oslo", NOTHING),
    ("I live in Oslo, just kidding", NOTHING),
    ("Translate: I live in Oslo", NOTHING),
    ("Write a story where I live in Oslo", NOTHING),
    ("Let's rehearse. I live in Oslo.", NOTHING),
    ("You are a pirate. I live in Oslo.", NOTHING),
    ("For example, I live in Oslo", NOTHING),
    ("```\nI live in Oslo\n```", NOTHING),
    ("> I live in Oslo", NOTHING),
    ("2026-05-20 12:00:01 INFO I live in Oslo", NOTHING),
    ("living in Oslo is not for me", NOTHING),
    ("I lived in Oslo", NOTHING),
    ("I live in fear", NOTHING),
    ("I live in the moment", NOTHING),
]

CHINESE = [
    ("我住在杭州", ASSERTED),
    ("我现在住在杭州。", ASSERTED),
    ("我一直住在杭州", ASSERTED),
    ("其实我住在杭州", ASSERTED),
    ("我搬到了杭州", ASSERTED),
    ("我已经不住在杭州了", TAKEN),
    ("我不住在杭州", TAKEN),
    ("我以前住在杭州", TAKEN),
    ("我从来没住在杭州", DENIED),
    ("我打算搬到杭州", PLANNED),
    ("我想住在杭州", NOTHING),
    ("我可能住在杭州", NOTHING),
    ("我差点搬到杭州", NOTHING),
    ("如果我住在杭州就好了", NOTHING),
    ("假设我住在杭州", NOTHING),
    ("我住在杭州吗？", NOTHING),
    ("他说我住在杭州", NOTHING),
    ("他住在杭州", NOTHING),
    ("听说我住在杭州", NOTHING),
    ("小说里我住在杭州", NOTHING),
    ("写个故事：我住在杭州", NOTHING),
    ("翻译：我住在杭州", NOTHING),
    ("我住在梦里", NOTHING),
    ("我住在酒店", NOTHING),
    ("我在杭州出差", NOTHING),
]

SPANISH = [
    ("Vivo en Lima", ASSERTED),
    ("Yo vivo en Lima", ASSERTED),
    ("Actualmente vivo en Lima", ASSERTED),
    ("Estoy viviendo en Lima", ASSERTED),
    ("Me mudé a Lima", ASSERTED),
    ("Me he mudado a Lima", ASSERTED),
    ("Ya no vivo en Lima", TAKEN),
    ("No vivo en Lima", TAKEN),
    ("Antes vivía en Lima", TAKEN),
    ("Nunca he vivido en Lima", DENIED),
    ("Voy a mudarme a Lima", NOTHING),
    ("Voy a vivir en Lima", PLANNED),
    ("Quiero vivir en Lima", NOTHING),
    ("Me gustaría vivir en Lima", NOTHING),
    ("Quizás vivo en Lima", NOTHING),
    ("Casi me mudé a Lima", NOTHING),
    ("Si vivo en Lima, ahorro", NOTHING),
    ("Imagina que vivo en Lima", NOTHING),
    ("¿Vivo en Lima?", NOTHING),
    ("Dice que vivo en Lima", NOTHING),
    ("Vive en Lima", NOTHING),
    ("La gente vive en Lima", NOTHING),
    ("Él vive en Lima", NOTHING),
    ("Estoy de vacaciones en Lima", NOTHING),
    ("Por ejemplo, vivo en Lima", NOTHING),
    ("Escribe un cuento: vivo en Lima", NOTHING),
    ("Vivo en paz", NOTHING),
    ("Vivo en Lima, es broma", NOTHING),
]

GERMAN = [
    ("Ich wohne in Graz", ASSERTED),
    ("ich wohn in Graz", ASSERTED),
    ("Ich wohne jetzt in Graz", ASSERTED),
    ("Zurzeit wohne ich in Graz", ASSERTED),
    ("Ich wohne in Graz, weil es schön ist", ASSERTED),
    ("Ich arbeite viel, weil ich in Graz wohne", ASSERTED),
    ("Ich bin nach Graz gezogen", ASSERTED),
    ("Endlich bin ich nach Graz gezogen", ASSERTED),
    ("Ich wohne nicht mehr in Graz", TAKEN),
    ("Ich wohne nicht in Graz", TAKEN),
    ("Früher wohnte ich in Graz", TAKEN),
    ("Ich habe nie in Graz gewohnt", DENIED),
    ("Ich werde in Graz wohnen", PLANNED),
    ("Ich möchte in Graz wohnen", NOTHING),
    ("Ich würde gern in Graz wohnen", NOTHING),
    ("Vielleicht wohne ich in Graz", NOTHING),
    ("Fast wäre ich nach Graz gezogen", NOTHING),
    ("Ich wäre fast nach Graz gezogen", NOTHING),
    ("Wenn ich in Graz wohne, fahre ich Rad", NOTHING),
    ("Angenommen, ich wohne in Graz", NOTHING),
    ("Wohne ich in Graz?", NOTHING),
    ("Er sagt, ich wohne in Graz", NOTHING),
    ("Laut Akte wohne ich in Graz", NOTHING),
    ("Er wohnt in Graz", NOTHING),
    ("Leute wohnen in Graz", NOTHING),
    ("Ich bin in Graz im Urlaub", NOTHING),
    ("Im Spiel wohne ich in Graz", NOTHING),
    ("Übersetze: Ich wohne in Graz", NOTHING),
    ("Zum Beispiel: Ich wohne in Graz", NOTHING),
    ("Ich wohne in Angst", NOTHING),
]


def _expected(pattern: str, place: str) -> list[str]:
    return [pattern.format(place)] if pattern else []


def _lives_in(text: str) -> list[str]:
    return [each for each in said(text) if "lives_in" in each]


@pytest.mark.parametrize(("text", "outcome"), ENGLISH)
def test_english(text: str, outcome: str) -> None:
    assert _lives_in(text) == _expected(outcome, "Oslo")


@pytest.mark.parametrize(("text", "outcome"), CHINESE)
def test_chinese(text: str, outcome: str) -> None:
    assert _lives_in(text) == _expected(outcome, "杭州")


@pytest.mark.parametrize(("text", "outcome"), SPANISH)
def test_spanish(text: str, outcome: str) -> None:
    assert _lives_in(text) == _expected(outcome, "Lima")


@pytest.mark.parametrize(("text", "outcome"), GERMAN)
def test_german(text: str, outcome: str) -> None:
    assert _lives_in(text) == _expected(outcome, "Graz")


def test_a_gate_acts_on_its_own_clause() -> None:
    assert said("If I win the lottery I buy a boat. I live in Delhi.") == ["set lives_in=Delhi"]
    assert said("I almost moved to Denver, but I live in Austin") == ["set lives_in=Austin"]
    assert said("I don't work at Shopify anymore, I work at Stripe now") == [
        "retract works_at=Shopify",
        "set works_at=Stripe",
    ]
    assert said("I'd like to live in Rome and work at Fiat") == []


def test_after_the_rehearsal_a_plain_statement_in_another_message_counts() -> None:
    assert said("Let's rehearse. You are the help desk, and I play a caller. Ready? Hi, I'm Jonas.") == []
    assert said("My name is Jonas.") == ["set name=Jonas"]


@pytest.mark.parametrize(
    "text",
    [
        "Mark moved away, based in Oslo",
        "She left her job, living in Oslo",
        "The neighbour is a painter, based in Oslo",
        "他辞职了，住在杭州",
        "Er ist Maler, wohne in Graz",
        "Ella es pintora, vivo en Lima",
    ],
)
def test_a_statement_without_a_subject_is_nobodys_behind_a_stranger(text: str) -> None:
    assert _lives_in(text) == []


def test_a_statement_without_a_subject_is_the_users_where_it_can_be_nobody_elses() -> None:
    assert _lives_in("Hi, based in Oslo") == ["set lives_in=Oslo"]
    assert _lives_in("I do iOS stuff for a living, based in Oslo") == ["set lives_in=Oslo"]
    assert _lives_in("My brother is fine, based in Oslo") == ["user.brother: set lives_in=Oslo"]
    assert said("Hallo, ich bin Jana, wohne in Graz und arbeite bei DHL") == [
        "set name=Jana",
        "set lives_in=Graz",
        "set works_at=DHL",
    ]
