import Clocks

/// Send times at a rate, for all users together.
///
/// During the ramp the rate grows linearly from zero; the messages of a ramp are half of those at the full rate in
/// that time. Every moment is computed from its number, so that errors do not add up.
struct LoadSchedule: Equatable, Sendable {
    /// Messages per second; above 0.
    var rate: Double
    var ramp = Interval.zero

    /// Time of the message with this number from the start; numbers begin at 0, with the first at once.
    func offset(of number: Int) -> Interval {
        let ramp = Double(self.ramp.nanoseconds) / 1e9
        let inRamp = rate * ramp / 2
        let number = Double(number)
        let seconds: Double
        if number < inRamp {
            // rate · t² / (2 · ramp) messages are due by t.
            seconds = (2 * number * ramp / rate).squareRoot()
        } else {
            seconds = ramp + (number - inRamp) / rate
        }
        return Interval(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// Number of messages due before `offset`.
    func count(before offset: Interval) -> Int {
        guard offset > .zero else { return 0 }
        let ramp = Double(self.ramp.nanoseconds) / 1e9
        let seconds = Double(offset.nanoseconds) / 1e9
        let exact = seconds < ramp ? rate * seconds * seconds / (2 * ramp) : rate * (seconds - ramp / 2)
        // The estimate can be off by one where it is rounded; the exact moments decide.
        var count = Int(exact.rounded(.up))
        while count > 0, self.offset(of: count - 1) >= offset { count -= 1 }
        while self.offset(of: count) < offset { count += 1 }
        return count
    }
}
