// Type-checked on Linux (bash .ci/apple), where URLSession has no WebSockets that could run. What it decides is in SystemCourse
// and SystemAddress, which are tested there. Never run yet: the calls of URLSession; Shared/Docs/on-a-mac.md walks them.
#if canImport(Darwin)
    import Clocks
    package import Foundation
    import HTTPClient
    import HTTPCore

    /// Requests and WebSockets over URLSession, for encrypted connections on Apple platforms.
    package final class SystemTransport: NSObject, HTTPTransport, SocketDialing, URLSessionWebSocketDelegate {
        package static let shared = SystemTransport()

        private let sockets = Locked<[ObjectIdentifier: SystemSocket]>([:])
        private let requestSession = Locked<URLSession?>(nil)
        private let socketSession = Locked<URLSession?>(nil)
        /// Where the delegate and all handlers are called, one after the other.
        private let queue: OperationQueue = {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return queue
        }()

        private func requests() -> URLSession {
            requestSession.withLock { made in
                let session = made ?? makeSession(idle: Limits.exchangeTimeout)
                made = session
                return session
            }
        }

        /// The idle time of requests would end a chat that is quiet between two heartbeats.
        private func webSockets() -> URLSession {
            socketSession.withLock { made in
                let session = made ?? makeSession(idle: Limits.quietSocket)
                made = session
                return session
            }
        }

        private func makeSession(idle: Interval) -> URLSession {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = Double(idle.seconds)
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            return URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        }

        package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
            var request = URLRequest(url: call.url)
            request.httpMethod = "POST"
            request.httpBody = Data(call.body)
            for field in call.headers.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
            let task = requests().dataTask(with: request) { data, response, error in
                guard let response = response as? HTTPURLResponse else {
                    let text = error?.localizedDescription ?? "The server did not answer."
                    return completion(.failed(.network(text)))
                }
                guard (data?.count ?? 0) <= Limits.responseBytes else {
                    return completion(.failed(.protocolViolation("The server's answer is too large.")))
                }
                completion(
                    .answered(
                        status: response.statusCode,
                        retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                        body: [UInt8](data ?? Data())))
            }
            task.resume()
        }

        package func dial(
            _ url: URL, report: @escaping @Sendable (SocketReport) -> Void
        ) -> any DialledSocket {
            let address: URL
            do {
                address = try SystemAddress.webSocket(url)
            } catch {
                queue.addOperation { report(.failed(error)) }
                return UndialledSocket()
            }
            let task = webSockets().webSocketTask(with: address)
            task.maximumMessageSize = Limits.incomingMessageBytes
            let socket = SystemSocket(task: task, queue: queue, report: report)
            sockets.withLock { $0[ObjectIdentifier(task)] = socket }
            socket.armOpening()
            task.resume()
            return socket
        }

        /// Redirects are not followed.
        package func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        package func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didOpenWithProtocol protocol: String?
        ) {
            sockets.withLock { $0[ObjectIdentifier(webSocketTask)] }?.take(.opened)
        }

        package func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            let code = (closeCode == .invalid ? .noStatusReceived : closeCode).rawValue
            let text = reason.map { String(decoding: $0, as: UTF8.self) } ?? ""
            sockets.withLock { $0[ObjectIdentifier(webSocketTask)] }?
                .take(.closeFrame(ConnectionCloseEvent(code: code, reason: text, wasClean: true)))
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            // Forgotten only now, at the last call of the delegate; the receive handlers keep it as long as they wait.
            guard let socket = sockets.withLock({ $0.removeValue(forKey: ObjectIdentifier(task)) }) else {
                return
            }
            if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
                let wait = response.value(forHTTPHeaderField: "Retry-After")
                return socket.take(.ended(.refused(status: response.statusCode, retryAfter: wait)))
            }
            socket.take(.ended(.network(error?.localizedDescription ?? "The connection ended.")))
        }
    }

    /// One WebSocket of URLSession: does what its ``SystemCourse`` says.
    private final class SystemSocket: DialledSocket {
        private let task: URLSessionWebSocketTask
        private let queue: OperationQueue
        private let report: @Sendable (SocketReport) -> Void
        private let course = Locked(SystemCourse())
        private let timer = Locked<(any EventTimer)?>(nil)
        private let backlog = Backlog(limitBytes: Limits.unhandledBytes)

        init(
            task: URLSessionWebSocketTask, queue: OperationQueue,
            report: @escaping @Sendable (SocketReport) -> Void
        ) {
            self.task = task
            self.queue = queue
            self.report = report
        }

        func send(_ text: [UInt8]) {
            guard course.withLock({ $0.canSend }) else { return }
            task.send(.string(String(decoding: text, as: UTF8.self))) { _ in }
        }

        func sendBinary(_ bytes: [UInt8]) {
            guard course.withLock({ $0.canSend }) else { return }
            task.send(.data(Data(bytes))) { _ in }
        }

        /// The client deals with messages slower than they come: the next one is asked for when it has caught up.
        func taken(_ byteCount: Int) {
            if backlog.remove(byteCount) { receive() }
        }

        func close(code: Int, reason: String) {
            guard code != ConnectionCloseEvent.abnormalCode,
                let code = URLSessionWebSocketTask.CloseCode(rawValue: code)
            else { return take(.cut) }
            take(.closing)
            task.cancel(with: code, reason: Data(reason.utf8))
        }

        /// The system's own time for an opening is that of the session, which is far too long for it.
        func armOpening() { arm(Limits.exchangeTimeout) }

        func take(_ input: SystemCourse.Input) {
            var isFull = false
            for action in course.withLock({ $0.take(input) }) {
                switch action {
                case .report(let news):
                    if let count = news.byteCount { isFull = backlog.add(count) }
                    report(news)
                // Else ``taken(_:)`` asks.
                case .receive: if !isFull { receive() }
                case .stopWaiting: disarm()
                case .wait: arm(ClientLimits.closeHandshake)
                case .cancel:
                    disarm()
                    task.cancel()
                }
            }
        }

        private func receive() {
            task.receive { result in
                switch result {
                case .success(.string(let text)): self.take(.message(.text(Array(text.utf8))))
                case .success(.data(let data)): self.take(.message(.binary([UInt8](data))))
                case .success: self.take(.receiveFailed("The system told a message of a new kind."))
                case .failure(let error): self.take(.receiveFailed(error.localizedDescription))
                }
            }
        }

        private func arm(_ time: Interval) {
            let clock = SystemTime.clock
            let made = clock.makeTimer { [weak self] in
                guard let self else { return }
                // Last words are waiting as long as the client has not caught up.
                if self.backlog.isFull { return self.arm(time) }
                self.queue.addOperation { self.take(.timeIsOver) }
            }
            timer.withLock { $0 = made }
            made.arm(at: clock.now + time)
        }

        private func disarm() {
            timer.withLock { $0 = nil }
        }
    }
#endif
