import Foundation

/// A regular expression as `--expect` takes it; `^` and `$` mean the ends of lines.
struct Pattern {
    private let expression: NSRegularExpression

    /// Nil when the text is no regular expression.
    init?(_ text: String) {
        guard let expression = try? NSRegularExpression(pattern: text, options: [.anchorsMatchLines]) else {
            return nil
        }
        self.expression = expression
    }

    func matches(_ text: String) -> Bool {
        let all = NSRange(text.startIndex..<text.endIndex, in: text)
        return expression.firstMatch(in: text, options: [], range: all) != nil
    }
}
