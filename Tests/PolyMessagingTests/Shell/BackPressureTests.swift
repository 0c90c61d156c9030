import ClientSupport
import Clocks
import Expectations
import Foundation
import HTTPClient
import PolyMessaging
import TestSupport
import Testing
import WebSocketCore

/// A network that makes sessions, and one socket whose reports the test makes up.
private final class HandMade: WebTransport, WebExchange {
    private let reports = Locked<[@Sendable (HTTPClient.Report) -> Void]>([])
    /// Sizes the client has said it dealt with.
    let sizes = Gathering<Int>()

    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        if request.webSocket == nil {
            let body = #"{"access_token":"aGVhZA.e30.c2ln","session_id":"s-1"}"#
            report(.answered(HTTPClient.Answer(status: 200, body: Array(body.utf8))))
        } else {
            reports.withLock { $0.append(report) }
        }
        return self
    }

    func send(_ opcode: Opcode, _ payload: [UInt8]) {}
    func close(_ code: WebSocketCore.CloseCode, reason: String) {}
    func cut() {}
    func taken(_ byteCount: Int) { sizes.append(byteCount) }

    func tell(_ report: HTTPClient.Report) {
        for one in reports.withLock({ $0 }) { one(report) }
    }

    func chunk(_ index: Int, _ text: String) {
        let frame = """
            {"type":"EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK","id":"e-\(index)","sequence":\(index),\
            "timestamp":"2026-01-15T09:30:00.250Z",\
            "payload":{"message_id":"m","chunk_index":\(index),"is_complete":false,"text":"\(text)"}}
            """
        tell(.text(Array(frame.utf8)))
    }
}

@Suite("A server that tells more than the client takes", .timeLimit(.minutes(5)))
struct BackPressureTests {
    private let network = HandMade()

    /// A client whose socket is open.
    private func client() async -> PolyMessagingClient {
        let dependencies = Dependencies(
            clock: VirtualClock(), http: network, store: MemorySessionStore(), seed: 1,
            logger: SilentLogger())
        let client = PolyMessagingClient(Configuration(apiKey: "T", environment: .us), dependencies)
        // Each answer is one more thing for the client to deal with.
        for _ in 0..<4 { await client.driver.settle() }
        network.tell(.opened)
        await client.driver.settle()
        return client
    }

    @Test("What nobody shows is dealt with when the core has taken it")
    func withoutListeners() async throws {
        let client = await client()
        for index in 1...3 { network.chunk(index, "x") }
        await client.driver.settle()
        expectEqual(network.sizes.all.count, 3)
        await client.shutdown()
    }

    @Test("What somebody shows is dealt with when it has been taken there")
    func withListener() async throws {
        let client = await client()
        let (_, _, slow) = client.driver.streams.feed.subscribe(progressively: true) {}
        let (_, _, gone) = client.driver.streams.feed.subscribe(progressively: true) {}
        for index in 1...3 { network.chunk(index, "x") }
        await client.driver.settle()
        #expect(network.sizes.all.isEmpty)
        expectEqual(slow.takeAll().items.count, 3)
        await client.driver.settle()
        #expect(network.sizes.all.isEmpty)
        gone.leave()
        await client.driver.settle()
        expectEqual(network.sizes.all.count, 3)
        await client.shutdown()
    }

    @Test("A listener is woken once for what is told together, and again only when it has looked")
    func waking() {
        let feed = EventBroadcast(isProgressive: false, generator: SeededGenerator(seed: 1))
        let wakes = Gathering<Int>()
        let (_, _, listener) = feed.subscribe(progressively: false) { wakes.append(1) }
        let now = Instant(secondsSince1970: 0)
        feed.notifyTogether {
            for _ in 1...100 { feed.notify(.status(.connecting), at: now) }
            #expect(wakes.all.isEmpty)
        }
        expectEqual(wakes.all.count, 1)
        feed.notify(.status(.open), at: now)
        feed.tick()
        expectEqual(wakes.all.count, 1)
        expectEqual(listener.takeAll().items.count, 102)
        feed.tick()
        expectEqual(wakes.all.count, 2)
        feed.notifyTogether {}
        expectEqual(wakes.all.count, 2)
    }

    @Test(
        "A mark and a tick wake at once: they come from other threads, which know nothing of what is held back"
    )
    func wakingFromElsewhere() {
        let feed = EventBroadcast(isProgressive: false, generator: SeededGenerator(seed: 1))
        let wakes = Gathering<Int>()
        let (_, _, listener) = feed.subscribe(progressively: false) { wakes.append(1) }
        feed.notifyTogether {
            let isSeen = feed.mark { _ in }
            #expect(isSeen && wakes.all.count == 1)
            expectEqual(listener.takeAll().items.count, 1)
            feed.tick()
            expectEqual(wakes.all.count, 2)
            expectEqual(listener.takeAll().items.count, 1)
        }
        expectEqual(wakes.all.count, 2)
    }

    @Test("The socket is not read while nothing is dealt with, and read to the end afterwards")
    func socket() async throws {
        let (count, size) = (3_000, 1_000)
        let text = String(repeating: "x", count: size)
        let server = try await CannedServer { _ in .feed(Array(repeating: text, count: count), closes: false)
        }
        let plain = HTTPClient(label: "test.pressure", clock: VirtualClock(), seed: 1, unsentBytes: 1 << 20)
        let reports = Gathering<HTTPClient.Report>()
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/ws"))
        let socket = plain.dial(url) { reports.append($0) }
        let bound = MessagingLimits.unhandledBytes / (size + ClientLimits.messageCost)
        _ = try await reports.wait(count: 1 + bound)
        for _ in 0..<50 { _ = await plain.traffic() }
        // One read of 64 KiB may go beyond the bound.
        #expect(reports.all.count <= 2 + bound + (64 << 10) / size)
        var taken = 0
        while reports.all.count < 1 + count {
            while taken < reports.all.count - 1 {
                socket.taken(size)
                taken += 1
            }
            _ = await plain.traffic()
        }
        await plain.close()
        await server.stop()
    }

    @MainActor
    @Test("What is told while the main actor is busy is shown at once, whole, and with few publications")
    func publications() async throws {
        let client = await client()
        let chat = ChatSession(client: client, progressiveStreaming: true)
        await chat.catchUp()
        let before = chat.publications
        for index in 1...5_000 { network.chunk(index, "x") }
        // On this thread: the main actor cannot look meanwhile.
        _ = client.driver.settleHere()
        #expect(chat.publications == before && chat.messages.isEmpty)
        await chat.catchUp()
        #expect(chat.publications - before <= 3)
        expectEqual(chat.messages.map(\.text?.count), [5_000])
        network.chunk(5_001, "y")
        await chat.catchUp()
        expectEqual(chat.messages.first?.text?.last, "y")
        await client.shutdown()
    }
}
