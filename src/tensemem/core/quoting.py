"""What a message quotes or attaches: words in it that are not its author's own.

Fenced code, mail that is replied to or forwarded, documents between tags, pasted dialogues, and what stands between
quotation marks. A claim that rests on them waits for review. Every function is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .first_person import speaks_as_i
from .quotation_marks import quotations
from .regions import lines_of, merge_spans
from .text import Span


def quoted_regions(text: str) -> tuple[Span, ...]:
    """Return what the text quotes or attaches, merged and in order.

    Fenced code (to the end if it is not closed); lines that begin with `>` and the "On … wrote:" above them; all that
    follows the head of a forwarded or answered message; documents between tags such as `<document>` or `[quote]`;
    dialogues whose lines bear a time and a name, or the roles of a chat; and what `quotations` finds.
    """
    found = (_code_blocks(text), _mail(text), _documents(text), _stamped_lines(text), _dialogue(text), quotations(text))
    return merge_spans(span for spans in found for span in spans)


_CODE_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d{1,4}[.)][ \t]+)?(`{3,}|~{3,})(.*)")


def _code_blocks(text: str) -> Iterator[Span]:
    """Code between fences of backticks or tildes; one line of both, as in ```x```, is no fence but inline code."""
    begin, mark = 0, ""
    for at, stop, line in lines_of(text):
        found = _CODE_FENCE.match(line)
        if found is None:
            continue
        if not mark:
            if "`" not in found[1] or "`" not in found[2]:
                begin, mark = at, found[1]
        elif found[1].startswith(mark) and not found[2].strip():
            yield begin, stop
            mark = ""
    if mark:
        yield begin, len(text)


_REPLY_LINE = re.compile("[\\s\u200b-\u200f\u2060\ufeff]*(?:[-*+|] )?(?:>|&gt;|＞)")
_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|écrit|escribió|scritto|escreveu|schreef|skrev|napisał|пишет|написал)"
    r"|写道|寫道|書きました|작성|<[^<>\s]{1,99}@[^<>\s]{1,99}>\s?[:：]\s*$"
)
_MAIL_DATE = re.compile(r"\s*(?:on|am|le|el|il|em|op|den|w|dnia|\d)\b|\s*[在于於]", re.IGNORECASE)
_SENT = re.compile(r"@|\d{4}|\d{1,2}:\d\d")
_FORWARDED = re.compile(
    r"\s*(?:[-_=]{2,}\s*(?:(?:original|forwarded) message|ursprüngliche nachricht|weitergeleitete nachricht"
    r"|message (?:d'origine|transféré)|mensaje (?:original|reenviado)|messaggio (?:originale|inoltrato)"
    r"|mensagem (?:original|encaminhada)|原始邮件|转发邮件|元のメッセージ|転送)"
    r"|begin forwarded message:)",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\s*[*_]{0,2}(?:(?P<by>from|von|de|da|van|från|od|от|发件人|發件人|差出人|보낸 사람)"
    r"|(?P<at>sent|date|gesendet|datum|envoyé|date|enviado|fecha|inviato|data|verzonden|skickat|дата|отправлено"
    r"|发送时间|日期|送信日時|日時|보낸 날짜)"
    r"|(?P<about>subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|тема|主题|主旨|件名|제목)"
    r"|(?P<to>to|cc|an|à|para|a|aan|till|til|кому|копия|收件人|抄送|宛先|받는 사람|참조))[*_]{0,2}\s?[:：]",
    re.IGNORECASE,
)


def _mail(text: str) -> Iterator[Span]:
    """Lines that reply to another, with the sentence above that says who wrote it; a message with its head whole."""
    head: int | None = None  # where a sentence begins that would introduce a reply in the next line but one
    is_dated = False  # whether that sentence has the date of a mail: then it introduces all that follows
    headers: dict[str, int] = {}
    before: tuple[tuple[int, str], ...] = ((0, ""), (0, ""))
    for begin, stop, line in lines_of(text):
        if _FORWARDED.match(line):
            yield begin, len(text)
            return
        header = _HEADER.match(line)
        headers = {} if header is None else {str(header.lastgroup): begin, **headers}
        if headers.keys() >= {"by", "at", "about"}:
            yield min(headers.values()), len(text)
            return
        if _REPLY_LINE.match(line):
            yield begin if head is None else head, stop
            is_dated = False
        elif line.strip():
            if head is not None and is_dated:
                yield head, len(text)
                return
            head = _mail_head(begin, line, before)
            is_dated = head is not None and _is_dated(text[head:stop])
        elif not before[-1][1].strip() and not is_dated:
            head = None
        before = (before[-1], (begin, line))


def _mail_head(begin: int, line: str, before: Iterable[tuple[int, str]]) -> int | None:
    """Where "On … wrote:" begins if this line ends it; mail programs wrap it over two lines or three."""
    if not line.rstrip().endswith((":", "：")) or not _WROTE.search(line):
        return None
    wrapped = () if _MAIL_DATE.match(line) else before
    return next((place for place, above in reversed([*wrapped]) if _MAIL_DATE.match(above)), begin)


def _is_dated(head: str) -> bool:
    """Whether it is the head of somebody else's mail: with a date or an address, and not "I wrote"."""
    is_head = _MAIL_DATE.match(head) is not None or "@" in head
    return is_head and _SENT.search(head) is not None and not speaks_as_i(head)


