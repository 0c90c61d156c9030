package import HTTPClient
package import WebSocketCore

package protocol WebTransport: Sendable {
    /// Starts an exchange and returns at once. Calls `report` in order.
    @discardableResult
    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange
}

/// Active request or WebSocket. Its methods behave like those of `HTTPClient.Connection`.
package protocol WebExchange: Sendable {
    func taken(_ byteCount: Int)
    func send(_ opcode: Opcode, _ payload: [UInt8])
    func close(_ code: CloseCode, reason: String)
    func cut()
}

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
