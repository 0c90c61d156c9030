import Clocks
import ConversationEngine
import Deflate
import DialectKit
import ServerCore
import WebSocketCore

extension Server {
    func receive(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        switch connection.stage {
        case .http(let exchange): receive(bytes, in: exchange, on: connection)
        case .handshake: if !keepEarly(bytes, of: connection) { abort(connection) }
        case .webSocket(let webSocket):
            if !connection.isPlain, delaysInput(.bytes(Array(bytes)), from: connection) { return }
            receiveFrames(bytes, of: webSocket, on: connection)
        case .stream: connection.endWithStream()
        case .held, .waiting, .working, .closing: break
        }
    }

    func inputClosed(_ connection: Connection) {
        switch connection.stage {
        case .http(let exchange): inputClosed(of: exchange, on: connection)
        case .webSocket(let webSocket):
            if !delaysInput(.end, from: connection) { inputClosed(of: webSocket, on: connection) }
        case .handshake, .held, .waiting, .stream: close(connection)
        // The peer may have closed only its sending direction, and may still read the answer.
        case .working, .closing: break
        }
    }

    func timeOut(_ connection: Connection) {
        switch connection.stage {
        case .http(let exchange): timeOut(exchange, on: connection)
        case .handshake(let handshake): complete(handshake, on: connection)
        case .held(let answer):
            for part in answer.parts { write(part, on: connection) }
            close(connection)
        case .waiting: control.timeOutWait(connection)
        case .webSocket, .stream, .working, .closing:
            guard isSteered, connection.pendingBytes <= highWaterBytes else {
                return outputs.append(.endOverdue(connection))
            }
            // Sends the output of earlier instants before the abort.
            outputs.append(.flush(connection.socket))
            abort(connection)
        }
    }

    // MARK: - Frames

    /// Reads frames, or keeps bytes that must wait for inflation.
    func receiveFrames(
        _ bytes: UnsafeRawBufferPointer, of webSocket: Connection.OpenWebSocket, on connection: Connection
    ) {
        if webSocket.awaitsInflation {
            webSocket.unread.append(contentsOf: bytes)
        } else {
            let count = receiveSome(bytes, of: webSocket, on: connection)
            guard webSocket.core.isInflating, case .webSocket = connection.stage else { return }
            webSocket.unread = ArraySlice(bytes[count...])
        }
        charge(webSocket.heldBytes, ofMessageOn: connection)
    }

    /// Reads bytes until a compressed message has to wait. Returns the number of bytes read.
    private func receiveSome(
        _ bytes: UnsafeRawBufferPointer, of webSocket: Connection.OpenWebSocket, on connection: Connection
    ) -> Int {
        var count = 0
        // Repeats while the connection closes for lack of memory: the peer's Close must still be read.
        repeat {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
            count += receiveAll(rest, of: webSocket, on: connection)
            guard case .webSocket = connection.stage else { return bytes.count }
        } while count < bytes.count && !webSocket.core.isInflating
        guard webSocket.core.isInflating else { return count }
        inflation.append(connection.id)
        outputs.append(.pauseReading(connection.socket))
        inflateOn()
        return count
    }

    private func receiveAll(
        _ bytes: UnsafeRawBufferPointer, of webSocket: Connection.OpenWebSocket, on connection: Connection
    ) -> Int {
        var outputs: [WebSocketConnection.Output] = []
        swap(&outputs, &frames)
        let count = webSocket.core.receive(bytes, inflater: webSocket.deflate, room: &room) {
            outputs.append($0)
        }
        handle(&outputs, of: webSocket, on: connection)
        swap(&outputs, &frames)
        let partial = webSocket.core.isUnfinished ? webSocket.core.bufferedBytes : 0
        if partial != connection.costs.body { charge(partial, ofMessageOn: connection) }
        pauseIfSlow(connection)
        return count
    }

    func handle(
        _ outputs: [WebSocketConnection.Output], of webSocket: Connection.OpenWebSocket,
        on connection: Connection
    ) {
        var outputs = outputs
        handle(&outputs, of: webSocket, on: connection)
    }

    /// Empties `outputs`. Moves each output out, since a copy would retain its bytes.
    private func handle(
        _ outputs: inout [WebSocketConnection.Output], of webSocket: Connection.OpenWebSocket,
        on connection: Connection
    ) {
        if outputs.count > 1 { outputs.reverse() }
        while let output = outputs.popLast() {
            guard case .webSocket = connection.stage else { continue }
            switch consume output {
            case .write(let bytes): sendInOrder(.bytes(bytes), connection)
            case .text(let text):
                receive(text, isText: true, of: webSocket, on: connection)
                // The text's buffer serves the next read, which saves an allocation per read.
                if text.count <= WebSocketLimits.reusedBytes { room = text }
            case .binary(let bytes): receive(bytes, isText: false, of: webSocket, on: connection)
            case .ping: receive(.ping, on: connection)
            case .pong: receive(.pong, on: connection)
            case .peerClosed(let code, _):
                recordFrame(
                    .close, isInbound: true, code: code.map { Int($0.rawValue) } ?? 1_005, on: connection)
                recordDrop(connection, .client(code: code?.rawValue))
                remark("client closed", "code \(code.map { "\($0.rawValue)" } ?? "none")", connection)
            case .finished: sendInOrder(.end, connection)
            }
        }
    }

