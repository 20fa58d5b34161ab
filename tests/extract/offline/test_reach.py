"""How far a word reaches: answers, scoped negation, what is taken back behind, and values that would swallow more."""

from __future__ import annotations

import pytest

from tensemem import OfflineExtractor
from tests.extract.offline.asking import predicate, said

DRIVES = [predicate("drives", "I drive {value}", "Conduzco {value}", "Ich fahre {value}", "我开{value}")]
SMOKES = [predicate("smokes", "I smoke => true", "Ich rauche => true", type="bool")]
DRINKS = [predicate("drinks", "bebo {value}")]


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("No, vivo en Madrid.", "set lives_in=Madrid"),
        ("No. Vivo en Madrid.", "set lives_in=Madrid"),
        ("Yo no. Vivo en Madrid.", "set lives_in=Madrid"),
        ("no. vivo en Madrid", "set lives_in=Madrid"),
        ("¿En Lima? No, vivo en Madrid.", "set lives_in=Madrid"),
        ("Ahora no. Vivo en Madrid", "set lives_in=Madrid"),
        ("Ya no: vivo en Madrid", "set lives_in=Madrid"),
        ("No gracias, vivo en Madrid", "set lives_in=Madrid"),
        ("Not me, I live in Rome", "set lives_in=Rome"),
        ("不对，我住在北京", "set lives_in=北京"),
        ("不，我住在北京。", "set lives_in=北京"),
        ("没有，我住在北京。", "set lives_in=北京"),
        ("不 我住在北京", "set lives_in=北京"),
        ("不是，我叫小明。", "set name=小明"),
        ("Not really, I live in Rome", "set lives_in=Rome"),
        ("Not anymore, I live in Rome", "set lives_in=Rome"),
        ("No, I live in Rome", "set lives_in=Rome"),
        ("Nein, ich wohne in Graz", "set lives_in=Graz"),
        ("Nicht mehr, ich wohne in Graz", "set lives_in=Graz"),
        ("No, no vivo en Madrid", "retract lives_in=Madrid"),
        ("不，我不住在北京", "retract lives_in=北京"),
    ],
)
def test_an_answer_before_a_pause_negates_nothing(text: str, proposed: str) -> None:
    assert said(text) == [proposed]


@pytest.mark.parametrize(
    "text",
    [
        "I don't only speak English",
        "I don't just speak English",
        "Not only do I live in Rome",
        "I don't speak French well",
        "I don't speak French much",
        "I don't really speak French",
        "I don't live in Rome for fun",
        "I don't live in Rome because of work",
        "I don't live in downtown Rome",
        "I no longer only speak English",
        "I don't live near Rome",
        "I am not only a nurse",
        "I don't like just tea",
        "I don't like all tea",
        "No solo hablo español, también inglés",
        "No hablo bien francés",
        "No hablo mucho francés",
        "No hablo francés muy bien",
        "No vivo en el centro de Madrid",
        "No vivo solo en Madrid",
        "Ich spreche nicht gut Deutsch",
        "Ich spreche Deutsch nicht gut",
        "Ich wohne nicht nur in Graz",
        "Ich wohne nicht gern in Graz",
        "我不怎么会英语",
        "我不只会英语",
        "我不仅住在北京",
    ],
)
def test_a_negation_of_a_part_takes_nothing_away(text: str) -> None:
    assert [each for each in said(text) if not each.endswith("(reported)")] == []


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("I don't work for Google", "retract works_at=Google"),
        ("I don't work at Good Foods Inc.", "retract works_at=Good Foods Inc."),
        ("I don't speak French. Just English", "remove languages=French"),
        ("I don't live in Rome anymore because of work", "retract lives_in=Rome"),
        ("No hablo francés", "remove languages=francés"),
        ("Ich spreche kein Deutsch", "remove languages=Deutsch"),
        ("我不会英语", "remove languages=英语"),
    ],
)
def test_a_negation_of_the_whole_still_takes_away(text: str, proposed: str) -> None:
    assert said(text)[:1] == [proposed]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo. Not!",
        "I live in Oslo. Not really.",
        "I live in Oslo... not",
        "I live in Oslo (well, almost)",
        "I live in Oslo (not really)",
        "I live in Oslo, I wish!",
        "I live in Oslo, yeah right",
        "I live in Oslo (used to)",
        "I live in Oslo. That's not true.",
        "I live in Oslo, well, not really anymore",
        "I live in Oslo. Or so I tell people",
        "I live in Oslo - as if!",
        "Vivo en Lima (bueno, casi)",
        "Vivo en Lima. ¡Qué va!",
        "Vivo en Lima, ojalá",
        "Ich wohne in Graz (na ja, fast)",
        "Ich wohne in Graz. Nicht!",
        "我住在北京（差不多）",
        "我住在北京，才怪",
        "我住在北京，不是",
    ],
)
def test_what_stands_alone_behind_a_pause_takes_back(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo, not far from the sea",
        "I live in Oslo. No, I have no car.",
        "I live in Oslo. Not that it matters to you, of course",
        "I live in Oslo, well, since you ask",
    ],
)
def test_what_goes_on_behind_a_pause_does_not(text: str) -> None:
    assert "set lives_in=Oslo" in said(text)


