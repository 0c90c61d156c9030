package import ConversationEngine
package import Matching

/// Example conversation of a fixture: a test that passes if its lines occur in this order, with or without other
/// events between them (fixtures/README.md#examples).
package struct Example: Equatable, Sendable {
    package enum Speaker: String, CaseIterable, Sendable {
        case user
        case agent
        case liveAgent = "live agent"
    }

    package enum Line: Equatable, Sendable {
        /// A user message; or, for another speaker, a text that the actual message must equal (`isExact`) or contain.
        case says(Speaker, String, isExact: Bool)
        /// The server announces this queue position.
        case queue(Int)
        case end(EndReason)
        /// A step calls the tool. The arguments contain the text.
        case tool(String, String)
        /// A step asks the user this question. The text is the question's name or a part of the question.
        case asks(String)
        /// A snapshot or delta of the thread's state contains this text.
        case state(String)
        /// The run fails with this code, or with a message that contains this text.
        case fails(String)
        /// An event of the run contains this text, such as its type.
        case event(String)
        /// The client answers a call of its tool. If the call failed, the text is the reason.
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
    package var now: WallTime?
    /// Initial slot values, which replace the fixture's values.
    package var memory: [String: String] = [:]

    package var userWords: [String] {
        lines.compactMap { placed in
            if case .says(.user, let text, _) = placed.line { text } else { nil }
        }
    }
}
