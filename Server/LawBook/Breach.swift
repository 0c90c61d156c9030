package import Clocks

/// One law broken once.
package struct Breach: Sendable, Equatable {
    package var law: Law
    /// Empty when the request belonged to no session.
    package var session: String
    package var connection: UInt64?
    package var at: Instant
    /// The client's message that broke it, counted on its connection from 1.
    package var event: Int?
    /// What happened, in one sentence with its numbers.
    package var detail: String

    package init(
        law: Law, session: String, connection: UInt64?, at: Instant, event: Int?, detail: String
    ) {
        self.law = law
        self.session = session
        self.connection = connection
        self.at = at
        self.event = event
        self.detail = detail
    }
}
