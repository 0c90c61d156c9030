import DialectKit

enum ProtocolRuleID: Int, CaseIterable, Sendable {
    case tokenHeaders
    case tokenRetryAfter
    case refusalIsFinal
    case sessionRetryAfter
    case tokenExpired
    case resumeAfterDrop

    case connectParameters
    case sessionToken
    case cursorNumber
    case cursorAhead
    case connectRetryAfter
    case connectAfterEnd
    case connectionLimit
    case reconnectBackoff
    case reconnectBudget

    case joinOnce
    case joinFirst
    case joinLoop
    case allowedTypes
    case knownTypes
    case readableMessages
    case payloadShape
    case serverFields
    case metadataStrings
    case textFrames
    case messageSize
    case messageNotEmpty
    case echoIsReceipt
    case localIDUnique
    case typingRate
    case heartbeatKept
    case heartbeatRate
    case endOnce
    case talkAfterEnd
    case closeCode

    var protocolRule: ProtocolRule { Self.table[rawValue] }

    /// Rules, indexed by raw value; `PolyProtocolRulesTests` checks the order.
    static let table: [ProtocolRule] = [
        protocolRule(
            "token-headers", "ask for a token with X-Token and X-Host", "token-request",
            "Send both headers, and neither of them empty."),
        protocolRule(
            "token-retry-after", "wait for Retry-After before asking for a token again", "retry-after",
            "After a 429 wait the seconds of its Retry-After, at most 30, before the next attempt."),
        protocolRule(
            "refusal-is-final", "do not repeat a call that was refused with 401 or 403",
            "refusals-are-final",
            "Report the refusal instead of repeating the call: the same key is refused again."),
        protocolRule(
            "session-retry-after", "wait for Retry-After before asking for a session again", "retry-after",
            "After a 429 wait the seconds of its Retry-After, at most 30, before the next attempt."),
        protocolRule(
            "token-expired", "use no token past its expiry", "token-expiry",
            "Check the token's exp before each use and start a new session when it is over."),
        protocolRule(
            "resume-after-drop", "resume a session after a drop instead of making a new one",
            "resume-after-a-drop",
            "Connect again with the same session, the same token and the cursor before asking for a new "
                + "session."),
        protocolRule(
            "connect-parameters", "connect with session_id and access_token", "connect-parameters",
            "Put both parameters into the query of the WebSocket address."),
        protocolRule(
            "session-token", "connect with the token that made the session", "token-binding",
            "Keep the token of the session and use it for every connection; another token is another user."),
        protocolRule(
            "cursor-number", "send the cursor as a decimal number", "cursor-forms",
            "Send the digits of the highest sequence seen, or leave the cursor out."),
        protocolRule(
            "cursor-ahead", "send no cursor beyond the last event received", "cursor-ahead",
            "Take the cursor from the events of this session and start at none for a new session."),
        protocolRule(
            "connect-retry-after", "wait for Retry-After before connecting again", "retry-after",
            "After a handshake answered with 429 wait the seconds of its Retry-After, at most 30."),
        protocolRule(
            "connect-after-end", "do not come back to a session that is over", "after-the-end",
            "Forget the session when SESSION_END arrives and make a new one for the next chat."),
        protocolRule(
            "connection-limit", "keep at most ten connections of a session", "connection-limit",
            "Close the connection that is replaced, or share one."),
        protocolRule(
            "reconnect-backoff", "wait between reconnects, longer each time", "reconnect-backoff",
            "Wait min(30, 2^n) seconds with some chance before attempt n, counted from 0."),
        protocolRule(
            "reconnect-budget", "stop after the announced number of refused reconnects", "reconnect-budget",
            "Stop after max_reconnect_attempts of SESSION_START and say so to the user."),
        protocolRule(
            "join-once", "join once per session", "join-once",
            "Join when the first batch brings SESSION_START without POLY_AGENT_JOINED, and remember it "
                + "over reconnects."),
        protocolRule(
            "join-first", "join before the first message", "join-first",
            "Send REQUEST_POLY_AGENT_JOIN after SESSION_START: the agent never joins by itself."),
        protocolRule(
            "join-loop", "do not answer errors with joins without end", "join-invitations",
            "Wait before each further join and stop after a few."),
        protocolRule(
            "allowed-types", "send only the five types of clients", "allowed-types",
            "Send joins, messages, typing, ends and heartbeats; all other types are the server's."),
        protocolRule(
            "known-types", "send no type the protocol does not know", "known-types",
            "Check the spelling of the type: EVENT_TYPE_ and upper case."),
        protocolRule(
            "readable-messages", "send one JSON object with a type", "client-envelope",
            "Encode each message as an object with type and payload."),
        protocolRule(
            "payload-shape", "send the payload its type asks for", "client-payloads",
            "Give a message a string text, typing one of its two states, and every event an object as "
                + "payload."),
        protocolRule(
            "server-fields", "leave id, sequence and timestamp to the server", "server-fields",
            "Leave the field out; put an id of your own into metadata.custom."),
        protocolRule(
            "metadata-strings", "put only strings into metadata.custom", "metadata-strings",
            "Write numbers and flags as strings: one other value and clients discard the whole map."),
        protocolRule(
            "text-frames", "send text, never binary", "text-frames",
            "Send the JSON as a text message of the WebSocket."),
        protocolRule(
            "message-size", "keep within the announced message size", "message-size",
            "Compare the whole encoded message, not only its text, with max_message_size_bytes."),
        protocolRule(
            "message-not-empty", "send no message without words", "empty-text",
            "Trim the text and send nothing when nothing is left."),
        protocolRule(
            "echo-is-receipt", "do not resend what was echoed", "echo-is-receipt",
            "Stop the resend of a message when its echo arrives; match them by local_id."),
        protocolRule(
            "local-id-unique", "give each message its own local_id", "local-id",
            "Make a new UUID for each message; keep it only when the same message is sent again."),
        protocolRule(
            "typing-rate", "tell typing as a state, not for each key", "typing-is-a-state",
            "Send STARTED at most every 3 seconds and STOPPED once."),
        protocolRule(
            "heartbeat-kept", "send heartbeats at the announced interval", "heartbeat-interval",
            "Start the timer when the connection opens and take the interval from SESSION_START."),
        protocolRule(
            "heartbeat-rate", "send heartbeats no faster than announced", "heartbeat-interval",
            "Keep one timer per connection, stop it on close, and stop it when the interval is 0."),
        protocolRule(
            "end-once", "end a session once", "user-ends-once",
            "Send USER_END_SESSION once and wait for its echo."),
        protocolRule(
            "talk-after-end", "say nothing after the end of the session", "after-the-end",
            "Close the connection when SESSION_END arrives and start a new session for more."),
        protocolRule(
            "close-code", "close with a code that may be sent", "close-codes-of-clients",
            "Close with 1000, 1001 or a code from 3000 to 4999: 1005, 1006 and 1015 are never on the wire."),
    ]

    private static func protocolRule(_ id: String, _ title: String, _ anchor: String, _ advice: String)
        -> ProtocolRule
    {
        ProtocolRule(id: id, title: title, source: "protocol.md#" + anchor, advice: advice)
    }
}
