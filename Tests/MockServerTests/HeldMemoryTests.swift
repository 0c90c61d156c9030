import ConversationEngine
import Expectations
import HTTPCore
import ServerCore
import TestSupport
import Testing
import Texts

@testable import MockServer

/// What is held for clients is counted as it comes, refused where there is no room, and given back.
@Suite("Held memory", .timeLimit(.minutes(5)))
struct HeldMemoryTests {
    private static let json: HeaderFields = ["Content-Type": "application/json"]

    private func held(_ kind: MemoryLedger.Kind, _ world: World) async -> Int {
        await world.server.inspect { server in server.heldBytes.first { $0.kind == kind }?.bytes ?? -1 }
    }

    /// A request for a run that brings `bytes` along.
    private func ask(_ world: World, _ thread: String, _ bytes: Int) async throws -> Line.Answer {
        let text = String(repeating: "y", count: bytes)
        let body =
            #"{"threadId":"\#(thread)","runId":"r","messages":[{"id":"u","role":"user","content":"Hello"}],"#
            + #""state":{"a":"\#(text)"}}"#
        let line = try await world.client.open()
        line.send(
            Line.bytes("POST", "/ag-ui/weather@pace=instant", Self.json, Array(body.utf8)), requests: ["POST"]
        )
        let answer = try await line.answer(0)
        line.drop()
        return answer
    }

