import Clocks

/// Bounds of the terminal client.
enum Limits {
    /// Silence after which a reply is complete: some replies are several messages.
    static let replySettle = Interval.milliseconds(250)
    /// Wait from a failed message to the end of its call, which has the reason.
    static let reasonWait = Interval.milliseconds(250)
    /// Wait of a script for a greeting before it speaks.
    static let greetingWait = Interval.milliseconds(1_500)
    /// Default of `--expect-timeout`: the timeout of a reply.
    static let replyPatience = Interval.seconds(30)
    /// Maximum silence with `--until ended` and no `--timeout`, once every message is sent.
    static let endPatience = Interval.seconds(30)
    /// Timeout of the first connection.
    static let connectPatience = Interval.seconds(15)
    /// Silence with `--until idle`, and after the last message of `--no-wait`.
    static let idleQuiet = Interval.seconds(2)
    /// Time until a message on its way is marked.
    static let pendingMark = Interval.milliseconds(500)
    /// Timeout of calls once the program leaves; with `--timeout`, no longer than that. 4 s: a farewell and its echo.
    static let farewell = Interval.seconds(4)
    /// Extra time for calls after ``farewell`` or the end set by `--timeout`, so that a farewell is sent at
    /// all.
    static let lastWord = Interval.milliseconds(400)
    /// Replies named when another was expected; further ones are counted.
    static let namedReplies = 20
    /// Lines that the up key brings back.
    static let historyLines = 200
    /// Characters of one line of standard input or of `--file`; the rest is cut.
    static let scriptLine = 100_000
    /// Bytes of a file given with `--file`.
    static let scriptFile = 1_000_000
    /// Columns of an output of unknown width.
    static let usualWidth = 80
}
