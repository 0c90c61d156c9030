import Expectations
import Foundation
import PolyMessaging
import Testing

@testable import PolyMockTesting

/// Every call here says that it stands at line 41 of this file.
private let file = "Some/ShopTests.swift"

@Suite("Where issues of the test kit stand", .timeLimit(.minutes(5)))
struct PlaceTests {
    /// A call that throws, and words of what it throws.
    struct Call: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var words: String
        var make: @Sendable (Mock) async throws -> Void
    }

    static let calls: [Call] = [
        Call(testDescription: "chat", words: "the chat could not connect: POST /api/v1/access-token") {
            mock in
            _ = try await mock.chat({ $0.connectorToken = "mock:inline+tunel" }, filePath: file, line: 41)
        },
        Call(testDescription: "say", words: "Caught error") { mock in
            let chat = try await mock.chat()
            mock.network.set(isReachable: false)
            try await chat.say("price", filePath: file, line: 41)
        },
        Call(testDescription: "say after the end", words: "The chat has ended") { mock in
            let chat = try await mock.chat()
            try await chat.end()
            try await chat.say("price", filePath: file, line: 41)
        },
        Call(testDescription: "add at a moment", words: "Did you mean something like") { mock in
            try await mock.inject(at: "replay 2", do: "drop: 'connection'", filePath: file, line: 41)
        },
        Call(testDescription: "add by name", words: "did you mean \"lift\"?") { mock in
            try await mock.inject("lifft", filePath: file, line: 41)
        },
        Call(testDescription: "override", words: "no rule is called \"prise\": did you mean \"price\"?") {
            mock in
            try await mock.override(rule: "prise", { _ in nil }, filePath: file, line: 41) {}
        },
        Call(testDescription: "agent", words: "the chat has no session yet") { mock in
            let chat = try await mock.chat(mustConnect: false) { $0.connectorToken = "mock:bookin" }
            _ = try await mock.agent(in: chat, filePath: file, line: 41)
        },
        Call(testDescription: "speaker", words: "leave: ") { mock in
            let agent = try await mock.agent(in: try await mock.chat())
            try await agent.leave(filePath: file, line: 41)
        },
    ]

    @Test("What a call throws stands at the line of that call", arguments: calls)
    func thrown(_ call: Call) async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            try await call.make(mock)
        }
        expectEqual(outcome.places.first?.hasPrefix("ShopTests.swift:41:"), true)
        let told = outcome.issues.first.map { "\($0)" } ?? ""
        #expect(told.contains(call.words), "\(told)")
    }

    @Test(
        "A fixture that is a file of its own gets a warning at the line that is the cause, besides the failure"
    )
    func ownFile() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json5").path
        try Data(shop.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let outcome = try await run {
            $0.fixture = path
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("price")
            try await mock.expect(.reply("It costs nothing"), filePath: file, line: 41, column: 3)
        }
        let name = path.split(separator: "/").last ?? ""
        expectEqual(outcome.places, ["ShopTests.swift:41:3", "\(name):6:5"])
        expectEqual(outcome.issues.map(\.severity), [.error, .warning])
        expectEqual(
            outcome.texts.last,
            "See ShopTests.swift:41: Expected a reply with \"It costs nothing\" within 10 s, saw none."
        )
    }

    @Test("The same words said twice are told apart: each has its own line")
    func sameWordsTwice() async throws {
        let outcome = try await run {
            $0.fixture = shop
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("prise", filePath: file, line: 41, column: 1)
            try await chat.say("price", filePath: file, line: 42, column: 1)
            try await chat.say("prise", filePath: file, line: 43, column: 1)
        }
        expectEqual(outcome.places, ["ShopTests.swift:41:1", "ShopTests.swift:43:1"])
    }
}
