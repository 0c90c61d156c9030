import Clocks
import Foundation
import HTTPClient
import HTTPCore
import Texts

/// Makes requests to the participant service, with their tries and pauses.
struct ServiceCaller: Sendable {
    var config: GlobalConfig
    var headers: [String: String] = [:]
    var clock: any EventClock
    var http: HTTPClient
    var seed: UInt64

    /// `completion` is called once, on any thread.
    func call(
        _ operation: Operation, token: String, completion: @escaping @Sendable (Reply) -> Void
    ) {
        let base: ServiceAddress
        do throws(ConnectChatError) {
            base = try ServiceAddress(config)
        } catch {
            return completion(.failed(error))
        }
        var fields = HeaderFields()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields.append(name, value) }
        fields.set("Content-Type", "application/json")
        fields.set("X-Amz-Bearer", token)
        fields.set("User-Agent", Self.userAgent)
        var request = HTTPClient.Request(
            operation.body == nil ? "GET" : "POST", base.endpoint, base.target + operation.path,
            headers: fields,
            answerBytes: Limits.answerBytes, timeout: Limits.requestTimeout)
        if let body = operation.body { request.body = JSONWriter.bytes(.object(body)) }
        send(request) { result in
            switch result {
            case .success(let answer): completion(operation.read(answer.body))
            case .failure(let error): completion(.failed(error))
            }
        }
    }

    /// Sends a request as often as it takes: until an answer of status 2xx, a refusal, or the last try.
    func send(
        _ request: HTTPClient.Request,
        completion: @escaping @Sendable (Result<HTTPClient.Answer, ConnectChatError>) -> Void
    ) {
        RunningCall(request, self, completion).go()
    }

    static let userAgent = "ConnectChat/1.0 polymock"
}

/// One request on its way through its tries.
private final class RunningCall: Sendable {
    private struct State {
        var plan = RetryPlan()
        var generator: SeededGenerator
        var timer: (any EventTimer)?
    }

    private let request: HTTPClient.Request
    private let caller: ServiceCaller
    private let state: Locked<State>
    private let completion: @Sendable (Result<HTTPClient.Answer, ConnectChatError>) -> Void

    init(
        _ request: HTTPClient.Request, _ caller: ServiceCaller,
        _ completion: @escaping @Sendable (Result<HTTPClient.Answer, ConnectChatError>) -> Void
    ) {
        self.request = request
        self.caller = caller
        self.completion = completion
        state = Locked(State(generator: SeededGenerator(seed: caller.seed)))
    }

    func go() {
        caller.http.send(request) { report in
            switch report {
            case .answered(let answer) where 200..<300 ~= answer.status: self.end(.success(answer))
            case .answered(let answer):
                self.failed(
                    ConnectChatError(status: answer.status, headers: answer.headers, body: answer.body))
            case .failed(.timedOut(_, let seconds)): self.failed(.timedOut(seconds: Double(seconds)))
            case .failed(.tooLong): self.failed(.unexpectedAnswer("The answer is too large."))
            case .failed(let failure): self.failed(.network(failure.description))
            case .opened, .text, .binary, .began, .part, .closed: break
            }
        }
    }

    private func failed(_ error: ConnectChatError) {
        let pause = state.withLock { state in state.plan.pause(after: error, &state.generator) }
        guard let pause else { return end(.failure(error)) }
        let timer = caller.clock.makeTimer { self.go() }
        state.withLock { $0.timer = timer }
        timer.arm(at: caller.clock.now + pause)
    }

    private func end(_ result: Result<HTTPClient.Answer, ConnectChatError>) {
        state.withLock { $0.timer = nil }
        completion(result)
    }
}
