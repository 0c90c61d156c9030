import Clocks
import ServerCore

/// Watchdog for the loop in debug builds. Logs each turn of a second or more, once:
/// `slow turn       1.0 s in one turn, now: held messages`.
final class SlowTurnMonitor: Sendable {
    enum Phase: String, Sendable {
        case sockets
        case timeOuts = "time-outs of connections"
        case held = "held messages"
        case protocolRules
        case sessions
        case effects
        case watchers = "waits and feeds"
        case clock = "moving the clock"
        case output
    }

    private struct State {
        var phase: Phase?
        var began = Instant.past
        var isArmed = false
        var hasLogged = false
    }

    /// Minimum duration of a turn that is logged.
    static let patience = Interval.seconds(1)

    private let clock: any EventClock
    private let state = Locked(State())
    private let timer = Locked<(any EventTimer)?>(nil)
    private let log: @Sendable (String) -> Void

    /// `clock` is real time. Its timers must not fire on the loop, which is busy when `log` is called.
    init(clock: any EventClock, log: @escaping @Sendable (String) -> Void) {
        self.clock = clock
        self.log = log
        #if DEBUG
            let made = clock.makeTimer { [weak self] in self?.check() }
            timer.withLock { $0 = made }
        #endif
    }

    /// Begins a phase. Returns the previous one for ``resume(_:)``, or nil at the start of a turn.
    @discardableResult
    @inline(__always)
    func enter(_ phase: Phase) -> Phase? {
        #if DEBUG
            return note(phase)
        #else
            return nil
        #endif
    }

    /// Returns to an earlier phase; nil ends the turn.
    @inline(__always)
    func resume(_ phase: Phase?) {
        #if DEBUG
            state.withLock { $0.phase = phase }
        #endif
    }

    @inline(__always)
    func leave() { resume(nil) }

    private func note(_ phase: Phase) -> Phase? {
        let (before, arming) = state.withLock { state -> (Phase?, Instant?) in
            defer { state.phase = phase }
            if let before = state.phase { return (before, nil) }
            state.began = clock.now
            state.hasLogged = false
            guard !state.isArmed else { return (nil, nil) }
            state.isArmed = true
            return (nil, state.began + Self.patience)
        }
        if let arming { arm(at: arming) }
        return before
    }

    /// Logs a turn that has lasted long enough.
    private func check() {
        let now = clock.now
        let (line, next) = state.withLock { state -> (String?, Instant?) in
            guard let phase = state.phase, !state.hasLogged else {
                state.isArmed = false
                return (nil, nil)
            }
            let spent = now - state.began
            guard spent >= Self.patience else { return (nil, state.began + Self.patience) }
            state.hasLogged = true
            state.isArmed = false
            let tenths = spent.milliseconds / 100
            return ("\(tenths / 10).\(tenths % 10) s in one turn, now: \(phase.rawValue)", nil)
        }
        if let next { arm(at: next) }
        if let line { log(line) }
    }

    private func arm(at instant: Instant) { timer.withLock { $0 }?.arm(at: instant) }
}
