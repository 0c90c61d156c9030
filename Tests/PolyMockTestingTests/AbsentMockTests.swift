import Expectations
import PolyMockTesting
import TestSupport
import Testing

@Suite("A test that no trait gives a mock", .timeLimit(.minutes(5)))
struct AbsentMockTests {
    @Test("Asking for the mock fails this test alone, at its own line, and names the trait")
    func current() async throws {
        let issues = Gathering<Issue>()
        let test = try #require(Test.current)
        await withKnownIssue {
            let mock = Mock.current
            // What asks at once gets an answer, what waits an error: nothing ends the process.
            expectEqual(mock.url, "http://127.0.0.1:0")
            mock.clock.advance(by: .minutes(1))
            mock.network.cut()
            await #expect(throws: MockError.self) { try await mock.chat() }
            await #expect(throws: MockError.self) { try await mock.expect(.join) }
            await #expect(throws: MockError.self) { try await mock.clock.untilIdle() }
            await #expect(throws: MockError.self) {
                try await mock.inject(at: "reply 2", do: "drop: 'connection'")
            }
            await #expect(throws: MockError.self) {
                try await mock.override(rule: "hours") { _ in
                    nil
                } during: {
                }
            }
            await mock.stop()
        } matching: { issue in
            issues.append(issue)
            return true
        }
        let texts = issues.all.map { $0.comments.map(\.rawValue).joined() }
        expectEqual(texts.count, 1)
        expectEqual(
            texts.first?.contains("give the test or its suite a trait such as .mock(\"booking\")"), true)
        expectEqual(issues.all.map(\.sourceLocation), [test.sourceLocation])
    }
}
