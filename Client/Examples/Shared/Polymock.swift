// This file was type-checked only: it has never run on an Apple device.
import Foundation
import PolyMessaging

extension Configuration {
    /// Returns the configuration for the polymock server on this Mac, for a simulator. A device needs the Mac's address
    /// and port as `host`, and the server must be started with `swift run polymock --host 0.0.0.0`. In production, use
    /// the real connector token and environment instead.
    static func polymock(_ scenario: String, at host: String = "127.0.0.1:8787") -> Configuration {
        guard let rest = URL(string: "http://\(host)/api/v1"), let socket = URL(string: "ws://\(host)/ws")
        else {
            preconditionFailure("\(host) is no host with a port")
        }
        return Configuration(
            connectorToken: "mock:" + scenario, environment: .custom(restBaseURL: rest, wsBaseURL: socket))
    }
}
