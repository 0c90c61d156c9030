import ConversationEngine
import RunWire

/// A decoded request for a run.
struct PreparedRun: Sendable {
    var request: RunRequest
    let asked: RunProfile
    /// What the request states about its thread, for the protocol rules. Empty for a replay.
    var claims: RunClaims { longClaims ?? short.map { RunClaims($0) } ?? RunClaims() }
    private let longClaims: RunClaims?
    private let short: RunInput?
    /// Tool results by call id, and decisions by interrupt id. Empty unless the request has more than
    /// ``AGUILimits/answers`` of them.
    private let answers: [String: RunAnswer]
    private let decisions: [String: RunDecision]

    init(reading body: [UInt8], isReplay: Bool, _ options: AGUIOptions) throws(RunFormatError) {
        let input = try RunInput(reading: body, maxBytes: options.bodyBytes, maxValues: AGUILimits.values)
        asked = RunProfile(of: input)
        let request = RunRequest(
            input, body: Self.kept(input, body), isReplay: isReplay,
            profile: RunProfile(named: options.profile.rawValue))
        let isLong = body.count > AGUILimits.shortBytes
        short = isLong || isReplay ? nil : input
        longClaims = isLong && !isReplay ? RunClaims(input) : nil
        var answers: [String: RunAnswer] = [:]
        var decisions: [String: RunDecision] = [:]
        switch request.words {
        case .answers(let all) where all.count > AGUILimits.answers:
            for answer in all where answers[answer.call] == nil { answers[answer.call] = answer }
        case .decisions(let all) where all.count > AGUILimits.answers:
            for decision in all { decisions[decision.ask] = decision }
        default: break
        }
        self.request = request
        (self.answers, self.decisions) = (answers, decisions)
    }

    /// Returns the body to store.
    private static func kept(_ input: RunInput, _ body: [UInt8]) -> RunBody {
        guard body.count > AGUILimits.shortBytes else { return RunBody(body) }
        let (thread, index) = ThreadIndex.text(of: input)
        return RunBody(thread, whole: body, notes: index)
    }

    /// Returns the new input of the request. Of more than ``AGUILimits/answers`` tool results or decisions, keeps
    /// those that affect the run.
    func words(in log: @autoclosure () -> RunLog?) -> RunRequest.Content {
        switch request.words {
        case .answers(let all) where !answers.isEmpty:
            let wanted = (log()?.pendingCalls ?? []).compactMap { answers[$0.id] }
            return .answers(wanted.isEmpty ? Array(all.prefix(1)) : wanted)
        case .decisions where !decisions.isEmpty:
            if let twice = claims.decidedTwice.flatMap({ decisions[$0] }) {
                return .decisions([twice, twice])
            }
            let asks = (log()?.pendingAsks ?? []).map(\.id)
            let strange = claims.decided.first { !asks.contains($0) }
            return .decisions((asks + (strange.map { [$0] } ?? [])).compactMap { decisions[$0] })
        default: return request.words
        }
    }
}

/// What a request states about its thread: decided interrupts, answered calls, and texts of the agent.
struct RunClaims: Sendable {
    private(set) var decided: [String] = []
    private(set) var decidedSet: Set<String> = []
    private(set) var decidedTwice: String?
    /// Ids of the tool calls whose results are at the end of the request's messages.
    private(set) var answered: [String] = []
    /// Texts of the agent's messages in the request, by message id.
    private(set) var texts: [String: String] = [:]

    init() {}

    init(_ input: RunInput) {
        for entry in input.resume ?? [] {
            if decidedSet.insert(entry.interruptID).inserted {
                decided.append(entry.interruptID)
            } else {
                decidedTwice = decidedTwice ?? entry.interruptID
            }
        }
        var seen: Set<String> = []
        for message in input.messages.reversed() {
            guard message.role == .tool else { break }
            if let call = message.toolCallID, seen.insert(call).inserted { answered.append(call) }
        }
        for message in input.messages where message.role == .assistant {
            if let content = message.content, texts[message.id] == nil { texts[message.id] = content.text }
        }
    }
}
