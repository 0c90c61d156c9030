import Clocks
import ConversationEngine
import Matching
import RunWire

/// Conversation in a private engine on virtual time, without idle timeout and without streaming.
struct DryRun {
    /// Cause of a message: a rule, the greeting, or the opening of a handoff.
    struct Cause: Equatable {
        var name: String
        var place: SourcePlace
    }

    enum Observation: Equatable {
        case said(Example.Speaker, String, Cause)
        case queue(Int)
        case handoffFailed
        case ended(EndReason)
        case unmatched(UnmatchedMessage)
        case ignored(reason: String)
        case called(tool: String, arguments: String)
        case asked(name: String, String)
        case state(String)
        case failed(String)
        case event(String)
    }

    enum Stop: Error {
        /// The conversation does not become idle within the limits.
        case endless
    }

    private static let connection = ConnectionID(1)
    /// 2026-01-01T09:30:00Z, fixed so that results are reproducible.
    package static let usualStart = Instant(secondsSince1970: 1_767_259_800)

    private(set) var observations: [Observation] = []
    private(set) var answered: [SourcePlace] = []
    private(set) var report: UnmatchedReport?
    private var engine: ConversationEngine
    private var handle: SessionHandle?
    private var now: Instant
    private let start: Instant
    private var effects: [Effect] = []
    private(set) var hasEnded = false
    /// Calls whose arguments are not complete, by call id.
    private var calls: [String: (tool: String, arguments: String)] = [:]
    private var cause: Cause
    private let script: Script
    private let wantsReport: Bool

    init(
        _ script: Script, wantsReport: Bool = false, localTime: WallTime? = nil,
        memory: [String: String] = [:], start: Instant = DryRun.usualStart
    ) {
        self.start = start
        now = start
        self.wantsReport = wantsReport
        var script = script
        // This client sends no heartbeats, so the idle timeout is off.
        script.session.idle = nil
        script.session.connections = nil
        var options = EngineOptions()
        options.sessionIdle = FixtureLimits.exampleTime * 100
        options.connectionIdle = FixtureLimits.exampleTime * 100
        self.script = script
        engine = ConversationEngine(options: options)
        cause = Cause(name: "greeting", place: script.greeting.first?.place ?? SourcePlace())
        handle =
            engine.open(
                .init(script: script, memory: memory, localTime: localTime), at: now, into: &effects)?.handle
        if let handle {
            _ = engine.attach(
                Self.connection, to: handle, cursor: 0, firstFrameAt: now, at: now, into: &effects)
        }
    }

    var conversation: Conversation? { handle.flatMap { engine[$0] } }
    var matchSteps: Int { conversation?.matchSteps ?? 0 }

    mutating func join(_ budget: inout RehearsalBudget) throws(Stop) {
        try execute(.join(greeting: nil), &budget)
    }

    /// Joins with the state of another session, in place of ``join(_:)``. `memory` overrides slot values of that state.
    mutating func join(where other: Conversation, memory: [String: String]) {
        guard let handle else { return }
        var other = other
        other.remember(memory)
        engine.place(handle, like: other)
        recordEffects()
    }

    mutating func send(_ text: String, _ budget: inout RehearsalBudget) throws(Stop) {
        report = nil
        try execute(.say(text), &budget)
    }

    mutating func answer(
        _ tool: String, _ text: String, isFailure: Bool, _ budget: inout RehearsalBudget
    ) throws(Stop) {
        report = nil
        let call = conversation?.runs?.pendingCalls.first { $0.tool == tool }?.id
        let answer = RunAnswer(call: call ?? "", content: text, error: isFailure ? text : nil)
        try execute(.run(RunRequest(thread: "example", run: "answer", words: .answers([answer]))), &budget)
    }

    mutating func abandon() {
        guard let handle else { return }
        engine.end(handle, reason: .abandoned, at: now, into: &effects)
        recordEffects()
    }

    private mutating func execute(_ word: ClientInput.Word, _ budget: inout RehearsalBudget) throws(Stop) {
        guard let handle else { return }
        let before = matchSteps
        engine.handle(ClientInput(word), from: Self.connection, in: handle, at: now, into: &effects)
        recordEffects()
        budget.matchSteps -= matchSteps - before
        // `conversation` is read only at the time limit: a read in each round would copy its journal.
        while !hasEnded, let due = engine.nextDeadline {
            if due > start + FixtureLimits.exampleTime {
                guard conversation?.isQuiet == true else { throw .endless }
                break
            }
            budget.moments -= 1
            guard budget.isLeft else { throw .endless }
            now = max(due, now)
            engine.advance(to: now, into: &effects)
            recordEffects()
        }
        budget.moments -= 1
        guard budget.isLeft else { throw .endless }
    }

    private mutating func recordEffects() {
        for effect in effects {
            switch effect {
            case .deliver(_, let entry, _): record(entry.event)
            case .run(_, _, let entry): record(entry.event)
            case .note(_, .heard(_, let rule, let place, _, _)):
                cause = Cause(name: "rule \(rule)", place: place)
                answered.append(place)
            case .note(_, .unmatched(let unmatched)):
                if wantsReport, report == nil { report = conversation?.report(on: unmatched) }
                observations.append(.unmatched(unmatched))
            case .note(_, .ignored(let reason)): observations.append(.ignored(reason: reason))
            default: break
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    private mutating func record(_ event: AgentEvent) {
        switch event {
        case .callStarted(let call): calls[call.id] = (call.tool, "")
        case .callDelta(let id, let delta): calls[id]?.arguments += delta
        case .callEnded(let id):
            guard let call = calls.removeValue(forKey: id) else { return }
            observations.append(.called(tool: call.tool, arguments: call.arguments))
        case .state(let value), .stateChanged(let value), .stateTarget(let value):
            observations.append(.state(value))
        case .failed(let failure): observations.append(.failed("\(failure.code ?? "") \(failure.message)"))
        case .written(let value, _): observations.append(.event(value))
        case .subagentStarted(let subagent):
            observations.append(.event("\(RunEventType.subagentStarted.rawValue) \(subagent.name)"))
        case .activity: observations.append(.event(RunEventType.activitySnapshot.rawValue))
        case .finished(let end):
            guard case .asks(let asks) = end.outcome else { return }
            for ask in asks { observations.append(.asked(name: ask.name, ask.message ?? "")) }
        default: break
        }
    }

    private mutating func record(_ event: Event) {
        switch event {
        case .agentMessage(let message): observations.append(.said(.agent, message.text, cause))
        case .liveAgentMessage(let message, _): observations.append(.said(.liveAgent, message.text, cause))
        case .queueStatus(let status):
            if let position = status.position { observations.append(.queue(position)) }
        case .liveAgentJoined:
            guard case .liveAgent(let person)? = conversation?.responder else { return }
            let handoff = script.handoffs[person.handoff]
            cause = Cause(
                name: "opens of \(handoff.name)", place: handoff.opens.first?.place ?? handoff.place)
        case .handoffFailed, .handoffTimedOut: observations.append(.handoffFailed)
        case .sessionEnded(let reason):
            hasEnded = true
            observations.append(.ended(reason))
        default: break
        }
    }
}

struct RehearsalBudget {
    var moments = FixtureLimits.exampleMoments
    var matchSteps = FixtureLimits.exampleMatchSteps

    var isLeft: Bool { moments > 0 && matchSteps > 0 }
}
