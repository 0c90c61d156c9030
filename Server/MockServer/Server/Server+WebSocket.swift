import Clocks
import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// Open WebSockets and event streams: frames in, frames and chunks out.
extension Server {
    /// Opens the WebSocket of a session, with its history to come.
    func complete(_ handshake: Connection.Handshake, on connection: Connection) {
        let handle = handshake.channel.handle
        let webSocket = open(connection, for: .session(handshake.channel), handshake.deflate)
        write(handshake.response.serialized(to: nil, closing: false, date: nil), on: connection)
        let delay = historyDelay(of: handle)
        guard open(connection, .webSocket, of: handshake.party, after: delay) else {
            let lives = engine.hasEnded(handle) == false
            return end(
                connection, lives ? .goingAway : .normal, lives ? "connection idle" : "session ended")
        }
        read(handshake.early, of: webSocket, on: connection)
    }

    /// Opens a WebSocket of the server's own.
    func accept(
        _ head: RequestHead, _ response: Response, for purpose: Connection.OpenWebSocket.Purpose,
        early: [UInt8], on connection: Connection
    ) {
        let (response, deflate) = response.agreeing(to: head, deflate)
        let webSocket = open(connection, for: purpose, deflate)
        write(response.serialized(to: nil, closing: false, date: nil), on: connection)
        read(early, of: webSocket, on: connection)
    }

    private func open(
        _ connection: Connection, for purpose: Connection.OpenWebSocket.Purpose, _ deflate: DeflateCodec?
    ) -> Connection.OpenWebSocket {
        let isEcho = if case .echo = purpose { true } else { false }
        let limits = configuration.messageLimits(ofEcho: isEcho)
        let webSocket = Connection.OpenWebSocket(
            WebSocketConnection(role: .server, limits: limits), deflate: deflate, for: purpose)
        connection.stage = .webSocket(webSocket)
        releaseRequest(of: connection)
        setDeadline(nil, of: connection)
        openWebSockets += 1
        return webSocket
    }

    private func read(_ early: [UInt8], of webSocket: Connection.OpenWebSocket, on connection: Connection) {
        guard !early.isEmpty else { return }
        early.withUnsafeBytes { receiveFrames($0, of: webSocket, on: connection) }
    }

    /// Reads frames. Bytes after a compressed message wait until the message is inflated.
    func receiveFrames(
        _ bytes: UnsafeRawBufferPointer, of webSocket: Connection.OpenWebSocket, on connection: Connection
    ) {
        if webSocket.isBehind {
            webSocket.unread.append(contentsOf: bytes)
        } else {
            let count = receiveSome(bytes, of: webSocket, on: connection)
            guard webSocket.core.isInflating, case .webSocket = connection.stage else { return }
            webSocket.unread = ArraySlice(bytes[count...])
        }
        charge(webSocket.heldBytes, ofMessageOn: connection)
    }

    /// Asks for a further turn if a connection waits to be inflated.
    func inflateOn() {
        if inflation.becomesDue() { outputs.append(.again { $0.inflate() }) }
    }

    /// One turn of inflating.
    func inflate() {
        guard let deflate else { return }
        deflate.allowance = ServerLimits.inflatedBytes
        for _ in 0..<inflation.beginTurn() {
            guard deflate.allowance > 0 else { return inflateOn() }
            guard let connection = connection(of: inflation.next()),
                let webSocket = connection.webSocket
            else { continue }
            // One that does not read its answers goes on when it has read.
            guard !connection.isPaused else {
                inflation.append(connection.id)
                continue
            }
            let unread = webSocket.unread
            webSocket.unread = []
            let count = unread.withUnsafeBytes { receiveSome($0, of: webSocket, on: connection) }
            if count < unread.count {
                // A copy: the rest of a large piece would hold all of it.
                webSocket.unread = ArraySlice(Array(unread.dropFirst(count)))
                charge(webSocket.heldBytes, ofMessageOn: connection)
            }
            guard !webSocket.isBehind, case .webSocket = connection.stage else { continue }
            if webSocket.endsUnread { inputClosed(of: webSocket, on: connection) }
            if !connection.isPaused { outputs.append(.resumeReading(connection.socket)) }
        }
    }

    /// Returns how many of the bytes were read. The rest waits for a turn that may inflate more.
    private func receiveSome(
        _ bytes: UnsafeRawBufferPointer, of webSocket: Connection.OpenWebSocket, on connection: Connection
    ) -> Int {
        var count = 0
        // Again where there was no room for the message: its connection closes, and the peer's Close has to be read.
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
        var outputs = frames
        frames = []
        let count = webSocket.core.receive(bytes, inflater: webSocket.deflate) { outputs.append($0) }
        act(on: outputs, of: webSocket, on: connection)
        outputs.removeAll(keepingCapacity: true)
        frames = outputs
        let partial = webSocket.core.isUnfinished ? webSocket.core.bufferedBytes : 0
        if partial != connection.bodyCharge { charge(partial, ofMessageOn: connection) }
        pauseIfSlow(connection)
        return count
    }