_NAMES = (
    "blockquote|quote|cite|documents?|doc|attachments?|file|files|e?mail|transcript|conversation|article|web_?page|page"
    "|search_?results?|results?|tool_?(?:result|output|response)s?|function_?results?|snippet|excerpt|pasted(?:_?text)?"
    "|spoiler|email_thread|chat_?log|assistant|system|context|details|background|retrieved|knowledge|memory|memories"
    "|history"
)
_DOCUMENT = re.compile(
    rf"(?:[<\[]|&lt;)(/?)({_NAMES})(?=[\s=>\]]|&gt;)[^<>\[\]]{{0,300}}?(?:[>\]]|&gt;)", re.IGNORECASE
)


def _documents(text: str) -> Iterator[Span]:
    """What stands between `<document>` or `[quote]` and its end; to the end of the text if a line's tag has none."""
    opened: dict[str, int] = {}
    for found in _DOCUMENT.finditer(text):
        name = found[2].lower()
        if found[1]:
            begin = opened.pop(name, None)
            if begin is not None:
                yield begin, found.end()
        else:
            opened.setdefault(name, found.start())
    alone = [begin for begin in opened.values() if _is_alone(text, begin)]
    if alone:
        yield min(alone), len(text)


def _is_alone(text: str, begin: int) -> bool:
    """Whether a tag has its line to itself: then it is no word of a sentence."""
    line = text[text.rfind("\n", 0, begin) + 1 :].partition("\n")[0].strip()
    return _DOCUMENT.fullmatch(line) is not None


_NAME = r"[^\W\d_][^:：\n<>]{0,60}"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_HOUR = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\.\d{1,6})?(?:Z|[ \u202f]?[ap]\.?m\.?)?"
_STAMPED = re.compile(
    rf"\s{{0,20}}(?:[-*•]\s)?(?:\[(?:{_DAY}(?:,?\s|T))?{_HOUR}(?:,?\s{_DAY})?\]\s{{0,3}}|{_DAY}(?:,?\s|T){_HOUR}\s?[-–—:]?\s)"
    rf"(?:[-–—]\s)?(?:{_NAME}[:：]|<{_NAME}>)",
    re.IGNORECASE,
)


def _stamped_lines(text: str) -> Iterator[Span]:
    """Lines such as `[10:12, 3/5/2026] Mira: hello`, with the lines between two of them."""
    last: int | None = None  # where the stamped line before stops, while no blank line came between
    for begin, stop, line in lines_of(text):
        if _STAMPED.match(line):
            yield begin if last is None else last, stop
            last = stop
        elif not line.strip():
            last = None


_MACHINES = frozenset(["assistant", "ai", "bot", "chatbot", "chatgpt", "claude", "gemini", "gpt", "copilot"])
_PEOPLE = frozenset(["user", "human", "me", "you"])
_ROLE_LABEL = re.compile(
    rf"[\s*_#>-]{{0,20}}({'|'.join(sorted(_MACHINES | _PEOPLE))})[*_]{{0,3}}\s?[:：]", re.IGNORECASE
)
_JSON_ROLE = re.compile(r"""\\*["']role\\*["']\s{0,10}:\s{0,10}\\*["'](?:user|assistant|system|tool|model|human)\b""")
_CHAT_MARK = re.compile(r"<\|(?:im_start|start_header_id|user|assistant|system)\|>|\[INST\]")


def _dialogue(text: str) -> Iterator[Span]:
    """A dialogue with a machine, pasted as lines labelled with roles, as JSON, or as a model's own markup."""
    marked = _CHAT_MARK.search(text)
    if marked is not None:
        yield marked.start(), len(text)
    roles = [found.span() for found in _JSON_ROLE.finditer(text)]
    if roles:
        begins = [place for place in (text.find("{", 0, roles[0][0]), text.find("[", 0, roles[0][0])) if place >= 0]
        yield min(begins, default=0), max(text.rfind("}"), text.rfind("]"), roles[-1][1] - 1) + 1
    yield from _labelled(text)


def _labelled(text: str) -> Iterator[Span]:
    """From the first labelled line to the end of the last one's paragraph, if a machine and a person speak."""
    labels: set[str] = set()
    begin, end, is_inside = -1, 0, False
    for at, stop, line in lines_of(text):
        found = _ROLE_LABEL.match(line)
        if found is not None:
            labels.add(found[1].lower())
            begin = at if begin < 0 else begin
            is_inside = True
        elif not line.strip():
            is_inside = False
        end = stop if is_inside else end
    if labels & _MACHINES and labels & _PEOPLE:
        yield begin, end
