import Clocks
import Foundation
import SocketTransport
import TestSupport

/// Start-up, memory and round trips of the built server, from outside.
struct ServerBenchmark {
    let binary: String

    func run() async {
        do {
            try startUp()
            try await memory(connections: 1_000)
            for connections in [1, 64] { try await roundTrips(connections: connections) }
        } catch {
            print("server: \(error)")
        }
    }

    /// From before the process exists to the answer of its first request; 20 times.
    private func startUp() throws {
        let clock = SystemClock()
        var times: [Double] = []
        var memory: [Int] = []
        for _ in 0..<20 {
            let begun = clock.now
            let server = try ServerProcess(binary: binary)
            try answerHealth(port: server.port)
            times.append(Double((clock.now - begun).nanoseconds) / 1e6)
            memory.append(server.residentKilobytes)
            server.stop()
        }
        report("start to first answered request", times.sorted(), "ms")
        print("  resident idle: \(memory.sorted()[memory.count / 2]) KB")
    }

    /// A blocking request, so that nothing but the server is timed.
    private func answerHealth(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard connected == 0 else { throw CocoaError(.fileReadUnknown) }
        let request = "GET /_mock/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        _ = request.withCString { send(descriptor, $0, strlen($0), 0) }
        var buffer = [UInt8](repeating: 0, count: 1_024)
        guard recv(descriptor, &buffer, buffer.count, 0) > 0 else { throw CocoaError(.fileReadUnknown) }
    }

    private func memory(connections: Int) async throws {
        try await withSessions(connections) { server, _, before in
            let after = server.residentKilobytes
            let each = Double(after - before) / Double(connections)
            print(
                "memory with \(connections) idle WebSocket connections, a session each: "
                    + "\(before) KB before, \(after) KB after, \(String(format: "%.2f", each)) KB each")
        }
    }

    private func roundTrips(connections: Int) async throws {
        let message =
            #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"Is the pool open on Sunday?"},"#
            + #""metadata":{"custom":{"local_id":"7B0E2A52-6A0B-4D3E-9B1C-0C7A1B2C3D4E"}}}"#
        try await withSessions(connections) { _, loop, _ in
            loop.submit { $0.run(message) }
            let clock = SystemClock()
            var rates: [Double] = []
            for _ in 0..<5 {
                let (begun, first) = await loop.run { (clock.now, $0.rounds) }
                // Short: a journal holds 100,000 entries.
                await pause(milliseconds: 400)
                let (ended, last) = await loop.run { (clock.now, $0.rounds) }
                rates.append(Double(last - first) * 1e9 / Double((ended - begun).nanoseconds))
            }
            report(
                "round trips per second, USER_MESSAGE to its echo, \(connections) connections",
                rates.sorted(), "/s")
        }
    }

    /// A server whose agent is silent, and one open connection in each of `count` sessions.
    private func withSessions(
        _ count: Int, _ body: (ServerProcess, Loop<LoadLoop>, Int) async throws -> Void
    ) async throws {
        let fixture = FileManager.default.temporaryDirectory.appendingPathComponent(
            "silent-\(getpid()).json5")
        try Data("{ fixture: 1, name: \"Silent\", about: \"Says nothing.\" }".utf8).write(to: fixture)
        defer { try? FileManager.default.removeItem(at: fixture) }
        let server = try ServerProcess(binary: binary, arguments: ["--fixture", fixture.path])
        defer { server.stop() }
        let client = try APIClient(port: server.port)
        var targets: [String] = []
        for _ in 0..<count {
            let session = try await client.session()
            targets.append("/ws?access_token=\(session.token)&session_id=\(session.id)")
        }
        await client.close()
        let before = server.residentKilobytes
        let loop = try Loop(label: "benchmark") { (_) throws(SocketError) in try LoadLoop() }
        let port = server.port
        let queue = loop.queue
        let all = targets
        await withCheckedContinuation { continuation in
            loop.submit { state in
                state.start(on: queue) { [weak loop] in loop?.assumeInside { $0.drain() } }
                state.open(all, port: port) { continuation.resume() }
            }
        }
        try await body(server, loop, before)
        await withCheckedContinuation { continuation in
            loop.submit { state in state.shutDown { continuation.resume() } }
        }
    }

    private func pause(milliseconds: Int64) async {
        let clock = SystemClock()
        await withCheckedContinuation { continuation in
            let timer = Locked<(any EventTimer)?>(nil)
            let armed = clock.makeTimer {
                timer.withLock { $0 = nil }
                continuation.resume()
            }
            timer.withLock { $0 = armed }
            armed.arm(at: clock.now + .milliseconds(milliseconds))
        }
    }
}
