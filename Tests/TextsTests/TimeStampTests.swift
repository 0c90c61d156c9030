import Expectations
import TestSupport
import Testing
import Texts

@Suite("Timestamps")
struct WireTimeTests {
    private func text(_ nanoseconds: Int64) -> String {
        var bytes: [UInt8] = []
        TimeStamp.write(nanoseconds: nanoseconds, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// protocol.md#timestamps, protocol.md#timestamp-digits
    @Test(
        "A moment is written in UTC with three fraction digits",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_999_999, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_768_469_400_000_000_000, "2026-01-15T09:30:00.000Z"),
            (1_709_251_199_999_000_000, "2024-02-29T23:59:59.999Z"), (.max, "2262-04-11T23:47:16.854Z"),
            (.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)])
    func writing(_ nanoseconds: Int64, _ expected: String) {
        expectEqual(text(nanoseconds), expected)
    }

    @Test(
        "Fractions, offsets and lower case are read (RFC 3339 §5.6)",
        arguments: [
            ("2026-01-15T09:30:00Z", 1_768_469_400_000_000_000),
            ("2026-01-15t09:30:00z", 1_768_469_400_000_000_000),
            ("2026-01-15T09:30:00.5Z", 1_768_469_400_500_000_000),
            ("2026-01-15T09:30:00.123Z", 1_768_469_400_123_000_000),
            ("2026-01-15T09:30:00.123456Z", 1_768_469_400_123_456_000),
            ("2026-01-15T09:30:00.1234567899Z", 1_768_469_400_123_456_789),
            ("2026-01-15T11:00:00+01:30", 1_768_469_400_000_000_000),
            ("2026-01-15T01:30:00-0800", 1_768_469_400_000_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000), ("1969-12-31T23:59:59.999Z", -1_000_000),
        ] as [(String, Int64)])
    func reading(_ text: String, _ nanoseconds: Int64) {
        expectEqual(TimeStamp.parse(text), nanoseconds)
    }

    @Test(
        "Anything else is no timestamp",
        arguments: [
            "", "now", "2026-01-15", "2026-01-15T09:30", "2026-01-15T09:30:00", "2026-01-15 09:30:00Z",
            "2026-13-15T09:30:00Z", "2026-00-15T09:30:00Z", "2026-02-29T09:30:00Z", "2026-01-15T24:30:00Z",
            "2026-01-15T09:60:00Z", "2026-01-15T09:30:61Z", "2026-01-15T09:30:00.Z", "2026-01-15T09:30:00+1",
            "2026-01-15T09:30:00Z ", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "２026-01-15T09:30:00Z",
        ] as [String])
    func refusing(_ text: String) {
        expectEqual(TimeStamp.parse(text), nil)
    }

    /// Every fifth of them, and all with `POLYMOCK_STRENGTH=full`.
    @Test("The days from 1900 to 2200 read back as written")
    func roundTrip() {
        let day: Int64 = 86_400_000_000_000
        for days in stride(from: Int64(-25_567), to: 84_006, by: Strength.of(5, full: 1)) {
            let moment = days * day + 43_200_123_000_000
            if TimeStamp.parse(text(moment)) != moment { Issue.record("day \(days): \(text(moment))") }
        }
    }

    @Test("A timestamp cut at any byte is none")
    func cut() {
        let whole = "2026-01-15T09:30:00.000Z"
        for count in 0..<whole.count { expectEqual(TimeStamp.parse(String(whole.prefix(count))), nil) }
    }
}
