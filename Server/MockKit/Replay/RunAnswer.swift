import Clocks
import Fixtures
import HTTPClient
import Texts

struct RunQuestion: Sendable {
    var says: String?
    var thread: String
    var run: String
    var version: String?
    var answers: [JSONValue] = []
    var decisions: [JSONValue] = []

    var body: [UInt8] {
        var messages = answers
        if let says {
            messages.append(
                .object(["id": .string("\(run)-u"), "role": .string("user"), "content": .string(says)]))
        }
        var body: JSONObject = [
            "threadId": .string(thread), "runId": .string(run), "state": .object([:]),
            "messages": .array(messages), "tools": .array([]), "context": .array([]),
            "forwardedProps": .object([:]),
        ]
        if let version { body.members.append(.init("protocolVersion", .string(version))) }
        if !decisions.isEmpty { body.members.append(.init("resume", .array(decisions))) }
        return JSONWriter.bytes(.object(body))
    }

    static func words(of body: [UInt8]) -> String? {
        guard let last = (try? JSONReader.read(body))?["messages"]?.array?.last,
            last["role"]?.string == "user"
        else { return nil }
        return last["content"]?.string
    }
}

struct RunAnswer: Sendable {
    var bytes: [UInt8] = []
    var arrivals: [RunRecording.Arrival] = []
    var refusal: String?
    var isLeft = false

    /// Sends a request and reads its answer. Stops after a pause of `silence`, or after `timeout` in total.
    static func receive(
        _ request: HTTPClient.Request, over client: HTTPClient, clock: any EventClock,
        silence: Interval? = nil, timeout: Interval? = nil
    ) async -> RunAnswer {
        var request = request
        request.streamedBytes = KitLimits.recordingBacklog
        let listener = RunListener(clock: clock, silence: silence, timeout: timeout)
        let connection = client.send(request) { listener.receive($0) }
        listener.listen(on: connection)
        let answer = await listener.answer()
        connection.cut()
        return answer
    }

    fileprivate mutating func add(_ report: HTTPClient.Report, at now: Instant, limitBytes: Int) -> Bool {
        switch report {
        case .part(let part):
            guard bytes.count + part.count <= limitBytes else {
                refusal = "the run has more than \(limitBytes) bytes"
                return true
            }
            bytes += part
            arrivals.append(.init(byteCount: bytes.count, time: now))
            return false
        case .answered(let answer):
            if answer.status != 200 {
                let words = String(decoding: answer.body.prefix(400), as: UTF8.self)
                refusal = "the agent answers \(answer.status): \(words)"
            } else if bytes.isEmpty {
                bytes = answer.body
            }
            return true
        case .failed(let failure):
            if bytes.isEmpty { refusal = "\(failure)" }
            return true
        case .closed: return true
        case .opened, .sent, .text, .binary, .began: return false
        }
    }
}

/// The receiver of a streamed answer.
final class RunListener: Sendable {
    private struct State {
        var answer = RunAnswer()
        var isOver = false
        var connection: HTTPClient.Connection?
        var early = 0
        var waiter: CheckedContinuation<RunAnswer, Never>?
        var timer: (any EventTimer)?
    }

    private let state = Locked(State())
    private let clock: any EventClock
    private let silence: Interval?
    private let timeout: Interval?
    private let deadline: Instant?
    private let limitBytes: Int

    init(
        clock: any EventClock, silence: Interval?, timeout: Interval? = nil,
        limitBytes: Int = KitLimits.recordedRunBytes
    ) {
        self.clock = clock
        self.silence = silence
        self.limitBytes = limitBytes
        deadline = timeout.map { clock.now + $0 }
        self.timeout = timeout
        guard silence != nil || timeout != nil else { return }
        let timer = clock.makeTimer { [weak self] in self?.giveUp() }
        state.withLock { $0.timer = timer }
        if let deadline { timer.arm(at: deadline) }
    }

    func listen(on connection: HTTPClient.Connection) {
        let early = state.withLock { state in
            state.connection = connection
            return state.early
        }
        connection.taken(early)
    }

    func receive(_ report: HTTPClient.Report) {
        let now = clock.now
        let connection = state.withLock { state -> HTTPClient.Connection? in
            guard !state.isOver else { return nil }
            state.isOver = state.answer.add(report, at: now, limitBytes: limitBytes)
            // Before the answer begins, only the request's own timeout applies.
            if let silence, report.isOfStream {
                state.timer?.arm(at: min(now + silence, deadline ?? .distantFuture))
            }
            if state.connection == nil { state.early += report.byteCount ?? 0 }
            return state.connection
        }
        if let size = report.byteCount { connection?.taken(size) }
        settle()
    }

    func answer() async -> RunAnswer {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiter = continuation }
            settle()
        }
    }

    private func giveUp() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            state.answer.isLeft = true
            guard state.answer.bytes.isEmpty else { return }
            if let timeout, let deadline, deadline <= clock.now {
                state.answer.refusal = "the agent has sent nothing in \(timeout)"
            } else {
                let seconds = silence?.seconds ?? 0
                state.answer.refusal = "the agent begins to answer, and is silent for \(seconds) s"
            }
        }
        settle()
    }

    private func settle() {
        let over = state.withLock { state -> (CheckedContinuation<RunAnswer, Never>, RunAnswer)? in
            guard state.isOver, let waiter = state.waiter else { return nil }
            state.waiter = nil
            state.timer?.disarm()
            return (waiter, state.answer)
        }
        if let (waiter, answer) = over { waiter.resume(returning: answer) }
    }
}

extension HTTPClient.Report {
    fileprivate var isOfStream: Bool {
        switch self {
        case .began, .part: true
        default: false
        }
    }
}
