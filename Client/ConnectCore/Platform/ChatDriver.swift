import ClientSupport
import Clocks
import HTTPClient
import HTTPCore
import SocketTransport
import Texts
import WebSocketCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

final class ChatDriver: Sendable {
    typealias Completion = @MainActor @Sendable (ChatCore.Answer, ItemStore) -> Void

    let facts: Locked<ChatSnapshot>
    let streams = ChatStreams()
    let inbox: MainInbox
    private let loop: Loop<ChatDriverState>

    init(_ config: GlobalConfig, _ dependencies: Dependencies, handlers: Locked<Handlers>) {
        let facts = Locked(ChatSnapshot(config: config))
        let inbox = MainInbox(store: ItemStore(handlers: handlers))
        let streams = streams
        (self.facts, self.inbox) = (facts, inbox)
        loop = Loop(driving: "ConnectChat.session") {
            ChatDriverState(config, dependencies, facts, streams, inbox)
        }
    }

    deinit { shutDown() }

    func submit(_ input: ChatCore.Input) {
        loop.submit { $0.handle(input) }
    }

    func configure(_ config: GlobalConfig) {
        facts.withLock { $0.config = config }
        loop.submit { $0.configure(config) }
    }

    /// Resets the chat, and drops queued notifications of the former chat.
    func reset() {
        let generation = facts.withLock { facts in
            facts.generation += 1
            return facts.generation
        }
        loop.submit { $0.reset(generation) }
    }

    func call(
        _ input: @escaping @Sendable (ChatCore.Call) -> ChatCore.Input, _ completion: @escaping Completion
    ) {
        loop.submit { $0.call(input, completion) }
    }

    func attach(
        _ url: URL, in scope: TransferScope? = .current,
        progress: (@MainActor @Sendable (Int) -> Void)? = nil, _ completion: @escaping Completion
    ) {
        loop.submit { $0.attach(url, scope, progress, completion) }
    }

    func download(_ id: String, name: String, _ completion: @escaping Completion) {
        let scope = TransferScope.current
        loop.submit { $0.download(id, name: name, isRepeated: false, scope, completion) }
    }

    func shutDown() {
        loop.submit { $0.shutDown() }
    }

    func settle() async { await loop.run { _ in } }

    /// Handles all submitted inputs on the calling thread, and returns the number of inputs so far. For tests.
    func settleHere() -> Int { loop.runHere { $0.run.inputCount } }

    var isCalmHere: Bool { loop.runHere { $0.isCalm } }

    var owesMain: Bool { inbox.isBusy }
}

struct ChatSnapshot: Sendable {
    var config: GlobalConfig
    var details: ChatDetails?
    var connection: ConnectionDetails?
    var isActive = false
    var generation = 0
}

final class ChatDriverState: Driver {
    typealias Machine = ChatCore
    typealias Answer = ChatDriver.Completion

    let run: MachineRun<ChatDriverState>
    private var config: GlobalConfig
    private var caller: ServiceCaller
    private var client: (any CustomClient)?
    private let dependencies: Dependencies
    private let facts: Locked<ChatSnapshot>
    private let streams: ChatStreams
    private let inbox: MainInbox
    private let shelf: TemporaryFiles
    private var generation = 0
    var isCalm: Bool { run.machine.isCalm }
    private var sockets: [Int: any WebExchange] = [:]
    /// Sizes of handled messages that are not yet reported to their sockets as read (backpressure).
    private var held: [(socket: Int, byteCount: Int)] = []
    /// Uploads by request number; ``downloads`` by call.
    private var uploads: [Int: RunningCall] = [:]
    private var downloads: [Int: RunningCall] = [:]
    private var progresses: [Int: @MainActor @Sendable (Int) -> Void] = [:]

    init(
        _ config: GlobalConfig, _ dependencies: Dependencies, _ facts: Locked<ChatSnapshot>,
        _ streams: ChatStreams, _ inbox: MainInbox
    ) {
        self.config = config
        self.dependencies = dependencies
        self.facts = facts
        self.streams = streams
        self.inbox = inbox
        run = MachineRun(ChatCore(seed: dependencies.seed), clock: dependencies.clock)
        shelf = TemporaryFiles(id: FreshID.make())
        caller = ServiceCaller(config, dependencies)
    }

    func start() { configure(config) }

