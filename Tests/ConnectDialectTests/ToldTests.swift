import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("What people and scripts let contacts be told", .timeLimit(.minutes(5)))
struct ToldTests {
    private static let prefix = "application/vnd.amazonaws.connect.event."

    private static func push(_ event: JSONObject, to guest: Guest) async throws {
        let answer = try await guest.desk.ask(
            "POST", "/_mock/sessions/\(guest.contact)/events", event, ["Content-Type": "application/json"])
        expectEqual(answer.status, 200, "\(answer.text)")
    }

    @Test("An event that is pushed by the type that contacts know it by is told")
    func pushed() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            let event: JSONObject = [
                "as": .string("raw"), "type": .string(Self.prefix + "participant.idle"),
            ]
            try await Self.push(event, to: guest)
            try await guest.say("hi")
            let items = try await ear.items(through: "SYSTEM: You said hi.").labels
            #expect(items.contains("participant.idle SYSTEM"))
        }
    }

    @Test("Nobody got or read a message before it was said")
    func receipts() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            try await desk.act(guest.contact, "join", ["name": .string("Ann")])
            for number in 0..<5 { try await guest.say("\(number)") }
            let items = try await guest.transcript().items
            let told = items.compactMap { item in
                item["MessageMetadata"]?["Receipts"]?.array?.first.map { (item, $0) }
            }
            expectEqual(told.count, 5)
            for (item, receipt) in told {
                let said = try #require(item["AbsoluteTime"]?.string)
                let delivered = try #require(receipt["DeliveredTimestamp"]?.string)
                #expect(delivered >= said)
            }
        }
    }

    /// protocol-connect.md#connect-first
    @Test(
        "A transcript begins with the customer, whatever is told before they connect",
        arguments: [
            ("agent", "SYSTEM: pushed"), ("user", "CUSTOMER: pushed"),
            ("raw", "participant.invited SYSTEM"), ("handoff", "participant.invited AGENT"),
            ("failure", "SYSTEM: no"),
        ] as [(String, String)])
    func early(deed: String, label: String) async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            switch deed {
            case "handoff", "failure":
                try await desk.act(guest.contact, "triggerHandoff")
                if deed == "handoff" {
                    try await desk.act(guest.contact, "accept", ["queue": .string("Desk")])
                } else {
                    try await desk.act(guest.contact, "fail", ["reason": .string("no")])
                }
            case "raw":
                let type = JSONValue.string(Self.prefix + "participant.invited")
                try await Self.push(["as": .string("raw"), "type": type], to: guest)
            default: try await Self.push(["as": .string(deed), "text": .string("pushed")], to: guest)
            }
            let order: JSONObject = ["SortOrder": .string("ASCENDING"), "MaxResults": .integer(100)]
            _ = try await guest.open()
            let kept = try await guest.transcript(order).items.labels
            expectEqual(kept.first, "participant.joined CUSTOMER")
            expectEqual(kept.count { $0 == "participant.joined CUSTOMER" }, 1)
            #expect(kept.contains(label), "\(kept)")
        }
    }

    /// protocol-connect.md#written-events
    @Test(
        "Events of the contact itself have no sender, those of participants have one",
        arguments: [
            ("chat.ended", ""), ("chat.rehydrated", ""), ("workflow.cancelled", ""),
            ("participant.displayname.updated", " SYSTEM"), ("participant.active", " SYSTEM"),
            ("participant.inactive", " SYSTEM"),
        ] as [(String, String)])
    func senders(name: String, role: String) async throws {
        let rule = """
            { name: "event", hears: "event", replies: [ { emit: { type: "\(Self.prefix)\(name)" } } ] },
            """
        try await Desk.run(Desk.fixture(rule)) { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await guest.say("event")
            try await guest.say("hi")
            let items = try await ear.items(through: "SYSTEM: You said hi.").labels
            #expect(items.contains(name + role))
        }
    }
}
