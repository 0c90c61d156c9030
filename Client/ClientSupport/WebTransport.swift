package import HTTPClient
package import WebSocketCore

/// Transport of requests and WebSockets: our own sockets, or a test's replacement.
package protocol WebTransport: Sendable {
    /// Begins to dial and returns at once. `report` is called in order; nothing follows the report of an end.
    @discardableResult
    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange
}

/// One request or WebSocket that is under way. The calls have the semantics of `HTTPClient.Connection`.
package protocol WebExchange: Sendable {
    func taken(_ byteCount: Int)
    func send(_ opcode: Opcode, _ payload: [UInt8])
    func close(_ code: CloseCode, reason: String)
    func cut()
}

/// The exchange of a request that could not be started.
package struct NoExchange: WebExchange {
    package init() {}

    package func taken(_ byteCount: Int) {}
    package func send(_ opcode: Opcode, _ payload: [UInt8]) {}
    package func close(_ code: CloseCode, reason: String) {}
    package func cut() {}
}

extension HTTPClient: WebTransport {
    package func begin(
        _ request: Request, report: @escaping @Sendable (Report) -> Void
    ) -> any WebExchange {
        send(request, report: report)
    }
}

extension HTTPClient.Connection: WebExchange {}
