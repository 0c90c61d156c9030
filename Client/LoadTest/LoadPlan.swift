package import Clocks

package struct LoadLine: Equatable, Sendable {
    package var text: String
    /// Number of replies to wait for.
    package var replies: Int
    package var ends: Bool

    package init(_ text: String, replies: Int = 1, ends: Bool = false) {
        self.text = text
        self.replies = replies
        self.ends = ends
    }
}

package struct LoadTalk: Equatable, Sendable {
    package enum Opening: Equatable, Sendable {
        case replies(Int)
        /// It is unknown whether the agent greets.
        case unknown
    }

    package var opening: Opening
    package var lines: [LoadLine]
    /// Whether the user repeats all lines in the same session.
    package var repeats: Bool

    package init(opening: Opening = .unknown, lines: [LoadLine], repeats: Bool) {
        self.opening = opening
        self.lines = lines
        self.repeats = repeats
    }

    package init(saying texts: [String]) {
        self.init(lines: texts.map { LoadLine($0) }, repeats: true)
    }
}

package struct LoadPlan: Equatable, Sendable {
    package var sessions = 100
    /// Messages per second over all sessions. Nil: a session sends as soon as its previous message is answered.
    package var rate: Double?
    /// Duration of the ramp, in which sessions open one after the other and the message rate grows.
    package var ramp = Interval.zero
    package var duration = Interval.seconds(10)
    package var messages: Int?
    package var patience = LoadLimits.patience
    /// Whether the echo alone counts as the answer.
    package var isEchoEnough = false
    /// The talks, assigned to the sessions round-robin. Neither the list nor a talk is empty.
    package var talks: [LoadTalk]
    package var seed: UInt64 = 1

    package init(talks: [LoadTalk]) { self.talks = talks }
}
