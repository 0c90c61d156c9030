package import Clocks
import SocketTransport

/// Real time, for all code of the process without an injected clock.
package enum SystemTime {
    package static let clock: any EventClock = SystemClock()
}
