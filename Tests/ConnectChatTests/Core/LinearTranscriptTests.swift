import Clocks
import Expectations
import TestSupport
import Testing
import Texts

@testable import ConnectCore

/// What items cost, counted: rows that were moved, snapshots that wait, characters that were copied.
@Suite("ConnectChat: transcripts of any length")
struct LinearTranscriptTests {
    enum Order: String, CaseIterable {
        case rising, falling, equal, scattered, unreadable, own, events

        func item(_ number: Int) -> WireItem {
            let second = Double(number) / 1_000
            switch self {
            case .rising: return ChatBench.item("i\(number)", second, "x")
            case .falling: return ChatBench.item("i\(number)", -second, "x")
            case .equal: return ChatBench.item("i\(number)", 0, "x")
            case .scattered: return ChatBench.item("i\(number)", Double(number * 7_919 % 10_007), "x")
            case .own: return ChatBench.item("i\(number)", -second, "x", role: "CUSTOMER")
            case .events: return ChatBench.event("i\(number)", -second, "participant.joined")
            case .unreadable:
                var item = ChatBench.item("i\(number)", 0, "x")
                item.time = "yesterday \(number)"
                return item
            }
        }
    }

    private func moved(_ order: Order, _ count: Int) -> Int {
        var core = TranscriptCore()
        var snapshots: [RowList] = []
        for number in 0..<count {
            let item = order.item(number)
            _ = core.merge(item, from: .live, at: Instant(secondsSince1970: 0)) { "made" }
            // Readers that look at each.
            snapshots = [core.list]
            _ = core.takeChanges()
        }
        #expect(core.list.count == count && snapshots.count == 1)
        expectEqual(core.list.rows.map(RowKey.init), core.list.rows.map(RowKey.init).sorted())
        return core.list.moved
    }

    @Test("Four times the items move at most five times the rows, in each order", arguments: Order.allCases)
    func orders(order: Order) {
        let count = Strength.of(500, full: 2_000)
        let (small, large) = (moved(order, count), moved(order, 4 * count))
        #expect(large <= 5 * small, "\(order): \(small), \(large)")
        #expect(large <= 4 * count * 100, "\(order): \(large)")
    }

    @Test("A list in blocks is a sorted array, whatever comes and goes")
    func blocks() {
        var chance = SeededGenerator(seed: 7)
        var list = RowList()
        var sorted: [TranscriptRow] = []
        for number in 0..<Strength.of(3_000, full: 30_000) {
            if chance.next() % 3 == 0, let row = sorted.randomElement(using: &chance) {
                let place = sorted.firstIndex { $0.id == row.id } ?? 0
                let spot = list.find(RowKey(row))
                #expect(spot.map { list[$0].id } == row.id && spot.map(list.number) == place)
                if let spot { expectEqual(list.remove(at: spot), place) }
                sorted.remove(at: place)
                continue
            }
            var row = TranscriptRow(
                kind: .message, id: "\(number)", persistentId: "\(number)", timeStamp: "", contentType: "")
            (row.rank, row.place, row.arrival) = (Int(chance.next() % 3), Int64(chance.next() % 50), number)
            let place = sorted.firstIndex { RowKey(row) < RowKey($0) } ?? sorted.count
            sorted.insert(row, at: place)
            expectEqual(list.insert(row), place)
        }
        #expect(list.rows == sorted && list == RowList(sorted) && list.count == sorted.count)
        expectEqual(list.last(before: RowKey(startOf: 1))?.id, sorted.last { $0.rank == 0 }?.id)
    }

