"""Starlette with uvicorn: sends the events of a file, made and encoded by ag-ui-protocol for each run."""

import json
import socket
import sys

import uvicorn
from ag_ui.core import Event
from ag_ui.encoder import EventEncoder
from pydantic import TypeAdapter
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route

ADAPTER = TypeAdapter(Event)
EVENTS = [ADAPTER.validate_python(json.loads(line)) for line in open(sys.argv[1], encoding="utf-8")]


async def run(request):
    asked = await request.json()
    encoder = EventEncoder()

    async def told():
        for event in EVENTS:
            if hasattr(event, "run_id"):
                event = event.model_copy(update={"thread_id": asked["threadId"], "run_id": asked["runId"]})
            yield encoder.encode(event)

    return StreamingResponse(told(), media_type=encoder.get_content_type())


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(f"starlette listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
app = Starlette(routes=[Route("/run", run, methods=["POST"])])
uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[listener])
