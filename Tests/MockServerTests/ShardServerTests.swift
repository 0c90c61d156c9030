import Clocks
import Expectations
import Foundation
import HTTPCore
import MockServer
import SocketTransport
import TestSupport
import Testing
import Texts

@Suite("Shards of a server", .timeLimit(.minutes(5)))
struct ShardServerTests {
    @Test("A shard makes ids that end in its digits; the rest of them is as without shards")
    func ids() async throws {
        func ids(_ shard: Shard?) async throws -> [String] {
            try await World.run {
                $0.shard = shard
            } _: { world in
                var ids: [String] = []
                for _ in 0..<20 { ids.append(try await world.client.session().id) }
                return ids
            }
        }
        let plain = try await ids(nil)
        let second = try await ids(Shard(2, of: 4))
        #expect(second.allSatisfy { Shard(2, of: 4)?.owner(of: $0) == 2 })
        expectEqual(second.map { $0.dropLast(2) }, plain.map { $0.dropLast(2) })
        try await expectEqual(ids(Shard(1, of: 1)), plain)
    }

    @Test("Servers with one key file take each other's tokens; a session is known on its own shard alone")
    func siblings() async throws {
        let file = try KeyFile(count: 32)
        defer { file.remove() }
        try await World.run {
            ($0.shard, $0.signingKey) = (Shard(1, of: 2), file.path)
        } _: { first in
            try await World.run {
                ($0.shard, $0.signingKey) = (Shard(2, of: 2), file.path)
            } _: { second in
                let token = try await first.client.token()
                let session = try await second.client.session(token: token)
                _ = try await second.client.connect(session)
                let line = try await first.client.upgrade(APIClient.target(session))
                let refused = try await line.answer(0)
                expectEqual(refused.status, 404)
                expectEqual(refused.message, "session not found")
                try await first.logged("session \(session.id) belongs to shard 2 of 2, this is shard 1")
                #expect(!first.log.all.contains { $0.contains(token) })
            }
        }
        try await World.run {
            $0.shard = Shard(1, of: 2)
        } _: { other in
            let token = try await World.run { try await $0.client.token() }
            await #expect(throws: APIClient.Unexpected.self) { try await other.client.session(token: token) }
        }
    }

    @Test("Health and metrics say which shard this is, and nothing where there are none")
    func delivered() async throws {
        try await World.run {
            $0.shard = Shard(3, of: 4)
        } _: { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.get("health")["shard"]?.string, "3/4")
            let metrics = try await world.client.request("GET", "/_mock/metrics").text
            #expect(metrics.contains("\npolymock_shard 3\n"))
            #expect(metrics.contains("\npolymock_shards 4\n"))
        }
        try await World.run { world in
            let health = try await world.client.request("GET", "/_mock/health")
            #expect(health.status == 200 && health["shard"] == nil)
            let metrics = try await world.client.request("GET", "/_mock/metrics").text
            #expect(!metrics.contains("polymock_shard"))
        }
    }

    @Test("The path of an agent may name the shard; on another one there is no such agent")
    func agents() async throws {
        let body = #"{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"Hi"}]}"#
        func status(_ world: World, _ agent: String) async throws -> (Int, String) {
            let line = try await world.client.open()
            line.send(
                Line.bytes("GET", "/ag-ui/\(agent)/capabilities", [:]), requests: ["GET"])
            let answer = try await line.answer(0)
            line.drop()
            return (answer.status, answer.text)
        }
        try await World.run {
            $0.shard = Shard(2, of: 4)
        } _: { world in
            try await expectEqual(status(world, "webchat@shard=2").0, 200)
            try await expectEqual(status(world, "mock:webchat@shard=2@seed=7").0, 200)
            let wrong = try await status(world, "webchat@shard=3")
            expectEqual(wrong.0, 404)
            #expect(wrong.1.contains(#""code":"unknown_agent""#))
            try await world.logged(#"ag-ui: "@shard=3" belongs to shard 3 of 4, this is shard 2"#)
            for shard in ["0", "5", "x", "", "+2", "-2"] {
                try await expectEqual(status(world, "webchat@shard=\(shard)").0, 404, "\(shard)")
            }
            let line = try await world.ask("/webchat@shard=2", body)
            await world.pass(.seconds(3))
            try await expectEqual(line.answer(0).status, 200)
            line.drop()
        }
        try await World.run { world in
            let any = try await status(world, "webchat@shard=3").0
            let none = try await status(world, "webchat@shard=257").0
            #expect(any == 200 && none == 404)
        }
    }
}

