import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Echoes that come late", .timeLimit(.minutes(5)))
struct LateEchoTests {
    private static func run(_ body: (Desk) async throws -> Void) async throws {
        try await Desk.run(Desk.usual, { $0.replies.echoDelay = .seconds(1) }, body)
    }

    @Test("Receipts are about the message that was late, not about the last item")
    func receipts() async throws {
        try await Self.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            try await desk.act(guest.contact, "join", ["name": .string("Ann")])
            let late = try await guest.say("late")
            try await desk.act(guest.contact, "send", ["text": .string("one")])
            try await ear.items(through: "AGENT: one")
            await desk.pass(.seconds(3))
            let items = try await ear.items(through: "MESSAGEMETADATA", count: 2)
            let marks = items.filter { $0.label == "MESSAGEMETADATA" }.map { $0["MessageMetadata"] }
            expectEqual(marks.count, 2)
            #expect(marks.allSatisfy { $0?["MessageId"] == late["Id"] })
            let kept = try await guest.transcript(["MaxResults": .integer(100)]).items
            expectEqual(kept.filter { $0["MessageMetadata"] != nil }.labels, ["CUSTOMER: late"])
        }
    }

    @Test(
        "Pages that were begun before it came have every other item once",
        arguments: ["BACKWARD", "FORWARD"] as [String])
    func pages(direction: String) async throws {
        try await Self.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            try await desk.act(guest.contact, "join", ["name": .string("Ann")])
            try await guest.say("late")
            for text in ["one", "two", "three"] {
                try await desk.act(guest.contact, "send", ["text": .string(text)])
            }
            try await ear.items(through: "AGENT: three")
            let early = try await guest.transcript(["SortOrder": .string("ASCENDING")]).items
            var body: JSONObject = ["MaxResults": .integer(1), "ScanDirection": .string(direction)]
            if direction == "FORWARD" {
                let one = try #require(early.first { $0.label == "AGENT: one" }?["Id"])
                body.members.append(JSONObject.Member("StartPosition", .object(["Id": one])))
            }
            var (found, next) = try await guest.transcript(body)
            await desk.pass(.seconds(1))
            try await ear.items(through: "CUSTOMER: late")
            while let token = next {
                let page = try await guest.transcript([
                    "MaxResults": .integer(1), "ScanDirection": .string(direction),
                    "NextToken": .string(token),
                ])
                found += page.items
                next = page.next
            }
            let said = found.labels.filter { $0.hasPrefix("AGENT:") || $0.hasPrefix("CUSTOMER:") }
            let all = ["CUSTOMER: late", "AGENT: one", "AGENT: two", "AGENT: three"]
            expectEqual(said, direction == "FORWARD" ? Array(all.dropFirst()) : all.reversed())
        }
    }
}
