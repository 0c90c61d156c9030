/// Bounds of this module: name, unit, default, reason.
package enum CoreLimits {
    /// Breaches of laws kept, oldest out. Crossed in `BreachRecorderTests`.
    package static let breaches = 1_000
    /// Messages without a sequence that wait for a client to read its history; further ones are not told to it.
    package static let heldBackMessages = 1_000
    /// Copies of one event that `repeat` troubles may make together.
    package static let eventCopies = 64
    /// How long an event waits for the one it changes places with.
    package static let swapMilliseconds: Int64 = 1_000
    /// Troubles that tests and people have in force at once.
    package static let armedTroubles = 1_000
    /// Scenario lines whose token and session troubles are counted, and owners whose tokens a trouble let expire; beyond
    /// that all of them are forgotten.
    package static let rememberedLines = 10_000
    /// Bearers whose reading is kept, half a kilobyte each; beyond that all of them are read anew.
    package static let keptBearers = 4_096
    /// Room for an announced body before an eighth of it is there.
    package static let firstBodyBytes = 1 << 20
    /// A stall of a request that has no end of its own ends after so long.
    package static let endlessStallHours: Int64 = 24 * 365
    /// What the head of a request takes, mostly; room that is reserved, not a bound.
    package static let usualHeadBytes = 512
    /// Bytes of a body, or of an answer, that a row keeps; of a longer one it keeps the beginning. 2 MiB: more than any
    /// body but a file.
    package static let rowBytes = 2 << 20
    package static let rowHeadBytes = 4 << 10
    /// Requests whose rows wait for those of their answers while others are answered; beyond that all of them are forgotten,
    /// and the answers have rows of their own. 256: far more than answers take long at one time.
    package static let unansweredRequests = 256
    /// Near-miss reports made in one second of the server's clock: one costs as much as many messages.
    package static let reportsPerSecond = 200
    /// Unheard messages and stray requests that are remembered; the oldest go first.
    package static let unmatchedKept = 1_000
    /// Bytes of such a message, and of the report on it; more is cut off. 4 KiB: some pages, and 16 MB for all of them.
    package static let unmatchedBytes = 4 << 10
    /// Bytes of a body that is discarded so that its connection can go on after the body; a connection with a
    /// longer body closes. 64 KiB.
    package static let discardedBytes = 64 << 10
    /// Bodies up to this size may use all the room for bodies. 64 KiB.
    package static let smallBodyBytes = 64 << 10
    /// A head of so many bytes counts as part of its connection, a larger one as memory of a request. 2 KiB: a browser's with
    /// its cookies.
    package static let smallHeadBytes = 2 << 10
    /// Bytes of rows that all waits together have found. 32 MiB: as many as the timeline keeps.
    package static let waitBytes = 32 << 20
    /// Room that a new session needs: it begins, and is not over at once. 1 KiB.
    package static let beginningBytes = 1 << 10
    /// Bytes of a session without its journal: the conversation, its script's place, names. A measured mean.
    package static let sessionBytes = 2 << 10
    /// The size from which the body of an answer is sent without a copy; shorter bodies are copied after
    /// their head.
    package static let longAnswerBytes = 64 << 10
    /// Items that left a valve before their room is given back.
    package static let leftItems = 64
    /// What a piece of a client's input that waits counts for beside its bytes.
    package static let lateItemBytes = 64
}
