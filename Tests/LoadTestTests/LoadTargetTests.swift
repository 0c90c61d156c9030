import Expectations
import Testing
import Texts

@testable import LoadTest

@Suite("Whom a load test may drive")
struct LoadTargetTests {
    @Test(
        "This machine needs no permission, by its name or an address of either family",
        arguments: [
            "http://127.0.0.1:8787", "http://localhost:8787", "http://LocalHost/", "https://127.8.9.10",
            "http://[::1]:8787", "http://[0:0:0:0:0:0:0:1]/api/v1",
        ] as [String])
    func loopback(_ text: String) throws {
        #expect(try LoadTarget(text).isLoopback)
    }

    @Test(
        "Any other host is refused by name",
        arguments: [
            ("http://example.com", "example.com"), ("http://0.0.0.0:1", "0.0.0.0"),
            ("http://128.0.0.1", "128.0.0.1"), ("http://[::2]", "::2"), ("http://[::]", "::"),
            ("http://localhost.example.com", "localhost.example.com"), ("http://localhost.", "localhost."),
            // Other spellings of 127.0.0.1 that some resolvers know.
            ("http://127.1", "127.1"), ("http://2130706433", "2130706433"),
            ("http://0x7f.0.0.1", "0x7f.0.0.1"),
            ("http://0177.0.0.1", "0177.0.0.1"), ("http://127.0.0.1.example.com", "127.0.0.1.example.com"),
        ] as [(String, String)])
    func foreign(_ text: String, _ host: String) {
        #expect(throws: LoadTarget.Problem.notLoopback(host: host)) { try LoadTarget(text) }
    }

    @Test(
        "An address with a user before the host is refused, whatever it looks like (RFC 3986 §7.6)",
        arguments: [
            "http://127.0.0.1@evil.example", "http://127.0.0.1:8787@evil.example/", "http://a:b@127.0.0.1",
            "http://localhost@localhost",
        ] as [String])
    func users(_ text: String) {
        #expect(throws: LoadTarget.Problem.hasUser) { try LoadTarget(text) }
        #expect(throws: LoadTarget.Problem.hasUser) { try LoadTarget(text, ownedHost: "evil.example") }
    }

    @Test(
        "What readers of addresses could take for different hosts is no address",
        arguments: [
            "http://127.0.0.1\\@evil.example", "http://127.0.0.1#@evil.example",
            "http://127.0.0.1?@evil.example",
            "http://127.0.0.1%2f@evil.example", "http://127.0.0.1 evil.example", "http://127.0.0.1\n.example",
            "http://127.0.0.1/@evil.example", "http://[::1", "http://[127.0.0.1]", "http://[::1]x",
            "http://[::1%25lo]", "http://::1", "http://", "http:///x", "http://:80", "http://h:0",
            "http://h:65536",
            "http://h:+8", "http://h:8:8", "ftp://127.0.0.1", "127.0.0.1:8787", "http:127.0.0.1", "",
            "http://ｌocalhost",
        ] as [String])
    func nonsense(_ text: String) {
        #expect(throws: LoadTarget.Problem.notAnAddress) { try LoadTarget(text) }
    }

    @Test("A host of one's own is named exactly, in any case of letters, and with or without brackets")
    func owned() throws {
        try expectEqual(
            LoadTarget("http://Gateway.test:1", ownedHost: "gateway.TEST").address.host, "gateway.test")
        try expectEqual(LoadTarget("http://[fd00::1]:1", ownedHost: "[fd00::1]").address.host, "fd00::1")
        try expectEqual(LoadTarget("http://[fd00::1]:1", ownedHost: "fd00::1").address.host, "fd00::1")
        for other in ["", "test", "x.gateway.test", "gateway.test.", "gateway.test:1", "*"] {
            #expect(throws: LoadTarget.Problem.otherHost(host: "gateway.test", named: other)) {
                try LoadTarget("http://gateway.test:1", ownedHost: other)
            }
        }
        #expect(throws: LoadTarget.Problem.self) { try LoadTarget("http://127.0.0.1", ownedHost: "a.test") }
    }

    @Test("The two bases of the API are made of the same host, whether or not the path is given")
    func bases() throws {
        for text in ["http://127.0.0.1:8787", "http://127.0.0.1:8787/", "http://127.0.0.1:8787/api/v1/"] {
            let target = try LoadTarget(text).address
            expectEqual(target.restBase, "http://127.0.0.1:8787/api/v1")
            expectEqual(target.socketBase, "ws://127.0.0.1:8787/ws")
        }
        let secure = try LoadTarget("HTTPS://[::1]/proxy/").address
        expectEqual(secure.restBase, "https://[::1]/proxy/api/v1")
        #expect(secure.socketBase == "wss://[::1]/proxy/ws" && secure.isEncrypted)
        expectEqual(secure.origin, "https://[::1]")
    }
}
