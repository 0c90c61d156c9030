import AgentRuns
import ChatPresentation
import Clocks
import RunWire

/// State of a thread that its messages do not contain: times, the current run, failures, questions and their answers.
struct RunLog: Sendable {
    static let yes = "yes"
    private static let no = "no"
    /// Maximum number of notes. One more removes the oldest.
    private static let keptNotes = 500

    private struct Note: Sendable {
        enum Kind: Sendable {
            case failure(String)
            case question(Interrupt)
            case answer(String, ResumeEntry)
        }

        var id: String
        /// Id of the message that the note follows; nil if no message precedes the note.
        var after: String?
        var at: Instant
        var kind: Kind
    }

    private enum Run: Sendable {
        case none
        case requested
        case running
        /// The request failed before any event.
        case refused
    }

    enum Answered: Sendable {
        case more
        case all([ResumeEntry])
    }

    private var run = Run.none
    /// Whether the last request was for the thread's stored messages, so that its events repeat stored runs.
    private var isReplay = false
    private var notes: [Note] = []
    private var noteCount = 0
    private var times: [String: Instant] = [:]
    private var lastMoment: Instant
    private var lastMessage: String?
    /// Questions whose answers have not reached the agent yet, and the answers of the user so far (``entries``).
    private var asked: [Interrupt] = []
    private var entries: [ResumeEntry] = []

    init(at now: Instant) { lastMoment = now }

    // MARK: - Changes

    /// Adds the questions that were open before the subscription.
    mutating func adopt(_ reducer: RunReducer) {
        guard asked.isEmpty, run == .none, !reducer.interrupts.isEmpty else { return }
        lastMessage = reducer.messages.last?.id
        ask(reducer.interrupts.map { Interrupt($0) })
    }

    mutating func apply(_ change: ThreadChange) {
        switch change {
        case .said(let id, let now):
            note(id, now)
        case .requested(let isRun, let now):
            (run, isReplay) = (isRun ? .requested : .none, !isRun)
            lastMoment = max(lastMoment, now)
        case .event(let event, let now): apply(event, at: now)
        case .ended(let error, let now):
            lastMoment = max(lastMoment, now)
            end(error)
        }
    }

    private mutating func apply(_ event: AgentRunEvent, at now: Instant) {
        if run != .running {
            // The first event of a run shows that the agent has the answers.
            (asked, entries) = ([], [])
        }
        run = event.isTerminal ? .none : .running
        lastMoment = max(lastMoment, now)
        switch event.wire.kind {
        case .textStart(let id, _, _), .activitySnapshot(let id, _, _, _): note(id, now)
        case .toolStart(let id, _, let parent): note(parent ?? id, now)
        case .messagesSnapshot(let messages):
            for message in messages where message.role != .tool { note(message.id, now) }
        // A replay of stored runs would add their failures again.
        case .runError(let error): if !isReplay { add(.failure(error.message)) }
        case .runFinished(let finish):
            if case .interrupt(let interrupts)? = finish.outcome { ask(interrupts.map { Interrupt($0) }) }
        default: break
        }
    }

    private mutating func end(_ error: AgentRunError?) {
        let former = run
        run = .none
        guard let error, former != .none else { return }
        switch (error, former) {
        case (.cancelled, _): break
        case (_, .requested): run = .refused
        default: add(.failure(error.description))
        }
    }

    private mutating func note(_ id: String, _ now: Instant) {
        lastMoment = max(lastMoment, now)
        guard times[id] == nil else { return }
        times[id] = now
        lastMessage = id
    }

    private mutating func add(_ kind: Note.Kind) {
        noteCount += 1
        if notes.count == Self.keptNotes { notes.removeFirst() }
        notes.append(Note(id: "note-\(noteCount)", after: lastMessage, at: lastMoment, kind: kind))
    }

    // MARK: - Questions

    private mutating func ask(_ interrupts: [Interrupt]) {
        (asked, entries) = (interrupts, [])
        guard let first = interrupts.first else { return }
        let isKnown = notes.contains { note in
            if case .question(first) = note.kind { true } else { false }
        }
        if !isKnown { add(.question(first)) }
    }

    /// Adds the answer to the first open question. Nil if no answer is expected. A question for approval is answered
    /// with no unless `isYes` is true.
    mutating func answer(_ text: String, isYes: Bool?) -> Answered? {
        guard run != .requested, run != .running, !asked.isEmpty else { return nil }
        if entries.count == asked.count {
            // The previous answers were not delivered.
            notes.removeAll {
                if case .answer(_, let entry) = $0.kind { entries.contains(entry) } else { false }
            }
            entries = []
        }
        let entry = Self.entry(for: asked[entries.count], text, isYes)
        entries.append(entry)
        add(.answer(text, entry))
        guard entries.count < asked.count else { return .all(entries) }
        add(.question(asked[entries.count]))
        return .more
    }

