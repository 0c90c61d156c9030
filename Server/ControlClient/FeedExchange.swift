import HTTPCore
import WebSocketCore

/// The server's feed without the socket: the opening handshake, then messages.
///
/// | state | input | next state | outputs |
/// | --- | --- | --- | --- |
/// | handshake | a valid 101 | open | what came with it |
/// | handshake | another answer, whole | over | ended (refused) |
/// | handshake | the end, or nonsense | over | ended (broken) |
/// | open | a message | open | text |
/// | open | the peer's Close | over | write, ended |
/// | open | the end without a Close | over | ended (broken) |
struct FeedExchange: Sendable {
    enum Output: Equatable, Sendable {
        case write([UInt8])
        case text([UInt8])
        /// The last output; nil when the server closed in good order.
        case ended(ControlError?)
    }

    private enum State: Sendable {
        case handshake(ResponseParser, ResponseHead?, body: [UInt8])
        case open(WebSocketConnection)
        case over
    }

    private let url: String
    private let handshake: ClientHandshake
    private let maskSeed: UInt64
    private var state: State

    /// `nonce` is fresh and random for every connection, like `maskSeed` (RFC 6455 §4.1, §10.3).
    init(target: String, authority: String, url: String, token: String?, nonce: [UInt8], maskSeed: UInt64) {
        var fields = HeaderFields()
        if let token { fields.append("X-Mock-Token", token) }
        handshake = ClientHandshake(host: authority, target: target, nonce: nonce, headers: fields)
        self.url = url
        self.maskSeed = maskSeed
        var parser = ResponseParser()
        parser.begin(method: "GET")
        state = .handshake(parser, nil, body: [])
    }

    var request: [UInt8] {
        ControlRequest.head("GET", handshake.request.target, handshake.request.headers)
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Output] {
        switch state {
        case .handshake(var parser, let head, let body):
            state = .over
            var answers: [ResponseParser.Output] = []
            parser.receive(bytes) { answers.append($0) }
            state = .handshake(parser, head, body: body)
            return answers.flatMap { judge($0) }
        case .open(var connection):
            // The copy in `state` would make every append to a message a copy of it.
            state = .over
            var frames: [WebSocketConnection.Output] = []
            connection.receive(bytes) { frames.append($0) }
            state = .open(connection)
            return translate(frames)
        case .over: return []
        }
    }

    /// The server sends nothing more; `reason` says why, if it is known.
    mutating func inputClosed(_ reason: String? = nil) -> [Output] {
        switch state {
        case .handshake: return end(reason ?? "the connection ended during the handshake")
        case .open: return end(reason ?? "the feed ended without a Close frame")
        case .over: return []
        }
    }

    private mutating func judge(_ output: ResponseParser.Output) -> [Output] {
        guard case .handshake(let parser, let head, var body) = state else { return [] }
        switch output {
        case .informational, .trailers: return []
        case .head(let head):
            state = .handshake(parser, head, body: [])
            return []
        case .body(let part):
            // Only the sentence of a refusal is of interest.
            body += part.prefix(max(0, 65_536 - body.count))
            state = .handshake(parser, head, body: body)
            return []
        case .end:
            state = .over
            let answer = ControlAnswer(status: head?.status ?? 0, body: body)
            if case .failure(let error) = CallExchange.judged(answer) { return [.ended(error)] }
            return [.ended(.broken(url: url, reason: "it has no feed"))]
        case .failed(let error): return end(error.description)
        case .upgrade(let head, let leftover):
            do throws(ClientHandshakeError) {
                _ = try handshake.check(status: head.status, headers: head.headers)
            } catch {
                return end("\(error)")
            }
            let limits = WebSocketCore.Limits(messageBytes: ControlLimits.feedMessageBytes)
            state = .open(WebSocketConnection(role: .client, limits: limits, maskSeed: maskSeed))
            return leftover.withUnsafeBytes { receive($0) }
        }
    }

    private mutating func translate(_ frames: [WebSocketConnection.Output]) -> [Output] {
        var outputs: [Output] = []
        var isClean = false
        for frame in frames {
            switch frame {
            case .write(let bytes): outputs.append(.write(bytes))
            case .text(let bytes): outputs.append(.text(bytes))
            case .binary, .ping, .pong: break
            case .peerClosed: isClean = true
            case .finished(let code):
                state = .over
                let error = ControlError.broken(url: url, reason: "the feed was closed with \(code.rawValue)")
                outputs.append(.ended(isClean ? nil : error))
            }
        }
        return outputs
    }

    private mutating func end(_ reason: String) -> [Output] {
        state = .over
        return [.ended(.broken(url: url, reason: reason))]
    }
}
