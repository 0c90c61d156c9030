import Clocks
import Expectations
import Foundation
import Testing

@testable import PolyMessaging

@Suite("Stored sessions")
struct SessionStoreTests {
    private let record = StoredSession(
        sessionID: "session-1", accessToken: "a.b.c", tokenIssuedAt: Instant(secondsSince1970: 1_000),
        tokenExpiresAt: Instant(secondsSince1970: 2_000), lastActivity: Instant(secondsSince1970: 1_500))

    /// A store in a folder of its own, which is gone afterwards.
    private func withStore(_ body: (FileSessionStore, _ folder: String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "PolyMessaging-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(FileSessionStore(folder: folder + "/store"), folder + "/store")
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test("A record comes back as it was, for its namespace alone")
    func roundTrip() throws {
        try withStore { store, _ in
            expectEqual(store.load("one"), StoreReading())
            expectEqual(store.save(record, "one"), nil)
            expectEqual(store.load("one"), StoreReading(record))
            expectEqual(store.load("two"), StoreReading())
            var later = record
            later.lastActivity = Instant(secondsSince1970: 1_600)
            expectEqual(store.save(later, "one"), nil)
            expectEqual(store.load("one").record, later)
        }
    }

    @Test("Removing a record leaves no file, and removing none is no error")
    func removal() throws {
        try withStore { store, folder in
            expectEqual(store.save(nil, "one"), nil)
            expectEqual(store.save(record, "one"), nil)
            expectEqual(store.save(nil, "one"), nil)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.isEmpty)
        }
    }

    @Test("Nobody but the owner can read the file or its folder; no draft stays behind")
    func permissions() throws {
        try withStore { store, folder in
            _ = store.save(record, "one")
            let modes = [try mode(folder), try mode(folder + "/one.session")]
            expectEqual(modes, [0o700, 0o600])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            expectEqual(names, ["one.session"])
        }
    }

    @Test("A draft that a crash left behind is written over")
    func staleDraft() throws {
        try withStore { store, folder in
            _ = store.save(record, "one")
            try Data("half".utf8).write(to: URL(fileURLWithPath: folder + "/one.session.new"))
            expectEqual(store.save(record, "one"), nil)
            expectEqual(store.load("one").record, record)
        }
    }

    @Test(
        "Whatever is no record is discarded with a line for the log",
        arguments: [
            "", "{", "[]", "{}", "null", #"{"format":2}"#, #"{"format":1,"namespace":"one"}"#,
            String(repeating: "x", count: 70_000), "\u{0}",
        ] as [String])
    func foreign(_ content: String) throws {
        try withStore { store, folder in
            _ = store.save(record, "one")
            let path = folder + "/one.session"
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(content.utf8))
            try handle.close()
            let reading = store.load("one")
            #expect(reading.record == nil && reading.note?.contains("discarded") == true)
            #expect(!FileManager.default.fileExists(atPath: path))
            expectEqual(store.load("one"), StoreReading())
        }
    }

    @Test("Every truncation of a record is discarded")
    func truncated() {
        let bytes = record.encoded("one")
        expectEqual(StoredSession(bytes, "one"), record)
        for count in 0..<bytes.count { expectEqual(StoredSession(Array(bytes[..<count]), "one"), nil) }
    }

    @Test("A record under another name is not this one's")
    func otherNamespace() {
        expectEqual(StoredSession(record.encoded("one"), "two"), nil)
    }

    @Test("A file that others could have written is discarded")
    func sharedFile() throws {
        try withStore { store, folder in
            _ = store.save(record, "one")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: folder + "/one.session")
            let reading = store.load("one")
            #expect(reading.record == nil && reading.note?.contains("others") == true)
        }
    }

    @Test("A link in the file's place is not followed")
    func link() throws {
        try withStore { store, folder in
            _ = store.save(record, "two")
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/one.session", withDestinationPath: folder + "/two.session")
            expectEqual(store.load("one").record, nil)
            expectEqual(store.load("two").record, record)
        }
    }

    @Test("A folder that cannot be made is told, not fatal")
    func noFolder() {
        let store = FileSessionStore(folder: "/dev/null/nowhere")
        expectEqual(store.save(record, "one")?.contains("/dev/null/nowhere"), true)
        expectEqual(store.load("one").record, nil)
    }

    @Test("What is written names no secret in notes")
    func notes() throws {
        let store = FileSessionStore(folder: "/dev/null/nowhere")
        let note = try #require(store.save(record, "one"))
        #expect(!note.contains("a.b.c") && !note.contains("session-1"))
    }

    @Test("Memory keeps records apart and forgets them when told")
    func memory() {
        let store = MemorySessionStore()
        _ = store.save(record, "one")
        #expect(store.load("one").record == record && store.load("two").record == nil)
        _ = store.save(nil, "one")
        expectEqual(store.load("one").record, nil)
    }

    @Test(
        "The namespace is the first four bytes of the token's SHA-256 (FIPS 180-4 examples)",
        arguments: [
            ("", "e3b0c442"), ("abc", "ba7816bf"),
            ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61"),
            (String(repeating: "a", count: 1_000), "41edece4"),
        ] as [(String, String)])
    func namespace(_ token: String, _ name: String) {
        expectEqual(StoreNamespace.name(for: token), name)
    }

    @Test("SESS-190, SESS-191 A record is resumable inside the configured window only")
    func resumable() {
        let store = MemorySessionStore()
        var config = Configuration(connectorToken: "token", environment: .production)
        var record = record
        record.tokenExpiresAt = Instant(secondsSince1970: 100_000)
        _ = store.save(record, StoreNamespace.name(for: "token"))
        func isResumable(at seconds: Int64) -> Bool {
            PolyMessaging.hasResumableSession(config, in: store, at: Instant(secondsSince1970: seconds))
        }
        #expect(!isResumable(at: 1_600), "the token has no shape of a token")
        record.accessToken = "e30.e30.c2ln"
        _ = store.save(record, StoreNamespace.name(for: "token"))
        #expect(isResumable(at: 2_099) && !isResumable(at: 2_100))
        config.sessionTimeoutSeconds = 3_600
        #expect(isResumable(at: 5_099) && !isResumable(at: 5_100))
        config.connectorToken = "another"
        #expect(!isResumable(at: 1_600))
    }
}
