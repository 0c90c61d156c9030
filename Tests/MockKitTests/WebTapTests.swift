import ClientSupport
import Clocks
import Expectations
import HTTPClient
import Testing
import WebSocketCore

@testable import MockKit

@Suite("The tap between clients and their network")
struct WebTapTests {
    @Test("A connection can be cut before the call that dialled it has returned")
    func cutWhileDialling() {
        let network = HastyNetwork()
        let tap = WebTap(network)
        let heard = Locked<[HTTPClient.Report]>([])
        var request = HTTPClient.Request(
            "GET", Endpoint(host: "mock.example", port: 0), "/", answerBytes: 0, timeout: nil)
        request.webSocket = HTTPClient.WebSocketTerms(messageBytes: 1)
        _ = tap.begin(request) { report in
            heard.withLock { $0.append(report) }
            if case .text = report { tap.cutAll() }
        }
        expectEqual(heard.withLock { $0 }, [.opened, .text([0x61]), .failed(.lost(because: nil))])
        expectEqual(network.cutCount, 1)
    }

    @Test("A tap after a tap lets the client go when its connection is lost")
    func release() {
        var request = HTTPClient.Request(
            "GET", Endpoint(host: "mock.example", port: 0), "/", answerBytes: 0, timeout: nil)
        request.webSocket = HTTPClient.WebSocketTerms(messageBytes: 1)
        for isHasty in [true, false] {
            let tap = WebTap(WebTap(HastyNetwork()))
            weak var client: Client?
            do {
                let listener = Client()
                client = listener
                _ = tap.begin(request) { [listener] report in
                    if isHasty, case .opened = report { tap.cutAll() }
                    listener.count.withLock { $0 += 1 }
                }
                if !isHasty { tap.cutAll() }
                expectEqual(listener.count.withLock { $0 }, isHasty ? 2 : 4)
            }
            #expect(client == nil)
        }
    }
}

private final class Client: Sendable {
    let count = Locked(0)
}

/// Reports an open connection and two texts before dialling returns, as a fast thread of a network may.
private final class HastyNetwork: WebTransport, WebExchange {
    private let cuts = Locked(0)

    var cutCount: Int { cuts.withLock { $0 } }

    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        for news in [HTTPClient.Report.opened, .text([0x61]), .text([0x62])] { report(news) }
        return self
    }

    func cut() { cuts.withLock { $0 += 1 } }

    func taken(_ byteCount: Int) {}
    func send(_ opcode: Opcode, _ payload: [UInt8]) {}
    func close(_ code: CloseCode, reason: String) {}
}
