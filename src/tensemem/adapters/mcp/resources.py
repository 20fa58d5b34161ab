"""Resources: what a client may read without a tool, and keep open beside a conversation."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types

from ...core.lines import shown
from ...verbs.tool_calls import lag
from . import addresses, shapes
from .addresses import SORTS, Address
from .reach import Reach

PROMPT = "recall"


def listed(reach: Reach) -> list[types.Resource]:
    """Give the resources that have one address: those of the only user, or of each that the client may name."""
    found = []
    for sort, told in SORTS.items():
        if told.takes or (reach.names_users and reach.users is None):
            continue
        users = reach.users if reach.names_users and reach.users else (None,)
        for user in users:
            names = {} if user is None else {"user_id": user}
            title = told.title if user is None else f"{told.title}: {shown(user, 100)}"
            found.append(
                types.Resource(
                    uri=addresses.written(sort, **names), name=title, title=title, description=told.description,
                    mime_type=told.media_type,
                )
            )  # fmt: skip
    return found


def templates(reach: Reach) -> list[types.ResourceTemplate]:
    """Give the templates of those whose address takes names."""
    return [
        types.ResourceTemplate(
            uri_template=template, name=told.title, title=told.title, description=told.description,
            mime_type=told.media_type,
        )
        for sort, told in SORTS.items()
        if (template := addresses.template(sort, reach)) is not None
    ]  # fmt: skip


async def content(memory: Any, reach: Reach, address: Address) -> tuple[str, str]:
    """Give what a resource holds now, and its media type. Raises what the verbs raise."""
    scoped = memory.for_user(address.user_id, agent_id=reach.agent_id, namespace=reach.namespace)
    if address.sort == "context":
        found = await scoped.context()
        return _told(found), SORTS["context"].media_type
    if address.sort == "state":
        found = await scoped.state()
        document = shapes.state_document(found)
    else:
        found = await scoped.history(address.predicate, subject=address.subject)
        document = shapes.history_document(found)
    document["freshness"] = shapes.freshness_document(found.freshness)
    return json.dumps(document, ensure_ascii=False), SORTS[address.sort].media_type


def prompt(reach: Reach) -> types.Prompt:
    """Give the one prompt: what is remembered, put in front of a conversation."""
    arguments = [types.PromptArgument(name="query", description="what to put first, if the list is long")]
    if reach.names_users:
        arguments.insert(0, types.PromptArgument(name="user_id", description="whose memory", required=True))
    return types.Prompt(
        name=PROMPT, title="Recall what is remembered", arguments=arguments,
        description="Puts what is known now about the user into the conversation, with plans and doubts.",
    )  # fmt: skip


async def recalled(memory: Any, reach: Reach, arguments: dict[str, str]) -> str:
    """Give the text of the prompt. Raises what the verbs raise."""
    scoped = memory.for_user(reach.user(arguments), agent_id=reach.agent_id, namespace=reach.namespace)
    return _told(await scoped.context(arguments.get("query") or None))


def _told(found: Any) -> str:
    return "\n".join(filter(None, [found.text or "Nothing is known yet.", lag(found.freshness)]))

