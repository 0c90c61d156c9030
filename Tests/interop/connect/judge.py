"""botocore's model as the judge: of every answer to boto3, and of every item on a socket.

botocore drops what it does not know without a word, so the raw body is compared as well: no member that the model
lacks, none missing that it requires, types, lengths, and words of lists as it says.
"""

import json
import re

import botocore.session

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# A UUID of version 7, in lower case.
ITEM_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
REQUEST_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
STAMPS = {"AbsoluteTime", "Expiry", "ConnectionExpiry", "UrlExpiry", "DeliveredTimestamp", "ReadTimestamp"}
TYPES = {
    "string": str,
    "integer": int,
    "long": int,
    "boolean": bool,
    "timestamp": (int, float),
    "structure": dict,
    "list": list,
    "map": dict,
}
EVENT = "application/vnd.amazonaws.connect.event."
INTERACTIVE = "application/vnd.amazonaws.connect.message.interactive"
LOADED = botocore.session.get_session()
PARTICIPANT = LOADED.get_service_model("connectparticipant")
CONNECT = LOADED.get_service_model("connect")
# Errors that the service sends and its model does not have.
UNMODELLED = {"TooManyRequests", "UnknownOperationException"}
# What says that the caller is wrong: the model lists for each operation which of these it has.
OF_OPERATIONS = {
    "InvalidRequestException",
    "InvalidParameterException",
    "ValidationException",
    "ResourceNotFoundException",
    "ContactNotFoundException",
}


def faults(value, shape, path="$"):
    """What of a JSON value the model does not allow."""
    wanted = TYPES.get(shape.type_name)
    if wanted and (not isinstance(value, wanted) or (wanted is not bool and isinstance(value, bool))):
        return [f"{path} is {json.dumps(value)[:60]}, no {shape.type_name}"]
    found = []
    if shape.type_name == "structure":
        found += [f"{path}.{name} is not in the model" for name in value if name not in shape.members]
        found += [f"{path}.{name} is missing" for name in shape.required_members if name not in value]
        for name, member in shape.members.items():
            if name in value:
                found += faults(value[name], member, f"{path}.{name}")
                if name in STAMPS and isinstance(value[name], str) and not STAMP.fullmatch(value[name]):
                    found.append(f"{path}.{name} is {value[name]!r}, not yyyy-MM-ddTHH:mm:ss.SSSZ")
    elif shape.type_name == "list":
        for index, each in enumerate(value):
            found += faults(each, shape.member, f"{path}[{index}]")
    elif shape.type_name == "map":
        for name, each in value.items():
            found += faults(each, shape.value, f"{path}[{name}]")
    elif shape.type_name == "string":
        size = len(value)
        if getattr(shape, "enum", None) and value not in shape.enum:
            found.append(f"{path} is {value!r}, not one of {', '.join(shape.enum)}")
        if size < shape.metadata.get("min", 0) or size > shape.metadata.get("max", 1 << 30):
            found.append(f"{path} has {size} characters, the model says {shape.metadata}")
    return found


def headers(fields, status):
    """What every answer carries."""
    fields = {name.lower(): value for name, value in dict(fields).items()}
    found = []
    if fields.get("content-type", "").split(";")[0] != "application/json":
        found.append(f"Content-Type is {fields.get('content-type')!r}")
    if not REQUEST_ID.fullmatch(fields.get("x-amzn-requestid", "")):
        found.append(f"x-amzn-RequestId is {fields.get('x-amzn-requestid')!r}")
    if "content-length" not in fields:
        found.append("Content-Length is missing")
    if (status >= 300) != ("x-amzn-errortype" in fields):
        found.append(f"status {status}, x-amzn-ErrorType {fields.get('x-amzn-errortype')!r}")
    return found


