/// State of one connection between two turns: 40 bytes, and an output queue only while it has output.
struct SocketEntry {
    struct State: OptionSet {
        let rawValue: UInt16
        /// Dialled, and not open yet.
        static let connecting = State(rawValue: 1 << 0)
        static let readingPaused = State(rawValue: 1 << 1)
        /// The peer's end of stream was read.
        static let inputEnded = State(rawValue: 1 << 2)
        /// Our end of stream was sent.
        static let outputEnded = State(rawValue: 1 << 3)
        /// Our end of stream follows the pending output.
        static let endAfterOutput = State(rawValue: 1 << 4)
        /// Closed by the user: input is thrown away until the peer's end.
        static let closing = State(rawValue: 1 << 5)
        /// Listed for the next flush.
        static let dirty = State(rawValue: 1 << 6)
        /// The kernel's buffer was full; output readiness is awaited.
        static let blocked = State(rawValue: 1 << 7)
        /// Unsent output exceeded the high-water mark: a `.writable` event is owed.
        static let owesWritable = State(rawValue: 1 << 8)
        /// Out of the kernel's set, because it would report a hang-up over and over.
        static let unregistered = State(rawValue: 1 << 9)
    }

    /// -1 for a free place.
    var descriptor: Int32 = -1
    var generation: UInt32 = 0
    var state: State = []
    /// Readiness registered with the kernel.
    var interest: Interest = []
    var discardedBytes: Int32 = 0
    /// Bytes, wrapping around; see ``SocketTraffic``.
    var received: UInt32 = 0
    var sent: UInt32 = 0
    /// Asked for once, by ``SocketPool/traffic``; 0 until then.
    var localPort: UInt16 = 0
    var peerPort: UInt16 = 0
    var output: OutputQueue?

    /// Readiness that should be registered with the kernel.
    var wanted: Interest {
        if state.contains(.connecting) { return .output }
        var wanted: Interest = []
        if !state.contains(.inputEnded), !state.contains(.readingPaused) { wanted.insert(.input) }
        if state.contains(.blocked) { wanted.insert(.output) }
        return wanted
    }
}

/// The descriptors of one ``ListenerID``; empty once it is stopped.
struct ListenerEntry {
    var descriptors: [Int32]
    var isPaused = false
}
