import Clocks

/// Limits of the verbs that call a server.
enum VerbLimits {
    /// Maximum characters of one cell of a table. 60: a table with one wide column still fits a terminal.
    static let cell = 60
    /// Characters of a message in the line about its event. 400: enough for a long reply.
    static let saying = 400
    /// Bytes of a file to read. 128 MiB: the server's limit of an import.
    static let file = 128 << 20
    /// Bytes of one line of standard input. 64 KiB: the API's limit of one event.
    static let line = 64 << 10
    /// Messages whose chunks are being joined. 100: a session has one or two at a time.
    static let openMessages = 100
    /// Bytes of a file that holds a token.
    static let secret = 4_096
    /// Time limit of the health check before a load. A server that does not answer within 2 s is loaded nevertheless.
    static let healthPatience = Interval.seconds(2)
    /// Pause between two attempts of `polymock health --wait`. 100 ms: a script can continue soon.
    static let healthPause = Interval.milliseconds(100)
    /// The longest `--wait`: 1 h.
    static let healthWait = Interval.hours(1)
}
