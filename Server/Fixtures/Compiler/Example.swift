package import ConversationEngine
package import Matching

/// A talk that must go exactly so (fixtures/README.md#examples).
package struct Example: Equatable, Sendable {
    package enum Speaker: String, CaseIterable, Sendable {
        case user
        case agent
        case liveAgent = "live agent"
    }

    package enum Line: Equatable, Sendable {
        /// What the user says, or what somebody must say: contained after folding, or the whole of it.
        case says(Speaker, String, isExact: Bool)
        /// A queue position is told.
        case queue(Int)
        /// The session ends.
        case end(EndReason)
        /// A tool is called, with these words in its arguments.
        case tool(String, String)
        /// A person is asked: the name of the question, or words of it.
        case asks(String)
        /// The state of the thread is told, or a change of it, with these words in it.
        case state(String)
        /// The run fails with this code, or these words.
        case fails(String)
        /// An event of this type is told that a step has written out, or an activity.
        case event(String)
        /// The client answers a call of its tool; a failure has the reason as its text.
        case answers(tool: String, String, isFailure: Bool)
    }

    package struct PlacedLine: Equatable, Sendable {
        package var line: Line
        package var place: SourcePlace

        package init(_ line: Line, place: SourcePlace) {
            self.line = line
            self.place = place
        }
    }

    package var name: String
    package var place: SourcePlace
    package var lines: [PlacedLine]
    /// What the clock of the talk shows when it begins; nil for any time.
    package var now: WallTime?
    /// What is known from the start, in place of what the fixture says.
    package var memory: [String: String]

    package init(
        name: String, place: SourcePlace, lines: [PlacedLine], now: WallTime? = nil,
        memory: [String: String] = [:]
    ) {
        self.name = name
        self.place = place
        self.lines = lines
        self.now = now
        self.memory = memory
    }

    /// What the user says, in order.
    package var userWords: [String] {
        lines.compactMap { placed in
            if case .says(.user, let text, _) = placed.line { text } else { nil }
        }
    }
}
