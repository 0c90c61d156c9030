import Foundation
import HTTPClient
import Testing

@testable import PolyMessaging

@Suite("Where plain URLs lead")
struct PlainTargetTests {
    private func target(_ text: String) throws -> PlainTarget {
        try PlainTarget(try #require(URL(string: text)))
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
        #expect(target.endpoint.authority == authority && target.path == path)
    }

    @Test(
        "Encrypted schemes are refused here with what to do instead", arguments: ["https://h/", "wss://h/"])
    func encrypted(_ text: String) throws {
        let error = try #require(throws: TransportFault.self) { try target(text) }
        guard case .network(let words) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(words.contains("http and ws"))
    }

    @Test(
        "What is no address is refused",
        arguments: ["ftp://h/", "ws:/x", "file:///etc", "ws://h:0/", "ws://h:70000/"])
    func nonsense(_ text: String) throws {
        #expect(throws: TransportFault.self) { try target(text) }
    }
}
