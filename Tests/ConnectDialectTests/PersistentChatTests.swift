import Expectations
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Contacts that go on from others", .timeLimit(.minutes(5)))
struct PersistentChatTests {
    private static func past(_ contact: String, _ kind: String = "ENTIRE_PAST_SESSION") -> JSONObject {
        ["RehydrationType": .string(kind), "SourceContactId": .string(contact)]
    }

    /// A contact whose customer says `text` and leaves.
    private static func ended(
        _ desk: Desk, saying text: String, _ change: JSONObject = [:]
    ) async throws -> Guest {
        let guest = try await desk.start(change)
        let ear = try await guest.open()
        try await guest.say(text)
        _ = try await guest.ask("disconnect")
        try await ear.items(through: "chat.ended")
        return guest
    }

    /// What a new contact goes on from that asks for the whole past of this one.
    private static func source(_ desk: Desk, _ contact: String) async throws -> String? {
        let body = Desk.start(["PersistentChat": .object(past(contact))])
        return try await desk.ask("PUT", "/contact/chat", body)["ContinuedFromContactId"]?.string
    }

    /// All items that pages of this kind lead to.
    private static func pages(_ guest: Guest, _ body: JSONObject = [:]) async throws -> [JSONValue] {
        var items: [JSONValue] = []
        var next: String?
        repeat {
            var body = body
            if let next { body.members.append(JSONObject.Member("NextToken", .string(next))) }
            let page = try await guest.transcript(body)
            items += page.items
            next = page.next
        } while next != nil
        return items
    }

    /// Two people come, one after the other: what the contact is called then.
    private static func transferred(_ guest: Guest) async throws -> String {
        let ear = try await guest.open()
        for name in ["Ann", "Bob"] {
            try await guest.desk.act(guest.contact, "join", ["name": .string(name)])
        }
        let joined = try await ear.items(through: "participant.joined AGENT", count: 2)
        return try #require(joined.last?["ContactId"]?.string)
    }

    @Test("An association that is refused leaves the past of its source as it was")
    func refusedAssociation() async throws {
        try await Desk.run { desk in
            let first = try await Self.ended(desk, saying: "one")
            let other = try await Self.ended(desk, saying: "other")
            let refused = try await desk.ask(
                "POST", "/contact/persistent-contact-association/i/\(other.contact)",
                Self.past(first.contact, "FROM_SEGMENT"))
            expectEqual(refused.failure, "404 ResourceNotFoundException")
            try await expectEqual(Self.source(desk, first.contact), first.contact)
        }
    }

    @Test("The whole past goes on from the contact that ended last, whoever else is active or began later")
    func lastEnded() async throws {
        try await Desk.run { desk in
            let first = try await Self.ended(desk, saying: "one")
            let more: JSONObject = ["PersistentChat": .object(Self.past(first.contact, "FROM_SEGMENT"))]
            let second = try await desk.start(more)
            let ear = try await second.open()
            try await expectEqual(Self.source(desk, first.contact), first.contact)
            _ = try await second.ask("disconnect")
            try await ear.items(through: "chat.ended")
            try await expectEqual(Self.source(desk, first.contact), second.contact)
            let third = try await desk.start(more)
            try await expectEqual(Self.source(desk, first.contact), second.contact)
            // One that goes on by an association is the last one when it ends, too.
            let joined = try await desk.start()
            let other = try await joined.open()
            let associated = try await desk.ask(
                "POST", "/contact/persistent-contact-association/i/\(joined.contact)",
                Self.past(second.contact, "FROM_SEGMENT"))
            expectEqual(associated["ContinuedFromContactId"]?.string, second.contact)
            try await other.items(through: "chat.rehydrated")
            try await expectEqual(Self.source(desk, first.contact), second.contact)
            _ = try await joined.ask("disconnect")
            try await other.items(through: "chat.ended")
            try await expectEqual(Self.source(desk, first.contact), joined.contact)
            #expect(third.contact != joined.contact)
        }
    }

