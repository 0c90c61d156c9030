import HTTPCore
import SocketTransport
import WebSocketCore

/// Many WebSocket connections in a closed loop: each sends a message when the answer to its last one came.
final class LoadLoop {
    private final class Peer {
        let request: [UInt8]
        var isOpen = false
        /// Messages heard before the load begins: the history, the echo of the join, the agent.
        var heard = 0
        var head: [UInt8] = []
        var webSocket: WebSocketConnection

        init(request: [UInt8], seed: UInt64) {
            self.request = request
            var limits = WebSocketCore.Limits()
            limits.messageBytes = 1 << 20
            webSocket = WebSocketConnection(role: .client, limits: limits, maskSeed: seed)
        }
    }

    private let pool: SocketPool
    private var peers: [SocketID: Peer] = [:]
    /// Messages answered since the start.
    private(set) var rounds = 0
    private(set) var openCount = 0
    private var isRunning = false
    private var message: [UInt8] = []
    private var whenOpen: (@Sendable () -> Void)?
    private var wanted = 0

    init() throws(SocketError) {
        pool = try SocketPool()
    }

    func start(on queue: LoopQueue, onReady: @escaping @Sendable () -> Void) {
        pool.start(on: queue, onReady: onReady)
    }

    /// Opens one connection per target and lets the agent join; `done` is called when each has heard it.
    func open(_ targets: [String], port: UInt16, done: @escaping @Sendable () -> Void) {
        wanted = targets.count
        whenOpen = done
        for (index, target) in targets.enumerated() {
            let request =
                "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            guard let id = try? pool.connect(to: .loopbackIPv4(port: port)) else { continue }
            peers[id] = Peer(request: Array(request.utf8), seed: UInt64(index))
            pool.write(id, Array(request.utf8))
        }
        pool.flush()
    }

    /// Sends `text` on every connection, and again whenever a message comes back.
    func run(_ text: String) {
        message = Array(text.utf8)
        isRunning = true
        for (id, peer) in peers { pool.write(id, peer.webSocket.message(.text, message)) }
        pool.flush()
    }

    func pause() { isRunning = false }

    func shutDown(_ completion: @escaping @Sendable () -> Void) { pool.shutDown(completion) }

    func drain() {
        pool.drain { event in
            guard case .received(let id, let bytes) = event, let peer = peers[id] else { return }
            if peer.isOpen { receive(bytes, peer, id) } else { finishHandshake(bytes, peer, id) }
        }
    }

    private func finishHandshake(_ bytes: UnsafeRawBufferPointer, _ peer: Peer, _ id: SocketID) {
        peer.head.append(contentsOf: bytes)
        let end = Array("\r\n\r\n".utf8)
        guard peer.head.count >= 4 else { return }
        for start in 0...(peer.head.count - 4) where Array(peer.head[start..<start + 4]) == end {
            peer.isOpen = true
            let rest = Array(peer.head[(start + 4)...])
            peer.head = []
            rest.withUnsafeBytes { receive($0, peer, id) }
            return
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ peer: Peer, _ id: SocketID) {
        var messages = 0
        peer.webSocket.receive(bytes) { if case .text = $0 { messages += 1 } }
        for _ in 0..<messages {
            if isRunning {
                rounds += 1
                pool.write(id, peer.webSocket.message(.text, message))
            } else {
                peer.heard += 1
                if peer.heard == 1 {
                    let join = Array(#"{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{}}"#.utf8)
                    pool.write(id, peer.webSocket.message(.text, join))
                } else if peer.heard == 3 {
                    openCount += 1
                    if openCount == wanted { whenOpen?() }
                }
            }
        }
    }
}
