"""Short phrases by language: a bare yes or no."""

from __future__ import annotations

from .text import words

_AFFIRMATIONS = frozenset(
    [
        "yes", "yep", "yeah", "yup", "ya", "ye", "sure", "ok", "okay", "okey", "fine", "right", "correct", "exactly",
        "true", "indeed", "absolutely", "definitely", "certainly", "agreed", "confirmed", "confirm", "course",
        "alright", "it", "is", "that", "s", "of", "thats", "thanks", "thank", "you", "please", "good", "great",
        "perfect", "ja", "jawohl", "genau", "stimmt", "richtig", "klar", "gut", "danke", "bitte", "doch", "das", "sí",
        "si", "claro", "vale", "correcto", "exacto", "cierto", "bueno", "gracias", "eso", "es", "oui", "ouais", "exact",
        "exactement", "merci", "bien", "sûr", "accord", "d", "c", "est", "sim", "isso", "certo", "exato", "obrigado",
        "obrigada", "sì", "esatto", "giusto", "grazie", "va", "bene", "да", "ага", "верно", "точно", "именно",
        "спасибо", "конечно", "так", "نعم", "أجل", "صحيح", "تمام",
        "हाँ", "हां", "जी", "ठीक", "है", "सही", "네",
        "예",
        "응", "맞아요", "맞아", "그래", "그래요", "はい", "うん",
        "ええ", "そうです", "そう", "その通り", "是", "是的", "对",
        "对的", "嗯", "好", "好的",
        "没错", "行", "可以", "當然", "当然", "對", "對的", "沒錯"
    ]
)
_YES_OR_NO = frozenset(
    [
        "yes", "yep", "yeah", "yup", "ja", "jawohl", "sí", "si", "oui", "ouais", "sim", "sì", "да", "ага", "نعم", "हाँ",
        "हां", "네", "예", "はい", "no", "nope", "nah", "not", "nein", "nee", "nej", "non", "não", "нет", "لا", "नहीं",
        "아니요", "아뇨", "いいえ", "いや", "ううん", "不", "不是", "没有", "沒有", "不对",
    ]
)  # fmt: skip
_OF_ONESELF = frozenset(
    [
        "i", "am", "m", "do", "did", "does", "don", "doesn", "didn", "isn", "t", "are", "aren", "was", "were", "have",
        "haven", "has", "had", "can", "will", "would", "we", "he", "she", "they", "it", "its", "is", "that", "s", "so",
        "ich", "bin", "ist", "es", "das", "habe", "hab", "nicht", "yo", "lo", "soy", "estoy", "es", "je", "suis", "le",
        "c", "est", "ne", "pas", "sono", "io", "sou", "eu", "é",
    ]
)  # fmt: skip
_LONGEST_ANSWER = 8  # words
_LONGEST_TEXT = 200  # characters


def is_bare_answer(text: str) -> bool:
    """Tell whether a text says nothing but yes or no: "yes", "that's right", "no, I'm not".

    Words such as "I am" count for that beside a yes or no, and alone; not beside "fine": that says how one is.
    """
    if len(text.strip()) > _LONGEST_TEXT:
        return False
    answer = words(text)
    said = frozenset(answer)
    if not 0 < len(answer) <= _LONGEST_ANSWER:
        return False
    agrees = said <= _AFFIRMATIONS | _YES_OR_NO
    return agrees or said <= _OF_ONESELF or (bool(said & _YES_OR_NO) and said <= _KNOWN)


_KNOWN = _AFFIRMATIONS | _YES_OR_NO | _OF_ONESELF
