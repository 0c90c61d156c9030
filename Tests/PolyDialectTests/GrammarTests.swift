import Expectations
import Testing

@testable import PolyDialect

@Suite("Hosts and cursors")
struct GrammarTests {
    /// protocol.md#host-match, protocol.md#host-spelling
    @Test(
        "A host matches itself and its parent's registration",
        arguments: [
            ("https://www.yourcompany.com", "www.yourcompany.com", true),
            ("yourcompany.com", "https://yourcompany.com/", true),
            ("app.yourcompany.com", "yourcompany.com", true),
            ("a.b.yourcompany.com", "yourcompany.com", true),
            ("yourcompany.com", "app.yourcompany.com", false),
            ("notyourcompany.com", "yourcompany.com", false),
            ("yourcompany.com.evil.com", "yourcompany.com", false), ("com", "yourcompany.com", false),
            ("HTTPS://WWW.YourCompany.COM:443/path?x#y", "www.yourcompany.com", true),
            (" com.yourcompany.app ", "com.yourcompany.app", true),
            ("yourcompany.com.", "yourcompany.com", true),
            ("yourcompany.com?x=.other.com", "other.com", false),
            ("yourcompany.com#.other.com", "other.com", false),
            ("https://jupiter-api.dev.polyai.app/", "jupiter-api.dev.polyai.app", true),
            ("http://localhost:3000", "localhost", true), ("http://[::1]:3000", "[::1]", true),
            ("", "yourcompany.com", false), ("https://", "yourcompany.com", false), ("x", "", false),
            (".yourcompany.com", "yourcompany.com", true), ("://yourcompany.com", "yourcompany.com", false),
        ] as [(String, String, Bool)])
    func hosts(_ presented: String, _ registered: String, _ isMatch: Bool) {
        expectEqual(HostName.matches(presented: presented, registered: registered), isMatch)
    }

    /// protocol.md#cursor-forms
    @Test(
        "A cursor is a number, with or without seq:",
        arguments: [
            (nil, 0, false), ("", 0, false), ("0", 0, false), ("12", 12, false), ("seq:12", 12, false),
            ("007", 7, false), ("18446744073709551615", .max, false), ("18446744073709551616", 0, true),
            ("abc", 0, true), ("-1", 0, true), ("+1", 0, true), ("1.5", 0, true), ("seq:", 0, true),
            ("seq:x", 0, true), ("SEQ:1", 0, true), ("seq:seq:1", 0, true), (" 1", 0, true), ("1 ", 0, true),
            ("١", 0, true), ("0x1", 0, true), ("1e3", 0, true),
        ] as [(String?, UInt64, Bool)])
    func cursors(_ text: String?, _ value: UInt64, _ isOdd: Bool) {
        let cursor = Cursor(text)
        expectEqual(cursor.value, value)
        expectEqual(cursor.isOdd, isOdd)
    }
}
