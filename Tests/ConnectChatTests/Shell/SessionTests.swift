import ClientSupport
import Clocks
import Expectations
import Foundation
import HTTPClient
import HTTPCore
import SocketTransport
import TestSupport
import Testing

@testable import ConnectChat
@testable import ConnectCore

/// A session over real sockets, against a scripted service.
@MainActor
@Suite("ConnectChat: sessions", .timeLimit(.minutes(5)))
struct SessionTests {
    let http = HTTPClient(label: "test.connect", clock: SystemClock(), seed: 1, unsentBytes: 1 << 20)

    /// Stands: on a busy machine a dial takes longer than a session waits for one.
    private let clock = VirtualClock()

    init() { LogGuard.install() }

    private func session(_ double: ConnectDouble, _ change: (inout GlobalConfig) -> Void = { _ in })
        -> ChatSession
    {
        var config = GlobalConfig(endpoint: URL(string: double.url))
        change(&config)
        return ChatSession(config, Dependencies(clock: clock, http: http, seed: 7))
    }

    private let details = ChatDetails(participantId: "customer", participantToken: "secret-p")

    private func withDouble(_ body: @MainActor (ConnectDouble) async throws -> Void) async throws {
        let double = try await ConnectDouble()
        try await body(double)
        await http.close()
        await double.stop()
        clock.stop()
    }

