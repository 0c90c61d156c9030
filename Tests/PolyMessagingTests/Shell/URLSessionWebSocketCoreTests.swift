import Expectations
import HTTPClient
import HTTPCore
import Testing
import WebSocketCore

@testable import ClientSupport

@Suite("One WebSocket of URLSession: what is reported, and in which order")
struct URLSessionWebSocketCoreTests {
    private typealias Course = URLSessionWebSocketCore
    private static let goodbye = HTTPClient.Report.closed(.normal, reason: "bye")
    private static let closing = URLSessionWebSocketCore.Input.closeFrame(.normal, reason: "bye")
    private static let slow = HTTPClient.Failure.timedOut(host: "h", seconds: 30)
    private static let lastWords = HTTPClient.Report.text(Array("last words".utf8))

    /// What is reported when `inputs` happen to a connection that is open.
    private func reports(_ inputs: [URLSessionWebSocketCore.Input]) -> [HTTPClient.Report] {
        var course = Course(timedOut: Self.slow)
        _ = course.handle(.opened)
        return inputs.flatMap { course.handle($0) }.compactMap { action in
            if case .report(let report) = action { report } else { nil }
        }
    }

    @Test("The opening is reported, its deadline ends, and the first message is asked for")
    func opening() {
        var course = Course(timedOut: Self.slow)
        #expect(!course.canSend)
        expectEqual(course.handle(.opened), [.stopWaiting, .report(.opened), .receive])
        #expect(course.canSend)
        expectEqual(course.handle(.message(Self.lastWords)), [.report(Self.lastWords), .receive])
    }

    @Test("Messages that were waiting when the Close came are told before the end")
    func lastWords() {
        expectEqual(
            reports([Self.closing, .message(Self.lastWords), .receiveFailed("closed")]),
            [Self.lastWords, Self.goodbye])
        expectEqual(
            reports([
                Self.closing, .ended(.failed(.system("done")), reason: "done"), .message(Self.lastWords),
                .receiveFailed("closed"),
            ]), [Self.lastWords, Self.goodbye])
    }

    /// The end of the task is the delegate's last call, so the Close frame never comes behind it alone.
    @Test(
        "The Close frame is reported once, in whichever order the ends are told",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1]] as [[Int]])
    func orders(_ order: [Int]) {
        let ends: [URLSessionWebSocketCore.Input] = [
            Self.closing, .receiveFailed("closed"), .ended(.failed(.system("done")), reason: "done"),
        ]
        expectEqual(reports(order.map { ends[$0] } + ends), [Self.goodbye])
    }

    @Test("A connection that breaks is reported as lost, with the first reason")
    func broken() {
        let told = reports([
            .receiveFailed("reset by peer"), .ended(.failed(.system("lost")), reason: "lost"),
        ])
        expectEqual(
            told, [.failed(.systemLost("reset by peer"))])
    }

    @Test("Nothing follows the end, and the end comes once")
    func afterwards() {
        var course = Course(timedOut: Self.slow)
        _ = course.handle(.opened)
        _ = course.handle(Self.closing)
        #expect(!course.canSend)
        expectEqual(course.handle(.receiveFailed("closed")), [.report(Self.goodbye), .cancel])
        #expect(course.isOver)
        for input in [
            Course.Input.message(Self.lastWords), Self.closing, .opened, .timeIsOver, .closing,
            .ended(.failed(.system("done")), reason: "done"), .receiveFailed("again"), .cut,
        ] {
            expectEqual(course.handle(input), [])
        }
    }

    @Test("Who cuts the connection hears nothing more")
    func cut() {
        var course = Course(timedOut: Self.slow)
        _ = course.handle(.opened)
        expectEqual(course.handle(.cut), [.cancel])
        expectEqual(course.handle(.message(Self.lastWords)), [])
        expectEqual(course.handle(.ended(.failed(.system("cancelled")), reason: "cancelled")), [])
    }

    @Test("A refused upgrade and a failed one are reported as such, and so is one that takes too long")
    func noOpening() {
        let refused = HTTPClient.Report.answered(.init(status: 403, headers: ["Retry-After": "3"], body: []))
        var course = Course(timedOut: Self.slow)
        expectEqual(course.handle(.ended(refused, reason: "403")), [.report(refused), .cancel])
        var slow = Course(timedOut: Self.slow)
        expectEqual(
            slow.handle(.timeIsOver),
            [
                .report(.failed(Self.slow)), .cancel,
            ])
        expectEqual(slow.handle(.opened), [])
    }

    @Test("A deadline of the opening that comes behind the opening ends nothing")
    func staleDeadline() {
        var course = Course(timedOut: Self.slow)
        _ = course.handle(.opened)
        expectEqual(course.handle(.timeIsOver), [])
        #expect(course.canSend && !course.isOver)
        expectEqual(course.handle(.message(Self.lastWords)), [.report(Self.lastWords), .receive])
        expectEqual(course.handle(.closing), [.wait])
    }

    @Test("When one of the ends is never told, a deadline that is set once ends the wait")
    func deadline() {
        var course = Course(timedOut: Self.slow)
        _ = course.handle(.opened)
        expectEqual(course.handle(.closing), [.wait])
        expectEqual(course.handle(Self.closing), [])
        expectEqual(course.handle(.ended(.failed(.system("done")), reason: "done")), [])
        expectEqual(course.handle(.timeIsOver), [.report(Self.goodbye), .cancel])
    }
}
