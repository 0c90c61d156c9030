package import Clocks

package enum LoadLimits {
    /// Maximum open sessions. Each uses one of a client address's 65,535 ports, and two more while it opens.
    package static let sessions = 50_000
    /// Maximum servers of one run: two hexadecimal digits of an id identify the server.
    package static let servers = 256
    /// Maximum processes of one run.
    package static let processes = 64
    /// Maximum messages per second over all sessions.
    package static let rate = 1_000_000.0
    /// Maximum messages of one run. At one per second, all due times in nanoseconds fit into 64 bits.
    package static let messages = 1_000_000_000
    /// Maximum length of a run, of the ramp and of the time limit for answers: one day.
    package static let length = Interval.hours(24)
    /// Maximum sessions that open at once without a ramp. More would wait for each other and add connect latency.
    package static let openingAtOnce = 64
    package static let retryPause = Interval.seconds(1)
    /// Time to wait for a greeting if it is unknown whether the agent greets.
    package static let greetingPatience = Interval.seconds(2)
    package static let patience = Interval.seconds(10)
    package static let farewell = Interval.seconds(1)
    /// Maximum kinds of errors that are counted separately.
    package static let errorKinds = 64
    package static let errorText = 120
    package static let liveProgress = Interval.milliseconds(500)
    package static let loggedProgress = Interval.seconds(5)
}
