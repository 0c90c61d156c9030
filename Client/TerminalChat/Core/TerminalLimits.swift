import Clocks

enum TerminalLimits {
    /// Silence after which a reply counts as complete, because a reply may have several messages.
    static let replySettle = Interval.milliseconds(250)
    /// Maximum wait for the reason of a failed message, which its call reports.
    static let reasonWait = Interval.milliseconds(250)
    /// Maximum time that a script waits for the greeting before the first message is sent.
    static let greetingWait = Interval.milliseconds(1_500)
    /// Default of `--expect-timeout`: the time limit of a reply.
    static let replyPatience = Interval.seconds(30)
    /// Longest silence with `--until ended` and without `--timeout`, after the last message.
    static let endPatience = Interval.seconds(30)
    /// Time limit of the first connection.
    static let connectPatience = Interval.seconds(15)
    /// Silence with `--until idle`, and after the last message with `--no-wait`.
    static let idleQuiet = Interval.seconds(2)
    /// Time after which a message without confirmation is marked as pending.
    static let pendingMark = Interval.milliseconds(500)
    /// Time limit of calls after the program leaves. 4 s: time for a last message and its echo.
    static let farewell = Interval.seconds(4)
    /// Additional time for calls after ``farewell`` or `--timeout`, so that a last message is sent.
    static let lastWord = Interval.milliseconds(400)
    /// Maximum replies quoted when an expected reply did not arrive. Further replies are only counted.
    static let namedReplies = 20
    /// Lines in the history of the editor.
    static let historyLines = 200
    /// Characters of one line of standard input or of `--file`. Longer lines are truncated.
    static let scriptLine = 100_000
    /// Bytes of a file given with `--file`.
    static let scriptFile = 1_000_000
    /// Columns of an output of unknown width.
    static let usualWidth = 80
}
