import Clocks
import Expectations
import Testing

@testable import LoadTest

@Suite("Schedule of messages")
struct LoadScheduleTests {
    @Test("At a rate, messages are due at even distances from the start")
    func even() {
        let schedule = LoadSchedule(rate: 4)
        expectEqual((0..<4).map { schedule.offset(of: $0).milliseconds }, [0, 250, 500, 750])
        expectEqual(schedule.offset(of: 4_000_000), .seconds(1_000_000))
    }

    @Test("During the ramp half as many are due, and the distance shrinks to that of the rate")
    func ramp() {
        let schedule = LoadSchedule(rate: 100, ramp: .seconds(10))
        expectEqual(schedule.count(before: .seconds(10)), 500)
        expectEqual(schedule.offset(of: 500), .seconds(10))
        expectEqual(schedule.offset(of: 600), .seconds(11))
        expectEqual(schedule.count(before: .seconds(5)), 125)
        let gaps = (0..<499).map { schedule.offset(of: $0 + 1) - schedule.offset(of: $0) }
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0 >= $1 - Interval(nanoseconds: 2) })
    }

    @Test(
        "As many are counted before a moment as have an earlier one",
        arguments: [(0.5, 0), (3, 0), (3, 7), (1_000, 2), (333.3, 1)] as [(Double, Int64)])
    func counting(rate: Double, ramp: Int64) {
        let schedule = LoadSchedule(rate: rate, ramp: .seconds(ramp))
        for milliseconds in [0, 1, 333, 1_000, 1_999, 2_000, 7_001, 9_000] as [Int64] {
            let moment = Interval.milliseconds(milliseconds)
            let counted = schedule.count(before: moment)
            #expect(counted == 0 || schedule.offset(of: counted - 1) < moment)
            #expect(schedule.offset(of: counted) >= moment)
        }
    }
}
