/// Bounds of the shell that are nobody's setting.
enum ServerLimits {
    /// One message of the echo at `/_mock/echo`: what conformance tools send, and some room.
    static let echoMessageBytes = 2 << 20
    /// Bytes of one fixture or configuration file; the reader has its own limit behind it.
    static let fileBytes = 4 << 20
    /// Folders inside folders in which fixtures are looked for.
    static let folderDepth = 4
    /// Fixture files looked at in one folder.
    static let fixtureFiles = 1_000
    /// What most events take when encoded; room that is reserved, not a bound.
    static let usualEventBytes = 320
    /// Between two attempts to accept when the system has no descriptors left.
    static let acceptRetryMilliseconds: Int64 = 100
    /// From a change of a fixture file to looking at it: an editor may write in several steps.
    static let saveSettlingMilliseconds: Int64 = 40
    /// Entries of a history are sent in pages of about so many bytes, as fast as the client reads.
    static let historyPageBytes = 512 << 10
    /// Messages without a sequence that wait for a client to read its history; further ones are not told to it.
    static let heldBackMessages = 1_000
    /// How long an event waits for the one it changes places with.
    static let swapMilliseconds: Int64 = 1_000
    /// Troubles that tests and people have in force at once.
    static let armedTroubles = 1_000
    /// Scenario lines whose token and session troubles are counted; beyond that all counts start again.
    static let rememberedLines = 10_000
    /// From the moment a silence breaks a law to looking at it; below the second after which the law book excuses.
    static let lawCheckMilliseconds: Int64 = 500
    /// Near-miss reports made in one second of the server's clock: one costs as much as many messages.
    static let reportsPerSecond = 200
    /// Unheard messages and stray requests that are remembered; the oldest go first.
    static let unmatchedKept = 1_000
    /// Real time for peers to take leave when the server stops, in milliseconds.
    static let farewellMilliseconds: Int64 = 250
}
