"""Words for the people and animals around somebody, and for oneself, in the languages the library knows.

Each relation has one English slug. A word in ``ALWAYS`` means the relation wherever it stands alone as a subject; one
in ``POSSESSED`` only after a possessive, for it has another meaning too: "Frau" is a woman, "meine Frau" a wife.
Words are compared by their comparison key.
"""

from __future__ import annotations

from collections.abc import Mapping

from .text import comparison_key

_ALWAYS = {
    "wife": """wife, wifey, Ehefrau, Gattin, esposa, épouse, moglie, 妻, 妻子, 老婆, 太太, 媳妇, 媳婦, 嫁, 奥さん,
        家内, पत्नी, बीवी, жена, супруга, زوجة, زوجتي, 아내, 와이프""",
    "husband": """husband, hubby, Ehemann, Gatte, esposo, marido, époux, marito, 老公, 丈夫, 夫, 旦那, पति, муж,
        супруг, زوجي, 남편""",
    "spouse": """spouse, Ehepartner, Ehepartnerin, cónyuge, conjoint, conjointe, coniuge, cônjuge, 配偶, 爱人,
        愛人, 配偶者, 배우자""",
    "partner": """partner, life partner, Partnerin, Lebensgefährte, Lebensgefährtin, pareja, compagne, compagnon,
        partenaire, compagna, compagno, parceiro, parceira, companheiro, companheira, 伴侣, 伴侶, パートナー,
        партнёр, партнер, شريكي, شريكتي, 파트너""",
    "fiance": """fiance, fiancé, fiancee, fiancée, Verlobte, Verlobter, prometido, prometida, 未婚妻, 未婚夫,
        婚約者, خطيبي, خطيبتي""",
    "girlfriend": """girlfriend, novia, petite amie, fidanzata, namorada, 女朋友, 女友, गर्लफ्रेंड, حبيبتي,
        여자친구, 여친""",
    "boyfriend": """boyfriend, novio, petit ami, fidanzato, namorado, 男朋友, 男友, 彼氏, बॉयफ्रेंड, حبيبي,
        남자친구, 남친""",
    "mother": """mother, mom, mum, mommy, mummy, mama, mamma, Mutter, Mutti, madre, mamá, mère, maman, mãe, mamãe,
        妈妈, 媽媽, 母亲, 母親, 妈, 媽, 母, お母さん, ママ, माँ, मां, माता, मम्मी, мама, мать, أمي, امي, والدتي,
        어머니, 엄마""",
    "father": """father, dad, daddy, papa, Vater, Vati, padre, papá, père, papà, babbo, pai, papai, 爸爸, 父亲,
        父親, 爸, 父, お父さん, パパ, पिता, पापा, папа, отец, أبي, ابي, والدي, 아버지, 아빠""",
    "mother_in_law": """mother-in-law, mother in law, Schwiegermutter, suegra, belle-mère, suocera, sogra, 岳母,
        婆婆, 義母, सास, тёща, теща, свекровь, حماتي, 장모님, 시어머니""",
    "father_in_law": """father-in-law, father in law, Schwiegervater, suegro, beau-père, suocero, sogro, 岳父,
        公公, 義父, ससुर, тесть, свёкор, свекор, حماي, 장인어른, 시아버지""",
    "grandmother": """grandmother, grandma, granny, Großmutter, Oma, abuela, grand-mère, nonna, avó, 奶奶, 外婆,
        姥姥, 祖母, おばあさん, दादी, नानी, бабушка, جدتي, 할머니""",
    "grandfather": """grandfather, grandpa, Großvater, Opa, abuelo, grand-père, nonno, avô, 爷爷, 爺爺, 外公, 姥爷,
        祖父, おじいさん, दादा, дедушка, جدي, 할아버지""",
    "son": "son, Sohn, hijo, fils, figlio, filho, 儿子, 兒子, 息子, बेटा, сын, ابني, 아들",
    "daughter": "daughter, Tochter, hija, figlia, filha, 女儿, 女兒, 娘, बेटी, дочь, дочка, ابنتي, بنتي, 딸",
    "child": "child, kid, enfant, 孩子, 子供, 子ども, बच्चा, ребёнок, ребенок, طفلي, 아이",
    "brother": """brother, bro, Bruder, hermano, frère, fratello, irmão, 哥哥, 弟弟, 兄弟, 兄, 弟, भाई, брат, أخي,
        اخي, 형, 오빠, 남동생""",
    "sister": """sister, sis, Schwester, hermana, sœur, soeur, sorella, irmã, 姐姐, 妹妹, 姊姊, 姉, 妹, बहन,
        сестра, أختي, اختي, 누나, 언니, 여동생""",
    "sibling": "sibling",
    "uncle": "uncle, Onkel, oncle, 叔叔, 舅舅, おじさん, चाचा, дядя, عمي, خالي, 삼촌",
    "aunt": "aunt, auntie, Tante, 阿姨, 姑姑, おばさん, चाची, тётя, тетя, عمتي, خالتي, 이모, 고모",
    "cousin": "cousin, cousine, cugino, cugina, いとこ, 사촌",
    "nephew": "nephew, Neffe, sobrino, neveu, sobrinho, 侄子, 外甥, 甥, भतीजा, племянник, 조카",
    "niece": "niece, Nichte, sobrina, nièce, sobrinha, 侄女, 外甥女, 姪, भतीजी, племянница",
    "friend": """friend, best friend, Freund, Freundin, amigo, amiga, amico, amica, 朋友, 友達, 友人, दोस्त, मित्र,
        друг, подруга, صديقي, صديقتي, 친구""",
    "boss": """boss, manager, supervisor, Chefin, Vorgesetzter, Vorgesetzte, jefe, jefa, patronne, chefe, 老板,
        老闆, 上司, 领导, 經理, 经理, बॉस, начальник, начальница, босс, шеф, مديري, رئيسي, 상사, 사장님""",
    "colleague": """colleague, coworker, co-worker, workmate, Kollege, Kollegin, Arbeitskollege, Arbeitskollegin,
        colega, collègue, collega, 同事, 同僚, सहकर्मी, коллега, زميلي, زميلتي, 동료""",
    "roommate": """roommate, flatmate, housemate, Mitbewohner, Mitbewohnerin, colocataire, coinquilino, 室友,
        ルームメイト, 룸메이트""",
    "neighbor": """neighbor, neighbour, Nachbar, Nachbarin, vecino, vecina, voisin, voisine, 邻居, 鄰居, पड़ोसी,
        сосед, соседка""",
    "dog": """dog, doggy, puppy, Hund, perro, perra, chien, chienne, cachorro, cachorra, cão, 狗, 狗狗, 犬, कुत्ता,
        собака, كلبي, 강아지""",
    "cat": "cat, kitten, Katze, Kater, gato, gata, gatto, gatta, 猫, 貓, 猫咪, बिल्ली, кошка, кот, قطتي, قطي, 고양이",
    "pet": """pet, Haustier, mascota, animal de compagnie, animale domestico, animal de estimação, 宠物, 寵物,
        ペット, 반려동물""",
}

