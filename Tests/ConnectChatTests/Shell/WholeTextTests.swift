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

/// What can be seen of a session from outside alone: where it asks, what it holds, what it leaves behind.
@MainActor
@Suite("ConnectChat: what a session asks for and keeps", .timeLimit(.minutes(5)))
struct WholeTextTests {
    private let details = ChatDetails(participantId: "customer", participantToken: "secret-p")

    init() { LogGuard.install() }

    /// A session on a recorded network, and a folder for files.
    @MainActor
    private struct Scene {
        let double: ConnectDouble
        let network: RecordingTransport
        let clock: any EventClock
        let monitor = CountingMonitor()
        let folder: URL

        func session(_ change: (inout GlobalConfig) -> Void = { _ in }) -> ChatSession {
            var config = GlobalConfig(endpoint: URL(string: double.url))
            change(&config)
            return ChatSession(
                config, Dependencies(clock: clock, http: network, network: monitor, seed: 7))
        }

        func file(_ name: String, _ count: Int) throws -> URL {
            let url = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Each byte seven times, over and over: a part that comes twice or not at all is seen.
            let period = (0..<7 * 256).map { UInt8(truncatingIfNeeded: $0 / 7) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + period.count)
            while bytes.count < count { bytes += period }
            try Data(Array(bytes.prefix(count))).write(to: url)
            return url
        }
    }

