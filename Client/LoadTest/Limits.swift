package import Clocks

/// Limits of a load test. Each bound is crossed by a test.
package enum Limits {
    /// Sessions open at once. 50,000: an address has 65,535 ports, and a session takes two more while it is made.
    package static let sessions = 50_000
    /// Servers of one run. 256: as many as two digits of an id distinguish.
    package static let servers = 256
    /// Processes of one run. 64: more than most machines have cores.
    package static let processes = 64
    /// Messages per second over all sessions. 1,000,000: more than one process can send.
    package static let rate = 1_000_000.0
    /// Messages of one run. 10^9: their due times still fit in 64 bits of nanoseconds at one per second.
    package static let messages = 1_000_000_000
    /// Length of a run, of the ramp and of patience. A day: nobody watches longer.
    package static let length = Interval.hours(24)
    /// Sessions being opened at once while there is no ramp. 64: the latency of connecting is then the
    /// server's, and not that of waiting for one's turn.
    package static let openingAtOnce = 64
    /// Before a slot whose session could not be opened tries again.
    package static let retryPause = Interval.seconds(1)
    /// How long a session of which nothing is known waits for a greeting before it speaks. 2 s: an agent that
    /// greets does so at once.
    package static let greetingPatience = Interval.seconds(2)
    /// How long a session may take to open, and an answer to come, unless the options say otherwise.
    package static let patience = Interval.seconds(10)
    /// How long the end of a run waits for servers to answer the last Close frames.
    package static let farewell = Interval.seconds(1)
    /// Kinds of errors that are counted apart; further ones count together.
    package static let errorKinds = 64
    /// Characters of a text that names an error.
    package static let errorText = 120
    /// Between two lines of progress: on a terminal, and elsewhere.
    package static let liveProgress = Interval.milliseconds(500)
    package static let loggedProgress = Interval.seconds(5)
}
