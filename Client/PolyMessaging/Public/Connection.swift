#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The connection below a chat, for events and frames that the rest of the SDK does not know.
///
/// Frames sent here produce no rows and no delivery events. Each access to a stream is a new, separate subscription.
/// All members may be used from any thread.
///
/// ```swift
/// let connection = client.getConnection()
/// await connection.send(.userTyping(.started))
/// for await frame in connection.rawFrames { print(String(decoding: frame, as: UTF8.self)) }
/// ```
public protocol Connection: Sendable {
    /// Leaves the present connection, if any, and dials `url` as it is. The streams report the progress.
    ///
    /// - Parameter url: `ws` or `wss`, with everything the server wants to know in its query.
    func connect(url: URL) async

    /// Closes the socket. The code decides what follows, as if the server had closed with it:
    ///
    /// - 1000 is the end until ``connect(url:)``, `resume()` or `startNewSession()`, also where a session is just being
    ///   made.
    /// - 4000 ends the connection, too, until one of these, until the app comes to the front, or until the network
    ///   returns.
    /// - 4001 makes a new session.
    /// - Any other, such as 1006 and 4002, is a loss after which the client connects again and asks for what it missed.
    ///
    /// - Parameters:
    ///   - code: The close code (RFC 6455 §7.4), or one of ``CloseCode``. One that no Close frame may carry, such as 1005
    ///     or 5000, cuts the connection as 1006 does.
    ///   - reason: At most 123 bytes of UTF-8 (RFC 6455 §5.5).
    func disconnect(code: Int, reason: String) async

    /// Sends an event. Failures are reported by ``errors``.
    ///
    /// - Parameter event: Leaves as it is, without a draft and without a row.
    func send(_ event: OutgoingEvent) async

    /// Sends `data` as one text frame, unchanged.
    ///
    /// ```swift
    /// try await connection.sendRaw(Data(#"{"type":"EVENT_TYPE_CUSTOM"}"#.utf8))
    /// ```
    ///
    /// - Parameter data: UTF-8.
    /// - Throws: `PolyError.transport(.notConnected)` when there is no open connection; ``errors`` reports it too.
    func sendRaw(_ data: Data) async throws

    /// The status of the connection.
    var status: ConnectionStatus { get async }

    /// One element for every connection that opens.
    var openEvents: AsyncStream<Void> { get }

    /// One element for every connection that ends.
    var closeEvents: AsyncStream<ConnectionCloseEvent> { get }

    /// Every event received, batches taken apart.
    var messages: AsyncStream<MessagingEvent> { get }

    /// The events of every batch received.
    var batchEvents: AsyncStream<[MessagingEvent]> { get }

    /// Every text frame received, whether it makes sense or not.
    var rawFrames: AsyncStream<Data> { get }

    /// Errors of frames in either direction.
    var errors: AsyncStream<PolyError> { get }
}

extension Connection {
    /// Closes the connection with code 1000 and no reason.
    public func disconnect() async {
        await disconnect(code: CloseCode.normal.rawValue, reason: "")
    }
}
