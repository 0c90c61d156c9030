import Clocks
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Serial queue for long computations, with a lower priority than loops. Dispatch has no such priority on Linux, so the
/// queue is a thread there, with a nice value (setpriority(2)).
package final class WorkQueue: Sendable {
    #if canImport(Darwin)
        private let queue: DispatchQueue
    #else
        private let line: Line
    #endif

    /// `isUrgent` is for short work for which a client waits.
    package init(label: String, isUrgent: Bool = false) {
        #if canImport(Darwin)
            queue = DispatchQueue(label: label, qos: isUrgent ? .userInitiated : .utility)
        #else
            line = Line(niceness: isUrgent ? 5 : 10)
        #endif
    }

    package func async(_ work: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            queue.async(execute: work)
        #else
            line.add(work)
        #endif
    }

    #if !canImport(Darwin)
        /// Ends the thread after all queued work has run.
        deinit { line.add(nil) }
    #endif
}

#if !canImport(Darwin)
    /// Queued work in order, and its thread, started for the first item.
    private final class Line: Sendable {
        private struct State {
            /// A nil item ends the thread.
            var items: [(@Sendable () -> Void)?] = []
            var isStarted = false
        }

        private let niceness: Int32
        private let state = Locked(State())
        private let arrivals = DispatchSemaphore(value: 0)

        init(niceness: Int32) {
            self.niceness = niceness
        }

        func add(_ work: (@Sendable () -> Void)?) {
            let starts = state.withLock { state in
                guard state.isStarted || work != nil else { return false }
                state.items.append(work)
                defer { state.isStarted = true }
                return !state.isStarted
            }
            arrivals.signal()
            if starts { start() }
        }

        private func start() {
            #if canImport(Musl)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let line = Unmanaged.passRetained(self)
            let status = pthread_create(
                &thread, nil,
                { line in
                    if let line { Unmanaged<Line>.fromOpaque(line).takeRetainedValue().run() }
                    return nil
                }, line.toOpaque())
            if status == 0 {
                #if canImport(Musl)
                    if let thread { pthread_detach(thread) }
                #else
                    pthread_detach(thread)
                #endif
            } else {
                // The system has no resources for another thread, so a Dispatch thread runs the work.
                let line = line.takeRetainedValue()
                DispatchQueue(label: "polymock.work").async { line.run() }
            }
        }

        private func run() {
            SystemCalls.lowerPriority(by: niceness)
            while true {
                arrivals.wait()
                guard let work = state.withLock({ $0.items.removeFirst() }) else { return }
                work()
            }
        }
    }
#endif
