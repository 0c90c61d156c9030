"""What an afternoon gives in Python: SendMessage with aiohttp, out of a dictionary. Prints its address."""

import asyncio
import datetime
import json
import uuid

from aiohttp import WSMsgType, web

contacts, tokens = {}, {}


def stamp():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def answer(body, status=200, kind=None):
    fields = {"x-amzn-RequestId": str(uuid.uuid4()), "Access-Control-Allow-Origin": "*"}
    if kind:
        fields["x-amzn-ErrorType"] = kind
        body = {"message": body, "Message": body}
    return web.json_response(body, status=status, headers=fields)


async def start(request):
    asked = await request.json()
    contact, token = str(uuid.uuid4()), uuid.uuid4().hex
    contacts[contact] = {
        "id": contact,
        "name": asked["ParticipantDetails"]["DisplayName"],
        "me": str(uuid.uuid4()),
        "items": [],
        "sockets": set(),
        "sent": {},
    }
    tokens[token] = contact
    return answer({"ContactId": contact, "ParticipantId": contacts[contact]["me"], "ParticipantToken": token})


async def connection(request):
    contact = tokens.get(request.headers.get("X-Amz-Bearer"))
    if contact is None:
        return answer("Access denied", 403, "AccessDeniedException")
    token = uuid.uuid4().hex
    tokens[token] = contact
    return answer(
        {
            "Websocket": {"Url": f"ws://{request.host}/connect/ws?AuthToken={token}", "ConnectionExpiry": stamp()},
            "ConnectionCredentials": {"ConnectionToken": token, "Expiry": stamp()},
        }
    )


async def message(request):
    contact = contacts.get(tokens.get(request.headers.get("X-Amz-Bearer")))
    if contact is None:
        return answer("Access denied", 403, "AccessDeniedException")
    asked = await request.json()
    content, kind = asked.get("Content"), asked.get("ContentType")
    if not isinstance(content, str) or not 1 <= len(content.encode()) <= 16384 or kind != "text/plain":
        return answer("Invalid request", 400, "ValidationException")
    again = asked.get("ClientToken")
    if again in contact["sent"]:
        return answer(contact["sent"][again])
    item = {
        "AbsoluteTime": stamp(),
        "Content": content,
        "ContentType": kind,
        "Id": str(uuid.uuid4()),
        "Type": "MESSAGE",
        "ParticipantId": contact["me"],
        "DisplayName": contact["name"],
        "ParticipantRole": "CUSTOMER",
        "InitialContactId": contact["id"],
        "ContactId": contact["id"],
    }
    contact["items"].append(item)
    text = json.dumps({"content": json.dumps(item), "contentType": "application/json", "topic": "aws/chat"})
    for socket in contact["sockets"]:
        await socket.send_str(text)
    got = {"Id": item["Id"], "AbsoluteTime": item["AbsoluteTime"]}
    if again:
        contact["sent"][again] = got
    return answer(got)


async def socket(request):
    contact = contacts.get(tokens.get(request.query.get("AuthToken")))
    if contact is None:
        return answer("Access denied", 403, "AccessDeniedException")
    made = web.WebSocketResponse(compress=False)
    await made.prepare(request)
    async for frame in made:
        if frame.type != WSMsgType.TEXT:
            continue
        asked = json.loads(frame.data)
        if asked["topic"] == "aws/subscribe":
            contact["sockets"].add(made)
            await made.send_str('{"topic":"aws/subscribe","content":{"status":"success","topics":["aws/chat"]}}')
        else:
            await made.send_str(json.dumps({"topic": asked["topic"]}))
    contact["sockets"].discard(made)
    return made


async def main():
    app = web.Application()
    app.add_routes(
        [
            web.put("/contact/chat", start),
            web.post("/participant/connection", connection),
            web.post("/participant/message", message),
            web.get("/connect/ws", socket),
        ]
    )
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(f"listening on http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
