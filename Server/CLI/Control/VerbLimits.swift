import Clocks

/// Limits of the verbs that call a server.
enum VerbLimits {
    /// Maximum characters of a table cell. With 60, a table with one wide column fits a terminal of usual width.
    static let cell = 60
    /// Maximum characters of a message in a printed line. 400 characters are enough for a long reply.
    static let saying = 400
    /// Maximum bytes of a file to read. 128 MiB is also the server's limit for an import.
    static let file = 128 << 20
    /// Maximum bytes of one line of standard input. 64 KiB is also the API's limit for one event.
    static let line = 64 << 10
    /// Maximum number of messages whose chunks are collected at the same time. A session usually has only one or two.
    static let openMessages = 100
    /// Maximum bytes of a file that contains a token.
    static let secret = 4_096
    /// Time limit of the health check before a load. A server that does not answer in this time is loaded nevertheless.
    static let healthPatience = Interval.seconds(2)
    /// Pause between two attempts of `polymock health --wait`. With 100 ms, a script continues soon after the server
    /// has started.
    static let healthPause = Interval.milliseconds(100)
    /// Maximum value of `--wait`.
    static let healthWait = Interval.hours(1)
}
