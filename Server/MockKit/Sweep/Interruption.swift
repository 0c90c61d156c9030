/// One cut of the connection, at a message that reaches the client. These count from 1 in one run, over all its
/// connections; one message is one event, or one batch of a history.
package struct Interruption: Hashable, Sendable, Comparable {
    /// At which message.
    package var message: Int
    /// True: the message is lost with the connection. False: it arrives, and nothing behind it.
    package var isLost: Bool

    package init(at message: Int, isLost: Bool = false) {
        self.message = message
        self.isLost = isLost
    }

    /// `--cut 9`, `--lose 9`.
    var flag: String { (isLost ? "--lose" : "--cut") + " \(message)" }

    package static func < (left: Self, right: Self) -> Bool {
        (left.message, left.isLost ? 0 : 1) < (right.message, right.isLost ? 0 : 1)
    }
}