    @Test("A transcript keeps its newest 20,000 rows, and 64 MiB of them; the rest is forgotten, ids and all")
    func bounds() {
        var core = TranscriptCore()
        var rows: [String] = []
        var left: [Int] = []
        func hear(_ item: WireItem) {
            _ = core.merge(item, from: .live, at: Instant(secondsSince1970: 0)) { "made" }
            for change in core.takeChanges() {
                switch change {
                case .insert(let row, let index): rows.insert(row.id, at: index)
                case .removeFirst(let count):
                    rows.removeFirst(count)
                    left.append(rows.count)
                default: Issue.record("\(change)")
                }
            }
        }
        let count = ConnectLimits.keptRows + 5_000
        for number in 0..<count { hear(Order.rising.item(number)) }
        #expect(core.list.count <= ConnectLimits.keptRows && core.list.count > ConnectLimits.keptRows * 7 / 8)
        #expect(rows == core.list.rows.map(\.id) && rows.last == "i\(count - 1)")
        #expect(core.row("i0") == nil && core.insertions == count)
        expectEqual(Set(left), [ConnectLimits.keptRows / 16 * 15])
        let large = String(repeating: "x", count: 1 << 20)
        for number in 0..<Strength.of(70, full: 200) {
            hear(ChatBench.item("large\(number)", Double(1_000_000 + number), large))
        }
        #expect(
            core.list.rows.reduce(0) { $0 + $1.text.utf8.count + $1.frame.count }
                <= ConnectLimits.keptRowBytes)
    }

    @Test(
        "A streamed message grows in few copies, loses no piece, and shows them within a quarter of a second")
    func pieces() {
        func copied(_ count: Int) -> Int {
            var bench = ChatBench.active()
            var copied = 0
            var text = ""
            for number in 1...count {
                let piece = "\(number) " + String(repeating: "x", count: 40)
                text += piece
                bench.outputs = []
                bench.hear(ChatBench.fragment("s", Int64(number), piece))
                for case .changed(let changes, _) in bench.outputs {
                    for case .update(let row, _) in changes { copied += row.text.utf8.count }
                }
            }
            bench.advance(ConnectLimits.growthPause)
            expectEqual(bench.rows.last?.text, text)
            return copied
        }
        let count = Strength.of(500, full: 2_000)
        let (small, large) = (copied(count), copied(4 * count))
        #expect(large <= 5 * small, "\(small), \(large)")
    }

    @Test("However many type, few are shown")
    func typists() {
        var bench = ChatBench.active()
        for number in 0..<500 {
            bench.hear(
                ChatBench.item(
                    "t\(number)", 0, sender: "p\(number)", type: "EVENT",
                    contentType: WireItem.eventPrefix + "typing"))
        }
        #expect(bench.rows.count == ConnectLimits.typists && bench.rows.last?.id == "t499")
        bench.advance(ConnectLimits.typingShown)
        #expect(bench.rows.isEmpty)
    }

    @Test("A listener holds the transcript once, a row that grows once, and of all else the newest 1,000")
    func listener() {
        let looks = Locked(0)
        let listener = ChatListener(holdsBack: false) {
            looks.withLock { $0 += 1 }
            return TranscriptSnapshot()
        } wake: {
        } leave: {
        }
        var row = TranscriptRow(kind: .message, id: "g", persistentId: "g", timeStamp: "", contentType: "")
        row.isComplete = false
        for number in 0..<5_000 {
            row.text = "\(number)"
            listener.notify(.messageReceived(row))
            listener.notifyTranscript()
        }
        #expect(
            listener.takeAll() == [.messageReceived(row), .transcriptUpdated(TranscriptSnapshot())]
                && looks.withLock { $0 } == 1)
        for number in 0..<5_000 {
            var row = row
            (row.persistentId, row.isComplete) = ("\(number)", true)
            listener.notify(.messageReceived(row))
            listener.notifyTranscript()
        }
        let events = listener.takeAll()
        #expect(events.count == ConnectLimits.unreadEvents && looks.withLock { $0 } == 2)
        expectEqual(events.last, .transcriptUpdated(TranscriptSnapshot()))
    }

    @Test("Who holds the chat back misses nothing, and is asked to be waited for while much is unread")
    func holdingBack() {
        let listener = ChatListener(holdsBack: true) {
            TranscriptSnapshot()
        } wake: {
        } leave: {
        }
        let taken = Locked(0)
        for _ in 0..<5_000 { listener.notify(.connecting) }
        #expect(listener.isBehind { taken.withLock { $0 += 1 } })
        #expect(listener.takeAll().count == 5_000 && taken.withLock { $0 } == 1)
        #expect(!listener.isBehind {})
        listener.stop()
        listener.notify(.connecting)
        #expect(listener.takeAll().isEmpty)
    }

    @Test("Times are instants: fractions and offsets of any form stand where they belong")
    func instants() {
        var bench = ChatBench.active()
        let times = [
            "2026-01-15T10:00:01Z", "2026-01-15T10:00:01.500Z", "2026-01-15T10:00:00.900Z",
            "2026-01-15T11:00:01.25+01:00", "2026-01-15T10:00:01.0000001Z",
        ]
        for (number, time) in times.enumerated() {
            var item = ChatBench.item("\(number)", 0, time)
            item.frame = Array(
                String(decoding: item.frame, as: UTF8.self)
                    .split(separator: "2026-01-15T09:30:00.000Z", omittingEmptySubsequences: false)
                    .joined(separator: time).utf8)
            bench.hear(item)
        }
        expectEqual(bench.ids, ["2", "0", "4", "3", "1"])
    }

    @Test("Items that say nothing make no rows, and a streamed message that begins so does")
    func blank() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.item("a", 1, ""))
        bench.hear(ChatBench.item("b", 2, "", type: "ATTACHMENT"))
        bench.hear(ChatBench.item("c", 3, "", type: "ATTACHMENT", more: [("Attachments", .array([]))]))
        #expect(bench.rows.isEmpty)
        bench.hear(ChatBench.fragment("s", 1, ""))
        bench.hear(ChatBench.fragment("s", 2, "Hi"))
        bench.hear(ChatBench.item("s", 1, "", role: "SYSTEM"))
        expectEqual(bench.texts, ["Hi"])
    }
}
