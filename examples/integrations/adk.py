"""An ADK agent that remembers: what holds now is in its prompt, and it can ask why."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

from tensemem import FakeExtractor, Memory
from tensemem.adapters.adk import TensememMemoryService, TensememToolset


class FakeLlm(BaseLlm):
    """Stands in for Gemini, so that this runs offline: tells what memory put in the prompt."""

    async def generate_content_async(self, llm_request, stream=False):  # noqa: ARG002
        texts = [part.text for content in llm_request.contents for part in content.parts if part.text]
        known = [line.strip() for text in texts for line in text.splitlines() if line.startswith("memory: ")]
        told = known[0] if known else "I know nothing yet."
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=told)]))


async def remember(callback_context):
    """Log what was said in this run; an event is logged once, however often this is called."""
    await callback_context.add_session_to_memory()


mem = Memory(":memory:", llm=FakeExtractor())  # a file's name keeps it; llm="gemini:..." reads with a model
mem.register_predicate("lives_in", description="the city the user lives in")

agent = LlmAgent(
    name="helper",
    model=FakeLlm(model="fake"),  # yours: model="gemini-2.5-flash"
    tools=[PreloadMemoryTool(), TensememToolset(mem)],
    after_agent_callback=remember,
)


async def main():
    sessions = InMemorySessionService()
    runner = Runner(app_name="travel", agent=agent, session_service=sessions, memory_service=TensememMemoryService(mem))
    for said in ("I live in Delhi", "I moved to Bangalore", "Where do I live?"):
        session = await sessions.create_session(app_name="travel", user_id="ada")  # a new conversation each time
        message = types.Content(role="user", parts=[types.Part(text=said)])
        async for event in runner.run_async(user_id="ada", session_id=session.id, new_message=message):
            if event.is_final_response():
                print(f"{said} -> {event.content.parts[0].text.split(' (')[0]}")
        mem.flush("ada", agent_id="travel")  # here, so that the story is the same each time; a worker does it else


asyncio.run(main())
ada = mem.for_user("ada", agent_id="travel")
for fact in ada.history("lives_in"):
    print(fact.value, fact.status.value)
ada.correct(ada.state().fact("lives_in").id, reason="it was only a visit")
print("corrected:", ada.state().values)
mem.close()