    private func withScene(
        clock: any EventClock = SystemClock(), _ body: @MainActor (Scene) async throws -> Void
    ) async throws {
        let double = try await ConnectDouble()
        let http = HTTPClient(label: "test.whole", clock: clock, seed: 1, unsentBytes: 1 << 20)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "whole-\(UUID().uuidString)")
        try await body(
            Scene(double: double, network: RecordingTransport(http), clock: clock, folder: folder))
        try? FileManager.default.removeItem(at: folder)
        await http.close()
        await double.stop()
    }

    /// Copies of files of all sessions. What else is in the folder for temporary files may be very much.
    private func copies(named name: String) -> [String] {
        let (files, folder) = (FileManager.default, FileManager.default.temporaryDirectory)
        let shelves = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
        return shelves.filter { $0.hasPrefix("ConnectChat-") }.flatMap { shelf in
            let paths = try? files.subpathsOfDirectory(atPath: folder.appendingPathComponent(shelf).path)
            return (paths ?? []).filter { $0.hasSuffix("/" + name) }.map { "\(shelf)/\($0)" }
        }
    }

    // MARK: - Where it asks

    @Test(
        "CC-12 Nothing is requested outside the endpoint and the addresses it handed out",
        arguments: [true, false] as [Bool])
    func addresses(disableCsm: Bool) async throws {
        try await withScene { scene in
            let other = try await ConnectDouble()
            let store = other.url
            scene.double.answer { request in
                switch request.target {
                case "/participant/start-attachment-upload":
                    .json(200, #"{"AttachmentId":"file","UploadMetadata":{"Url":"\#(store)/store"}}"#)
                case "/participant/attachment": .json(200, #"{"Url":"\#(store)/store"}"#)
                default: nil
                }
            }
            let chat = scene.session { config in
                config.disableCsm = disableCsm
                config.features.messageReceipts.throttleTime = 0
            }
            try await chat.connect(chatDetails: details)
            try await chat.sendMessage(contentType: .plainText, message: "Hello")
            try await chat.sendEvent(event: .typing, content: "")
            scene.double.tell("a", "Hello")
            try await chat.sendMessageReceipt(event: .messageRead, messageId: "a")
            _ = try await chat.getTranscript()
            try await chat.sendAttachment(file: try scene.file("plan.txt", 100))
            let fetched = try await chat.downloadAttachment(attachmentId: "file", filename: "x.txt")
            try FileManager.default.removeItem(at: fetched.deletingLastPathComponent())
            _ = try? await chat.describeView(viewToken: "v")
            chat.suspendWebSocketConnection()
            let events = chat.events
            chat.resumeWebSocketConnection()
            for await event in events where event == .connectionReEstablished { break }
            try await chat.disconnect()
            let requests = scene.network.facts.requests
            let ours = requests.filter { $0.endpoint.port == scene.double.server.port }
            let handedOut = requests.filter { $0.endpoint.port == other.server.port }
            expectEqual(Set(requests.map(\.endpoint.host)), ["127.0.0.1"])
            expectEqual(ours.count + handedOut.count, requests.count)
            expectEqual(handedOut.map(\.target), ["/store", "/store"])
            for request in handedOut { expectEqual(request.headers["X-Amz-Bearer"], nil) }
            for request in ours {
                if request.webSocket == nil {
                    #expect(request.target.hasPrefix("/participant/"))
                } else {
                    expectEqual(request.target, "/ws?AuthToken=secret-u")
                }
            }
            await other.stop()
        }
    }

    @Test("CC-16 New features act from the next receipt on, endpoint and region from the next connect on")
    func configuring() async throws {
        try await withScene { scene in
            let other = try await ConnectDouble()
            let chat = scene.session { $0.features.messageReceipts.throttleTime = 0 }
            func receipts() -> Int { scene.double.paths.count { $0 == "/participant/event" } }
            try await chat.connect(chatDetails: details)
            try await chat.sendMessageReceipt(event: .messageRead, messageId: "a")
            expectEqual(receipts(), 1)
            var config = GlobalConfig(endpoint: URL(string: other.url))
            config.features.messageReceipts.shouldSendMessageReceipts = false
            chat.configure(config: config)
            try await chat.sendMessageReceipt(event: .messageRead, messageId: "b")
            expectEqual(receipts(), 1, "the feature acts at once")
            try await chat.sendMessage(contentType: .plainText, message: "Hello")
            #expect(scene.double.paths.contains("/participant/message") && other.paths.isEmpty)
            let client = AWSClient()
            config.customAWSClient = client
            chat.configure(config: config)
            try await chat.sendMessage(contentType: .plainText, message: "Hello again")
            #expect(other.paths.isEmpty, "a custom client stays there, too")
            try await chat.connect(chatDetails: ChatDetails(participantToken: "another"))
            expectEqual(other.paths.first, "/participant/connection")
            chat.configure(config: GlobalConfig(region: .Unknown))
            try await chat.sendMessage(contentType: .plainText, message: "Still there")
            await #expect(throws: ConnectChatError.self) {
                try await chat.connect(chatDetails: ChatDetails(participantToken: "a third"))
            }
            await other.stop()
        }
    }

    @Test("CC-25 429 or 500 twice, then 200: connected, one success", arguments: [429, 500] as [Int])
    func retries(status: Int) async throws {
        // On a clock that stands still no try runs out of time, however busy the machine is.
        try await withScene(clock: VirtualClock()) { scene in
            let count = Locked(0)
            let refusal =
                "HTTP/1.1 \(status) Sorry\r\nRetry-After: 0\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
            scene.double.answer { request in
                guard request.target == "/participant/connection" else { return nil }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number <= 2 ? .pieces([Array(refusal.utf8)], ends: true) : nil
            }
            let chat = scene.session()
            let (established, results) = (Gathering<Bool>(), Gathering<Bool>())
            chat.onConnectionEstablished = { established.append(true) }
            chat.connect(chatDetails: details) { results.append((try? $0.get()) != nil) }
            _ = try await established.wait(count: 1)
            await chat.driver.settle()
            #expect(results.all == [true] && established.count == 1 && chat.isChatSessionActive())
            expectEqual(scene.double.paths.count { $0 == "/participant/connection" }, 3)
        }
    }

    /// Counts who listens.
    final class CountingMonitor: NetworkMonitor {
        let count = Locked(0)
        var isReachable: Bool { true }

        func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> MonitorSubscription {
            count.withLock { $0 += 1 }
            return MonitorSubscription { [count] in count.withLock { $0 -= 1 } }
        }
    }

    @Test("CC-44 The network is watched from the first connect on, once")
    func monitor() async throws {
        try await withScene { scene in
            let chat = scene.session()
            chat.configure(config: GlobalConfig(endpoint: URL(string: scene.double.url)))
            _ = chat.isChatSessionActive()
            await chat.driver.settle()
            expectEqual(scene.monitor.count.withLock { $0 }, 0)
            try await chat.connect(chatDetails: details)
            try await chat.connect(chatDetails: details)
            expectEqual(scene.monitor.count.withLock { $0 }, 1)
        }
    }

    // MARK: - Files

    @Test("CC-114 Two files of one name do not meet; copies go after success, the end and a reset")
    func copies() async throws {
        try await withScene { scene in
            let name = "plan-\(UUID().uuidString).txt"
            let first = try scene.file("a/\(name)", 10)
            let second = try scene.file("b/\(name)", 20)
            scene.double.answer { $0.method == "PUT" ? .silence : nil }
            let chat = scene.session()
            try await chat.connect(chatDetails: details)
            let ended = Gathering<Bool>()
            for file in [first, second] {
                chat.sendAttachment(file: file) { ended.append((try? $0.get()) != nil) }
            }
            _ = try await scene.double.server.requests.wait { all in
                all.count { $0.method == "PUT" } == 2 ? true : nil
            }
            let bodies = scene.double.server.requests.all.filter { $0.method == "PUT" }.map(\.body.count)
            expectEqual(Set(bodies), [10, 20])
            #expect(copies(named: name).count == 2 && Set(copies(named: name)).count == 2)
            chat.reset()
            _ = try await ended.wait(count: 2)
            #expect(ended.all == [false, false] && copies(named: name).isEmpty)

            scene.double.answer { _ in nil }
            try await chat.connect(chatDetails: details)
            try await chat.sendAttachment(file: first)
            await chat.driver.settle()
            #expect(copies(named: name).isEmpty, "after success")

            scene.double.answer { $0.method == "PUT" ? .json(403, "{}") : nil }
            await #expect(throws: ConnectChatError.uploadRefused(status: 403)) {
                try await chat.sendAttachment(file: first)
            }
            expectEqual(copies(named: name).count, 1, "it may be sent again")
            let events = chat.events
            scene.double.tell("e", "", type: ContentType.ended.rawValue)
            for await event in events where event == .chatEnded { break }
            await chat.driver.settle()
            #expect(copies(named: name).isEmpty, "after the end")
        }
    }

    @Test("CC-115 Of a file no more than 1 MiB is held, up or down")
    func bounded() async throws {
        try await withScene { scene in
            // The network of this scene ends a connection of which more than 1 MiB waits to be sent.
            let count = 8 << 20
            let file = try scene.file("film.mp4", count)
            let chat = scene.session()
            try await chat.connect(chatDetails: details)
            try await chat.sendAttachment(file: file)
            let put = try #require(scene.double.server.requests.all.first { $0.method == "PUT" })
            try expectEqual(Array(Data(contentsOf: file)), put.body)
            let asked = try #require(scene.network.facts.requests.first { $0.method == "PUT" })
            #expect(asked.body.isEmpty && asked.bodyFile?.byteCount == count)

            let body = [UInt8](repeating: 0x41, count: 3 << 20)
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            scene.double.answer {
                $0.target.hasPrefix("/store") ? .pieces([Array(head.utf8) + body], ends: true) : nil
            }
            let fetched = try await chat.downloadAttachment(attachmentId: "file", filename: "film.mp4")
            try expectEqual(Array(Data(contentsOf: fetched)), body)
            try FileManager.default.removeItem(at: fetched.deletingLastPathComponent())
            let facts = scene.network.facts
            #expect(facts.mostUntaken > 0 && facts.mostUntaken <= 1 << 20)
            #expect(
                ClientLimits.fileBytes <= 1 << 20
                    && facts.requests.allSatisfy { ($0.streamedBytes ?? 0) <= 1 << 20 })
        }
    }

    @Test("The completion calls tell the percentage of an upload, and can cancel it")
    func progress() async throws {
        try await withScene { scene in
            let file = try scene.file("film.mp4", 5 << 20)
            let chat = scene.session()
            try await chat.connect(chatDetails: details)
            let percents = Gathering<Int>()
            let ended = Gathering<Bool>()
            chat.sendAttachment(file: file) {
                percents.append($0)
            } completion: { result in
                ended.append((try? result.get()) != nil)
            }
            _ = try await ended.wait(count: 1)
            #expect(ended.all == [true] && percents.all.count > 1)
            #expect(
                percents.all == Array(Set(percents.all)).sorted() && percents.all.allSatisfy { 0...100 ~= $0 }
            )

            scene.double.answer { $0.method == "PUT" ? .silence : nil }
            let upload = chat.sendAttachment(file: file) { _ in
            } completion: { result in
                ended.append((try? result.get()) != nil)
            }
            let requests = scene.double.server.requests
            _ = try await requests.wait { all in all.count { $0.method == "PUT" } == 2 ? true : nil }
            upload.cancel()
            _ = try await ended.wait(count: 2)
            expectEqual(ended.all, [true, false])
            upload.cancel()
            _ = try await scene.network.liveCounts.wait { $0.last == 1 ? true : nil }
        }
    }

    @Test("A file that is cut on its way down is asked for again, and one that is too long leaves nothing")
    func brokenDownloads() async throws {
        try await withScene { scene in
            let count = Locked(0)
            scene.double.answer { request in
                guard request.target.hasPrefix("/store") else { return nil }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n"
                return .pieces([Array((head + (number == 1 ? "by" : "bytes")).utf8)], ends: true)
            }
            let chat = scene.session()
            try await chat.connect(chatDetails: details)
            let file = try await chat.downloadAttachment(attachmentId: "file", filename: "x.txt")
            #expect(try Data(contentsOf: file) == Data("bytes".utf8) && count.withLock { $0 } == 2)
            try FileManager.default.removeItem(at: file.deletingLastPathComponent())
        }
    }

    @Test("Cancelling the task that waits ends the transfer, up or down; so does a reset")
    func cancelledTransfers() async throws {
        try await withScene { scene in
            let file = try scene.file("plan.txt", 10)
            scene.double.answer { $0.method == "PUT" || $0.target.hasPrefix("/store") ? .silence : nil }
            let chat = scene.session()
            try await chat.connect(chatDetails: details)
            let isAlone: @Sendable ([Int]) -> Bool? = { $0.last == 1 ? true : nil }
            let requests = scene.double.server.requests

            let up = Task { try await chat.sendAttachment(file: file) }
            _ = try await requests.wait { all in all.contains { $0.method == "PUT" } ? true : nil }
            up.cancel()
            await #expect(throws: CancellationError.self) { try await up.value }
            _ = try await scene.network.liveCounts.wait(isAlone)

            let down = Task { try await chat.downloadAttachment(attachmentId: "file", filename: "x.txt") }
            let isFetching: @Sendable (Int) -> @Sendable ([CannedServer.Request]) -> Bool? = { count in
                { all in
                    all.count { $0.method == "GET" && $0.target.hasPrefix("/store") } == count ? true : nil
                }
            }
            _ = try await requests.wait(isFetching(1))
            down.cancel()
            await #expect(throws: CancellationError.self) { _ = try await down.value }
            _ = try await scene.network.liveCounts.wait(isAlone)

            let ended = Gathering<ConnectChatError?>()
            chat.downloadAttachment(attachmentId: "file", filename: "x.txt") { result in
                if case .failure(let error) = result { ended.append(error as? ConnectChatError) }
            }
            _ = try await requests.wait(isFetching(2))
            chat.reset()
            _ = try await ended.wait(count: 1)
            expectEqual(ended.all, [.reset])
            _ = try await scene.network.liveCounts.wait { $0.last == 0 ? true : nil }
        }
    }

    @Test("A session that is released while it waits ends each call once")
    func releasedWhileWaiting() async throws {
        try await withScene { scene in
            scene.double.answer { $0.target == "/participant/message" ? .silence : nil }
            var chat: ChatSession? = scene.session()
            try await chat?.connect(chatDetails: details)
            let ended = Gathering<ConnectChatError?>()
            chat?.sendMessage(contentType: .plainText, message: "Hi") { result in
                if case .failure(let error) = result { ended.append(error as? ConnectChatError) }
            }
            _ = try await scene.double.server.requests.wait { all in
                all.contains { $0.target == "/participant/message" } ? true : nil
            }
            chat = nil
            _ = try await ended.wait(count: 1)
            expectEqual(ended.all, [.reset])
        }
    }

    // MARK: - What it leaves behind

    private final class Screen {
        let chat: ChatSession
        var texts: [String] = []

        @MainActor
        init(_ chat: ChatSession) {
            self.chat = chat
            chat.onMessageReceived = { [weak self] item in self?.texts.append((item as? Message)?.text ?? "")
            }
            chat.onChatEnded = { [weak self] in self?.texts.append("ended") }
        }
    }

    @Test("CC-122 A released session closes its socket and frees everything, its handlers' owner too")
    func release() async throws {
        try await withScene { scene in
            let name = "left-\(UUID().uuidString).txt"
            let file = try scene.file(name, 10)
            scene.double.answer { $0.method == "PUT" ? .json(403, "{}") : nil }
            var chat: ChatSession? = scene.session()
            var screen = chat.map { Screen($0) }
            weak let owner = screen
            weak let driver = chat?.driver
            weak let inbox = chat?.driver.inbox
            try await chat?.connect(chatDetails: details)
            try? await chat?.sendAttachment(file: file)
            expectEqual(copies(named: name).count, 1)
            // The answer is told before it is counted.
            _ = try await scene.network.liveCounts.wait { $0.last == 1 ? true : nil }
            screen = nil
            #expect(owner == nil, "handlers that capture weakly keep nothing")
            chat = nil
            _ = try await scene.network.liveCounts.wait { $0.last == 0 ? true : nil }
            #expect(driver == nil)
            expectEqual(scene.monitor.count.withLock { $0 }, 0)
            #expect(copies(named: name).isEmpty)
            for _ in 0..<1_000 where inbox != nil { await Task.yield() }
            #expect(inbox == nil)
        }
    }

    @Test("CC-122 After the end a session that lives on keeps no socket, timer or file")
    func afterTheEnd() async throws {
        let clock = VirtualClock()
        try await withScene(clock: clock) { scene in
            let name = "ended-\(UUID().uuidString).txt"
            let file = try scene.file(name, 10)
            scene.double.answer { $0.method == "PUT" ? .json(403, "{}") : nil }
            let chat = scene.session()
            try await chat.connect(chatDetails: details)
            try? await chat.sendAttachment(file: file)
            try await chat.sendEvent(event: .typing, content: "")
            let events = chat.events
            scene.double.tell("t", "", type: ContentType.typing.rawValue)
            for await event in events { if case .typing = event { break } }
            #expect(!clock.pendingTimers.isEmpty)
            scene.double.tell("e", "", type: ContentType.ended.rawValue)
            for await event in events where event == .chatEnded { break }
            _ = try await scene.network.liveCounts.wait { $0.last == 0 ? true : nil }
            await chat.driver.settle()
            #expect(clock.pendingTimers.isEmpty && copies(named: name).isEmpty)
        }
    }

    // MARK: - Logs

    @Test("CC-129 Lines of many threads come one at a time, each thread's in order")
    func order() async throws {
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<50 { SDKLogger.log(.debug, "Guarded line \(thread) \(number)") }
                }
            }
        }
        for thread in 0..<8 {
            let beginning = "Guarded line \(thread) "
            let numbers = LogGuard.lines.all.filter { $0.hasPrefix(beginning) }.compactMap {
                Int($0.dropFirst(beginning.count))
            }
            expectEqual(numbers, Array(0..<50))
        }
    }

    @Test("CC-129 The guard of these tests knows a bad line")
    func guardWorks() {
        #expect(LogGuard.problem(of: "CreateParticipantConnection failed: \"Hello\"") != nil)
        #expect(LogGuard.problem(of: "Something else") != nil)
        expectEqual(LogGuard.problem(of: "A frame of 7 bytes is not for this client."), nil)
    }
}
