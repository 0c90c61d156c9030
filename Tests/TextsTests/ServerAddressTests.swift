import Expectations
import Testing
import Texts

@Suite("Addresses that people type")
struct ServerAddressTests {
    @Test(
        "Scheme, host, port and path are told apart; the bases of the API are made of the same host",
        arguments: [
            ("http://h:1", "http://h:1", "http://h:1/api/v1", "ws://h:1/ws"),
            ("http://h:1/", "http://h:1", "http://h:1/api/v1", "ws://h:1/ws"),
            ("HTTP://My-Mac.local/api/v1/", "http://my-mac.local", "http://my-mac.local/api/v1", nil),
            ("https://h", "https://h", "https://h/api/v1", "wss://h/ws"),
            ("https://[FD00::1]:9/p%20q/", "https://[fd00::1]:9", nil, "wss://[fd00::1]:9/p%20q/ws"),
            ("http://[fe80::1%eth0]", "http://[fe80::1%eth0]", nil, nil),
        ] as [(String, String, String?, String?)])
    func good(_ text: String, _ origin: String, _ rest: String?, _ socket: String?) throws {
        let address = try ServerAddress(text)
        expectEqual(address.origin, origin)
        if let rest { expectEqual(address.restBase, rest) }
        if let socket { expectEqual(address.socketBase, socket) }
    }

    @Test("The scheme may be left out where that is allowed")
    func scheme() throws {
        try expectEqual(ServerAddress("h:8787", needsScheme: false), ServerAddress("http://h:8787"))
        #expect(throws: ServerAddress.Problem.notAnAddress) { try ServerAddress("h:8787") }
    }

    @Test(
        "What readers of addresses could take for different hosts is no address",
        arguments: [
            "", "http://", "http:///x", "http://:80", "http://h:", "http://h:0", "http://h:65536",
            "http://h:+8", "http://h:8:8", "http://::1", "http://[::1", "http://[::1]x", "http://[::1]:",
            "http://[127.0.0.1]", "http://a b", "http://a\r\nb", "http://h?x", "http://h#x", "http://h\\x",
            "http://h%2f", "http://h%2f@evil.example", "http://h/@evil.example", "ftp://h", "://h",
            "http:h", "http://ｈ",
        ] as [String])
    func bad(_ text: String) {
        for needsScheme in [true, false] {
            #expect(throws: ServerAddress.Problem.notAnAddress) {
                try ServerAddress(text, needsScheme: needsScheme)
            }
        }
    }

    @Test(
        "A user before the host is refused (RFC 3986 §7.6)",
        arguments: ["http://user@h", "http://user:secret@h", "http://h:1@evil.example/"] as [String])
    func user(_ text: String) {
        #expect(throws: ServerAddress.Problem.hasUser) { try ServerAddress(text) }
    }
}
