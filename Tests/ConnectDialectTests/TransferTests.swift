import Clocks
import Expectations
import TestSupport
import Testing
import Texts

@Suite("Contacts that go on with another agent", .timeLimit(.minutes(5)))
struct TransferTests {
    @Test("Each contact of a chain of transfers is described by itself, with the one before it")
    func descriptions() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            for (count, name) in ["Ann", "Bob", "Cyd"].enumerated() {
                try await desk.act(guest.contact, "join", ["name": .string(name)])
                try await ear.items(through: "participant.joined AGENT", count: count + 1)
                await desk.pass(.seconds(1))
            }
            let joined = Ear.items(ear.frames).filter { $0.label == "participant.joined AGENT" }
            let chain = joined.compactMap { $0["ContactId"]?.string }
            #expect(chain.first == guest.contact && Set(chain).count == 3)
            let announced = try await guest.ask(
                "start-attachment-upload",
                [
                    "ContentType": .string("text/plain"), "AttachmentName": .string("a.txt"),
                    "AttachmentSizeInBytes": .integer(3),
                ])
            let fields = announced["UploadMetadata"]?["HeadersToInclude"]
            #expect(fields?["x-amz-meta-contact_id"]?.string == chain.last)
            #expect(fields?["x-amz-meta-initial_contact_id"]?.string == chain.first)
            var ended: JSONValue?
            for (place, id) in chain.enumerated() {
                let contact = try await desk.ask("GET", "/contacts/i/\(id)")["Contact"]
                #expect(contact?["Id"]?.string == id)
                #expect(contact?["InitialContactId"]?.string == guest.contact)
                #expect(contact?["PreviousContactId"]?.string == (place == 0 ? nil : chain[place - 1]))
                expectEqual(contact?["AgentInfo"] == nil, place < 2)
                // One begins where the one before it ended.
                let begun = try #require(contact?["InitiationTimestamp"])
                #expect(place == 0 || begun == ended)
                ended = contact?["DisconnectTimestamp"]
                expectEqual(ended == nil, place == 2)
            }
        }
    }

    /// protocol-connect.md#silence
    @Test("The agent of a transfer has timers of their own, with the settings of their joining")
    func timersOfTransfer() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            func set(_ minutes: Int64) async throws {
                let timer: JSONObject = [
                    "ParticipantRole": .string("AGENT"), "TimerType": .string("IDLE"),
                    "TimerValue": .object(["ParticipantTimerDurationInMinutes": .integer(minutes)]),
                ]
                let chat: JSONObject = [
                    "Chat": .object(["ParticipantTimerConfigList": .array([.object(timer)])])
                ]
                let answer = try await desk.ask(
                    "PUT", "/contact/participant-role-config/i/\(guest.contact)",
                    ["ChannelConfiguration": .object(chat)])
                expectEqual(answer.text, "{}")
            }
            func idles() -> Int { Ear.items(ear.frames).labels.count { $0 == "participant.idle AGENT" } }
            try await set(2)
            try await desk.act(guest.contact, "join", ["name": .string("Ann")])
            await desk.pass(.seconds(110))
            try await set(3)
            try await desk.act(guest.contact, "join", ["name": .string("Bob")])
            try await ear.items(through: "participant.joined AGENT", count: 2)
            await desk.pass(.seconds(179))
            try await guest.say("quiet here")
            try await ear.items(through: "CUSTOMER: quiet here")
            expectEqual(idles(), 0)
            await desk.pass(.seconds(1))
            let items = try await ear.items(through: "participant.idle AGENT")
            #expect(items.last { $0.label == "participant.idle AGENT" }?["DisplayName"] == .string("Bob"))
        }
    }

    /// protocol-connect.md#silence
    @Test("Who was told to be idle is told to have returned, also when somebody joined in between")
    func returned() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            let timer: JSONObject = [
                "ParticipantRole": .string("CUSTOMER"), "TimerType": .string("IDLE"),
                "TimerValue": .object(["ParticipantTimerDurationInMinutes": .integer(2)]),
            ]
            let chat: JSONObject = ["Chat": .object(["ParticipantTimerConfigList": .array([.object(timer)])])]
            let answer = try await desk.ask(
                "PUT", "/contact/participant-role-config/i/\(guest.contact)",
                ["ChannelConfiguration": .object(chat)])
            expectEqual(answer.text, "{}")
            try await desk.act(guest.contact, "join", ["name": .string("Ann")])
            await desk.pass(.minutes(2))
            try await ear.items(through: "participant.idle CUSTOMER")
            try await desk.act(guest.contact, "join", ["name": .string("Bob")])
            try await guest.say("here again")
            let items = try await ear.items(through: "CUSTOMER: here again").labels
            expectEqual(items.count { $0 == "participant.returned CUSTOMER" }, 1)
        }
    }
}
