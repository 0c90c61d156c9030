"""Replies to what no rule of a running polymock heard: replies.py ADDRESS. See Shared/Docs/replies-from-elsewhere.md.

With MODEL_URL (what precedes /chat/completions), MODEL and MODEL_KEY a model replies, else `reply`.
"""

import json
import os
import sys
import urllib.request

from websockets.sync.client import connect

MOCK = sys.argv[1]
MODEL_URL = os.environ.get("MODEL_URL")
said = {}  # session: what its user said, and what was replied


def post(url, body, **headers):
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    for name, value in {"Content-Type": "application/json", **headers}.items():
        request.add_header(name, value)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def reply(messages):
    """The place for code of yours."""
    return "You said: " + messages[-1]["content"]


def model(messages):
    key = os.environ.get("MODEL_KEY")
    body = {"model": os.environ.get("MODEL", "default"), "messages": messages}
    headers = {"Authorization": "Bearer " + key} if key else {}
    return post(MODEL_URL + "/chat/completions", body, **headers)["choices"][0]["message"]["content"]


with connect(MOCK.replace("http", "ws", 1) + "/_mock/feed?rows=none&also=unmatched") as feed:
    print("waiting at", MOCK, flush=True)
    for text in feed:
        heard = json.loads(text).get("unmatched", {})
        if heard.get("kind") != "message" or not heard["session"]:
            continue
        messages = said.setdefault(heard["session"], [])
        messages.append({"role": "user", "content": heard["text"]})
        try:
            answer = model(messages) if MODEL_URL else reply(messages)
            messages.append({"role": "assistant", "content": answer})
            body = {"as": "agent", "by": "replies", "text": answer}
            post(f"{MOCK}/_mock/sessions/{heard['session']}/events", body)
        except OSError as error:
            print("no reply:", error, flush=True)
