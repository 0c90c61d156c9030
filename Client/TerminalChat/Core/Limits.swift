import Clocks

/// Bounds of the terminal client.
enum Limits {
    /// A reply is whole when this long nothing followed it: some replies are several messages.
    static let replySettle = Interval.milliseconds(250)
    /// From a message that failed to the end of its call, which has the reason.
    static let reasonWait = Interval.milliseconds(250)
    /// Wait of a script for a greeting before it speaks.
    static let greetingWait = Interval.milliseconds(1_500)
    /// Default of `--expect-timeout`: the timeout of a reply.
    static let replyPatience = Interval.seconds(30)
    /// With `--until ended` and no `--timeout`: how long nothing may happen once everything is said.
    static let endPatience = Interval.seconds(30)
    /// Timeout of the first connection.
    static let connectPatience = Interval.seconds(15)
    /// With `--until idle`, and after the last message of `--no-wait`: nothing happened for this long.
    static let idleQuiet = Interval.seconds(2)
    /// A message that is on its way shows so after this long.
    static let pendingMark = Interval.milliseconds(500)
    /// Timeout of calls once the program leaves; with `--timeout`, no longer than that. 4 s: a farewell and its echo.
    static let farewell = Interval.seconds(4)
    /// Extra time for calls after ``farewell`` or the end set by `--timeout`, so that a farewell is sent at
    /// all.
    static let lastWord = Interval.milliseconds(400)
    /// Replies to a turn that are named when another was expected; of more it is said how many.
    static let namedReplies = 20
    /// Lines that the up key brings back.
    static let historyLines = 200
    /// Characters of one line of standard input or of `--file`; the rest is cut.
    static let scriptLine = 100_000
    /// Bytes of a file given with `--file`.
    static let scriptFile = 1_000_000
    /// Columns used when nobody says how wide the output is.
    static let usualWidth = 80
}
