/// Assignment of the load to servers and processes in equal parts. Every server has an equal number of parts, every
/// process at least one. Process `n % processes` runs part `n` against server `n % servers`.
package struct LoadShares: Equatable, Sendable {
    package var servers: Int
    package var processes: Int

    package init(servers: Int, processes: Int) {
        self.servers = servers
        self.processes = processes
    }

    package var count: Int { servers * ((processes + servers - 1) / servers) }

    package func parts(of process: Int) -> [Int] { (0..<count).filter { $0 % processes == process } }

    package func server(of part: Int) -> Int { part % servers }
}

extension LoadPlan {
    /// Returns part `part` (from 0) of `count`. The parts' sessions, messages and rates add up to the plan's. The plan
    /// must have at least `count` sessions and messages.
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
