import Clocks
import Testing

@Suite("Instants and intervals")
struct TimeArithmeticTests {
    @Test("Units agree with each other")
    func units() {
        #expect(Interval.hours(1) == .minutes(60))
        #expect(Interval.minutes(1) == .seconds(60))
        #expect(Interval.seconds(1) == .milliseconds(1_000))
        #expect(Interval.milliseconds(1) == .microseconds(1_000))
        #expect(Interval.microseconds(1) == Interval(nanoseconds: 1_000))
        #expect(Interval.milliseconds(2_999).seconds == 2)
        #expect(Interval.milliseconds(-2_999).seconds == -2)
    }

    @Test(
        "Adding, taking away and the difference undo each other",
        arguments: [0, 1, -1, 86_400_000] as [Int64])
    func roundTrip(milliseconds: Int64) {
        let start = Instant(secondsSince1970: 1_768_469_400)
        let length = Interval.milliseconds(milliseconds)
        #expect(start + length - length == start)
        #expect(start + length - start == length)
        #expect((start < start + length) == (milliseconds > 0))
    }

    @Test("Arithmetic on lengths")
    func lengths() {
        #expect(Interval.seconds(3) - .seconds(5) == .seconds(-2))
        #expect(Interval.seconds(3) + .milliseconds(5) == .milliseconds(3_005))
        #expect(Interval.seconds(3) * 4 == .seconds(12))
        #expect(Interval.seconds(3).scaled(by: 0.5) == .milliseconds(1_500))
        #expect(Interval(nanoseconds: 3).scaled(by: 0.5).nanoseconds == 2)
        #expect(Interval.seconds(-1) < .zero)
    }

    @Test("Beyond the end of time is the distant future, not an overflow")
    func saturation() {
        #expect(Instant.distantFuture + .hours(1) == .distantFuture)
        #expect(Instant.distantFuture > Instant(secondsSince1970: 4_000_000_000))
    }

    @Test("An instant tells whole milliseconds and seconds")
    func wholeUnits() {
        let instant = Instant(nanosecondsSince1970: 1_768_469_400_123_456_789)
        #expect(instant.millisecondsSince1970 == 1_768_469_400_123)
        #expect(instant.secondsSince1970 == 1_768_469_400)
    }
}
