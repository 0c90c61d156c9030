import Clocks
import ConversationEngine
import HTTPCore
import SocketTransport
import Timeline

extension ControlAPI {
    /// What is kept for the control API from one request to the next.
    struct State {
        /// Connections that wait for rows, and feeds.
        var watching: [ConnectionID] = []
        /// Ids of what is pushed; a stream of its own, so that a push shifts no other id.
        var identities: SeededGenerator
        /// Imports so far; each is a session of its own.
        var imports = 0
        /// How often rules had answered when the record was last forgotten.
        var usesAtReset: [RuleRecord.Key: Int] = [:]
        /// Sessions whose frames wait for a person, and how long each of them may.
        var holds: [SessionHandle: Interval] = [:]
        /// Frames that ever waited; the last one's number.
        var heldCount: UInt64 = 0
        /// Since when frames wait. Some may have left.
        var heldSince: [UInt64: Held] = [:]
        /// What is left to do for long answers, by the connections that wait for them.
        var works: [ConnectionID: Work.Step] = [:]
        /// Rows are being compared with filters away from the loop.
        var isComparing = false
        /// A further turn was asked for, because the last one had no steps left.
        var isTurnDue = false
        /// What looking at rows may cost until the loop looks at its sockets again.
        let steps = StepBudget()
        /// When ``ControlAPI/wakeWatchers()`` is wanted by the wall's clock, for waits while the server's own stands still, and for
        /// changes that feeds tell.
        var realDeadline: Instant?
        /// How often the clock was moved or set.
        var clockMoves = 0

        init(seed: UInt64) {
            identities = SeededGenerator(seed: seed).stream("control")
        }

        /// A frame that waits for a person.
        struct Held {
            let since: Instant
            /// By the wall's clock, where the server's own stands still.
            var realEnd: Instant?
        }
    }
}

/// A request that is answered when rows are there (`GET /_mock/wait`).
struct RowWait {
    let head: RequestHead
    let filter: RowFilter
    let count: Int
    let timeout: Interval
    /// By the server's clock.
    var deadline: Instant
    /// By the wall's clock; counts while the server's own clock stands still.
    let realDeadline: Instant
    /// The number of the newest row looked at.
    var seen: UInt64
    /// The first row that counts comes after this one.
    let after: UInt64
    var found: [Row] = []
    /// Further rows are being compared with the filter away from the loop.
    var isAway = false

    /// Bytes that the found rows take.
    var foundBytes: Int { found.reduce(0) { $0 + $1.raw.count + ($1.original?.count ?? 0) } }

    var isAnswered: Bool { found.count >= count }
}
