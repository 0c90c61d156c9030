package import Clocks
import Patterns
import PolyMessaging
import Texts

/// Program of line mode and JSON mode.
package struct LineChat: ChatProgram {
    enum Style: Equatable {
        case text(LineRenderer)
        case json(JSONRenderer)
    }

    private struct OpenTurn {
        var turn: Script.Turn
        var saidAt: Instant
        var expected: [String]
        /// The first replies, at most ``TerminalLimits/namedReplies``.
        var replies: [String] = []
        var replyCount = 0
        var lastReplyAt: Instant?
        /// Whether the send call has failed and its error was written.
        var hasFailed = false
        /// Time at which the message was reported as failed.
        var failedAt: Instant?
        var rest = Rest.unknown

        mutating func record(_ reply: String, at now: Instant) {
            if replies.count < TerminalLimits.namedReplies { replies.append(reply) }
            (replyCount, lastReplyAt, rest) = (replyCount + 1, now, .unknown)
            expected.removeAll { pattern in
                (try? RegularExpression(pattern, .expectation))?.isFound(in: reply) ?? false
            }
        }
    }

    /// Answer to the question whether a reply has further messages.
    private enum Rest {
        case unknown, asked, nothing
        /// A further message is due. The server is asked again at this time.
        case due(until: Instant)
    }

    private enum Phase {
        case connecting
        /// The session is open. A greeting may arrive until this time.
        case listening(until: Instant)
        case talking
        case left
    }

    private let options: ChatOptions
    private let style: Style
    /// Whether ``ChatOutput/askForRest(session:)`` gets an answer.
    private let asks: Bool
    private let startedAt: Instant
    private var script: Script
    private var facts = FactReader()
    private var splitter = LineCutter(limit: TerminalLimits.scriptLine)
    private var phase = Phase.connecting
    private var open: OpenTurn?
    private var inputIsOpen: Bool
    private var lastEventAt: Instant
    private var turnsDone = 0
    private var said = 0
    private var answers = 0
    private var hasFailedDelivery = false
    private var lastProblem: String?
    private var lastFailure: ChatFailure?
    /// The last close of a connection.
    private var lastClose: ConnectionCloseEvent?
    private var outputs: [ChatOutput] = []

    init(_ options: ChatOptions, script: Script, style: Style, asks: Bool = false, at now: Instant) {
        self.options = options
        self.script = script
        self.style = style
        self.asks = asks
        startedAt = now
        lastEventAt = now
        inputIsOpen = options.readsInput
    }

    // MARK: Inputs

    package mutating func handle(_ input: ChatInput, at now: Instant) -> [ChatOutput] {
        if case .left = phase { return [] }
        switch input {
        case .update(let update):
            for fact in facts.read(update, at: now) { record(fact, at: now) }
            if case .sessionState(let state) = update, state.isError, let message = state.errorMessage {
                let detail =
                    state.serverMessage.map { "\n  the server says: " + ForeignText.talkLine($0) } ?? ""
                lastProblem = message + detail
                if state.hasInvalidApiKey { leave(ExitCode.connection, why: message + detail) }
            }
            if case .status(.failed(let reason)) = update {
                let why = lastFailure.map { ": " + $0.message } ?? ""
                leave(ExitCode.connection, why: reason == nil ? "there is no connection" + why : lastEnd)
            }
        case .receipt(let id, let state):
            // A receipt is not an answer: it does not prolong the wait.
            for fact in facts.read(state, of: id) { write(fact, at: now) }
        case .input(let bytes):
            for line in splitter.add(bytes) where !obeys(line) { script.append(line) }
            if bytes.isEmpty { inputIsOpen = false }
        case .interrupted, .terminated: leave(ExitCode.interrupted)
        case .callFailed(let call, let failure): record(failure, of: call, at: now)
        case .failed(let failure):
            if failure != lastFailure { record(.error(failure), at: now) }
            lastFailure = failure
        case .brokenPipe:
            phase = .left
            outputs = [.exit(ExitCode.done)]
        case .connectionOver(let event): lastClose = event
        case .rest(let isDue):
            guard case .asked? = open?.rest else { break }
            open?.rest = isDue ? .due(until: now + TerminalLimits.replySettle) : .nothing
        case .news(let line): outputs.append(.talk("polymock chat: " + ForeignText.talkLine(line)))
        case .tick, .resized, .exported, .continued: break
        }
        step(at: now)
        defer { outputs = [] }
        return outputs
    }

    private mutating func record(_ failure: ChatFailure, of call: ChatCall, at now: Instant) {
        write(.error(failure), at: now)
        if case .send = call { open?.hasFailed = true }
        hasFailedDelivery = true
    }

    private mutating func record(_ fact: ChatLine, at now: Instant) {
        lastEventAt = now
        write(fact, at: now)
        switch fact {
        case .session:
            if case .connecting = phase { phase = .listening(until: now + TerminalLimits.greetingWait) }
        case .agent(let reply):
            answers += 1
            open?.record(reply.text, at: now)
            if case .listening = phase { phase = .listening(until: now + TerminalLimits.replySettle) }
        case .system("message", let text, "error"):
            // An error of the agent comes in place of a reply.
            answers += 1
            open?.record(text, at: now)
        case .delivery(_, "failed", _, _):
            hasFailedDelivery = true
            open?.failedAt = now
        case .error(_, let message, _): lastProblem = message
        default: break
        }
    }

    private mutating func write(_ fact: ChatLine, at now: Instant) {
        switch style {
        case .json(let renderer):
            if let line = renderer.line(fact, session: facts.sessionID, at: now) {
                outputs.append(.write(Array((line + "\n").utf8)))
            }
            // Errors are also written to standard error, as in the text style.
            switch fact {
            case .error(_, let message, _): outputs.append(.talk(ForeignText.talkLine(message)))
            case .delivery(_, "failed", _, let text):
                outputs.append(.talk("not delivered: " + ForeignText.talkLine(text)))
            default: break
            }
        case .text(let renderer):
            for line in renderer.lines(fact) {
                outputs.append(line.isTalk ? .talk(line.text) : .write(Array((line.text + "\n").utf8)))
            }
        }
    }

    // MARK: Steps

    private mutating func step(at now: Instant) {
        while !hasLeft {
            if let timeout = options.timeout, now >= startedAt + timeout { return leaveLate() }
            switch phase {
            case .left: return
            case .connecting:
                guard now < startedAt + TerminalLimits.connectPatience else {
                    return leave(ExitCode.connection, why: "there is no connection: " + reason)
                }
                // With `--no-wait`, the client queues messages until the session is open.
                guard options.waits else { break }
                return
            case .listening(let deadline):
                guard !options.waits || (!facts.isBusy && now >= deadline) else { return }
                phase = .talking
            case .talking: break
            }
            if case .talking = phase, finishTurn(at: now) { return }
            guard !hasLeft, open == nil else { return }
            if case .talking = phase, isDone(at: now) {
                if let pattern = script.early.first {
                    return leave(ExitCode.expectation, why: "expected \(pattern), but nothing was said")
                }
                return leave(facts.hasEnded || !hasFailedDelivery ? ExitCode.done : ExitCode.connection)
            }
            if let deadline = endDeadline, now >= deadline {
                return leave(
                    ExitCode.timeout,
                    why: "all is said, and the conversation does not end; --timeout waits longer for it")
            }
            guard let turn = script.next() else { return }
            guard !facts.hasEnded else {
                return leave(
                    ExitCode.connection,
                    why: "the conversation has ended before this could be said: "
                        + ForeignText.talkLine(turn.text))
            }
            send(turn, at: now)
        }
    }

    private var hasLeft: Bool { if case .left = phase { true } else { false } }

    private mutating func send(_ turn: Script.Turn, at now: Instant) {
        said += 1
        outputs.append(.call(.send(turn.text)))
        if options.waits { open = OpenTurn(turn: turn, saidAt: now, expected: turn.expectations) }
    }

    /// Ends the current turn if its reply is complete. Returns true if the turn still waits, or if the program exits.
    private mutating func finishTurn(at now: Instant) -> Bool {
        guard let turn = open else { return false }
        let expected = turn.expected
        let isLate = now >= turn.saidAt + options.expectTimeout
        if let deadline = settled(turn), now >= deadline, isLate || hasNoRest(turn) {
            if let pattern = expected.first {
                let heard = turn.replies.map { "\"\(ForeignText.talkLine($0))\"" }.joined(separator: ", ")
                let more = turn.replyCount - turn.replies.count
                let actual = heard.isEmpty ? "no reply" : heard + (more > 0 ? " and \(more) more" : "")
                leave(ExitCode.expectation, why: "expected \(pattern), but heard \(actual)")
                return true
            }
            open = nil
            turnsDone += 1
            return false
        }
        if isLate {
            if let pattern = expected.first {
                leave(ExitCode.expectation, why: "expected \(pattern), but heard nothing in time")
            } else {
                leave(ExitCode.timeout, why: "no reply to: " + ForeignText.talkLine(turn.turn.text))
            }
        }
        return true
    }

    /// Returns the earliest time at which the reply to a turn can count as complete; nil if the reply has not begun or
    /// is still arriving.
    private func settled(_ turn: OpenTurn) -> Instant? {
        if facts.hasEnded || turn.hasFailed { return turn.saidAt }
        if let failedAt = turn.failedAt { return failedAt + TerminalLimits.reasonWait }
        guard !facts.isBusy, let last = turn.lastReplyAt else { return nil }
        if case .due(let next) = turn.rest { return min(next, turn.saidAt + options.expectTimeout) }
        return last + TerminalLimits.replySettle
    }

    /// Returns false while more messages may follow, and asks the server if needed.
    private mutating func hasNoRest(_ turn: OpenTurn) -> Bool {
        guard asks, !facts.hasEnded, !turn.hasFailed, turn.failedAt == nil, let session = facts.sessionID
        else { return true }
        switch turn.rest {
        case .nothing: return true
        case .asked: return false
        case .unknown, .due:
            open?.rest = .asked
            outputs.append(.askForRest(session: session))
            return false
        }
    }

    private func isDone(at now: Instant) -> Bool {
        switch options.until {
        case .ended: return facts.hasEnded
        case .reply where options.waits && !options.isScripted && turnsDone > 0: return true
        case .idle where now >= quietDeadline && !facts.isBusy: return true
        case .reply, .idle, .done:
            guard script.isEmpty, !inputIsOpen else { return false }
            guard !options.waits else { return true }
            return facts.hasEnded || (facts.pending.isEmpty && !facts.isBusy && now >= quietDeadline)
        }
    }

    /// Time at which the wait for the end of the conversation stops, or nil.
    private var endDeadline: Instant? {
        guard case .talking = phase, options.until == .ended, options.timeout == nil, open == nil,
            script.isEmpty, !inputIsOpen
        else { return nil }
        return lastEventAt + TerminalLimits.endPatience
    }

    private var quietDeadline: Instant {
        let isAnswered = options.until != .idle && said > 0 && answers > said
        return lastEventAt + (isAnswered ? TerminalLimits.replySettle : TerminalLimits.idleQuiet)
    }

    package var end: Instant? { options.timeout.map { startedAt + $0 } }

    package var nextDeadline: Instant? {
        var deadlines: [Instant] = []
        if let timeout = options.timeout { deadlines.append(startedAt + timeout) }
        if let endDeadline { deadlines.append(endDeadline) }
        switch phase {
        case .left: return nil
        case .connecting: deadlines.append(startedAt + TerminalLimits.connectPatience)
        case .listening(let deadline): if !facts.isBusy { deadlines.append(deadline) }
        case .talking: break
        }
        if let open {
            deadlines.append(open.saidAt + options.expectTimeout)
            if let settled = settled(open), !isAsked(open) { deadlines.append(settled) }
        } else if !facts.isBusy, !options.waits || options.until == .idle, case .talking = phase {
            deadlines.append(quietDeadline)
        }
        return deadlines.min()
    }

    private func isAsked(_ turn: OpenTurn) -> Bool { if case .asked = turn.rest { true } else { false } }

    /// Obeys `/help` and `/quit` of a person at the keyboard. Returns false for other lines.
    private mutating func obeys(_ line: String) -> Bool {
        guard case .text(let renderer) = style, renderer.isForPerson else { return false }
        switch SlashCommand(line.trimmed) {
        case .help: outputs.append(.talk("/help  /quit; without --plain, /help lists more"))
        case .quit: leave(ExitCode.done)
        default: return false
        }
        return true
    }

    // MARK: Leaving

    private var reason: String { lastProblem ?? lastEnd ?? "the server did not answer" }

    private var lastEnd: String? {
        guard let lastClose else { return nil }
        let why = lastClose.reason.isEmpty ? "" : ": " + ForeignText.talkLine(lastClose.reason)
        return "the last connection ended with \(lastClose.code)" + why
    }

    private mutating func leaveLate() {
        if case .connecting = phase {
            leave(ExitCode.connection, why: "there is no connection: " + reason)
        } else if facts.status.isConnected {
            leave(ExitCode.timeout, why: "the time is up")
        } else {
            leave(ExitCode.timeout, why: "the time is up, and there is no connection: " + reason)
        }
    }

    private mutating func leave(_ code: Int32, why: String? = nil) {
        guard !hasLeft else { return }
        phase = .left
        if let why { outputs.append(.talk("polymock chat: \(why)")) }
        if options.ends, !facts.hasEnded, code != ExitCode.connection { outputs.append(.call(.end)) }
        outputs.append(.exit(code))
    }
}
