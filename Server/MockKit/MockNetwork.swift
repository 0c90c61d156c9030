import PolyMessaging

/// The network between a ``Mock``'s chats and contacts and its server.
///
/// ```swift
/// mock.network.cut()
/// try await mock.expect(.reconnect)
/// try await mock.expect(.join, exactly: 1)     // a reconnect must not join again
/// mock.network.set(isReachable: false)
/// mock.network.refuse(1)                       // the next connection fails
/// mock.network.set(isReachable: true)
/// try await mock.expect(.reconnect, atLeast: 2, within: .minutes(1))
/// ```
public struct MockNetwork: Sendable {
    let mock: Mock

    /// Ends every WebSocket without a Close frame, in both directions, like a lost network.
    public func cut() {
        mock.note(.network)
        mock.tap.cutAll()
    }

    /// Makes the next `count` WebSocket connections fail before they reach the server. Other requests are unaffected.
    /// Negative numbers count as zero.
    public func refuse(_ count: Int) {
        mock.note(.network)
        mock.tap.decide(Array(repeating: .unsent, count: max(0, count)))
    }

    /// Reports to the SDK whether the network is reachable. `false` drops every connection.
    public func set(isReachable: Bool) {
        mock.note(.network)
        mock.monitor.set(isReachable: isReachable)
    }
}
