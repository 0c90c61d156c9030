import Clocks

enum LoadText {
    /// Returns a length with three significant figures, such as `431 µs` or `1.20 s`; a hyphen for zero.
    static func short(_ length: Interval) -> String {
        let nanoseconds = Double(length.nanoseconds)
        switch nanoseconds {
        case ..<1: return "-"
        case ..<999_500: return figures(nanoseconds / 1e3) + " µs"
        case ..<999_500_000: return figures(nanoseconds / 1e6) + " ms"
        default: return figures(nanoseconds / 1e9) + " s"
        }
    }

    /// Returns a row: the name, padded to `width`, and the cells, right-aligned in columns of at least ten characters.
    static func row(_ name: String, to width: Int = 10, _ cells: [String]) -> String {
        let cells = cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(0, width - name.count)) + cells.joined()
    }

    static func seconds(_ length: Interval) -> String {
        fixed(Double(length.nanoseconds) / 1e9, digits: 1) + " s"
    }

    static func rate(_ rate: Double) -> String { fixed(rate, digits: rate < 99.95 ? 1 : 0) }

    private static func figures(_ number: Double) -> String {
        fixed(number, digits: number < 9.995 ? 2 : number < 99.95 ? 1 : 0)
    }

    static func fixed(_ number: Double, digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        guard number.isFinite, number >= 0, number < 1e15 else { return "?" }
        let scaled = Int((number * Double(scale)).rounded())
        guard digits > 0 else { return "\(scaled)" }
        let fraction = "\(scaled % scale)"
        return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
