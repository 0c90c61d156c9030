import Clocks
import Expectations
import ServerCore
import Testing

@Suite("How long a busy loop stays")
struct BusyPollTests {
    private let start = Instant(secondsSince1970: 1_000)
    private var stay: BusyPoll {
        BusyPoll(from: start, most: .milliseconds(20), linger: .milliseconds(1))
    }

    private func at(_ microseconds: Int64) -> Instant { start + .microseconds(microseconds) }

    @Test("It waits a little for more, and goes back when nothing came")
    func linger() {
        let last = BusyPoll.Step(wait: .milliseconds(1), isLast: true)
        expectEqual(stay.step(at: start, due: nil), last)
        expectEqual(stay.step(at: start, due: at(1_000)), last, "the deadline is no sooner")
        expectEqual(stay.step(at: at(300), due: at(9_000)), last)
    }

    @Test("A deadline that comes sooner is waited for, and then there may be more")
    func deadline() {
        expectEqual(stay.step(at: at(100), due: at(400)), BusyPoll.Step(wait: .microseconds(300)))
    }

    @Test("What is due comes first, and sockets are looked at in between")
    func due() {
        for due in [at(400), at(0), at(-5)] {
            expectEqual(stay.step(at: at(400), due: due), BusyPoll.Step(runsDue: true, wait: .zero))
        }
    }

    @Test("It goes back in the end, however much there is to do")
    func end() {
        #expect(stay.step(at: at(19_999), due: at(0)) != nil)
        expectEqual(stay.step(at: at(20_000), due: at(0)), nil)
        expectEqual(stay.step(at: at(20_000), due: nil), nil)
    }
}
