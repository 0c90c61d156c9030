import ConversationEngine

extension FixtureCompiler {
    mutating func compileHandoff(_ member: JSON5Member) {
        let place = document.place(at: member.nameStart)
        var handoff = Handoff(name: member.name, place: place)
        if let block = block(member.value, .handoff) {
            compileEnding(block, into: &handoff)
            if let queue = block["queue"] { handoff.queue = compileQueue(queue) }
            if let person = block["liveAgent"].flatMap({ profile($0, .liveAgent, id: "person-1") }) {
                handoff.liveAgent = person
            }
            if let opens = block["opens"] { handoff.opens = steps(opens, "opens") }
            if let rules = block["rules"] { handoff.rules = compileRules(rules, "rules", .listening) }
            if let rules = block["otherwise"] {
                handoff.otherwise = compileRules(rules, "otherwise", .lastResort)
            }
        }
        script.handoffs.append(handoff)
    }

    /// Compiles `mode`, `outcome`, `reason` and `route`.
    private mutating func compileEnding(_ block: Block, into handoff: inout Handoff) {
        let mode = block["mode"].flatMap { word($0, "mode", among: ["server", "client"]) }
        let outcome = block["outcome"].flatMap {
            word($0, "outcome", among: ["joins", "fails", "times out"])
        }
        let reason = block["reason"].flatMap { filledText($0, "reason") }
        let route = block["route"].flatMap { filledText($0, "route") }
        if mode == "client" { handoff.mode = .client(reason: reason, route: route) }
        if outcome == "fails" { handoff.outcome = .fails(reason: reason) }
        if outcome == "times out" { handoff.outcome = .timesOut(reason: reason) }
        if let value = block["route"], mode != "client", !block.meant.contains("mode") {
            report(
                .wrongType, at: value,
                "\"route\" belongs to mode: \"client\", where the client leads the way.")
        }
        let explains = mode == "client" || outcome == "fails" || outcome == "times out"
        let mayExplain = block.meant.contains("mode") || block.meant.contains("outcome")
        if let value = block["reason"], !explains, !mayExplain {
            report(
                .wrongType, at: value,
                "A \"reason\" belongs to mode: \"client\" or to an outcome that is not \"joins\".")
        }
    }

    private mutating func compileQueue(_ value: JSON5Value) -> QueuePlan? {
        guard let block = block(value, .queue) else { return nil }
        var queue = QueuePlan()
        queue.name = block["name"].flatMap { filledText($0, "name") }
        if let every = block["every"].flatMap({ interval($0, "every") }) { queue.every = every }
        queue.waitPerPlace = block["waitPerPlace"].flatMap { interval($0, "waitPerPlace") }
        guard let positions = block["positions"], let items = list(positions, "positions") else {
            return queue
        }
        guard items.count <= FixtureLimits.queuePositions else {
            report(
                .tooMany, at: positions,
                "\"positions\" has \(items.count) numbers; \(FixtureLimits.queuePositions) are the most.")
            return queue
        }
        for item in items {
            if case .number(let number) = item.content, number < 1 {
                report(
                    .queuePosition, at: item,
                    "\"positions\" contains \(document.source(of: item)), but the front of the queue is 1.",
                    fix: "use 1 for the front of the queue, or remove \"positions\" to skip queueing")
            } else if let position = whole(
                item, "positions", in: 1...FixtureLimits.queuePosition, code: .queuePosition)
            {
                queue.positions.append(position)
            }
        }
        return queue
    }
}
