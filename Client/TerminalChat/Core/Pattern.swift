#if canImport(FoundationEssentials)
    // The toolchain's own expressions: Foundation's would bring its tables of languages into a static program. Where
    // Foundation is part of the system this is not compiled, as it needs iOS 16.
    import _StringProcessing
#else
    import Foundation
#endif

/// A regular expression as `--expect` takes it; `^` and `$` mean the ends of lines.
struct Pattern {
    #if canImport(FoundationEssentials)
        private let expression: Regex<AnyRegexOutput>
    #else
        private let expression: NSRegularExpression
    #endif

    /// Nil when the text is no regular expression.
    init?(_ text: String) {
        #if canImport(FoundationEssentials)
            guard let expression = try? Regex(text) else { return nil }
            self.expression = expression.anchorsMatchLineEndings()
        #else
            guard let expression = try? NSRegularExpression(pattern: text, options: [.anchorsMatchLines])
            else { return nil }
            self.expression = expression
        #endif
    }

    func matches(_ text: String) -> Bool {
        #if canImport(FoundationEssentials)
            return (try? expression.firstMatch(in: text)) != nil
        #else
            let all = NSRange(text.startIndex..<text.endIndex, in: text)
            return expression.firstMatch(in: text, options: [], range: all) != nil
        #endif
    }
}
