import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("What the server remembers, over HTTP", .timeLimit(.minutes(5)))
struct ControlRecordTests {
    @Test("Rows are filtered, numbered on and limited; control requests make none")
    func wire() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            let all = try await control.get("wire")
            let rows = try #require(all["rows"]?.array)
            expectEqual(rows.compactMap { $0["n"]?.integer }, (1...Int64(rows.count)).map { $0 })
            expectEqual(all["last"]?.integer, Int64(rows.count))
            #expect(!rows.contains { $0["type"]?.string?.contains("_mock") == true })
            let requests = try await control.get("wire?filter=kind:rest%20dir:in&limit=1&after=1")
            expectEqual(requests.count("rows"), 1)
            expectEqual(requests["rows", 0, "type"]?.string, "POST /api/v1/sessions")
            #expect(!requests.text.contains("eyJ"))
            let refused = try await control.get("wire?filter=dri:in")
            expectEqual(refused.status, 400)
            #expect(refused.message.contains("dir"))
            try await expectEqual(control.get("wire?limit=many").status, 400)
        }
    }

    @Test("Unmatched messages and requests are listed with the reason")
    func unmatched() async throws {
        try await World.run {
            $0.fixtureText = fixture(#"{ hears: ["book"], replies: [ { say: "Booked." } ] }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            talk.say("bok")
            try await world.reply(talk)
            _ = try await world.client.request("GET", "/api/v2/sessions")
            let list = try await control.get("unmatched")
            expectEqual(list["policy"]?.string, "warn")
            expectEqual(list["unmatched", 0, "kind"]?.string, "message")
            expectEqual(list["unmatched", 0, "session"]?.string, session.id)
            expectEqual(list["unmatched", 0, "report"]?.string?.contains("bok"), true)
            expectEqual(list["unmatched", 0, "message"]?.integer, 1)
            let near = try #require(list["unmatched", 0, "nearest", 0])
            expectEqual(near["reason"]?.string, "spelling")
            #expect(near["word"]?.string == "book" && near["heard"]?.string == "bok")
            expectEqual(near["why"]?.string, #""book" is one letter away from "bok""#)
            expectEqual(list["unmatched", 0, "advice"], near["advice"])
            expectEqual(near["advice"]?.string?.hasPrefix(#"add "bok" to "#), true)
            expectEqual(list["unmatched", 0, "said", "text"]?.string?.isEmpty, false)
            expectEqual(list["unmatched", 0, "said", "rule"]?.string?.hasPrefix("otherwise"), true)
            func row(_ index: Int) async throws -> JSONValue? {
                let number = list["unmatched", index, "row"]?.integer ?? 0
                return try await control.get("wire?filter=n:\(number)")["rows", 0]
            }
            #expect(try await row(0)?["type"]?.string == "USER_MESSAGE")
            #expect(try await row(0)?["raw"]?.string?.contains("bok") == true)
            #expect(try await row(1)?["type"]?.string == "GET /api/v2/sessions")
            #expect(list["unmatched", 1, "nearest"] == .array([]) && list["unmatched", 1, "said"] == .null)
            expectEqual(list["unmatched", 1, "kind"]?.string, "request")
            expectEqual(list["unmatched", 1, "text"]?.string, "GET /api/v2/sessions")
            try await expectEqual(control.get("unmatched?after=1").count("unmatched"), 1)
            try await expectEqual(control.get("health")["unmatched"]?.integer, 2)
        }
    }

    @Test("The protocol rules are listed, each with its violations")
    func protocolRules() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            talk.send("SESSION_START")
            try await talk.settle()
            let protocolRules = try await control.get("violations")
            let broken = try #require(protocolRules["violations", 0])
            expectEqual(broken["session"]?.string, session.id)
            let protocolRule = protocolRules["protocolRules"]?.array?.first {
                $0["id"] == broken["protocolRule"]
            }
            #expect(protocolRule?["violations"]?.integer == 1)
            #expect(protocolRule?["advice"]?.string?.isEmpty == false)
            expectEqual(
                protocolRules["protocolRules"]?.array?.allSatisfy {
                    $0["statement"]?.string?.isEmpty == false
                }, true)
            let row = try await control.get("wire?filter=n:\(broken["row"]?.integer ?? 0)")["rows", 0]
            #expect(row?["type"]?.string == "SESSION_START" && row?["dir"]?.string == "in")
            expectEqual(broken["number"]?.integer, 1)
            try await expectEqual(control.get("violations?after=1").count("violations"), 0)
            try await expectEqual(control.get("health")["violations"]?.integer, 1)
        }
    }

    @Test("Rows leave as JSON lines, HAR and transcripts, and come in again")
    func files() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            talk.say("Hello")
            try await world.play(talk, through: "USER_MESSAGE")
            try await talk.settle()
            let text = try await control.get("export?format=transcript&session=last")
            #expect(text.text.contains("user: Hello"))
            let transcript = try await control.get("export?format=transcript.json&session=\(session.id)")
            expectEqual(transcript["session"]?.string, session.id)
            try await expectEqual(control.get("export?format=pdf").status, 400)
            try await expectEqual(control.get("export?session=nobody").status, 404)
            for (format, type) in [("jsonl", "application/x-ndjson"), ("har", "application/json")] {
                let file = try await control.get("export?format=\(format)&filter=kind:ws")
                expectEqual(file.headers["Content-Type"], type)
                let back = try await control.ask("POST", "import", ["Content-Type": type], body: file.text)
                let name = try #require(back["session"]?.string)
                #expect((back["imported"]?.integer ?? 0) > 2)
                let rows = try await control.get("wire?filter=session:\(name)%20is:replayed")
                expectEqual(Int64(rows.count("rows")), back["imported"]?.integer)
                let said = try await control.get("export?format=transcript&session=\(name)")
                #expect(said.text.contains("user: Hello"))
            }
            try await expectEqual(
                control.ask("POST", "import", ["Content-Type": "text/csv"], body: "a,b").status,
                415)
            try await expectEqual(control.post("import", "{").status, 400)
            try await expectEqual(control.post("import", "").status, 400)
        }
    }

    @Test("The causes of imported rows are rows of the import, or none")
    func importedCauses() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            talk.say("Hello")
            try await world.play(talk, through: "USER_MESSAGE")
            try await talk.settle()
            for filter in ["kind:ws,rule", "dir:out"] {
                let file = try await control.get("export?session=last&filter=\(filter)")
                let type: HeaderFields = ["Content-Type": "application/x-ndjson"]
                let name = try await control.ask("POST", "import", type, body: file.text)["session"]?.string
                let told = try await control.get("wire?filter=session:\(try #require(name))")
                let rows = told["rows"]?.array ?? []
                let numbers = rows.compactMap { $0["n"]?.integer }
                let causes = rows.compactMap { $0["cause"]?.integer }
                #expect(causes.allSatisfy(numbers.contains), "\(causes) of \(numbers)")
                expectEqual(causes.isEmpty, filter == "dir:out")
                let echo = rows.first { $0["dir"]?.string == "out" && $0["type"]?.string == "USER_MESSAGE" }
                let said = rows.first { $0["dir"]?.string == "in" && $0["type"]?.string == "USER_MESSAGE" }
                #expect(echo?["cause"] == said?["n"])
            }
        }
    }

    @Test("One call clears the table between two tests, or a part of it")
    func reset() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            _ = try await control.post("faults", #"{"name":"tunnel"}"#)
            let last = try await control.get("wire")["last"]
            let part = try await control.post("reset", #"{"faults":true}"#)
            expectEqual(part["reset"], .array([.string("faults")]))
            try await expectEqual(control.get("faults").count("faults"), 0)
            try await expectEqual(control.get("sessions").count("sessions"), 1)
            let rest = try await control.post("reset", #"{"clock":false}"#)
            expectEqual(rest.count("reset"), 4)
            try await expectEqual(talk.closeCode, 1000)
            try await expectEqual(control.get("sessions").count("sessions"), 0)
            try await expectEqual(control.post("reset").count("reset"), 5)
            let rows = try await control.get("wire")
            expectEqual(rows.count("rows"), 0)
            #expect((rows["last"]?.integer ?? 0) >= (last?.integer ?? .max))
            #expect(try await control.post("reset", #"{"session":true}"#).message.contains("sessions"))
            try await expectEqual(control.post("reset", #"{"sessions":1}"#).status, 400)
        }
    }

    // MARK: - Metrics

    @Test("The metrics follow the text format and count at least twelve things, each with help")
    func metrics() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted(streaming: true)
            talk.say("Hello")
            try await world.play(talk, through: "USER_MESSAGE")
            let answer = try await control.get("metrics")
            expectEqual(answer.headers["Content-Type"]?.hasPrefix("text/plain; version=0.0.4"), true)
            #expect(answer.text.hasSuffix("\n"))
            var values: [String: Int] = [:]
            let lines = answer.text.split(separator: "\n").map(String.init)
            let described =
                control.description.operation("GET", "/_mock/metrics")?["description"]?.string ?? ""
            // A name has its help and its type once, directly before its samples.
            var (helped, typed): (String?, [String]) = (nil, [])
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                guard words[0] != "#" else {
                    if words[1] == "HELP" {
                        #expect(words.count > 3 && !typed.contains(words[2]), "\(line)")
                        helped = words[2]
                    } else {
                        #expect(words[1] == "TYPE" && words[2] == helped, "\(line)")
                        expectEqual(words[3], words[2].hasSuffix("_total") ? "counter" : "gauge", "\(line)")
                        typed.append(words[2])
                    }
                    continue
                }
                let name = String(words[0].prefix { $0 != "{" })
                #expect(name == typed.last && name == helped, "\(line)")
                #expect(name.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "_") })
                #expect(words[0].dropFirst(name.count).wholeMatch(of: /({kind="[a-z]+"})?/) != nil, "\(line)")
                #expect(described.contains(name), "\(name)")
                #expect(values[words[0]] == nil && words.count == 2, "\(line)")
                values[words[0]] = Int(words[1])
            }
            #expect(typed.count >= 12 && Set(typed).count == typed.count)
            expectEqual(Set(values.keys.map { String($0.prefix { $0 != "{" }) }), Set(typed))
            expectEqual(values["polymock_sessions_opened_total"], 1)
            expectEqual(values["polymock_messages_received_total"], 2)
            expectEqual(values["polymock_websockets_open"], 1)
            #expect((values["polymock_chunks_sent_total"] ?? 0) > 0)
            #expect((values["polymock_sent_bytes_total"] ?? 0) > 1_000)
            #expect((values["polymock_received_bytes_total"] ?? 0) > 500)
            let json = try await control.get("metrics.json")
            expectEqual(json.count("metrics"), values.count)
        }
    }

    @Test("Refused handshakes, firings and violations are counted, and a reset takes nothing back")
    func growing() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await control.post("faults", #"{"at":"user message 1","do":{"lose":"event"}}"#)
            let (_, talk) = try await world.greeted()
            talk.say("Hello")
            talk.send("SESSION_START")
            try await talk.settle()
            _ = try await (try await world.client.upgrade("/ws?session_id=x")).answer(0)
            for _ in 0..<2 {
                let list = try await control.get("metrics.json")["metrics"]?.array ?? []
                func value(_ name: String) -> Int64? {
                    list.first { $0["name"]?.string == "polymock_" + name }?["value"]?.integer
                }
                expectEqual(value("handshakes_refused_total"), 1)
                expectEqual(value("faults_fired_total"), 1)
                #expect(value("violations_total") ?? 0 >= 1)
                _ = try await control.post("reset")
            }
        }
    }
}
