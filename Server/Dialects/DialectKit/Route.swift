/// A path and the methods it takes.
package struct Route: Equatable, Sendable {
    /// Without a trailing slash; a trailing slash in the request is tolerated unless the route ``isExact``. `{room}` stands
    /// for any one segment, which the request has in its ``Request/values``.
package import HTTPCore

/// A path and the methods it takes.
package struct Route: Equatable, Sendable {
    /// Without a trailing slash; a trailing slash in the request is tolerated. `{room}` stands for any one segment,
    /// which the request has in its ``Request/values``.
    package var path: String
    /// As they are sent: methods are case-sensitive (RFC 9110 §9.1).
    package var methods: [String]
    /// What the protocol calls it: `CreateSession`. Troubles name it, and so does the request.
    package var operation: String
    /// Bytes of body that it takes where that is not the server's usual limit.
    package var bodyBytes: Int?
    /// Bodies of requests mean something; else they are thrown away.
    package var takesBody: Bool { methods != ["GET"] }
    /// True when requests here ask for a WebSocket.
    package var isWebSocket: Bool
    /// Messages of its WebSocket may be compressed where the client offers that.
    package var compresses: Bool
    /// Open to pages of other origins (CORS, Fetch standard §3.3). Default false: requests of such pages are refused.
    package var isOpenToPages: Bool
    /// The path of a link or a file, which a trailing slash makes another one.
    package var isExact: Bool

    package init(
        _ path: String, methods: [String], operation: String = "", bodyBytes: Int? = nil,
        isWebSocket: Bool = false, compresses: Bool = true, isOpenToPages: Bool = false, isExact: Bool = false

    package init(
        _ path: String, methods: [String], operation: String = "", bodyBytes: Int? = nil,
        isWebSocket: Bool = false, compresses: Bool = true
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
    }
}

/// What the head of a request says about the body behind it (RFC 9110 §10.1.1).
package enum HeadJudgement: Sendable {
    /// It may come.
    case body
    /// Whatever it says, ``Dialect/answer(_:host:)`` gives the same answer without it.
    case answer
    /// There is no room for it.
    case refuse(Response)
}
