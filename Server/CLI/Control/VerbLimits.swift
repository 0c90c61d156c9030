import Clocks

enum VerbLimits {
    /// Maximum characters of a table cell, except in the last column, and of a message quoted in a wire row.
    static let cell = 60
    /// Maximum characters of a message in a printed line, enough for a long reply.
    static let saying = 400
    /// Maximum bytes of a file to read: the server's limit for an import.
    static let file = 128 << 20
    /// Maximum bytes of a line of standard input.
    static let line = 64 << 10
    /// Maximum number of incomplete messages whose chunks are kept.
    static let openMessages = 100
    /// Maximum bytes of a file that contains a token.
    static let secret = 4_096
    /// Time limit of one health request.
    static let healthPatience = Interval.seconds(2)
    /// Time limit of the request by which `polymock chat` learns whether the server's script still has timers.
    static let restPatience = Interval.seconds(2)
    /// Pause between two attempts of `polymock health --wait`.
    static let healthPause = Interval.milliseconds(100)
    static let healthWait = Interval.hours(1)
}
