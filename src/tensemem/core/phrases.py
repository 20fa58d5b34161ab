"""Short phrases by language: a bare yes, and words that speak to somebody else."""

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
_LONGEST_AFFIRMATION = 8
_SECOND_PERSON = frozenset(
    [
        "you", "your", "yours", "yourself", "you're", "du", "dich", "dir", "dein", "deine", "deinen", "deiner", "ihr",
        "euch", "sie", "ihnen", "tú", "usted", "ustedes", "tu", "tus", "te", "vous", "votre", "vos", "toi", "você",
        "vocês", "seu", "sua", "ты", "вы", "тебя", "тебе", "вас", "вам", "твой", "ваш", "तुम", "आप", "तुम्हारा", "आपका"
    ]
)
_SECOND_PERSON_SIGNS = ("你", "您", "あなた", "君", "당신", "너")


def is_affirmation(text: str) -> bool:
    """Tell whether a text says nothing but yes."""
    said = words(text)
    return 0 < len(said) <= _LONGEST_AFFIRMATION and all(word in _AFFIRMATIONS for word in said)


def second_person(text: str) -> bool:
    """Tell whether a text speaks to somebody as "you"."""
    return any(word in _SECOND_PERSON for word in words(text)) or any(sign in text for sign in _SECOND_PERSON_SIGNS)
