import Clocks

enum TerminalLimits {
    /// Time without another message after which a reply can count as complete.
    static let replySettle = Interval.milliseconds(250)
    /// Maximum wait for the reason of a failed message, which is the send call's result.
    static let reasonWait = Interval.milliseconds(250)
    static let greetingWait = Interval.milliseconds(1_500)
    static let replyPatience = Interval.seconds(30)
    /// With `--until ended` and without `--timeout`: maximum time without an event after the last message.
    static let endPatience = Interval.seconds(30)
    static let connectPatience = Interval.seconds(15)
    /// Time without an event that counts as idle.
    static let idleQuiet = Interval.seconds(2)
    static let pendingMark = Interval.milliseconds(500)
    /// Time limit for running calls at the exit.
    static let farewell = Interval.seconds(4)
    /// Additional time for running calls after ``farewell`` or `--timeout`, for a last message.
    static let lastWord = Interval.milliseconds(400)
    /// Maximum replies quoted if an expected reply is missing.
    static let namedReplies = 20
    static let keptReceipts = 10_000
    static let historyLines = 200
    /// Maximum bytes of a line of standard input or of a `--file`.
    static let scriptLine = 100_000
    static let scriptFile = 1_000_000
    static let usualWidth = 80
}
