package import HTTPClient
package import WebSocketCore

/// Transport for requests and WebSockets. Tests inject their own.
package protocol WebTransport: Sendable {
    /// Starts an exchange and returns at once. `report` is called for each report, in order. The last report describes
    /// the end of the exchange.
    @discardableResult
    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange
}

/// An active request or WebSocket. Its methods behave like those of `HTTPClient.Connection`.
package protocol WebExchange: Sendable {
    func taken(_ byteCount: Int)
    func send(_ opcode: Opcode, _ payload: [UInt8])
    func close(_ code: CloseCode, reason: String)
    func cut()
}

/// Exchange of a request that could not be started.
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
