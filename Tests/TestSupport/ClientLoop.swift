import Deflate
import HTTPCore
import SocketTransport
import WebSocketCore

/// The sockets of a test and what is being read from them. Lives on one loop.
final class ClientLoop {
    private final class Reading {
        var line: Line?
        var responses = ResponseParser()
        var head: ResponseHead?
        var body: [UInt8] = []
        var webSocket: WebSocketConnection?
        /// Set when the server has agreed to compress.
        var inflater: DeflateCodec?
        let manners: Line.Manners

        init(manners: Line.Manners) {
            self.manners = manners
        }
    }

    let pool: SocketPool
    private var readings: [SocketID: Reading] = [:]

    init() throws(SocketError) {
        var limits = SocketLimits()
        limits.writeBufferBytes = 64 << 20
        pool = try SocketPool(limits: limits)
    }

    func open(to address: SocketAddress, manners: Line.Manners, on loop: Loop<ClientLoop>) -> Result<
        Line, SocketError
    > {
        do throws(SocketError) {
            let id = try pool.connect(to: address)
            let line = Line(loop: loop, id: id)
            let reading = Reading(manners: manners)
            reading.line = line
            readings[id] = reading
            return .success(line)
        } catch {
            return .failure(error)
        }
    }

    func drain() {
        pool.drain { handle($0) }
    }

    // MARK: - Sending

    func send(_ bytes: [UInt8], on id: SocketID, requests: [String]) {
        for method in requests { readings[id]?.responses.begin(method: method) }
        pool.write(id, bytes)
        pool.flush()
    }

    func sendFrame(_ opcode: Opcode, _ payload: [UInt8], on id: SocketID, flushes: Bool = true) {
        guard let frame = readings[id]?.webSocket?.message(opcode, payload) else { return }
        pool.write(id, frame)
        if flushes { pool.flush() }
    }

    func sendClose(_ code: CloseCode, _ reason: String, on id: SocketID) {
        for output in readings[id]?.webSocket?.close(code, reason: reason) ?? [] {
            if case .write(let bytes) = output { pool.write(id, bytes) }
        }
        pool.flush()
    }

    func drop(_ id: SocketID, reset: Bool) {
        pool.abort(id, reset: reset)
        finish(id, "this side went away")
    }

    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        for id in Array(readings.keys) { finish(id, "the client was closed") }
        pool.shutDown(completion)
    }

    // MARK: - Receiving

    private func handle(_ event: SocketEvent) {
        switch event {
        case .received(let id, let bytes):
            guard let reading = readings[id] else { return }
            reading.line?.pieces.append(Array(bytes))
            receive(bytes, reading, id)
        case .inputClosed(let id):
            if let reading = readings[id] {
                act(on: reading.responses.inputClosed(), reading, id)
                act(on: reading.webSocket?.inputClosed() ?? [], reading, id)
            }
            pool.close(id, afterFlush: true)
            finish(id, "the server ended the connection")
        case .closed(let id, let error):
            if let reading = readings[id] { act(on: reading.webSocket?.inputClosed() ?? [], reading, id) }
            finish(id, error.map { "the connection failed: \($0)" } ?? "the connection was closed")
        case .accepted, .connected, .congested, .writable, .acceptPaused:
            break
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ reading: Reading, _ id: SocketID) {
        if reading.webSocket != nil {
            return act(
                on: reading.webSocket?.receive(Array(bytes), inflater: reading.inflater) ?? [], reading, id)
        }
        act(on: reading.responses.receive(Array(bytes)), reading, id)
    }

    private func act(on outputs: [ResponseParser.Output], _ reading: Reading, _ id: SocketID) {
        for output in outputs {
            switch output {
            case .head(let head): (reading.head, reading.body) = (head, [])
            case .informational(let head): answer(reading, head)
            case .body(let bytes): reading.body += bytes
            case .trailers: break
            case .end:
                if let head = reading.head { answer(reading, head) }
                (reading.head, reading.body) = (nil, [])
            case .upgrade(let head, let leftover):
                reading.webSocket = WebSocketConnection(role: .client, limits: Self.generous, maskSeed: 7)
                reading.inflater = Self.inflater(for: head)
                answer(reading, head)
                act(
                    on: reading.webSocket?.receive(leftover, inflater: reading.inflater) ?? [], reading, id)
            case .failed(let error):
                reading.line?.answers.end("the answer cannot be read: \(error)")
            }
        }
    }

    private func act(on outputs: [WebSocketConnection.Output], _ reading: Reading, _ id: SocketID) {
        for output in outputs {
            switch output {
            case .write(let bytes):
                if reading.manners.answers { pool.write(id, bytes) }
            case .text(let bytes): reading.line?.items.append(.text(bytes))
            case .binary(let bytes): reading.line?.items.append(.binary(bytes))
            case .ping: reading.line?.items.append(.ping)
            case .pong(let payload): reading.line?.items.append(.pong(payload))
            case .peerClosed(let code, let reason):
                reading.line?.items.append(
                    .closed((code ?? .noStatus).rawValue, reason: reason))
                reading.line?.items.end("the WebSocket was closed")
            case .finished(let code):
                // After a Close this adds nothing: the gathering has ended.
                if code == .abnormal {
                    reading.line?.items.append(.closed(code.rawValue, reason: ""))
                }
                reading.line?.items.end("the WebSocket was closed")
            }
        }
        pool.flush()
    }

    private func answer(_ reading: Reading, _ head: ResponseHead) {
        reading.line?.answers.append(
            Line.Answer(status: head.status, headers: head.headers, body: reading.body))
    }

    private func finish(_ id: SocketID, _ reason: String) {
        guard let line = readings.removeValue(forKey: id)?.line else { return }
        line.answers.end(reason)
        line.items.end(reason)
        line.pieces.end(reason)
    }

    /// For what the server compresses: the other direction of what a server reads.
    private static func inflater(for head: ResponseHead) -> DeflateCodec? {
        guard let answer = head.headers["Sec-WebSocket-Extensions"] else { return nil }
        var terms = DeflateTerms()
        terms.clientKeepsContext = !answer.contains("server_no_context_takeover")
        return DeflateService()?.codec(for: terms)
    }

    private static let generous: WebSocketLimits = {
        var limits = WebSocketLimits()
        limits.messageBytes = 64 << 20
        return limits
    }()
}
