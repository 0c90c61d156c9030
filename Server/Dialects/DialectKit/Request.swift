package import ConversationEngine
package import HTTPCore

/// A path that the server answers, with its methods and options.
package struct Route: Equatable, Sendable {
    /// The path without a trailing slash. `{room}` matches any one segment, whose value is in ``Request/values``.
    package var path: String
    /// Case-sensitive (RFC 9110 §9.1).
    package var methods: [String]
    /// The protocol's name for requests to this route, such as `CreateSession`.
    package var operation: String
    /// Maximum bytes of the body; nil: the server's default.
    package var bodyBytes: Int?
    /// Whether request bodies are read.
    package var takesBody: Bool { methods != ["GET"] }
    package var isWebSocket: Bool
    /// Whether WebSocket messages may be compressed.
    package var compresses: Bool
    /// Whether pages of other origins may send requests (CORS, Fetch standard §3.3). Default false.
    package var isOpenToPages: Bool
    /// Whether a trailing slash makes a different path.
    package var isExact: Bool
    /// Whether the route exists only for some sessions.
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
    /// Percent-decoded, without the query.
    package var path: String
    /// Percent-decoded parameters, in order.
    package var query: [(name: String, value: String)]
    package var body: [UInt8]
    package var operation: String
    /// Percent-decoded values of the `{name}` segments in the route's path.
    package var values: [String: String]
    /// The result of ``Dialect/preparation(of:)``, or nil.
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

    package func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

package enum Answer: Sendable {
    case response(Response)
    /// The client may not use the route: answered like a path without a route.
    case unknownPath
    /// A response computed by a slow pure function outside the server's loop. `from` is the input's approximate bytes.
    case later(from: Int, @Sendable () -> Response)
    /// Opens a WebSocket connection of the session and sends the entries after `cursor`. `note` is a line for the log.
    case connect(SessionHandle, cursor: UInt64, note: String?)
    /// Opens an event stream that receives the entries after `cursor`. `saying` is applied once the stream is open.
    case stream(SessionHandle, cursor: UInt64, headers: HeaderFields, saying: ClientInput? = nil)
}

/// Decision on a request's body, made before the body is read (RFC 9110 §10.1.1).
package enum HeadJudgement: Sendable {
    case body
    /// The body is not read, because ``Dialect/answer(_:host:)`` gives the same answer without it.
    case answer
    case refuse(Response)
}
