package import Clocks
import HTTPClient
import SocketTransport
package import Texts

/// A client of a running server's control API.
///
/// Each call opens a connection, so calls may overlap and no state is kept between them. Plain HTTP only: the server
/// is on this machine.
package struct ControlClient: Sendable {
    package enum FeedItem: Equatable, Sendable {
        /// A message of the server; `{"dropped": n}` also stands for messages that this reader was too slow for.
        case message(JSONValue)
        /// The reason why the feed ended. After an orderly close by the server, the stream ends without this
        /// event.
        case failed(ControlError)
    }

    /// The address of the server, in the form that messages use.
    package var url: String { "http://" + endpoint.authority }

    private let endpoint: Endpoint
    private let token: String?
    private let client: HTTPClient

    /// `token` is the control token, nil for a server without one; handshake keys and masks come from `seed`
    /// (RFC 6455 §10.3).
    package init(
        url: String, token: String?, clock: any EventClock = SystemClock(),
        seed: UInt64 = UInt64.random(in: UInt64.min...UInt64.max)
    ) throws(ControlError) {
        endpoint = try Self.endpoint(url)
        self.token = token
        client = HTTPClient(
            label: "polymock.control", clock: clock, seed: seed, unsentBytes: ControlLimits.unsentBytes)
    }

    /// Parses a typed address: `http`, a host and a port; the scheme may be left out, and so may the port (80).
    static func endpoint(_ text: String) throws(ControlError) -> Endpoint {
        guard let address = try? ServerAddress(text, needsScheme: false), !address.isEncrypted,
            address.path.isEmpty
        else { throw .badAddress(text) }
        return Endpoint(host: address.host, port: address.port ?? 80)
    }

    /// One call, such as `call("POST", "clock", body: …)`, of the path after `/_mock/`.
    package func call(
        _ method: String, _ path: String..., query: [ControlRequest.Parameter] = [], body: JSONObject? = nil,
        patience: Interval? = ControlLimits.patience
    ) async throws(ControlError) -> ControlAnswer {
        let body = body.map { ControlRequest.Body.json(.object($0)) }
        return try await call(
            ControlRequest(method, path: path, query: query, body: body), patience: patience)
    }

    /// One call. Without `patience` it waits as long as the server does; every answer but a success is thrown.
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
        case .opened, .text, .binary, .began, .part, .closed: preconditionFailure("a call is no WebSocket")
        }
    }

    /// Follows the server's rows after row `after`; nil begins with the next one.
    ///
    /// Ends when the server closes or nobody reads any more. At most ``ControlLimits/feedBacklog`` messages wait;
    /// further ones are dropped, and the next that fits is preceded by their number.
    package func feed(after: UInt64?, filter: String?) -> AsyncStream<FeedItem> {
        let (stream, sink) = AsyncStream.makeStream(
            of: FeedItem.self, bufferingPolicy: .bufferingOldest(ControlLimits.feedBacklog))
        let inbox = FeedInbox(url: url, sink: sink)
        let request = ControlRequest.feed(
            of: endpoint, token: token, after: after, filter: filter)
        let connection = client.send(request) { inbox.receive($0) }
        sink.onTermination = { _ in connection.cut() }
        return stream
    }
}
