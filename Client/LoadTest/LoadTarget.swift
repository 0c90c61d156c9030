import SocketTransport
package import Texts

/// The server that a load test drives: on this machine, or one that its owner has named.
package struct LoadTarget: Equatable, Sendable {
    package enum Problem: Error, Equatable, Sendable {
        case notAnAddress
        case hasUser
        /// The host is not on this machine, and its owner has not allowed it.
        case notLoopback(host: String)
        case otherHost(host: String, named: String)
    }

    package let address: ServerAddress

    /// `text` is `http` or `https`, a host, a port, and a path that may end with `/api/v1`. `ownedHost` is a host that
    /// the caller owns; it must be the host of the address.
    package init(_ text: String, ownedHost: String? = nil) throws(Problem) {
        do throws(ServerAddress.Problem) {
            address = try ServerAddress(text)
        } catch {
            throw error == .hasUser ? .hasUser : .notAnAddress
        }
        let host = address.host
        // Parsers differ in their reading of zones.
        guard !host.contains("%"), !host.contains(":") || SocketAddress(host: host, port: 0) != nil else {
            throw .notAnAddress
        }
        if let ownedHost {
            let named = ownedHost.lowercased()
            guard named == host || named == "[\(host)]" && host.contains(":") else {
                throw .otherHost(host: host, named: ownedHost)
            }
        } else if !isLoopback {
            throw .notLoopback(host: host)
        }
    }

    /// The target for a run with several named hosts: the host of the address is allowed if it is among them.
    package init(_ text: String, ownedHosts: [String]) throws(Problem) {
        do throws(Problem) {
            self = try LoadTarget(text)
        } catch {
            guard case .notLoopback(let host) = error, !ownedHosts.isEmpty else { throw error }
            let owned = ownedHosts.first { $0.lowercased() == host || $0.lowercased() == "[\(host)]" }
            self = try LoadTarget(text, ownedHost: owned ?? ownedHosts[0])
        }
    }

    /// Whether the host is `localhost`, in 127.0.0.0/8, or ::1. Other spellings do not count, since resolvers
    /// differ in what they accept.
    package var isLoopback: Bool {
        address.host == "localhost" || SocketAddress(host: address.host, port: 0)?.isLoopback == true
    }
}
