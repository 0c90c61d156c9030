import PolyMockTesting
import Testing

/// The first example of the README, word for word, executed.
enum GuidePageReadme {
    @Suite(.mock("booking"))
    struct BookingTests {
        @Test(.fault("tunnel"), .seed(7))
        func aTunnelCostsNothing() async throws {
            let mock = Mock.current  // own port, own token, own clock
            let chat = try await mock.chat()  // the SDK, connected
            try await chat.say("a table, please")
            try await mock.expect(.reply("For how many"), within: .seconds(5))  // seconds of mock time
            try await mock.expect(.join, exactly: 1)  // a reconnect must not join again
            mock.clock.advance(by: .minutes(10))  // takes milliseconds
            try await mock.expect(.heartbeat, exactly: 20)
        }
    }
}
