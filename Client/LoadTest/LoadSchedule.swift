import Clocks

/// Send times of all messages. In the ramp, the rate grows linearly from zero. Each time is computed from the message's
/// number, so rounding errors do not accumulate.
struct LoadSchedule: Equatable, Sendable {
    var rate: Double
    var ramp = Interval.zero

    /// Returns the due time of message `number` since the start of the talking phase. Message 0 is due at once.
    func offset(of number: Int) -> Interval {
        let ramp = Double(self.ramp.nanoseconds) / 1e9
        let inRamp = rate * ramp / 2
        let number = Double(number)
        let seconds: Double
        if number < inRamp {
            // In the ramp, rate · t² / (2 · ramp) messages are due by the time t.
            seconds = (2 * number * ramp / rate).squareRoot()
        } else {
            seconds = ramp + (number - inRamp) / rate
        }
        return Interval(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    func count(before offset: Interval) -> Int {
        guard offset > .zero else { return 0 }
        let ramp = Double(self.ramp.nanoseconds) / 1e9
        let seconds = Double(offset.nanoseconds) / 1e9
        let exact = seconds < ramp ? rate * seconds * seconds / (2 * ramp) : rate * (seconds - ramp / 2)
        // `exact` may be off by one after rounding. The due times correct it.
        var count = Int(exact.rounded(.up))
        while count > 0, self.offset(of: count - 1) >= offset { count -= 1 }
        while self.offset(of: count) < offset { count += 1 }
        return count
    }
}
