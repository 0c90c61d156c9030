import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

/// protocol-connect.md#silence
@Suite("Participants who are silent", .timeLimit(.minutes(5)))
struct SilenceTests {
    /// Two minutes of silence are told of this role.
    private static func watch(_ role: String, of guest: Guest) async throws {
        let timer: JSONObject = [
            "ParticipantRole": .string(role), "TimerType": .string("IDLE"),
            "TimerValue": .object(["ParticipantTimerDurationInMinutes": .integer(2)]),
        ]
        let chat: JSONObject = ["Chat": .object(["ParticipantTimerConfigList": .array([.object(timer)])])]
        let answer = try await guest.desk.ask(
            "PUT", "/contact/participant-role-config/i/\(guest.contact)",
            ["ChannelConfiguration": .object(chat)])
        expectEqual(answer.text, "{}")
    }

    @Test("A script's bot that joins is company: the customer's silence is told, and receipts are for two")
    func scriptBot() async throws {
        try await Desk.run(Desk.usual, { $0.connect.botRole = .customBot }) { desk in
            let guest = try await desk.start()
            try await Self.watch("CUSTOMER", of: guest)
            let ear = try await guest.open()
            let welcome = try await ear.items(through: "CUSTOM_BOT: Welcome.").last?["Id"]?.string
            await desk.pass(.minutes(2))
            try await guest.say("hi")
            let items = try await ear.items(through: "CUSTOM_BOT: You said hi.").labels
            #expect(items.contains("participant.idle CUSTOMER"))
            #expect(items.contains("participant.returned CUSTOMER"))
            try await expectEqual(guest.tell("message.read", about: welcome).status, 200)
            let other = try await desk.guestBot(in: guest.contact)
            _ = try await other.open()
            try await expectEqual(guest.tell("message.read", about: welcome).failure, "409 ConflictException")
        }
    }

    @Test("A file breaks the silence of its sender when it is completed, whenever the scanner speaks")
    func file() async throws {
        try await Desk.run(Desk.usual, { $0.connect.scanDelay = .seconds(30) }) { desk in
            let guest = try await desk.start()
            try await Self.watch("CUSTOMER", of: guest)
            let ear = try await guest.open()
            try await desk.act(guest.contact, "join", ["name": .string("Ann")])
            await desk.pass(.seconds(110))
            let (file, target) = try await guest.announce(3)
            _ = try await desk.client.request("PUT", target, ["Content-Length": "3"], body: "abc")
            let ids: JSONObject = ["AttachmentIds": .array([.string(file)])]
            try await expectEqual(guest.ask("complete-attachment-upload", ids).text, "{}")
            await desk.pass(.seconds(30))
            let items = try await ear.items(through: "CUSTOMER a.txt APPROVED").labels
            #expect(!items.contains("participant.idle CUSTOMER"))
        }
    }

    @Test("Each bot has a silence of its own: only the one that was told to be idle returns")
    func bots() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            try await Self.watch("AGENT", of: guest)
            let ear = try await guest.open()
            let silent = try await desk.guestBot(in: guest.contact)
            let busy = try await desk.guestBot(in: guest.contact)
            for bot in [silent, busy] { _ = try await bot.open() }
            try await ear.items(through: "participant.joined CUSTOM_BOT", count: 2)
            await desk.pass(.seconds(60))
            try await busy.say("one")
            await desk.pass(.seconds(60))
            try await busy.say("two")
            try await silent.say("three")
            let items = try await ear.items(through: "CUSTOM_BOT: three")
            func delivered(_ event: String) -> [JSONValue?] {
                items.filter { $0.label == "participant.\(event) CUSTOM_BOT" }.map { $0["ParticipantId"] }
            }
            expectEqual(delivered("idle"), [.string(silent.participant)])
            expectEqual(delivered("returned"), [.string(silent.participant)])
        }
    }
}
