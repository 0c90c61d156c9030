"""An agent of a published back end, whose model is a fake: agents.py NAME serves it on a free port, at "/".

It is asked about the weather, calls a tool of its own, and then says what the tool gave.
"""

import socket
import sys

import uvicorn
from fastapi import FastAPI

SAYS = ["It is sunny ", "in Rome, ", "18 degrees."]


def pydantic():
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, ToolReturnPart
    from pydantic_ai.models.function import DeltaToolCall, FunctionModel
    from pydantic_ai.ui.ag_ui import AGUIAdapter
    from starlette.requests import Request

    async def stream(messages, _):
        if any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
            for words in SAYS:
                yield words
        else:
            yield {0: DeltaToolCall(name="weather", json_args='{"city":"Rome"}', tool_call_id="call-1")}

    agent = Agent(FunctionModel(stream_function=stream))

    @agent.tool_plain
    def weather(city: str) -> str:
        return f"sunny in {city}"

    app = FastAPI()

    @app.post("/")
    async def run(request: Request):
        return await AGUIAdapter.dispatch_request(request, agent=agent)

    return app


def langgraph():
    from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk
    from langchain_core.outputs import ChatGenerationChunk, ChatResult
    from langgraph.checkpoint.memory import MemorySaver
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    def weather(city: str) -> str:
        """The weather of a city."""
        return f"sunny in {city}"

    class Fake(BaseChatModel):
        _llm_type = "fake"

        def _generate(self, messages, stop=None, run_manager=None, **kwargs):
            return ChatResult(generations=[])

        def _stream(self, messages, stop=None, run_manager=None, **kwargs):
            call = {"name": "weather", "args": '{"city":"Rome"}', "id": "call-1", "index": 0}
            chunks = [AIMessageChunk(words, id="m-1") for words in SAYS]
            if messages[-1].type != "tool":
                chunks = [AIMessageChunk("", tool_call_chunks=[call], id="m-0")]
            for chunk in chunks:
                yield ChatGenerationChunk(message=chunk)

    async def model(state):
        return {"messages": [await Fake().ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", model)
    graph.add_node("tools", ToolNode([weather]))
    graph.add_edge(START, "model")
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else END)
    app = FastAPI()
    agent = LangGraphAgent(name="weather", graph=graph.compile(checkpointer=MemorySaver()))
    add_langgraph_fastapi_endpoint(app, agent, "/")
    return app


def adk():
    from ag_ui_adk import ADKAgent, add_adk_fastapi_endpoint
    from google.adk.agents import LlmAgent
    from google.adk.models.base_llm import BaseLlm
    from google.adk.models.llm_response import LlmResponse
    from google.genai.types import Content, FunctionCall, Part

    class Fake(BaseLlm):
        async def generate_content_async(self, request, stream=False):
            last = request.contents[-1].parts[0]
            if last.function_response:
                for words in SAYS:
                    yield LlmResponse(content=Content(role="model", parts=[Part(text=words)]), partial=True)
                yield LlmResponse(content=Content(role="model", parts=[Part(text="".join(SAYS))]))
            else:
                call = FunctionCall(name="weather", args={"city": "Rome"}, id="call-1")
                yield LlmResponse(content=Content(role="model", parts=[Part(function_call=call)]))

    def weather(city: str) -> dict:
        """The weather of a city."""
        return {"weather": f"sunny in {city}"}

    agent = LlmAgent(name="weather", model=Fake(model="fake"), tools=[weather])
    app = FastAPI()
    add_adk_fastapi_endpoint(app, ADKAgent(adk_agent=agent, app_name="weather", user_id="jane"), "/")
    return app


def framework():
    from agent_framework import Agent, BaseChatClient, ChatResponse, ChatResponseUpdate, Content, ResponseStream
    from agent_framework import FunctionInvocationLayer, tool
    from agent_framework_ag_ui import add_agent_framework_fastapi_endpoint

    class Fake(FunctionInvocationLayer, BaseChatClient):
        def _inner_get_response(self, *, messages, stream, options, **kwargs):
            async def updates():
                if messages[-1].role == "tool":
                    for words in SAYS:
                        yield ChatResponseUpdate(role="assistant", contents=[Content.from_text(words)], message_id="m-1")
                else:
                    call = Content.from_function_call(call_id="call-1", name="weather", arguments={"city": "Rome"})
                    yield ChatResponseUpdate(role="assistant", contents=[call], message_id="m-0")

            return ResponseStream(updates(), finalizer=ChatResponse.from_updates)

    @tool(approval_mode="never_require")
    def weather(city: str) -> str:
        """The weather of a city."""
        return f"sunny in {city}"

    app = FastAPI()
    add_agent_framework_fastapi_endpoint(app, Agent(client=Fake(), name="weather", tools=[weather]), "/", single_user=True)
    return app


def main():
    makers = {"pydantic-ai": pydantic, "langgraph": langgraph, "google-adk": adk, "agent-framework": framework}
    app = makers[sys.argv[1]]()
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"serving at 127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listener])


main()