    /// Handles the end of input.
    func inputClosed(of webSocket: Connection.OpenWebSocket, on connection: Connection) {
        guard !webSocket.endsLater() else { return }
        handle(webSocket.core.inputClosed(), of: webSocket, on: connection)
        if case .webSocket = connection.stage { close(connection) }
    }

    private func receive(_ sign: ControlFrame, on connection: Connection) {
        recordFrame(sign, isInbound: true, on: connection)
        if let handle = connection.session { engine.touch(connection.id, of: handle, at: clock.now) }
    }

    private func receive(
        _ bytes: [UInt8], isText: Bool, of webSocket: Connection.OpenWebSocket, on connection: Connection
    ) {
        if let session = webSocket.session {
            receive(bytes, isText: isText, in: session, on: connection)
        } else if case .echo = webSocket.purpose {
            send(bytes, as: isText ? .text : .binary, of: webSocket, on: connection)
        }
    }

    func receive(_ piece: DelayedInput.Piece, from connection: Connection) {
        guard let webSocket = connection.webSocket else { return }
        switch piece {
        case .bytes(let bytes): read(bytes, of: webSocket, on: connection)
        case .end: inputClosed(of: webSocket, on: connection)
        }
    }

    // MARK: - Messages of sessions

    func receive(
        _ bytes: [UInt8], isText: Bool, in session: SessionHandle, on connection: Connection
    ) {
        let now = now
        guard let outbox = outbox(of: session),
            admits(bytes, of: outbox, on: connection, at: now)
        else { return }
        var output = emptyOutput()
        let decoded = outbox.encoder.receive(
            bytes, isText: isText, from: connection.id, at: now, into: &output)
        let mark = record(decoded, bytes, of: outbox, on: connection, at: now)
        output.spare = outbox.hear(
            decoded, row: mark, bytes: bytes.count, keeping: ServerLimits.scratchBytes)
        if !decoded.isMessage, case .ignored = decoded.input.word {
            // An ignored message still proves that the client is alive.
            engine.touch(connection.id, of: session, at: now)
        } else {
            decoded.lendInput {
                engine.handle(
                    $0, mark: mark, from: connection.id, in: session, at: now, into: &effects)
            }
        }
        execute(&output, outbox, mark: mark, at: now)
        if outbox.extensions.rawValue != 0 { settle(outbox) }
    }

    /// Handles the input of the request that opened an event stream.
    func receive(_ input: ClientInput, from connection: Connection, in handle: SessionHandle) {
        withEngine { $0.handle(input, from: connection.id, in: handle, at: now, into: &$1) }
        // Charges a queued run, which uses memory before any of its events is sent.
        if let outbox = outbox(of: handle) { settle(outbox) }
        executeEffects()
    }

    /// Whether the session's rate limit admits a message. Records a refused message.
    func admits(
        _ bytes: [UInt8], of outbox: DeliveryLog, on connection: Connection, at now: Instant
    ) -> Bool {
        guard let limit = configuration.poly.rates.webSocket?.limit,
            case let rate = RateLimit(burst: limit.burst, perSecond: limit.perSecond),
            buckets.consume(from: .messages(outbox.handle), limit: rate, at: clock.now) != nil
        else { return true }
        // The message is dropped, but shows that the client is alive (protocol.md#message-rate).
        remark("dropped event", "too many messages", connection)
        record(.flooded(link(of: connection, in: outbox), bytes, of: outbox), at: now)
        engine.touch(connection.id, of: outbox.handle, at: now)
        return false
    }

    /// Records a decoded message. Returns the number of its row.
    func record(
        _ decoded: Decoded, _ bytes: [UInt8], of outbox: DeliveryLog, on connection: Connection,
        at now: Instant
    ) -> UInt32 {
        if let note = decoded.note { remark("note", note, connection) }
        if !decoded.isMessage, case .refused(let problem, let detail) = decoded.input.word {
            remark("refused event", problem.rawValue + (detail.map { ": \($0)" } ?? ""), connection)
        }
        let link = link(of: connection, in: outbox)
        events.heard(link, bytes, decoded, of: outbox, at: EventTime(now: now, wall: wallNow(now)), in: self)
        return events.recorder.heardRow
    }

    // MARK: - Inflating

    func inflateOn() {
        if inflation.becomesDue() { outputs.append(.again { $0.inflate() }) }
    }

    /// Inflates up to ``ServerLimits/inflatedBytes`` for the waiting connections.
    func inflate() {
        guard let deflate else { return }
        deflate.allowance = ServerLimits.inflatedBytes
        for _ in 0..<inflation.beginTurn() {
            guard deflate.allowance > 0 else { return inflateOn() }
            guard let connection = connection(of: inflation.next()),
                let webSocket = connection.webSocket
            else { continue }
            // A paused connection goes to the end of the queue.
            guard !connection.isPaused else {
                inflation.append(connection.id)
                continue
            }
            let unread = webSocket.unread
            webSocket.unread = []
            let count = unread.withUnsafeBytes { receiveSome($0, of: webSocket, on: connection) }
            if count < unread.count {
                // Copies the rest, because a slice would retain all bytes of a large input.
                webSocket.unread = ArraySlice(Array(unread.dropFirst(count)))
                charge(webSocket.heldBytes, ofMessageOn: connection)
            }
            guard !webSocket.awaitsInflation, case .webSocket = connection.stage else { continue }
            if webSocket.endsUnread { inputClosed(of: webSocket, on: connection) }
            if !connection.isPaused { outputs.append(.resumeReading(connection.socket)) }
        }
    }
}
