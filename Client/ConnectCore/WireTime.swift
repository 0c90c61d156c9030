import Clocks
import Texts

/// Reader and writer of times: `yyyy-MM-ddTHH:mm:ss.SSSZ`.
enum WireTime {
    static func text(_ instant: Instant) -> String { TimeStamp.text(nanoseconds: instant.nanoseconds) }

    static func instant(_ text: String) -> Instant? {
        TimeStamp.parse(text).map { Instant(nanosecondsSince1970: $0) }
    }
}
