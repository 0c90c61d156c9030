"""The published models as judges: imported by both environments, since both lines of the protocol share the names."""

import json

from ag_ui.core import Event, RunAgentInput
from ag_ui.encoder import EventEncoder
from pydantic import TypeAdapter, ValidationError

EVENTS = TypeAdapter(Event)
ENCODER = EventEncoder()


def first(error):
    found = error.errors()[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"[:200]


def refused_events(lines):
    """Numbers and reasons of the lines that the models refuse, or do not write again as they were."""
    found = []
    for number, line in enumerate(lines):
        was = json.loads(line)
        try:
            event = EVENTS.validate_python(was)
        except ValidationError as error:
            found.append((number, f"{was.get('type')} {first(error)}"))
            continue
        again = json.loads(ENCODER.encode(event).removeprefix("data: ").removesuffix("\n\n"))
        if again != was:
            found.append((number, f"{was['type']} is encoded again as {json.dumps(again)[:160]}"))
    return found


def refused_body(body):
    """Why the models refuse a request's body, or nothing."""
    try:
        RunAgentInput.model_validate(body)
    except ValidationError as error:
        return first(error)
    return None
