/// Event that a ``SocketPool`` delivers to its user during ``SocketPool/drain(_:)``.
package enum SocketEvent {
    /// A peer connected to a listener of the pool.
    case accepted(SocketID, peer: SocketAddress, listener: ListenerID)

    /// A socket made by ``SocketPool/connect(to:)`` is open.
    case connected(SocketID)

    /// Received bytes. They are valid during the call only.
    case received(SocketID, UnsafeRawBufferPointer)

    /// The peer ended its output. The socket can still send, and must be closed in the end.
    case inputClosed(SocketID)

    /// Unsent output has grown above ``SocketLimits/highWaterBytes``. `.writable` follows once the peer has taken most of it.
    case behind(SocketID)

    /// Unsent output was above ``SocketLimits/highWaterBytes`` and is now at or below ``SocketLimits/lowWaterBytes``.
    case writable(SocketID)

    /// The socket is closed. The error is nil after an orderly end. Not delivered after ``SocketPool/abort(_:reset:)``.
    case closed(SocketID, SocketError?)

    /// The system refuses more connections for now. Call ``SocketPool/resumeAccepting()`` after a pause.
    case acceptPaused(SocketError)
}
