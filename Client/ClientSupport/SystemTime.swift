package import Clocks
import SocketTransport

/// Real-time clock of all code without an injected clock.
package enum SystemTime {
    package static let clock: any EventClock = SystemClock()
}