    func shutDown() {
        for upload in uploads.values { upload.cut() }
        dropDownloads()
        for call in run.answers.keys.sorted() { end(call, .failure(.reset)) }
        shelf.dropAll()
        uploads = [:]
        run.stop()
        // Sockets are closed last: code that sees a socket close can rely on all else being released.
        for socket in sockets.values { socket.close(.normal, reason: "") }
        sockets = [:]
    }

    private func dropDownloads() {
        for (call, download) in downloads.sorted(by: { $0.key < $1.key }) {
            download.cut()
            end(call, .failure(.reset))
        }
        downloads = [:]
    }

    // MARK: - Inputs

    func configure(_ config: GlobalConfig) {
        self.config = config
        var present = config
        if [.connecting, .active].contains(run.machine.phase) {
            (present.endpoint, present.region) = (caller.config.endpoint, caller.config.region)
        }
        config.client?.adopt(present, dependencies)
        var settings = ChatCore.Settings()
        let receipts = config.features.messageReceipts
        settings.sendsReceipts = receipts.shouldSendMessageReceipts
        let window = receipts.throttleTime
        settings.receiptWindow =
            window.isFinite && window > 0 ? max(.seconds(window), ConnectLimits.shortestWindow) : .zero
        if config.client != nil { settings.answersWithin = ConnectLimits.customAnswer }
        client = config.client
        handle(.configure(settings))
    }

    func prepare(for input: ChatCore.Input) {
        guard case .connect(let details, _) = input else { return }
        caller.config = config
        config.client?.adopt(config, dependencies)
        facts.withLock { $0.details = details }
        follow(dependencies.network, dependencies.lifecycle) {
            .reachable($0)
        } isAtFront: {
            .front($0)
        }
    }

    func reset(_ generation: Int) {
        self.generation = generation
        facts.withLock { ($0.details, $0.connection) = (nil, nil) }
        dropDownloads()
        handle(.reset)
        streams.reset()
    }

    func call(_ input: (ChatCore.Call) -> ChatCore.Input, _ completion: @escaping ChatDriver.Completion) {
        handle(input(run.register(completion)))
    }

    // MARK: - Files

    func attach(
        _ url: URL, _ scope: TransferScope?, _ progress: (@MainActor @Sendable (Int) -> Void)?,
        _ completion: @escaping ChatDriver.Completion
    ) {
        let call = run.register(completion)
        let submit = submit
        do throws(ConnectChatError) {
            let file = try shelf.copy(url, id: FreshID.make())
            progresses[call] = progress
            handle(.attach(file, call))
            scope?.stops { submit { $0.handle(.cancelUpload(call)) } }
        } catch {
            end(call, .failure(error))
        }
    }

    func download(
        _ id: String, name: String, isRepeated: Bool, _ scope: TransferScope?,
        _ completion: @escaping ChatDriver.Completion
    ) {
        let submit = submit
        let generation = generation
        call({ .address(attachmentID: id, $0) }) { answer, store in
            guard case .address(let url) = answer else { return completion(answer, store) }
            submit { state in
                guard state.generation == generation, scope?.isStopped != true else {
                    return state.end(state.run.register(completion), .failure(.reset))
                }
                state.fetch(url, id, name, isRepeated, scope, completion)
            }
        }
    }

    private func fetch(
        _ url: String, _ id: String, _ name: String, _ isRepeated: Bool, _ scope: TransferScope?,
        _ completion: @escaping ChatDriver.Completion
    ) {
        let call = run.register(completion)
        let submit = submit
        let sink = FileSink(name: name, id: FreshID.make())
        downloads[call] = exchange("GET", url, into: sink) { result in
            if case .success = result { sink.close() } else { sink.drop() }
            switch result {
            case .success:
                submit { state in
                    // If the app's call ended before the download, the file is deleted.
                    if state.run.answers[call] == nil { sink.drop() }
                    state.downloaded(call, .address(sink.file.absoluteString))
                }
            case .failure(.service(let error)):
                submit { state in
                    // Status 403: the URL may have expired, so a new one is requested once.
                    if error.status == 403, !isRepeated, state.run.answers.removeValue(forKey: call) != nil {
                        state.downloads[call] = nil
                        return state.download(id, name: name, isRepeated: true, scope, completion)
                    }
                    state.downloaded(call, .failure(.downloadRefused(status: error.status)))
                }
            case .failure(let error): submit { $0.downloaded(call, .failure(error)) }
            }
        }
        if let download = downloads[call] { scope?.stops { download.cut() } }
    }

