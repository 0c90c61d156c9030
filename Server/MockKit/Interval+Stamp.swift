import Clocks

extension Interval {
    /// `00:03.412`: minutes, seconds, milliseconds.
    var stamp: String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(milliseconds / 60_000, 2) + ":" + padded(milliseconds / 1_000 % 60, 2) + "."
            + padded(milliseconds % 1_000, 3)
    }
}
