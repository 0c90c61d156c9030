package import Clocks
import ConversationEngine
package import DialectKit

/// Protocol rules for AG-UI clients (protocol-agui.md), checked while a request is answered.
package struct AGUIProtocolRules: ClientProtocolRules {
    private static func protocolRule(_ id: String, _ title: String, _ advice: String) -> ProtocolRule {
        ProtocolRule(id: "agui-" + id, title: title, source: "protocol-agui.md#" + id, advice: advice)
    }

    static let body = protocolRule(
        "whole-body", "name the thread, the run and the messages",
        "Send threadId, runId and messages in a JSON body with each request.")
    static let known = protocolRule(
        "asked-interrupts", "decide what was asked",
        "Take the interruptId from the outcome of the run that asked.")
    static let all = protocolRule(
        "all-interrupts", "decide all that was asked",
        "Send exactly one entry of resume for each interrupt of the last run.")
    static let calls = protocolRule(
        "asked-calls", "answer the calls that were made",
        "Take the toolCallId of a tool's message from TOOL_CALL_START.")
    static let order = protocolRule(
        "one-run-at-a-time", "ask for one run of a thread at a time",
        "Wait for RUN_FINISHED or RUN_ERROR before the next run of the thread.")
    static let history = protocolRule(
        "history-stays", "leave the agent's messages as they came",
        "Send back the text of the agent's messages as it was streamed, under its id.")

    static let every = [body, known, all, calls, order, history]

    package var all: [ProtocolRule] { Self.every }

    package init() {}

    package func judge(
        _ activity: borrowing ClientActivity, at now: Instant, place: inout Int
    ) -> [Violation] {
        switch activity {
        case .asked(_, let facts, _, _, _):
            facts.broken.isEmpty
                ? []
                : Self.every.compactMap { protocolRule in
                    facts.broken[protocolRule.id].map { detail in
                        Violation(
                            protocolRule: protocolRule, session: facts.session, connection: nil, at: now,
                            event: nil, detail: detail)
                    }
                }
        default: []
        }
    }

    /// Returns details about the violated rules, by rule id.
    static func broken(
        by claims: @autoclosure () -> RunClaims, _ log: RunLog, _ journal: [JournalEntry], isRefused: Bool,
        isRepeated: Bool, needsDecisions: Bool
    ) -> [String: String] {
        var broken: [String: String] = [:]
        if isRefused { broken[order.id] = "the run \(log.runs.last?.facts.id ?? "") goes on" }
        guard log.runs.first?.facts.number == 1, !log.hasWritten else { return broken }
        let claims = claims()
        if let strange = claims.decided.first(where: { !log.asked.contains($0) }) {
            broken[known.id] = "nobody asked \(strange)"
        }
        if !claims.decided.isEmpty || needsDecisions, !isRepeated,
            let open = log.pendingAsks.first(where: { !claims.decidedSet.contains($0.id) })
        {
            broken[all.id] = "no decision on \(open.id)"
        } else if let twice = claims.decidedTwice {
            broken[all.id] = "two decisions on \(twice)"
        }
        if let strange = claims.answered.first(where: { !log.called.contains($0) }) {
            broken[calls.id] = "nobody made the call \(strange)"
        }
        if !log.hasFired, let id = changed(claims.texts, journal) {
            broken[history.id] = "the message \(id) was sent otherwise"
        }
        return broken
    }

    /// Returns the id of an agent message that the client has changed, or nil.
    private static func changed(_ texts: [String: String], _ journal: [JournalEntry]) -> String? {
        guard !texts.isEmpty else { return nil }
        // If the journal has several messages with the same id, the last one is compared.
        var seen: Set<String> = []
        for entry in journal.reversed() {
            guard case .agentMessage(let message) = entry.event, let text = texts[message.id],
                seen.insert(message.id).inserted
            else { continue }
            if !begins(message.text, with: text) { return message.id }
        }
        return nil
    }

    private static func begins(_ sent: String, with text: String) -> Bool {
        if sent.utf8.starts(with: text.utf8) { return true }
        var (sent, text) = (sent.unicodeScalars[...], text.unicodeScalars[...])
        for _ in 0..<AGUILimits.comparedScalars {
            text = text.drop(while: isBlank)
            guard let next = text.popFirst() else { return true }
            sent = sent.drop(while: isBlank)
            guard sent.popFirst() == next else { return false }
        }
        return true
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80
            ? scalar == " " || 0x09...0x0D ~= scalar.value : scalar.properties.isWhitespace
    }
}
