import Clocks
import DialectKit

/// The `paper` block of a configuration file.
struct PaperOptions: DialectOptions, Equatable {
    static var block: String? { "paper" }

    var isOn = true
    /// What opens a room.
    var ink = "ink"
    /// Open connections of one room.
    var connections = 5
    /// Silence after which readers are asked whether they are still there.
    var silence = Interval.seconds(30)

    mutating func visit(_ visitor: inout some SettingVisitor) {
        visitor.visit("isOn", &isOn)
        visitor.visit("ink", &ink) {
            $0.contains(" ") ? (" is \"\($0)\"", "use one word") : nil
        }
        visitor.visit("connections", &connections, 1...100)
        visitor.visit("silence", &silence)
    }

    func dialect(_ site: DialectSite) -> (any Dialect)? { isOn ? PaperDialect(options: self) : nil }
}
