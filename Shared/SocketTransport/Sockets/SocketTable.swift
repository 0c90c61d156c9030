/// State of one connection between two turns: 40 bytes, plus an output queue while output is pending.
struct SocketEntry {
    struct State: OptionSet {
        let rawValue: UInt16
        static let connecting = State(rawValue: 1 << 0)
        static let readingPaused = State(rawValue: 1 << 1)
        static let inputEnded = State(rawValue: 1 << 2)
        static let outputEnded = State(rawValue: 1 << 3)
        /// The end of stream must be sent after pending output.
        static let endAfterOutput = State(rawValue: 1 << 4)
        /// The user closed the socket. Input is discarded until the peer's end of stream.
        static let closing = State(rawValue: 1 << 5)
        static let dirty = State(rawValue: 1 << 6)
        /// Output waits until the kernel reports the socket as writable, because its buffer was full or the socket has
        /// sent its share of a turn.
        static let blocked = State(rawValue: 1 << 7)
        /// Unsent output exceeded the high-water mark. The event `.writable` must be delivered later.
        static let owesWritable = State(rawValue: 1 << 8)
        /// The socket has hung up and is not watched, because the kernel would repeat the report.
        static let unregistered = State(rawValue: 1 << 9)
    }

    /// The descriptor; -1 if the slot is free.
    var descriptor: Int32 = -1
    var generation: UInt32 = 0
    var state: State = []
    var interest: Interest = []
    var discardedBytes: Int32 = 0
    /// Bytes received and sent, modulo 2³².
    var received: UInt32 = 0
    var sent: UInt32 = 0
    /// Ports, 0 until ``SocketPool/traffic`` first reads them from the system.
    var localPort: UInt16 = 0
    var peerPort: UInt16 = 0
    var output: OutputQueue?

    var wanted: Interest {
        if state.contains(.connecting) { return .output }
        var wanted: Interest = []
        if !state.contains(.inputEnded), !state.contains(.readingPaused) { wanted.insert(.input) }
        if state.contains(.blocked) { wanted.insert(.output) }
        return wanted
    }
}

/// Descriptors of one ``ListenerID``. Empty after the listener was stopped.
struct ListenerEntry {
    var descriptors: [Int32]
    var isPaused = false
}
