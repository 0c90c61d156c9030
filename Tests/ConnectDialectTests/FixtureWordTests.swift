import Clocks
import TestSupport
import Testing
import Texts

@Suite("Words of fixtures, as contacts are told them", .timeLimit(.minutes(5)))
struct FixtureWordTests {
    /// The receipts told so far, by the kind of their latest mark.
    private static func receipts(_ items: [JSONValue]) -> [String] {
        items.compactMap { $0["MessageMetadata"]?["Receipts"]?.array?.first }
            .map { $0["ReadTimestamp"] == nil ? "delivered" : "read" }
    }

    @Test("A script's receipts are told, and no others; its file has its bytes")
    func receiptsAndFiles() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start(flow: "mock:concierge@pace=instant")
            let ear = try await guest.open()
            try await guest.say("the house rules")
            var items = try await ear.items(through: "SYSTEM rules.txt APPROVED")
            #expect(Self.receipts(items) == ["read"])
            let sent = try #require(items.first { $0.label == "CUSTOMER: the house rules" })
            let mark = try #require(items.first { $0.label == "MESSAGEMETADATA" }?["MessageMetadata"])
            #expect(mark["MessageId"] == sent["Id"])
            let file = try #require(items.last?["Attachments"]?.array?.first)
            #expect(file["ContentType"] == .string("text/plain"))
            let link = try await guest.ask("attachment", ["AttachmentId": file["AttachmentId"] ?? .null])
            let url = try #require(link["Url"]?.string)
            #expect(try await desk.client.request("GET", Desk.target(of: url)).text == "Quiet after ten.")

            try await guest.say("a person")
            try await ear.items(through: "AGENT: Ida at the desk.")
            try await guest.say("hm")
            await desk.pass(.seconds(5))
            items = try await ear.items(through: "AGENT: One moment.")
            // Nothing was made up for "a person", and "hm" was never read.
            #expect(Self.receipts(items) == ["read", "delivered"])
        }
    }

    @Test("Silence and return of a person, a transfer that fails, and one that succeeds")
    func people() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start(flow: "mock:concierge@pace=instant")
            let ear = try await guest.open()
            try await guest.say("a person")
            try await ear.items(through: "AGENT: Ida at the desk.")
            try await guest.say("look into the book")
            try await ear.items(through: "participant.idle AGENT")
            #expect(!Ear.items(ear.frames).labels.contains("participant.returned AGENT"))
            await desk.pass(.seconds(2))
            try await ear.items(through: "AGENT: I found it in the book.")
            try await guest.say("the chef")
            let failed = try await ear.items(through: "AGENT: The chef has gone home. Can I help?")
            #expect(
                failed.steady.suffix(4) == [
                    "CUSTOMER: the chef", "transfer.failed AGENT", "SYSTEM: The kitchen is closed.",
                    "AGENT: The chef has gone home. Can I help?",
                ])
            try await guest.say("the manager")
            await desk.pass(.seconds(1))
            let moved = try await ear.items(through: "AGENT: Max here, the manager.")
            let tail = moved.filter { !$0.label.hasPrefix("typing") }.suffix(6)
            #expect(
                tail.map(\.label) == [
                    "AGENT: I fetch him.", "SYSTEM: You are number 1 in line.", "participant.left AGENT",
                    "transfer.succeeded AGENT", "participant.joined AGENT", "AGENT: Max here, the manager.",
                ])
            #expect(
                tail.map { $0["DisplayName"]?.string } == [
                    "Ida", "SYSTEM_MESSAGE", "Ida", "Ida", "Max", "Max",
                ])
            #expect(
                tail.map { $0["ContactId"]?.string == guest.contact } == [
                    true, true, true, true, false, false,
                ])
            #expect(Set(tail.map { $0["InitialContactId"]?.string }) == [guest.contact])
            let kept = try await guest.transcript(["MaxResults": .integer(100)]).items.labels
            #expect(!kept.contains { $0.contains("idle") || $0.contains("returned") })
        }
    }
}
