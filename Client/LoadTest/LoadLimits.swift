package import Clocks

package enum LoadLimits {
    /// Open sessions. 50,000: an address has 65,535 ports, and a session uses two more while it opens.
    package static let sessions = 50_000
    /// Servers of one run. 256: two hexadecimal digits of an id distinguish as many.
    package static let servers = 256
    /// Processes of one run. 64: more than most machines have cores.
    package static let processes = 64
    /// Messages per second over all sessions. 1,000,000: more than one process can send.
    package static let rate = 1_000_000.0
    /// Messages of one run. 10^9: at one per second, their due times in nanoseconds still fit 64 bits.
    package static let messages = 1_000_000_000
    /// Length of a run, of the ramp and of patience: one day.
    package static let length = Interval.hours(24)
    /// Sessions opened concurrently without a ramp. 64: a longer queue would add to the measured connect latency.
    package static let openingAtOnce = 64
    /// Pause of a slot after its session could not be opened.
    package static let retryPause = Interval.seconds(1)
    /// Wait for an unknown greeting before the first message. 2 s: an agent that greets does so at once.
    package static let greetingPatience = Interval.seconds(2)
    /// Default time limit of opening a session, and of an answer.
    package static let patience = Interval.seconds(10)
    /// Wait at the end of a run for the Close frames of the servers.
    package static let farewell = Interval.seconds(1)
    /// Kinds of errors counted separately. Further kinds are counted together.
    package static let errorKinds = 64
    /// Characters of an error text.
    package static let errorText = 120
    /// Interval between progress reports: on a terminal (`liveProgress`), and elsewhere.
    package static let liveProgress = Interval.milliseconds(500)
    package static let loggedProgress = Interval.seconds(5)
}
