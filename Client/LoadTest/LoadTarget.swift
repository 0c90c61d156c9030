import SocketTransport
package import Texts

/// Server of a load test: on this machine, or on a host that the caller has named as their own.
package struct LoadTarget: Equatable, Sendable {
    package enum Problem: Error, Equatable, Sendable {
        case notAnAddress
        case hasUser
        /// The host is not on this machine, and the caller has not named it as their own.
        case notLoopback(host: String)
        case otherHost(host: String, named: String)
    }

    package let address: ServerAddress

    /// Parses an `http` or `https` address, possibly with the path `/api/v1`. Its host must be `ownedHost`, or on this
    /// machine if `ownedHost` is nil.
    package init(_ text: String, ownedHost: String? = nil) throws(Problem) {
        do throws(ServerAddress.Problem) {
            address = try ServerAddress(text)
        } catch {
            throw error == .hasUser ? .hasUser : .notAnAddress
        }
        let host = address.host
        // Hosts with an IPv6 zone (`%`) are refused, because URL parsers disagree about them.
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

    /// Parses an address whose host is on this machine, or is one of `ownedHosts`.
    package init(_ text: String, ownedHosts: [String]) throws(Problem) {
        do throws(Problem) {
            self = try LoadTarget(text)
        } catch {
            guard case .notLoopback(let host) = error, !ownedHosts.isEmpty else { throw error }
            let owned = ownedHosts.first { $0.lowercased() == host || $0.lowercased() == "[\(host)]" }
            self = try LoadTarget(text, ownedHost: owned ?? ownedHosts[0])
        }
    }

    /// Whether the host is `localhost`, `::1`, or in 127.0.0.0/8. Resolvers disagree about other spellings.
    package var isLoopback: Bool {
        address.host == "localhost" || SocketAddress(host: address.host, port: 0)?.isLoopback == true
    }
}