    private func downloaded(_ call: Int, _ answer: ChatCore.Answer) {
        downloads[call] = nil
        end(call, answer)
    }

    private func upload(_ number: Int, _ copy: String, _ url: String, _ headers: HeaderFields) {
        let submit = submit
        guard let count = TemporaryFiles.byteCount(copy) else {
            return submit { $0.handle(.answered(number, .failed(.fileUnreadable(copy)))) }
        }
        var fields = headers
        fields.remove("Content-Length")
        let file = HTTPClient.BodyFile(path: copy, byteCount: count)
        let percent = Locked(-1)
        let sent: @Sendable (Int) -> Void = { byteCount in
            let new = count > 0 ? min(100, byteCount * 100 / count) : 100
            let isHigher = percent.withLock { percent in
                defer { percent = max(percent, new) }
                return new > percent
            }
            if isHigher { submit { $0.handle(.uploading(number, percent: new)) } }
        }
        uploads[number] = exchange("PUT", url, headers: fields, file: file, sent: sent) { result in
            let reply: Reply =
                switch result {
                case .success: .done
                case .failure(.service(let error)): .failed(.uploadRefused(status: error.status))
                case .failure(let error): .failed(error)
                }
            submit { state in
                state.uploads[number] = nil
                state.handle(.answered(number, reply))
            }
        }
    }

