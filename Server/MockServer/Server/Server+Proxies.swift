import HTTPCore
import ServerCore
import SocketTransport

/// Clients behind proxies (``ProxyTrust``).
extension Server {
    func trusts(_ peer: SocketAddress) -> Bool { proxies.trusts(peer.with(port: 0)) }

    /// Who asks, where a proxy asks for somebody. Each request of a connection may be somebody else's.
    func noteClient(of head: RequestHead, on connection: Connection) {
        connection.forwarded = nil
        guard head.headers[ProxyTrust<SocketAddress>.field] != nil else { return }
        let name = ProxyTrust<SocketAddress>.field.lowercased()
        let fields = head.headers.fields.filter { $0.name.lowercased() == name }.map(\.value)
        let remote = connection.remote
        let verdict = proxies.judge(fields, from: remote.with(port: 0)) {
            SocketAddress(host: $0, port: 0)
        }
        switch verdict {
        case .client(let address): connection.forwarded = Box(address)
        case .stranger: ignore("it comes from \(remote.host), which is no trusted proxy (--trusted-proxy)")
        case .malformed: ignore("the proxy \(remote.host) sent something else than addresses")
        }
    }

    /// Once for each reason, so that nobody can fill the log.
    private func ignore(_ reason: String) {
        guard toldOfFields.count < ServerLimits.toldFields,
            toldOfFields.insert(reason).inserted
        else { return }
        remark("note", "\(ProxyTrust<SocketAddress>.field) counts for nothing: \(reason)")
    }
}
