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
    /// From 1 upwards, server-wide; given by the book that keeps it.
    package var number = 0
    /// The row of the message or request that broke it; 0: none did, or it is not known.
    package var row: UInt32 = 0

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
