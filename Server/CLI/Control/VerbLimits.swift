import Clocks

/// Bounds of the verbs that speak to a server: name, unit, default, reason.
enum VerbLimits {
    /// Characters of one cell of a table. 60: a table of one wide column still fits a terminal.
    static let cell = 60
    /// Characters of a message in a line about an event. 400: a long reply, not a document.
    static let saying = 400
    /// Bytes of a file that is read. 128 MiB: the server's bound of an import.
    static let file = 128 << 20
    /// Bytes of one line of standard input. 64 KiB: the API's bound of one event.
    static let line = 64 << 10
    /// Messages whose pieces are being joined. 100: a session has one or two at a time.
    static let openMessages = 100
    /// Bytes of a file that holds a token: one line.
    static let secret = 4_096
    /// Time limit of a load's health check of its servers. 2 s: a server that does not answer in time is
    /// loaded nevertheless.
    static let healthPatience = Interval.seconds(2)
    /// Pause between two polls of `polymock health --wait`. 100 ms: a script continues soon after a server
    /// listens.
    static let healthPause = Interval.milliseconds(100)
    /// The longest `--wait`. 1 h: a job of a build server, not a service.
    static let healthWait = Interval.hours(1)
}
