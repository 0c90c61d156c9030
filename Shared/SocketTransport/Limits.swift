/// Resource limits of one pool of sockets.
package struct Limits: Hashable, Sendable {
    /// Unsent bytes one socket may hold before it is closed: 4 MiB. A peer that reads nothing must not fill
    /// the memory; the longest replay of a session is far below this.
    package var writeBufferBytes = 4 << 20

    /// Unsent bytes of all sockets together; beyond it, the connection with the most waiting bytes is closed.
    package var outputTotalBytes = Int.max

    /// Unsent bytes above which a `.writable` event is owed: 256 KiB.
    package var highWaterBytes = 256 << 10

    /// Unsent bytes at or below which the owed `.writable` event is delivered: 64 KiB.
    package var lowWaterBytes = 64 << 10

    /// Bytes read from one socket per turn: 64 KiB, the size of the buffer shared by all sockets of a pool. A
    /// busy peer gets one such read per turn, or less while others are busy too.
    package var readBytes = 64 << 10

    /// Bytes that all reads of one turn may take together while many peers are busy: 64 KiB, some 1,000 short requests
    /// or 5 ms. With 160 KiB, forty peers that sent 2,000 requests each kept a forty-first waiting for 20 ms each time.
    package var turnBytes = 64 << 10

    /// Bytes that one read may take however many peers are busy: 1 KiB, more than most messages have.
    package var leastReadBytes = 1 << 10

    /// Readiness reports fetched from the kernel at once: 256.
    package var batch = 256

    /// Reports handled before other work queued on the loop (timers, submissions) gets its turn: 512, which
    /// is below 4 ms at the usual 7 µs per message.
    package var reportsPerTurn = 512

    /// Bytes read before other work queued on the loop gets its turn: 256 KiB, some 200 µs. Without this
    /// bound, a peer that sends 20 MB would be read to its end first, since the reports of one turn may take
    /// 32 MiB.
    package var bytesPerTurn = 256 << 10

    /// Connections accepted from one listener between two looks at all sockets: 8. Many arrive with a request
    /// each, some 100 µs; of a thousand that arrive at once, most wait while open connections are served.
    package var acceptsPerTurn = 8

    /// Connections the kernel may hold before they are accepted: 1,024. The kernel applies its own bound too.
    package var backlog = 1_024

    /// Sockets of one pool: 65,536, above what a process is usually given in descriptors.
    package var sockets = 65_536

    /// Bytes read and thrown away from a peer while a closed socket waits for its end: 16 MiB. A peer that is
    /// still sending a refused body would lose the answer if it were cut off too early.
    package var discardBytes = 16 << 20

    /// Payloads from this size on are kept by reference instead of being copied after other output: 16 KiB.
    package var sharedPayloadBytes = 16 << 10

    package init() {}
}

extension Limits {
    /// Ports tried for a listener that wants the same free port on IPv4 and IPv6.
    static let portAttempts = 16

    /// Bytes gathered in one piece of output before the next piece is begun.
    static let outputPieceBytes = 64 << 10

    /// Payloads from this size on count once, however many sockets wait for them: 1 MiB.
    static let countedPayloadBytes = 1 << 20

    /// Bytes that one socket may hand over to the kernel in one turn: 128 KiB, some 20 microseconds.
    static let sentPerSocket = 128 << 10

    /// Unsent bytes of one socket in the kernel's buffer, in addition to those in its output queue: 128 KiB.
    static let kernelBytes = 128 << 10

    /// Bytes that all sockets share while many have something to send: 512 KiB, some 300 microseconds where the kernel
    /// has to find memory for them.
    static let sentPerTurn = 512 << 10

    /// Bytes that one send may take however many sockets are busy: 8 KiB, more than most messages have.
    static let leastSent = 8 << 10

    /// Waiting payloads that a new one is compared with. 4: payloads broadcast to many sockets at the same
    /// time.
    static let comparedPayloads = 4

    /// Bytes of waiting payloads that are compared in one turn: 48 MiB, some ten milliseconds.
    static let comparedBytes = 48 << 20

    /// The largest buffer that an emptied queue keeps for its next user: 16 KiB, dozens of messages. All spare
    /// queues together keep 4 MiB at most.
    static let spareOutputBytes = 16 << 10

    /// Emptied output queues kept for the next sockets that have something to send.
    static let spareOutputQueues = 256

    /// Rounds of flushing and event delivery at the end of a batch; the rest waits for the next turn.
    static let settlingRounds = 8

    /// Blocks of memory from this size on go back to the system as soon as they are freed: 256 KiB. Nothing that a
    /// usual message needs is that large, and each such block costs two system calls.
    static let largeBlockBytes = 256 << 10

    /// Free memory at the end of a heap that the process keeps for later: 1 MiB.
    static let freeBytes = 1 << 20

    /// Interval of checks whether memory should be given back: 5 seconds.
    static let memoryCheckSeconds = 5

    /// Processor time between two checks below which the process counts as quiet: 500 ms, a tenth of a
    /// processor.
    static let quietMilliseconds = 500

    /// Heaps of the allocator: 2, one of which the loop mostly has for itself.
    static let heaps = 2

    /// Processor time after which giving back is worth its milliseconds: 500 ms.
    static let busyMilliseconds = 500

    /// Pages touched after which giving back is worth it, however little time that took: 1,024, mostly 4 MiB.
    static let touchedPages = 1_024

    /// Folder entries that are symbolic links and whose targets are watched as well.
    static let watchedLinks = 256
    /// Symbolic links on the way of one path that are followed. 40: as many as Linux follows (path_resolution(7)).
    static let watchedSteps = 40
}
