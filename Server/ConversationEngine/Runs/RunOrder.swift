/// Watches the order of a run's events, by the rules of the protocol that tells them. A pure value, one for each run.
package protocol RunOrder: Sendable {
    /// What is wrong with an event behind those before it, in a sentence; nil for nothing.
    mutating func take(_ event: RunOccurrence) -> String?
}

/// Begins one for each run of a script. All of a kind are the same.
package struct RunOrderMaker: Equatable, Sendable {
    package let begin: @Sendable () -> any RunOrder

    package init(_ begin: @escaping @Sendable () -> any RunOrder) {
        self.begin = begin
    }

    package static func == (left: RunOrderMaker, right: RunOrderMaker) -> Bool { true }
}
