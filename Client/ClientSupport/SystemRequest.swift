// Uses URLSession. Type-checked on Linux (bash .ci/apple), but never run. See Shared/Docs/on-a-mac.md.
#if canImport(Darwin)
    import Clocks
    import Foundation
    import HTTPClient
    import WebSocketCore

    final class SystemRequest: WebExchange {
        private let task: URLSessionDataTask
        private let timeout: Interval?
        private let queue: OperationQueue
        private let report: @Sendable (HTTPClient.Report) -> Void
        private let answer: Locked<URLSessionRequestCore>
        private let deadline = SystemDeadline()
        private let backlog: Backlog?
        private let reportsProgress: Bool

        init(
            task: URLSessionDataTask, _ request: HTTPClient.Request, queue: OperationQueue,
            report: @escaping @Sendable (HTTPClient.Report) -> Void
        ) {
            self.task = task
            self.queue = queue
            self.report = report
            timeout = request.timeout
            reportsProgress = request.reportsProgress
            answer = Locked(URLSessionRequestCore(request))
            backlog = request.streamedBytes.map { Backlog(limitBytes: $0) }
        }

        func start() {
            arm()
            task.resume()
        }

        func sent(_ byteCount: Int) {
            if reportsProgress { report(.sent(byteCount)) }
        }

        func handle(_ input: URLSessionRequestCore.Input) {
            for action in answer.withLock({ $0.handle(input) }) {
                switch action {
                case .report(let news):
                    if let count = news.byteCount, backlog?.add(count) == true { task.suspend() }
                    report(news)
                case .wait: arm()
                case .stopWaiting: deadline.disarm()
                case .cancel:
                    deadline.disarm()
                    task.cancel()
                }
            }
        }

        private func arm() {
            guard let timeout else { return }
            deadline.arm(timeout, on: queue) { [weak self] in
                guard let self else { return }
                // While the backlog is full, the suspended task receives nothing, so the deadline starts again.
                if self.backlog?.isFull == true { return self.arm() }
                self.handle(.timeIsOver)
            }
        }

        /// Removes handled bytes from the backlog.
        func taken(_ byteCount: Int) {
            if backlog?.remove(byteCount) == true { task.resume() }
        }

        func send(_ opcode: Opcode, _ payload: [UInt8]) {}
        func close(_ code: CloseCode, reason: String) { cut() }
        func cut() { handle(.cut) }
    }
#endif
