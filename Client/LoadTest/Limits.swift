package import Clocks

package enum Limits {
    /// Open sessions. 50,000: an address has 65,535 ports, and a session takes two more while it opens.
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
    /// Sessions opened concurrently without a ramp. 64: the latency of connecting is then the server's, not that of a
    /// queue.
    package static let openingAtOnce = 64
    /// Pause of a slot whose session could not be opened.
    package static let retryPause = Interval.seconds(1)
    /// Wait of a session for an unknown greeting before it speaks. 2 s: an agent that greets does so at once.
    package static let greetingPatience = Interval.seconds(2)
    /// Default time-out of opening a session, and of an answer.
    package static let patience = Interval.seconds(10)
    /// Wait at the end of a run for the last Close frames of servers.
    package static let farewell = Interval.seconds(1)
    /// Kinds of errors counted separately; further ones count together.
    package static let errorKinds = 64
    /// Characters of a text that names an error.
    package static let errorText = 120
    /// Interval of progress lines: on a terminal, and elsewhere.
    package static let liveProgress = Interval.milliseconds(500)
    package static let loggedProgress = Interval.seconds(5)
}
