package import Clocks
import ConversationEngine
package import Matching

/// Traffic that nothing was prepared for.
package struct UnmatchedTraffic: Sendable {
    package enum Kind: String, Sendable {
        /// A message that no rule heard.
        case message
        /// A request to a path, or with a method, that no route takes.
        case request
    }

    package var kind: Kind
    /// From 1 upwards, server-wide.
    package var number: UInt64
    package var time: Instant
    package var session: String
    /// The message, or method and path.
    package var text: String
    /// Why, in lines for people: the near-miss report of a message.
    package var report: String
    package var place: SourcePlace
    package var file: String
}
