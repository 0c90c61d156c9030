import Clocks
import Fixtures
import HTTPClient
import Texts

/// A request for a run, as bytes.
struct RunQuestion: Sendable {
    var says: String?
    var thread: String
    var run: String
    var version: String?
    /// Messages of role `tool`, and decisions on what was asked.
    var answers: [JSONValue] = []
    var decisions: [JSONValue] = []

    init(says: String?, thread: String, run: String) {
        self.says = says
        self.thread = thread
        self.run = run
    }

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

    /// What the user says last in a request.
    static func words(of body: [UInt8]) -> String? {
        guard let last = (try? JSONReader.read(body))?["messages"]?.array?.last,
            last["role"]?.string == "user"
        else {
            return nil
        }
        return last["content"]?.string
    }
}

/// What came of a request for a run.
struct RunAnswer: Sendable {
    var bytes: [UInt8] = []
    var arrivals: [RunRecording.Arrival] = []
    /// Why there is no run.
    var refusal: String?

    /// Reads to the end of the answer, wherever it breaks off.
    static func take(
        _ request: HTTPClient.Request, over client: HTTPClient, clock: any EventClock
    ) async -> RunAnswer {
        var request = request
        request.streamedBytes = Limits.recordingBytes
        let answer = Locked(RunAnswer())
        let waiter = Locked<CheckedContinuation<Void, Never>?>(nil)
        let streamed = request
        await withCheckedContinuation { continuation in
            waiter.withLock { $0 = continuation }
            _ = client.send(streamed) { report in
                guard answer.withLock({ $0.take(report, at: clock.now) }) else { return }
                let waiting = waiter.withLock { waiter in
                    defer { waiter = nil }
                    return waiter
                }
                waiting?.resume()
            }
        }
        return answer.withLock { $0 }
    }

    /// - Returns: whether that was the end.
    private mutating func take(_ report: HTTPClient.Report, at now: Instant) -> Bool {
        switch report {
        case .part(let part):
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
        case .opened, .text, .binary, .began: return false
        }
    }
}
