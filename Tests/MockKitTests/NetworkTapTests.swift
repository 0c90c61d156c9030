import Clocks
import PolyMessaging
import Testing

@testable import MockKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The tap between the SDK and its network")
struct NetworkTapTests {
    @Test("A connection can be cut before the call that dialled it has returned")
    func cutWhileDialling() throws {
        let network = HastyNetwork()
        let tap = NetworkTap(network)
        let heard = Locked<[SocketReport]>([])
        let url = try #require(URL(string: "ws://mock.example/"))
        _ = tap.dial(url) { report in
            heard.withLock { $0.append(report) }
            if case .text = report { tap.cutAll() }
        }
        let cut = ConnectionCloseEvent(code: 1006, reason: "cut", wasClean: false)
        #expect(heard.withLock { $0 } == [.opened, .text([0x61]), .closed(cut)])
        #expect(network.closeCodes == [1006])
    }
}

/// Reports an open connection and two texts before dialling returns, as a fast thread of a network may.
private final class HastyNetwork: HTTPTransport, SocketDialing, DialledSocket {
    private let closed = Locked<[Int]>([])

    var closeCodes: [Int] { closed.withLock { $0 } }

    func dial(_ url: URL, report: @escaping @Sendable (SocketReport) -> Void) -> any DialledSocket {
        for news in [SocketReport.opened, .text([0x61]), .text([0x62])] { report(news) }
        return self
    }

    func close(code: Int, reason: String) { closed.withLock { $0.append(code) } }

    func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {}
    func send(_ text: [UInt8]) {}
    func sendBinary(_ bytes: [UInt8]) {}
    func taken(_ byteCount: Int) {}
}
