import PolyMockTesting
import XCTest

/// The block of `Shared/Docs/testing-with-xctest.md`, executed.
final class BookingGuideCase: MockTestCase {
    override var fixture: String { "booking" }
    override var seed: UInt64 { 7 }

    func testFirstQuestion() async throws {
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))
    }

    func testAConnectionThatBreaks() async throws {
        let chat = try await mock.chat()
        try await mock.inject(at: "user message 1", do: "drop: 'connection'")
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))
        try await mock.expect(.reconnect, exactly: 1)
    }
}