    private func start(_ world: World, _ more: String = "") async throws -> Line.Answer {
        try await world.client.request(
            "PUT", "/contact/chat", Self.json,
            body:
                #"{"InstanceId":"i","ContactFlowId":"f","ParticipantDetails":{"DisplayName":"A"}\#(more)}"#)
    }

    private func call(
        _ world: World, _ operation: String, _ bearer: String?, _ body: String
    ) async throws -> Line.Answer {
        var headers = Self.json
        headers.set("X-Amz-Bearer", bearer ?? "")
        return try await world.client.request("POST", "/participant/" + operation, headers, body: body)
    }

    private func connected(_ world: World) async throws -> String {
        let start = try await start(world)
        let answer = try await call(
            world, "connection", start["ParticipantToken"]?.string,
            #"{"Type":["CONNECTION_CREDENTIALS"],"ConnectParticipant":true}"#)
        return answer["ConnectionCredentials"]?["ConnectionToken"]?.string ?? ""
    }

    @Test("Requests for runs count for their threads; one for which there is no room is refused with 503")
    func runs() async throws {
        try await World.run {
            $0.limits.journalTotalBytes = 500_000
        } _: { world in
            try await expectEqual(ask(world, "a", 100_000).status, 200)
            let one = await held(.runs, world)
            #expect(one >= 100_000 && one < 300_000)
            var statuses: [Int] = []
            for number in 0..<6 {
                let answer = try await ask(world, "b\(number)", 100_000)
                statuses.append(answer.status)
                guard answer.status == 503 else { continue }
                #expect(answer["error"]?["message"]?.string?.contains("limits.journalTotalBytes") == true)
            }
            #expect(statuses.contains(503) && statuses.first == 200)
            #expect(await world.server.inspect { $0.journalBytes } <= 500_000)
            for session in await world.server.inspect({ $0.sessions.map(\.id) }) {
                _ = try await world.client.request(
                    "DELETE", "/_mock/sessions/\(session)", ["X-Mock-Control": "1"])
            }
            await expectEqual(held(.runs, world), 0)
            await expectEqual(world.server.inspect { $0.journalBytes }, 0)
            try await expectEqual(ask(world, "c", 100_000).status, 200)
        }
    }

    @Test("A run for which there is no room is refused by its head")
    func runHead() async throws {
        try await World.run {
            $0.limits.journalTotalBytes = 500_000
        } _: { world in
            let line = try await world.client.open()
            line.send(
                "POST /ag-ui/weather HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 600000\r\n\r\n", requests: ["POST"])
            try await expectEqual(line.answer(0).status, 503)
        }
    }

    @Test("Names of threads and runs are short", arguments: ["threadId", "runId"] as [String])
    func names(name: String) async throws {
        try await World.run { world in
            let long = String(repeating: "x", count: 4_097)
            let other = name == "threadId" ? "runId" : "threadId"
            let body = #"{"\#(name)":"\#(long)","\#(other)":"a","messages":[]}"#
            let answer = try await world.client.request("POST", "/ag-ui/weather", Self.json, body: body)
            #expect(answer.status == 400 && answer.text.contains(name), "\(answer.text)")
        }
    }

    @Test("Attributes count for contacts, and are given back with them")
    func contacts() async throws {
        try await World.run {
            $0.limits.journalTotalBytes = 200_000
        } _: { world in
            let value = String(repeating: "v", count: 30_000)
            var answers: [Line.Answer] = []
            for _ in 0..<10 {
                answers.append(try await start(world, #","Attributes":{"a":"\#(value)"}"#))
            }
            #expect(await held(.contacts, world) >= 30_000)
            expectEqual(answers.first?.status, 200)
            let kept = await held(.contacts, world)
            // Who has ended would be given up first, but nobody has: what came first stays whole.
            #expect(kept <= 200_000)
            let statuses = answers.map(\.status)
            expectEqual(statuses, (0..<10).map { $0 < 6 ? 200 : 429 })
            expectEqual(answers.last?.text.contains("limits.journalTotalBytes"), true)
            for session in await world.server.inspect({ $0.sessions.map(\.id) }) {
                _ = try await world.client.request(
                    "DELETE", "/_mock/sessions/\(session)", ["X-Mock-Control": "1"])
            }
            await expectEqual(held(.contacts, world), 0)
        }
    }

    @Test("Files count from their bytes on, and have room together (limits.filesTotalBytes)")
    func files() async throws {
        try await World.run {
            $0.limits.filesTotalBytes = 1_000
        } _: { world in
            let token = try await connected(world)
            func announce(_ size: Int, _ client: String) async throws -> Line.Answer {
                try await call(
                    world, "start-attachment-upload", token,
                    #"{"ContentType":"text/plain","AttachmentName":"a.txt","AttachmentSizeInBytes":\#(size),"ClientToken":"\#(client)"}"#
                )
            }
            let first = try await announce(600, "a")
            await expectEqual(held(.files, world), 0)
            let url = try #require(first["UploadMetadata"]?["Url"]?.string)
            let path = try #require(url.firstRange(of: "/connect/")).lowerBound
            let sent = try await world.client.request(
                "PUT", String(url[path...]), ["Content-Type": "text/plain"],
                body: String(repeating: "x", count: 600))
            expectEqual(sent.status, 200)
            await expectEqual(held(.files, world), 600)
            try await expectEqual(announce(600, "b").status, 402)
            for session in await world.server.inspect({ $0.sessions.map(\.id) }) {
                _ = try await world.client.request(
                    "DELETE", "/_mock/sessions/\(session)", ["X-Mock-Control": "1"])
            }
            await expectEqual(held(.files, world), 0)
        }
    }

    @Test("A message to a contact whose journal is full is refused, and no success is told")
    func fullContact() async throws {
        try await World.run {
            $0.limits.journalEntries = 12
        } _: { world in
            let token = try await connected(world)
            var statuses: [Int] = []
            for number in 0..<20 {
                let answer = try await call(
                    world, "message", token,
                    #"{"ContentType":"text/plain","Content":"Hi","ClientToken":"c\#(number)"}"#)
                statuses.append(answer.status)
                await world.pass(.seconds(1))
            }
            let firstRefusal = statuses.firstIndex { $0 != 200 } ?? statuses.count
            #expect([402, 403].contains(statuses.last ?? 0), "\(statuses)")
            #expect(statuses[firstRefusal...].allSatisfy { $0 != 200 })
        }
    }

    @Test("A run that is under way when its thread is full ends with RUN_ERROR and a code")
    func fullThread() async throws {
        try await World.run {
            $0.limits.journalEntries = 8
        } _: { world in
            var texts: [String] = []
            for number in 0..<8 {
                let body =
                    #"{"threadId":"t","runId":"r\#(number)","messages":[{"id":"u\#(number)","role":"user","content":"Hello"}]}"#
                let line = try await world.client.open()
                line.send(
                    Line.bytes("POST", "/ag-ui/weather@pace=instant", Self.json, Array(body.utf8)),
                    requests: ["POST"])
                texts.append(try await line.answer(0).text)
                line.drop()
            }
            #expect(texts.contains { $0.contains("thread_full") }, "\(texts)")
            #expect(texts.allSatisfy { $0.contains("RUN_FINISHED") != $0.contains("RUN_ERROR") })
        }
    }

    @Test("The metrics have a number for each kind of holder, and health has limits")
    func metrics() async throws {
        try await World.run { world in
            _ = try await ask(world, "a", 50_000)
            let text = try await world.client.request("GET", "/_mock/metrics").text
            for kind in MemoryLedger.Kind.allCases {
                #expect(text.contains("\npolymock_held_bytes{kind=\"\(kind.name)\"} "), "\(kind)")
            }
            expectEqual(text.split(separator: "\n").count { $0 == "# TYPE polymock_held_bytes gauge" }, 1)
            let health = try await world.client.request("GET", "/_mock/health")
            #expect(health["memory"]?["sessions"]?.integer ?? 0 >= 50_000)
            #expect(health["memory"]?["bodiesLimit"]?.integer ?? 0 > 0)
        }
    }
}
