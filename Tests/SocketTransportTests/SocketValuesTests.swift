import Expectations
import Testing

@testable import SocketTransport

@Suite("Addresses, errors and ids")
struct SocketValuesTests {
    @Test(
        "An address reads back as it is written in a URL (RFC 3986 §3.2.2, RFC 5952)",
        arguments: [
            ("127.0.0.1", "127.0.0.1:8787", true), ("::1", "[::1]:8787", true),
            ("[::1]", "[::1]:8787", true), ("127.9.9.9", "127.9.9.9:8787", true),
            ("0.0.0.0", "0.0.0.0:8787", false), ("2001:DB8:0:0::2", "[2001:db8::2]:8787", false),
            ("::ffff:127.0.0.1", "127.0.0.1:8787", true), ("255.255.255.255", "255.255.255.255:8787", false),
        ] as [(String, String, Bool)])
    func addressText(host: String, text: String, isLoopback: Bool) throws {
        let address = try #require(SocketAddress(host: host, port: 8787))
        expectEqual(address.description, text)
        expectEqual(address.isLoopback, isLoopback)
        let copy = address.withSystemAddress { raw, _ in SocketAddress(raw) }
        expectEqual(copy, address)
    }

    @Test(
        "What is not an address in figures is none",
        arguments: ["", "localhost", "1.2.3.4.5", "256.0.0.1", ":"] as [String])
    func notAnAddress(host: String) {
        expectEqual(SocketAddress(host: host, port: 1), nil)
    }

    @Test("An error says what happened and what to do")
    func errorKinds() {
        expectEqual(
            SocketError(.write, .tooMuchOutput(limitBytes: 4 << 20)).description,
            "the peer does not read: the connection was closed with more than 4096 KiB unsent")
        expectEqual(
            SocketError(.listen(host: "127.0.0.1", port: 80), .system(13)).description,
            "port 80 on 127.0.0.1 needs administrator rights; choose one above 1023 with --port")
    }

    @Test("A token gives back what went in")
    func tokens() {
        let socket = Token(slot: 0x7FFF_FFFF, generation: .max)
        #expect(!socket.isListener && socket.slot == 0x7FFF_FFFF && socket.generation == .max)
        let listener = Token(listener: 3, descriptorIndex: 1)
        #expect(listener.isListener && listener.listener == 3 && listener.descriptorIndex == 1)
    }

    @Test("An idle socket costs less than 64 bytes")
    func entrySize() {
        #expect(MemoryLayout<SocketEntry>.stride < 64)
    }
}
