import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Runs through the control API", .timeLimit(.minutes(5)))
struct ControlRunTests {
    private func request(_ run: String, _ text: String) -> String {
        #"{"threadId":"t-1","runId":"\#(run)","messages":[{"id":"u-\#(run)","role":"user","content":"\#(text)"}]}"#
    }

    private func kinds(_ run: JSONValue?) -> [String] {
        let all = (run?["entries"]?.array ?? []).compactMap { $0["kind"]?.string }
        return all.filter { !$0.hasSuffix("Delta") }
    }

    @Test("A run is told with what its tools were asked and gave back")
    func tools() async throws {
        try await World.run { world in
            _ = try await world.run("/weather", request("r-1", "weather in Leeds"))
            let control = try await ControlClient(world)
            let answer = try await control.get("sessions/t-1/runs")
            #expect(answer["hasRuns"]?.bool == true && answer["isRunning"]?.bool == false)
            let run = answer["runs", 0]
            #expect(run?["run"]?.string == "r-1" && run?["asked"]?.string == "text")
            expectEqual(
                kinds(run),
                [
                    "started", "reasoningStarted", "reasoningTextStarted", "reasoningTextEnded",
                    "reasoningEnded", "callStarted", "callEnded", "callResult", "textStarted", "textEnded",
                    "finished",
                ])
            let entries = run?["entries"]?.array ?? []
            let call = entries.first { $0["kind"]?.string == "callStarted" }
            #expect(call?["name"]?.string == "get_weather" && call?["title"]?.string == "Weather")
            #expect(call?["label"]?.string == "Checking the weather")
            let asked = entries.filter { $0["kind"]?.string == "callDelta" }.compactMap { $0["text"]?.string }
            expectEqual(asked.joined(), #"{"city":"Leeds","unit":"C"}"#)
            let result = entries.first { $0["kind"]?.string == "callResult" }
            #expect(result?["value"]?["sky"]?.string == "overcast")
            #expect(result?["hasFailed"]?.bool == false)
            #expect(entries.last?["value"]?["lookedUp"]?.string == "Leeds")
            expectEqual(entries.map { $0["n"]?.integer }, (1...entries.count).map { Int64($0) })
        }
    }

    @Test("The journal of a talk of runs is JSON, also where no other protocol has words for what happened")
    func journal() async throws {
        try await World.run { world in
            _ = try await world.run("/weather", request("r-1", "weather in Leeds"))
            let control = try await ControlClient(world)
            let journal = try await control.get("sessions/t-1/journal")
            let entries = try #require(journal["entries"]?.array, "\(journal.text)")
            #expect(entries.contains { $0["event"] == .null })
            expectEqual(journal["last"]?.integer, Int64(entries.count))
            let other = try await control.get("sessions/t-1/journal?as=poly")
            let types = other["entries"]?.array?.compactMap { $0["event"]?["type"]?.string } ?? []
            expectEqual(types.suffix(2), ["EVENT_TYPE_USER_MESSAGE", "EVENT_TYPE_POLY_AGENT_MESSAGE"])
            let wrong = try await control.get("sessions/t-1/journal?as=pily")
            #expect(wrong.status == 400 && wrong.message.contains("it speaks poly, connect, ag-ui"))
        }
    }

    @Test("One talk side by side: what each protocol tells of it, whatever its own clients speak")
    func wires() async throws {
        try await World.run { world in
            let stream = try await world.run("/weather", request("r-1", "weather in Leeds"))
            let control = try await ControlClient(world)
            let talk = try await control.get("sessions/t-1/runs?wires=true")["talk"]?.array ?? []
            func delivered(_ name: String) -> [JSONValue] { talk.flatMap { $0["sent"]?[name]?.array ?? [] } }
            // Its own client was told the same, but for the end of the stream.
            expectEqual(delivered("ag-ui").compactMap { $0["text"]?.string }.joined(), stream.text)
            let frames = delivered("poly")
            #expect(frames.contains { $0["text"]?.string?.contains("weather of Leeds.") == true })
            expectEqual(frames.count, talk.count { $0["sequence"] != nil })
            let items = delivered("connect").compactMap { $0["type"]?.string }
            #expect(items.contains("MESSAGE") && items.allSatisfy { !$0.isEmpty })
            let times = talk.compactMap { $0["time"]?.string }
            expectEqual(times, times.sorted())
            try await expectEqual(control.get("sessions/t-1/runs?wires=yes").status, 400)
        }
    }

    @Test("A question is answered from the controls, and a Messaging client hears what comes of it")
    func approval() async throws {
        try await World.run {
            $0.fixture = "refunds"
        } _: { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.post("sessions/last/runs", #"{"answers":[]}"#).status, 404)
            let (session, talk) = try await world.greeted()
            let early = try await control.post("sessions/last/runs", #"{"answers":[]}"#)
            #expect(early.status == 409 && early.message.contains("waits for an answer"))
            talk.say("refund order 19")
            try await talk.event("USER_MESSAGE")
            await world.pass(.seconds(2))
            let asked = try await control.get("sessions/\(session.id)/runs")["waits", "asks", 0]
            #expect(asked?["text"]?.string == "Approve a £24.00 refund for O-19?")
            #expect(asked?["choices"]?.array?.count == 2)
            let ask = try #require(asked?["ask"]?.string)
            for (body, words) in [
                (#"{"answers":[]}"#, "\(ask) is missing"),
                (#"{"answers":[{"ask":"ask_9","cancel":true}]}"#, "what waits is \(ask)"),
                (#"{"answers":[{"ask":"\#(ask)"}]}"#, "not both"),
                (#"{"answers":[{"aks":"\#(ask)"}]}"#, "did you mean \"ask\"?"),
                (
                    #"{"answers":[{"ask":"\#(ask)","cancel":true},{"ask":"\#(ask)","cancel":true}]}"#,
                    "\"\(ask)\" is there twice."
                ),
            ] {
                let refused = try await control.post("sessions/last/runs", body)
                #expect(refused.status == 400 && refused.message.contains(words), "\(refused.message)")
            }
            let answer = try await control.post(
                "sessions/last/runs", #"{"answers":[{"ask":"\#(ask)","payload":{"approved":true}}]}"#)
            expectEqual(answer.status, 200)
            await world.pass(.seconds(2))
            let runs = try await control.get("sessions/last/runs")
            #expect(runs["runs", 1]?["run"]?.string == answer["run"]?.string)
            #expect(runs["runs", 1]?["asked"]?.string == "decisions")
            expectEqual(runs["waits", "asks"], .array([]))
            var said = ""
            while !said.contains("on its way") {
                said = try await talk.event("POLY_AGENT_MESSAGE").text ?? ""
            }
        }
    }

    @Test("A tool of the client is answered from the controls")
    func clientTool() async throws {
        try await World.run { world in
            _ = try await world.run("/refunds", request("r-1", "pick up my parcel"))
            let control = try await ControlClient(world)
            let call = try #require(
                try await control.get("sessions/t-1/runs")["waits", "calls", 0]?["call"]?.string)
            let wrong = try await control.post("sessions/t-1/runs", #"{"answers":[{"call":"\#(call)"}]}"#)
            #expect(wrong.status == 400 && wrong.message.contains("\"error\" must be there"))
            let body = #"{"answers":[{"call":"\#(call)","content":"2026-12-03"}]}"#
            try await expectEqual(control.post("sessions/t-1/runs", body).status, 200)
            await world.pass(.seconds(2))
            let talk = try await control.get("sessions/t-1/runs?wires=true")["talk"]?.array ?? []
            #expect(talk.contains { $0["text"]?.string == "The van comes on 2026-12-03." })
        }
    }

    @Test("An answer from the controls keeps what the thread holds, its state too")
    func threads() async throws {
        try await World.run { world in
            let rest = #","state":{"plan":"gold"}}"#
            let asked = String(request("r-1", "pick up my parcel").dropLast()) + rest
            _ = try await world.run("/refunds", asked)
            let control = try await ControlClient(world)
            let call = try #require(
                try await control.get("sessions/t-1/runs")["waits", "calls", 0]?["call"]?.string)
            let answer = #"{"call":"\#(call)","content":"2026-12-03"}"#
            let twice = try await control.post("sessions/t-1/runs", #"{"answers":[\#(answer),\#(answer)]}"#)
            #expect(twice.status == 400 && twice.message.contains("is there twice."))
            try await expectEqual(control.post("sessions/t-1/runs", #"{"answers":[\#(answer)]}"#).status, 200)
            await world.pass(.seconds(2))
            let join = #"{"threadId":"t-1","runId":"j","messages":[]}"#
            let joined = try await world.run("/refunds/connect", join)
            for words in ["pick up my parcel", "The van comes on 2026-12-03.", #""plan":"gold""#] {
                #expect(joined.text.contains(words), "\(words): \(joined.text)")
            }
        }
    }

    @Test("Words that the controls say for the user stand in the thread, behind what was there")
    func words() async throws {
        try await World.run { world in
            let rest = #","state":{"plan":"gold"}}"#
            _ = try await world.run(
                "/weather", String(request("r-1", "weather in Leeds").dropLast()) + rest)
            let control = try await ControlClient(world)
            let said = try await control.post(
                "sessions/t-1/events", #"{"as":"user","text":"weather in Oslo"}"#)
            expectEqual(said.status, 200)
            await world.pass(.seconds(5))
            let run = try await control.get("sessions/t-1/runs")["runs", 1]
            #expect(run?["thread"]?.string == "t-1" && run?["asked"]?.string == "text")
            let joined = try await world.run(
                "/weather/connect", #"{"threadId":"t-1","runId":"j","messages":[]}"#)
            let events = joined.text.split(separator: "\n").compactMap { line in
                try? JSONReader.read(Array(line.dropFirst("data: ".count).utf8))
            }
            let snapshot = events.first { $0["type"]?.string == "MESSAGES_SNAPSHOT" }
            let messages = snapshot?["messages"]?.array ?? []
            let texts = messages.filter { ["user", "assistant"].contains($0["role"]?.string) }
                .compactMap { $0["content"]?.string }
            expectEqual(
                texts,
                [
                    "weather in Leeds", "Here is the weather of Leeds.", "weather in Oslo",
                    "Here is the weather of Oslo.",
                ])
            #expect(joined.text.contains(#""plan":"gold""#))
        }
    }

    @Test("Side by side what happened at one instant stands in its order")
    func oneInstant() async throws {
        try await World.run {
            $0.fixtureText = """
                { fixture: 1, pace: "instant", agent: { name: "Ada" }, tools: { look: {} },
                  anywhere: [{ hears: "tea", replies: [{ state: { n: 1 } }, { say: "Tea." }] }] }
                """
        } _: { world in
            let own = try await world.run("", request("r-1", "tea"))
            expectEqual(own.status, 200)
            let control = try await ControlClient(world)
            let talk = try await control.get("sessions/t-1/runs?wires=true")["talk"]?.array ?? []
            let kinds = talk.compactMap { $0["kind"]?.string }
            expectEqual(Set(talk.compactMap { $0["time"]?.string }).count, 1)
            let order = ["started", "userMessage", "state", "textStarted", "agentMessage"]
            expectEqual(kinds.filter { order.contains($0) }, order, "\(kinds)")
        }
    }

    @Test("Runs of a talk that knows none have no protocol, also when the controls answer")
    func protocols() async throws {
        try await World.run {
            $0.fixtureText = """
                { fixture: 1, pace: "instant", greeting: [{ say: "Hello." }], tools: { pick: { client: true } }, anywhere: [
                  { hears: "parcel", replies: [{ tool: "pick", with: {} }] },
                  { hears: { tool: "pick" }, if: { "run.protocol": "ag-ui" }, replies: [{ say: "A run." }] },
                  { hears: { tool: "pick" }, replies: [{ say: "A talk." }] } ] }
                """
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("my parcel")
            try await talk.event("USER_MESSAGE")
            await world.pass(.seconds(2))
            let control = try await ControlClient(world)
            let call = try #require(
                try await control.get("sessions/last/runs")["waits", "calls", 0]?["call"]?.string)
            let answer = #"{"answers":[{"call":"\#(call)","content":"Friday"}]}"#
            try await expectEqual(control.post("sessions/last/runs", answer).status, 200)
            await world.pass(.seconds(2))
            try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "A talk.")
        }
    }

    @Test(
        "Side by side each run that gives its request back has its own, and its own messages",
        arguments: [true, false] as [Bool], [true, false] as [Bool])
    func echoes(_ echoes: Bool, _ bringsThread: Bool) async throws {
        try await World.run {
            $0.fixtureText = """
                { fixture: 1, pace: "instant", runs: { echo: \(echoes) },
                  anywhere: [{ hears: "*", replies: [{ messages: true }, { say: "Tea." }] }] }
                """
        } _: { world in
            _ = try await world.run("", request("r-1", "first words"))
            let second = request("r-2", "second words")
            let old = #""messages":[{"id":"a-0","role":"assistant","content":"Hello."},"#
            _ = try await world.run(
                "", bringsThread ? second.replacing(#""messages":["#, with: old) : second)
            let control = try await ControlClient(world)
            let talk = try await control.get("sessions/t-1/runs?wires=true")["talk"]?.array ?? []
            let told = talk.flatMap { $0["sent"]?["ag-ui"]?.array ?? [] }
            func words(_ type: String) -> [[Bool]] {
                told.filter { $0["type"]?.string == type }.map { event in
                    ["first", "second"].map { event["text"]?.string?.contains("\($0) words") ?? false }
                }
            }
            let own = [[true, false], [false, true]]
            expectEqual(words("RUN_STARTED"), echoes ? own : [[false, false], [false, false]])
            // A thread that the second request brought along anew is not kept as it was, without an echo.
            let snapshots =
                bringsThread ? (echoes ? own : [own[1]]) : [[true, false], [true, true]]
            expectEqual(words("MESSAGES_SNAPSHOT"), snapshots)
        }
    }

    @Test("A session without words for runs says so")
    func none() async throws {
        try await World.run { world in
            _ = try await world.greeted()
            let control = try await ControlClient(world)
            let answer = try await control.get("sessions/last/runs")
            #expect(answer["hasRuns"]?.bool == false && answer["runs"] == .array([]))
        }
    }
}
