"""What damage.py does to the wire, and so what a comparison has to name: the event and its member."""


def text(kind, field, change):
    """Changes a member of the first event of this type. None takes the member out."""
    return {"kind": kind, "field": field, "change": change}


def add(kind, field, value):
    return {"kind": kind, "field": field, "add": value}


# Number, what the wire shows, and the event and member that a comparison has to name.
MESSAGING = [
    text("POLY_AGENT_JOINED", "payload.agent_name", "Lucio"),
    text("HANDOFF_QUEUE_STATUS", "payload.position_in_queue", "3"),
    text("POLY_AGENT_MESSAGE", "payload.text", "Good evening."),
    text("SESSION_START", "payload.capabilities.max_reconnect_attempts", 6),
    text("POLY_AGENT_MESSAGE", "sequence", None),
    text("POLY_AGENT_MESSAGE", "payload.response_suggestions", None),
    text("HANDOFF_ACCEPTED", "payload.queue_name", None),
    text("HANDOFF_QUEUE_STATUS", "payload.estimated_wait_seconds", 61),
    text("LIVE_AGENT_JOINED", "payload.agent.name", "Maria"),
    text("SESSION_END", "payload.reason", "REASON_USER_ABANDONED"),
    add("LIVE_AGENT_MESSAGE", "payload.extra", True),
    {"kind": "POLY_AGENT_LEFT", "field": "", "drop": True},
    {"kind": "LIVE_AGENT_JOINED", "field": "", "drop": True},
    {"kind": "POLY_AGENT_LEFT", "field": "", "again": True},
    {"kind": "HANDOFF_ACCEPTED", "field": "", "rename": "HANDOFF_AGREED"},
    {"kind": "POST /api/v1/access-token", "field": "status", "status": 201},
    text("POST /api/v1/access-token", "token_type", "bearer"),
    add("POST /api/v1/sessions", "extra", 1),
]
CONNECT = [
    text("text/plain", "Content", "Good evening."),
    text("participant.invited", "DisplayName", "Desk"),
    text("participant.joined", "ParticipantRole", "AGENT"),
    {"kind": "participant.invited", "field": "", "drop": True},
    {"kind": "participant.left", "field": "", "again": True},
    {"kind": "POST /participant/connection", "field": "status", "status": 201},
    add("PUT /contact/chat", "Extra", "x"),
]
DAMAGES = MESSAGING + CONNECT
