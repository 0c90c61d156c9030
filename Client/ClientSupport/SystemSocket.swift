// Uses URLSession. Type-checked on Linux (bash .ci/apple), but never run. See Shared/Docs/on-a-mac.md.
#if canImport(Darwin)
    import Clocks
    import Foundation
    import HTTPClient
    import WebSocketCore

    final class SystemSocket: WebExchange {
        private let task: URLSessionWebSocketTask
        private let timeout: Interval?
        private let queue: OperationQueue
        private let report: @Sendable (HTTPClient.Report) -> Void
        private let course: Locked<URLSessionWebSocketCore>
        private let deadline = SystemDeadline()
        private let backlog: Backlog?

        init(
            task: URLSessionWebSocketTask, _ request: HTTPClient.Request, _ terms: HTTPClient.WebSocketTerms,
            queue: OperationQueue, report: @escaping @Sendable (HTTPClient.Report) -> Void
        ) {
            self.task = task
            self.queue = queue
            self.report = report
            timeout = request.timeout
            backlog = terms.unhandledBytes.map { Backlog(limitBytes: $0) }
            course = Locked(
                URLSessionWebSocketCore(
                    timedOut: .timedOut(host: request.endpoint.host, seconds: timeout?.seconds ?? 0)))
        }

        /// Starts the handshake. A timer limits its duration, because URLSession's timeout is set to 7 days.
        func start() {
            if let timeout { arm(timeout) }
            task.resume()
        }

        func send(_ opcode: Opcode, _ payload: [UInt8]) {
            guard course.withLock({ $0.canSend }) else { return }
            if opcode == .text {
                task.send(.string(String(decoding: payload, as: UTF8.self))) { _ in }
            } else {
                task.send(.data(Data(payload))) { _ in }
            }
        }

        /// Removes handled bytes from the backlog.
        func taken(_ byteCount: Int) {
            if backlog?.remove(byteCount) == true { receive() }
        }

        func close(_ code: CloseCode, reason: String) {
            handle(.closing)
            let known = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue))
            task.cancel(with: known ?? .normalClosure, reason: Data(reason.utf8))
        }

        func cut() { handle(.cut) }

        func handle(_ input: URLSessionWebSocketCore.Input) {
            var isFull = false
            for action in course.withLock({ $0.handle(input) }) {
                switch action {
                case .report(let news):
                    if let count = news.byteCount { isFull = backlog?.add(count) ?? false }
                    report(news)
                // If the backlog is full, ``taken(_:)`` requests the next message once there is room.
                case .receive: if !isFull { receive() }
                case .stopWaiting: deadline.disarm()
                case .wait: arm(ClientLimits.closeHandshake)
                case .cancel:
                    deadline.disarm()
                    task.cancel()
                }
            }
        }

        private func receive() {
            task.receive { result in
                switch result {
                case .success(.string(let text)): self.handle(.message(.text(Array(text.utf8))))
                case .success(.data(let data)): self.handle(.message(.binary([UInt8](data))))
                case .success: self.handle(.receiveFailed("The system delivered an unknown kind of message."))
                case .failure(let error): self.handle(.receiveFailed(error.localizedDescription))
                }
            }
        }

        private func arm(_ time: Interval) {
            deadline.arm(time, on: queue) { [weak self] in
                guard let self else { return }
                // While the backlog is full, no more messages are read from the socket, so the wait starts again.
                if self.backlog?.isFull == true { return self.arm(time) }
                self.handle(.timeIsOver)
            }
        }
    }
#endif
