package import HTTPClient

/// Transport that uses URLSession for encrypted connections on Apple platforms, and otherwise this project's sockets.
package struct SchemeTransport: WebTransport {
    private let plain: any WebTransport

    package init(_ plain: any WebTransport) {
        self.plain = plain
    }

    package func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        #if canImport(Darwin)
            if request.endpoint.isEncrypted {
                return URLSessionTransport.shared.begin(request, report: report)
            }
        #endif
        return plain.begin(request, report: report)
    }
}