def error(kind, status, body, shapes):
    """What is wrong with an error: its type, its status, its body."""
    found = []
    if "__type" in body:
        found.append("the body has __type")
    if not body.get("message") or body.get("message") != body.get("Message"):
        found.append(f"message {body.get('message')!r}, Message {body.get('Message')!r}")
    if kind in UNMODELLED:
        return found
    if kind not in shapes:
        return [*found, f"{kind} is no error of this service"]
    wanted = shapes[kind].metadata.get("error", {}).get("httpStatusCode")
    if wanted and wanted != status:
        found.append(f"{kind} has status {status}, the model says {wanted}")
    return found


def watch(client):
    """Judges every answer that this boto3 client gets, each attempt by itself."""
    shapes = {shape.name: shape for shape in client.meta.service_model.error_shapes}

    def received(event_name, response_dict=None, **_):
        if response_dict is None:
            return
        operation = client.meta.service_model.operation_model(event_name.rsplit(".", 1)[1])
        status, fields = response_dict["status_code"], response_dict["headers"]
        found = headers(fields, status)
        try:
            body = json.loads(response_dict["body"])
        except ValueError:
            body, found = None, [*found, f"the body is no JSON: {response_dict['body'][:80]!r}"]
        if isinstance(body, dict) and status < 300:
            found += faults(body, operation.output_shape) if operation.output_shape else []
        elif isinstance(body, dict):
            kind = fields.get("x-amzn-ErrorType")
            found += error(kind, status, body, shapes)
            if kind in OF_OPERATIONS and kind not in {shape.name for shape in operation.error_shapes}:
                found.append(f"{kind} is none of its errors: {', '.join(shape.name for shape in operation.error_shapes)}")
        assert not found, f"{operation.name} answered against the model: {'; '.join(found[:4])}"

    client.meta.events.register("response-received.*.*", received)


ITEM = PARTICIPANT.shape_for("Item")
# On sockets alone; the model does not have them.
FRAME_MEMBERS = {"InitialContactId"}
PART_MEMBERS = {"ChunkNumber", "MessageCompleted"}


def item(value):
    """What of a chat item on a socket is against its kind."""
    kind = value.get("Type")
    wire = {name: member for name, member in value.items() if name not in FRAME_MEMBERS}
    if isinstance(value.get("MessageMetadata"), dict):
        wire["MessageMetadata"] = {name: member for name, member in value["MessageMetadata"].items() if name not in PART_MEMBERS}
    if kind == "MESSAGEMETADATA":
        wire["Type"] = "EVENT"
    found = faults(wire, ITEM)
    if kind not in ("MESSAGE", "EVENT", "ATTACHMENT", "MESSAGEMETADATA"):
        found.append(f"Type is {kind!r}")
    wanted = {"Id", "AbsoluteTime", "Type"}
    wanted |= {"ContactId", "InitialContactId", "ContentType"} - ({"ContentType"} if kind == "ATTACHMENT" else set())
    senders = {"ParticipantId", "DisplayName", "ParticipantRole"}
    name = value.get("ContentType", "").removeprefix(EVENT)
    if kind == "MESSAGEMETADATA":
        wanted -= {"ContactId", "InitialContactId"}
        found += [f"MESSAGEMETADATA has {each}" for each in ("ContactId", "InitialContactId", *senders) if each in value]
        if len(value.get("MessageMetadata", {}).get("Receipts", [])) != 1:
            found.append("a metadata frame has not one receipt")
    elif name in ("chat.ended", "chat.rehydrated") or name.startswith("authentication."):
        found += [f"{name} has {each}" for each in senders if each in value]
    else:
        wanted |= senders
    if kind == "MESSAGE":
        wanted.add("Content")
    if kind == "ATTACHMENT" and "ContentType" in value:
        found.append("an ATTACHMENT has ContentType")
    if kind == "EVENT" and name in ("message.read", "message.delivered"):
        found.append("a receipt went out as EVENT")
    found += [f"{each} is missing" for each in sorted(wanted) if each not in value]
    if not ITEM_ID.fullmatch(value.get("Id", "")):
        found.append(f"Id is {value.get('Id')!r}, no UUID of version 7")
    return found
