import HTTPCore
import WebSocketCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One WebSocket connection without the socket: the opening handshake, then frames.
///
/// | state | input | next state | outputs |
/// | --- | --- | --- | --- |
/// | handshake | a valid 101 | open | opened |
/// | handshake | anything else, or the end | over | failed, leave |
/// | open | a message | open | text or binary |
/// | open | ``close(code:reason:)`` | closing | write |
/// | open, closing | the peer's Close | over | write, closed, leave |
/// | open, closing | the end | over | closed (1006), leave |
/// | open | a violation | over | write, failed, leave |
struct SocketExchange: Sendable {
    enum Output: Equatable, Sendable {
        case write([UInt8])
        case report(SocketReport)
        /// Nothing more is to come: wait for the peer's end of stream, then close.
        case leave
    }

    private enum State: Sendable {
        case handshake(ResponseParser)
        case open(WebSocketConnection)
        case over
    }

    private let handshake: ClientHandshake
    private let maskSeed: UInt64
    private var state: State
    private var isClosing = false
    private var interimCount = 0

    /// `nonce` is fresh and random for every connection, like `maskSeed` (RFC 6455 §4.1, §10.3).
    init(to target: PlainTarget, nonce: [UInt8], maskSeed: UInt64) {
        handshake = ClientHandshake(
            host: target.authority, target: target.path, nonce: nonce,
            headers: ["User-Agent": UserAgent.text])
        self.maskSeed = maskSeed
        var parser = ResponseParser()
        parser.begin(method: "GET")
        state = .handshake(parser)
    }

    /// The opening request.
    var request: [UInt8] {
        var bytes = Array("GET \(handshake.request.target) HTTP/1.1\r\n".utf8)
        for field in handshake.request.headers.fields {
            FieldText.append(field.name, field.value, to: &bytes)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    var isOpen: Bool {
        if case .open(let connection) = state { connection.state == .open } else { false }
    }

    /// True from the 101 on until the end is told.
    var hasBeenOpen: Bool {
        if case .open = state { true } else { false }
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Output] {
        switch state {
        case .handshake(var parser):
            var answers: [ResponseParser.Output] = []
            parser.receive(bytes) { answers.append($0) }
            state = .handshake(parser)
            return answers.flatMap { judge($0) }
        case .open(var connection):
            // The copy in `state` would make every append to a message a copy of it.
            state = .over
            var frames: [WebSocketConnection.Output] = []
            connection.receive(bytes) { frames.append($0) }
            state = .open(connection)
            return translate(frames)
        case .over:
            return []
        }
    }

    /// The peer sends nothing more; `reason` says why, if it is known.
    mutating func inputClosed(_ reason: String? = nil) -> [Output] {
        switch state {
        case .handshake:
            state = .over
            return [
                .report(.failed(.network(reason ?? "The server ended the connection during the handshake."))),
                .leave,
            ]
        case .open(var connection):
            let frames = connection.inputClosed()
            state = .open(connection)
            return translate(frames)
        case .over:
            return []
        }
    }

    /// A whole message as bytes to write; empty unless open.
    mutating func message(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        guard case .open(var connection) = state else { return [] }
        defer { state = .open(connection) }
        return connection.message(opcode, payload)
    }

    /// Begins the closing handshake. A connection that is not open yet is left at once.
    mutating func close(code: Int, reason: String) -> [Output] {
        switch state {
        case .handshake:
            state = .over
            return [
                .report(.closed(ConnectionCloseEvent(code: code, reason: reason, wasClean: true))), .leave,
            ]
        case .open(var connection):
            guard !isClosing else { return [] }
            isClosing = true
            let code = UInt16(exactly: code).map { WebSocketCore.CloseCode(rawValue: $0) }
            let frames = connection.close(
                code.flatMap { $0.isValidOnTheWire ? $0 : nil } ?? .normal, reason: reason)
            state = .open(connection)
            return translate(frames)
        case .over:
            return []
        }
    }

    // MARK: Handshake

    private mutating func judge(_ answer: ResponseParser.Output) -> [Output] {
        guard case .handshake = state else { return [] }
        switch answer {
        case .body, .trailers, .end: return []
        case .informational:
            interimCount += 1
            guard interimCount > Limits.interimResponses else { return [] }
            return fail(.protocolViolation("The server sends interim responses and no answer."))
        case .head(let head):
            return fail(.refused(status: head.status, retryAfter: head.headers["Retry-After"]))
        case .failed(.noResponse): return fail(.network("\(ResponseError.noResponse)"))
        case .failed(.incomplete): return fail(.network("\(ResponseError.incomplete)"))
        case .failed(let error): return fail(.protocolViolation("\(error)"))
        case .upgrade(let head, let leftover):
            do throws(ClientHandshakeError) {
                _ = try handshake.check(status: head.status, headers: head.headers)
            } catch {
                return fail(.protocolViolation("\(error)"))
            }
            state = .open(
                WebSocketConnection(
                    role: .client,
                    limits: WebSocketCore.Limits(messageBytes: Limits.incomingMessageBytes),
                    maskSeed: maskSeed))
            return [.report(.opened)] + leftover.withUnsafeBytes { receive($0) }
        }
    }

    private mutating func fail(_ fault: TransportFault) -> [Output] {
        state = .over
        return [.report(.failed(fault)), .leave]
    }

    // MARK: Frames

    private mutating func translate(_ frames: [WebSocketConnection.Output]) -> [Output] {
        var outputs: [Output] = []
        var closing: ConnectionCloseEvent?
        for frame in frames {
            switch frame {
            case .write(let bytes): outputs.append(.write(bytes))
            case .text(let bytes): outputs.append(.report(.text(bytes)))
            case .binary(let bytes): outputs.append(.report(.binary(bytes)))
            case .ping, .pong: break
            case .peerClosed(let code, let reason):
                let code = code ?? .noStatus
                closing = ConnectionCloseEvent(code: Int(code.rawValue), reason: reason, wasClean: true)
            case .finished(let code):
                outputs.append(.report(ending(closing, code)))
                outputs.append(.leave)
                state = .over
            }
        }
        return outputs
    }

    private func ending(_ closing: ConnectionCloseEvent?, _ code: WebSocketCore.CloseCode) -> SocketReport {
        if let closing { return .closed(closing) }
        if code == .abnormal {
            return .closed(
                ConnectionCloseEvent(
                    code: Int(code.rawValue), reason: "The connection ended without a Close frame.",
                    wasClean: false))
        }
        return .failed(
            .protocolViolation("The server broke the WebSocket protocol (closed with \(code))."))
    }
}
