import ChatPresentation
import Clocks
import ContactPresentation
import Expectations
import TestSupport
import Testing
import Texts

@testable import ConnectCore

/// What a screen of a contact costs, counted in what it is told to draw.
@Suite("A screen of any length")
struct LinearScreenTests {
    enum Order: String, CaseIterable {
        case rising, falling, equal, scattered, events, pieces

        func item(_ number: Int) -> WireItem? {
            let moment: Int64 =
                switch self {
                case .rising, .pieces: Int64(number)
                case .falling, .events: -Int64(number)
                case .equal: 0
                case .scattered: Int64(number * 7_919 % 10_007)
                }
            var item: JSONObject = [
                "AbsoluteTime": .string(
                    TimeStamp.text(nanoseconds: (1_768_469_400_000 + moment) * 1_000_000)),
                "Id": .string(self == .pieces ? "one" : "i\(number)"), "ParticipantRole": .string("SYSTEM"),
                "Type": .string(self == .events ? "EVENT" : "MESSAGE"), "Content": .string("word "),
                "ContactId": .string("c"),
                "ContentType": .string(
                    self == .events ? WireItem.eventPrefix + "participant.joined" : "text/plain"),
            ]
            if self == .events { item.members.append(.init("DisplayName", .string("Bob"))) }
            if self == .pieces {
                let piece: JSONObject = [
                    "MessageId": .string("one"), "ChunkNumber": .integer(Int64(number + 1)),
                ]
                item.members.append(.init("MessageMetadata", .object(piece)))
            }
            return WireItem(.object(item))
        }
    }

    /// How many rows a screen was told to draw, and how many it shows, for a reader that looks at each item.
    private func drawn(_ order: Order, _ count: Int) throws -> (drawn: Int, shown: Int, text: Int) {
        var core = TranscriptCore()
        var reader = ContactReader()
        var chat = ChatModel()
        var drawn = 0
        func take(_ event: ChatSessionEvent) {
            for action in reader.read(event) {
                for case .rows in chat.apply(action, at: 0) { drawn += 1 }
            }
        }
        take(.connectionEstablished)
        for number in 0..<count {
            let item = try #require(order.item(number))
            _ = core.merge(item, from: .live, at: Instant(secondsSince1970: Int64(number / 100))) { "made" }
            core.advance(to: Instant(secondsSince1970: Int64(number / 100)))
            for change in core.takeChanges() {
                switch change {
                case .insert(let row, _), .update(let row, _): take(.messageReceived(row))
                default: Issue.record("\(change)")
                }
            }
            take(.transcriptUpdated(TranscriptSnapshot(core.list, insertions: core.insertions)))
        }
        core.growDue(at: .distantFuture)
        for case .update(let row, _) in core.takeChanges() { take(.messageReceived(row)) }
        return (drawn, chat.rows.count, chat.rows.last?.message?.text.utf8.count ?? 0)
    }

    @Test("Four times the items draw at most five times the rows, in each order", arguments: Order.allCases)
    func screens(order: Order) throws {
        let count = Strength.of(400, full: 2_000)
        let (small, large) = (try drawn(order, count), try drawn(order, 4 * count))
        #expect(large.drawn <= 5 * small.drawn && large.drawn <= 32 * count, "\(order): \(small), \(large)")
        switch order {
        case .pieces: #expect(large.shown == 1 && large.text == 4 * count * 5)
        case .events: #expect(large.shown == 0 || large.shown == 4 * count)
        default: expectEqual(large.shown, 4 * count)
        }
    }

    @Test("Rows stand in their order, whichever way they came, and equal ones as they came")
    func order() throws {
        for order in [Order.falling, .scattered, .equal] {
            var reader = ContactReader()
            var chat = ChatModel()
            var core = TranscriptCore()
            for number in 0..<500 {
                let item = try #require(order.item(number))
                _ = core.merge(item, from: .live, at: Instant(secondsSince1970: 0)) { "made" }
                for case .insert(let row, _) in core.takeChanges() {
                    for action in reader.read(.messageReceived(row)) { _ = chat.apply(action, at: 0) }
                }
            }
            expectEqual(chat.rows.map { $0.message?.id }, core.list.rows.map(\.id), "\(order)")
            #expect(chat.rows.count { $0.hasTimeDivider } == 1 && chat.rows.first?.position == .first)
        }
    }
}
