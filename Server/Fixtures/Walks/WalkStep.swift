package import Clocks

/// One thing a walking user does.
package enum WalkStep: Equatable, Sendable, CustomStringConvertible {
    /// Says it and waits until the agent has nothing more to say.
    case say(String)
    /// Says it into whatever is going on.
    case interrupt(String)
    case wait(Interval)
    /// The connection is lost; the user comes back with what was seen last.
    case drop
    /// Ends the talk.
    case hangUp

    package var description: String {
        switch self {
        case .say(let text): "user: \(text)"
        case .interrupt(let text): "user, interrupting: \(text)"
        case .wait(let interval): "waits \(interval.nanoseconds / 1_000_000) ms"
        case .drop: "loses the connection and comes back"
        case .hangUp: "ends the talk"
        }
    }

    package var text: String? {
        switch self {
        case .say(let text), .interrupt(let text): text
        default: nil
        }
    }
}

/// A walk that went wrong.
package struct WalkFailure: Equatable, Sendable {
    /// From 1 within its run.
    package var walk: Int
    package var seed: UInt64
    /// What must never happen, and did.
    package var reason: String
    /// How the talk began, where that is not as always: `the clock shows Monday 17:00`.
    package var begins: String?
    /// The fewest steps found that still lead there.
    package var steps: [WalkStep]
    /// How many there were at first.
    package var originalCount: Int
}

/// What a run of walks came to.
package struct WalkReport: Equatable, Sendable {
    package var walks = 0
    package var messages = 0
    package var entries = 0
    package var unheard = 0
    package var ended = 0
    package var failures: [WalkFailure] = []
    /// Rules that no walk reached.
    package var unreached: [RuleName] = []
    /// Gaps in texts that were said with nothing in them, in the order of the file.
    package var emptyGaps: [EmptyGap] = []

    package struct EmptyGap: Hashable, Sendable {
        package var name: String
        package var line: Int

        package init(name: String, line: Int) {
            self.name = name
            self.line = line
        }
    }

    package struct RuleName: Equatable, Sendable {
        package var name: String
        package var line: Int
    }
}
