import Clocks
import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
import LawBook
import SocketTransport
import Timeline
import WebSocketCore

/// Open WebSockets: frames in, frames out.
extension ServerLoop {
    func completeHandshake(_ connection: Connection, _ response: Response, early: [UInt8]) {
        var limits = WebSocketCore.Limits()
        limits.messageBytes = configuration.limits.messageBytes
        if case .echo = connection.purpose {
            limits.messageBytes = max(limits.messageBytes, ServerLimits.echoMessageBytes)
            limits.framesPerMessage = ServerLimits.echoFrames
        }
        connection.stage = .webSocket
        connection.parser = nil
        connection.requestBegan = nil
        setDeadline(nil, of: connection)
        connection.webSocket = WebSocketConnection(role: .server, limits: limits)
        openWebSockets += 1
        sockets.write(connection.socket, response.serialized(to: nil, closing: false, date: nil))
        if case .session(let handle, _) = connection.purpose, !expectHistory(of: connection, handle) {
            let lives = engine.hasEnded(handle) == false
            return closeWebSocket(
                connection, lives ? .goingAway : .normal, lives ? "connection idle" : "session ended")
        }
        if !early.isEmpty { early.withUnsafeBytes { receiveFrames($0, on: connection) } }
    }

    private func expectHistory(of connection: Connection, _ handle: SessionHandle) -> Bool {
        let now = clock.now
        let due = now + entryDelay(configuration.connections.firstFrameDelay)
        return withEngine { engine, effects in
            engine.expectHistory(of: connection.id, in: handle, due: due, at: now, into: &effects)
        }
    }

    func receiveFrames(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        var outputs = self.outputs
        self.outputs = []
        connection.webSocket?.receive(bytes, inflater: connection.deflate) { outputs.append($0) }
        act(on: outputs, of: connection)
        outputs.removeAll(keepingCapacity: true)
        self.outputs = outputs
        pauseIfSlow(connection)
    }

    func act(on outputs: [WebSocketConnection.Output], of connection: Connection) {
        for output in outputs {
            guard case .webSocket = connection.stage else { return }
            switch output {
            case .write(let bytes): leave(.bytes(bytes), connection)
            case .text(let text): receive(text, isText: true, on: connection)
            case .binary(let bytes): receive(bytes, isText: false, on: connection)
            case .ping, .pong:
                noteControl(output.isPing ? "PING" : "PONG", .inbound, on: connection)
                if case .session(let handle, _) = connection.purpose {
                    engine.touch(connection.id, of: handle, at: clock.now)
                }
            case .peerClosed(let code, _):
                noteControl("CLOSE", .inbound, status: code.map { Int($0.rawValue) } ?? 1_005, on: connection)
                noteDropped(connection, .client(code: code?.rawValue))
                log.line(
                    "client closed", peer: connection.peer, "code \(code.map { "\($0.rawValue)" } ?? "none")")
            case .finished: close(connection)
            }
        }
    }

    private func receive(_ bytes: [UInt8], isText: Bool, on connection: Connection) {
        switch connection.purpose {
        case .echo:
            send(bytes, as: isText ? .text : .binary, to: connection)
        case .feed: break
        case .session(let handle, let dialect):
            control.counts.messagesHeard += 1
            if let limit = configuration.rates.webSocket, take(handle, limit) != nil {
                // Not heard, but a sign of life (protocol.md#message-rate).
                log.line("dropped event", peer: connection.peer, "too many messages")
                noteHeard(
                    bytes, Decoded(ClientInput(.ignored), type: "dropped"), of: handle, on: connection,
                    isDropped: true)
                return engine.touch(connection.id, of: handle, at: clock.now)
            }
            let decoded = isText ? dialects[dialect].decode(text: bytes) : dialects[dialect].decodeBinary()
            if let note = decoded.note { log.line("note", peer: connection.peer, note) }
            if case .refused(let problem, let detail) = decoded.input.word {
                let detail = detail.map { ": \($0)" } ?? ""
                log.line("refused event", peer: connection.peer, problem.rawValue + detail)
            }
            announce(of: handle) { .said(session: $0, connection: connection.id, decoded.input) }
            let now = clock.now
            noteHeard(bytes, decoded, of: handle, on: connection, at: now)
            engine.handle(decoded.input, from: connection.id, in: handle, at: now, into: &effects)
            performEffects()
        }
    }

    private func take(_ handle: SessionHandle, _ limit: Configuration.Rates.Bucket) -> Interval? {
        buckets.take(
            from: "session \(handle.slot).\(handle.generation)",
            limit: RateLimit(burst: limit.burst, perSecond: limit.perSecond), at: clock.now)
    }

    /// Sends one message. Its bytes may be shared with other connections; compressed ones are this connection's own.
    func send(_ payload: [UInt8], as opcode: Opcode, to connection: Connection) {
        frameHeader.removeAll(keepingCapacity: true)
        if let packed = connection.deflate?.compress(payload) {
            FrameWriter.appendCompressedHeader(opcode: opcode, length: packed.count, to: &frameHeader)
            return sockets.write(connection.socket, frameHeader, packed)
        }
        FrameWriter.appendHeader(opcode: opcode, length: payload.count, fin: true, to: &frameHeader)
        sockets.write(connection.socket, frameHeader, payload)
    }

    /// The response to a handshake, with what was agreed on for the connection (RFC 7692 §5.1).
    func negotiating(_ response: Response, _ head: RequestHead, on connection: Connection) -> Response {
        guard let deflate, let terms = ServerHandshake.deflateTerms(for: head) else { return response }
        connection.deflate = deflate.codec(for: terms)
        var response = response
        response.headers.append("Sec-WebSocket-Extensions", terms.answer)
        return response
    }

    /// Starts the close handshake of an open WebSocket, behind whatever troubles hold back.
    func closeWebSocket(_ connection: Connection, _ code: CloseCode, _ reason: String) {
        guard case .webSocket = connection.stage else { return }
        leave(.close(code, reason), connection)
    }

    func beginClosing(_ connection: Connection, _ code: CloseCode, _ reason: String) {
        noteControl("CLOSE", .outbound, status: Int(code.rawValue), on: connection)
        noteDropped(connection, .server(code: code.rawValue))
        act(on: connection.webSocket?.close(code, reason: reason) ?? [], of: connection)
        guard case .webSocket = connection.stage else { return }
        // The peer's Close has to be read.
        if connection.stall != nil {
            connection.stall = nil
            sockets.resumeReading(connection.socket)
        }
        setDeadline(clock.now + configuration.limits.closeTime, of: connection)
    }
}

extension WebSocketConnection.Output {
    fileprivate var isPing: Bool {
        if case .ping = self { return true }
        return false
    }
}
