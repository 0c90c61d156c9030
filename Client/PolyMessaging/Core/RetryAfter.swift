package import Clocks

/// The pause a 429 asks for.
package enum RetryAfter {
    /// Decimal seconds only; 5 s when the text is anything else, 30 s at most (protocol.md#retry-after-cap).
    package static func pause(_ text: String?) -> Interval {
        let digits = (text ?? "").utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        guard !digits.isEmpty, let seconds = Double(String(decoding: digits, as: UTF8.self)), seconds >= 0,
            seconds.isFinite
        else { return Limits.rateLimitPause }
        return min(Interval.seconds(1).scaled(by: min(seconds, 1_000)), Limits.maxRateLimitPause)
    }
}
