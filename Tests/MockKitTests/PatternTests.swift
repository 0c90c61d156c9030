import Expectations
import Testing

@testable import MockKit

@Suite("Patterns", .timeLimit(.minutes(5)))
struct PatternTests {
    private static let rules = """
        { name: "closed", hears: "closed", replies: [ { system: { level: "warning", text: "We close at ten." } } ] },
        { name: "load", hears: "load", replies: [ { system: "high load" } ] },
        """

    @Test("A system message is seen by its words, an error of the agent by its words or its name in fixtures")
    func systemMessages() async throws {
        try await withMock(fixture(Self.rules)) { mock in
            let chat = try await mock.chat()
            try await chat.say("closed?")
            try await mock.expect(.system("we close at ten"))
            try await mock.expect(.system, exactly: 1)
            try await mock.expect(never: .agentError)
            try await chat.say("load")
            try await mock.expect(.agentError)
            try await mock.expect(.agentError("high load"), exactly: 1)
            try await mock.expect(.agentError("try again in a moment"), exactly: 1)
            try await mock.expect(.system("high load"), exactly: 1)
            try await mock.expect(.event("SYSTEM_MESSAGE"), exactly: 2)
            try await mock.expect(.system, exactly: 2)
            let failure = await #expect(throws: ExpectationFailure.self) {
                try await mock.expect(.agentError("cannot respond"), within: .zero)
            }
            let text = failure?.text ?? ""
            #expect(text.hasPrefix("Expected an agent error with \"cannot respond\", saw none."))
            #expect(text.contains("\"We close at ten.\""), "\(text)")
        }
    }

    @Test("A protocol rule is expected by its name as well as by its words")
    func protocolRulesByName() {
        let violation = ObservedEvent(.violation, text: "join once per session")
        #expect(Pattern.violation("join-once").matches(violation))
        #expect(Pattern.violation("once per session").matches(violation))
        #expect(!Pattern.violation("join-first").matches(violation))
        expectEqual(Pattern.violation("join-once").one, "a violation \"join once per session\"")
    }

    @Test("An app's own client finds both addresses of the server")
    func addresses() async throws {
        try await withMock { mock in
            expectEqual(mock.restURL, "\(mock.url)/api/v1")
            expectEqual(mock.webSocketURL, "ws" + mock.url.dropFirst(4) + "/ws")
        }
    }
}
