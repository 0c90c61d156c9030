import Foundation
import Testing

@testable import PolyMessaging

@Suite("One WebSocket of URLSession: what is reported, and in which order")
struct SystemCourseTests {
    private typealias Course = SystemCourse
    private static let goodbye = ConnectionCloseEvent(code: 1_000, reason: "bye", wasClean: true)
    private static let lastWords = SocketReport.text(Array("last words".utf8))

    /// What is reported when `inputs` happen to a connection that is open.
    private func reports(_ inputs: [SystemCourse.Input]) -> [SocketReport] {
        var course = Course()
        _ = course.take(.opened)
        return inputs.flatMap { course.take($0) }.compactMap { action in
            if case .report(let report) = action { report } else { nil }
        }
    }

    @Test("The opening is reported, its deadline ends, and the first message is asked for")
    func opening() {
        var course = Course()
        #expect(!course.canSend)
        #expect(course.take(.opened) == [.stopWaiting, .report(.opened), .receive])
        #expect(course.canSend)
        #expect(course.take(.message(Self.lastWords)) == [.report(Self.lastWords), .receive])
    }

    @Test("Messages that were waiting when the Close came are told before the end")
    func lastWords() {
        #expect(
            reports([.closeFrame(Self.goodbye), .message(Self.lastWords), .receiveFailed("closed")])
                == [Self.lastWords, .closed(Self.goodbye)])
        #expect(
            reports([
                .closeFrame(Self.goodbye), .ended(.network("done")), .message(Self.lastWords),
                .receiveFailed("closed"),
            ]) == [Self.lastWords, .closed(Self.goodbye)])
    }

    /// The end of the task is the delegate's last call, so the Close frame never comes behind it alone.
    @Test(
        "The Close frame is reported once, in whichever order the ends are told",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1]])
    func orders(_ order: [Int]) {
        let ends: [SystemCourse.Input] = [
            .closeFrame(Self.goodbye), .receiveFailed("closed"), .ended(.network("done")),
        ]
        #expect(reports(order.map { ends[$0] } + ends) == [.closed(Self.goodbye)])
    }

    @Test("A connection that breaks is reported as 1006, with the first reason")
    func broken() {
        let told = reports([.receiveFailed("reset by peer"), .ended(.network("lost"))])
        #expect(
            told == [.closed(ConnectionCloseEvent(code: 1_006, reason: "reset by peer", wasClean: false))])
    }

    @Test("Nothing follows the end, and the end comes once")
    func afterwards() {
        var course = Course()
        _ = course.take(.opened)
        _ = course.take(.closeFrame(Self.goodbye))
        #expect(!course.canSend)
        #expect(course.take(.receiveFailed("closed")) == [.report(.closed(Self.goodbye)), .cancel])
        #expect(course.isOver)
        for input in [
            Course.Input.message(Self.lastWords), .closeFrame(Self.goodbye), .opened, .timeIsOver, .closing,
            .ended(.network("done")), .receiveFailed("again"), .cut,
        ] {
            #expect(course.take(input) == [])
        }
    }

    @Test("Who cuts the connection hears nothing more")
    func cut() {
        var course = Course()
        _ = course.take(.opened)
        #expect(course.take(.cut) == [.cancel])
        #expect(course.take(.message(Self.lastWords)) == [])
        #expect(course.take(.ended(.network("cancelled"))) == [])
    }

    @Test("A refused upgrade and a failed one are reported as such, and so is one that takes too long")
    func noOpening() {
        let refused = TransportFault.refused(status: 403, retryAfter: "3")
        var course = Course()
        #expect(course.take(.ended(refused)) == [.report(.failed(refused)), .cancel])
        var slow = Course()
        #expect(
            slow.take(.timeIsOver) == [
                .report(.failed(.network("The server has not answered in time."))), .cancel,
            ])
        #expect(slow.take(.opened) == [])
    }

    @Test("A deadline of the opening that comes behind the opening ends nothing")
    func staleDeadline() {
        var course = Course()
        _ = course.take(.opened)
        #expect(course.take(.timeIsOver) == [])
        #expect(course.canSend && !course.isOver)
        #expect(course.take(.message(Self.lastWords)) == [.report(Self.lastWords), .receive])
        #expect(course.take(.closing) == [.wait])
    }

    @Test("When one of the ends is never told, a deadline that is set once ends the wait")
    func deadline() {
        var course = Course()
        _ = course.take(.opened)
        #expect(course.take(.closing) == [.wait])
        #expect(course.take(.closeFrame(Self.goodbye)) == [])
        #expect(course.take(.ended(.network("done"))) == [])
        #expect(course.take(.timeIsOver) == [.report(.closed(Self.goodbye)), .cancel])
    }

    @Test(
        "Sockets are asked for at ws and wss, whatever the address says for it",
        arguments: [
            ("https://example.com/ws?a=1", "wss://example.com/ws?a=1"),
            ("wss://e.com:9/x", "wss://e.com:9/x"),
            ("http://e.com", "ws://e.com"), ("HTTPS://e.com/ws#part", "wss://e.com/ws"),
        ])
    func addresses(given: String, dialled: String) throws {
        let url = try SystemAddress.webSocket(try #require(URL(string: given)))
        #expect(url.absoluteString == dialled)
    }

    @Test(
        "Other addresses are refused before URLSession sees them",
        arguments: ["ftp://e.com", "wss:///x", "x"]
    )
    func refusedAddress(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: TransportFault.self) { try SystemAddress.webSocket(url) }
    }
}
