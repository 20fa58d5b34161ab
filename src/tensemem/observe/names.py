"""OpenTelemetry's names for what is done with a memory, as its conventions for generative AI have them.

They are in development there, and no package of constants has those of memories yet; so they stand here.
"""

from __future__ import annotations

from collections.abc import Mapping

OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
AGENT = "gen_ai.agent.id"
CONVERSATION = "gen_ai.conversation.id"
STORE_ID = "gen_ai.memory.store.id"
RECORD_ID = "gen_ai.memory.record.id"
RECORD_COUNT = "gen_ai.memory.record.count"
QUERY_TEXT = "gen_ai.memory.query.text"
RECORDS = "gen_ai.memory.records"
REQUEST_MODEL = "gen_ai.request.model"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
ERROR_TYPE = "error.type"
DURATION = "gen_ai.client.operation.duration"
"""The metric of all operations, in seconds."""

THIS = "tensemem"
"""The provider's name, and what our own names begin with: where the conventions have no word."""

CREATE, UPDATE, UPSERT = "create_memory", "update_memory", "upsert_memory"
DELETE, SEARCH = "delete_memory", "search_memory"

OPERATIONS: Mapping[str, str] = {
    "add": CREATE, "add_many": CREATE,
    "set": UPSERT, "record": UPSERT, "add_value": UPSERT, "remove_value": UPSERT, "replace_values": UPSERT,
    "write": UPSERT, "retract": UPSERT, "deny": UPSERT, "confirm": UPSERT, "answer": UPSERT,
    "correct": UPDATE, "reinstate": UPDATE, "review": UPDATE,
    "state": SEARCH, "get": SEARCH, "history": SEARCH, "explain": SEARCH, "decisions": SEARCH, "context": SEARCH,
    "search": SEARCH, "changes": SEARCH, "messages": SEARCH, "questions": SEARCH,
    "forget": DELETE, "erase": DELETE,
}  # fmt: skip
"""Which of them a verb is; the others have none, and go by their own name."""


def operation_of(verb: str, record_id: str | None) -> str | None:
    """Give the operation a verb is, if any.

    Deleting is one only where it names a record: without a record there are those who take it as deleting the store.
    """
    operation = OPERATIONS.get(verb)
    return None if operation == DELETE and not record_id else operation
