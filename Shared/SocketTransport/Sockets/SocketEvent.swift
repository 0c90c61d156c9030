/// Event that a ``SocketPool`` passes to its user during ``SocketPool/drain(_:)``.
package enum SocketEvent {
    case accepted(SocketID, peer: SocketAddress, listener: ListenerID)

    case connected(SocketID)

    /// Received bytes, valid only during the call.
    case received(SocketID, UnsafeRawBufferPointer)

    /// The peer has ended its output. The socket can still send, and has to be closed later.
    case inputClosed(SocketID)

    /// Unsent output exceeds ``SocketLimits/highWaterBytes``. `.writable` follows if the socket stays open.
    case congested(SocketID)

    /// After `.congested`: unsent output is at or below ``SocketLimits/lowWaterBytes``.
    case writable(SocketID)

    /// The socket is closed; no error if it ended normally. This event does not follow ``SocketPool/abort(_:reset:)``.
    case closed(SocketID, SocketError?)

    /// A listener cannot accept connections now: the system refuses, or ``SocketLimits/sockets`` are open. Call
    /// ``SocketPool/resumeAccepting()`` after a pause.
    case acceptPaused(SocketError)
}
