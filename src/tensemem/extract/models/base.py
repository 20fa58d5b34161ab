"""What all model extractors do alike: one question, retried, read, and once asked to be put right.

A provider's own module says how a question is sent and how its answer and its errors look; nothing else differs.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, ClassVar

from ...core.secrets import Redactor
from ...core.tokens import estimate_tokens
from ...errors import ExtractorError, ExtractorOutputError
from ...extras import install
from ...ports import Clock, ExtractionRequest
from ..answers import MAX_OPERATIONS, Malformed, read_answer
from . import arguments, flat
from .clients import Clients
from .failures import Failed, Kind, failed_with, failed_with_status, shortened
from .prompt import Prompt, complaint, prompt_digest, render
from .spending import Allowance, Pause, Used
from .turnstile import turnstile
from .unsaid import Secrets

LONGEST_WAIT = 60.0
"""Seconds that are waited inside a call before it is tried again; for a longer wait the message goes back."""
CLOSED_PAUSE = 30.0
"""Seconds for which nothing is asked after a refusal that only a person can mend."""
_MAX_REPEATED = 20_000  # characters of a bad answer that are sent back
_MAX_FAULTS = 5
_REDACT = Redactor()


@dataclass(frozen=True, slots=True)
class Question:
    """What is sent: the prompt, and, where a first answer was no good, that answer and what is wrong with it."""

    prompt: Prompt
    temperature: float | None
    max_output_tokens: int
    answered: str = ""
    complaint: str = ""

    def turns(self) -> list[tuple[str, str]]:
        """Give the conversation after the instructions, as (``"user"`` or ``"assistant"``, text)."""
        first = ("user", f"{self.prompt.registry}\n\n{self.prompt.material}")
        return [first, ("assistant", self.answered), ("user", self.complaint)] if self.complaint else [first]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. ``ended`` is ``""`` for an answer that is whole, else why there is none, as the provider says it.

    Token counts are None where the provider tells none.
    """

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    ended: str = ""


class Proposed(list[Any]):
    """The operations of one answer, and what they cost."""

    def __init__(self, operations: Sequence[Any], usage: Mapping[str, Any]) -> None:
        super().__init__(operations)
        self.usage = usage


