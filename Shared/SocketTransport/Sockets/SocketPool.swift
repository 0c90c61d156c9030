package import Clocks
import Dispatch

/// The sockets and listeners of one loop. Not `Sendable`, because it is part of the state of a ``Loop``. A Dispatch
/// source watches one epoll or kqueue descriptor for all sockets; ``drain(_:)`` handles the ready ones in batches.
package final class SocketPool {
    package let limits: SocketLimits
    /// Connections that are open, being opened or being closed.
    package internal(set) var openSockets = 0

    let readiness: Readiness
    let acceptCall: (Int32) -> AcceptOutcome
    let readBuffer: UnsafeMutableRawBufferPointer
    /// Bytes of the read buffer that one read may use.
    var readSpan: Int
    /// Bytes that one send may pass to the kernel.
    var sendSpan = SocketLimits.sentPerSocket

    @exclusivity(unchecked) var entries: [SocketEntry] = []
    var freeSlots: [UInt32] = []
    var listeners: [ListenerEntry] = []
    /// Destinations of sockets that are still connecting, for error texts.
    var dialled: [Int: SocketAddress] = [:]
    /// Slots with new output to be sent at the next flush.
    @exclusivity(unchecked) var dirtySlots: [UInt32] = []
    @exclusivity(unchecked) var spareQueues: [OutputQueue] = []
    let account = OutputAccount()
    /// Events to be delivered after the current report, or in the next turn.
    var deferredEvents: [SocketEvent] = []

    /// Unsent bytes of all sockets. A long payload shared by several sockets counts once.
    package var unsentBytes: Int { account.bytes }

    /// Bytes received and sent on all sockets so far, closed ones included.
    @exclusivity(unchecked) package internal(set) var totals = (received: UInt64(0), sent: UInt64(0))

    private var source: (any DispatchSourceRead)?
    var queue: LoopQueue?
    var onReady: (@Sendable () -> Void)?
    /// Created when the loop first waits on its own thread.
    var doorbell: WakeUp?
    var isDraining = false
    var isTurnQueued = false
    /// Nil until ``shutDown(_:)``.
    private var ending: Ending?
    /// Whether the pool was shut down. It then opens nothing, because its descriptor's number may be reused.
    package var isShutDown: Bool { ending != nil }

    /// `accept` replaces the system's call in tests that need a failure.
    package init(
        limits: SocketLimits = SocketLimits(), accept: ((Int32) -> AcceptOutcome)? = nil
    ) throws(SocketError) {
        do {
            readiness = try Readiness(capacity: limits.batch)
        } catch {
            throw SocketError(.prepare, errno: error.code)
        }
        self.limits = limits
        acceptCall = accept ?? Self.systemAccept
        readBuffer = .allocate(byteCount: limits.readBytes, alignment: 16)
        readSpan = limits.readBytes
    }

    /// The system's `accept` call.
    package static func systemAccept(_ listener: Int32) -> AcceptOutcome {
        SystemCalls.acceptOne(listener)
    }

    deinit {
        shutDown()
        readBuffer.deallocate()
        readiness.freeMemory()
    }

    /// Starts watching the sockets. `onReady` is called on the loop's queue and must call ``drain(_:)``.
    package func start(on queue: LoopQueue, onReady: @escaping @Sendable () -> Void) {
        precondition(source == nil && !isShutDown, "a pool is started once")
        let source = DispatchSource.makeReadSource(fileDescriptor: readiness.descriptor, queue: queue.queue)
        source.setEventHandler(handler: onReady)
        self.source = source
        self.queue = queue
        self.onReady = onReady
        source.resume()
        if !deferredEvents.isEmpty { requestTurn() }
    }

    /// Closes everything at once and drops unsent output. `completion` is called when all descriptors are closed.
    package func shutDown(_ completion: @escaping @Sendable () -> Void = {}) {
        if let ending { return ending.wait(completion) }
        for index in listeners.indices { stopListening(ListenerID(index: UInt32(index))) }
        for slot in entries.indices where entries[slot].descriptor >= 0 {
            SystemCalls.closeDescriptor(entries[slot].descriptor)
            vacate(slot)
        }
        deferredEvents = []
        dirtySlots = []
        doorbell = nil
        let ending = Ending(descriptor: readiness.descriptor)
        self.ending = ending
        ending.wait(completion)
        guard let source else { return ending.finish() }
        // The descriptor is closed only after Dispatch stops watching it, because its number could be reused at once.
        source.setCancelHandler { ending.finish() }
        source.cancel()
        self.source = nil
        onReady = nil
    }

    /// Whether `count` more files can be opened now.
    package func hasSpareDescriptors(_ count: Int) -> Bool {
        var copies: [Int32] = []
        defer { for copy in copies { SystemCalls.closeDescriptor(copy) } }
        for _ in 0..<count {
            guard let copy = SystemCalls.copyDescriptor(readiness.descriptor) else { return false }
            copies.append(copy)
        }
        return true
    }

    /// Waits for ready sockets on the loop's own thread, for `time` at most, which saves two thread switches. Work
    /// submitted to the loop ends the wait.
    ///
    /// - Returns: whether ``drain(_:)`` has something to do; nil when work is waiting or this system cannot wait.
    package func linger(for time: Interval) -> Bool? {
        guard Readiness.canWait, !isShutDown, let queue, let bell = makeBell() else { return nil }
        let isReady = queue.visitors.waitUnlessVisited(bell: bell.ring) {
            readiness.wait(nanoseconds: max(time.nanoseconds, 0))
        }
        guard let isReady, !bell.isRinging() else { return nil }
        return isReady
    }

    private func makeBell() -> WakeUp? {
        if let known = doorbell { return known }
        doorbell = WakeUp(readiness)
        return doorbell
    }
}

/// Closes the descriptor that Dispatch watched, as the last step of a shutdown.
private final class Ending: Sendable {
    private let descriptor: Int32
    /// Completions to call; nil once everything is closed.
    private let waiting = Locked<[@Sendable () -> Void]?>([])

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    func wait(_ completion: @escaping @Sendable () -> Void) {
        let isOver = waiting.withLock { waiting in
            waiting?.append(completion)
            return waiting == nil
        }
        if isOver { completion() }
    }

    func finish() {
        SystemCalls.closeDescriptor(descriptor)
        let completions = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for completion in completions { completion() }
    }
}
