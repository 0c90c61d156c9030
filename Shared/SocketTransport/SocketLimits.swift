package struct SocketLimits: Hashable, Sendable {
    /// Maximum unsent bytes of one socket: 4 MiB. A socket that exceeds the limit is closed.
    package var writeBufferBytes = 4 << 20

    /// Maximum unsent bytes of all sockets together. Beyond it, the connection whose unsent output takes the most
    /// memory is closed. Default: no limit.
    package var outputTotalBytes = Int.max

    /// High-water mark: with more unsent bytes, a socket gets `.congested`. 256 KiB.
    package var highWaterBytes = 256 << 10

    /// Low-water mark: after `.congested`, a socket with at most this many unsent bytes gets `.writable`. 64 KiB.
    package var lowWaterBytes = 64 << 10

    /// Maximum bytes of one read, and size of the pool's read buffer. 64 KiB.
    package var readBytes = 64 << 10

    /// Bytes that one batch of ready sockets may read, in equal shares of at least ``leastReadBytes``: 64 KiB.
    package var turnBytes = 64 << 10

    /// Minimum bytes of one socket's share of a batch, however many sockets are ready: 1 KiB.
    package var leastReadBytes = 1 << 10

    /// Maximum readiness reports that one call fetches from the kernel: 256.
    package var batch = 256

    /// Number of readiness reports after which a turn ends, so that timers and submitted work can run: 512.
    package var reportsPerTurn = 512

    /// Number of bytes read after which a turn ends, so that timers and submitted work can run: 256 KiB.
    package var bytesPerTurn = 256 << 10

    /// Maximum connections accepted from one listener before open connections are handled again: 8.
    package var acceptsPerTurn = 8

    /// Backlog of a listener: 1,024 connections.
    package var backlog = 1_024

    /// Maximum sockets of one pool: 65,536.
    package var sockets = 65_536

    /// Maximum bytes discarded after a close, before the connection is reset: 16 MiB.
    package var discardBytes = 16 << 20

    /// Minimum size of a payload that is kept by reference: 16 KiB.
    package var sharedPayloadBytes = 16 << 10

    package init() {}
}

extension SocketLimits {
    /// Maximum ports tried for one that is free on both IPv4 and IPv6.
    static let portAttempts = 16

    /// Size in bytes at which a piece of an output queue is full: 64 KiB.
    static let outputPieceBytes = 64 << 10

    /// Minimum size of a payload that is stored and counted once, even if several sockets have to send it: 1 MiB.
    static let countedPayloadBytes = 1 << 20

    /// Maximum bytes of one socket's share of a turn's output: 128 KiB.
    static let sentPerSocket = 128 << 10

    /// Unsent bytes in the kernel at which a socket stops being writable (TCP_NOTSENT_LOWAT): 128 KiB.
    static let kernelBytes = 128 << 10

    /// Number of bytes sent after which a turn ends: 512 KiB.
    static let sentPerTurn = 512 << 10

    /// Minimum bytes of one socket's share of a turn's output, however many sockets have output: 8 KiB.
    static let leastSent = 8 << 10

    /// Maximum number of waiting payloads with which a new payload is compared.
    static let comparedPayloads = 4

    /// Maximum bytes of payloads compared in one turn: 48 MiB.
    static let comparedBytes = 48 << 20

    /// Maximum bytes of a buffer that an empty output queue keeps for reuse: 16 KiB.
    static let spareOutputBytes = 16 << 10

    static let spareOutputQueues = 256

    /// Maximum rounds in which output is sent and events are delivered before other sockets are handled.
    static let settlingRounds = 8

    /// Minimum size of a memory block that returns to the system as soon as it is freed: 256 KiB.
    static let largeBlockBytes = 256 << 10

    /// Maximum free bytes that the allocator keeps at the end of a heap: 1 MiB. After growth of all free memory by more
    /// than this, a quiet process returns memory again.
    static let freeBytes = 1 << 20

    /// Seconds between two checks that may return memory to the system.
    static let memoryCheckSeconds = 5

    /// The process is quiet if it used fewer milliseconds of processor time than this since the last check.
    static let quietMilliseconds = 500

    /// Maximum heaps of glibc's allocator.
    static let heaps = 2

    /// A quiet process returns memory again after more than this many milliseconds of processor time since the last
    /// return.
    static let busyMilliseconds = 500

    /// A quiet process returns memory again after more than this many pages touched since the last return, usually
    /// 4 MiB.
    static let touchedPages = 1_024

    /// Maximum symbolic links in a watched folder whose targets are watched too.
    static let watchedLinks = 256
    /// Number of symbolic links in one path after which no more are followed: 40, as on Linux (path_resolution(7)).
    static let watchedSteps = 40
}
