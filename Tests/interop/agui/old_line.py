"""The environment of the v0 line, asked over its standard input: a JSON object a line, and one line back each.

{"do": "events", "lines": [...]}, {"do": "body", "body": {...}} have its models judge; {"do": "ask", "url", "say"} is a
turn of the agent framework's client, which asks in snake case; it runs the `tools` it is given, which return what they
are told to, and asks again with their results.
"""

import asyncio
import json
import logging
import sys

import models
from agent_framework import FunctionTool, Message
from agent_framework_ag_ui import AGUIChatClient

logging.disable(logging.CRITICAL)


async def turn(url, say, thread, tools, resume):
    """What the client makes of a turn: its text, the calls and results it saw."""
    known = [
        FunctionTool(name=each["name"], description=each["description"], input_model=each["parameters"],
                     func=lambda returns=each["returns"], **_: returns)
        for each in tools
    ]
    async with AGUIChatClient(endpoint=url, timeout=20) as client:
        options = {"metadata": {"thread_id": thread}} | ({"tools": known} if known else {}) | ({"resume": resume} if resume else {})
        answer = await client.get_response([Message("user", [say])], options=options)
    contents = [each for message in answer.messages for each in message.contents]
    return {
        "text": answer.text,
        "calls": [[each.name, each.arguments] for each in contents if each.type == "function_call"],
        "results": [each.result for each in contents if each.type == "function_result"],
        "errors": [each.message for each in contents if each.type == "error"],
    }


def answer(wanted):
    match wanted["do"]:
        case "events":
            return models.refused_events(wanted["lines"])
        case "body":
            return models.refused_body(wanted["body"])
        case "ask":
            return asyncio.run(turn(wanted["url"], wanted["say"], wanted["thread"], wanted.get("tools", []), wanted.get("resume")))


for line in sys.stdin:
    try:
        said = {"answer": answer(json.loads(line))}
    except Exception as problem:
        said = {"error": f"{type(problem).__name__}: {problem}"[:400]}
    print(json.dumps(said), flush=True)
