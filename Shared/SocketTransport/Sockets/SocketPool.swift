package import Clocks
import Dispatch

/// Sockets and listeners of one loop, part of the state of a ``Loop``.
package final class SocketPool {
    package let limits: SocketLimits
    package internal(set) var openSockets = 0

    let readiness: Readiness
    let acceptCall: (Int32) -> AcceptOutcome
    let readBuffer: UnsafeMutableRawBufferPointer
    var readSpan: Int
    var sendSpan = SocketLimits.sentPerSocket

    @exclusivity(unchecked) var entries: [SocketEntry] = []
    var freeSlots: [UInt32] = []
    var listeners: [ListenerEntry] = []
    /// Target addresses of connecting sockets by slot, for error messages.
    var dialled: [Int: SocketAddress] = [:]
    @exclusivity(unchecked) var dirtySlots: [UInt32] = []
    @exclusivity(unchecked) var spareQueues: [OutputQueue] = []
    let account = OutputAccount()
    /// Events to deliver later in this turn, or in the next one.
    var deferredEvents: [SocketEvent] = []

    /// Unsent bytes of all sockets. A shared long payload is counted once.
    package var unsentBytes: Int { account.bytes }

    @exclusivity(unchecked) package internal(set) var totals = (received: UInt64(0), sent: UInt64(0))

    private var source: (any DispatchSourceRead)?
    var queue: LoopQueue?
    var onReady: (@Sendable () -> Void)?
    /// Wake-up of the loop while it waits on its own thread.
    var doorbell: WakeUp?
    var isDraining = false
    var isTurnQueued = false
    private var ending: Ending?
    /// Whether the pool was shut down.
    package var isShutDown: Bool { ending != nil }

    /// Creates a pool. `accept` replaces the system's call in tests.
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

    package static func systemAccept(_ listener: Int32) -> AcceptOutcome {
        SystemCalls.acceptOne(listener)
    }

    deinit {
        shutDown()
        readBuffer.deallocate()
        readiness.freeMemory()
    }

    /// Starts to watch the sockets. `onReady` runs on the loop's queue, and must call ``drain(_:)``.
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

    /// Closes everything and drops unsent output. Calls `completion` after all descriptors are closed.
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
        // The descriptor is closed only after Dispatch has stopped watching it. Otherwise a new file could get its
        // number.
        source.setCancelHandler { ending.finish() }
        source.cancel()
        self.source = nil
        onReady = nil
    }

    package func hasSpareDescriptors(_ count: Int) -> Bool {
        var copies: [Int32] = []
        defer { for copy in copies { SystemCalls.closeDescriptor(copy) } }
        for _ in 0..<count {
            guard let copy = SystemCalls.copyDescriptor(readiness.descriptor) else { return false }
            copies.append(copy)
        }
        return true
    }

    /// Waits for ready sockets on the loop's own thread, at most `time`. Work submitted to the loop ends the wait.
    /// - Returns: whether ``drain(_:)`` has something to do; nil if work is waiting, or the loop cannot wait.
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

/// Last step of a shutdown: closes the descriptor that Dispatch watched, and calls the completions.
private final class Ending: Sendable {
    private let descriptor: Int32
    /// Waiting completions. Nil after everything was closed.
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