@Suite("Key files")
struct KeyFileTests {
    @Test("A key that is too short, empty, gone or no file is refused, and the key is not told")
    func refused() throws {
        for (written, problem) in [
            ([], "is empty"), ([0x61], "has only 1 byte;"), (Array(1...31), "has only 31 bytes;"),
        ] as [([UInt8], String)] {
            let file = try KeyFile(written)
            defer { file.remove() }
            #expect(
                try #require(file.problem()).contains("the file of signingKey (--signing-key) \(problem)"))
        }
        let file = try KeyFile(count: 5_000)
        #expect(try #require(file.problem()).contains("more than 4096 bytes"))
        file.remove()
        let problem = try #require(file.problem())
        #expect(problem.contains("names a file that is not there; ") && !problem.contains(file.path))
        #expect(try #require(KeyFile(path: "/").problem()).contains("is no ordinary file"))
    }

    @Test(
        "A key that looks long and is no secret is refused with what shows it",
        arguments: [
            ([UInt8](repeating: 0, count: 64), "has a single byte, repeated;"),
            ([UInt8](repeating: 0x61, count: 32) + [0x0A], "has a single byte, repeated;"),
            (Array("abcdefghijklmnopqrstuvwxyz01234\n".utf8), "has only 31 bytes;"),
            (Array("abcdefghijklmnopqrstuvwxyz01234\r\n\r\n".utf8), "has only 31 bytes;"),
            (Array("\n\n\r\n".utf8), "is empty;"),
            (Array("abababababababababababababababababab".utf8), "has only 2 different bytes in 36 bytes;"),
            (Array("correct-horse!correct-horse!correct-horse!".utf8), "repeats its first 14 bytes;"),
        ] as [([UInt8], String)])
    func guessed(written: [UInt8], problem: String) throws {
        let file = try KeyFile(written)
        defer { file.remove() }
        let told = try #require(file.problem())
        #expect(told.contains("the file of signingKey (--signing-key) \(problem)"), "\(told)")
        #expect(told.contains("head -c 32 /dev/urandom"))
    }

    @Test(
        "The line's end behind a key in letters is no part of it", arguments: ["", "\n", "\r\n"] as [String])
    func lineEnd(end: String) throws {
        let letters = "0123456789abcdef0123456789abcde0123456789abcdef0123456789abcdeff"
        let file = try KeyFile(Array((letters + end).utf8))
        defer { file.remove() }
        try expectEqual(file.bytes(), Array(letters.utf8))
    }

    @Test("A key that others could read is refused", arguments: [0o640, 0o604, 0o660, 0o777] as [Int])
    func readable(mode: Int) throws {
        let file = try KeyFile(count: 32, mode: mode)
        defer { file.remove() }
        #expect(try #require(file.problem()).contains("could be read or written by others"))
    }

    @Test(
        "Each byte of the file counts, and a link to it is followed", arguments: [32, 33, 64, 4_096] as [Int])
    func taken(count: Int) throws {
        let file = try KeyFile(count: count)
        defer { file.remove() }
        try expectEqual(file.bytes(), file.written)
        let link = KeyFile(path: file.path + ".link")
        defer { link.remove() }
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
        try expectEqual(link.bytes(), file.written)
    }
}

/// A file in a folder for such files.
private struct KeyFile {
    let path: String
    var written: [UInt8] = []

    init(path: String) { self.path = path }

    init(count: Int, mode: Int = 0o600) throws {
        // The last one looks like a line's end.
        try self.init((0..<count).map { $0 == count - 1 ? 0x0A : UInt8(truncatingIfNeeded: $0) }, mode: mode)
    }

    init(_ written: [UInt8], mode: Int = 0o600) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID())").path
        self.written = written
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(written), attributes: [.posixPermissions: mode]))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    func bytes() throws(ServerError) -> [UInt8]? {
        var configuration = Configuration()
        configuration.signingKey = path
        return try configuration.signingBytes()
    }

    func problem() -> String? {
        do throws(ServerError) {
            _ = try bytes()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
