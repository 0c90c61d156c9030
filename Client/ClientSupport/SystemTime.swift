package import Clocks
import SocketTransport

package enum SystemTime {
    package static let clock: any EventClock = SystemClock()
}
