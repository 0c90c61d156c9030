import Clocks
import Expectations
import MockServer
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
            expectEqual(Self.receipts(items), ["read"])
            let sent = try #require(items.first { $0.label == "CUSTOMER: the house rules" })
            let mark = try #require(items.first { $0.label == "MESSAGEMETADATA" }?["MessageMetadata"])
            expectEqual(mark["MessageId"], sent["Id"])
            let file = try #require(items.last?["Attachments"]?.array?.first)
            expectEqual(file["ContentType"], .string("text/plain"))
            let link = try await guest.ask("attachment", ["AttachmentId": file["AttachmentId"] ?? .null])
            let url = try #require(link["Url"]?.string)
            try await expectEqual(desk.client.request("GET", Desk.target(of: url)).text, "Quiet after ten.")

            try await guest.say("a person")
            try await ear.items(through: "AGENT: Ida at the desk.")
            try await guest.say("hm")
            await desk.pass(.seconds(5))
            items = try await ear.items(through: "AGENT: One moment.")
            // Nothing was made up for "a person", and "hm" was never read.
            expectEqual(Self.receipts(items), ["read", "delivered"])
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
            expectEqual(
                failed.steady.suffix(4),
                [
                    "CUSTOMER: the chef", "transfer.failed AGENT", "SYSTEM: The kitchen is closed.",
                    "AGENT: The chef has gone home. Can I help?",
                ])
            try await guest.say("the manager")
            await desk.pass(.seconds(1))
            let moved = try await ear.items(through: "AGENT: Max here, the manager.")
            let tail = moved.filter { !$0.label.hasPrefix("typing") }.suffix(6)
            expectEqual(
                tail.map(\.label),
                [
                    "AGENT: I fetch him.", "SYSTEM: You are number 1 in line.", "participant.left AGENT",
                    "transfer.succeeded AGENT", "participant.joined AGENT", "AGENT: Max here, the manager.",
                ])
            expectEqual(
                tail.map { $0["DisplayName"]?.string },
                [
                    "Ida", "SYSTEM_MESSAGE", "Ida", "Ida", "Max", "Max",
                ])
            expectEqual(
                tail.map { $0["ContactId"]?.string == guest.contact },
                [
                    true, true, true, true, false, false,
                ])
            expectEqual(Set(tail.map { $0["InitialContactId"]?.string }), [guest.contact])
            let kept = try await guest.transcript(["MaxResults": .integer(100)]).items.labels
            #expect(!kept.contains { $0.contains("idle") || $0.contains("returned") })
        }
    }

    private static func content(_ item: JSONValue?) throws -> JSONValue {
        try JSONReader.read(Array((item?["Content"]?.string ?? "").utf8))
    }

    @Test(
        "Times, menus and forms are templates; the engine hears the same words as from plain buttons",
        arguments: ["COMPLETE", "INCREMENTAL"] as [String])
    func templates(mode: String) async throws {
        let views = JSONValue.object(["checkout": .object(["Id": .string("view-1")])])
        try await Desk.run(Desk.usual, { $0.connect.views = views }) { desk in
            let guest = try await desk.start(
                [
                    "SupportedMessagingContentTypes": Desk.rich,
                    "ParticipantConfiguration": .object(["ResponseMode": .string(mode)]),
                ], flow: "mock:concierge@pace=instant")
            let ear = try await guest.open()
            @Sendable func template(_ name: String, of items: [JSONValue]) -> JSONValue? {
                items.last {
                    $0["Type"] == .string("MESSAGE")
                        && (try? Self.content($0))?["templateType"] == .string(name)
                }
            }
            func delivered(_ name: String) async throws -> JSONValue {
                let frame = try await ear.frame { template(name, of: Ear.items([$0])) != nil }
                return try Self.content(template(name, of: Ear.items([frame])))["data"]?["content"] ?? .null
            }
            try await guest.say("a table")
            let picker = try await delivered("TimePicker")
            expectEqual(picker["title"], .string("When would you like to dine?"))
            let slots = try #require(picker["timeslots"]?.array)
            expectEqual(slots.map { $0["duration"] }, [.integer(90), .integer(90)])
            expectEqual(slots[1]["date"], .string("2026-01-30T20:00+00:00"))
            // Clients answer with the date; the rule hears "At eight".
            try await guest.say("2026-01-30T20:00+00:00")
            let carousel = try await delivered("Carousel")
            let panels = try #require(carousel["elements"]?.array)
            expectEqual(panels.map { $0["templateIdentifier"] }, [.string("panel-1"), .string("panel-2")])
            #expect(
                panels.allSatisfy {
                    $0["templateType"] == .string("Panel") && $0["version"] == .string("1.0")
                })
            let texts = panels.compactMap { panel in
                panel["data"]?["content"]?["elements"]?.array?.compactMap { $0["title"]?.string }
            }
            expectEqual(texts, [["Soup", "Salad"], ["Fish"]])
            try await guest.say(
                #"{"templateIdentifier":"panel-2","listTitle":"Main dishes","selectionText":"Fish"}"#)
            try await ear.items(through: "SYSTEM: Noted.")
            try await guest.say("check out")
            let view = try await delivered("ViewResource")
            #expect(view["viewToken"] == .string("checkout") && view["viewId"] == .string("view-1"))
            let described = try await desk.ask("GET", "/participant/views/checkout", bearer: guest.bearer)
            #expect(described["View"]?["Id"] == .string("view-1"))
            let heard = try await guest.transcript(["MaxResults": .integer(100)]).items
            #expect(heard.labels.contains("CUSTOMER: 2026-01-30T20:00+00:00"))
        }
    }

    @Test("A view's template and schema are sent as texts of JSON, its other members as they are written")
    func viewContent() async throws {
        let form: JSONObject = ["kind": .string("form")]
        let views = JSONValue.object([
            "v": .object([
                "Content": .object([
                    "InputSchema": .object(form), "Template": .string("{}"), "Actions": .object(form),
                ])
            ])
        ])
        try await Desk.run(Desk.usual, { $0.connect.views = views }) { desk in
            let guest = try await desk.start()
            _ = try await guest.open()
            let described = try await desk.ask("GET", "/participant/views/v", bearer: guest.bearer)
            let content = try #require(described["View"]?["Content"], "\(described.text)")
            expectEqual(content["InputSchema"], .string(#"{"kind":"form"}"#))
            expectEqual(content["Template"], .string("{}"))
            expectEqual(content["Actions"], .object(form))
        }
    }

    @Test("Without interactive messages they are lists in the text")
    func plainTexts() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start(flow: "mock:concierge@pace=instant")
            let ear = try await guest.open()
            try await guest.say("a table")
            try await ear.items(through: "SYSTEM: When would you like to dine?\n- At six\n- At eight")
            try await guest.say("at six")
            let menus = "SYSTEM: Your table waits. What may we prepare?\n- Soup\n- Salad\n- Fish"
            try await ear.items(through: menus)
            try await guest.say("check out")
            try await ear.items(through: "SYSTEM: Please sign here.")
        }
    }
}
