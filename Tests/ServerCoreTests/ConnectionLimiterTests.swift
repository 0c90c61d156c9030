import Expectations
import ServerCore
import Testing

@Suite("Who may come in")
struct ConnectionLimiterTests {
    private var fresh: ConnectionLimiter<String> {
        ConnectionLimiter<String>(most: 3, mostOfAddress: 2, mostRefused: 1)
    }

    /// What comes of several connections, one after the other.
    private func judge(
        _ doorway: inout ConnectionLimiter<String>, _ asked: [(address: String, open: Int)],
        isBounded: Bool = true
    ) -> [ConnectionLimiter<String>.Verdict] {
        asked.map { doorway.enter(from: $0.address, isBounded: isBounded, open: $0.open).0 }
    }

    @Test("An address has so many connections; one more is told so, further ones are cut")
    func address() {
        var doorway = fresh
        let verdicts = judge(&doorway, [("a", 1), ("a", 2), ("a", 3), ("a", 4), ("b", 4)])
        expectEqual(verdicts, [.admit, .admit, .refuse(.address), .cut, .admit])
    }

    @Test("Who leaves makes room for another of the same address")
    func leaving() {
        var doorway = fresh
        _ = judge(&doorway, [("a", 1), ("a", 2)])
        doorway.leave(.counted, from: "a")
        expectEqual(judge(&doorway, [("a", 2), ("a", 3)]), [.admit, .refuse(.address)])
    }

    @Test("All addresses together have so many connections; those that are only told do not count")
    func server() {
        var doorway = fresh
        // Before the third, one has left; the one that is told is still open.
        let verdicts = judge(&doorway, [("a", 3), ("b", 4), ("c", 4)], isBounded: false)
        expectEqual(verdicts, [.admit, .refuse(.server), .admit])
    }

    @Test("When the one that is told has gone, the next one is told")
    func toldLeaves() {
        var doorway = fresh
        let (_, admission) = doorway.enter(from: "a", isBounded: false, open: 4)
        expectEqual(admission, .tooMany(of: .server))
        expectEqual(judge(&doorway, [("a", 5)]), [.cut])
        doorway.leave(admission, from: "a")
        expectEqual(judge(&doorway, [("a", 4)]), [.refuse(.server)])
    }

    @Test(
        "An address without a bound may have as many as there is room for, and takes none from those with one"
    )
    func unbounded() {
        var doorway = fresh
        let verdicts = judge(&doorway, [("a", 1), ("a", 2), ("a", 3)], isBounded: false)
        expectEqual(verdicts, [.admit, .admit, .admit])
        doorway.leave(.uncounted, from: "a")
        let (_, admission) = doorway.enter(from: "a", isBounded: true, open: 3)
        expectEqual(admission, .counted)
    }
}
