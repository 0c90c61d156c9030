import PolyMessaging

/// One WebSocket of a user.
struct LoadSocket: Hashable, Sendable {
    var user: LoadUser.ID
    var attempt: Int
}

/// A report of the network about one user.
struct LoadEvent: Sendable {
    var user: LoadUser.ID
    /// The name of the request in error messages.
    var request: String
    var input: ClientCore.Input
    /// Of a WebSocket: its attempt, whether it has ended, and the size of the message that is to be dealt with.
    var attempt: Int?
    var isEnd = false
    var byteCount: Int?
}
