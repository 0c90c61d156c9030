import Clocks
import Expectations
import Testing

@Suite("Instants and intervals")
struct TimeArithmeticTests {
    @Test("Units agree with each other")
    func units() {
        expectEqual(Interval.hours(1), .minutes(60))
        expectEqual(Interval.minutes(1), .seconds(60))
        expectEqual(Interval.seconds(1), .milliseconds(1_000))
        expectEqual(Interval.milliseconds(1), .microseconds(1_000))
        expectEqual(Interval.microseconds(1), Interval(nanoseconds: 1_000))
        expectEqual(Interval.milliseconds(2_999).seconds, 2)
        expectEqual(Interval.milliseconds(-2_999).seconds, -2)
    }

    @Test("Parts of a second and of a millisecond, to the nearest nanosecond")
    func parts() {
        expectEqual(Interval.seconds(0.5), .milliseconds(500))
        expectEqual(Interval.seconds(-1.5), .milliseconds(-1_500))
        expectEqual(Interval.milliseconds(0.25), .microseconds(250))
        expectEqual(Interval.seconds(0.1) * 10, .seconds(1))
        expectEqual(Interval.seconds(Double.nan), .zero)
        expectEqual(Interval.seconds(3) / .milliseconds(1_500), 2)
    }

    @Test("What is longer than the longest length is the longest, and sums of such stay in range")
    func longest() {
        expectEqual(Interval.hours(Int.max), .longest)
        expectEqual(Interval.hours(Int.min), .zero - .longest)
        expectEqual(Interval.seconds(UInt64.max), .longest)
        expectEqual(Interval.nanoseconds(Int64.max), .longest)
        expectEqual(Interval.seconds(Double.infinity), .longest)
        expectEqual(Interval.seconds(-Double.infinity), .zero - .longest)
        #expect(Interval.longest + .longest > .longest)
        #expect(Instant(secondsSince1970: 1_768_469_400) + .longest < .distantFuture)
    }

    @Test("A length tells itself in the largest unit that divides it")
    func words() {
        expectEqual(
            [.hours(24), .minutes(90), .seconds(5), .milliseconds(250), .zero].map { (length: Interval) in
                "\(length)"
            }, ["24 h", "90 min", "5 s", "250 ms", "0 ms"])
        expectEqual("\(Interval.microseconds(1_500))", "1 ms")
    }

    @Test("Less than a millisecond is told in smaller units, and what is over with a sign")
    func smallWords() {
        expectEqual(
            [.microseconds(250), .nanoseconds(1), .nanoseconds(1_500), .nanoseconds(999_999)].map {
                (length: Interval) in "\(length)"
            }, ["250 µs", "1 ns", "1500 ns", "999999 ns"])
        expectEqual(
            [.seconds(-5), .minutes(-10), .milliseconds(-1_500), .microseconds(-3)].map {
                (length: Interval) in
                "\(length)"
            }, ["-5 s", "-10 min", "-1500 ms", "-3 µs"])
        expectEqual("\(Interval(nanoseconds: .min))", "-9223372036854 ms")
    }

    @Test("Arithmetic that leaves the range ends at its nearest end")
    func ends() {
        let (most, least) = (Interval(nanoseconds: .max), Interval(nanoseconds: .min))
        #expect(most + .nanoseconds(1) == most && least + .nanoseconds(-1) == least)
        #expect(most - .nanoseconds(-1) == most && least - .nanoseconds(1) == least)
        expectEqual(Interval.zero - least, most)
        #expect(Interval.longest * 5 == most && Interval.longest * -5 == least)
        #expect(least * -1 == most && least * 2 == least && most * 0 == .zero)
        var sum = most
        sum += .hours(1)
        sum -= .hours(1)
        expectEqual(sum, most - .hours(1))
        let start = Instant(secondsSince1970: 1_768_469_400)
        let first = Instant(nanosecondsSince1970: .min)
        #expect(start - least == .distantFuture && start + most == .distantFuture)
        #expect(first - .nanoseconds(1) == first && first + .nanoseconds(-1) == first)
        #expect(first - .distantFuture == least && Instant.distantFuture - first == most)
    }

    @Test(
        "A length that is scaled stays within the longest one",
        arguments: [
            (1e300, .longest), (-1e300, .zero - .longest), (.infinity, .longest), (.nan, .zero),
        ] as [(Double, Interval)])
    func scaledFar(factor: Double, length: Interval) {
        expectEqual(Interval.hours(1).scaled(by: factor), length)
    }

    @Test("A length of the standard library becomes one of these, and back")
    func durations() {
        expectEqual(Interval(Duration.milliseconds(2_500)), .milliseconds(2_500))
        expectEqual(Interval(Duration.seconds(-1) + .milliseconds(1)), .milliseconds(-999))
        expectEqual(Interval(Duration.seconds(Int64.max)), .longest)
        expectEqual(Duration(Interval.minutes(2)), .seconds(120))
    }

    @Test(
        "Adding, taking away and the difference undo each other",
        arguments: [0, 1, -1, 86_400_000] as [Int64])
    func roundTrip(milliseconds: Int64) {
        let start = Instant(secondsSince1970: 1_768_469_400)
        let length = Interval.milliseconds(milliseconds)
        expectEqual(start + length - length, start)
        expectEqual(start + length - start, length)
        expectEqual(start < start + length, milliseconds > 0)
    }

    @Test("Arithmetic on lengths")
    func lengths() {
        expectEqual(Interval.seconds(3) - .seconds(5), .seconds(-2))
        expectEqual(Interval.seconds(3) + .milliseconds(5), .milliseconds(3_005))
        expectEqual(Interval.seconds(3) * 4, .seconds(12))
        expectEqual(Interval.seconds(3).scaled(by: 0.5), .milliseconds(1_500))
        expectEqual(Interval(nanoseconds: 3).scaled(by: 0.5).nanoseconds, 2)
        #expect(Interval.seconds(-1) < .zero)
    }

    @Test("Beyond the end of time is the distant future, not an overflow")
    func saturation() {
        expectEqual(Instant.distantFuture + .hours(1), .distantFuture)
        #expect(Instant.distantFuture > Instant(secondsSince1970: 4_000_000_000))
    }

    @Test("An instant tells whole milliseconds and seconds")
    func wholeUnits() {
        let instant = Instant(nanosecondsSince1970: 1_768_469_400_123_456_789)
        expectEqual(instant.millisecondsSince1970, 1_768_469_400_123)
        expectEqual(instant.secondsSince1970, 1_768_469_400)
    }
}
