package import Clocks
import Dispatch

/// Readiness, sockets and listeners of one loop. Not `Sendable`: it lives in the state of a ``Loop``.
///
/// One Dispatch source watches a single descriptor that covers all sockets. When it fires, ``drain(_:)``
/// handles ready sockets in batches and then sends the handlers' output, one call per socket.
package final class SocketPool {
    package let limits: Limits
    /// Connections that are open, being opened or being closed.
    package internal(set) var openSockets = 0

    let readiness: Readiness
    let acceptCall: (Int32) -> AcceptOutcome
    let readBuffer: UnsafeMutableRawBufferPointer
    /// Bytes of the buffer that one read may use.
    var readSpan: Int
    /// Bytes that one send may hand over.
    var sendSpan = SocketTransport.Limits.sentPerSocket

    @exclusivity(unchecked) var entries: [SocketEntry] = []
    var freeSlots: [UInt32] = []
    var listeners: [ListenerEntry] = []
    /// Destinations of the sockets that are not open yet, for error texts.
    var dialled: [Int: SocketAddress] = [:]
    /// Accounting of unsent bytes.
    @exclusivity(unchecked) var dirtySlots: [UInt32] = []
    @exclusivity(unchecked) var spareQueues: [OutputQueue] = []
    let account = OutputAccount()
    /// Events that came up outside of the handling of their own socket.
    var deferredEvents: [SocketEvent] = []

    /// Unsent bytes of all sockets; those that several share, once.
    package var unsentBytes: Int { account.bytes }

    /// Bytes that went through all sockets so far, those included that are gone.
    @exclusivity(unchecked) package internal(set) var totals = (received: UInt64(0), sent: UInt64(0))

    private var source: (any DispatchSourceRead)?
    var queue: LoopQueue?
    var onReady: (@Sendable () -> Void)?
    /// Made when the loop first waits.
    var doorbell: WakeUp?
    var isDraining = false
    var isTurnQueued = false
    /// Nil until ``shutDown(_:)``.
    private var ending: Ending?
    /// After the shutdown nothing is opened, because the watcher's descriptor may belong to another pool.
    package var isShutDown: Bool { ending != nil }

    /// `accept` is replaced by tests that need an accept to fail.
    package init(
        limits: Limits = Limits(), accept: ((Int32) -> AcceptOutcome)? = nil
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

    /// The `accept` of the system; tests may replace it.
    package static func systemAccept(_ listener: Int32) -> AcceptOutcome {
        SystemCalls.acceptOne(listener)
    }

    deinit {
        shutDown()
        readBuffer.deallocate()
        readiness.freeMemory()
    }

    /// Begins to watch the sockets. `onReady` is called on the loop's queue and is expected to get to
    /// ``drain(_:)``, typically through ``Loop/assumeInside(_:)``.
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

    /// Closes everything at once, unsent output included. `completion` is called when no descriptor is left.
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
        // A descriptor that is closed while it is still watched could be another's by the next report.
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

    /// Waits on the loop's own thread for sockets to get ready, for `time` at most. It spares a busy loop the way
    /// through Dispatch, which costs two changes of threads. Work that others submit to the loop ends the wait.
    ///
    /// - Returns: nil when such work is there, or the system cannot wait like this: give the queue free. Otherwise
    ///   whether ``drain(_:)`` has something to do.
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

/// The last step of a pool: closing the descriptor that Dispatch watched.
private final class Ending: Sendable {
    private let descriptor: Int32
    /// Nil once everything is closed.
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
