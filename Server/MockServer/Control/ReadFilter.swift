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

    /// Nil where the query has no filter with a regular expression, or where the gate refuses the request.
    static func preparation(
        of head: RequestHead, _ target: RequestTarget, _ configuration: Configuration
    ) -> (@Sendable () -> ReadFilter)? {
        func value(_ name: String) -> String? { target.query.first { $0.name == name }?.value }
        guard let text = value("filter"), text.utf8.contains(UInt8(ascii: "/")),
            let route = ControlRoute.matches(target).routes.first(where: { $0.query.contains("filter") }),
            ControlGate(configuration).refusal(
                of: head, for: route, hasBody: false, queryToken: value("token")) == nil
        else { return nil }
        return {
            ReadFilter(
                text: text, result: Result { () throws(FilterError) in try Server.filter(text) })
        }
    }
}
