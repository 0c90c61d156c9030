package import Clocks
import SocketTransport

/// The real-time clock, used by all code without an injected clock.
package enum SystemTime {
    package static let clock: any EventClock = SystemClock()
}
