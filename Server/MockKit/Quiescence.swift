package import HTTPClient
package import MockServer
package import PolyMessaging
import SocketTransport

/// Detection of idleness: no bytes are in transit between the clients and a server of this process.
package enum Quiescence {
    /// Waits until no bytes are in transit and no client has work. Returns false after ``KitLimits/settlingRounds``.
    /// `others` returns the number of inputs that other clients have handled; nil while one is busy.
    package static func reached(
        server: () -> MockServer?, network: HTTPClient, drivers: () -> [ClientDriver],
        others: () -> Int? = { 0 }
    ) async -> Bool {
        var before = -1
        for _ in 0..<KitLimits.settlingRounds {
            let far = server()?.traffic() ?? []
            let near = network.trafficHere()
            guard var now = others() else {
                before = -1
                await MainActor.run {}
                continue
            }
            for driver in drivers() { now += driver.settleHere() }
            let isEven = SocketTraffic.isEven(near: near.sockets, far: far, dialled: near.dialled)
            if now == before, isEven { return true }
            before = isEven ? now : -1
            await Task.yield()
        }
        return false
    }
}
