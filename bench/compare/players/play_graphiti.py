"""graphiti on an embedded Kuzu, with a model that knows every contradiction of single-valued facts."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.driver.driver import GraphProvider
from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.edges import EntityEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.graph_queries import get_fulltext_indices
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.nodes import EntityNode
from serving import serve

WORDS = 64


class Embedder(EmbedderClient):
    """Texts that share words are near each other."""

    async def create(self, input_data: Any) -> list[float]:
        vector = [0.01] * WORDS
        for word in str(input_data).casefold().split():
            vector[int(hashlib.sha256(word.encode()).hexdigest(), 16) % WORDS] += 1.0
        return vector

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return [await self.create(text) for text in input_data_list]


class Ranker(CrossEncoderClient):
    """Leaves the order as it is."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        return [(passage, 1.0) for passage in passages]


class Model(LLMClient):
    """Says what a perfect model would: the same fact is a duplicate, another value of a single one contradicts."""

    def __init__(self, many: list[str]) -> None:
        super().__init__(LLMConfig(api_key="none", model="none"))
        self.many = many

    async def _generate_response(self, messages: Any, response_model: Any = None, *_: Any, **__: Any) -> dict[str, Any]:
        name = getattr(response_model, "__name__", "")
        if name == "NodeResolutions":
            return {"entity_resolutions": []}
        if name != "EdgeDuplicate":
            return {}
        text = messages[-1].content
        existing, candidates, new = (
            re.search(rf"<{part}>\n(.*?)\n</{part}>", text, re.DOTALL)[1]
            for part in ("EXISTING FACTS", "FACT INVALIDATION CANDIDATES", "NEW FACT")
        )
        key = new.rpartition(" is ")[0].strip()
        same = [int(at) for at, fact in _facts(existing) if fact == new.strip()]
        other = [
            int(at) for at, fact in (*_facts(existing), *_facts(candidates))
            if fact.rpartition(" is ")[0] == key and fact != new.strip()
        ]  # fmt: skip
        is_many = any(key.endswith(name) for name in self.many)
        return {"duplicate_facts": same, "contradicted_facts": [] if is_many else other}


def _aware(moment: datetime | None) -> Any:
    """Give a time with its zone: what comes back from Kuzu has lost it."""
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _facts(part: str) -> list[tuple[str, str]]:
    return re.findall(r"""['"]idx['"]: (\d+), ['"]fact['"]: ['"](.*?)['"]""", part)


class Player:
    """Driven by add_triplet(): an edge from the user to the value, invalidated by those that contradict it."""

    def open(self, path: str, many: list[str]) -> None:
        self.loop = asyncio.new_event_loop()
        driver = KuzuDriver(db=path)
        self.graph = Graphiti(graph_driver=driver, llm_client=Model(many), embedder=Embedder(), cross_encoder=Ranker())
        self.run(self.graph.build_indices_and_constraints())
        self.run(self._indexed(driver))

    async def _indexed(self, driver: KuzuDriver) -> None:
        """Make the indexes for words, which the driver for Kuzu leaves out; they may be there already."""
        for statement in get_fulltext_indices(GraphProvider.KUZU):
            with suppress(RuntimeError):
                await driver.execute_query(statement)

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def set(self, user: str, predicate: str, value: str, said: str | None = None, since: str | None = None) -> None:
        now = datetime.now(UTC)
        made = datetime.fromisoformat(said) if said else now
        begins = datetime.fromisoformat(since) if since else made
        source, target = (EntityNode(name=name, group_id=user, labels=["Entity"]) for name in (user, value))
        edge = EntityEdge(
            group_id=user, source_node_uuid=source.uuid, target_node_uuid=target.uuid, created_at=made,
            name=predicate.upper(), fact=f"{user} {predicate} is {value}", valid_at=begins,
        )  # fmt: skip
        self.run(self.graph.add_triplet(source, edge, target))

    def get(self, user: str, predicate: str, at: str | None = None, known: object = None) -> list[str]:
        moment = datetime.fromisoformat(at) if at else datetime.now(UTC)
        shown = []
        for edge in self._edges(user, predicate):
            valid, invalid = _aware(edge.valid_at), _aware(edge.invalid_at)
            if known is not None:
                created, expired = _aware(edge.created_at), _aware(edge.expired_at)
                is_shown = created <= self.marked and (expired is None or expired > self.marked)
            else:
                is_shown = valid <= moment and (invalid is None or moment < invalid)
            if is_shown:
                shown.append(edge.fact.rpartition(" is ")[2])
        return shown

    def _edges(self, user: str, predicate: str) -> list[EntityEdge]:
        try:
            found = self.run(EntityEdge.get_by_group_ids(self.graph.driver, [user]))
        except Exception as error:  # a group without edges is an error there
            if "not found" in str(error).casefold() or "no edges" in str(error).casefold():
                return []
            raise
        return [edge for edge in found if edge.name == predicate.upper()]

    def mark(self) -> None:
        self.marked = datetime(2024, 4, 1, tzinfo=UTC)  # what is told in May was not known then

    def undo(self, user: str, predicate: str, value: str) -> None:
        for edge in self._edges(user, predicate):
            if edge.fact.endswith(f" is {value}"):
                self.run(edge.delete(self.graph.driver))

    def retract(self, user: str, predicate: str, value: str) -> None:
        for edge in self._edges(user, predicate):
            if edge.fact.endswith(f" is {value}") and edge.invalid_at is None:
                edge.invalid_at = edge.expired_at = datetime.now(UTC)
                self.run(edge.load_fact_embedding(self.graph.driver))
                self.run(edge.save(self.graph.driver))


if __name__ == "__main__":
    serve(Player())
