import ClientSupport
import Clocks
import HTTPClient
import HTTPCore
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package struct ServiceCaller: Sendable {
    var config: GlobalConfig
    var headers: [String: String] = [:]
    var clock: any EventClock
    var http: any WebTransport
    var seed: UInt64

    /// `headers` are added to the requests of operations, except fields that the client sets, such as the bearer token.
    package init(_ config: GlobalConfig, headers: [String: String] = [:], _ dependencies: Dependencies) {
        self.config = config
        self.headers = headers
        (clock, http, seed) = (dependencies.clock, dependencies.http, dependencies.seed)
    }

    package func call(
        _ operation: ServiceOperation, token: String, completion: @escaping @Sendable (Reply) -> Void
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
            answerBytes: ConnectLimits.answerBytes, timeout: ConnectLimits.requestTimeout)
        if let body = operation.body { request.body = JSONWriter.bytes(.object(body)) }
        let doubt = Locked(false)
        let call = RunningCall(request, nil, self) { result in
            switch result {
            case .success(let answer): completion(operation.read(answer.body))
            case .failure(let error):
                completion(doubt.withLock { $0 } ? .unsettled(error) : .failed(error))
            }
        } failed: { error in
            if error.isUncertain { doubt.withLock { $0 = true } }
        }
        call.go()
    }

    /// Sends a request, with retries after temporary errors. If the request has `streamedBytes`, a successful response
    /// goes to `sink`. `sent` gets the number of sent bytes of the body file, from 0 in each attempt. `completion` is
    /// called once, on any thread.
    @discardableResult
    func send(
        _ request: HTTPClient.Request, into sink: FileSink? = nil,
        sent: @escaping @Sendable (Int) -> Void = { _ in },
        completion: @escaping @Sendable (Result<HTTPClient.Answer, ConnectChatError>) -> Void
    ) -> RunningCall {
        let call = RunningCall(request, sink, self, completion, sent: sent)
        call.go()
        return call
    }

    static let userAgent = "ConnectChat/1.0 polymock"
}

final class RunningCall: Sendable {
    private struct State {
        var plan = RetryPlan()
        var generator: SeededGenerator
        var timer: (any EventTimer)?
        var exchange: (any WebExchange)?
        /// Sizes of body parts that arrived before ``exchange`` was set, to be reported as read.
        var early: [Int] = []
        var isOver = false
    }

    private let request: HTTPClient.Request
    private let sink: FileSink?
    private let caller: ServiceCaller
    private let state: Locked<State>
    private let completion: @Sendable (Result<HTTPClient.Answer, ConnectChatError>) -> Void
    private let tryFailed: @Sendable (ConnectChatError) -> Void
    private let sent: @Sendable (Int) -> Void

