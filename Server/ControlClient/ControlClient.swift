package import Clocks
import HTTPClient
import SocketTransport
package import Texts

/// Client of a server's control API, over HTTP without TLS.
package struct ControlClient: Sendable {
    package enum FeedItem: Equatable, Sendable {
        /// Message of the server, or `{"dropped": n}` in place of n messages that the server or this client dropped.
        case message(JSONValue)
        /// Error that ended the feed.
        case failed(ControlError)
    }

    package var url: String { "http://" + endpoint.authority }

    private let endpoint: Endpoint
    private let token: String?
    private let client: HTTPClient

    /// `token` is nil for a server without a control token. `seed` determines handshake keys and masks.
    package init(
        url: String, token: String?, clock: any EventClock = SystemClock(),
        seed: UInt64 = UInt64.random(in: UInt64.min...UInt64.max)
    ) throws(ControlError) {
        endpoint = try Self.endpoint(url)
        self.token = token
        client = HTTPClient(
            label: "polymock.control", clock: clock, seed: seed, unsentBytes: ControlLimits.unsentBytes)
    }

    /// Parses a typed address: `http`, host and port. The scheme is optional; the default port is 80.
    static func endpoint(_ text: String) throws(ControlError) -> Endpoint {
        guard let address = try? ServerAddress(text, needsScheme: false), !address.isEncrypted,
            address.path.isEmpty
        else { throw .badAddress(text) }
        return Endpoint(host: address.host, port: address.port ?? 80)
    }

    /// Calls the path after `/_mock/`, as in `call("POST", "clock", body: …)`.
    package func call(
        _ method: String, _ path: String..., query: [ControlRequest.Parameter] = [], body: JSONObject? = nil,
        patience: Interval? = ControlLimits.patience
    ) async throws(ControlError) -> ControlAnswer {
        let body = body.map { ControlRequest.Body.json(.object($0)) }
        return try await call(
            ControlRequest(method, path: path, query: query, body: body), patience: patience)
    }

    /// Sends a request. Throws if the answer is not a success. Without `patience`, there is no time-out.
    package func call(
        _ request: ControlRequest, patience: Interval? = ControlLimits.patience
    ) async throws(ControlError) -> ControlAnswer {
        let url = url
        let http = request.http(to: endpoint, token: token, patience: patience)
        let report = await withCheckedContinuation { continuation in
            client.send(http) { continuation.resume(returning: $0) }
        }
        switch report {
        case .answered(let answer) where answer.status == 101:
            throw .broken(url: url, reason: "the protocol was changed without being asked")
        case .answered(let answer): return try ControlAnswer(answer).accepted()
        case .failed(let failure): throw ControlError(failure, url: url)
        case .opened, .sent, .text, .binary, .began, .part, .closed:
            preconditionFailure("a call is no WebSocket")
        }
    }

    /// Returns a stream of the timeline's rows with numbers above `after`, or of new rows only if `after` is nil. With
    /// a `topic`, the stream has the changes of this topic instead.
    package func feed(
        after: UInt64?, filter: String?, topic: String? = nil
    ) -> AsyncStream<FeedItem> {
        let (stream, sink) = AsyncStream.makeStream(
            of: FeedItem.self, bufferingPolicy: .bufferingOldest(ControlLimits.feedBacklog))
        let inbox = FeedInbox(url: url, sink: sink)
        let request = ControlRequest.feed(
            of: endpoint, token: token, after: after, filter: filter, topic: topic)
        let connection = client.send(request) { inbox.receive($0) }
        sink.onTermination = { _ in connection.cut() }
        return stream
    }
}
