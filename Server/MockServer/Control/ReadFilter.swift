import HTTPCore
import Timeline

/// The filter of a query, read away from the loop: a regular expression becomes an automaton of up to 16,384
/// transitions, which takes milliseconds.
struct ReadFilter: Sendable {
    private let text: String
    private let result: Result<RowFilter, FilterError>

    /// Nil where `text` is something else.
    func filter(from text: String) throws(FilterError) -> RowFilter? {
        text == self.text ? try result.get() : nil
    }

    /// Nil where the query has no filter with a regular expression.
    static func preparation(of target: RequestTarget) -> (@Sendable () -> ReadFilter)? {
        guard let text = target.query.first(where: { $0.name == "filter" })?.value,
            text.utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        return { ReadFilter(text: text, result: Result { () throws(FilterError) in try RowFilter(text) }) }
    }
}
