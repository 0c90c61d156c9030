import ConversationEngine
import RunWire
import Texts

extension RunLog {
    /// Approximate bytes of the thread.
    var sentBytes: Int {
        runs.reduce(input.thread.count + (input === base ? 0 : base.thread.count)) {
            $0 + $1.facts.said.utf8.count + $1.entries.count * AGUILimits.entryBytes
        }
    }
}

/// Messages and state of a thread.
struct RunThread {
    /// The latest stored request; nil if there is none.
    private(set) var input: RunInput?
    private(set) var messages: [RunMessage] = []
    private(set) var state: JSONValue = .object(JSONObject())

    /// - Parameter log: the thread's runs; nil makes an empty thread.
    init(_ log: RunLog?) {
        guard let log, let first = log.runs.first else { return }
        let base = Self.read(log.base.thread)
        input = log.inputRun == log.baseRun ? base : Self.read(log.input.thread)
        let isForgotten = first.facts.number > log.baseRun
        var reducer = RunReducer(
            messages: isForgotten ? base?.messages ?? [] : [],
            state: isForgotten ? base?.state ?? state : state)
        for run in log.runs where !run.isReplaced || run.facts.number == log.baseRun {
            if run.facts.number == log.baseRun, let base {
                reducer = RunReducer(
                    messages: Self.merged(base.messages, into: reducer.messages),
                    state: base.state ?? reducer.state)
            } else {
                Self.add(run.facts, run.facts.number == log.inputRun ? input : nil, to: &reducer)
            }
            if !run.isReplaced { Self.add(run, to: &reducer) }
        }
        (messages, state) = (reducer.messages, reducer.state)
    }

    static func read(_ body: [UInt8]) -> RunInput? {
        body.isEmpty ? nil : try? RunInput(reading: body, maxBytes: AGUILimits.inputBytes)
    }

    /// Reads a JSON array of scripted messages.
    static func messages(_ text: String) -> [RunMessage] {
        let items = (try? JSONReader.read(Array(text.utf8)))?.array ?? []
        return items.compactMap { item in
            let event: JSONObject = ["type": .string("MESSAGES_SNAPSHOT"), "messages": .array([item])]
            guard case .messagesSnapshot(let read)? = (try? RunEventReader.read(.object(event)))?.kind else {
                return nil
            }
            return read.first
        }
    }

    /// Adds the new messages and the state of a run's request. `whole` is the complete request, if stored.
    static func add(_ run: RunInfo, _ whole: RunInput?, to reducer: inout RunReducer) {
        let small = whole ?? read(Array(run.said.utf8))
        if let state = small?.state { _ = reducer.apply(RunEvent(.stateSnapshot(state))) }
        var new = small?.newMessages ?? []
        if new.isEmpty, case .text(let words) = run.words {
            // A message from another protocol or the control API has no id.
            new = [RunMessage(id: run.message ?? "\(run.id)-user", role: .user, content: .text(words))]
        } else if new.isEmpty, case .answers(let answers) = run.words {
            // The request's messages were too long to be stored, so they are made from the results.
            new =
                answers[...].map { answer in
                    RunMessage(
                        id: "\(run.id)-\(answer.call)", role: .tool, content: .text(answer.content),
                        toolCallID: answer.call, error: answer.error)
                }[...]
        }
        for message in new {
            if message.role == .tool {
                reducer.answer(message)
            } else {
                // If the id is known, the user has gone back to that message.
                let before = reducer.messages.prefix { $0.id != message.id }
                _ = reducer.apply(RunEvent(.messagesSnapshot(before + [message])))
            }
        }
    }

    private static func add(_ run: Run, to reducer: inout RunReducer) {
        var expander = RunExpander(profile: .v1)
        var encoder = RunEventEncoder()
        let before = reducer.messages
        for entry in run.entries where entry.event != .messages {
            if case .runMessages(let own) = entry.event {
                let listed = before + messages(own)
                let kept = reducer.messages.filter { message in
                    message.role == .activity && !listed.contains { $0.id == message.id }
                }
                reducer = RunReducer(messages: listed + kept, state: reducer.state)
                continue
            }
            for event in encoder.events(entry, of: run.facts, nil) {
                for event in (try? expander.expand(event)) ?? [] { _ = reducer.apply(event) }
            }
        }
    }

    /// Returns the client's messages with the known activities and reasoning that followed them. Adds none of a role
    /// that the client has sent itself.
    private static func merged(_ sent: [RunMessage], into known: [RunMessage]) -> [RunMessage] {
        let (ids, roles) = (Set(sent.map(\.id)), Set(sent.map(\.role)))
        var own: [String: [RunMessage]] = [:]
        var before: String? = ""
        for message in known {
            if ids.contains(message.id) {
                before = message.id
            } else if message.role != .activity, message.role != .reasoning {
                before = nil
            } else if !roles.contains(message.role), let before {
                own[before, default: []].append(message)
            }
        }
        return (own[""] ?? []) + sent.flatMap { [$0] + (own.removeValue(forKey: $0.id) ?? []) }
    }
}
