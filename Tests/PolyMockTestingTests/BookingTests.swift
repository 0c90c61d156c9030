import PolyMockTesting
import Testing

@Suite("The sample of the README", .mock("booking"))
struct BookingTests {
    @Test(
        "A trait starts the server, and ten minutes pass at once", .fault("tunnel"), .seed(7))
    func aTunnelCostsNothing() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"), within: .seconds(5))
        try await mock.expect(.join, exactly: 1)
        mock.clock.advance(by: .minutes(10))
        try await mock.expect(.heartbeat, exactly: 20)
    }
}
