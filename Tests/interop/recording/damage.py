"""An add-on of mitmproxy: keeps the tokens of each session, and spoils the wire where its seed says so.

The seed of a scenario, `mock:booking@seed=7`, picks DAMAGES[7 - 1]; any other seed leaves the wire as it is. So one
proxy serves all damages, and a comparison chooses with its --token.
"""

import json
import pathlib
import re
import sys

from mitmproxy import ctx, http

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from damages import DAMAGES


def spoiled(item, damage):
    """The JSON with the member of `damage` changed; false when the member is not there."""
    *path, last = damage["field"].split(".")
    for name in path:
        if not isinstance(item.get(name), dict):
            return False
        item = item[name]
    if "add" in damage:
        item[last] = damage["add"]
        return True
    if last not in item:
        return False
    if damage["change"] is None:
        del item[last]
    else:
        item[last] = damage["change"]
    return True


class Damage:
    def __init__(self):
        # The number of a damage by each token and id that an answer of its session had.
        self.numbers = {}
        self.done = set()

    def number(self, flow):
        if flow.id in self.numbers:
            return self.numbers[flow.id]
        sent = flow.request.pretty_url + str(flow.request.headers) + (flow.request.get_text() or "")
        seed = re.search(r"@seed=(\d+)", sent)
        known = (number for token, number in self.numbers.items() if token in sent)
        self.numbers[flow.id] = int(seed[1]) if seed else next(known, 0)
        return self.numbers[flow.id]

    def damage(self, flow):
        number = self.number(flow)
        if 0 < number <= len(DAMAGES) and number not in self.done:
            return number, DAMAGES[number - 1]
        return number, None

    def request(self, flow: http.HTTPFlow):
        self.number(flow)

    def response(self, flow: http.HTTPFlow):
        number, damage = self.damage(flow)
        if flow.response.status_code == 101 or not number:
            return
        try:
            body = json.loads(flow.response.get_text() or "")
        except ValueError:
            return
        self.keep(body, number)
        if not damage or damage["kind"] != f"{flow.request.method} {flow.request.path.split('?')[0]}":
            return
        self.done.add(number)
        if "status" in damage:
            flow.response.status_code = damage["status"]
        else:
            assert spoiled(body, damage), damage
            flow.response.set_text(json.dumps(body))

    def keep(self, value, number):
        if isinstance(value, dict):
            for each in value.values():
                self.keep(each, number)
        elif isinstance(value, str) and len(value) > 15:
            # Of an address, what another host would be asked for.
            self.numbers[value.split("/", 3)[-1] if "://" in value else value] = number

    def websocket_message(self, flow: http.HTTPFlow):
        message = flow.websocket.messages[-1]
        number, damage = self.damage(flow)
        if message.from_client or not damage or not message.is_text:
            return
        frame = json.loads(message.text)
        is_batch = frame.get("type") == "EVENT_TYPE_EVENT_BATCH"
        events = frame["payload"]["events"] if is_batch else [frame]
        for place, event in enumerate(events):
            inner = json.loads(event["content"]) if event.get("topic") == "aws/chat" else event
            kind = inner.get("ContentType", inner.get("type", "")).removeprefix("EVENT_TYPE_")
            if kind.removeprefix("application/vnd.amazonaws.connect.event.") != damage["kind"]:
                continue
            if not self.strike(events, place, event, inner, damage):
                continue
            self.done.add(number)
            if not events and not is_batch:
                message.drop()
                return
            message.text = json.dumps(frame if is_batch else events[0])
            for more in [] if is_batch else events[1:]:
                ctx.master.commands.call("inject.websocket", flow, True, json.dumps(more).encode())
            return

    def strike(self, events, place, event, inner, damage):
        if "drop" in damage:
            del events[place]
            return True
        if "again" in damage:
            more = dict(inner)
            for name in ("id", "Id"):
                if name in more:
                    more[name] = "f1" + more[name][2:]
            events.insert(place + 1, {**event, "content": json.dumps(more)} if inner is not event else more)
            return True
        if "rename" in damage:
            inner["type"] = inner["type"].replace(damage["kind"], damage["rename"])
        elif not spoiled(inner, damage):
            return False
        if inner is not event:
            event["content"] = json.dumps(inner)
        return True


addons = [Damage()]
