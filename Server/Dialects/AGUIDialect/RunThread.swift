import ConversationEngine
import RunWire
import Texts

/// The messages and the state of a thread, put together when somebody asks: what the last request brought, and what was
/// said and told since.
struct RunThread {
    /// The last request that brought a thread; nil where its client knows no runs.
    private(set) var input: RunInput?
    private(set) var messages: [RunMessage] = []
    private(set) var state: JSONValue = .object(JSONObject())

    /// - Parameter log: the thread's runs; nil where there never was one.
    init(_ log: RunLog?) {
        guard let log, !log.runs.isEmpty else { return }
        input = try? RunInput(reading: Array(log.input.utf8), maxBytes: AGUILimits.inputBytes)
        var reducer = RunReducer(messages: input?.messages ?? [], state: input?.state ?? state)
        var expander = RunExpander(profile: .v1)
        var teller = RunTeller()
        for run in log.runs where run.facts.number >= log.inputRun {
            if run.facts.number != log.inputRun, case .text(let words) = run.facts.words {
                // Said by a client of another protocol, or by somebody at the controls.
                let said = RunMessage(id: "\(run.facts.id)-user", role: .user, content: .text(words))
                _ = reducer.apply(RunEvent(.messagesSnapshot(reducer.messages + [said])))
            }
            for entry in run.entries where entry.event != .messages {
                for event in teller.events(entry, of: run.facts, nil) {
                    for event in (try? expander.expand(event)) ?? [] { _ = reducer.apply(event) }
                }
            }
        }
        (messages, state) = (reducer.messages, reducer.state)
    }
}