    /// `failed` is called after each failed attempt, `sent` with the number of sent bytes of the body file.
    init(
        _ request: HTTPClient.Request, _ sink: FileSink?, _ caller: ServiceCaller,
        _ completion: @escaping @Sendable (Result<HTTPClient.Answer, ConnectChatError>) -> Void,
        failed: @escaping @Sendable (ConnectChatError) -> Void = { _ in },
        sent: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        (tryFailed, self.sent) = (failed, sent)
        self.request = request
        self.sink = sink
        self.caller = caller
        self.completion = completion
        state = Locked(State(generator: SeededGenerator(seed: caller.seed)))
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    fileprivate func go() {
        if isOver { return }
        let exchange = caller.http.begin(request) { report in
            switch report {
            case .answered(let answer) where 200..<300 ~= answer.status: self.end(.success(answer))
            case .answered(let answer):
                self.failed(
                    ConnectChatError(status: answer.status, headers: answer.headers, body: answer.body))
            case .failed(let failure): self.failed(ConnectChatError(failure))
            case .began where self.isOver, .part where self.isOver: break
            case .began: self.took(self.sink?.begin())
            case .part(let bytes):
                self.took(self.sink?.add(bytes))
                self.taken(bytes.count)
            case .sent(let count): if !self.isOver { self.sent(count) }
            case .opened, .text, .binary, .closed: break
            }
        }
        guard sink != nil || request.bodyFile != nil else { return }
        let (early, isOver) = state.withLock { state in
            defer { state.early = [] }
            if !state.isOver { state.exchange = exchange }
            return (state.early, state.isOver)
        }
        for count in early { exchange.taken(count) }
        if isOver { exchange.cut() }
    }

    private func taken(_ count: Int) {
        let exchange = state.withLock { state in
            if state.exchange == nil { state.early.append(count) }
            return state.exchange
        }
        exchange?.taken(count)
    }

    private func took(_ error: ConnectChatError?) {
        guard let error else { return }
        state.withLock { $0.exchange }?.cut()
        end(.failure(error))
    }

    private func failed(_ error: ConnectChatError) {
        tryFailed(error)
        let pause = state.withLock { state in
            state.exchange = nil
            return state.isOver ? nil : state.plan.pause(after: error, &state.generator)
        }
        guard let pause else { return end(.failure(error)) }
        let timer = caller.clock.makeTimer { self.go() }
        state.withLock { $0.timer = timer }
        timer.arm(at: caller.clock.now + pause)
    }

    /// Cancels a running file transfer, which fails with `.reset`.
    func cut() {
        state.withLock { $0.exchange }?.cut()
        end(.failure(.reset))
    }

    private func end(_ result: Result<HTTPClient.Answer, ConnectChatError>) {
        let isFirst = state.withLock { state in
            defer { (state.timer, state.exchange, state.isOver) = (nil, nil, true) }
            return !state.isOver
        }
        if isFirst { completion(result) }
    }
}

extension ConnectChatError {
    init(_ failure: HTTPClient.Failure) {
        switch failure {
        case .timedOut(_, let seconds): self = .timedOut(seconds: Double(seconds))
        case .tooLong: self = .unexpectedAnswer("The answer is too large.")
        case .badFile: self = .fileUnreadable("")
        case .encryptionUnavailable: self = .encryptionUnavailable
        default: self = .network(failure.description)
        }
    }
}

package protocol CustomClient: AnyObject, Sendable {
    func adopt(_ config: GlobalConfig, _ dependencies: Dependencies)
    /// Makes a request. The SDK calls this method on the main thread; `completion` may be called on any thread.
    func execute(
        _ operation: ServiceOperation, token: String, completion: @escaping @Sendable (Reply) -> Void)
}

struct ServiceAddress: Equatable, Sendable {
    var endpoint: Endpoint
    var target: String

    init(_ text: String) throws(ConnectChatError) {
        do throws(WebAddress.Flaw) {
            let address = try WebAddress(URLComponents(string: text))
            (endpoint, target) = (address.endpoint, address.target)
        } catch {
            throw .invalidArgument(error.description)
        }
    }

    /// Returns scheme, host and port of a URL for error texts. The rest may contain secrets.
    static func origin(_ text: String) -> String {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count)
        guard rest.hasPrefix("://") else { return scheme.prefix(20) + ":" }
        let host = rest.dropFirst(3).prefix { !"/?#".contains($0) }
        let bare = host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
        return scheme.prefix(20) + "://" + bare.prefix(260)
    }

    init(_ config: GlobalConfig) throws(ConnectChatError) {
        if let url = config.endpoint {
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            guard parts?.query == nil, parts?.fragment == nil else {
                throw .invalidArgument("The endpoint has a query or a fragment. Leave them out.")
            }
            try self.init(url.absoluteString)
        } else {
            guard config.region != .Unknown else {
                throw .invalidArgument("The configuration names no region. Set region or endpoint.")
            }
            try self.init("https://" + Self.host(of: config.region))
        }
        while target.hasSuffix("/") { target.removeLast() }
    }

    static func host(of region: AWSRegionType) -> String {
        let isChinese = region == .CNNorth1 || region == .CNNorthWest1
        return "participant.connect.\(region.name).amazonaws.com" + (isChinese ? ".cn" : "")
    }
}
