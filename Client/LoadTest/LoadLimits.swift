package import Clocks

package enum LoadLimits {
    /// Maximum open sessions. 50,000 sessions need fewer than the 65,535 ports of a client address. Each session uses
    /// one port, and two more while it opens.
    package static let sessions = 50_000
    /// Maximum servers of one run. 256, because two hexadecimal digits of an id identify the server.
    package static let servers = 256
    /// Maximum processes of one run. Most machines have fewer than 64 cores.
    package static let processes = 64
    /// Maximum messages per second over all sessions. One process cannot send more than 1,000,000.
    package static let rate = 1_000_000.0
    /// Maximum messages of one run. Even at one message per second, the due time of message 10^9 in nanoseconds fits
    /// into 64 bits.
    package static let messages = 1_000_000_000
    /// Maximum length of a run, of the ramp and of the time limit for answers: one day.
    package static let length = Interval.hours(24)
    /// Maximum sessions that open at the same time without a ramp. If there were more, sessions would wait for each
    /// other, and this wait would count as connect latency.
    package static let openingAtOnce = 64
    /// Pause of a slot whose session could not be opened.
    package static let retryPause = Interval.seconds(1)
    /// Time to wait for a greeting if it is unknown whether the agent greets. 2 s are enough, because a greeting is
    /// sent at once.
    package static let greetingPatience = Interval.seconds(2)
    /// Default time limit for opening a session, and for the answer to a message.
    package static let patience = Interval.seconds(10)
    /// Maximum time to wait for the servers' Close frames at the end of a run.
    package static let farewell = Interval.seconds(1)
    /// Maximum kinds of errors that are counted separately. All further kinds share one count.
    package static let errorKinds = 64
    /// Maximum characters of an error text. A longer text is truncated.
    package static let errorText = 120
    /// Intervals between progress reports: `liveProgress` on a terminal, `loggedProgress` elsewhere.
    package static let liveProgress = Interval.milliseconds(500)
    package static let loggedProgress = Interval.seconds(5)
}
