import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts

@testable import ConnectDialect

@Suite("Pages of a transcript")
struct TranscriptTests {
    private static func contact() -> Contact {
        let contact = Contact(of: "c", settings: ConnectOptions())
        var start = Contact.Start()
        start.customer = "jane"
        contact.begin(start, "Jane", at: Instant(secondsSince1970: 1_768_469_400))
        return contact
    }

    /// A contact of random length with random gaps: things that are not kept, and things that are to come.
    private static func contact(_ dice: inout SeededGenerator) -> (Contact, passing: [(UniqueID, Int)]) {
        let contact = contact()
        let now = contact.openedAt
        var steps: [EncoderOutput.Step] = []
        for _ in 0..<Int.random(in: 0...30, using: &dice) {
            contact.deliver(.message(.plain, "past"), from: contact.customer, at: now, into: &steps)
        }
        contact.start.continued = Contact.Continued(contact: "b", firsts: ["b"], items: Array(contact.items))
        contact.items = ItemLog()
        var passing: [(UniqueID, Int)] = []
        for _ in 0..<Int.random(in: 0...60, using: &dice) {
            switch Int.random(in: 0..<5, using: &dice) {
            case 0:
                let item = contact.deliver(.event(.typing), from: contact.customer, at: now, into: &steps)
                passing.append((item.id, contact.items.count))
            case 1:
                contact.deliver(.message(.plain, ""), from: nil, at: now, into: &steps)
                contact.items[contact.items.count - 1].isPending = true
            default: contact.deliver(.message(.plain, "hi"), from: nil, at: now, into: &steps)
            }
        }
        return (contact, passing)
    }

    /// All places from a start on, page by page.
    private static func walk(_ contact: Contact, _ page: TranscriptPage) -> [Int] {
        var page = page
        var found: [Int] = []
        for _ in 0..<1_000 {
            let (places, next) = contact.places(of: page)
            #expect(places.count <= page.limit)
            expectEqual(places, page.order == .ascending ? places.sorted() : places.sorted(by: >))
            found += page.direction == .forward ? places.sorted() : places.sorted(by: >)
            guard let next else { return found }
            let pass = contact.pass(to: next, after: page, of: "c", at: contact.openedAt)
            let isKnown = page.goOn(from: pass, asked: nil)
            #expect(isKnown)
        }
        Issue.record("the pages never end")
        return found
    }

    @Test("From every place, in both directions, with every size, each item comes once and in order")
    func everywhere() {
        for seed in 0..<Strength.of(20, full: 200) {
            var dice = SeededGenerator(seed: UInt64(seed))
            let (contact, passing) = Self.contact(&dice)
            let kept = contact.items.indices.filter { !contact.items[$0].isPending }
            let past = Array((0..<(contact.start.continued?.items.count ?? 0)).map { -1 - $0 })
            var page = TranscriptPage()
            for size in 1...100 {
                page = TranscriptPage()
                (page.limit, page.order) = (size, size % 2 == 0 ? .ascending : .descending)
                expectEqual(Self.walk(contact, page), kept.reversed() + past)
                page.direction = .forward
                expectEqual(Self.walk(contact, page), [])
                guard !kept.isEmpty else { continue }
                let from = kept[size % kept.count]
                page.start = .item(contact.items[from].id)
                expectEqual(Self.walk(contact, page), kept.filter { $0 >= from })
                page.start = .time(contact.items[from].time)
                expectEqual(Self.walk(contact, page), kept.filter { $0 >= from })
                page.direction = .backward
                expectEqual(Self.walk(contact, page), kept.filter { $0 <= from }.reversed() + past)
            }
            page = TranscriptPage()
            page.direction = .forward
            page.limit = 7
            for (id, place) in passing.suffix(64) {
                page.start = .item(id)
                expectEqual(Self.walk(contact, page), kept.filter { $0 >= place })
            }
            page.start = .item(UniqueID(high: 1, low: 1))
            expectEqual(Self.walk(contact, page), [])
        }
    }

    @Test("The most recent items are counted without those that are to come")
    func mostRecent() {
        for seed in 0..<20 {
            var dice = SeededGenerator(seed: UInt64(seed))
            let (contact, _) = Self.contact(&dice)
            let kept = contact.items.indices.filter { !contact.items[$0].isPending }
            var page = TranscriptPage()
            page.direction = .forward
            page.limit = 100
            for count in 1...100 {
                page.start = .mostRecent(count)
                expectEqual(contact.places(of: page).places.sorted(), kept.suffix(count))
            }
        }
    }

