import Clocks

enum TerminalLimits {
    /// If no further message arrives for this time, a reply counts as complete. A reply may have several messages.
    static let replySettle = Interval.milliseconds(250)
    /// Maximum time to wait for the reason of a failed message. The reason is the result of the send call.
    static let reasonWait = Interval.milliseconds(250)
    /// Maximum time that a script waits for a greeting before it sends the first message.
    static let greetingWait = Interval.milliseconds(1_500)
    /// Default of `--expect-timeout`, the time limit for a reply.
    static let replyPatience = Interval.seconds(30)
    /// Maximum time without an event after all messages were sent, with `--until ended` and without `--timeout`. Then
    /// the program stops waiting for the end.
    static let endPatience = Interval.seconds(30)
    /// Time limit of the first connection.
    static let connectPatience = Interval.seconds(15)
    /// Time without an event after which the program exits. It applies with `--until idle`, and with `--no-wait` after
    /// the last message.
    static let idleQuiet = Interval.seconds(2)
    /// Time after which a message that the server has not confirmed is marked as pending.
    static let pendingMark = Interval.milliseconds(500)
    /// Time limit for running calls after the program has decided to exit. 4 s are enough for a last message and its
    /// echo.
    static let farewell = Interval.seconds(4)
    /// Additional time for running calls after ``farewell`` or `--timeout`, so that a last message can still be sent.
    static let lastWord = Interval.milliseconds(400)
    /// Maximum number of replies that are quoted if an expected reply did not arrive. Further replies are only counted.
    static let namedReplies = 20
    /// Messages whose receipts are remembered.
    static let keptReceipts = 10_000
    /// Maximum lines in the editor's history.
    static let historyLines = 200
    /// Maximum characters of a line of standard input or of a `--file`. A longer line is truncated.
    static let scriptLine = 100_000
    /// Maximum bytes of a file given with `--file`.
    static let scriptFile = 1_000_000
    /// Number of columns if the output's width is unknown.
    static let usualWidth = 80
}
