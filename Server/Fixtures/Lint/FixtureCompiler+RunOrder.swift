import ConversationEngine

/// Reports events of runs in an order that AG-UI does not allow, unless the step marks the order as intended.
extension FixtureCompiler {
    mutating func checkRunOrder(_ steps: [Step]) {
        var order = TurnOrder(tools: script.tools)
        var last: Step?
        for step in steps {
            guard case .run(let run) = step.verb else { continue }
            last = step
            guard let problem = order.check(run) else { continue }
            return report(problem, of: step)
        }
        if let last, let problem = order.finish() { report(problem, of: last) }
    }

    private mutating func report(_ problem: TurnOrder.Problem, of step: Step) {
        report(
            .runOrder, at: step.place, problem.message,
            fix: problem.isOrder
                ? "write what breaks the order on purpose as an \"event\" with unchecked: true" : nil)
    }
}

private struct TurnOrder {
    struct Problem {
        var message: String
        var isOrder = true
    }

    let tools: [Tool]
    private var watches: [RunOrderCheck] = []
    private var steps: [String] = []
    private var subagents: [(id: String, name: String)] = []
    private var count = 0
    private var isOver = false

    private static let ids = ["run.thread": "t", "run.id": "r"]

    init(tools: [Tool]) {
        self.tools = tools
        begin()
    }

    private mutating func begin() {
        watches = [false, true].map { RunOrderCheck(asSteps: $0, ids: ("t", "r")) }
        (steps, subagents) = ([], [])
        _ = consume(.started)
    }

    mutating func check(_ step: RunStep) -> Problem? {
        switch step {
        case .stepStarted(let name):
            steps.append(name)
            return consume(.stepStarted(name))
        case .stepFinished(let name):
            steps.removeAll { $0 == name }
            return consume(.stepFinished(name))
        case .subagentStarted(let name, _, let id):
            let id = self.id(id)
            subagents.append((id, name))
            return consume(.subagentStarted(RunSubagent(id: id, name: name)))
        case .subagentEnded(let name, _, _):
            let place = subagents.lastIndex { $0.name == name }
            let id = place.map { subagents.remove(at: $0).id }
            return consume(.subagentEnded(id: id ?? name, result: nil, error: nil))
        case .call(let calls, let order):
            if let problem = check(calls, order) { return problem }
            return calls.contains { tool($0)?.isOfClient == true && $0.outcome == nil } ? endRun() : nil
        case .ask, .awaits: return endRun()
        case .cancel:
            let problem = endRun()
            isOver = true
            return problem
        case .fail: isOver = true
        case .event(let value, let isUnchecked, let endsRun):
            let text = value.filled { Self.ids[$0] ?? "x" }
            if let problem = consume(.written(value: text, isUnchecked: isUnchecked)) { return problem }
            isOver = isOver || endsRun && !isUnchecked
        default: break
        }
        return nil
    }

    private mutating func check(_ calls: [ScriptedCall], _ order: CallOrder) -> Problem? {
        let calls = calls.map { RunCall(id: id($0.id), tool: tool($0)?.name ?? "") }
        var events: [AgentEvent] = []
        for call in calls {
            events.append(.callStarted(call))
            if !order.interleaves { events.append(.callEnded(id: call.id)) }
        }
        if order.interleaves { events += calls.map { .callEnded(id: $0.id) } }
        for event in events { if let problem = consume(event) { return problem } }
        return nil
    }

    /// Returns the called tool, or nil.
    private func tool(_ call: ScriptedCall) -> Tool? {
        tools.indices.contains(call.tool) ? tools[call.tool] : nil
    }

    /// Returns the id that the fixture sets, if it is known before the run; otherwise a unique id.
    private mutating func id(_ template: Template?) -> String {
        if let template, template.slots.allSatisfy({ Self.ids[$0.name] != nil }) {
            return template.filled { Self.ids[$0] }
        }
        count += 1
        return "\(count). id"
    }

    /// Ends a run within a turn, with its open subagents and steps, and begins the next run.
    private mutating func endRun() -> Problem? {
        for subagent in subagents.reversed() {
            if let problem = consume(.subagentEnded(id: subagent.id, result: nil, error: nil)) {
                return problem
            }
        }
        for step in steps { if let problem = consume(.stepFinished(step)) { return problem } }
        let problem = finish()
        begin()
        return problem
    }

    mutating func finish() -> Problem? { consume(.finished(RunEnd(.done(pending: [])))) }

    private mutating func consume(_ event: AgentEvent) -> Problem? {
        guard !isOver else { return nil }
        var problem: String?
        for place in watches.indices {
            let found = watches[place].check(event)
            problem = problem ?? found
        }
        return problem.map { Problem(message: $0, isOrder: !$0.hasPrefix("This is no event")) }
    }
}
