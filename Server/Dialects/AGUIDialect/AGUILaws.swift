package import Clocks
import ConversationEngine
package import DialectKit
package import LawBook
import RunWire

/// What clients of this protocol must not do (protocol-agui.md). The dialect sees breaches while it answers.
package struct AGUILaws: ClientLaws {
    private static func law(_ id: String, _ title: String, _ advice: String) -> Law {
        Law(id: "agui-" + id, title: title, source: "protocol-agui.md#" + id, advice: advice)
    }

    static let body = law(
        "whole-body", "name the thread, the run and the messages",
        "Send threadId, runId and messages in a JSON body with each request.")
    static let known = law(
        "asked-interrupts", "decide what was asked",
        "Take the interruptId from the outcome of the run that asked.")
    static let all = law(
        "all-interrupts", "decide all that was asked",
        "Send one entry of resume for each interrupt of the last run.")
    static let calls = law(
        "asked-calls", "answer the calls that were made",
        "Take the toolCallId of a tool's message from TOOL_CALL_START.")
    static let order = law(
        "one-run-at-a-time", "ask for one run of a thread at a time",
        "Wait for RUN_FINISHED or RUN_ERROR before the next run of the thread.")
    static let history = law(
        "history-stays", "leave the agent's messages as they came",
        "Send back the text of the agent's messages as it was streamed, under its id.")

    static let every = [body, known, all, calls, order, history]

    package var all: [Law] { Self.every }

    package init() {}

    package func judge(_ deed: ClientDeed, at now: Instant) -> [Breach] {
        guard case .asked(_, let facts, _) = deed, !facts.broken.isEmpty else { return [] }
        return Self.every.compactMap { law in
            facts.broken[law.id].map { detail in
                Breach(
                    law: law, session: facts.session, connection: nil, at: now, event: nil, detail: detail)
            }
        }
    }

    /// What a request breaks on a thread that has runs. Where their beginning is forgotten, or a script wrote out
    /// events, the server does not know what was asked.
    static func broken(
        by input: RunInput, _ log: RunLog, _ journal: [JournalEntry], isRefused: Bool, isRepeated: Bool,
        needsDecisions: Bool
    ) -> [String: String] {
        var broken: [String: String] = [:]
        if isRefused { broken[order.id] = "the run \(log.runs.last?.facts.id ?? "") goes on" }
        guard log.runs.first?.facts.number == 1 else { return broken }
        var asks: Set<String> = []
        var called: Set<String> = []
        for event in log.runs.lazy.flatMap(\.entries).map(\.event) {
            switch event {
            case .written: return broken
            case .callStarted(let call): called.insert(call.id)
            case .finished(let end):
                if case .asks(let found) = end.outcome { asks.formUnion(found.map(\.id)) }
            default: break
            }
        }
        let decided = (input.resume ?? []).map(\.interruptID)
        if let strange = decided.first(where: { !asks.contains($0) }) {
            broken[known.id] = "nobody asked \(strange)"
        }
        if !decided.isEmpty || needsDecisions, !isRepeated,
            let open = log.pendingAsks.first(where: { !decided.contains($0.id) })
        {
            broken[all.id] = "no decision on \(open.id)"
        }
        let answers = input.messages.reversed().prefix { $0.role == .tool }.compactMap(\.toolCallID)
        if let strange = answers.first(where: { !called.contains($0) }) {
            broken[calls.id] = "nobody made the call \(strange)"
        }
        if !log.isStruck, let id = changed(in: input.messages, journal) {
            broken[history.id] = "the message \(id) was told otherwise"
        }
        return broken
    }

    /// A message of the agent whose text is not how the told one begins. A client that left has its beginning alone, and
    /// blanks between pieces are not compared: settings trim them.
    private static func changed(in messages: [RunMessage], _ journal: [JournalEntry]) -> String? {
        let own = messages.filter { $0.role == .assistant && $0.content != nil }
        guard !own.isEmpty else { return nil }
        var told: [String: String] = [:]
        for entry in journal {
            if case .agentMessage(let message) = entry.event { told["\(message.id)"] = message.text }
        }
        return own.first { message in
            guard let text = told[message.id] else { return false }
            return !squeezed(text).starts(with: squeezed(message.content?.text ?? ""))
        }?.id
    }

    private static func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
