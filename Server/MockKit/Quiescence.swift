package import HTTPClient
package import MockServer
package import PolyMessaging
import SocketTransport

/// Nothing is on its way between chats and a server of this process: what is still to come takes time.
package enum Quiescence {
    /// Waits for it: all bytes that one side sent have arrived at the other, and no client has anything to do.
    ///
    /// - Parameters:
    ///   - server: nil while none runs.
    ///   - network: through which the clients reach it.
    ///   - drivers: the chats' clients, asked anew in each round.
    ///   - others: how much has happened to the clients of other protocols; nil while one of them waits for an actor.
    /// - Returns: false when it never comes.
    package static func reached(
        server: () -> MockServer?, network: HTTPClient, drivers: () -> [ClientDriver],
        others: () -> Int? = { 0 }
    ) async -> Bool {
        var before = -1
        for _ in 0..<Limits.settlingRounds {
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
