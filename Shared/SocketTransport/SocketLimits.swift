/// Resource limits of one pool of sockets.
package struct SocketLimits: Hashable, Sendable {
    /// Limit of the unsent bytes of one socket: 4 MiB. Beyond it, the socket is closed.
    package var writeBufferBytes = 4 << 20

    /// Limit of the unsent bytes of all sockets. Beyond it, the connection with the most unsent bytes is closed.
    package var outputTotalBytes = Int.max

    /// Unsent bytes above which `.behind` is delivered, and `.writable` later: 256 KiB.
    package var highWaterBytes = 256 << 10

    /// Unsent bytes at or below which that `.writable` event is delivered: 64 KiB.
    package var lowWaterBytes = 64 << 10

    /// Maximum bytes of one read: 64 KiB, the size of the read buffer that the sockets of a pool share.
    package var readBytes = 64 << 10

    /// Bytes that one batch of ready sockets shares for its reads: 64 KiB, some 1,000 short requests or 5 ms.
    package var turnBytes = 64 << 10

    /// Bytes that one read may always take, however many sockets are ready: 1 KiB, more than most messages have.
    package var leastReadBytes = 1 << 10

    /// Maximum readiness reports fetched from the kernel in one call: 256.
    package var batch = 256

    /// Reports handled before timers and submitted work run: 512, which take less than 4 ms at 7 µs per message.
    package var reportsPerTurn = 512

    /// Bytes read before timers and submitted work run: 256 KiB, some 200 µs. Otherwise one turn could read 32 MiB.
    package var bytesPerTurn = 256 << 10

    /// Connections accepted from one listener before open connections get their turn again: 8.
    package var acceptsPerTurn = 8

    /// Backlog of a listener: 1,024 connections. The kernel applies its own limit too.
    package var backlog = 1_024

    /// Limit of the sockets of one pool: 65,536, more than the descriptors that a process usually gets.
    package var sockets = 65_536

    /// Bytes read and discarded after a close: 16 MiB. A reset during an upload could cost the peer the response.
    package var discardBytes = 16 << 20

    /// Size from which a payload is kept by reference instead of being copied: 16 KiB.
    package var sharedPayloadBytes = 16 << 10

    package init() {}
}

extension SocketLimits {
    /// Ports tried for a listener that needs one free port on both IPv4 and IPv6.
    static let portAttempts = 16

    /// Size at which a piece of an output queue is complete and the next piece begins.
    static let outputPieceBytes = 64 << 10

    /// Size from which a payload that waits for several sockets counts only once: 1 MiB.
    static let countedPayloadBytes = 1 << 20

    /// Maximum bytes that one send passes to the kernel: 128 KiB, some 20 microseconds.
    static let sentPerSocket = 128 << 10

    /// Unsent bytes that the kernel may buffer for one socket, in addition to the socket's output queue: 128 KiB.
    static let kernelBytes = 128 << 10

    /// Bytes that all sockets with output share in one turn: 512 KiB, up to some 300 microseconds.
    static let sentPerTurn = 512 << 10

    /// Bytes that one send may always take, however many sockets have output: 8 KiB, more than most messages have.
    static let leastSent = 8 << 10

    /// Number of waiting payloads that a new payload is compared with.
    static let comparedPayloads = 4

    /// Bytes of payloads compared in one turn: 48 MiB, some ten milliseconds.
    static let comparedBytes = 48 << 20

    /// The largest buffer that an emptied output queue keeps: 16 KiB, so all spare queues keep 4 MiB at most.
    static let spareOutputBytes = 16 << 10

    /// Number of emptied output queues kept for reuse.
    static let spareOutputQueues = 256

    /// Maximum rounds of flushing and event delivery at the end of a turn. The rest waits for the next turn.
    static let settlingRounds = 8

    /// Size from which a freed block returns to the system at once: 256 KiB, more than usual messages need.
    static let largeBlockBytes = 256 << 10

    /// Free memory that the allocator keeps at the end of a heap: 1 MiB.
    static let freeBytes = 1 << 20

    /// Interval between two checks whether memory should be returned to the system: 5 seconds.
    static let memoryCheckSeconds = 5

    /// Processor time between two checks below which the process counts as quiet: 500 ms.
    static let quietMilliseconds = 500

    /// Number of heaps of the allocator.
    static let heaps = 2

    /// Processor time since the last return of memory after which another return is worthwhile: 500 ms.
    static let busyMilliseconds = 500

    /// Pages touched since the last return of memory after which another return is worthwhile: 1,024, mostly 4 MiB.
    static let touchedPages = 1_024

    /// Number of symbolic links in a folder whose targets are watched as well.
    static let watchedLinks = 256
    /// Number of symbolic links followed in one path: 40, as on Linux (path_resolution(7)).
    static let watchedSteps = 40
}
