package import HTTPCore
import SocketTransport
import WebSocketCore

/// A server that answers as a test tells it to, for tests of clients.
package final class CannedServer: Sendable {
    /// One request as it arrived.
    package struct Request: Sendable, Equatable {
        package var method: String
        package var target: String
        package var headers: HeaderFields
        package var body: [UInt8]

        /// `POST /_mock/clock {"next":true}`, as tests compare it.
        package var line: String {
            "\(method) \(target)" + (body.isEmpty ? "" : " " + String(decoding: body, as: UTF8.self))
        }
    }

    package enum Reply: Sendable {
        /// A whole response with a body of JSON.
        case json(Int, String)
        /// Bytes as they are, each piece in a segment of its own, then perhaps the end of the connection.
        case pieces([[UInt8]], ends: Bool)
        /// A WebSocket that brings these texts, then perhaps a Close.
        case feed([String], closes: Bool)
        /// Nothing.
        case silence
    }

    package let requests = Gathering<Request>()
    package let port: UInt16
    private let loop: Loop<CannedLoop>

    package var url: String { "http://127.0.0.1:\(port)" }

    package init(_ answer: @escaping @Sendable (Request) -> Reply) async throws {
        let requests = requests
        loop = try Loop(label: "test.canned") { (_) throws(SocketError) in
            try CannedLoop { request in
                requests.append(request)
                return answer(request)
            }
        }
        let queue = loop.queue
        loop.submit { [loop] state in
            state.pool.start(on: queue) { [weak loop] in loop?.assumeInside { $0.drain() } }
        }
        port = try await loop.run { $0.listen() }.get()
    }

    /// Sends `text` on every WebSocket that is open.
    package func tell(_ text: String) {
        loop.submit { $0.tell(text) }
    }

    /// Closes everything; returns when no descriptor is left.
    package func stop() async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.pool.shutDown { continuation.resume() } }
        }
    }
}

/// The sockets of a ``CannedServer``.
final class CannedLoop {
    /// Whole files come.
    private static let limits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.bodyBytes = 32 << 20
        return limits
    }()

    private final class Peer {
        var parser = RequestParser(limits: CannedLoop.limits)
        var head: RequestHead?
        var body: [UInt8] = []
        var webSocket: WebSocketConnection?
    }

    let pool: SocketPool
    private let answer: (CannedServer.Request) -> CannedServer.Reply
    private var peers: [SocketID: Peer] = [:]

    init(_ answer: @escaping (CannedServer.Request) -> CannedServer.Reply) throws(SocketError) {
        // An answer is written at once, however long it is and however slowly it is read.
        var limits = SocketLimits()
        limits.writeBufferBytes = .max
        pool = try SocketPool(limits: limits)
        self.answer = answer
    }

    func listen() -> Result<UInt16, SocketError> {
        do throws(SocketError) {
            return .success(try pool.listen(host: "127.0.0.1", port: 0).address.port)
        } catch {
            return .failure(error)
        }
    }

    func tell(_ text: String) {
        for (id, peer) in peers {
            if let frame = peer.webSocket?.message(.text, Array(text.utf8)) { pool.write(id, frame) }
        }
        pool.flush()
    }

    func drain() {
        pool.drain { handle($0) }
    }

    private func handle(_ event: SocketEvent) {
        switch event {
        case .accepted(let id, _, _): peers[id] = Peer()
        case .received(let id, let bytes):
            guard let peer = peers[id] else { return }
            if peer.webSocket != nil {
                for output in peer.webSocket?.receive(Array(bytes)) ?? [] {
                    if case .write(let bytes) = output { pool.write(id, bytes) }
                }
            } else {
                for output in peer.parser.receive(Array(bytes)) { take(output, peer, id) }
            }
        case .inputClosed(let id): pool.close(id, afterFlush: true)
        case .closed(let id, _): peers[id] = nil
        case .connected, .congested, .writable, .acceptPaused: break
        }
    }

    private func take(_ output: RequestParser.Output, _ peer: Peer, _ id: SocketID) {
        switch output {
        case .head(let head): peer.head = head
        case .body(let bytes): peer.body += bytes
        case .end: if let head = peer.head { reply(to: head, peer, id) }
        case .upgrade(let head, _): reply(to: head, peer, id)
        case .expectContinue, .trailers: break
        case .refuse: pool.close(id, afterFlush: true)
        }
    }

    private func reply(to head: RequestHead, _ peer: Peer, _ id: SocketID) {
        let request = CannedServer.Request(
            method: head.method, target: head.target, headers: head.headers, body: peer.body)
        switch answer(request) {
        case .silence: break
        case .json(let status, let text):
            let response = Response(
                status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
            pool.write(id, response.serialized(to: head, closing: true, date: nil))
            pool.close(id, afterFlush: true)
        case .pieces(let pieces, let ends):
            for piece in pieces {
                pool.write(id, piece)
                pool.flush()
            }
            if ends { pool.close(id, afterFlush: true) }
        case .feed(let texts, let closes):
            guard case .accept(let response) = ServerHandshake.judge(head) else { return }
            pool.write(id, response.serialized(to: head, closing: false, date: nil))
            var connection = WebSocketConnection(role: .server)
            for text in texts { pool.write(id, connection.message(.text, Array(text.utf8))) }
            for output in closes ? connection.close(.normal) : [] {
                if case .write(let bytes) = output { pool.write(id, bytes) }
            }
            peer.webSocket = connection
        }
    }
}
