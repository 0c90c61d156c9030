import Clocks
import Expectations
import Testing
import Timeline

@testable import MockServer

@Suite("How much a feed may say at once")
struct FeedChangesTests {
    private let start = Instant(secondsSince1970: 1_768_469_400)

    private func after(_ milliseconds: Int64) -> Instant { start + .milliseconds(milliseconds) }

    @Test("Rows come at their rate, with a tenth of a second's rows at once; the others are counted")
    func rate() {
        let changes = FeedChanges([], rate: 20)
        expectEqual((1...3).map { changes.admits($0, at: start) }, [true, true, false])
        #expect(!changes.admitsSome(at: after(49)) && changes.admitsSome(at: after(50)))
        #expect(!changes.admits(4, at: after(49)) && changes.admits(5, at: after(50)))
        #expect(!changes.admits(6, at: after(50)))
        changes.skip(7...9)
        #expect(changes.skipped?.rows == 6 && changes.skipped?.from == 3 && changes.skipped?.to == 9)
        let slow = FeedChanges([], rate: 1)
        expectEqual((1...2).map { slow.admits($0, at: start) }, [true, false])
        let free = FeedChanges([.clock], rate: nil)
        #expect((1...100).allSatisfy { free.admits($0, at: start) } && free.skipped == nil)
    }

    @Test("A step beyond the budget of a turn is taken where asked for, and only as the first")
    func budget() {
        let budget = StepBudget(most: 10)
        #expect(!budget.spend(11) && budget.spend(11, alone: true) && !budget.spend(1, alone: true))
        budget.renew()
        #expect(budget.spend(10) && !budget.spend(1) && budget.left == 0)
    }

    @Test("Rows that were compared away from the loop are told while further ones are being compared")
    func judged() throws {
        var feed = RowFeed(
            filter: try RowFilter("dir:in"), seen: 0, judged: ([2, 3], 3), isAway: true, sendsRows: true)
        let turn = WatchTurn(Timeline())
        var told: [Bool?] = []
        for number in 1...4 { told.append(feed.takes(UInt64(number), in: turn, now: start)) }
        expectEqual(told, [false, true, true, nil])
    }

    @Test("What waits for the reader of a feed counts with all of its texts")
    func held() {
        let changes = FeedChanges([.sessions], rate: nil)
        expectEqual(changes.heldBytes, 0)
        changes.items = [[1, 2, 3], [4]]
        expectEqual(changes.heldBytes, 4)
        changes.forgotten = ["session-1", "session-20"]
        #expect(changes.heldBytes == 4 + 19 + 2 * MemoryLayout<String>.stride)
    }

    @Test("Rows that were left out are told ten times a second at most")
    func skipped() {
        let changes = FeedChanges([], rate: 20)
        #expect(changes.takeSkipped(at: start) == nil && changes.due(hasChanges: false) == nil)
        changes.skip(3...3)
        expectEqual(changes.takeSkipped(at: start), Array(#"{"skipped":{"rows":1,"from":3,"to":3}}"#.utf8))
        changes.skip(4...5)
        expectEqual(changes.due(hasChanges: false), after(100))
        expectEqual(changes.takeSkipped(at: after(99)), nil)
        expectEqual(
            changes.takeSkipped(at: after(100)), Array(#"{"skipped":{"rows":2,"from":4,"to":5}}"#.utf8))
    }

    @Test("Changes are told ten times a second at most, and at the earlier of two moments")
    func opens() {
        let changes = FeedChanges([.sessions], rate: 20)
        #expect(changes.opens(at: start) && !changes.opens(at: after(99)))
        expectEqual(changes.due(hasChanges: true), after(100))
        changes.skip(1...1)
        #expect(changes.takeSkipped(at: after(50)) != nil)
        changes.skip(2...2)
        #expect(changes.due(hasChanges: true) == after(100) && changes.due(hasChanges: false) == after(150))
        #expect(changes.opens(at: after(100)) && changes.due(hasChanges: true) == after(150))
    }
}
