package import Clocks
import SocketTransport

/// Real time, for everything in the process that does not bring its own.
package enum SystemTime {
    package static let clock: any EventClock = SystemClock()
}
