package import Clocks
import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Clock that adds monotonic time to one reading of the wall clock. `now` therefore never jumps.
package final class SystemClock: EventClock {
    private let wallAtStart: Int64
    private let monotonicAtStart: Int64
    private let queue: LoopQueue

    /// - Parameter queue: the queue on which timers fire.
    package init(timersOn queue: LoopQueue = LoopQueue(label: "polymock.clock")) {
        wallAtStart = Self.read(CLOCK_REALTIME)
        monotonicAtStart = Self.read(CLOCK_MONOTONIC)
        self.queue = queue
    }

    package var now: Instant {
        Instant(nanosecondsSince1970: wallAtStart + (Self.read(CLOCK_MONOTONIC) - monotonicAtStart))
    }

    package func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer {
        SystemTimer(clock: self, queue: queue, fire: fire)
    }

    private static func read(_ id: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(id, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Reusable Dispatch timer. Apple systems need two sources: Dispatch's own time stops while the machine sleeps, and a
/// wall-clock source is late if the clock is set back.
private final class SystemTimer: EventTimer {
    private struct State {
        var source: (any DispatchSourceTimer)?
        #if canImport(Darwin)
            var wallSource: (any DispatchSourceTimer)?
        #endif
        var deadline: Instant?

        func schedule(after delay: Interval) {
            // The delay is limited to a year. A timer that fires early is scheduled again.
            let nanoseconds = min(max(delay.nanoseconds, 0), 31_536_000_000_000_000)
            source?.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .nanoseconds(0))
            #if canImport(Darwin)
                wallSource?.schedule(
                    wallDeadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .nanoseconds(0))
            #endif
        }

        func scheduleNever() {
            source?.schedule(deadline: .distantFuture)
            #if canImport(Darwin)
                wallSource?.schedule(wallDeadline: .distantFuture)
            #endif
        }
    }

    private let clock: SystemClock
    private let state = Locked(State())

    init(clock: SystemClock, queue: LoopQueue, fire: @escaping @Sendable () -> Void) {
        self.clock = clock
        state.withLock { [state] value in
            let source = DispatchSource.makeTimerSource(flags: .strict, queue: queue.queue)
            source.setEventHandler { Self.fireIfDue(state, clock, fire) }
            value.source = source
            #if canImport(Darwin)
                let wallSource = DispatchSource.makeTimerSource(flags: .strict, queue: queue.queue)
                wallSource.setEventHandler { Self.fireIfDue(state, clock, fire) }
                value.wallSource = wallSource
            #endif
            value.scheduleNever()
            source.activate()
            #if canImport(Darwin)
                wallSource.activate()
            #endif
        }
    }

    deinit {
        state.withLock { value in
            value.source?.cancel()
            value.source = nil
            #if canImport(Darwin)
                value.wallSource?.cancel()
                value.wallSource = nil
            #endif
        }
    }

    func arm(at deadline: Instant) {
        let delay = deadline - clock.now
        state.withLock { value in
            value.deadline = deadline
            value.schedule(after: delay)
        }
    }

    func disarm() {
        state.withLock { value in
            value.deadline = nil
            value.scheduleNever()
        }
    }

    /// Calls `fire` if the deadline has passed. If the source fired too early, schedules the timer again.
    private static func fireIfDue(
        _ state: Locked<State>, _ clock: SystemClock, _ fire: @Sendable () -> Void
    ) {
        let now = clock.now
        let isDue = state.withLock { value -> Bool in
            guard let deadline = value.deadline else { return false }
            guard deadline <= now else {
                value.schedule(after: deadline - now)
                return false
            }
            value.deadline = nil
            #if canImport(Darwin)
                value.scheduleNever()
            #endif
            return true
        }
        if isDue { fire() }
    }
}
