/// Checker of the order of a run's events, by the rules of its protocol. A pure value, one for each run.
package protocol RunOrder: Sendable {
    /// The violation by an event after the earlier ones, in a sentence; nil for none.
    mutating func check(_ event: AgentEvent) -> String?
}

/// Begins one for each run of a script. All of a kind are the same.
package struct RunOrderFactory: Equatable, Sendable {
    package let begin: @Sendable () -> any RunOrder

    package init(_ begin: @escaping @Sendable () -> any RunOrder) {
        self.begin = begin
    }

    package static func == (left: RunOrderFactory, right: RunOrderFactory) -> Bool { true }
}
