import PolyMockTesting
import Testing

/// Lengths of time in a file that imports the kit alone; what this file needs beyond that import does not compile.
@Suite("Lengths of time, as a test writes them", .mock("booking"))
struct LengthTests {
    @Test("Whole units and parts of them are waiting times, and elapsed time is compared with them")
    func waiting() async throws {
        let mock = Mock.current
        mock.clock.advance(by: .minutes(1))
        mock.clock.advance(by: .seconds(0.5))
        mock.clock.advance(by: .milliseconds(20))
        #expect(mock.clock.elapsed >= .seconds(60) + .milliseconds(520))
        #expect(mock.clock.elapsed < .hours(1))
        let limit: Interval = .seconds(5)
        try await mock.expect(never: .join, within: limit)
    }

    @Test("A length of the standard library is turned into one")
    func conversion() {
        let mock = Mock.current
        mock.clock.advance(by: Interval(Duration.seconds(90)))
        #expect(mock.clock.elapsed / .minutes(1) >= 1.5)
    }
}
