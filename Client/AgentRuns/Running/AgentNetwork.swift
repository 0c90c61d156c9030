package import ClientSupport
package import Clocks
import HTTPClient
import HTTPCore

package struct AgentNetwork: Sendable {
    package let clock: any EventClock
    package let web: any WebTransport
    package let seed: UInt64

    package init(clock: any EventClock, web: any WebTransport, seed: UInt64) {
        self.clock = clock
        self.web = web
        self.seed = seed
    }

    /// Maximum unsent bytes of a request. 64 MiB, because a request contains all messages of its thread.
    package static let unsentBytes = 64 * 1_024 * 1_024

    /// Network that all agents of the process share.
    static let shared: AgentNetwork = {
        let seed = UInt64.random(in: UInt64.min...UInt64.max)
        let plain = HTTPClient(
            label: "AgentRuns.network", clock: SystemTime.clock, seed: seed, unsentBytes: unsentBytes)
        return AgentNetwork(clock: SystemTime.clock, web: SchemeTransport(plain), seed: seed)
    }()
}

extension HTTPClient.Request {
    private static let refusalBytes = 64 * 1_024
    /// Maximum bytes of undelivered events.
    private static let waitingBytes = 256 * 1_024
    /// Header fields that only the HTTP client sets.
    private static let ownFields: Set<String> = ["host", "content-length", "connection", "transfer-encoding"]

    init(
        _ configuration: AGUIConfiguration, pathEnding: String, body: [UInt8]
    ) throws(AgentRunError) {
        var address: WebAddress
        do throws(WebAddress.Flaw) {
            address = try WebAddress(configuration.url)
        } catch {
            throw .invalidInput(error.description)
        }
        while !pathEnding.isEmpty, address.path.hasSuffix("/") { address.path.removeLast() }
        address.path += pathEnding
        var headers: HeaderFields = ["Content-Type": "application/json", "Accept": "text/event-stream"]
        for (name, value) in configuration.headers.sorted(by: { $0.key < $1.key })
        where !Self.ownFields.contains(name.lowercased()) {
            headers.set(name, value)
        }
        self.init(
            "POST", address.endpoint, address.target, headers: headers, answerBytes: Self.refusalBytes,
            timeout: .seconds(configuration.connectTimeout))
        self.body = body
        streamedBytes = Self.waitingBytes
    }
}
