import Expectations
import Fixtures
import Foundation
import HTTPCore
import TestSupport
import Testing
import Texts

@testable import MockServer

@Suite("Fixtures as texts over HTTP", .timeLimit(.minutes(5)))
struct ControlFixtureFileTests {
    private static func body(_ members: [(String, JSONValue)]) -> String {
        String(
            decoding: JSONWriter.bytes(.object(JSONObject(members.map { .init($0.0, $0.1) }))), as: UTF8.self)
    }

    private static func text(greeting: String) -> String {
        String(decoding: FixtureFolder.text(greeting: greeting), as: UTF8.self)
    }

    private func save(
        _ control: ControlClient, _ name: String, _ text: String, over version: JSONValue?,
        isForced: Bool = false
    ) async throws -> ControlClient.Reply {
        var members: [(String, JSONValue)] = [("text", .string(text))]
        if let version { members.append(("version", version)) }
        if isForced { members.append(("force", .bool(true))) }
        return try await control.ask(
            "PUT", "fixtures/" + name, ["Content-Type": "application/json"], body: Self.body(members))
    }

    /// Runs `body` with a server that plays `talk.json5` of a folder.
    private func withFolder(
        _ body: (World, ControlClient, FixtureFolder) async throws -> Void
    ) async throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        try folder.save("talk", greeting: "one")
        try await World.run {
            $0.fixture = "talk"
            $0.fixturesFolder = folder.url.path
        } _: { world in
            try await body(world, ControlClient(world), folder)
        }
    }

    private func greeting(_ world: World, token: String = "demo") async throws -> String? {
        let session = try await world.client.session(token: world.client.token(connector: token))
        let talk = try await world.client.connect(session)
        talk.join()
        return try await world.reply(talk).last?.text
    }

    // MARK: - Shown

    @Test("A fixture of the binary is told with its text, its parts and their lines")
    func shown() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let booking = try await control.get("fixtures/booking")
            expectEqual(booking["source"]?.string, "binary")
            #expect(booking["writable"]?.bool == false && booking["inForce"]?.bool == true)
            #expect(booking["file"] == .null && booking["findings"] == .array([]))
            let text = try #require(booking["text"]?.string)
            expectEqual(booking["version"]?.string, SHA256.hex(of: Array(text.utf8)))
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            func line(_ value: JSONValue?) -> String {
                let number = Int(value?.integer ?? 0)
                return lines.indices.contains(number - 1) ? String(lines[number - 1]) : ""
            }
            let rules = booking["rules"]?.array ?? []
            let book = try #require(rules.first { $0["name"]?.string == "book" })
            #expect(line(book["line"]).contains(#"{ name: "book","#))
            #expect(line(book["endLine"]).contains(#"then: "people" }"#))
            expectEqual(book["where"]?.string, "stage start")
            expectEqual(book["hears"]?.string, #""book" or "table" or "reservation""#)
            expectEqual(book["says"]?.string, "With pleasure. For how many people?")
            #expect(book["uses"]?.integer == 0 && book["lastUse"] == .null)
            let places = Set(rules.compactMap { $0["where"]?.string })
            #expect(places.isSuperset(of: ["anywhere", "otherwise", "handoff front-desk", "stage confirm"]))
            #expect(rules.last { $0["where"]?.string == "otherwise" }?["hears"] == .null)
            expectEqual(booking["stages", 0, "name"]?.string, "start")
            #expect(line(booking["stages", 0, "line"]).contains("start: ["))
            #expect(line(booking["faults", 0, "line"]).contains("\"tunnel\""))
            expectEqual(booking["faults", 0, "do", "drop"]?.string, "connection")
            expectEqual(booking["handoffs", 0, "liveAgent"]?.string, "Marta")
            expectEqual(booking["handoffs", 0, "says", 0]?.string?.contains("{party}"), true)
            let missing = try await control.get("fixtures/bokking")
            #expect(missing.status == 404 && missing.message.contains("did you mean \"booking\""))
        }
    }

    @Test("Rules are counted over all sessions, with the row of the last use, until the log is reset")
    func uses() async throws {
        try await World.run {
            $0.fixture = "booking"
        } _: { world in
            let control = try await ControlClient(world)
            func book() async throws -> JSONValue? {
                let rules = try await control.get("fixtures/booking")["rules"]?.array ?? []
                return rules.first { $0["name"]?.string == "book" }
            }
            for count in 1...2 {
                let (session, talk) = try await world.greeted()
                talk.say("a table please")
                try await world.reply(talk)
                let rule = try #require(try await book())
                expectEqual(rule["uses"]?.integer, Int64(count))
                #expect(rule["lastUse"]?["session"]?.string == session.id)
                let number = rule["lastUse"]?["row"]?.integer ?? 0
                let row = try await control.get("wire?filter=n:\(number)")["rows", 0]
                #expect(row?["kind"]?.string == "rule" && row?["rule"]?.string == "book")
                if count == 1 { _ = try await control.delete("sessions/" + session.id) }
            }
            _ = try await control.post("reset", #"{"log":true}"#)
            #expect(try await book()?["uses"]?.integer == 0)
            #expect(try await book()?["lastUse"] == .null)
        }
    }

    @Test("A text is checked with places and fixes, its examples played on request; nothing changes")
    func check() async throws {
        try await withFolder { world, control, folder in
            let text = "{ fixture: 1, name: 'T', about: 'A test.',\n  greting: [{ say: 'two' }] }"
            let bad = try await control.post(
                "fixtures/check", Self.body([("name", .string("talk")), ("text", .string(text))]))
            let findings = bad["findings"]?.array ?? []
            let finding = try #require(findings.first { $0["severity"]?.string == "error" })
            expectEqual(finding["file"]?.string, folder.file("talk").path)
            #expect(finding["line"]?.integer == 2 && finding["column"]?.integer == 3)
            expectEqual(finding["code"]?.string, "unknown-name")
            expectEqual(finding["text"]?.string?.contains("talk.json5:2:3: error:"), true)
            expectEqual(bad["rules"], .array([]))
            let example =
                "{ fixture: 1, name: 'T', about: 'A test.', greeting: [{ say: 'two' }], otherwise: [{ replies: "
                + "[{ say: 'Hm.' }] }], examples: [{ name: 'hello', talk: ['agent: one'] }] }"
            for plays in [nil, true, false] as [Bool?] {
                var members = [("name", JSONValue.string("new")), ("text", .string(example))]
                if let plays { members.append(("examples", .bool(plays))) }
                let answer = try await control.post("fixtures/check", Self.body(members))
                let codes = answer["findings"]?.array?.compactMap { $0["code"]?.string } ?? []
                expectEqual(codes.contains("example-fails"), plays ?? true)
                expectEqual(answer["rules", 0, "where"]?.string, "otherwise")
                expectEqual(answer["rules", 0, "uses"], nil)
            }
            try await expectEqual(greeting(world), "one")
            try await expectEqual(control.post("fixtures/check", #"{"name":"x"}"#).status, 400)
        }
    }

    // MARK: - Saved

    @Test("The file that the server was started with is saved in its place, without a folder of fixtures")
    func startedWith() async throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        try folder.save("talk", greeting: "one")
        try await World.run {
            $0.fixture = folder.file("talk").path
        } _: { world in
            let control = try await ControlClient(world)
            let before = try await control.get("fixtures/talk")
            expectEqual(before["writable"]?.bool, true)
            let text = Self.text(greeting: "two")
            try await expectEqual(save(control, "talk", text, over: before["version"]).status, 200)
            try expectEqual(String(contentsOf: folder.file("talk"), encoding: .utf8), text)
            try await expectEqual(greeting(world), "two")
            #expect(try await save(control, "other", text, over: nil).status != 200)
        }
    }

    @Test("A saved text is on the disk with the rights of the file, and the next session hears it")
    func saved() async throws {
        try await withFolder { world, control, folder in
            let path = folder.file("talk").path
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let before = try await control.get("fixtures/talk")
            #expect(before["source"]?.string == "file" && before["writable"]?.bool == true)
            expectEqual(before["file"]?.string, path)
            let older = try await world.client.session()
            let text = Self.text(greeting: "two")
            let answer = try await save(control, "talk", text, over: before["version"])
            #expect(answer.status == 200 && answer["inForce"]?.bool == true)
            expectEqual(answer["file"]?.string, path)
            try expectEqual(String(contentsOf: folder.file("talk"), encoding: .utf8), text)
            let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(rights as? Int == 0o640)
            try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["talk.json5"])
            try await expectEqual(greeting(world), "two")
            let talk = try await world.client.connect(older)
            talk.join()
            try await expectEqual(world.reply(talk).last?.text, "one")
            let after = try await control.get("fixtures/talk")
            #expect(after["version"] == answer["version"] && after["text"]?.string == text)
        }
    }

    @Test("A file that was changed meanwhile is not written over, unless somebody insists")
    func changedMeanwhile() async throws {
        try await withFolder { world, control, folder in
            let version = try await control.get("fixtures/talk")["version"]
            try folder.save("talk", greeting: "theirs")
            let mine = Self.text(greeting: "mine")
            let refused = try await save(control, "talk", mine, over: version)
            #expect(refused.status == 409 && refused.message.contains("changed meanwhile"))
            expectEqual(refused["text"]?.string, Self.text(greeting: "theirs"))
            try expectEqual(Data(contentsOf: folder.file("talk")), FixtureFolder.text(greeting: "theirs"))
            try await expectEqual(save(control, "talk", mine, over: .null).status, 409)
            try await expectEqual(save(control, "talk", mine, over: refused["version"]).status, 200)
            try await expectEqual(save(control, "talk", mine, over: version, isForced: true).status, 200)
            try await expectEqual(greeting(world), "mine")
            try FileManager.default.removeItem(at: folder.file("talk"))
            let gone = try await control.get("fixtures/talk")
            #expect(gone["version"] == .null && gone["source"]?.string == "file")
            try await expectEqual(save(control, "talk", mine, over: version).status, 409)
            try await expectEqual(save(control, "talk", mine, over: .null).status, 200)
        }
    }

    @Test("A text with mistakes is saved, and the version before stays in force")
    func mistakes() async throws {
        try await withFolder { world, control, folder in
            let version = try await control.get("fixtures/talk")["version"]
            let text = "{ fixture: 1, name: 'T', greting: [] }"
            let answer = try await save(control, "talk", text, over: version)
            #expect(answer.status == 200 && answer["inForce"]?.bool == false)
            let codes = answer["findings"]?.array?.compactMap { $0["code"]?.string } ?? []
            #expect(codes.contains("unknown-name"))
            try expectEqual(String(contentsOf: folder.file("talk"), encoding: .utf8), text)
            try await expectEqual(greeting(world), "one")
            let shown = try await control.get("fixtures/talk")
            #expect(shown["inForce"]?.bool == false && shown["text"]?.string == text)
            func listed() async throws -> JSONValue? {
                try await control.get("fixtures")["fixtures"]?.array?.first { $0["name"]?.string == "talk" }
            }
            #expect(try await listed()?["inForce"]?.bool == false)
            let mended = Self.text(greeting: "three")
            try await expectEqual(save(control, "talk", mended, over: answer["version"]).status, 200)
            try await expectEqual(greeting(world), "three")
            #expect(try await listed()?["inForce"]?.bool == true)
        }
    }

    @Test("A fixture of the binary, or one that was brought along, becomes a file of the folder")
    func becomesFile() async throws {
        try await withFolder { world, control, folder in
            let mine = Self.text(greeting: "brought")
            let brought = Self.body([("name", .string("mine")), ("text", .string(mine))])
            try await expectEqual(control.post("fixtures", brought).status, 200)
            try await expectEqual(control.get("fixtures/mine")["source"]?.string, "text")
            for name in ["hello", "mine", "fresh"] {
                let text = Self.text(greeting: "saved " + name)
                try await expectEqual(save(control, name, text, over: .null).status, 200)
                try await expectEqual(control.get("fixtures/" + name)["source"]?.string, "file")
                try await expectEqual(greeting(world, token: "mock:" + name), "saved " + name)
                try await expectEqual(save(control, name, text, over: .null).status, 409)
            }
            _ = try await control.post("reset", #"{"fixtures":true}"#)
            try await expectEqual(greeting(world, token: "mock:mine"), "saved mine")
            _ = folder
        }
    }

    @Test("An empty text is judged like any other; one that is not there is a mistake of the request")
    func emptyText() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let checked = try await control.post("fixtures/check", #"{"name":"mine","text":""}"#)
            expectEqual(
                checked["findings", 0, "text"]?.string, "mine.json5:1:1: error: the file is empty [syntax]")
            let added = try await control.post("fixtures", #"{"name":"mine","text":""}"#)
            #expect(
                added.status == 422 && added.message.hasSuffix("The first: the file is empty"), "\(added)")
            let missing = try await control.post("fixtures/check", #"{"name":"mine"}"#)
            #expect(missing.status == 400 && missing.message.contains("\"text\" is missing"))
        }
    }

    @Test("A fixture of the binary is saved over the version that was told with it")
    func toldVersion() async throws {
        try await withFolder { world, control, _ in
            let told = try await control.get("fixtures/hello")["version"]
            let text = Self.text(greeting: "saved")
            let old = try await save(control, "hello", text, over: .string("0123"))
            expectEqual(old.status, 409)
            try await expectEqual(save(control, "hello", text, over: told).status, 200)
            try await expectEqual(greeting(world, token: "mock:hello"), "saved")
            try await expectEqual(save(control, "hello", text, over: told).status, 409)
        }
    }

    @Test("A mistake in the file of a fixture that was brought along leaves that one in force, until a reset")
    func mistakeOverText() async throws {
        try await withFolder { world, control, folder in
            try folder.save("mine", greeting: "file")
            let brought = Self.body([
                ("name", .string("mine")), ("text", .string(Self.text(greeting: "brought"))),
            ])
            try await expectEqual(control.post("fixtures", brought).status, 200)
            let spoilt = try await save(
                control, "mine", "{ fixture: 1, greting: [] }", over: nil, isForced: true)
            #expect(spoilt.status == 200 && spoilt["inForce"]?.bool == false)
            try await expectEqual(greeting(world, token: "mock:mine"), "brought")
            try folder.save("mine", greeting: "file")
            _ = try await control.post("reset", #"{"fixtures":true}"#)
            try await expectEqual(greeting(world, token: "mock:mine"), "file")
        }
    }

    @Test("A text as long as files may be is taken; a longer body is refused as the control API refuses")
    func long() async throws {
        try await withFolder { world, control, _ in
            let comment = "// " + String(repeating: "\"x\" ", count: 1 << 18) + "\n"
            let text = comment + Self.text(greeting: "long")
            #expect(text.utf8.count > world.server.configuration.limits.bodyBytes)
            try await expectEqual(save(control, "big", text, over: .null)["inForce"]?.bool, true)
            try await expectEqual(greeting(world, token: "mock:big"), "long")
            let much = String(repeating: " ", count: FixtureLoader.fileBytes + 1)
            let refused = try await control.ask(
                "PUT", "fixtures/big", ["Content-Type": "application/json"], body: much)
            expectEqual(refused.status, 413)
            #expect(refused.message.contains("\(FixtureLoader.fileBytes) bytes"))
        }
    }

    @Test("What must not be written is refused, and says why")
    func refused() async throws {
        try await withFolder { _, control, folder in
            let elsewhere = try FixtureFolder()
            defer { elsewhere.remove() }
            try elsewhere.save("real", greeting: "far")
            try FileManager.default.createSymbolicLink(
                at: folder.file("link"), withDestinationURL: elsewhere.file("real"))
            let link = try await control.get("fixtures/link")
            expectEqual(link["writable"]?.bool, false)
            let text = Self.text(greeting: "two")
            let refused = try await save(control, "link", text, over: link["version"], isForced: true)
            #expect(refused.status == 403 && refused.message.contains("link"))
            try expectEqual(Data(contentsOf: elsewhere.file("real")), FixtureFolder.text(greeting: "far"))
            for name in ["..%2Fout", "a%20b", "%2Fetc%2Fx"] {
                try await expectEqual(save(control, name, text, over: .null).status, 400, "\(name)")
            }
            let nowhere = try await save(control, "tolk", text, over: .string("x"))
            #expect(nowhere.status == 404 && nowhere.message.contains("did you mean \"talk\""))
            #expect(
                try await save(control, "talk", text, over: nil).message.contains("\"version\" is missing"))
            try await expectEqual(control.get("fixtures/..%2Ftalk").status, 404)
        }
        try await World.run { world in
            let control = try await ControlClient(world)
            let refused = try await save(control, "hello", Self.text(greeting: "two"), over: .null)
            #expect(refused.status == 403 && refused.message.contains("--fixtures DIR"))
        }
    }
}