    /// protocol-connect.md#own-segments
    @Test("A ContactId chooses one segment, and a StartPosition this contact: neither reaches the past")
    func filters() async throws {
        try await Desk.run { desk in
            let past = try await Self.ended(desk, saying: "before")
            let guest = try await desk.start([
                "PersistentChat": .object(Self.past(past.contact, "FROM_SEGMENT"))
            ])
            let segment = try await Self.transferred(guest)
            func contacts(_ body: JSONObject) async throws -> Set<String?> {
                Set(try await Self.pages(guest, body).map { $0["ContactId"]?.string })
            }
            try await expectEqual(contacts([:]), [nil, guest.contact, segment])
            try await expectEqual(contacts(["ContactId": .string(guest.contact)]), [guest.contact])
            try await expectEqual(contacts(["ContactId": .string(segment)]), [segment])
            let start: JSONValue = .object(["MostRecent": .integer(1)])
            let backward: JSONObject = ["StartPosition": start, "ScanDirection": .string("BACKWARD")]
            try await expectEqual(contacts(backward), [guest.contact, segment])
            for unknown in ["nonsense", past.contact] {
                let answer = try await guest.ask("transcript", ["ContactId": .string(unknown)])
                #expect(answer.status == 200 && answer["Transcript"]?.array == [])
                expectEqual(answer["NextToken"]?.string, "")
            }
        }
    }

    @Test("A contact goes on from the segment that it names, and takes none that came later")
    func segments() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let segment = try await Self.transferred(guest)
            _ = try await guest.ask("disconnect")
            let first = guest.contact
            for (source, kind, used, whole) in [
                (first, "FROM_SEGMENT", first, [first]),
                (segment, "FROM_SEGMENT", segment, [first, segment]),
                (first, "ENTIRE_PAST_SESSION", segment, [first, segment]),
            ] {
                let body = Desk.start(["PersistentChat": .object(Self.past(source, kind))])
                let answer = try await desk.ask("PUT", "/contact/chat", body)
                expectEqual(answer["ContinuedFromContactId"], .string(used))
                let token = try #require(answer["ParticipantToken"]?.string)
                let next = try await desk.connect(try #require(answer["ContactId"]?.string), token, "")
                let found = try await Self.pages(next).compactMap { $0["RelatedContactId"]?.string }
                expectEqual(Set(found), Set(whole))
            }
        }
    }

    @Test("An association adds to the past that is there, and a page's token goes on where it did before")
    func accumulation() async throws {
        try await Desk.run { desk in
            let first = try await Self.ended(desk, saying: "in the first")
            let second = try await Self.ended(desk, saying: "in the second")
            let guest = try await desk.start([
                "PersistentChat": .object(Self.past(first.contact, "FROM_SEGMENT"))
            ])
            try await guest.open().items(through: "SYSTEM: Welcome.")
            let one: JSONObject = ["MaxResults": .integer(1)]
            let before = try await Self.pages(guest, one).filter { $0["RelatedContactId"] != nil }
            var found = try await guest.transcript(one)
            while found.items.first?["Id"] != before[0]["Id"], let next = found.next {
                let body: JSONObject = ["MaxResults": .integer(1), "NextToken": .string(next)]
                found = try await guest.transcript(body)
            }
            let token = JSONValue.string(try #require(found.next))
            let associated = try await desk.ask(
                "POST", "/contact/persistent-contact-association/i/\(guest.contact)",
                Self.past(second.contact, "FROM_SEGMENT"))
            expectEqual(associated["ContinuedFromContactId"], .string(second.contact))
            let resumed: JSONObject = ["MaxResults": .integer(1), "NextToken": token]
            try await expectEqual(guest.transcript(resumed).items, [before[1]])
            let after = try await Self.pages(guest).filter { $0["RelatedContactId"] != nil }
            let contacts = Set(after.compactMap { $0["RelatedContactId"]?.string })
            expectEqual(contacts, [first.contact, second.contact])
            let times = after.compactMap { $0["AbsoluteTime"]?.string }
            expectEqual(times, times.sorted(by: >))
            // The whole past of the one and of the other goes on from here.
            _ = try await guest.ask("disconnect")
            try await expectEqual(Self.source(desk, first.contact), guest.contact)
            try await expectEqual(Self.source(desk, second.contact), guest.contact)
        }
    }

    /// protocol-connect.md#hundred-contacts
    @Test("The past reaches back a hundred contacts")
    func hundred() async throws {
        try await Desk.run { desk in
            var chain: [String] = []
            for _ in 0..<102 {
                let from = chain.last.map { JSONValue.object(Self.past($0, "FROM_SEGMENT")) }
                let guest = try await desk.start(from.map { ["PersistentChat": $0] } ?? [:])
                if chain.count == 101 {
                    let found = try await Self.pages(guest).compactMap { $0["RelatedContactId"]?.string }
                    expectEqual(Set(found), Set(chain.suffix(100)))
                }
                chain.append(guest.contact)
                let stop: JSONObject = ["InstanceId": .string("i"), "ContactId": .string(guest.contact)]
                try await expectEqual(desk.ask("POST", "/contact/stop", stop).text, "{}")
            }
        }
    }
}
