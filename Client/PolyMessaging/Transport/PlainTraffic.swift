package import SocketTransport

/// What the plain network has under way, for tests that share a process with the server.
package struct PlainTraffic: Equatable, Sendable {
    package var sockets: [SocketTraffic]
    /// Every local port that was ever used.
    package var dialled: Set<UInt16>
    /// Connections whose owner still waits for them, the closing ones included.
    package var lineCount: Int
}
