import DialectKit

/// The laws by name, in the order of a talk: what the book asks for when it finds one broken.
enum LawID: Int, CaseIterable, Sendable {
    // Tokens and sessions.
    case tokenHeaders
    case tokenRetryAfter
    case refusalIsFinal
    case sessionRetryAfter
    case tokenExpired
    case resumeAfterDrop

    // Connecting.
    case connectParameters
    case sessionToken
    case cursorNumber
    case cursorAhead
    case connectRetryAfter
    case connectAfterEnd
    case connectionLimit
    case reconnectBackoff
    case reconnectBudget

    // Talking.
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

    var law: Law { Self.table[rawValue] }

    /// In the order of the cases; `PolyLawsTests` compares them.
    static let table: [Law] = [
        Law(
            id: "token-headers", title: "ask for a token with X-Token and X-Host",
            source: "protocol.md#token-request",
            advice: "Send both headers, and neither of them empty."),
        Law(
            id: "token-retry-after", title: "wait for Retry-After before asking for a token again",
            source: "protocol.md#retry-after",
            advice: "After a 429 wait the seconds of its Retry-After, at most 30, before the next "
                + "attempt."),
        Law(
            id: "refusal-is-final", title: "do not repeat a call that was refused with 401 or 403",
            source: "protocol.md#refusals-are-final",
            advice: "Report the refusal instead of repeating the call: the same key is refused again."),
        Law(
            id: "session-retry-after", title: "wait for Retry-After before asking for a session again",
            source: "protocol.md#retry-after",
            advice: "After a 429 wait the seconds of its Retry-After, at most 30, before the next "
                + "attempt."),
        Law(
            id: "token-expired", title: "use no token past its expiry",
            source: "protocol.md#token-expiry",
            advice: "Check the token's exp before each use and start a new session when it is over."),
        Law(
            id: "resume-after-drop", title: "resume a session after a drop instead of making a new one",
            source: "protocol.md#resume-after-a-drop",
            advice: "Connect again with the same session, the same token and the cursor before "
                + "asking for a new session."),
        Law(
            id: "connect-parameters", title: "connect with session_id and access_token",
            source: "protocol.md#connect-parameters",
            advice: "Put both parameters into the query of the WebSocket address."),
        Law(
            id: "session-token", title: "connect with the token that made the session",
            source: "protocol.md#token-binding",
            advice: "Keep the token of the session and use it for every connection; another token is "
                + "another user."),
        Law(
            id: "cursor-number", title: "send the cursor as a decimal number",
            source: "protocol.md#cursor-forms",
            advice: "Send the digits of the highest sequence seen, or leave the cursor out."),
        Law(
            id: "cursor-ahead", title: "send no cursor beyond the last event received",
            source: "protocol.md#cursor-ahead",
            advice: "Take the cursor from the events of this session and start at none for a new session."),
        Law(
            id: "connect-retry-after", title: "wait for Retry-After before connecting again",
            source: "protocol.md#retry-after",
            advice: "After a handshake answered with 429 wait the seconds of its Retry-After, at most 30."),
        Law(
            id: "connect-after-end", title: "do not come back to a session that is over",
            source: "protocol.md#after-the-end",
            advice: "Forget the session when SESSION_END arrives and make a new one for the next chat."),
        Law(
            id: "connection-limit", title: "keep at most ten connections of a session",
            source: "protocol.md#connection-limit",
            advice: "Close the connection that is replaced, or share one."),
        Law(
            id: "reconnect-backoff", title: "wait between reconnects, longer each time",
            source: "protocol.md#reconnect-backoff",
            advice: "Wait min(30, 2^n) seconds with some chance before attempt n, counted from 0."),
        Law(
            id: "reconnect-budget", title: "stop after the announced number of refused reconnects",
            source: "protocol.md#reconnect-budget",
            advice: "Stop after max_reconnect_attempts of SESSION_START and say so to the user."),
        Law(
            id: "join-once", title: "join once per session",
            source: "protocol.md#join-once",
            advice: "Join when the first batch brings SESSION_START without POLY_AGENT_JOINED, and "
                + "remember it over reconnects."),
        Law(
            id: "join-first", title: "join before the first message",
            source: "protocol.md#join-first",
            advice: "Send REQUEST_POLY_AGENT_JOIN after SESSION_START: the agent never joins by itself."),
        Law(
            id: "join-loop", title: "do not answer errors with joins without end",
            source: "protocol.md#join-invitations",
            advice: "Wait before each further join and stop after a few."),
        Law(
            id: "allowed-types", title: "send only the five types of clients",
            source: "protocol.md#allowed-types",
            advice: "Send joins, messages, typing, ends and heartbeats; all other types are the server's."),
        Law(
            id: "known-types", title: "send no type the protocol does not know",
            source: "protocol.md#known-types",
            advice: "Check the spelling of the type: EVENT_TYPE_ and upper case."),
        Law(
            id: "readable-messages", title: "send one JSON object with a type",
            source: "protocol.md#client-envelope",
            advice: "Encode each message as an object with type and payload."),
        Law(
            id: "payload-shape", title: "send the payload its type asks for",
            source: "protocol.md#client-payloads",
            advice: "Give a message a string text, typing one of its two states, and every event an "
                + "object as payload."),
        Law(
            id: "server-fields", title: "leave id, sequence and timestamp to the server",
            source: "protocol.md#server-fields",
            advice: "Leave the field out; put an id of your own into metadata.custom."),
        Law(
            id: "metadata-strings", title: "put only strings into metadata.custom",
            source: "protocol.md#metadata-strings",
            advice: "Write numbers and flags as strings: one other value and clients discard the "
                + "whole map."),
        Law(
            id: "text-frames", title: "send text, never binary",
            source: "protocol.md#text-frames",
            advice: "Send the JSON as a text message of the WebSocket."),
        Law(
            id: "message-size", title: "keep within the announced message size",
            source: "protocol.md#message-size",
            advice: "Compare the whole encoded message, not only its text, with max_message_size_bytes."),
        Law(
            id: "message-not-empty", title: "send no message without words",
            source: "protocol.md#empty-text",
            advice: "Trim the text and send nothing when nothing is left."),
        Law(
            id: "echo-is-receipt", title: "do not resend what was echoed",
            source: "protocol.md#echo-is-receipt",
            advice: "Stop the resend of a message when its echo arrives; match them by local_id."),
        Law(
            id: "local-id-unique", title: "give each message its own local_id",
            source: "protocol.md#local-id",
            advice: "Make a new UUID for each message; keep it only when the same message is sent again."),
        Law(
            id: "typing-rate", title: "tell typing as a state, not for each key",
            source: "protocol.md#typing-is-a-state",
            advice: "Send STARTED at most every 3 seconds and STOPPED once."),
        Law(
            id: "heartbeat-kept", title: "send heartbeats at the announced interval",
            source: "protocol.md#heartbeat-interval",
            advice: "Start the timer when the connection opens and take the interval from SESSION_START."),
        Law(
            id: "heartbeat-rate", title: "send heartbeats no faster than announced",
            source: "protocol.md#heartbeat-interval",
            advice: "Keep one timer per connection, stop it on close, and stop it when the interval is 0."),
        Law(
            id: "end-once", title: "end a session once",
            source: "protocol.md#user-ends-once",
            advice: "Send USER_END_SESSION once and wait for its echo."),
        Law(
            id: "talk-after-end", title: "say nothing after the end of the session",
            source: "protocol.md#after-the-end",
            advice: "Close the connection when SESSION_END arrives and start a new session for more."),
        Law(
            id: "close-code", title: "close with a code that may be sent",
            source: "protocol.md#close-codes-of-clients",
            advice: "Close with 1000, 1001 or a code from 3000 to 4999: 1005, 1006 and 1015 are "
                + "never on the wire."),
    ]
}
