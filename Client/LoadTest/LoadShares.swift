/// Assignment of servers to processes. The load is divided into equal parts: equally many for each server, and at least
/// one per process. Process `n % processes` runs part `n` against server `n % servers`.
package struct LoadShares: Equatable, Sendable {
    package var servers: Int
    package var processes: Int

    package init(servers: Int, processes: Int) {
        self.servers = servers
        self.processes = processes
    }

    /// Number of parts.
    package var count: Int { servers * ((processes + servers - 1) / servers) }

    package func parts(of process: Int) -> [Int] { (0..<count).filter { $0 % processes == process } }

    package func server(of part: Int) -> Int { part % servers }
}

extension LoadPlan {
    /// Returns part `part`, from 0, of `count` parts. Sessions, messages and rates of all parts add up to the plan's.
    /// `count` must not exceed the sessions or messages.
    package func part(_ part: Int, of count: Int) -> LoadPlan {
        func share(_ whole: Int) -> Int { whole / count + (part < whole % count ? 1 : 0) }
        var plan = self
        plan.sessions = share(sessions)
        plan.messages = messages.map(share)
        plan.rate = rate.map { $0 * Double(plan.sessions) / Double(sessions) }
        plan.seed = seed &+ UInt64(part)
        return plan
    }
}
