import Clocks
import Expectations
import Foundation
import HTTPClient
import HTTPCore
import Testing

@testable import ClientSupport

@Suite("One request of URLSession: what is reported, and in which order")
struct URLSessionRequestCoreTests {
    private static let secure: UInt16 = 443
    private static let head = HTTPClient.Answer(
        status: 200, headers: ["Content-Type": "text/plain"], body: [])

    private func answer(
        _ status: Int = 200, streams: Bool = false, limitsSilence: Bool = false, limit: Int = 4
    ) -> URLSessionRequestCore {
        var request = HTTPClient.Request(
            "GET", Endpoint(host: "h", port: Self.secure, isEncrypted: true), "/", answerBytes: limit,
            timeout: .seconds(30))
        request.streamedBytes = streams ? 64 : nil
        request.limitsSilence = limitsSilence
        return URLSessionRequestCore(request)
    }

    @Test("An answer is told whole, at its end")
    func whole() {
        var course = answer()
        expectEqual(course.handle(.head(Self.head)), [])
        expectEqual(course.handle(.body([1, 2])) + course.handle(.body([3, 4])), [])
        var told = Self.head
        told.body = [1, 2, 3, 4]
        expectEqual(course.handle(.ended(nil)), [.report(.answered(told)), .cancel])
    }

    @Test("A longer body than asked for fails; of what refuses a stream the beginning is told")
    func tooLong() {
        var course = answer()
        _ = course.handle(.head(Self.head))
        expectEqual(
            course.handle(.body([1, 2, 3, 4, 5])), [.report(.failed(.tooLong(limitBytes: 4))), .cancel])
        var refused = answer(streams: true)
        expectEqual(refused.handle(.head(.init(status: 403, body: []))), [])
        expectEqual(
            refused.handle(.body([1, 2, 3, 4, 5])),
            [.report(.answered(.init(status: 403, body: [1, 2, 3, 4]))), .cancel])
    }

    @Test("A stream is told in parts; its deadline ends with the head, or begins anew with each part")
    func streams() {
        var events = answer(streams: true)
        expectEqual(events.handle(.head(Self.head)), [.report(.began(Self.head)), .stopWaiting])
        expectEqual(events.handle(.body([1, 2, 3, 4, 5])), [.report(.part([1, 2, 3, 4, 5]))])
        expectEqual(events.handle(.ended(nil)), [.report(.answered(Self.head)), .cancel])
        var file = answer(streams: true, limitsSilence: true)
        expectEqual(file.handle(.head(Self.head)), [.report(.began(Self.head)), .wait])
        expectEqual(file.handle(.body([1])), [.report(.part([1])), .wait])
        expectEqual(
            file.handle(.timeIsOver), [.report(.failed(.timedOut(host: "h", seconds: 30))), .cancel])
    }

    @Test("A deadline that was on its way when a stream without one began ends nothing")
    func lateDeadline() {
        var events = answer(streams: true)
        _ = events.handle(.head(Self.head))
        expectEqual(events.handle(.timeIsOver), [])
        expectEqual(events.handle(.body([1])), [.report(.part([1]))])
        var refused = answer(streams: true)
        _ = refused.handle(.head(.init(status: 403, body: [])))
        expectEqual(
            refused.handle(.timeIsOver), [.report(.failed(.timedOut(host: "h", seconds: 30))), .cancel])
    }

    @Test("Every end is told once, and nothing follows it")
    func ends() {
        let ends: [(URLSessionRequestCore.Input, [URLSessionRequestCore.Action])] = [
            (.ended("no route"), [.report(.failed(.system("no route"))), .cancel]),
            (.ended(nil), [.report(.failed(.system("The server did not answer."))), .cancel]),
            (.timeIsOver, [.report(.failed(.timedOut(host: "h", seconds: 30))), .cancel]),
            (.cut, [.cancel]),
        ]
        for (input, actions) in ends {
            var course = answer()
            expectEqual(course.handle(input), actions)
            for later in [input, .head(Self.head), .body([1]), .ended(nil), .timeIsOver, .cut] {
                expectEqual(course.handle(later), [])
            }
        }
    }

    @Test(
        "Sockets are asked for at wss, answers at https, whatever the address says",
        arguments: [
            ("https://example.com/ws?a=1#part", "wss://example.com/ws?a=1", "https://example.com/ws?a=1"),
            ("WSS://e.com:9", "wss://e.com:9/", "https://e.com:9/"),
            ("wss://[::1]:443/x", "wss://[::1]/x", "https://[::1]/x"),
        ] as [(String, String, String)])
    func addresses(_ given: String, _ socket: String, _ answer: String) throws {
        let address = try WebAddress(try #require(URL(string: given)))
        var request = HTTPClient.Request(
            "GET", address.endpoint, address.target, answerBytes: 0, timeout: nil)
        expectEqual(request.systemAddress, answer)
        request.webSocket = HTTPClient.WebSocketTerms(messageBytes: 1)
        expectEqual(request.systemAddress, socket)
    }
}
