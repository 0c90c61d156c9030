#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Low-level access to a chat's connection, for events and frames that the SDK does not support. Frames sent here
/// create no rows and no delivery events. Each access to a stream is a separate subscription. Thread-safe.
///
/// ```swift
/// let connection = client.getConnection()
/// await connection.send(.userTyping(.started))
/// for await frame in connection.rawFrames { print(String(decoding: frame, as: UTF8.self)) }
/// ```
public protocol Connection: Sendable {
    /// Opens a WebSocket to `url`, and closes an existing one. Reconnects use the same URL until a new session begins.
    ///
    /// - Parameter url: A `ws` or `wss` URL with all query items that the server needs.
    func connect(url: URL) async

    /// Closes the connection. The code determines what the client then does:
    ///
    /// - 1000 ends the connection until ``connect(url:)``, `resume()` or `startNewSession()` is called.
    /// - 4000 has the same effect, but the client also reconnects when the app comes to the front or the network
    ///   returns.
    /// - 4001 ends the session and replaces it with a new one.
    /// - Any other code, such as 1006 or 4002, counts as a loss: the client reconnects and requests the missed events.
    ///
    /// - Parameters:
    ///   - code: The close code (RFC 6455 §7.4), or one of ``CloseCode``. A code that no close frame may carry, such as
    ///   1005 or 5000, cuts the connection as 1006 does.
    ///   - reason: At most 123 bytes of UTF-8 (RFC 6455 §5.5).
    func disconnect(code: Int, reason: String) async

    /// Sends an event. ``errors`` reports failures.
    ///
    /// - Parameter event: The event, sent without a draft or a row.
    func send(_ event: OutgoingEvent) async

    /// Sends `data` unchanged, as one text frame.
    ///
    /// ```swift
    /// try await connection.sendRaw(Data(#"{"type":"EVENT_TYPE_CUSTOM"}"#.utf8))
    /// ```
    ///
    /// - Parameter data: The text of the frame, as UTF-8.
    /// - Throws: `PolyError.transport(.notConnected)` if no connection is open, which ``errors`` also reports. Another
    ///   error if the client could not start or was shut down.
    func sendRaw(_ data: Data) async throws

    /// The status of the connection.
    var status: ConnectionStatus { get async }

    /// Yields once for every connection that opens.
    var openEvents: AsyncStream<Void> { get }

    /// Yields once for every connection that ends, and for every failed attempt to open one.
    var closeEvents: AsyncStream<ConnectionCloseEvent> { get }

    /// All received events, including repeated ones. The events of a batch are yielded one by one.
    var messages: AsyncStream<MessagingEvent> { get }

    /// The events of each received batch.
    var batchEvents: AsyncStream<[MessagingEvent]> { get }

    /// Every received text frame, even if the SDK cannot decode it.
    var rawFrames: AsyncStream<Data> { get }

    /// Failures to send a frame, and received binary frames, which the SDK refuses.
    var errors: AsyncStream<PolyError> { get }
}

extension Connection {
    /// Closes the connection with code 1000 and no reason.
    public func disconnect() async {
        await disconnect(code: CloseCode.normal.rawValue, reason: "")
    }
}
