/// Event that a ``SocketPool`` delivers to its user during ``SocketPool/drain(_:)``.
package enum SocketEvent {
    /// A peer connected to one of our listeners.
    case accepted(SocketID, peer: SocketAddress, listener: ListenerID)

    /// A socket made by ``SocketPool/connect(to:)`` is open.
    case connected(SocketID)

    /// Received bytes, lent for the call: copy bytes that must outlive it.
    case received(SocketID, UnsafeRawBufferPointer)

    /// The peer will send nothing more. We may still write; close the socket when done.
    case inputClosed(SocketID)

    /// Unsent output has grown above ``Limits/highWaterBytes``; `.writable` follows once the peer has taken most of it.
    case behind(SocketID)

    /// Unsent output had grown above ``Limits/highWaterBytes`` and is now at or below
    /// ``Limits/lowWaterBytes``.
    case writable(SocketID)

    /// The socket is gone. The error is nil after an orderly end. Never follows
    /// ``SocketPool/abort(_:reset:)``.
    case closed(SocketID, SocketError?)

    /// The system refuses more connections for now. Call ``SocketPool/resumeAccepting()`` a little later.
    case acceptPaused(SocketError)
}
