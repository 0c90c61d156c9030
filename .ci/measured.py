"""The modules whose tests are measured, by `.ci/coverage` and `.ci/mutate`: what decides, and which files it is in.

A folder stands for all below it, anything else is a pattern of files. Shells stay out, since their failures are rare to
meet, and so do files that are empty on Linux.
"""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEASURED = {
    "Clocks": ["Shared/Clocks"],
    "Texts": ["Shared/Texts"],
    "Patterns": ["Shared/Patterns"],
    "MessagingWire": ["Shared/MessagingWire"],
    "RunWire": ["Shared/RunWire"],
    "HTTPCore": ["Shared/HTTPCore"],
    "WebSocketCore": ["Shared/WebSocketCore"],
    "Matching": ["Server/Matching"],
    "ConversationEngine": ["Server/ConversationEngine"],
    "Fixtures": ["Server/Fixtures"],
    "DialectKit": ["Server/Dialects/DialectKit"],
    "PolyDialect": ["Server/Dialects/PolyDialect"],
    "ConnectDialect": ["Server/Dialects/ConnectDialect"],
    "AGUIDialect": ["Server/Dialects/AGUIDialect"],
    "Timeline": ["Server/Timeline"],
    "ServerCore": ["Server/ServerCore"],
    "MockServer control": ["Server/MockServer/Control"] + [
        "Server/MockServer/Server/Server+" + name + ".swift"
        for name in ["Clock", "Held", "Inspection", "Memory", "Reading"]
    ],
    "ClientSupport": [
        "Client/ClientSupport/" + name + ".swift"
        for name in ["Backoff", "Driver", "Inbox", "Multicast", "NetworkMonitor", "URLSessionRequestCore", "URLSessionWebSocketCore", "WebAddress"]
    ],
    "PolyMessaging core": ["Client/PolyMessaging/Core"],
    "ConnectCore machines": ["Client/ConnectCore/*.swift"],
    "AgentRuns": ["Client/AgentRuns"],
    "ChatPresentation": ["Client/ChatPresentation"],
    "ContactPresentation": ["Client/ContactPresentation"],
    "RunPresentation": ["Client/RunPresentation"],
}


def files(module):
    """The paths of a module's sources below the repository, sorted."""
    found = set()
    for pattern in MEASURED[module]:
        found.update((ROOT / pattern).rglob("*.swift") if (ROOT / pattern).is_dir() else ROOT.glob(pattern))
    if not found:
        raise SystemExit(f".ci/measured.py: {module} has no files")
    return sorted(path.relative_to(ROOT) for path in found)
