package import Clocks
import SocketTransport
package import Texts

/// A client of a running server's control API.
///
/// Each call has a connection of its own, so calls may overlap and nothing is kept between them. Plain HTTP
/// only: the server is on this machine.
package struct ControlClient: Sendable {
    /// One thing that the feed brought.
    package enum FeedItem: Equatable, Sendable {
        /// A message of the server; `{"dropped": n}` also stands for those this reader was too slow for.
        case message(JSONValue)
        /// Why there is no more. The stream ends without it when the server closed in good order.
        case failed(ControlError)
    }

    /// Where the server is, in the form that messages use.
    package var url: String { address.url }

    private let address: ControlAddress
    private let token: String?
    private let loop: Loop<ControlLoop>
    private let nextNumber: Locked<Int>

    /// - Parameters:
    ///   - url: such as `http://127.0.0.1:8787`.
    ///   - token: the control token; nil when the server asks for none.
    ///   - clock: what patience is measured with.
    ///   - seed: where handshake keys and masks come from (RFC 6455 §10.3).
    /// - Throws: ``ControlError/badAddress(_:)``.
    package init(
        url: String, token: String?, clock: any EventClock = SystemClock(),
        seed: UInt64 = UInt64.random(in: UInt64.min...UInt64.max)
    ) throws(ControlError) {
        address = try ControlAddress(url)
        self.token = token
        nextNumber = Locked(0)
        loop = Loop(label: "polymock.control") { _ in ControlLoop(clock: clock, seed: seed) }
        let queue = loop.queue
        loop.submit { [loop] state in
            state.start(on: queue) { [weak loop] in
                loop?.assumeInside { $0.drain() }
            } submit: { [weak loop] action in
                loop?.submit { action($0) }
            }
        }
    }

    /// One call, such as `call("POST", "clock", body: …)`.
    ///
    /// `path` stands behind `/_mock/`; ``ControlRequest/path(_:)`` encodes names in it. `patience` is how long
    /// it may take; nil waits as long as the server does. Every answer that is no success is thrown.
    package func call(
        _ method: String, _ path: String, query: [ControlRequest.Parameter] = [], body: JSONValue? = nil,
        patience: Interval? = ControlLimits.patience
    ) async throws(ControlError) -> ControlAnswer {
        let request = ControlRequest(method, path, query: query, body: body.map { .json($0) })
        return try await call(request, patience: patience)
    }

    package func call(
        _ request: ControlRequest, patience: Interval? = ControlLimits.patience
    ) async throws(ControlError) -> ControlAnswer {
        let (address, number) = (address, takeNumber())
        let opening = request.bytes(authority: address.authority, token: token)
        let result = await withCheckedContinuation { continuation in
            loop.submit { state in
                let exchange = CallExchange(method: request.method, url: address.url)
                state.begin(
                    number, address, opening: opening, patience: patience,
                    .call(exchange) { continuation.resume(returning: $0) })
            }
        }
        return try result.get()
    }

    /// Follows the server's rows from behind row `after` on; nil begins with the next one.
    ///
    /// Ends when the server closes or nobody reads any more. At most ``ControlLimits/feedBacklog`` messages
    /// wait; those that come on top are dropped, and the next that fits is preceded by their number.
    package func feed(after: UInt64?, filter: String?) -> AsyncStream<FeedItem> {
        let (stream, sink) = AsyncStream.makeStream(
            of: FeedItem.self, bufferingPolicy: .bufferingOldest(ControlLimits.feedBacklog))
        var query: [ControlRequest.Parameter] = []
        if let after { query.append(.init("after", String(after))) }
        if let filter { query.append(.init("filter", filter)) }
        let target = ControlRequest("GET", "feed", query: query).target
        let (address, token, number) = (address, token, takeNumber())
        let inbox = FeedInbox(url: address.url, sink)
        sink.onTermination = { [loop] _ in loop.submit { $0.leave(number) } }
        loop.submit { state in
            let exchange = FeedExchange(
                target: target, authority: address.authority, url: address.url, token: token,
                nonce: state.makeNonce(), maskSeed: state.makeSeed())
            state.begin(
                number, address, opening: exchange.request, patience: nil,
                .feed(exchange) { inbox.take($0) })
        }
        return stream
    }

    private func takeNumber() -> Int {
        nextNumber.withLock { number in
            number += 1
            return number
        }
    }
}
