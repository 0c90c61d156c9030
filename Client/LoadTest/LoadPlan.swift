package import Clocks

/// One message of a user, and what must follow it.
package struct LoadLine: Equatable, Sendable {
    package var text: String
    /// Number of replies to the message; 0 if only the echo is expected.
    package var replies: Int
    package var ends: Bool

    package init(_ text: String, replies: Int = 1, ends: Bool = false) {
        self.text = text
        self.replies = replies
        self.ends = ends
    }
}

/// The messages of one user, in order.
package struct LoadTalk: Equatable, Sendable {
    /// Greeting of the agent before the first line.
    package enum Opening: Equatable, Sendable {
        case replies(Int)
        /// Unknown: the first reply ends it, or ``LoadLimits/greetingPatience`` without a reply.
        case unknown
    }

    package var opening: Opening
    package var lines: [LoadLine]
    /// Whether the lines start again in the same session. Otherwise the user leaves and another one comes.
    package var repeats: Bool

    package init(opening: Opening = .unknown, lines: [LoadLine], repeats: Bool) {
        self.opening = opening
        self.lines = lines
        self.repeats = repeats
    }

    /// Creates a talk that repeats these texts and expects one reply to each.
    package init(saying texts: [String]) {
        self.init(lines: texts.map { LoadLine($0) }, repeats: true)
    }
}

package struct LoadPlan: Equatable, Sendable {
    package var sessions = 100
    /// Messages per second over all sessions. Nil lets each session send as soon as it has its answer.
    package var rate: Double?
    /// Time over which sessions open, and the rate grows.
    package var ramp = Interval.zero
    /// Duration of sending, including the ramp.
    package var duration = Interval.seconds(10)
    /// Maximum number of messages; nil for no limit.
    package var messages: Int?
    /// Time limit of opening a session, and of an answer.
    package var patience = LoadLimits.patience
    /// Whether the echo counts as the answer.
    package var isEchoEnough = false
    /// The talks of users, assigned to sessions round-robin. Not empty, and each has lines.
    package var talks: [LoadTalk]
    package var seed: UInt64 = 1

    package init(talks: [LoadTalk]) { self.talks = talks }
}