@pytest.mark.parametrize(
    "text",
    ["I smoke salmon at home", "I smoke some fish", "Ich rauche Lachs", "I don't smoke weed", "I smoke or grill"],
)
def test_a_fixed_value_with_more_behind_says_nothing(text: str) -> None:
    assert said(text, SMOKES) == []


@pytest.mark.parametrize("text", ["I smoke", "I smoke, sadly", "I still smoke.", "I smoke but my wife hates it"])
def test_a_fixed_value_at_its_end_is_set(text: str) -> None:
    assert said(text, SMOKES) == ["set smokes=true"]


@pytest.mark.parametrize("text", ["I smoke and cure salmon", "I smoke (meat)", "I smoke: salmon"])
def test_a_fixed_value_whose_verb_goes_on_waits_for_review(text: str) -> None:
    assert said(text, SMOKES) == ["set smokes=true (reported)"]


@pytest.mark.parametrize(
    "text",
    [
        "No bebo alcohol.",
        "¿bebo alcohol?",
        "si bebo alcohol canto",
        "bebo alcohol con gas y mucho hielo",
        "bebo alcohol casi nunca",
        "bebo alcohol, creo",
        "mañana voy a beber, bebo alcohol quizás",
        "não, bebo alcohol jamais",
        "Anna dice bebo alcohol",
    ],
)
def test_an_example_in_no_known_language_is_read_narrowly(text: str) -> None:
    assert said(text, DRINKS) == []


def test_an_example_in_no_known_language_takes_a_short_value_at_the_end() -> None:
    assert said("bebo agua.", DRINKS) == ["set drinks=agua"]
    assert said("Hola! bebo agua fría, gracias", DRINKS) == ["set drinks=agua fría"]


@pytest.mark.parametrize(
    ("example", "text"),
    [
        ("fumo => true", "no fumo"),
        ("aprendo {value:language}", "no aprendo inglés"),
        ("cucino con {value}", "non cucino con olio"),
        ("je cuisine au {value}", "je cuisine au beurre jamais"),
        ("eu moro em {value}", "eu moro em Lisboa não"),
        ("eu moro em {value}", "eu moro em Alba, Duque de Torres"),
    ],
)
def test_examples_whose_language_is_not_recognised_are_told(example: str, text: str) -> None:
    known = [predicate("thing", example)]
    assert OfflineExtractor().unrecognised(known) == (("thing", example),)
    assert OfflineExtractor().unread(known) == ()
    assert said(text, known) == []


@pytest.mark.parametrize(
    "example",
    [
        "yo bebo {value}",
        "I drink {value}",
        "Ich trinke {value}",
        "me gusta {value}",
        "我喝{value}",
        "mañana {value}",
        "{subject}'s heir: {value}",
    ],
)
def test_a_pronoun_or_a_common_word_tells_the_language(example: str) -> None:
    assert OfflineExtractor().unrecognised([predicate("thing", example)]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I drive a Volvo to work",
        "I drive a Volvo or a Saab, depending",
        "I drive a Volvo into the ground",
        "I drive a Volvo like a maniac",
        "Conduzco un Volvo o un Saab",
        "Conduzco un Volvo al trabajo",
        "Ich fahre einen Volvo zur Arbeit",
        "Ich fahre einen Volvo oder einen Saab",
    ],
)
@pytest.mark.parametrize("cardinality", ["one", "many"])
def test_a_plain_value_that_goes_on_is_not_asserted(text: str, cardinality: str) -> None:
    known = [predicate("drives", *DRIVES[0].examples, cardinality=cardinality)]
    assert [each for each in said(text, known) if not each.endswith("(reported)")] == []


def test_what_goes_on_somewhere_is_no_place() -> None:
    known = [predicate("production", "生产环境在{value}")]
    assert said("生产环境在重启", known) == ["set production=重启 (reported)"]
    assert said("生产环境在修复中", known) == ["set production=修复中 (reported)"]
    assert said("生产环境在AWS", known) == ["set production=AWS"]


@pytest.mark.parametrize("name", ["timezone", "time_zone"])
def test_a_time_zone_is_a_known_one(name: str) -> None:
    known = [predicate(name, "My timezone is {value}")]
    assert said("My timezone is great", known) == []
    assert said("My timezone is Foo/Bar", known) == []
    assert said("My timezone is Europe/Oslo", known) == [f"set {name}=Europe/Oslo"]
    assert said("My timezone is UTC+2", known) == [f"set {name}=UTC+2"]


def test_a_number_of_things_that_are_named_is_not_asserted() -> None:
    assert said("I have two cats, Milo and Otis") == ["add pets=two cats (reported)"]
