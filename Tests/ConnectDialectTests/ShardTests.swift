import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Contacts of shards", .timeLimit(.minutes(5)))
struct ShardTests {
    @Test("Tokens and addresses begin with the last digits of their contact, also after it was passed on")
    func digits() async throws {
        try await Desk.run {
            $0.shard = Shard(3, of: 4)
        } _: { desk in
            for _ in 0..<5 {
                let guest = try await desk.start()
                let digits = guest.contact.suffix(2)
                expectEqual(Shard(3, of: 4)?.owner(of: guest.contact), 3)
                #expect(guest.token.hasPrefix(digits))
                #expect(guest.bearer.hasPrefix(digits))
                #expect(guest.target.hasPrefix("/connect/ws?AuthToken=\(digits)"))
                let ear = try await guest.open()
                try await expectEqual(guest.say("Hello").status, 200)
                try await ear.items(through: "SYSTEM: You said Hello.")
            }
        }
    }

    @Test("Links to files begin with them, too; of a link of another shard the log says whose it is")
    func links() async throws {
        let lines = Gathering<String>()
        try await Desk.run {
            $0.shard = Shard(2, of: 256)
            $0.log = .text { lines.append($0) }
        } _: { desk in
            let guest = try await desk.start()
            #expect(guest.contact.hasSuffix("01"))
            let announced = try await guest.ask(
                "start-attachment-upload",
                [
                    "ContentType": .string("text/plain"), "AttachmentName": .string("a.txt"),
                    "AttachmentSizeInBytes": .integer(3), "ClientToken": .string("t"),
                ])
            let id = try #require(announced["AttachmentId"]?.string)
            let upload = Desk.target(of: try #require(announced["UploadMetadata"]?["Url"]?.string))
            #expect(upload.contains("?X-Amz-Signature=01"))
            let line = try await desk.client.open()
            line.send(
                Line.bytes("PUT", upload, ["Content-Length": "3"], Array("abc".utf8)), requests: ["PUT"])
            try await expectEqual(line.answer(0).status, 200)
            line.drop()
            let ids: JSONObject = ["AttachmentIds": .array([.string(id)]), "ClientToken": .string("t")]
            try await expectEqual(guest.ask("complete-attachment-upload", ids).status, 200)
            let answer = try await guest.ask("attachment", ["AttachmentId": .string(id)])
            let link = Desk.target(of: try #require(answer["Url"]?.string))
            #expect(link.hasPrefix("/connect/file/01"))
            try await expectEqual(desk.client.request("GET", link).text, "abc")
            let wrong = link.replacing("/file/01", with: "/file/")
            try await expectEqual(desk.client.request("GET", wrong).failure, "403 AccessDeniedException")
            let foreign = try await desk.client.request("GET", "/connect/file/c0\(id).1.x")
            expectEqual(foreign.failure, "403 AccessDeniedException")
            let told = "a link to a file belongs to shard 193 of 256, this is shard 2"
            _ = try await lines.wait(for: "the line") { $0.first { $0.contains(told) } }
        }
    }

    @Test("A bearer with other digits than its contact's is none; so is one without, on a shard")
    func forged() async throws {
        try await Desk.run {
            $0.shard = Shard(1, of: 2)
        } _: { desk in
            let guest = try await desk.start()
            let digits = guest.contact.suffix(2) == "00" ? "01" : "00"
            for bearer in [digits + guest.bearer.dropFirst(2), String(guest.bearer.dropFirst(2)), "", "0"] {
                let answer = try await desk.ask(
                    "POST", "/participant/transcript", [:], bearer: bearer)
                expectEqual(answer.failure, "403 AccessDeniedException", "\(bearer.prefix(2))")
            }
        }
    }

    @Test("A contact of another shard is unknown, and the log says whose it is")
    func strangers() async throws {
        let id = "01234567-89ab-4def-8123-4567890123c0"
        let lines = Gathering<String>()
        try await Desk.run {
            $0.shard = Shard(1, of: 2)
            $0.log = .text { lines.append($0) }
        } _: { desk in
            let answer = try await desk.ask("GET", "/contacts/i/\(id)")
            expectEqual(answer.failure, "404 ResourceNotFoundException")
            _ = try await lines.wait(for: "the line") { lines in
                lines.first { $0.contains("contact \(id) belongs to shard 2 of 2, this is shard 1") }
            }
        }
    }
}
