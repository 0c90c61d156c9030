import ConversationEngine
import WebSocketCore

extension CloseCause {
    /// Code and reason of the Close frame (protocol.md#close-normal, protocol.md#close-going-away).
    var onTheWire: (CloseCode, String) {
        switch self {
        case .sessionEnded: (.normal, "session ended")
        case .connectionIdle: (.goingAway, "connection idle")
        case .connectionTooOld: (.goingAway, "connection too old")
        case .tooManyConnections: (.goingAway, "one connection too many")
        }
    }
}