    /// Returns the answers that were not delivered; nil if there are none, or if no note has this `id`.
    func answers(of id: String) -> [ResumeEntry]? {
        guard run == .refused, !entries.isEmpty, notes.contains(where: { $0.id == id }) else { return nil }
        return entries
    }

    /// Removes the answers that ``answers(of:)`` returns. Returns false if there are none.
    mutating func removeAnswers(of id: String) -> Bool {
        guard let given = answers(of: id) else { return false }
        let later = asked.dropFirst()
        notes.removeAll { note in
            switch note.kind {
            case .answer(_, let entry): given.contains(entry)
            case .question(let question): later.contains(question)
            case .failure: false
            }
        }
        (run, entries) = (.none, [])
        return true
    }

    /// Forgets a message whose run was refused, if `remove` has removed the message from the thread.
    mutating func removeMessage(_ id: String, _ remove: (String) -> Bool) {
        guard run == .refused, remove(id) else { return }
        run = .none
        times[id] = nil
    }

    private static func entry(for question: Interrupt, _ text: String, _ isYes: Bool?) -> ResumeEntry {
        let members = properties(of: question)
        if isApproval(question) {
            guard isYes == true else { return ResumeEntry(interruptID: question.id, status: .cancelled) }
            let name = members.first { $0.type == "boolean" }?.name ?? "approved"
            let isPlain = question.responseSchema?["type"] == .string("boolean")
            return ResumeEntry(
                interruptID: question.id, status: .resolved,
                payload: isPlain ? .bool(true) : .object([name: .bool(true)]))
        }
        let name = members.first { $0.type == "string" }?.name
        return ResumeEntry(
            interruptID: question.id, status: .resolved,
            payload: name.map { .object([$0: .string(text)]) } ?? .string(text))
    }

    private static func isApproval(_ question: Interrupt) -> Bool {
        question.responseSchema == nil || question.responseSchema?["type"] == .string("boolean")
            || properties(of: question).contains { $0.type == "boolean" }
    }

    private static func properties(of question: Interrupt) -> [(name: String, type: String)] {
        guard case .object(let members)? = question.responseSchema?["properties"] else { return [] }
        return members.sorted { $0.key < $1.key }.compactMap { name, schema in
            if case .string(let type)? = schema["type"] { (name, type) } else { nil }
        }
    }

    // MARK: - The conversation

    /// Returns the conversation. `choices` are the suggestions for an approval.
    func history(of reducer: RunReducer, _ choices: (yes: String, no: String)) -> ChatHistory {
        var writer = RunHistory(run == .running ? Set(reducer.openTexts) : [], reducer.messages)
        var next = notes.startIndex
        let ids = Set(reducer.messages.map(\.id))
        let write = { (writer: inout RunHistory, after: String?) in
            // A snapshot may have dropped the note's message. The note then follows the previous note, or comes first.
            while next < notes.endIndex,
                notes[next].after == after || !(notes[next].after.map(ids.contains) ?? true)
            {
                self.write(notes[next], choices, &writer)
                next += 1
            }
        }
        write(&writer, nil)
        var moment = times.values.min() ?? lastMoment
        for (index, message) in reducer.messages.enumerated() {
            moment = times[message.id] ?? moment
            let isLast = index == reducer.messages.count - 1
            let state: RowMessage.Delivery =
                isLast && run == .requested ? .pending : isLast && run == .refused ? .failed : .sent
            writer.write(message, at: moment, state, isRunning: run == .running)
            write(&writer, message.id)
        }
        while next < notes.endIndex {
            self.write(notes[next], choices, &writer)
            next += 1
        }
        writer.history.isTyping = run == .running && reducer.openTexts.isEmpty
        return writer.history
    }

    private func write(_ note: Note, _ choices: (yes: String, no: String), _ writer: inout RunHistory) {
        switch note.kind {
        case .failure(let text): writer.note(text, .error, at: note.at)
        case .question(let question):
            let text = question.message ?? question.reason
            var content = ChatEvent.Content(id: note.id, text: text)
            let isOpen = entries.count < asked.count && asked[entries.count].id == question.id
            if isOpen, Self.isApproval(question) {
                content.suggestions = [
                    RowSuggestion(text: choices.yes, payload: Self.yes),
                    RowSuggestion(text: choices.no, payload: Self.no),
                ]
            }
            writer.event(.message(content, from: .agent), at: note.at)
        case .answer(let text, let entry):
            let isOpen = entries.contains(entry)
            let state: RowMessage.Delivery =
                isOpen && run == .refused ? .failed : isOpen && run == .requested ? .pending : .sent
            writer.draft(note.id, text, at: note.at, state)
        }
    }
}