    func act(
        on outputs: [WebSocketConnection.Output], of webSocket: Connection.OpenWebSocket,
        on connection: Connection
    ) {
        for output in outputs {
            guard case .webSocket = connection.stage else { return }
            switch output {
            case .write(let bytes): sendInOrder(.bytes(bytes), connection)
            case .text(let text): receive(text, isText: true, of: webSocket, on: connection)
            case .binary(let bytes): receive(bytes, isText: false, of: webSocket, on: connection)
            case .ping: heard(.ping, on: connection)
            case .pong: heard(.pong, on: connection)
            case .peerClosed(let code, _):
                tellFrame(
                    .close, isInbound: true, code: code.map { Int($0.rawValue) } ?? 1_005, on: connection)
                tellDropped(connection, .client(code: code?.rawValue))
                remark("client closed", "code \(code.map { "\($0.rawValue)" } ?? "none")", connection)
            case .finished: sendInOrder(.end, connection)
            }
        }
    }

    /// The peer sends nothing more: who does not close has gone.
    func inputClosed(of webSocket: Connection.OpenWebSocket, on connection: Connection) {
        guard !webSocket.endsLater() else { return }
        act(on: webSocket.core.inputClosed(), of: webSocket, on: connection)
        if case .webSocket = connection.stage { close(connection) }
    }

    private func heard(_ sign: ControlFrame, on connection: Connection) {
        tellFrame(sign, isInbound: true, on: connection)
        if let handle = connection.session { engine.touch(connection.id, of: handle, at: clock.now) }
    }

    private func receive(
        _ bytes: [UInt8], isText: Bool, of webSocket: Connection.OpenWebSocket, on connection: Connection
    ) {
        switch webSocket.purpose {
        case .echo: send(bytes, as: isText ? .text : .binary, of: webSocket, on: connection)
        case .feed: break
        case .session(let channel): hear(bytes, isText: isText, in: channel, on: connection)
        }
    }

    /// What a trouble had heard later.
    func hear(_ piece: DelayedInput.Piece, from connection: Connection) {
        guard let webSocket = connection.webSocket else { return }
        switch piece {
        case .bytes(let bytes): read(bytes, of: webSocket, on: connection)
        case .end: inputClosed(of: webSocket, on: connection)
        }
    }

    /// Sends one text message of a session.
    func put(_ bytes: [UInt8], on connection: Connection) {
        if let webSocket = connection.webSocket {
            send(bytes, as: .text, of: webSocket, on: connection)
        } else if let stream = connection.stream {
            if let parts = stream.parts(of: bytes) { return parts.forEach { write($0, on: connection) } }
            if admits(bytes.count, to: connection) { outputs.append(.chunk(connection.socket, bytes)) }
        }
    }

    /// Sends one message. Its bytes may be shared with other connections; compressed ones are this connection's own.
    func send(
        _ payload: [UInt8], as opcode: Opcode, of webSocket: Connection.OpenWebSocket,
        on connection: Connection
    ) {
        if let packed = webSocket.deflate?.compress(payload) {
            if admits(packed.count, to: connection) {
                outputs.append(.compressed(connection.socket, opcode, packed))
            }
            return
        }
        if admits(payload.count, to: connection) {
            outputs.append(.message(connection.socket, opcode, payload))
        }
    }

    func write(_ bytes: [UInt8], on connection: Connection) {
        if admits(bytes.count, to: connection) { outputs.append(.write(connection.socket, bytes)) }
    }

    /// Counts bytes for a connection. While the clock is moved nothing leaves, so that all frames of the jump wait here:
    /// beyond `limits.outputTotalBytes` the connection is cut, as sockets are whose peers do not read.
    private func admits(_ bytes: Int, to connection: Connection) -> Bool {
        connection.wrote(bytes)
        outputBytes += bytes
        guard isSteered, outputBytes > ledger.limits.held else { return true }
        if connection.pendingBytes < .max { outputs.append(.overflow(connection)) }
        connection.pendingBytes = .max
        return false
    }

    func beginClosing(_ connection: Connection, _ code: CloseCode, _ reason: String) {
        if let webSocket = connection.webSocket {
            return beginClosing(webSocket, code, reason, on: connection)
        }
        guard let stream = connection.stream else { return expect(false, "nothing carries it") }
        tellDropped(connection, .server(code: code.rawValue))
        // A body without chunks ends with its connection; others leave it to further requests.
        if stream.framing == .chunked { write(TransferChunk.last, on: connection) }
        guard let exchange = stream.behind, !isStopping else { return close(connection) }
        detach(connection)
        connection.stage = .http(exchange)
        updateDeadline(of: connection)
    }

    private func beginClosing(
        _ webSocket: Connection.OpenWebSocket, _ code: CloseCode, _ reason: String, on connection: Connection
    ) {
        tellFrame(.close, isInbound: false, code: Int(code.rawValue), on: connection)
        tellDropped(connection, .server(code: code.rawValue))
        act(on: webSocket.core.close(code, reason: reason), of: webSocket, on: connection)
        guard case .webSocket = connection.stage else { return }
        // The unfinished message is dropped, and its bytes count no more.
        charge(webSocket.core.bufferedBytes, ofMessageOn: connection)
        // The peer's Close has to be read.
        if webSocket.isPaused {
            webSocket.isPaused = false
            outputs.append(.resumeReading(connection.socket))
            inflateOn()
        }
        let answer = connection.channel?.hearing(of: clock.now) ?? clock.now
        setDeadline(answer + configuration.limits.closeTime, of: connection)
    }
}
