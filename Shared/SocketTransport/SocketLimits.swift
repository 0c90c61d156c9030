/// Resource limits of one pool of sockets.
package struct SocketLimits: Hashable, Sendable {
    /// Maximum unsent bytes of one socket: 4 MiB. A socket that exceeds the limit is closed.
    package var writeBufferBytes = 4 << 20

    /// Maximum unsent bytes of all sockets together. If they exceed the limit, the connection with the most unsent
    /// bytes is closed.
    package var outputTotalBytes = Int.max

    /// High-water mark: if a socket has more unsent bytes, `.behind` is delivered, and later `.writable`. 256 KiB.
    package var highWaterBytes = 256 << 10

    /// Low-water mark: a socket that was behind gets `.writable` when it has this many unsent bytes or fewer. 64 KiB.
    package var lowWaterBytes = 64 << 10

    /// Maximum bytes of one read: 64 KiB. This is also the size of the read buffer that all sockets of a pool share.
    package var readBytes = 64 << 10

    /// Total bytes that one batch of ready sockets may read. Each socket gets an equal part. 64 KiB: about 1,000 short
    /// requests, or 5 ms.
    package var turnBytes = 64 << 10

    /// Minimum bytes that one read may take, even if many sockets are ready. 1 KiB: most messages are shorter.
    package var leastReadBytes = 1 << 10

    /// Maximum number of readiness reports that one call fetches from the kernel: 256.
    package var batch = 256

    /// Maximum number of reports that are handled before timers and submitted work can run. 512: less than 4 ms at 7 µs
    /// per message.
    package var reportsPerTurn = 512

    /// Maximum bytes that are read before timers and submitted work can run. 256 KiB take about 200 µs. Without this
    /// limit, one turn could read 32 MiB.
    package var bytesPerTurn = 256 << 10

    /// Maximum number of connections accepted from one listener before open connections are handled again: 8.
    package var acceptsPerTurn = 8

    /// Backlog of a listener: 1,024 connections. The kernel may apply a lower limit.
    package var backlog = 1_024

    /// Maximum number of sockets of one pool. 65,536: a process can usually open fewer descriptors.
    package var sockets = 65_536

    /// Maximum bytes that are read and discarded after a close: 16 MiB. If the socket were reset while the peer still
    /// sends, the peer could lose the response.
    package var discardBytes = 16 << 20

    /// Minimum size of a payload that is kept by reference: 16 KiB. Shorter payloads are copied.
    package var sharedPayloadBytes = 16 << 10

    package init() {}
}

extension SocketLimits {
    /// Maximum number of ports tried for a listener that needs the same free port on IPv4 and IPv6.
    static let portAttempts = 16

    /// Size of a piece of an output queue. When a piece has this size, the next piece begins.
    static let outputPieceBytes = 64 << 10

    /// Minimum size of a payload that is counted only once if it waits for several sockets: 1 MiB.
    static let countedPayloadBytes = 1 << 20

    /// Maximum bytes that one send passes to the kernel. 128 KiB take about 20 microseconds.
    static let sentPerSocket = 128 << 10

    /// Maximum unsent bytes that the kernel holds for one socket: 128 KiB. They do not include the socket's output
    /// queue.
    static let kernelBytes = 128 << 10

    /// Total bytes that the sockets with output may send in one turn. 512 KiB take up to about 300 microseconds.
    static let sentPerTurn = 512 << 10

    /// Minimum bytes that one send may take, even if many sockets have output. 8 KiB: most messages are shorter.
    static let leastSent = 8 << 10

    /// Number of waiting payloads with which a new payload is compared, to find an equal one.
    static let comparedPayloads = 4

    /// Maximum bytes of payloads that are compared in one turn. 48 MiB take about ten milliseconds.
    static let comparedBytes = 48 << 20

    /// Maximum buffer that an empty output queue keeps for reuse. 16 KiB: all spare queues together then keep 4 MiB at
    /// most.
    static let spareOutputBytes = 16 << 10

    /// Number of emptied output queues kept for reuse.
    static let spareOutputQueues = 256

    /// Maximum number of rounds at the end of a turn. Each round sends output and delivers events. What is left waits
    /// for the next turn.
    static let settlingRounds = 8

    /// Minimum size of a block of memory that returns to the system as soon as it is freed. 256 KiB: messages are
    /// usually smaller.
    static let largeBlockBytes = 256 << 10

    /// Free memory that the allocator may keep at the end of a heap: 1 MiB.
    static let freeBytes = 1 << 20

    /// Seconds between two checks whether memory should be returned to the system.
    static let memoryCheckSeconds = 5

    /// The process counts as quiet if it has used less processor time than this since the last check: 500 ms.
    static let quietMilliseconds = 500

    /// Number of heaps of the allocator.
    static let heaps = 2

    /// Memory is returned again if the process has used more processor time than this since the last return: 500 ms.
    static let busyMilliseconds = 500

    /// Memory is returned again if the process has touched more pages than this since the last return: 1,024, usually 4
    /// MiB.
    static let touchedPages = 1_024

    /// Maximum number of symbolic links in a watched folder whose targets are watched too.
    static let watchedLinks = 256
    /// Maximum number of symbolic links that are followed in one path: 40, as on Linux (path_resolution(7)).
    static let watchedSteps = 40
}
