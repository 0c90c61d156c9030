/// Assignment of the load to servers and processes. The load is divided into equal parts. Every server has the same
/// number of parts, and every process has at least one. Process `n % processes` runs part `n` against server `n %
/// servers`.
package struct LoadShares: Equatable, Sendable {
    package var servers: Int
    package var processes: Int

    package init(servers: Int, processes: Int) {
        self.servers = servers
        self.processes = processes
    }

    /// Number of parts into which the load is divided.
    package var count: Int { servers * ((processes + servers - 1) / servers) }

    package func parts(of process: Int) -> [Int] { (0..<count).filter { $0 % processes == process } }

    package func server(of part: Int) -> Int { part % servers }
}

extension LoadPlan {
    /// Returns part `part` of `count` parts of the plan; `part` counts from 0. The sessions, messages and rates of all
    /// parts add up to those of the plan. The plan must have at least `count` sessions and messages.
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