    @Test("CC-14 Requests carry bearer, PascalCase JSON and a user agent")
    func requests() async throws {
        try await withDouble { double in
            let chat = session(double)
            try await chat.connect(chatDetails: details)
            try await chat.sendMessage(contentType: .plainText, message: "Hi")
            let requests = double.server.requests.all
            let first = try #require(requests.first)
            #expect(first.method == "POST" && first.target == "/participant/connection")
            expectEqual(first.headers["X-Amz-Bearer"], "secret-p")
            expectEqual(
                String(decoding: first.body, as: UTF8.self),
                #"{"Type":["WEBSOCKET","CONNECTION_CREDENTIALS"]}"#)
            expectEqual(first.headers["User-Agent"]?.hasPrefix("ConnectChat/"), true)
            #expect(first.headers["Authorization"] == nil && first.headers["Cookie"] == nil)
            let message = try #require(requests.first { $0.target == "/participant/message" })
            expectEqual(message.headers["X-Amz-Bearer"], "secret-c")
            let allowed: Set = [
                "/participant/connection", "/participant/message", "/participant/transcript", "/ws",
            ]
            #expect(Set(double.paths).isSubset(of: allowed))
        }
    }

    @Test("CC-3 CC-126 Handlers are set on the session itself, and called on the main actor in order")
    func handlers() async throws {
        try await withDouble { double in
            let chat = session(double)
            let heard = Gathering<String>()
            chat.onConnectionEstablished = {
                MainActor.assertIsolated()
                heard.append("established")
            }
            chat.onMessageReceived = { item in heard.append((item as? Message)?.text ?? "event") }
            chat.onTranscriptUpdated = { data in heard.append("\(data.transcriptList.count)") }
            chat.onTyping = { event in heard.append("typing \(event.participant ?? "")") }
            chat.onChatEnded = { heard.append("ended") }
            try await chat.connect(chatDetails: details)
            _ = try await heard.wait(count: 1)
            double.tell("a", "Hello")
            _ = try await heard.wait { $0.contains("Hello") ? true : nil }
            double.tell("t", "", type: ContentType.typing.rawValue)
            _ = try await heard.wait { $0.contains("typing AGENT") ? true : nil }
            double.tell("e", "", type: ContentType.ended.rawValue)
            _ = try await heard.wait { $0.contains("ended") ? true : nil }
            #expect(heard.all.first == "established" && heard.all.last == "ended")
            #expect(!chat.isChatSessionActive())
        }
    }

    private final class Loud: AWSClient, @unchecked Sendable {
        let calls = Gathering<String>()
        override func sendMessage(
            connectionToken: String, contentType: ContentType, message: String,
            completion: @escaping (Result<AWSConnectParticipantSendMessageResponse, any Error>) -> Void
        ) {
            calls.append(message)
            super.sendMessage(
                connectionToken: connectionToken, contentType: contentType, message: message.uppercased()
            ) { result in
                completion(result)
                completion(result)
            }
        }
    }

    @Test("What would stop a transfer is let go when the transfer is over")
    func scopeIsLetGo() async throws {
        final class Held: Sendable {}
        weak let kept = try await OneAnswer.transfer { (done: @escaping (Result<Held, any Error>) -> Void) in
            let held = Held()
            let scope = TransferScope.current
            // The call holds its scope, as a download that may be asked for again does.
            scope?.stops { withExtendedLifetime((held, scope)) {} }
            done(.success(held))
        }
        #expect(kept == nil)
    }

    @Test("A client does not hold itself by the configuration that holds it")
    func clientIsLetGo() {
        var client: AWSClient? = AWSClient()
        weak let kept = client
        var config = GlobalConfig()
        config.customAWSClient = client
        client?.adopt(config, Dependencies(clock: clock, http: http, seed: 7))
        #expect(kept != nil)
        (config, client) = (GlobalConfig(), nil)
        expectEqual(kept, nil)
    }

    @Test(
        "CC-5 CC-6 CC-7 CC-8 A subclass reaches the service through super, unconfigured; then the default one again"
    )
    func customClient() async throws {
        try await withDouble { double in
            let client = Loud()
            client.additionalHeaders = ["X-WAF-Token": "waf", "X-Amz-Bearer": "wrong"]
            let chat = session(double) { $0.customAWSClient = client }
            try await chat.connect(chatDetails: details)
            try await chat.sendMessage(contentType: .plainText, message: "hi")
            expectEqual(client.calls.all, ["hi"])
            let message = try #require(
                double.server.requests.all.first { $0.target == "/participant/message" })
            #expect(String(decoding: message.body, as: UTF8.self).contains(#""Content":"HI""#))
            #expect(
                message.headers["X-WAF-Token"] == "waf"
                    && message.headers.values(of: "X-Amz-Bearer") == ["secret-c"])
            chat.configure(config: GlobalConfig(endpoint: URL(string: double.url)))
            try await chat.sendMessage(contentType: .plainText, message: "ho")
            expectEqual(client.calls.count, 1)
        }
    }

    @Test("CC-9 CC-13 CC-10 Without configure, with TLS or a bad endpoint: an error at once, no hang")
    func badEndpoints() async throws {
        try await withDouble { double in
            let cases: [(GlobalConfig, String)] = [
                (GlobalConfig(), "encryption"),
                (GlobalConfig(endpoint: URL(string: "https://127.0.0.1/")), "encryption"),
                (GlobalConfig(region: .Unknown), "argument"),
                (GlobalConfig(endpoint: URL(string: "http://127.0.0.1/?a=b")), "argument"),
            ]
            for (config, kind) in cases {
                let chat = ChatSession(config, Dependencies(clock: SystemClock(), http: http, seed: 7))
                let error = await #expect(throws: ConnectChatError.self) {
                    try await chat.connect(chatDetails: details)
                }
                switch error {
                case .encryptionUnavailable?: expectEqual(kind, "encryption")
                case .invalidArgument?: expectEqual(kind, "argument")
                default: Issue.record("\(String(describing: error))")
                }
            }
            expectEqual(double.paths, [])
        }
    }

    @Test("CC-11 CC-16 The provider sees each address; a new endpoint acts from the next connect on")
    func provider() async throws {
        try await withDouble { double in
            let seen = Gathering<String>()
            let chat = session(double) { config in
                config.customWebSocketURLProvider = { url in
                    seen.append(url)
                    return url + "&seen=yes"
                }
            }
            try await chat.connect(chatDetails: details)
            chat.suspendWebSocketConnection()
            let events = chat.events
            chat.resumeWebSocketConnection()
            for await event in events where event == .connectionReEstablished { break }
            #expect(seen.count == 2 && seen.all.allSatisfy { $0.contains("AuthToken") })
            chat.configure(config: GlobalConfig(endpoint: URL(string: "http://127.0.0.1:0/nowhere")))
            try await chat.sendMessage(contentType: .plainText, message: "Still there")
        }
    }

    @Test("CC-18 The provider of details tells address and token; what it is given acts on the next call")
    func detailsProvider() async throws {
        try await withDouble { double in
            let chat = session(double)
            let provider = chat.getConnectionDetailsProvider()
            #expect(provider.getConnectionDetails() == nil && !provider.isChatSessionActive())
            try await chat.connect(chatDetails: details)
            #expect(
                provider.getChatDetails()?.participantToken == "secret-p" && provider.isChatSessionActive())
            let connection = try #require(provider.getConnectionDetails())
            #expect(connection.getConnectionToken() == "secret-c" && connection.getWebsocketUrl() != nil)
            provider.updateConnectionDetails(
                newDetails: ConnectionDetails(
                    websocketUrl: connection.getWebsocketUrl(), connectionToken: "mine", expiry: nil))
            try await chat.sendMessage(contentType: .plainText, message: "Hi")
            let message = try #require(
                double.server.requests.all.last { $0.target == "/participant/message" })
            expectEqual(message.headers["X-Amz-Bearer"], "mine")
        }
    }

    @Test("CC-19 CC-122 Two sessions share nothing; a released one closes its socket")
    func twoSessions() async throws {
        try await withDouble { double in
            let first = session(double)
            var second: ChatSession? = session(double)
            try await first.connect(chatDetails: details)
            try await second?.connect(chatDetails: ChatDetails(participantToken: "other"))
            try await first.sendMessage(contentType: .plainText, message: "Hi")
            let latest = second?.driver.streams.transcripts.latest
            expectEqual(latest?.rows.isEmpty, true)
            weak let driver = second?.driver
            second = nil
            #expect(driver == nil)
            #expect(first.isChatSessionActive())
        }
    }

    @Test("CC-127 A handler may reset; nothing is told afterwards")
    func resetInside() async throws {
        try await withDouble { double in
            let chat = session(double)
            let heard = Gathering<String>()
            chat.onMessageReceived = { [weak chat] item in
                heard.append(item.id)
                chat?.reset()
            }
            try await chat.connect(chatDetails: details)
            for id in ["a", "b", "c"] { double.tell(id, id) }
            _ = try await heard.wait(count: 1)
            await chat.driver.settle()
            try await chat.connect(chatDetails: details)
            #expect(heard.all == ["a"] && chat.isChatSessionActive())
        }
    }

    @Test("CC-128 Twins give what completions would; each subscriber gets all events from its access on")
    func streams() async throws {
        try await withDouble { double in
            let chat = session(double)
            let (one, two) = (chat.events, chat.events)
            try await chat.connect(chatDetails: details)
            for await event in one where event == .connectionEstablished { break }
            let error = await #expect(throws: ConnectChatError.self) {
                _ = try await chat.getTranscript(maxResults: 101)
            }
            guard case .invalidArgument? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            double.tell("a", "Hello")
            for await case .messageReceived(let row) in two {
                expectEqual(row.text, "Hello")
                break
            }
            double.answer { $0.target == "/participant/message" ? .silence : nil }
            let waiting = Task { try await chat.sendMessage(contentType: .plainText, message: "Hi") }
            _ = try await double.server.requests.wait { $0.first { $0.target == "/participant/message" } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test(
        "CC-110 CC-112 CC-114 Files: refused before a request, sent with all fields and no bearer, not left behind"
    )
    func files() async throws {
        try await withDouble { double in
            let chat = session(double)
            try await chat.connect(chatDetails: details)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "connect-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let good = folder.appendingPathComponent("a.TXT")
            let empty = folder.appendingPathComponent("b.txt")
            try Data("hello".utf8).write(to: good)
            try Data().write(to: empty)
            for (file, wanted) in [
                (folder.appendingPathComponent("x.exe"), ConnectChatError.unsupportedFileType("exe")),
                (folder.appendingPathComponent("none.txt"), .fileUnreadable("none.txt")), (empty, .fileEmpty),
            ] {
                await #expect(throws: wanted) { try await chat.sendAttachment(file: file) }
            }
            #expect(!double.paths.contains("/participant/start-attachment-upload"))
            try await chat.sendAttachment(file: good)
            let put = try #require(double.server.requests.all.first { $0.method == "PUT" })
            #expect(put.body == Array("hello".utf8) && put.headers["x-amz-odd"] == "yes")
            expectEqual(put.headers["X-Amz-Bearer"], nil)
            double.answer { $0.method == "PUT" ? .json(403, "{}") : nil }
            await #expect(throws: ConnectChatError.uploadRefused(status: 403)) {
                try await chat.sendAttachment(file: good)
            }
        }
    }

    @Test(
        "CC-117 CC-118 Downloads: the name's last part in a folder of its own; refused: an error, one new address"
    )
    func downloads() async throws {
        try await withDouble { double in
            let chat = session(double)
            try await chat.connect(chatDetails: details)
            let file = try await chat.downloadAttachment(attachmentId: "file", filename: "../../x/plan.txt")
            expectEqual(file.lastPathComponent, "plan.txt")
            try expectEqual(Data(contentsOf: file), Data("bytes".utf8))
            try FileManager.default.removeItem(at: file.deletingLastPathComponent())
            double.answer { $0.target.hasPrefix("/store") ? .json(403, "<html>") : nil }
            let asked = double.paths.count { $0 == "/participant/attachment" }
            await #expect(throws: ConnectChatError.downloadRefused(status: 403)) {
                _ = try await chat.downloadAttachment(attachmentId: "file", filename: "x")
            }
            expectEqual(double.paths.count { $0 == "/participant/attachment" }, asked + 2)
        }
    }
}
