import Expectations
import Foundation
import MockServer
import PolyMessaging
import TestSupport
import Testing

@testable import PolyMockTesting

@Suite("Issues of the test kit", .timeLimit(.minutes(5)))
struct IssueTests {
    @Test(
        "An unmatched message fails the test at the line that said it, and names the line that answered instead"
    )
    func unmatchedFails() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("price")
            try await chat.say("prise", filePath: "Some/ShopTests.swift", line: 41, column: 7)
        }
        expectEqual(outcome.places, ["ShopTests.swift:41:7"])
        expectEqual(outcome.texts.first?.contains("message 2)"), true)
        expectEqual(outcome.texts.first?.contains("\nIn the fixture: inline.json5:11:5"), true)
        expectEqual(outcome.issues.map(\.severity), [.error])
        expectEqual(outcome.texts.first?.contains("\"price\" is one letter away from \"prise\""), true)
    }

    @Test(
        "With warn it is a warning and with pass it is nothing",
        arguments: [MockPlan.Policy.warn, .pass] as [MockPlan.Policy])
    func unmatchedPolicy(_ policy: MockPlan.Policy) async throws {
        let outcome = try await run {
            $0.fixture = shop
            $0.unmatched = policy
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("prise")
        }
        expectEqual(outcome.issues.map(\.severity), policy == .warn ? [.warning] : [])
        #expect(outcome.journals.isEmpty)
    }

    @Test("An unmatched request fails the test that it came to, with its path")
    func unmatchedRequest() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let client = try APIClient(port: mock.server.port)
            _ = try await client.request("POST", "/api/v2/sessions")
            await client.close()
        }
        expectEqual(outcome.texts.first?.hasPrefix("Nothing answers POST /api/v2/sessions"), true)
        expectEqual(outcome.issues.map(\.severity), [.error])
        expectEqual(outcome.journals.count, 1)
    }

    @Test("A protocol rule that a client breaks is a warning, and shows beside the check that fails")
    func violation() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("price")
            await chat.client.getConnection().send(.requestPolyAgentJoin)
            try await mock.expect(.join, exactly: 1)
        }
        expectEqual(outcome.issues.map(\.severity), [.error, .warning])
        expectEqual(outcome.texts.first?.hasPrefix("Expected exactly 1 join, saw 2."), true)
        expectEqual(outcome.texts.first?.contains("the agent was already in the session"), true)
        expectEqual(
            outcome.texts.first?.contains("\nProtocol rule broken: \"join once per session\" ("), true)
        expectEqual(outcome.texts.last?.hasPrefix("Protocol rule broken: \"join once per session\""), true)
    }

    @Test(
        "A failed check is recorded once, where it was asked, and names the rule that answered and the last message"
    )
    func failedCheck() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("what is the price?", filePath: "Some/ShopTests.swift", line: 40)
            try await mock.expect(
                .reply("It costs two pounds"), filePath: "Some/ShopTests.swift", line: 41, column: 7)
        }
        expectEqual(outcome.places, ["ShopTests.swift:41:7"])
        let text = try #require(outcome.texts.first)
        #expect(text.contains("has \"ten\" where \"two\" was expected"))
        #expect(text.contains("\nIn the fixture: inline.json5:6:5 (rule \"price\")\n"))
        #expect(text.contains("\nLast said: message 1, \"what is the price?\" (ShopTests.swift:40)\n"))
    }

    @Test("A failed check without a rule to blame is recorded where it was asked")
    func callingLine() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            _ = try await mock.chat()
            try await mock.expect(.join, exactly: 2, filePath: "Some/BookingTests.swift", line: 41, column: 7)
        }
        expectEqual(outcome.places, ["BookingTests.swift:41:7"])
        expectEqual(outcome.texts.first?.hasPrefix("Expected exactly 2 joins, saw 1."), true)
    }

    @Test("A failing test has its journal attached, a passing one has not")
    func journal() async throws {
        let failing = try await run {
            $0.fixture = shop
            $0.seed = 7
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("price")
            try await mock.expect(.reply("nothing"), within: .zero)
        }
        expectEqual(failing.journals.map(\.name), ["inline-7.jsonl"])
        let lines = failing.journals.first?.text.split(separator: "\n") ?? []
        #expect(lines.count > 5)
        expectEqual(lines.first?.contains("\"format\":\"polymock timeline\""), true)
        expectEqual(lines.first?.contains("mock:inline@seed=7"), true)
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        #expect(lines.contains { $0.contains("USER_MESSAGE") && $0.contains("price") })
        let passing = try await run {
            $0.fixture = shop
        } _: { mock in
            _ = try await mock.chat()
        }
        #expect(passing.journals.isEmpty && passing.issues.isEmpty)
    }

    @Test("An error of the test itself is told as it is")
    func otherError() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { _ in
            throw PolyError.auth(.unauthorized)
        }
        expectEqual(outcome.issues.count, 1)
        #expect(outcome.issues.first?.error as? PolyError == .auth(.unauthorized))
        expectEqual(outcome.journals.count, 1)
    }

    @Test("What time brings that the test lets pass last is judged as well")
    func trailingTime() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let chat = try await mock.chat()
            mock.network.refuse(2)
            mock.network.cut()
            try await chat.session.send("prise")
            mock.clock.advance(by: .minutes(1))
        }
        expectEqual(outcome.issues.map(\.sourceLocation), [Test.current?.sourceLocation])
        expectEqual(outcome.texts.first?.contains("\nIn the fixture: inline.json5:11:5"), true)
        expectEqual(outcome.issues.map(\.severity), [.error])
    }

    @Test("What no rule heard is told besides any error of the test")
    func complaintBesidesError() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("prise")
            throw PolyError.auth(.unauthorized)
        }
        expectEqual(outcome.issues.count, 2)
        #expect(outcome.texts.contains { $0.hasPrefix("Nothing heard \"prise\"") })
        #expect(outcome.issues.contains { $0.error as? PolyError == .auth(.unauthorized) })
    }

    /// What is wrong, what the user says, what the test expects, and where that shows.
    struct Fault: Sendable, CustomTestStringConvertible {
        var says: [String]
        var expects: Pattern?
        var place: String

        var testDescription: String { "\(says) at \(place)" }
    }

    static let talks: [Fault] = [
        Fault(says: ["prise"], place: "inline.json5:11:5"),
        Fault(says: ["prise", "sise"], place: "inline.json5:12:7"),
        Fault(says: ["what?"], place: "inline.json5:11:5"),
        Fault(says: ["price"], expects: .reply("twenty"), place: "inline.json5:6:5"),
        Fault(says: ["size"], expects: .reply("medium"), place: "inline.json5:7:5"),
        Fault(says: ["price", "size"], expects: .reply("It costs nothing"), place: "inline.json5:7:5"),
        Fault(says: ["person"], expects: .reply("At once"), place: "inline.json5:8:5"),
        Fault(says: ["person", "bye"], expects: .liveAgentMessage("Goodbye"), place: "inline.json5:15:14"),
        Fault(says: [], expects: .reply("Hello"), place: "inline.json5:4:15"),
        Fault(says: ["person", "hm"], place: "inline.json5:16:18"),
    ]

    @Test("Ten planted faults of talks show the line and column of the conversation", arguments: talks)
    func faults(_ fault: Fault) async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let chat = try await mock.chat()
            for text in fault.says {
                try await chat.say(text)
                try await mock.clock.untilIdle()
            }
            if let pattern = fault.expects { try await mock.expect(pattern) }
        }
        expectEqual(outcome.places.last?.hasPrefix("IssueTests.swift:"), true)
        expectEqual(
            outcome.texts.last?.contains("\nIn the fixture: \(fault.place)"), true, "\(outcome.texts)")
    }

    /// What is replaced in the fixture, by what, and where the mistake shows.
    static let mistakes: [(String, String, String)] = [
        ("fixture: 1,", "fixture: 7,", "inline.json5:2:12"),
        ("greeting:", "greting:", "inline.json5:4:3"),
        ("hears: \"price\"", "heers: \"price\"", "inline.json5:6:22"),
        ("think: \"0ms\"", "think: \"soon\"", "inline.json5:3:35"),
        ("handoff: \"team\"", "handoff: \"teem\"", "inline.json5:8:86"),
        ("pace: \"p\"", "pace: \"q\"", "inline.json5:3:9"),
        ("limit: 1", "limit: \"one\"", "inline.json5:11:14"),
        ("hears: [\"size\", \"large\"]", "hears: [\"size\", 4]", "inline.json5:7:37"),
        ("{ say: \"Robin here.\" }", "{ sey: \"Robin here.\" }", "inline.json5:14:75"),
        ("name: \"Shop\"", "name: Shop", "inline.json5:2:21"),
    ]

    @Test(
        "Ten planted mistakes in fixtures show their line and column, at the line of the test",
        arguments: mistakes)
    func mistake(_ old: String, _ new: String, _ place: String) async throws {
        let parts = shop.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2, "the fixture has no \(old)")
        let outcome = try await run {
            $0.fixture = parts[0] + new + parts[1]
        } _: { _ in
        }
        expectEqual(outcome.issues.map(\.sourceLocation), [Test.current?.sourceLocation])
        expectEqual(outcome.texts.first?.hasPrefix(place + ": error: "), true, "\(outcome.texts)")
    }
}
