import ChatPresentation
package import Clocks
import PolyMessaging
import Texts

/// State machine of the full-screen chat: keys and client updates in, frames as bytes out.
package struct ScreenChat: ChatProgram {
    struct Setup: Sendable {
        var server = ""
        var hasColor = false
        var isASCII = false
        var isProgressive = true
        var isStill = false
        var width: Int?
        var endsOnLeaving = false
        var timeOffset: Int64 = 0
    }

    let setup: Setup
    var transcript: ChatTranscript
    var editor = LineEditor()
    var layout = TranscriptLayout()
    var asides: [TranscriptLayout.Aside] = []
    /// Whether the screen asks if the conversation should end, so that keys answer this question.
    var asksToEnd = false
    /// Index of the first visible row; nil during auto-scroll.
    var firstRow: Int?
    var rowCount = 0
    var unseen = 0
    var columns = TerminalLimits.usualWidth
    var rows = 24
    var sessionID: String?
    var agentName: String?
    var lastSequence: Int?
    var echo: Interval?
    var sentAt: [String: Instant] = [:]
    private(set) var receipts = Receipts()
    var showsDiagnostics = false
    var lastUpdate = "-"
    var updates = 0
    var now: Instant
    var outputs: [ChatOutput] = []

    private var keys = KeyReader()
    private var frame: Frame?
    private var hasEntered = false
    private var hasLeft = false
    private var typingSentAt: Instant?

    init(_ setup: Setup, at now: Instant) {
        self.setup = setup
        self.now = now
        transcript = ChatTranscript(
            isProgressive: setup.isProgressive, generator: SeededGenerator(seed: 0))
        layout.isASCII = setup.isASCII
        layout.timeOffset = setup.timeOffset
    }

    package mutating func handle(_ input: ChatInput, at now: Instant) -> [ChatOutput] {
        handle([input], at: now)
    }

    /// Handles all inputs, then draws one frame.
    package mutating func handle(_ inputs: [ChatInput], at now: Instant) -> [ChatOutput] {
        guard !hasLeft else { return [] }
        self.now = now
        transcript.advance(to: now)
        for input in inputs where !hasLeft { apply(input) }
        if !hasLeft {
            transcript.render()
            draw()
        }
        defer { outputs = [] }
        return outputs
    }

    private mutating func apply(_ input: ChatInput) {
        switch input {
        case .update(let update): apply(update)
        case .receipt(let id, let state): _ = receipts.take(state, messageID: id)
        case .input(let bytes):
            if bytes.isEmpty { leave(ExitCode.done) }
            for key in keys.read(bytes) where !hasLeft { press(key) }
        case .interrupted: press(.interrupt)
        case .terminated: leave(ExitCode.interrupted)
        case .resized(let columns, let rows):
            self.columns = max(10, min(columns, setup.width ?? columns))
            self.rows = max(4, rows)
            firstRow = nil
            frame = nil
        case .continued:
            hasEntered = false
            frame = nil
        case .callFailed(let call, let error): showFailure(error, of: call)
        case .exported(let path, let isWritten):
            show(isWritten ? "written to \(path)" : "\(path) could not be written")
        case .news(let line): show(ForeignText.talkLine(line))
        case .brokenPipe: leave(ExitCode.done)
        case .failed(let failure): showOnce(failure.message)
        case .tick, .connectionOver, .rest: break
        }
    }

    private mutating func showOnce(_ text: String) {
        if asides.last?.text != text { show(text) }
    }

    /// Time of the next animation step, of the next pending mark, or of the end of a typing indicator.
    package var nextDeadline: Instant? {
        guard !hasLeft else { return nil }
        var deadlines = [transcript.nextDeadline].compactMap { $0 }
        if transcript.isAgentTyping, !setup.isStill {
            deadlines.append(now + .milliseconds(500 - (now.millisecondsSince1970 % 500)))
        }
        deadlines += sentAt.values.map { $0 + TerminalLimits.pendingMark }.filter { $0 > now }
        return deadlines.min()
    }

    private mutating func draw() {
        if !hasEntered {
            hasEntered = true
            outputs.append(.write(ScreenControl.enter))
        }
        let next = makeFrame()
        let bytes = next.bytes(replacing: frame, hasColor: setup.hasColor)
        frame = next
        if !bytes.isEmpty { outputs.append(.write(bytes)) }
    }

    mutating func leave(_ code: Int32) {
        hasLeft = true
        if setup.endsOnLeaving, !transcript.hasEnded { outputs.append(.call(.end)) }
        outputs.append(.exit(code))
    }

    mutating func show(_ text: String) {
        asides.append(TranscriptLayout.Aside(after: transcript.messages.last?.id, text: text))
        firstRow = nil
    }

    // MARK: Updates of the client

    private mutating func apply(_ update: ClientUpdate) {
        let countBefore = transcript.messages.count
        transcript.apply(update, at: now)
        updates += 1
        switch update {
        case .sessionChanged(let id):
            if sessionID != nil { asides = [] }
            sessionID = id
            lastSequence = nil
        case .status(.failed(let reason)):
            show((reason?.description ?? "The connection was given up.") + " /resume tries again.")
        case .sessionState(let state):
            if let message = state.serverMessage {
                showOnce("The server says: " + ForeignText.talkLine(message))
            }
        case .status: break
        case .event(let event): apply(event)
        case .reply(let draft, let text, _): apply(.messagePending(draftId: draft, text: text))
        }
        let added = transcript.messages.count - countBefore
        if added > 0, firstRow != nil { unseen += added }
    }

    private mutating func apply(_ event: MessagingEvent) {
        if let sequence = event.envelope?.sequence { lastSequence = max(lastSequence ?? 0, sequence) }
        lastUpdate = Self.name(of: event)
        switch event {
        case .messagePending(let draft, _):
            sentAt[draft] = now
            firstRow = nil
            unseen = 0
        case .messageConfirmed(let draft, let id):
            echo = sentAt.removeValue(forKey: draft).map { now - $0 }
            _ = receipts.confirm(draftID: draft, messageID: id)
        case .messageFailed(let draft): sentAt[draft] = nil
        case .agentJoined(_, let payload): agentName = payload.agentName ?? agentName
        case .liveAgentJoined(_, let payload):
            agentName = payload.agentName.map { "\($0) (live)" } ?? agentName
        default: break
        }
    }

    private static func name(of event: MessagingEvent) -> String {
        String("\(event)".prefix { $0 != "(" })
    }

    private mutating func showFailure(_ failure: ChatFailure, of call: ChatCall) {
        // A text that could not be sent returns to an empty editor.
        if case .send(let text) = call, editor.isEmpty { _ = editor.insert(text) }
        if call != .typing { show(failure.message) }
    }

    // MARK: Keys

    private mutating func press(_ key: Key) {
        if asksToEnd {
            answer(key)
            return
        }
        switch key {
        case .interrupt: transcript.hasEnded ? leave(ExitCode.done) : { asksToEnd = true }()
        case .endOfInput: editor.isEmpty ? leave(ExitCode.done) : { _ = editor.press(.delete) }()
        case .suspend: outputs.append(.suspend)
        case .redraw: frame = nil
        case .escape: editor.clear()
        case .pageUp: scroll(by: -pageRows)
        case .pageDown: scroll(by: pageRows)
        case .enter: submit()
        case .text(let text), .paste(let text):
            if !editor.insert(text) { show("a message has \(Composer.maxCharacters) characters at most") }
            sendTyping()
        default: if editor.press(key) { sendTyping() }
        }
    }

    private mutating func answer(_ key: Key) {
        switch key {
        case .interrupt: leave(ExitCode.interrupted)
        case .text("y"), .text("Y"):
            asksToEnd = false
            if !transcript.hasEnded { outputs.append(.call(.end)) }
            outputs.append(.exit(ExitCode.done))
            hasLeft = true
        case .text("n"), .text("N"), .escape, .enter: asksToEnd = false
        default: break
        }
    }

    /// Sends a typing signal, at most one per second.
    private mutating func sendTyping() {
        guard !editor.isEmpty, editor.characters.first != "/", !transcript.hasEnded else { return }
        if let last = typingSentAt, now < last + .seconds(1) { return }
        typingSentAt = now
        outputs.append(.call(.typing))
    }

    private mutating func submit() {
        let line = editor.submit()
        let text = line.trimmed
        guard !text.isEmpty else { return }
        if let command = SlashCommand(text) {
            run(command)
        } else if let suggestion = suggestion(line) {
            send(suggestion)
        } else {
            send(text.hasPrefix("//") ? String(text.dropFirst()) : text)
        }
    }

    private mutating func send(_ text: String) {
        if transcript.hasEnded {
            show("The conversation has ended. /new begins another.")
        } else {
            if case .agent(let message)? = transcript.messages.last {
                transcript.clearSuggestions(of: message.id)
            }
            outputs.append(.call(.send(text)))
            firstRow = nil
            unseen = 0
        }
    }

    /// Returns the suggestion whose number is the line, unless the line is the text of a suggestion. After a leading
    /// space, a number is sent as text.
    private func suggestion(_ line: String) -> String? {
        guard let number = Int(line), !transcript.hasEnded,
            let suggestions = transcript.messages.last?.suggestions, suggestions.indices.contains(number - 1),
            !suggestions.contains(where: { $0.messageText == line })
        else { return nil }
        return suggestions[number - 1].messageText
    }
}

extension String {
    var trimmed: String {
        let head = drop { $0.isWhitespace }
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(head[...last])
    }
}