    /// Makes a request to a URL from the service, without the bearer token.
    private func exchange(
        _ method: String, _ url: String, headers: HeaderFields = [:], file: HTTPClient.BodyFile? = nil,
        into sink: FileSink? = nil, sent: @escaping @Sendable (Int) -> Void = { _ in },
        _ completion: @escaping @Sendable (Result<HTTPClient.Answer, ConnectChatError>) -> Void
    ) -> RunningCall? {
        do throws(ConnectChatError) {
            let address = try ServiceAddress(url)
            var request = HTTPClient.Request(
                method, address.endpoint, address.target, headers: headers,
                answerBytes: ConnectLimits.answerBytes, timeout: ConnectLimits.fileTimeout)
            request.bodyFile = file
            request.reportsProgress = file != nil
            request.streamedBytes = sink.map { _ in ConnectLimits.fileInMemory }
            request.limitsSilence = sink != nil
            return caller.send(request, into: sink, sent: sent, completion: completion)
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    // MARK: - Outputs

    func execute(_ output: ChatCore.Output) {
        switch output {
        case .request(let number, let operation, let token): request(number, operation, token)
        case .upload(let number, let copy, let url, let headers): upload(number, copy, url, headers)
        case .cutUpload(let number): uploads.removeValue(forKey: number)?.cut()
        case .dial(let socket, let url): dial(socket, url)
        case .transmit(let socket, let frame): sockets[socket]?.send(.text, frame)
        case .close(let socket, let code):
            let connection = sockets.removeValue(forKey: socket)
            if code == 1_006 {
                connection?.cut()
            } else {
                connection?.close(CloseCode(rawValue: code), reason: "")
            }
        case .changed(let changes, let token): notify(changes, token)
        case .event(let event, let row): notify(event, row)
        case .progress(let call, let percent):
            if let progress = progresses[call] { inbox.post { _ in progress(percent) } }
        case .finish(let call, let answer): end(call, answer)
        case .state(let isActive, let credentials): publish(isActive, credentials)
        case .dropFile(let copy): shelf.drop(copy)
        case .log(let level, let text): SDKLogger.log(level, text)
        }
    }

    private func request(_ number: Int, _ operation: ServiceOperation, _ token: String) {
        let submit = submit
        if let client {
            return inbox.post { _ in
                client.execute(operation, token: token) { reply in
                    submit { $0.handle(.answered(number, reply)) }
                }
            }
        }
        caller.call(operation, token: token) { reply in submit { $0.handle(.answered(number, reply)) } }
    }

    private func dial(_ socket: Int, _ url: String) {
        let submit = submit
        let url = config.customWebSocketURLProvider?(url) ?? url
        let address: ServiceAddress
        do throws(ConnectChatError) {
            address = try ServiceAddress(url)
        } catch {
            let error = error.of(ServiceAddress.origin(url))
            return submit { $0.handle(.closed(socket, because: error)) }
        }
        var request = HTTPClient.Request(
            "GET", address.endpoint, address.target, headers: ["User-Agent": ServiceCaller.userAgent],
            answerBytes: 0, timeout: ConnectLimits.dial)
        request.webSocket = HTTPClient.WebSocketTerms(
            messageBytes: ConnectLimits.messageBytes, unhandledBytes: ConnectLimits.unhandledBytes)
        sockets[socket] = dependencies.http.begin(request) { report in
            submit { $0.receive(report, socket) }
        }
    }

    private func receive(_ report: HTTPClient.Report, _ socket: Int) {
        switch report {
        case .opened: handle(.opened(socket))
        case .text(let bytes):
            handle(.text(socket, bytes))
            taken(socket, bytes.count)
        case .binary(let bytes), .part(let bytes): sockets[socket]?.taken(bytes.count)
        case .began, .sent: break
        case .answered, .closed, .failed:
            sockets[socket] = nil
            handle(.closed(socket, because: Self.reason(of: report)))
        }
    }

    private static func reason(of report: HTTPClient.Report) -> ConnectChatError? {
        switch report {
        case .answered(let answer):
            ConnectChatError(status: answer.status, headers: answer.headers, body: answer.body)
        case .failed(let failure): ConnectChatError(failure)
        case .closed(let code, let reason):
            .network("The service closed the connection with \(code)." + (reason.isEmpty ? "" : " \(reason)"))
        case .opened, .sent, .text, .binary, .began, .part: nil
        }
    }

    // MARK: - Backpressure

    /// Reports a handled message to its socket as read. If too many updates wait for the app, the report is held until
    /// the app has taken them (backpressure).
    private func taken(_ socket: Int, _ byteCount: Int) {
        let submit = submit
        let onceTaken: @Sendable () -> Void = { submit { $0.readOn() } }
        guard inbox.isBehind(onceTaken) || streams.isBehind(onceTaken) else {
            if !held.isEmpty { readOn() }
            sockets[socket]?.taken(byteCount)
            return
        }
        if held.isEmpty { handle(.unread(true)) }
        held.append((socket, byteCount))
    }

    private func readOn() {
        guard !held.isEmpty else { return }
        for (socket, byteCount) in held { sockets[socket]?.taken(byteCount) }
        held = []
        handle(.unread(false))
    }

    private func notify(_ changes: [TranscriptCore.Change], _ token: String?) {
        let snapshot = TranscriptSnapshot(
            run.machine.transcript.list, insertions: run.machine.transcript.insertions,
            previousTranscriptNextToken: token)
        streams.notify(changes, snapshot)
        let (generation, facts) = (generation, facts)
        inbox.post { store in
            store.apply(changes, previousToken: token) { facts.withLock { $0.generation == generation } }
        }
    }

    private func notify(_ event: ChatSessionEvent, _ row: TranscriptRow?) {
        streams.notify(event)
        let (generation, facts) = (generation, facts)
        inbox.post { store in
            if facts.withLock({ $0.generation == generation }) { store.notify(event, row) }
        }
    }

    private func end(_ call: Int, _ answer: ChatCore.Answer) {
        progresses[call] = nil
        guard let completion = run.answers.removeValue(forKey: call) else { return }
        inbox.post { store in
            store.notifyList()
            completion(answer, store)
        }
    }

    private func publish(_ isActive: Bool, _ credentials: Credentials?) {
        let connection = credentials.map { ConnectionDetails($0) }
        facts.withLock { facts in
            facts.isActive = isActive
            facts.connection = connection
        }
    }
}

extension ConnectionDetails {
    package init(_ credentials: Credentials) {
        self.init(
            websocketUrl: credentials.url, connectionToken: credentials.token,
            expiry: credentials.expiry.map(Self.date))
        socketExpiry = credentials.urlExpiry.map(Self.date)
    }

    package var credentials: Credentials? {
        guard let url = getWebsocketUrl(), let token = getConnectionToken() else { return nil }
        return Credentials(
            url: url, token: token, expiry: getExpiry().map(Self.instant),
            urlExpiry: socketExpiry.map(Self.instant))
    }

    private static func date(_ instant: Instant) -> Date {
        Date(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1_000)
    }

    private static func instant(_ date: Date) -> Instant {
        Instant(secondsSince1970: 0) + .seconds(date.timeIntervalSince1970)
    }
}
