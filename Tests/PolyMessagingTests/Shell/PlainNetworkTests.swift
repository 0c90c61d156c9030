import ClientSupport
import Clocks
import Expectations
import Foundation
import HTTPClient
import HTTPCore
import TestSupport
import Testing
import WebSocketCore

@testable import PolyMessaging

@Suite("The plain network", .timeLimit(.minutes(5)))
struct PlainNetworkTests {
    private let clock = VirtualClock()

    private var network: HTTPClient {
        HTTPClient(label: "test.plain", clock: clock, seed: 1, unsentBytes: 4 << 20)
    }

    private func withNetwork<Result>(_ body: (HTTPClient) async throws -> Result) async throws -> Result {
        let network = network
        do {
            let result = try await body(network)
            await network.close()
            return result
        } catch {
            await network.close()
            throw error
        }
    }

    private func dial(_ network: HTTPClient, _ text: String) throws -> (
        any WebExchange, Gathering<ClientCore.Input>
    ) {
        let reports = Gathering<ClientCore.Input>()
        let url = try #require(URL(string: text))
        let socket = network.dial(url) { reports.append(ClientCore.Input($0, attempt: 1)) }
        return (socket, reports)
    }

    private func post(_ network: HTTPClient, _ text: String) throws -> Gathering<RESTReply> {
        let replies = Gathering<RESTReply>()
        let url = try #require(URL(string: text))
        let request = RESTRequest(id: 1, endpoint: .sessions, headers: [:], body: [])
        network.post(request, at: url) { replies.append($0) }
        return replies
    }

    @Test("Where nobody listens, the failure says so")
    func refused() async throws {
        try await TakenPort.with { taken in
            try await withNetwork { network in
                let (_, reports) = try dial(network, "ws://127.0.0.1:\(taken.port)/ws")
                guard case .socketFailed(1, .network(let text)) = try await reports.wait(count: 1)[0] else {
                    Issue.record("\(reports.all)")
                    return
                }
                #expect(text.contains("nothing listens"))
                let replies = try post(network, "http://127.0.0.1:\(taken.port)/api")
                guard case .failed(.network) = try await replies.wait(count: 1)[0] else {
                    Issue.record("\(replies.all)")
                    return
                }
            }
        }
    }

    @Test("A server that says nothing is given up after 30 s of the clock")
    func silent() async throws {
        let listening = try await CannedServer { _ in .silence }
        try await withNetwork { network in
            let (_, reports) = try dial(network, "ws://127.0.0.1:\(listening.port)/ws")
            let replies = try post(network, "http://127.0.0.1:\(listening.port)/api")
            _ = try await listening.requests.wait(count: 2)
            clock.advance(by: .seconds(29))
            #expect(reports.all.isEmpty && replies.all.isEmpty)
            clock.advance(by: .seconds(1))
            guard case .socketFailed(1, .network(let text)) = try await reports.wait(count: 1)[0],
                case .failed(.network) = try await replies.wait(count: 1)[0]
            else {
                Issue.record("\(reports.all) \(replies.all)")
                return
            }
            #expect(text.contains("30 seconds"))
        }
        await listening.stop()
    }

    @Test("localhost reaches a listener that has IPv4 alone")
    func localhost() async throws {
        let listening = try await CannedServer { _ in .json(200, "{}") }
        try await withNetwork { network in
            let replies = try post(network, "http://localhost:\(listening.port)/api")
            let reply = try await replies.wait(count: 1)[0]
            expectEqual(reply, .answered(status: 200, retryAfter: nil, body: Array("{}".utf8)))
        }
        await listening.stop()
    }

    @Test("A cut connection reports nothing any more")
    func cut() async throws {
        let listening = try await CannedServer { _ in .silence }
        try await withNetwork { network in
            let (socket, reports) = try dial(network, "ws://127.0.0.1:\(listening.port)/ws")
            #expect(!socket.close(1006, reason: ""))
            await expectEqual(network.traffic().connectionCount, 0)
            clock.advance(by: .minutes(5))
            await expectEqual(network.traffic().connectionCount, 0)
            #expect(reports.all.isEmpty)
        }
        await listening.stop()
    }

    @Test("Our own sockets refuse encrypted addresses at once, with what to do")
    func encrypted() async throws {
        try await withNetwork { network in
            let (socket, reports) = try dial(network, "wss://127.0.0.1/ws")
            socket.send(.text, Array("{}".utf8))
            let told = try await reports.wait(count: 1)
            let answered = try await post(network, "https://127.0.0.1/api").wait(count: 1)
            guard case .socketFailed(1, .network(let text))? = told.first,
                case .failed(.network)? = answered.first
            else {
                Issue.record("\(told) \(answered)")
                return
            }
            #expect(text.contains("http and ws"))
        }
    }

    @Test("A network that is shut down tells what is under way, and frees every socket")
    func shutDown() async throws {
        let listening = try await CannedServer { _ in .silence }
        let network = network
        let (_, reports) = try dial(network, "ws://127.0.0.1:\(listening.port)/ws")
        _ = try await listening.requests.wait(count: 1)
        await network.close()
        expectEqual(reports.count, 1)
        await listening.stop()
    }
}
