import ClientSupport
import Foundation
import HTTPClient
import Testing

@Suite("Where URLs lead")
struct WebAddressTests {
    private func target(_ text: String) throws -> WebAddress {
        try WebAddress(try #require(URL(string: text)))
    }

    @Test(
        "Host, port, Host field and request target come from the URL (RFC 9110 §7.2)",
        arguments: [
            ("ws://example.com/ws?a=b%20c", "example.com", 80, "example.com", "/ws?a=b%20c"),
            ("http://example.com:8080", "example.com", 8_080, "example.com:8080", "/"),
            ("ws://[::1]:9/x", "::1", 9, "[::1]:9", "/x"),
            ("WS://127.0.0.1", "127.0.0.1", 80, "127.0.0.1", "/"),
            ("http://user:secret@host:80/p", "host", 80, "host", "/p"),
        ] as [(String, String, UInt16, String, String)])
    func parts(_ text: String, _ host: String, _ port: UInt16, _ authority: String, _ path: String) throws {
        let target = try target(text)
        #expect(target.endpoint.host == host && target.endpoint.port == port)
        #expect(target.endpoint.authority == authority && target.target == path)
    }

    @Test("A URL that is relative to another leads to the host of that one")
    func relative() throws {
        let base = try #require(URL(string: "http://host:81/chat/"))
        let address = try WebAddress(try #require(URL(string: "ws?a=1", relativeTo: base)))
        #expect(address.endpoint.authority == "host:81" && address.target == "/chat/ws?a=1")
    }

    @Test(
        "Encrypted schemes have another port, which the Host field leaves out",
        arguments: [
            ("https://h/", 443, "h"), ("wss://h:80/ws", 80, "h:80"), ("HTTPS://h:443", 443, "h"),
        ] as [(String, UInt16, String)])
    func encrypted(_ text: String, _ port: UInt16, _ authority: String) throws {
        let endpoint = try target(text).endpoint
        #expect(endpoint.isEncrypted && endpoint.port == port && endpoint.authority == authority)
        #expect(try !target("http://h:443").endpoint.isEncrypted)
    }

    @Test(
        "What is no address is refused",
        arguments: ["ftp://h/", "ws:/x", "file:///etc", "ws://h:0/", "ws://h:70000/"] as [String])
    func nonsense(_ text: String) throws {
        #expect(throws: WebAddress.Flaw.self) { try target(text) }
    }
}
