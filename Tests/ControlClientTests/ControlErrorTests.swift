import Clocks
import Expectations
import HTTPCore
import SocketTransport
import Testing
import WebSocketCore

@testable import ControlClient
@testable import HTTPClient

@Suite("Why a call has no answer")
struct ControlErrorTests {
    @Test("An answer above the limit is refused by the client (ControlLimits.answerBytes)")
    func tooLarge() throws {
        let request = ControlRequest("GET", "export").http(
            to: try ControlClient.endpoint("x"), token: nil, patience: nil)
        var generator = SeededGenerator(seed: 1)
        var exchange = Exchange(request, &generator)
        let part = [UInt8](repeating: 0x20, count: 1 << 20)
        let parts = Array(repeating: part, count: (ControlLimits.answerBytes >> 20) + 1)
        var outputs: [Exchange.Output] = []
        for part in [Array("HTTP/1.1 200 OK\r\n\r\n".utf8)] + parts {
            outputs += part.withUnsafeBytes { exchange.receive($0) }
        }
        guard case .report(.failed(let failure))? = outputs.first else {
            Issue.record("it was taken")
            return
        }
        expectEqual(
            ControlError(failure, url: "http://x").description,
            "http://x gave no usable answer: it is larger than 64 MiB; ask for less")
    }

    @Test(
        "What went wrong is told with the address, and why it is over when the system says it",
        arguments: [
            (.handshakeEnded(because: nil), "the connection ended during the handshake"),
            (.handshakeEnded(because: reset), "\(reset)"),
            (.badAnswer(.noResponse, because: nil), "The server closed the connection without an answer."),
            (.badAnswer(.incomplete, because: reset), "\(reset)"),
            (.onlyInterimAnswers, "it sends interim responses and no answer"),
            (.lost(because: nil), "the feed ended without a Close frame"),
            (.lost(because: reset), "\(reset)"),
            (.violation(.messageTooBig), "the feed was closed with 1009"),
        ] as [(HTTPClient.Failure, String)])
    func failures(_ failure: HTTPClient.Failure, _ reason: String) {
        expectEqual(ControlError(failure, url: "http://x"), .broken(url: "http://x", reason: reason))
    }

    private static let reset = SocketError(.read, .tooManySockets(limit: 1))
}
