package import HTTPCore
import SocketTransport
package import WebSocketCore

/// One TCP connection of a test to a server: requests on it, then perhaps a WebSocket.
///
/// Everything that arrives is gathered at once, whether or not the test is looking.
package final class Line: Sendable {
    /// A complete response, or the head of a 101.
    package struct Answer: Sendable, Equatable {
        package var status: Int
        package var headers: HeaderFields
        package var body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// What a WebSocket brought.
    package enum Item: Sendable, Equatable {
        case text([UInt8])
        case binary([UInt8])
        case ping
        case pong([UInt8])
        /// The peer's Close, or the end of the connection without one (1006).
        case closed(UInt16, reason: String)
    }

    /// How the test's side behaves.
    package struct Manners: Sendable {
        /// False: pings and a Close are read and not answered.
        package var answers = true

        package init(answers: Bool = true) {
            self.answers = answers
        }
    }

    package let answers = Gathering<Answer>()
    package let items = Gathering<Item>()
    /// Raw pieces as they were read.
    package let pieces = Gathering<[UInt8]>()

    let loop: Loop<ClientLoop>
    let id: SocketID

    init(loop: Loop<ClientLoop>, id: SocketID) {
        self.loop = loop
        self.id = id
    }

    /// Sends bytes as they are. `requests` are the methods of the requests in them.
    package func send(_ bytes: [UInt8], requests: [String] = []) {
        let id = id
        loop.submit { $0.send(bytes, on: id, requests: requests) }
    }

    package func send(_ text: String, requests: [String] = []) {
        send(Array(text.utf8), requests: requests)
    }

    /// Sends every byte in a segment of its own.
    package func drip(_ bytes: [UInt8], requests: [String] = []) {
        for (index, byte) in bytes.enumerated() {
            send([byte], requests: index == 0 ? requests : [])
        }
    }

    /// Sends one request and waits for its answer; the line stays open if the server wants it so.
    package func request(
        _ method: String, _ target: String, _ headers: HeaderFields = [:], body: [UInt8] = []
    ) async throws -> Answer {
        let before = answers.count
        send(Self.bytes(method, target, headers, body), requests: [method])
        return try await answer(before)
    }

    /// The answer number `index`, counted from 0.
    package func answer(_ index: Int) async throws -> Answer {
        try await answers.wait(for: "answer \(index + 1)") { $0.count > index ? $0[index] : nil }
    }

    /// One whole WebSocket frame from this side.
    package func sendFrame(_ opcode: Opcode, _ payload: [UInt8]) {
        let id = id
        loop.submit { $0.sendFrame(opcode, payload, on: id) }
    }

    /// A text frame and a Close in one segment.
    package func sendFrameAndClose(_ text: [UInt8], _ code: UInt16) {
        let id = id
        loop.submit { state in
            state.sendFrame(.text, text, on: id, flushes: false)
            state.sendClose(CloseCode(rawValue: code), "", on: id)
        }
    }

    /// Begins the close handshake.
    package func sendClose(_ code: UInt16, reason: String = "") {
        let id = id
        loop.submit { $0.sendClose(CloseCode(rawValue: code), reason, on: id) }
    }

    /// Says that nothing more will be sent.
    package func endOutput() {
        let id = id
        loop.submit { $0.pool.shutdownWrites(id) }
    }

    /// Reads nothing more.
    package func pauseReading() {
        let id = id
        loop.submit { $0.pool.pauseReading(id) }
    }

    /// Reads on after ``pauseReading()``.
    package func resumeReading() {
        let id = id
        loop.submit { $0.pool.resumeReading(id) }
    }

    /// Goes away without a word.
    package func drop(reset: Bool = false) {
        let id = id
        loop.submit { $0.drop(id, reset: reset) }
    }

    /// Waits until the server has ended the connection.
    package func ended() async throws -> String {
        try await pieces.waitForEnd()
    }

    /// A request as it goes over the wire.
    package static func bytes(
        _ method: String, _ target: String, _ headers: HeaderFields = [:], _ body: [UInt8] = []
    ) -> [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        if headers["Host"] == nil { text += "Host: 127.0.0.1\r\n" }
        for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty || method == "POST" { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }
}
