import Clocks
import Expectations
import FixtureTools
import Fixtures
import MockServer
import Testing

@testable import MockKit

@Suite("A replay", .timeLimit(.minutes(5)))
struct ReplayTests {
    private static func replay(
        _ line: String, _ change: (inout Replay) -> Void = { _ in }
    ) async throws -> [String] {
        var replay = Replay(line)
        change(&replay)
        let answer = try await replay.run()
        expectEqual(answer.code, 0)
        return answer.lines
    }

    @Test("Two replays of one line are the same, byte for byte")
    func same() async throws {
        let first = try await Self.replay("mock:booking+tunnel@seed=7")
        #expect(first.count > 20)
        for _ in 0..<3 {
            try await expectEqual(Self.replay("mock:booking+tunnel@seed=7"), first)
        }
    }

    @Test("The journal has numbers, times, types and words, with connections and faults between")
    func lines() async throws {
        let lines = try await Self.replay("mock:booking+tunnel@seed=7")
        expectEqual(lines[0], "  1  00:00.000  SESSION_START")
        #expect(lines.contains { $0.hasSuffix("USER_MESSAGE  \"four of us\"") })
        let fired = try #require(lines.firstIndex { $0.contains("fault \"tunnel\" fires") })
        let again = try #require(lines.firstIndex { $0.contains("connection 2 with cursor") })
        #expect(fired < again)
    }

    @Test("A replay ends at the event it is told")
    func until() async throws {
        let lines = try await Self.replay("mock:booking@seed=7") { $0.until = 4 }
        expectEqual(lines.last?.hasPrefix("  4  "), true)
    }

    @Test("The user says what is asked for, or what an example says")
    func says() async throws {
        let own = try await Self.replay("mock:booking") { $0.says = ["opening hours"] }
        #expect(own.contains { $0.hasSuffix("USER_MESSAGE  \"opening hours\"") })
        #expect(!own.contains { $0.contains("four of us") })
        let example = try await Self.replay("mock:booking") { $0.example = "a dozen meet Marta" }
        #expect(example.contains { $0.hasSuffix("USER_MESSAGE  \"twelve\"") })
    }

    @Test("A session begins in the stage that its token names")
    func stage() async throws {
        let lines = try await Self.replay("mock:booking@stage=people") { $0.says = ["four of us"] }
        #expect(lines.contains { $0.contains("For 4") }, "\(lines)")
        await #expect(throws: ScenarioProblem.self) {
            try await Replay("mock:booking@stage=nowhere").run()
        }
    }

    @Test("Replies come whole where no chunks are wanted; JSON has one object a line")
    func forms() async throws {
        let lines = try await Self.replay("mock:booking") {
            $0.isStreaming = false
            $0.isJSON = true
            $0.until = 4
        }
        expectEqual(lines[0], #"{"seq":1,"ms":0,"kind":"event","type":"SESSION_START"}"#)
        expectEqual(lines.last?.contains("\"type\":\"POLY_AGENT_MESSAGE\",\"text\":\"Buongiorno!"), true)
    }

    @Test(
        "What is no scenario is refused in one sentence",
        arguments: ["booking", "mock:", "mock:booking@seed=x"] as [String])
    func refused(_ line: String) async {
        await #expect {
            try await Replay(line).run()
        } throws: { error in
            (error is MockError || error is ScenarioProblem) && !"\(error)".contains("\n")
        }
    }
}
