// Uses URLSession. Type-checked on Linux (bash .ci/apple), but never run. See Shared/Docs/on-a-mac.md.
#if canImport(Darwin)
    import Clocks
    package import Foundation
    package import HTTPClient
    import HTTPCore
    import WebSocketCore

    /// Transport over URLSession, for encrypted connections on Apple platforms.
    package final class URLSessionTransport: NSObject, WebTransport, URLSessionDataDelegate,
        URLSessionWebSocketDelegate
    {
        package static let shared = URLSessionTransport()

        private struct State {
            var session: URLSession?
            var requests: [ObjectIdentifier: SystemRequest] = [:]
            var sockets: [ObjectIdentifier: SystemSocket] = [:]
        }

        /// Timeout of URLSession in seconds: 7 days, so that only the deadlines of this module end slow tasks.
        private static let silence: TimeInterval = 604_800

        private let state = Locked(State())
        private let queue: OperationQueue = {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return queue
        }()

        private var session: URLSession {
            state.withLock { state in
                if let session = state.session { return session }
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = Self.silence
                configuration.httpShouldSetCookies = false
                configuration.urlCache = nil
                let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
                state.session = session
                return session
            }
        }

        package func begin(
            _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
        ) -> any WebExchange {
            guard let url = URL(string: request.systemAddress) else {
                return refuse(.system("The address makes no URL."), report)
            }
            var wire = URLRequest(url: url)
            wire.httpMethod = request.method
            for field in request.headers.fields {
                wire.setValue(field.value, forHTTPHeaderField: field.name)
            }
            return request.webSocket.map { dial(wire, request, $0, report) } ?? ask(wire, request, report)
        }

        private func ask(
            _ wire: URLRequest, _ request: HTTPClient.Request,
            _ report: @escaping @Sendable (HTTPClient.Report) -> Void
        ) -> any WebExchange {
            var wire = wire
            let task: URLSessionDataTask
            if let file = request.bodyFile {
                let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
                guard facts?[.size] as? Int == file.byteCount else { return refuse(.badFile, report) }
                task = session.uploadTask(with: wire, fromFile: URL(fileURLWithPath: file.path))
            } else {
                if !request.body.isEmpty { wire.httpBody = Data(request.body) }
                task = session.dataTask(with: wire)
            }
            let exchange = SystemRequest(task: task, request, queue: queue, report: report)
            state.withLock { $0.requests[ObjectIdentifier(task)] = exchange }
            exchange.start()
            return exchange
        }

        private func dial(
            _ wire: URLRequest, _ request: HTTPClient.Request, _ terms: HTTPClient.WebSocketTerms,
            _ report: @escaping @Sendable (HTTPClient.Report) -> Void
        ) -> any WebExchange {
            let task = session.webSocketTask(with: wire)
            task.maximumMessageSize = terms.messageBytes
            let socket = SystemSocket(task: task, request, terms, queue: queue, report: report)
            state.withLock { $0.sockets[ObjectIdentifier(task)] = socket }
            socket.start()
            return socket
        }

        private func refuse(
            _ failure: HTTPClient.Failure, _ report: @escaping @Sendable (HTTPClient.Report) -> Void
        ) -> any WebExchange {
            queue.addOperation { report(.failed(failure)) }
            return NoExchange()
        }

        private func request(_ task: URLSessionTask) -> SystemRequest? {
            state.withLock { $0.requests[ObjectIdentifier(task)] }
        }

        private func socket(_ task: URLSessionTask) -> SystemSocket? {
            state.withLock { $0.sockets[ObjectIdentifier(task)] }
        }

        private static func answer(_ response: HTTPURLResponse) -> HTTPClient.Answer {
            var headers = HeaderFields()
            for (name, value) in response.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers.append(name, value) }
            }
            return HTTPClient.Answer(status: response.statusCode, headers: headers, body: [])
        }
    }

    // MARK: - Callbacks of URLSession

    extension URLSessionTransport {
        package func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64, totalBytesExpectedToSend: Int64
        ) {
            request(task)?.sent(Int(totalBytesSent))
        }

        package func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            if let response = response as? HTTPURLResponse {
                request(dataTask)?.handle(.head(Self.answer(response)))
            }
            completionHandler(.allow)
        }

        package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            request(dataTask)?.handle(.body([UInt8](data)))
        }

        package func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didOpenWithProtocol protocol: String?
        ) {
            socket(webSocketTask)?.handle(.opened)
        }

        package func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            let code = UInt16(exactly: closeCode.rawValue).map { CloseCode(rawValue: $0) }
            let text = reason.map { String(decoding: $0, as: UTF8.self) } ?? ""
            socket(webSocketTask)?
                .handle(.closeFrame(closeCode == .invalid ? .noStatus : code ?? .noStatus, reason: text))
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            // This is the last callback for the task. Earlier callbacks look up its request or socket, so both are
            // removed only now.
            let (request, socket) = state.withLock { state in
                (
                    state.requests.removeValue(forKey: ObjectIdentifier(task)),
                    state.sockets.removeValue(forKey: ObjectIdentifier(task))
                )
            }
            request?.handle(.ended(error?.localizedDescription))
            guard let socket else { return }
            if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
                let reason = "The server answered with status \(response.statusCode)."
                return socket.handle(.ended(.answered(Self.answer(response)), reason: reason))
            }
            let reason = error?.localizedDescription ?? "The connection ended."
            socket.handle(.ended(.failed(.system(reason)), reason: reason))
        }
    }

    /// Deadline in real time, which can be set again. Its action runs on the queue passed to ``arm(_:on:_:)``.
    final class SystemDeadline: Sendable {
        private struct State {
            var timer: (any EventTimer)?
            var number = 0
        }

        private let state = Locked(State())

        func arm(_ time: Interval, on queue: OperationQueue, _ action: @escaping @Sendable () -> Void) {
            let number = renew()
            let clock = SystemTime.clock
            let made = clock.makeTimer { [weak self] in
                guard let self else { return }
                // A queued operation cannot be cancelled, so it checks whether its deadline is still the latest.
                queue.addOperation { if self.isLast(number) { action() } }
            }
            state.withLock { state in
                if state.number == number { state.timer = made }
            }
            made.arm(at: clock.now + time)
        }

        func disarm() {
            _ = renew()
        }

        private func renew() -> Int {
            state.withLock { state in
                state.number += 1
                state.timer = nil
                return state.number
            }
        }

        private func isLast(_ number: Int) -> Bool {
            state.withLock { $0.number == number }
        }
    }
#endif
