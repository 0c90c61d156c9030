/// Byte counters of one end of a connection.
package struct SocketTraffic: Equatable, Sendable {
    package var localPort: UInt16
    package var peerPort: UInt16
    /// Bytes received and sent, modulo 2³².
    package var received: UInt32
    package var sent: UInt32
    /// Bytes that the kernel has not accepted yet.
    package var pendingBytes: Int
    package var isConnecting: Bool
    package var hasEndedInput: Bool
    package var hasEndedOutput: Bool

    /// Whether everything sent by either side has arrived, including ends of streams.
    ///
    /// - Parameters:
    ///   - near: the connections of the side that connects.
    ///   - far: the connections of the side that accepts. Connections of other clients are ignored.
    ///   - dialled: every local port that the near side has ever used.
    /// - Returns: false while something is in transit.
    package static func isEven(near: [Self], far: [Self], dialled: Set<UInt16>) -> Bool {
        var there = Set<UInt16>()
        for one in near {
            there.insert(one.localPort)
            guard !one.isConnecting, let other = far.first(where: { $0.peerPort == one.localPort }),
                one.sent == other.received, one.received == other.sent,
                one.pendingBytes == 0, other.pendingBytes == 0,
                one.hasEndedOutput == other.hasEndedInput, one.hasEndedInput == other.hasEndedOutput
            else { return false }
        }
        return far.allSatisfy { there.contains($0.peerPort) || !dialled.contains($0.peerPort) }
    }
}

extension SocketPool {
    package var traffic: [SocketTraffic] {
        var all: [SocketTraffic] = []
        for index in entries.indices where entries[index].descriptor >= 0 {
            if entries[index].peerPort == 0 { askPorts(index) }
            let entry = entries[index]
            all.append(
                SocketTraffic(
                    localPort: entry.localPort, peerPort: entry.peerPort,
                    received: entry.received, sent: entry.sent, pendingBytes: entry.output?.count ?? 0,
                    isConnecting: entry.state.contains(.connecting),
                    hasEndedInput: entry.state.contains(.inputEnded),
                    hasEndedOutput: entry.state.contains(.outputEnded)))
        }
        return all
    }

    private func askPorts(_ index: Int) {
        let descriptor = entries[index].descriptor
        entries[index].localPort = SystemCalls.localAddress(descriptor)?.port ?? 0
        entries[index].peerPort = SystemCalls.peerAddress(descriptor)?.port ?? 0
    }
}
