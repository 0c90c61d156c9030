package import ConversationEngine
package import HTTPCore

/// A path and the methods it takes.
package struct Route: Equatable, Sendable {
    /// Without a trailing slash; a trailing slash in the request is tolerated unless the route ``isExact``.
    /// `{room}` stands for any one segment, whose value is in ``Request/values``.
    package var path: String
    /// Methods as sent: they are case-sensitive (RFC 9110 §9.1).
    package var methods: [String]
    /// The operation's name in the protocol, such as `CreateSession`; faults and requests use this name.
    package var operation: String
    /// Limit of the body in bytes; nil for the server's default.
    package var bodyBytes: Int?
    /// Whether request bodies are read; otherwise they are discarded.
    package var takesBody: Bool { methods != ["GET"] }
    /// True when requests here ask for a WebSocket.
    package var isWebSocket: Bool
    /// Whether WebSocket messages may be compressed if the client offers compression.
    package var compresses: Bool
    /// Open to pages of other origins (CORS, Fetch standard §3.3). Default false: requests of such pages are refused.
    package var isOpenToPages: Bool
    /// Whether a trailing slash makes a different path, as in links to files.
    package var isExact: Bool

    package init(
        _ path: String, methods: [String], operation: String = "", bodyBytes: Int? = nil,
        isWebSocket: Bool = false, compresses: Bool = true, isOpenToPages: Bool = false, isExact: Bool = false
    ) {
        self.path = path
        self.methods = methods
        self.operation = operation
        self.bodyBytes = bodyBytes
        self.isWebSocket = isWebSocket
        self.compresses = compresses
        self.isOpenToPages = isOpenToPages
        self.isExact = isExact
    }
}

/// A whole request: head, decoded path and query, body.
package struct Request: Sendable {
    package var head: RequestHead
    /// Percent-decoded, without query.
    package var path: String
    /// Percent-decoded names and values in order; the first of duplicate names counts.
    package var query: [(name: String, value: String)]
    package var body: [UInt8]
    /// ``Route/operation`` of its route.
    package var operation: String
    /// Values of the named segments of the route's path, decoded.
    package var values: [String: String]
    /// The result of ``Dialect/preparation(of:)``. With it, the body may be truncated or missing.
    package var prepared: (any Sendable)?

    package init(
        head: RequestHead, path: String, query: [(name: String, value: String)], body: [UInt8],
        operation: String = "", values: [String: String] = [:]
    ) {
        self.head = head
        self.path = path
        self.query = query
        self.body = body
        self.operation = operation
        self.values = values
    }

    /// The first value called `name` in the query.
    package func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

/// A dialect's answer to a request.
package enum Answer: Sendable {
    case response(Response)
    /// A response that takes long to make: pure work, done away from the loop. `from` is the approximate
    /// number of input bytes.
    case later(from: Int, @Sendable () -> Response)
    /// Completes the WebSocket handshake, attaches the connection to `session` and sends the entries after `cursor`.
    /// `note` is a line for the log.
    case connect(SessionHandle, cursor: UInt64, note: String?)
    /// Answer with an event stream (chunked, `text/event-stream` unless `headers` say otherwise) that is a connection
    /// of
    /// `session` and receives the entries after `cursor`. Once the stream is open, `saying` is applied to the session.
    case stream(SessionHandle, cursor: UInt64, headers: HeaderFields, saying: ClientInput? = nil)
}

/// A dialect's decision about a request's body, made from the head before the body is read (RFC 9110
/// §10.1.1).
package enum HeadJudgement: Sendable {
    /// The body is needed.
    case body
    /// The body is not needed: ``Dialect/answer(_:host:)`` gives the same answer without it.
    case answer
    /// There is no room for the body.
    case refuse(Response)
}
