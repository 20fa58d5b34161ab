"""What a statement is of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.registry import Registry, make_entity
from tensemem.core.relations import _ALWAYS, _POSSESSED, ALWAYS, POSSESSED, RELATIONS, _words
from tensemem.core.subjects import (
    first_person,
    is_relation_or_user,
    normalise_subject,
    subject_key,
    subject_of,
)
from tensemem.core.text import comparison_key
from tensemem.errors import InvalidValueError
from tests.settings import law_settings


@pytest.mark.parametrize(
    "subject",
    ["user", "User", " USER ", "the user", "me", "I", "i", "myself", "self", "ich", "yo", "je", "我", "私", "僕", "나",
     "मैं", "я", "أنا", "us\u200ber", "用户", "Benutzer", "usuario", "ユーザー", "пользователь", "ｕｓｅｒ"],
)  # fmt: skip
def test_the_user_goes_by_many_words(subject):
    assert normalise_subject(subject) == ("user", "user")


@pytest.mark.parametrize(
    "subject",
    [
        "wife", "Wife", "my wife", "My  Wife", "the wife", "our wife", "user.wife", "User.Wife", "user's wife",
        "the user's wife", "the user’s wife", "user . wife", "me.wife",
        "meine Frau", "Ehefrau", "meine Ehefrau", "mi esposa", "mi mujer", "esposa", "ma femme", "la mia moglie",
        "mia moglie", "minha esposa", "a minha mulher", "user.frau",
        "妻", "我老婆", "我的老婆", "我妻子", "老婆", "私の妻", "うちの妻", "俺の嫁", "내 아내", "나의 아내",
        "우리 와이프", "아내",
        "मेरी पत्नी", "पत्नी", "моя жена", "жена", "زوجتي",
    ],
)  # fmt: skip
def test_a_wife_is_one_subject_in_every_language(subject):
    assert normalise_subject(subject) == ("user.wife", "user.wife")


@pytest.mark.parametrize(
    ("subject", "key"),
    [
        ("my husband", "user.husband"), ("mein Mann", "user.husband"), ("mon mari", "user.husband"),
        ("我老公", "user.husband"), ("мой муж", "user.husband"),
        ("mom", "user.mother"), ("my mum", "user.mother"), ("meine Mutter", "user.mother"), ("我妈妈", "user.mother"),
        ("मेरी माँ", "user.mother"), ("мама", "user.mother"), ("엄마", "user.mother"),
        ("my dad", "user.father"), ("papá", "user.father"), ("お父さん", "user.father"),
        ("mi hijo", "user.son"), ("ma fille", "user.daughter"), ("my kid", "user.child"), ("mein Kind", "user.child"),
        ("hermano", "user.brother"), ("弟", "user.brother"), ("сестра", "user.sister"),
        ("my boss", "user.boss"), ("my manager", "user.boss"), ("mein Chef", "user.boss"), ("上司", "user.boss"),
        ("a minha amiga", "user.friend"), ("my co-worker", "user.colleague"), ("同事", "user.colleague"),
        ("my girlfriend", "user.girlfriend"), ("meine Freundin", "user.girlfriend"), ("私の彼女", "user.girlfriend"),
        ("남자친구", "user.boyfriend"), ("my dog", "user.dog"), ("mon chat", "user.cat"), ("猫", "user.cat"),
        ("my mother-in-law", "user.mother_in_law"), ("user.mother_in_law", "user.mother_in_law"),
    ],
)  # fmt: skip
def test_relations_have_one_english_name(subject, key):
    assert normalise_subject(subject) == (key, key)


@pytest.mark.parametrize(
    ("subject", "key"),
    [
        ("user.wife.mother", "user.wife.mother"),
        ("my wife's mother", "user.wife.mother"),
        ("wife's mother", "user.wife.mother"),
        ("the user's wife's mother", "user.wife.mother"),
        ("my boss' dog", "user.boss.dog"),
        ("我老婆的妈妈", "user.wife.mother"),
        ("私の妻の母", "user.wife.mother"),
        ("मेरी पत्नी की माँ", "user.wife.mother"),
        ("아내의 어머니", "user.wife.mother"),
    ],
)
def test_relations_follow_each_other(subject, key):
    assert normalise_subject(subject) == (key, key)


@pytest.mark.parametrize(
    "subject",
    ["Mira", "thermostat", "apple", "Frau", "Mann", "mari", "chat", "Kitty", "Buddy", "EU", "IO", "speaker",
     "Dr. Smith",
     "user.car", "my car", "Mira's mother", "user.wife.car", "wife Anna", "midwife", "我们公司", "user..wife", ".",
     "users", "User 1", "user (guest)", "superuser", "Ursel"],
)  # fmt: skip
def test_any_other_name_is_taken_as_it_is_written(subject):
    assert normalise_subject(subject) == (comparison_key(subject), subject)


@pytest.mark.parametrize(
    "subject",
    ["uѕer", "usеr", "υser", "useг", "user.", "user:", "@user", "[User]", "u s e r", "Úser", "the  user!", "uѕer.wife",
     "usеr.name", "USER…"],
)  # fmt: skip
def test_a_name_that_only_looks_like_the_user_is_refused(subject):
    with pytest.raises(InvalidValueError, match="looks like the user"):
        normalise_subject(subject)


def test_a_name_is_shown_without_the_blanks_around_and_within():
    assert normalise_subject("  Living \n Room ") == ("living room", "Living Room")


@pytest.mark.parametrize(
    "subject", ["", " ", "\t\n", "\u200b", "a\0b", "\ud800", "a\x1bb", "x" * 513, None, 5, b"user"]
)
def test_a_name_that_can_not_be_kept_is_refused(subject):
    with pytest.raises(InvalidValueError):
        normalise_subject(subject)


@given(st.text(min_size=1, max_size=30) | st.sampled_from([*POSSESSED, "my wife's", "user.x", "the user"]))
@law_settings
def test_the_key_of_a_subjects_key_and_of_its_shown_name_is_that_key(subject):
    try:
        key, shown = normalise_subject(subject)
    except InvalidValueError:
        return
    assert normalise_subject(key)[0] == key
    assert normalise_subject(shown) == (key, shown)


def test_no_word_means_two_relations():
    for table in (_ALWAYS, _POSSESSED):
        words = [word for words in table.values() for word in _words(words)]
        assert sorted(set(words)) == sorted(words)


def test_every_word_of_the_table_leads_to_its_relation_alone_or_after_my():
    for word, slug in ALWAYS.items():
        assert normalise_subject(word)[0] == f"user.{slug}"
    for word, slug in POSSESSED.items():
        assert normalise_subject(f"my {word}")[0] == f"user.{slug}"
    assert all(normalise_subject(f"user.{slug}")[0] == f"user.{slug}" for slug in RELATIONS)


def test_relations_and_the_user_are_told_from_other_subjects():
    assert all(map(is_relation_or_user, ["user", "user.wife", "user.wife.mother"]))
    assert not any(map(is_relation_or_user, ["mira", "wife", "user.car", "user.", "", "users", "mira.wife"]))


def test_entity_aliases_name_one_subject():
    registry = Registry(entities={"living room": make_entity("Living Room", aliases=["lounge"])})
    assert subject_of("the lounge", registry) == ("the lounge", "the lounge")
    assert subject_of(" LOUNGE ", registry) == ("living room", "Living Room")
    assert subject_of("living room", registry) == ("living room", "Living Room")
    assert subject_key("kitchen", registry) == "kitchen"
    assert subject_key("my wife", registry) == "user.wife"


@pytest.mark.parametrize("name", ["user", "User", "me", "wife", "My Wife", "user.wife", "我老婆", "the user"])
def test_an_entity_can_not_be_named_like_the_user_or_a_relation(name):
    with pytest.raises(InvalidValueError, match="that means the subject 'user"):
        make_entity(name)
    with pytest.raises(InvalidValueError, match="that means the subject 'user"):
        make_entity("Fine", aliases=[name])


@pytest.mark.parametrize(
    "text",
    [
        "I live in Pune", "i live in pune", "I'm vegan", "I’m vegan", "well, i've moved", "that is my dog",
        "call me Al",
        "It's mine", "We moved", "join us", "Our house", "HELP ME", "(me)", "“I moved”",
        "ich wohne in Berlin", "Mein Hund", "mit meinem Hund", "mir geht's gut", "Wir ziehen um",
        "yo vivo aquí", "Soy vegetariano", "Mi esposa es médica", "vivo en Madrid", "me llamo Ana", "nosotros",
        "je suis à Paris", "j'habite à Lyon", "J’ai un chat", "m'appelle Luc", "ma femme", "mon chien", "nous",
        "io abito a Roma", "sono vegano", "mia moglie", "eu moro em Lisboa", "minha casa", "sou médico",
        "我住在北京", "咱家", "我老婆", "私は東京に住んでいます", "僕は学生", "わたしの犬", "ぼくの犬",
        "저는 서울에 살아요", "내 아내", "나는 학생", "우리 집", "मैं पुणे में रहता हूँ", "मेरी पत्नी", "हम चले गए",
        "я живу в Москве", "моя жена", "у меня собака", "أنا أعيش في القاهرة",
    ],
)  # fmt: skip
def test_a_marker_of_the_first_person_is_found(text):
    assert first_person(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "Dana lives in Pune", "she moved to the US", "in the EU", "a house in Portland, ME", "Boston, MA",
        "ASCII",
        "the user's wife likes soy milk", "He works with Mon and Moro", "Meeting is on Mon", "island", "mime", "Wii",
        "Er wohnt in Berlin", "Elle habite à Paris", "她住在北京", "中国", "自我介绍", "私立大学",
        "彼は東京に住んでいる",
        "한국 나라", "वह पुणे में रहता है", "она живёт в Москве", "هي تعيش في القاهرة", "M's bar", "I-95",
    ],
)  # fmt: skip
def test_a_text_about_others_has_no_marker(text):
    assert not first_person(text)
