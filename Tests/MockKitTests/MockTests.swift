import Expectations
import Foundation
import MockServer
import PolyMessaging
import TestSupport
import Testing

@testable import MockKit

@Suite("A mock", .timeLimit(.minutes(5)))
struct MockTests {
    /// One small talk; everything that a neighbour could disturb is looked at.
    private static func talk(_ number: Int) async throws -> UInt16 {
        try await withMock(fixture("")) {
            $0.seed = UInt64(number)
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("I am \(number)")
            try await mock.expect(.reply("You said I am \(number)"))
            try await mock.expect(.userMessage, exactly: 1)
            try await mock.expect(.join, exactly: 1)
            mock.clock.advance(by: .minutes(1))
            try await mock.expect(.heartbeat, exactly: 2)
            let replies = try await chat.replies
            expectEqual(replies, ["Welcome.", "You said I am \(number)."])
            expectEqual(mock.server.seed, UInt64(number))
            return mock.server.port
        }
    }

    /// All 500 by 20: `POLYMOCK_PARALLEL=500x20 swift test --filter MockKitTests.MockTests`.
    @Test("Mocks side by side disturb each other in nothing")
    func isolation() async throws {
        let daily = Strength.of("30x1", full: "200x1")
        let wish = ProcessInfo.processInfo.environment["POLYMOCK_PARALLEL"] ?? daily
        if wish == daily {
            print("All of it: POLYMOCK_PARALLEL=500x20 swift test --filter MockKitTests.MockTests")
        }
        let numbers = wish.split(separator: "x").compactMap { Int($0) }
        try #require(numbers.count == 2, "POLYMOCK_PARALLEL is \(wish); write 500x20")
        for _ in 0..<numbers[1] {
            let ports = try await withThrowingTaskGroup(of: UInt16.self) { group in
                for number in 1...numbers[0] { group.addTask { try await Self.talk(number) } }
                return try await group.reduce(into: Set<UInt16>()) { $0.insert($1) }
            }
            expectEqual(ports.contains(0), false)
        }
    }

    @Test("Mocks that run at once have ports of their own")
    func ports() async throws {
        let count = Strength.of(30, full: 200)
        let mocks = try await withThrowingTaskGroup(of: Mock.self) { group in
            for _ in 0..<count { group.addTask { try await Mock.start() } }
            return try await group.reduce(into: [Mock]()) { $0.append($1) }
        }
        expectEqual(Set(mocks.map(\.server.port)).count, count)
        await withTaskGroup { group in
            for mock in mocks { group.addTask { await mock.stop() } }
        }
    }

    @Test("The same seed gives the same journal")
    func sameSeed() async throws {
        func journal() async throws -> [ObservedEvent] {
            try await withMock {
                $0.seed = 7
            } _: { mock in
                let chat = try await mock.chat()
                try await chat.say("a table")
                try await mock.expect(.reply("For how many"))
                return mock.observedEvents
            }
        }
        let first = try await journal()
        #expect(!first.isEmpty)
        for _ in 0..<10 { try await expectEqual(journal(), first) }
    }

    @Test("The line picks fixture, faults, seed and pace, and names the journal")
    func line() {
        var plan = MockPlan()
        plan.fixture = "fixtures/booking.json5"
        plan.faults = ["tunnel", "busy-agent"]
        plan.seed = 7
        plan.pace = "instant"
        expectEqual(plan.line, "mock:booking+tunnel+busy-agent@seed=7@pace=instant")
        expectEqual(plan.journalName, "booking-tunnel-busy-agent-7.jsonl")
    }

    @Test("A chat with the mock's line has the fault it asks for")
    func fault() async throws {
        try await withMock {
            $0.faults = ["busy-agent"]
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("a table")
            try await mock.expect(.reply("For how many"))
            try await chat.say("four")
            try await mock.expect(.event("SYSTEM_MESSAGE"))
            try await mock.expect(.fault("busy-agent"), exactly: 1)
            try await mock.expect(never: .reply("Which day"), within: .seconds(10))
        }
    }

    @Test("A profile is expected by its name, and each of its parts by its own")
    func profile() async throws {
        try await withMock {
            $0.faults = ["lift"]
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("a table")
            try await mock.expect(.fault("lift"), exactly: 1)
            try await mock.expect(.fault("lift (doors)"), exactly: 1)
            try await mock.expect(never: .fault("tunnel"))
        }
    }

    @Test("A fixture with a mistake starts no mock and says where")
    func mistake() async throws {
        let error = await #expect(throws: ServerError.self) {
            try await withMock("{\n  fixture: 1,\n  wrong: 2 }") { _ in }
        }
        let place = CallSite.first(in: "\(try #require(error))")
        expectEqual(place?.fileName, "inline.json5")
        expectEqual(place?.line, 3)
    }

    @Test("Settings reach the server")
    func settings() async throws {
        try await withMock {
            $0.changes.append { $0.sessions.heartbeatInterval = .seconds(5) }
        } _: { mock in
            _ = try await mock.chat()
            mock.clock.advance(by: .minutes(1))
            try await mock.expect(.heartbeat, exactly: 12)
        }
    }
}

@Suite("What a mock complains about", .timeLimit(.minutes(5)))
struct ComplaintTests {
    @Test(
        "A message that no rule hears is told with the rule that was meant and the line that answered"
    )
    func unmatched() async throws {
        try await withMock { mock in
            let chat = try await mock.chat()
            try await chat.say("resevation for five")
            let complaint = try #require(mock.complaints.first)
            #expect(complaint.text.hasPrefix("Nothing heard \"resevation for five\" in stage \"start\""))
            #expect(complaint.text.contains("one letter away"))
            expectEqual(complaint.place?.fileName, "booking.json5")
            expectEqual(complaint.place?.line, 96)
        }
    }

    @Test("A request that no route takes is told with its path")
    func unmatchedRequest() async throws {
        try await withMock { mock in
            let client = try APIClient(port: mock.server.port)
            _ = try await client.request("POST", "/api/v2/sessions")
            await client.close()
            expectEqual(mock.complaints.map(\.place), [nil])
            expectEqual(mock.complaints.first?.text.contains("POST /api/v2/sessions"), true)
        }
    }

    @Test("What a test expects is no reason to complain")
    func expected() async throws {
        try await withMock { mock in
            let chat = try await mock.chat()
            try await chat.say("purple")
            try await mock.expect(.unmatchedMessage, exactly: 1)
            #expect(mock.complaints.isEmpty)
        }
    }
}
