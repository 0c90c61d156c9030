import Clocks
import HTTPCore
import SocketTransport
import WebSocketCore

/// State machine of one request, and of the WebSocket connection that may follow, without a socket.
///
/// | state | input | next state | outputs |
/// | --- | --- | --- | --- |
/// | asked | a complete response | over | answered, leave |
/// | asked | head or part of a streamed response | asked | began, part |
/// | asked | a valid 101 response to a handshake | open | opened |
/// | asked | an invalid, incomplete or too long response, or an invalid 101 | over | failed, leave |
/// | asked | ``close(_:reason:)`` | over | closed, leave |
/// | open | a message | open | text or binary |
/// | open | ``close(_:reason:)`` | closing | write |
/// | open, closing | the peer's close frame | over | write (only if open), closed, leave |
/// | open, closing | end of stream | over | failed (lost), leave |
/// | open, closing | a protocol violation | over | write (only if open), failed, leave |
struct Exchange: Sendable {
    enum Output: Equatable, Sendable {
        case write([UInt8])
        case report(HTTPClient.Report)
        /// The exchange is over.
        case leave
    }

    private struct Upgrade: Sendable {
        let handshake: ClientHandshake
        let messageBytes: Int
        let maskSeed: UInt64
    }

    private enum State: Sendable {
        case asked(AnswerReader)
        case open(WebSocketConnection)
        case over
    }

    let opening: [UInt8]
    private let upgrade: Upgrade?
    private var state: State
    private var isClosing = false

    /// `generator` makes the nonce and masking keys, which must differ between connections (RFC 6455 §4.1, §10.3).
    init(_ request: HTTPClient.Request, _ generator: inout SeededGenerator) {
        state = .asked(AnswerReader(request))
        guard let terms = request.webSocket else {
            (opening, upgrade) = (request.bytes, nil)
            return
        }
        let nonce = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let handshake = ClientHandshake(
            host: request.endpoint.authority, target: request.target, nonce: nonce, headers: request.headers)
        opening = HTTPClient.Request.head("GET", request.target, handshake.request.headers)
        upgrade = Upgrade(
            handshake: handshake, messageBytes: terms.messageBytes, maskSeed: generator.next())
    }

    /// True from the 101 response until the end of the WebSocket is reported.
    var hasBeenOpen: Bool {
        if case .open = state { true } else { false }
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Output] {
        // `state` is overwritten first. With two references to the body, each append would copy it.
        switch state {
        case .asked(var reader):
            state = .over
            let outcome = reader.receive(bytes)
            let news = reader.takeNews()
            state = .asked(reader)
            return news.map { .report($0) } + judge(outcome)
        case .open(var connection):
            state = .over
            var frames: [WebSocketConnection.Output] = []
            connection.receive(bytes) { frames.append($0) }
            state = .open(connection)
            return translate(frames)
        case .over:
            return []
        }
    }

    /// Handles the end of the stream. A nil `error` means a normal end.
    mutating func inputClosed(because error: SocketError? = nil) -> [Output] {
        switch state {
        case .asked where upgrade != nil: return end(.failed(.handshakeEnded(because: error)))
        case .asked(var reader):
            let outcome = reader.inputClosed(because: error)
            return reader.takeNews().map { .report($0) } + judge(outcome)
        case .open(var connection):
            let frames = connection.inputClosed()
            state = .open(connection)
            return translate(frames, because: error)
        case .over: return []
        }
    }

    /// Returns the bytes to write. Empty unless the WebSocket is open.
    mutating func message(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        guard case .open(var connection) = state else { return [] }
        defer { state = .open(connection) }
        return connection.message(opcode, payload)
    }

    /// Starts the closing handshake. If the WebSocket is not open yet, the exchange ends at once.
    mutating func close(_ code: CloseCode, reason: String) -> [Output] {
        switch state {
        case .asked: return end(.closed(code, reason: reason))
        case .open(var connection):
            guard !isClosing else { return [] }
            isClosing = true
            let frames = connection.close(code.isValidOnTheWire ? code : .normal, reason: reason)
            state = .open(connection)
            return translate(frames)
        case .over: return []
        }
    }

    private mutating func judge(_ outcome: AnswerReader.Outcome?) -> [Output] {
        switch outcome {
        case nil: return []
        case .failed(let failure)?: return end(.failed(failure))
        case .whole(let answer)?: return end(.answered(answer))
        case .upgrade(let head, let leftover)?:
            guard let upgrade else {
                return end(.answered(HTTPClient.Answer(status: head.status, headers: head.headers, body: [])))
            }
            do throws(ClientHandshakeError) {
                _ = try upgrade.handshake.check(status: head.status, headers: head.headers)
            } catch {
                return end(.failed(.badHandshake(error)))
            }
            let limits = WebSocketLimits(messageBytes: upgrade.messageBytes)
            state = .open(WebSocketConnection(role: .client, limits: limits, maskSeed: upgrade.maskSeed))
            return [.report(.opened)] + leftover.withUnsafeBytes { receive($0) }
        }
    }

    private mutating func translate(
        _ frames: [WebSocketConnection.Output], because error: SocketError? = nil
    ) -> [Output] {
        var outputs: [Output] = []
        var closing: HTTPClient.Report?
        for frame in frames {
            switch frame {
            case .write(let bytes): outputs.append(.write(bytes))
            case .text(let bytes): outputs.append(.report(.text(bytes)))
            case .binary(let bytes): outputs.append(.report(.binary(bytes)))
            case .ping, .pong: break
            case .peerClosed(let code, let reason): closing = .closed(code ?? .noStatus, reason: reason)
            case .finished(let code):
                let failure: HTTPClient.Failure =
                    code == .abnormal ? .lost(because: error) : .violation(code)
                outputs += end(closing ?? .failed(failure))
            }
        }
        return outputs
    }

    private mutating func end(_ report: HTTPClient.Report) -> [Output] {
        state = .over
        return [.report(report), .leave]
    }
}