class ModelExtractor(ABC):
    """Asks a language model for operations. Safe to use from several threads and event loops at once.

    ``model`` is the provider's name for it. ``base_url`` replaces the provider's address. ``client`` is an async client
    of the provider's SDK, made and closed by the caller, in place of one of the extractor's own. ``timeout`` is seconds
    for one request: 60, and 300 for servers of one's own, which may have to load a model first. ``max_retries`` is how
    often a request that failed for now is sent again; ``max_concurrency`` how many requests this provider and address
    get at once from this process. Up to ``max_messages`` waiting messages of one scope are asked about in one request,
    and a worker waits ``debounce`` seconds (at most 10) for more of them. ``temperature=None`` sends none.
    ``max_calls_per_day`` and ``max_tokens_per_day`` (input and output together) are this extractor's share of a day of
    UTC, reckoned by ``clock``, in this process.

    Keys come from the environment only. Raises ExtractorError where the SDK or the key is missing, InvalidValueError
    for an argument that can't be taken.
    """

    name: ClassVar[str]
    extra: ClassVar[str]
    key_variables: ClassVar[tuple[str, ...]] = ()
    """Environment variables that may hold the key, the first one that is set counts."""
    url_variable: ClassVar[str] = ""
    default_url: ClassVar[str] = ""
    bare_port: ClassVar[int | None] = None
    """The port that is meant where ``url_variable`` names a host alone; None where it has to be a whole address."""
    usual_timeout: ClassVar[float] = 60.0

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        client: Any = None,
        timeout: float | None = None,
        max_concurrency: int = 8,
        max_messages: int = 8,
        debounce: float = 0.2,
        max_retries: int = 2,
        temperature: float | None = 0,
        max_output_tokens: int = 8192,
        max_calls_per_day: int | None = None,
        max_tokens_per_day: int | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.model = arguments.text("model", model)
        self._timeout = arguments.seconds("timeout", self.usual_timeout if timeout is None else timeout)
        self.max_concurrency = arguments.count("max_concurrency", max_concurrency, 1)
        self.max_messages = arguments.count("max_messages", max_messages, 1)
        self.debounce = arguments.pause("debounce", debounce)
        self._max_retries = arguments.count("max_retries", max_retries, 0)
        self._temperature = arguments.temperature(temperature)
        self._max_output_tokens = arguments.count("max_output_tokens", max_output_tokens, 1)
        calls = arguments.cap("max_calls_per_day", max_calls_per_day)
        tokens = arguments.cap("max_tokens_per_day", max_tokens_per_day)
        self.base_url = arguments.address(base_url, client, self.url_variable, self.default_url, self.bare_port)
        self._load()  # first: where a whole extra is missing, the SDK's name says more than that of a helper
        self._tenacity = self._library("tenacity")
        self._client = client
        self._key = None if client is not None else self._found_key()
        self._clients = Clients(self._make_client, self._close_client)
        self._clock = clock or _utc_now
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._allowance = Allowance(self.name, calls, tokens, self._clock)
        self._pause = Pause(self.name, self._clock)
        self._total, self._total_lock = Used(), threading.Lock()

    @property
    def prompt_digest(self) -> str:
        """What identifies the prompt: another digest, another prompt or another form of the answer."""
        return prompt_digest()

    @property
    def usage(self) -> dict[str, Any]:
        """What it has used since it was made: calls, input_tokens, output_tokens, seconds, retries, repaired."""
        with self._total_lock:
            return self._total.as_mapping()

    async def extract(self, request: ExtractionRequest) -> Proposed:
        """Give the operations that the request's messages state, each with the index of its message.

        The list's ``usage`` tells what this one question used, and so does that of an error. Raises
        ExtractorUnavailable where the provider can't be asked now or the day's share is used up, ExtractorOutputError
        for a refusal, an answer that was cut off, or one that is malformed twice, and ExtractorError where the provider
        does not take the request.
        """
        if not any(message.content.strip() for message in request.messages):
            return Proposed([], Used().as_mapping())
        used = Used()
        try:
            return Proposed(await self._answered(request, used), used.as_mapping())
        except Failed as failed:
            error = self._as_error(failed)
        except ExtractorError as raised:  # the day's share, or a pause
            error = raised.with_traceback(None)
        finally:
            with self._total_lock:
                self._total.add(used)
        error.usage = used.as_mapping()
        raise error from None  # out here, so that it does not drag along an SDK's error, and a key with it

    async def aclose(self) -> None:
        """Close the connections of the event loop that runs; those of other loops are closed as they end."""
        await self._clients.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"

    # What a provider's module says.

    @abstractmethod
    def _load(self) -> None:
        """Import the SDK; ``_library`` turns its absence into an error that names the extra."""

    @abstractmethod
    def _make_client(self) -> Any:
        """Make a client for the loop that runs, with the SDK's own retries switched off."""

    @abstractmethod
    async def _close_client(self, client: Any) -> None:
        """Close it."""

    @abstractmethod
    async def _send(self, client: Any, question: Question) -> Reply:
        """Send a question and read the reply; the SDK's errors pass."""

    def _status_of(self, error: Exception) -> tuple[int, str, Mapping[str, Any]] | None:
        """Give the HTTP status, the provider's words and the headers an SDK's error holds; None where it has none."""
        status = getattr(error, "status_code", None)
        response = getattr(error, "response", None)
        headers = getattr(response, "headers", None) or {}
        return (status, str(error), headers) if isinstance(status, int) else None

    # The walk of one request.

    async def _answered(self, request: ExtractionRequest, used: Used) -> list[Any]:
        """Ask, and once more where the answer is malformed; what is good of a half-good answer is kept."""
        question = Question(render(request), self._temperature, self._max_output_tokens)
        text = await self._asked(question, used)
        operations, faults = _read(text, request)
        if not faults:
            return operations or []
        repeated = replace(question, answered=text[:_MAX_REPEATED], complaint=complaint(faults[:_MAX_FAULTS]))
        try:
            again, more_faults = _read(await self._asked(repeated, used), request)
        except Failed as failed:
            if operations is None or failed.kind is not Kind.UNUSABLE:
                raise
            again, more_faults = None, []
        used.repaired += bool(again is not None and not more_faults)
        kept = operations if again is None else again
        if kept is None:
            raise Failed(Kind.UNUSABLE, f"its answer was malformed twice: {more_faults[0]}")
        return kept

    async def _asked(self, question: Question, used: Used) -> str:
        """Send a question, again where it fails for now, and give the answer's text."""
        tenacity = self._tenacity
        spread = tenacity.wait_random_exponential(multiplier=1, max=20)

        def wait(state: Any) -> float:
            failed = state.outcome.exception()
            jittered = float(spread(state))
            return jittered if failed.wait is None else failed.wait + min(jittered, 1.0)

        def count(_state: Any) -> None:
            used.retries += 1

        retrying = tenacity.AsyncRetrying(
            stop=tenacity.stop_after_attempt(1 + self._max_retries),
            wait=wait,
            retry=tenacity.retry_if_exception(_passes_soon),
            before_sleep=count,
            sleep=self._sleep,
            reraise=True,
        )
        reply: Reply = await retrying(self._attempt, question, used)
        if reply.ended:
            raise Failed(Kind.UNUSABLE, shortened(_REDACT(reply.ended).text))
        if not reply.text.strip():
            raise Failed(Kind.UNUSABLE, "its answer was empty")
        return reply.text

    async def _attempt(self, question: Question, used: Used) -> Reply:
        """Send a question once, as soon as there is room for it."""
        async with turnstile(f"{self.name} {self.base_url}").entered(self.max_concurrency):
            self._pause.check()
            day = self._allowance.take_call()
            begun = time.monotonic()
            try:
                outcome = await self._sent(question, used)
            finally:
                used.seconds += time.monotonic() - begun
        if isinstance(outcome, Failed):
            if not outcome.was_charged:
                self._allowance.give_back(day)
            raise outcome
        self._count(question, outcome, used)
        return outcome

    async def _sent(self, question: Question, used: Used) -> Reply | Failed:
        given = replace(question, temperature=self._temperature)
        try:
            client = await self._clients.here() if self._client is None else self._client
        except Exception as error:
            why = shortened(self._without_secrets(str(error), error))
            return Failed(Kind.REFUSED, f"its client can't be made ({type(error).__name__}: {why})")
        used.calls += 1
        try:
            async with asyncio.timeout(self._timeout):
                reply = await self._send(client, given)
            secrets = self._secrets()
            return replace(reply, text=secrets.out_of_answer(reply.text), ended=secrets.out_of(reply.ended))
        except Exception as error:
            failed = self._failure(error)
        if failed.kind is Kind.REFUSED and given.temperature is not None and "temperature" in failed.what:
            self._temperature = None  # some models reason at a temperature of their own, and refuse to be told one
            return await self._sent(question, used)
        return failed

    def _failure(self, error: Exception) -> Failed:
        status = self._status_of(error)
        if status is None:
            return failed_with(error, self._without_secrets(str(error), error))
        code, said, headers = status
        said = self._without_secrets(said, error)
        now, hint = self._clock(), self._key_hint()
        return failed_with_status(code, said, headers, now=now, key_hint=hint, model=self.model)

    def _as_error(self, failed: Failed) -> ExtractorError:
        """Give the error that is raised; where asking again soon is of no use, nothing is asked for a while."""
        wait, told = failed.wait or 0.0, ""
        if failed.kind is Kind.CLOSED:
            told = self._pause.begin(max(CLOSED_PAUSE, wait), failed.what)
        elif failed.kind is Kind.PASSING and wait > LONGEST_WAIT:
            told = self._pause.begin(wait, failed.what)
        return failed.as_error(self.name, told)

    def _count(self, question: Question, reply: Reply, used: Used) -> None:
        """Count the tokens of a reply; estimated where the provider tells none."""
        sent, got = reply.input_tokens, reply.output_tokens
        if sent is None:
            sent = estimate_tokens(question.prompt.instructions) + sum(estimate_tokens(t) for _, t in question.turns())
        got = estimate_tokens(reply.text) if got is None else got
        used.input_tokens += sent
        used.output_tokens += got
        self._allowance.spend(sent + got)

    # Keys and libraries.

    def _found_key(self) -> str | None:
        for variable in self.key_variables:
            key = os.environ.get(variable, "").strip()
            if key:
                return key
        if not self.key_variables:
            return None
        raise ExtractorError(
            f"{self.name}: there is no key; set {' or '.join(self.key_variables)} in the environment, or give a client"
        )

    def _key_hint(self) -> str:
        return f"check {' or '.join(self.key_variables) or 'what the server asks for'}"

    def _senders(self) -> Iterable[object]:
        """Give what sends, and so may hold secrets of its own."""
        given = [] if self._client is None else [self._client]
        return [{"base_url": self.base_url}, *self._clients.made(), *given]

    def _secrets(self, error: Exception | None = None) -> Secrets:
        """Give what must not be repeated, should a server say it back."""
        variables = [os.environ.get(variable, "") for variable in self.key_variables]
        return Secrets([self._key or "", *variables], self._senders(), error)

    def _without_secrets(self, told: str, error: Exception) -> str:
        return _REDACT(self._secrets(error).out_of(told)).text

    def _library(self, module: str) -> Any:
        try:
            return import_module(module)
        except ImportError as error:
            why = "" if isinstance(error, ModuleNotFoundError) else f" ({error})"
            what = f"{self.name}: the library {module} can't be loaded{why}; {install(self.extra)}"
            raise ExtractorError(what) from error


def _read(text: str, request: ExtractionRequest) -> tuple[list[Any] | None, list[str]]:
    """Give the operations of an answer, None where it holds none that can be read; and what is wrong with it."""
    try:
        operations = flat.read_flat(text, request)
    except flat.Unreadable as why:
        return None, [str(why)]
    try:
        read = read_answer(operations[:MAX_OPERATIONS], len(request.messages))
    except ExtractorOutputError as error:
        return None, [str(error)]
    return operations, [f"operation {n}: {item.why}" for n, item in enumerate(read) if isinstance(item, Malformed)]


def _passes_soon(error: BaseException) -> bool:
    return isinstance(error, Failed) and error.kind is Kind.PASSING and (error.wait or 0.0) <= LONGEST_WAIT


def _utc_now() -> datetime:
    return datetime.now(UTC)
