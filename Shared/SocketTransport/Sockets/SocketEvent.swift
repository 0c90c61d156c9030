/// Event that a ``SocketPool`` passes to its user during ``SocketPool/drain(_:)``.
package enum SocketEvent {
    /// A peer connected to a listener of the pool.
    case accepted(SocketID, peer: SocketAddress, listener: ListenerID)

    /// A socket made by ``SocketPool/connect(to:)`` is open.
    case connected(SocketID)

    /// Bytes that were received. They are valid only during the call.
    case received(SocketID, UnsafeRawBufferPointer)

    /// The peer has ended its output. The socket can still send, and has to be closed later.
    case inputClosed(SocketID)

    /// Unsent output exceeds ``SocketLimits/highWaterBytes``. `.writable` follows when the peer has taken most of it.
    case behind(SocketID)

    /// Unsent output exceeded ``SocketLimits/highWaterBytes`` before. It is now at or below
    /// ``SocketLimits/lowWaterBytes``.
    case writable(SocketID)

    /// The socket is closed. The error is nil if the connection ended normally. This event does not follow
    /// ``SocketPool/abort(_:reset:)``.
    case closed(SocketID, SocketError?)

    /// The system does not accept more connections at the moment. Call ``SocketPool/resumeAccepting()`` after a pause.
    case acceptPaused(SocketError)
}
