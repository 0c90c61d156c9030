package import Clocks

/// One message of a user, and the condition for the next.
package struct LoadLine: Equatable, Sendable {
    package var text: String
    /// Number of whole replies that follow the message; 0 if only the echo is expected.
    package var replies: Int
    package var ends: Bool

    package init(_ text: String, replies: Int = 1, ends: Bool = false) {
        self.text = text
        self.replies = replies
        self.ends = ends
    }
}

/// Messages of one user, in order.
package struct LoadTalk: Equatable, Sendable {
    /// Greeting before the first line.
    package enum Opening: Equatable, Sendable {
        case replies(Int)
        /// Unknown: one reply, or ``Limits/greetingPatience`` without any.
        case unknown
    }

    package var opening: Opening
    package var lines: [LoadLine]
    /// The lines begin anew in the same session; otherwise the user leaves and another one comes.
    package var repeats: Bool

    package init(opening: Opening = .unknown, lines: [LoadLine], repeats: Bool) {
        self.opening = opening
        self.lines = lines
        self.repeats = repeats
    }

    /// A conversation that repeats these texts, each answered by one reply.
    package init(saying texts: [String]) {
        self.init(lines: texts.map { LoadLine($0) }, repeats: true)
    }
}

package struct LoadPlan: Equatable, Sendable {
    package var sessions = 100
    /// Messages per second over all sessions; nil: each session speaks as soon as it is answered.
    package var rate: Double?
    /// Time over which sessions open, and the rate grows.
    package var ramp = Interval.zero
    /// Duration of sending, the ramp included.
    package var duration = Interval.seconds(10)
    /// Maximum number of messages; nil: as many as the time allows.
    package var messages: Int?
    /// Time-out of opening a session, and of an answer.
    package var patience = Limits.patience
    /// The echo counts as the answer.
    package var isEchoEnough = false
    /// Messages of the users; sessions use them round-robin. Never empty, and no talk without lines.
    package var talks: [LoadTalk]
    package var seed: UInt64 = 1

    package init(talks: [LoadTalk]) { self.talks = talks }
}
