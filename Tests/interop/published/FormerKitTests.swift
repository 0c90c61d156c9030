import MockServer
import PolyMockTesting
import Testing

/// A suite as written for the test kit before its names changed; former.py type-checks each of the names.
@Suite(.mock("booking"), .trouble("bad-deploy"), .unheard(.warn), .breaches(.warn))
struct FormerKitTests {
    @Test func drop() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        let tunnel: Mock.ArmedTrouble = try await mock.arm(at: "user message 1", do: "drop: 'connection'")
        try await mock.arm("tunnel", in: chat)
        try await chat.say("a table, please")
        try await mock.clock.untilQuiet()
        try await tunnel.disarm()
        try await mock.expectInOrder([.trouble("tunnel"), .breach("join-first"), .unheard, .strayRequest])
        let all: [Sighting] = mock.sightings
        #expect(!all.isEmpty)
    }

    @Test func liveAgent() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        let marta = try await mock.person(in: chat, named: "Marta")
        try await marta.say("By the window?")
        try await mock.expectInOrder([.personJoined, .personMessage, .personMessage("window"), .personLeft])
    }

    @Test func overrides() async throws {
        let mock = Mock.current
        let steps: [ImprovisedStep] = [.say("Full tonight.")]
        try await mock.improvise(rule: "table", { _ in steps }, during: {})
    }

    @Test func plan() {
        var plan = MockPlan()
        plan.troubles = ["tunnel"]
        plan.unheard = .warn
        plan.breaches = .warn
        var settings = MockPlan.standardSettings
        settings.watchesLaws = false
        plan.settings = settings
    }
}
