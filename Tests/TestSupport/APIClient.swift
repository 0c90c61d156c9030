package import HTTPCore
import SocketTransport
import Texts
import WebSocketCore

/// A client of the Messaging API for tests, over real sockets and without any of the SDK's cleverness.
package final class APIClient: Sendable {
    /// A session with the token that opened it.
    package struct Session: Sendable, Hashable {
        package var id: String
        package var token: String

        package init(id: String, token: String) {
            self.id = id
            self.token = token
        }
    }

    /// An answer that a test did not ask for.
    package struct Unexpected: Error, CustomStringConvertible {
        package var description: String

        package init(_ description: String) {
            self.description = description
        }
    }

    private let loop: Loop<ClientLoop>
    private let address: SocketAddress

    /// - Parameters:
    ///   - port: of the server.
    ///   - host: its address in figures.
    /// - Throws: when `host` is no address, or no descriptor is left.
    package init(port: UInt16, host: String = "127.0.0.1") throws {
        guard let address = SocketAddress(host: host, port: port) else {
            throw Unexpected("\(host) is not an address in figures")
        }
        self.address = address
        loop = try Loop(label: "test.client") { (_) throws(SocketError) in try ClientLoop() }
        let queue = loop.queue
        loop.submit { [loop] state in
            state.pool.start(on: queue) { [weak loop] in loop?.assumeInside { $0.drain() } }
        }
    }

    /// A new connection. Bytes may be sent at once.
    package func open(_ manners: Line.Manners = Line.Manners()) async throws -> Line {
        let (loop, address) = (loop, address)
        return try await loop.run { $0.open(to: address, manners: manners, on: loop) }.get()
    }

    /// Closes all sockets; returns when no descriptor is left.
    package func close() async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.shutDown { continuation.resume() } }
        }
    }

    // MARK: - Requests

    /// One request on a connection of its own.
    package func request(
        _ method: String, _ target: String, _ headers: HeaderFields = [:], body: String = ""
    ) async throws -> Line.Answer {
        let line = try await open()
        let answer = try await line.request(method, target, headers, body: Array(body.utf8))
        line.drop()
        return answer
    }

    package func token(
        connector: String = "connector-token", host: String = "com.example.app"
    ) async throws -> String {
        let answer = try await request(
            "POST", "/api/v1/access-token", ["X-Token": connector, "X-Host": host], body: "{}")
        return try Self.field("access_token", of: answer)
    }

    /// A session; a new token is fetched for it unless one is given.
    package func session(
        streaming: Bool = false, extensions: [String] = [], token: String? = nil
    ) async throws -> Session {
        let token = if let token { token } else { try await self.token() }
        let answer = try await request(
            "POST", "/api/v1/sessions", ["Authorization": "Bearer \(token)"],
            body: #"{"streaming_enabled":\#(streaming),"platform":"ios""#
                + (extensions.isEmpty ? "}" : #","extensions":\#(extensions)}"#))
        return Session(id: try Self.field("session_id", of: answer), token: token)
    }

    /// Asks for a WebSocket. The line's first answer tells whether there is one.
    /// `frames` are texts that leave in the same segment as the request.
    package func upgrade(
        _ target: String, _ headers: HeaderFields = [:], _ manners: Line.Manners = Line.Manners(),
        followedBy frames: [String] = []
    ) async throws -> Line {
        let line = try await open(manners)
        let handshake = Self.handshake(target, headers)
        var bytes = Line.bytes("GET", target, handshake.request.headers)
        for frame in frames {
            FrameWriter.appendFrame(opcode: .text, payload: Array(frame.utf8), mask: 0x1234_5678, to: &bytes)
        }
        line.send(bytes, requests: ["GET"])
        return line
    }

    /// An open WebSocket of `session`.
    package func connect(
        _ session: Session, token: String? = nil, cursor: String? = nil,
        _ manners: Line.Manners = Line.Manners()
    ) async throws -> Talk {
        let target = Self.target(session, token: token, cursor: cursor)
        let line = try await upgrade(target, [:], manners)
        let answer = try await line.answer(0)
        guard answer.status == 101 else {
            throw Unexpected("the WebSocket was refused: \(answer.status) \(answer.text)")
        }
        _ = try Self.handshake(target).check(status: answer.status, headers: answer.headers)
        return Talk(line)
    }

    /// The target of a WebSocket request.
    package static func target(_ session: Session, token: String? = nil, cursor: String? = nil) -> String {
        let cursor = cursor.map { "&cursor=\($0)" } ?? ""
        return "/ws?access_token=\(token ?? session.token)&session_id=\(session.id)\(cursor)"
    }

    private static func handshake(_ target: String, _ headers: HeaderFields = [:]) -> ClientHandshake {
        ClientHandshake(
            host: "127.0.0.1", target: target, nonce: Array(repeating: 7, count: 16), headers: headers)
    }

    private static func field(_ name: String, of answer: Line.Answer) throws -> String {
        guard answer.status == 200, let value = try JSONReader.read(answer.body)[name]?.string else {
            throw Unexpected("no \(name) in \(answer.status) \(answer.text)")
        }
        return value
    }
}
