// Not compiled on Linux; untested there.
#if canImport(Darwin)
    import Clocks
    package import Foundation

    /// Requests and WebSockets over URLSession, for encrypted connections on Apple platforms.
    package final class SystemTransport: NSObject, HTTPTransport, SocketDialing, URLSessionWebSocketDelegate {
        package static let shared = SystemTransport()

        private let sockets = Locked<[Int: SystemSocket]>([:])
        private let session = Locked<URLSession?>(nil)

        private func urlSession() -> URLSession {
            session.withLock { session in
                if let session { return session }
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = Double(Limits.exchangeTimeout.seconds)
                configuration.httpShouldSetCookies = false
                configuration.urlCache = nil
                let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
                session = made
                return made
            }
        }

        package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
            var request = URLRequest(url: call.url)
            request.httpMethod = "POST"
            request.httpBody = Data(call.body)
            for header in call.headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
            let task = urlSession().dataTask(with: request) { data, response, error in
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
            let task = urlSession().webSocketTask(with: url)
            task.maximumMessageSize = Limits.incomingMessageBytes
            let socket = SystemSocket(task: task, report: report)
            sockets.withLock { $0[task.taskIdentifier] = socket }
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
            sockets.withLock { $0[webSocketTask.taskIdentifier] }?.opened()
        }

        package func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            let socket = sockets.withLock { $0.removeValue(forKey: webSocketTask.taskIdentifier) }
            let text = reason.map { String(decoding: $0, as: UTF8.self) } ?? ""
            socket?.end(
                .closed(ConnectionCloseEvent(code: closeCode.rawValue, reason: text, wasClean: true)))
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            guard let socket = sockets.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
                return
            }
            if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
                let wait = response.value(forHTTPHeaderField: "Retry-After")
                return socket.end(.failed(.refused(status: response.statusCode, retryAfter: wait)))
            }
            socket.broke(error?.localizedDescription ?? "The connection ended.")
        }
    }

    /// One WebSocket of URLSession.
    private final class SystemSocket: DialledSocket {
        private struct State {
            var isOpen = false
            var isOver = false
        }

        private let task: URLSessionWebSocketTask
        private let report: @Sendable (SocketReport) -> Void
        private let state = Locked(State())
        private let backlog = Backlog()

        init(task: URLSessionWebSocketTask, report: @escaping @Sendable (SocketReport) -> Void) {
            self.task = task
            self.report = report
        }

        func send(_ text: [UInt8]) {
            task.send(.string(String(decoding: text, as: UTF8.self))) { _ in }
        }

        func sendBinary(_ bytes: [UInt8]) {
            task.send(.data(Data(bytes))) { _ in }
        }

        /// The client deals with messages slower than they come: the next one is asked for when it has caught up.
        func taken(_ byteCount: Int) {
            if backlog.remove(byteCount) { receiveNext() }
        }

        func close(code: Int, reason: String) {
            guard code != ConnectionCloseEvent.abnormalCode,
                let code = URLSessionWebSocketTask.CloseCode(rawValue: code)
            else {
                state.withLock { $0.isOver = true }
                return task.cancel()
            }
            task.cancel(with: code, reason: Data(reason.utf8))
        }

        func opened() {
            state.withLock { $0.isOpen = true }
            report(.opened)
            receiveNext()
        }

        /// Tells the end, unless it was told or nobody wants to know.
        func end(_ last: SocketReport) {
            let isFirst = state.withLock { state in
                defer { state.isOver = true }
                return !state.isOver
            }
            if isFirst { report(last) }
        }

        func broke(_ text: String) {
            guard state.withLock({ $0.isOpen }) else { return end(.failed(.network(text))) }
            end(
                .closed(
                    ConnectionCloseEvent(
                        code: ConnectionCloseEvent.abnormalCode, reason: text, wasClean: false)))
        }

        private func receiveNext() {
            task.receive { [weak self] result in
                guard let self, case .success(let message) = result else { return }
                let news: SocketReport? =
                    switch message {
                    case .string(let text): .text(Array(text.utf8))
                    case .data(let data): .binary([UInt8](data))
                    @unknown default: nil
                    }
                let isFull = self.backlog.add(news?.byteCount ?? 0)
                if let news { self.report(news) } else { self.taken(0) }
                if !isFull { self.receiveNext() }
            }
        }
    }
#endif
