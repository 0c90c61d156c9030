package import ConversationEngine
package import HTTPCore

/// A path that the server answers, with the methods and options of its requests.
package struct Route: Equatable, Sendable {
    /// The path without a trailing slash. A request may have a trailing slash unless the route ``isExact``. `{room}`
    /// matches any one segment, whose value is in ``Request/values``.
    package var path: String
    /// Methods are case-sensitive (RFC 9110 §9.1).
    package var methods: [String]
    /// The operation's name in the protocol, such as `CreateSession`. Faults refer to this name.
    package var operation: String
    /// Maximum size of the body in bytes; nil means the server's default.
    package var bodyBytes: Int?
    /// True if request bodies are read. Otherwise they are discarded.
    package var takesBody: Bool { methods != ["GET"] }
    package var isWebSocket: Bool
    /// True if WebSocket messages may be compressed when the client offers compression.
    package var compresses: Bool
    /// True if pages of other origins may send requests (CORS, Fetch standard §3.3). Default false.
    package var isOpenToPages: Bool
    /// True if a trailing slash makes a different path, as in links to files.
    package var isExact: Bool
    /// True if only some sessions know the route. Hints leave the route out, and a wrong method is an unknown path.
    package var isOfSomeSessions: Bool

    package init(
        _ path: String, methods: [String], operation: String = "", bodyBytes: Int? = nil,
        isWebSocket: Bool = false, compresses: Bool = true, isOpenToPages: Bool = false,
        isExact: Bool = false,
        isOfSomeSessions: Bool = false
    ) {
        self.path = path
        self.methods = methods
        self.operation = operation
        self.bodyBytes = bodyBytes
        self.isWebSocket = isWebSocket
        self.compresses = compresses
        self.isOpenToPages = isOpenToPages
        self.isExact = isExact
        self.isOfSomeSessions = isOfSomeSessions
    }
}

package struct Request: Sendable {
    package var head: RequestHead
    /// The path, percent-decoded, without the query.
    package var path: String
    /// Percent-decoded names and values in order. If a name occurs twice, the first value is used.
    package var query: [(name: String, value: String)]
    package var body: [UInt8]
    /// The ``Route/operation`` of the request's route.
    package var operation: String
    /// Values of the `{name}` segments in the route's path, percent-decoded.
    package var values: [String: String]
    /// The result of ``Dialect/preparation(of:)``. If it is set, `body` may be truncated or empty.
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

    /// Returns the first value of `name` in the query.
    package func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

package enum Answer: Sendable {
    case response(Response)
    /// The client does not know the route: the server's answer to a path without a route.
    case unknownPath
    /// A response that is computed by a slow pure function outside the server's loop. `from` is the approximate size of
    /// the input in bytes.
    case later(from: Int, @Sendable () -> Response)
    /// Completes the WebSocket handshake, adds the connection to the session and sends the entries after `cursor`.
    /// `note` is a line for the log.
    case connect(SessionHandle, cursor: UInt64, note: String?)
    /// An event stream: a response with the type `text/event-stream` unless `headers` has another one. The stream is a
    /// connection of the session and receives the entries after `cursor`. `saying` is applied once the stream is open.
    case stream(SessionHandle, cursor: UInt64, headers: HeaderFields, saying: ClientInput? = nil)
}

/// The decision on a request's body, made from the head before the body is read (RFC 9110 §10.1.1).
package enum HeadJudgement: Sendable {
    case body
    /// The body is not needed, because ``Dialect/answer(_:host:)`` gives the same answer without it.
    case answer
    case refuse(Response)
}