    /// protocol-connect.md#own-next-token
    @Test("A next page needs no direction of its own and no start, and takes no other direction")
    func nextPages() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            for text in ["one", "two", "three"] {
                try await guest.say(text)
                try await ear.items(through: "SYSTEM: You said \(text).")
            }
            let all = try await guest.transcript(["SortOrder": .string("ASCENDING")]).items
            let from: JSONValue = .object(["Id": try #require(all[2]["Id"])])
            let (limit, order) = (JSONValue.integer(2), JSONValue.string("ASCENDING"))
            let first = try await guest.transcript([
                "MaxResults": limit, "SortOrder": order, "StartPosition": from,
            ])
            let next = JSONValue.string(try #require(first.next))
            expectEqual(first.items, Array(all[2..<4]))
            for more: JSONObject in [
                [:], ["StartPosition": from], ["StartPosition": .object(["AbsoluteTime": .string("x")])],
                ["ScanDirection": .string("FORWARD")],
            ] {
                var body: JSONObject = ["MaxResults": limit, "SortOrder": order, "NextToken": next]
                body.members += more.members
                try await expectEqual(guest.transcript(body).items, Array(all[4..<6]))
            }
            let other = try await guest.ask(
                "transcript", ["NextToken": next, "ScanDirection": .string("BACKWARD")])
            expectEqual(other.failure, "400 ValidationException")
        }
    }

    /// protocol-connect.md#forward-from-a-place
    @Test(
        "FORWARD from no place is refused, whatever form the missing place has",
        arguments: [
            "", #","StartPosition":null"#, #","StartPosition":{}"#, #","StartPosition":{"Id":null}"#,
            #","StartPosition":{"AbsoluteTime":null,"MostRecent":null}"#, #","StartPosition":{"id":"x"}"#,
            #","StartPosition":{"Place":"x"},"NextToken":null"#,
        ] as [String])
    func nowhere(start: String) async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let body = try JSONReader.read(Array(#"{"ScanDirection":"FORWARD"\#(start)}"#.utf8))
            let refused = try await guest.ask("transcript", try #require(body.object))
            expectEqual(refused.failure, "400 ValidationException")
            expectEqual(refused["message"]?.string?.contains("StartPosition"), true)
        }
    }

    @Test("Ids are read in their canonical form alone")
    func ids() {
        var dice = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let id = UniqueID.version4(from: &dice)
            expectEqual(UniqueID(id.text), id)
            #expect(UniqueID(id.text.uppercased()) == nil || id.text == id.text.uppercased())
        }
        for text in ["", "x", "0190f1c2-5f0a-7c11-8a61-3f4b9a2d1c0", "0190f1c2x5f0a-7c11-8a61-3f4b9a2d1c01"] {
            expectEqual(UniqueID(text), nil)
        }
    }

    @Test("A pass opens what it was made for; a changed one, or one of another kind or key, opens nothing")
    func passes() {
        let key = SigningKey([UInt8](repeating: 1, count: 32))
        let now = Instant(secondsSince1970: 1_768_469_400)
        let pass = BearerToken(kind: .connection, contact: "c", party: 3, detail: "x", issued: now, end: now)
        let text = pass.signed(key)
        expectEqual(BearerToken(text, kind: .connection, key: key), pass)
        expectEqual(BearerToken(text, kind: .participant, key: key), nil)
        expectEqual(
            BearerToken(text, kind: .connection, key: SigningKey([UInt8](repeating: 2, count: 32))), nil)
        for index in text.indices where index < text.index(before: text.endIndex) {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            expectEqual(BearerToken(changed, kind: .connection, key: key), nil)
        }
    }

    /// protocol-connect.md#passing-ids
    @Test("A transcript goes on from the last thousand ids that it does not have, and from no older one")
    func passingIDs() {
        let contact = Self.contact()
        let now = contact.openedAt
        var steps: [EncoderOutput.Step] = []
        let first = contact.deliver(.event(.typing), from: contact.customer, at: now, into: &steps)
        for _ in 1..<1_000 { contact.deliver(.event(.typing), from: contact.customer, at: now, into: &steps) }
        contact.deliver(.message(.plain, "missed"), from: contact.customer, at: now, into: &steps)
        var page = TranscriptPage()
        (page.direction, page.start) = (.forward, .item(first.id))
        expectEqual(contact.places(of: page).places, [0])
        contact.deliver(.event(.typing), from: contact.customer, at: now, into: &steps)
        expectEqual(contact.places(of: page).places, [])
    }

    @Test("From an id that the transcript does not have it goes on to both sides")
    func besidePassingID() {
        let contact = Self.contact()
        let now = contact.openedAt
        var steps: [EncoderOutput.Step] = []
        contact.deliver(.message(.plain, "before"), from: contact.customer, at: now, into: &steps)
        let typing = contact.deliver(.event(.typing), from: contact.customer, at: now, into: &steps)
        contact.deliver(.message(.plain, "after"), from: contact.customer, at: now, into: &steps)
        var page = TranscriptPage()
        (page.direction, page.start) = (.backward, .item(typing.id))
        expectEqual(contact.places(of: page).places, [0])
        page.direction = .forward
        expectEqual(contact.places(of: page).places, [1])
    }

    @Test(
        "A start that names no place is none",
        arguments: ["Id", "AbsoluteTime", "MostRecent", "Else"] as [String])
    func noStart(name: String) async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            try await guest.open().items(through: "SYSTEM: Welcome.")
            let start: JSONObject = [name: name == "Else" ? .integer(1) : .null]
            let whole = try await guest.transcript().items
            try await expectEqual(guest.transcript(["StartPosition": .object(start)]).items, whole)
            expectEqual(whole.count, 2)
        }
    }
}
