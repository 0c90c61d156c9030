import Clocks
import ServerCore

/// Says what a turn of the loop is doing when it takes longer than a second: as long as it does, no client is served.
///
/// Debug builds only: in release builds it notes nothing and costs nothing. It has a timer of its own, so that a turn
/// that never ends is told as well: `slow turn       1.0 s in one turn, now: held messages`. One line for each turn.
final class SlowTurnMonitor: Sendable {
    /// What a turn is doing.
    enum Phase: String, Sendable {
        case sockets
        case timeOuts = "time-outs of connections"
        case valves = "held messages"
        case laws
        case sessions
        case effects
        case watchers = "waits and feeds"
        case steering = "moving the clock"
        case output
    }

    private struct State {
        /// nil between two turns.
        var phase: Phase?
        var began = Instant.past
        var isArmed = false
        var hasTold = false
    }

    /// What a turn may take: a hundred times what the slowest regular one does.
    static let patience = Interval.seconds(1)

    private let clock: any EventClock
    private let state = Locked(State())
    private let timer = Locked<(any EventTimer)?>(nil)
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - clock: real time, with timers that fire away from the loop.
    ///   - tell: takes the line; called from the timer.
    init(clock: any EventClock, tell: @escaping @Sendable (String) -> Void) {
        self.clock = clock
        self.tell = tell
        #if DEBUG
            let made = clock.makeTimer { [weak self] in self?.look() }
            timer.withLock { $0 = made }
        #endif
    }

    /// The turn, or a new one, is now at `phase`.
    ///
    /// - Returns: what the turn was at before, for ``resume(_:)``; nil when this one is new.
    @discardableResult
    @inline(__always)
    func enter(_ phase: Phase) -> Phase? {
        #if DEBUG
            return note(phase)
        #else
            return nil
        #endif
    }

    /// Goes on with what the turn was at before; nil: the turn is over.
    @inline(__always)
    func resume(_ phase: Phase?) {
        #if DEBUG
            state.withLock { $0.phase = phase }
        #endif
    }

    /// The turn is over.
    @inline(__always)
    func leave() { resume(nil) }

    private func note(_ phase: Phase) -> Phase? {
        let (before, arming) = state.withLock { state -> (Phase?, Instant?) in
            defer { state.phase = phase }
            if let before = state.phase { return (before, nil) }
            state.began = clock.now
            state.hasTold = false
            guard !state.isArmed else { return (nil, nil) }
            state.isArmed = true
            return (nil, state.began + Self.patience)
        }
        if let arming { arm(at: arming) }
        return before
    }

    /// The timer stays as it is from turn to turn: a turn costs no system call.
    private func look() {
        let now = clock.now
        let (line, next) = state.withLock { state -> (String?, Instant?) in
            guard let phase = state.phase, !state.hasTold else {
                state.isArmed = false
                return (nil, nil)
            }
            let spent = now - state.began
            guard spent >= Self.patience else { return (nil, state.began + Self.patience) }
            state.hasTold = true
            state.isArmed = false
            let tenths = spent.milliseconds / 100
            return ("\(tenths / 10).\(tenths % 10) s in one turn, now: \(phase.rawValue)", nil)
        }
        if let next { arm(at: next) }
        if let line { tell(line) }
    }

    private func arm(at instant: Instant) {
        timer.withLock { $0 }?.arm(at: instant)
    }
}
