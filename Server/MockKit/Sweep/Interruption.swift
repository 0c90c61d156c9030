/// One fault at a message (an event, or a batch of a history) to the client. Messages are numbered from 1 over all
/// connections of a run.
package struct Interruption: Hashable, Sendable, Comparable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The message arrives; then the connection is cut.
        case cut
        case lose
        /// The message is lost and the connection continues: a gap in the sequence.
        case skip
        /// The message arrives without a required member.
        case spoil
        /// Each text of the message ends with half a surrogate pair.
        case halve
        case double

        /// Whether the client recovers without a new connection.
        var isHarmless: Bool { [.spoil, .halve, .double].contains(self) }

        /// Whether contacts are tested with this kind.
        package var isForContacts: Bool { self == .cut || self == .lose }
    }

    package var message: Int
    package var kind: Kind

    package init(at message: Int, _ kind: Kind = .cut) {
        self.message = message
        self.kind = kind
    }

    var cutsConnection: Bool { kind == .cut || kind == .lose }

    func replacements(of message: [UInt8]) -> [[UInt8]] {
        switch kind {
        case .cut: [message]
        case .lose, .skip: []
        case .spoil: [FrameFault.spoilt(message)]
        case .halve: [FrameFault.halved(message)]
        case .double: [message, message]
        }
    }

    var flag: String { "--\(kind.rawValue) \(message)" }

    var words: String {
        switch kind {
        case .cut: "the connection cut after"
        case .lose: "the connection lost with"
        case .skip: "a hole in place of"
        case .spoil: "nothing usable in"
        case .halve: "half characters in"
        case .double: "twice"
        }
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.message, left.order) < (right.message, right.order)
    }

    private var order: Int { Kind.allCases.firstIndex(of: kind) ?? 0 }
}