_POSSESSED = {
    "wife": "Frau, mujer, femme, mulher, 女人, 집사람",
    "husband": "mari, Mann, hombre, homme, 先生, 男人, 主人, زوج, 신랑",
    "girlfriend": "Freundin, chica, copine, ragazza, 彼女, девушка",
    "boyfriend": "Freund, chico, copain, ragazzo, парень",
    "daughter": "fille",
    "friend": "buddy, ami, amie",
    "child": "Kind, baby, niño, niña, bambino, bambina, criança",
    "uncle": "tío, zio, tio",
    "aunt": "tía, zia, tia",
    "cousin": "primo, prima",
    "boss": "Chef, Leiter, patron, capo, lead, team lead",
    "dog": "cane, пёс, пес, 개",
    "cat": "chat, chatte, kitty",
}

_ONESELF = """user, i, me, myself, self, ich, yo, je, moi, 我, 私, 僕, 俺, わたし, ぼく, मैं, я, أنا, 나, 저,
    Benutzer, Benutzerin, Nutzer, Nutzerin, usuario, usuaria, usuário, usuária, utilisateur, utilisatrice, utente,
    用户, 用戶, ユーザー, ユーザ, пользователь, उपयोगकर्ता, المستخدم, 사용자"""
"""Words that are the user when they stand alone as a subject. No "speaker": that may be a device."""

_MY = """my, our, mein, meine, meiner, meinen, meinem, meines, unser, unsere, unserer, unseren, unserem, mi, mis,
    nuestro, nuestra, mon, ma, mes, notre, mio, mia, nostro, nostra, meu, minha, nosso, nossa, мой, моя, моё, мое,
    наш, наша, наше, मेरा, मेरी, मेरे, हमारा, हमारी, हमारे, 내, 제, 우리"""
_MY_UNSPACED = "我们, 我們, 我家, 我, 俺, 咱们, 咱們, 咱, うち"
_ARTICLES = "the, il, la, o, a"


def _words(table: str) -> frozenset[str]:
    return frozenset(comparison_key(word) for word in table.split(","))


def _slugs(table: Mapping[str, str]) -> dict[str, str]:
    return {word: slug for slug, words in table.items() for word in _words(words)}


RELATIONS = frozenset(_ALWAYS)
"""The slugs."""
ALWAYS = _slugs(_ALWAYS) | {slug: slug for slug in RELATIONS}
"""Comparison key → slug of words that stand for a relation by themselves."""
POSSESSED = ALWAYS | _slugs(_POSSESSED)
"""Comparison key → slug of words that stand for a relation of somebody named just before."""
ONESELF = _words(_ONESELF)
MY = _words(_MY)
MY_UNSPACED = tuple(sorted(_words(_MY_UNSPACED), key=len, reverse=True))
"""Possessives that stand before their word without a blank, the longest first."""
ARTICLES = _words(_ARTICLES)
"""What may stand before a possessive, as in "la mia moglie"; "the" also before the word itself."""
