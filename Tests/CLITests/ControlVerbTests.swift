import ControlClient
import Expectations
import MockServer
import Testing
import Texts

@testable import CLI

@Suite("Verbs of a running server: their words")
struct ControlVerbTests {
    /// `POST /_mock/clock {"next":true}`, or what else the words ask for.
    private func delivered(_ words: [String]) -> String {
        guard case .control(let verb) = Invocation(words, environment: { _ in nil }) else {
            return "\(Invocation(words))"
        }
        switch verb.job {
        case .ask(let request, _), .export(let request, nil): return line(request)
        case .judge(let request, _, let member): return "judge " + line(request) + " " + member
        case .export(let request, let file?): return line(request) + " > " + file
        case .followWire(let filter, let after):
            return "follow wire \(filter ?? "-") \(after.map { "\($0)" } ?? "-")"
        case .followJournal(let session, let after): return "follow journal \(session) \(after)"
        case .importFile(let file): return "import \(file)"
        case .sendFixture(let task, let name, let file): return "\(task) \(name) \(file)"
        case .takeOver(let session): return "takeOver \(session)"
        }
    }

    private func line(_ request: ControlRequest) -> String {
        var line = request.method + " " + request.target.dropFirst("/_mock/".count)
        if case .json(let value) = request.body {
            line += " " + String(decoding: JSONWriter.bytes(value), as: UTF8.self)
        }
        return line
    }

    @Test(
        "Sessions: every verb becomes one call",
        arguments: [
            (["sessions"], "GET sessions"),
            (["sessions", "--tag", "a b", "--state=open"], "GET sessions?tag=a%20b&state=open"),
            (["session", "last"], "GET sessions/last"), (["session"], "GET sessions/last"),
            (["session", "../x"], "GET sessions/..%2Fx"),
            (["journal", "s-1"], "GET sessions/s-1/journal"),
            (["journal", "s-1", "--after", "7"], "GET sessions/s-1/journal?after=7"),
            (["journal", "s-1", "--follow"], "follow journal s-1 0"),
            (["journal", "--follow", "s-1", "--after=7"], "follow journal s-1 7"),
            (["end", "s-1"], #"POST sessions/s-1/end {"reason":"natural"}"#),
            (["end", "s-1", "--reason", "user"], #"POST sessions/s-1/end {"reason":"user"}"#),
            (["end", "s-1", "--forget"], "DELETE sessions/s-1"),
            (["intercept"], "GET intercepted"), (["intercept", "list"], "GET intercepted"),
            (["intercept", "on", "s-1"], #"POST sessions/s-1/intercept {"intercept":true}"#),
            (
                ["intercept", "on", "s-1", "--release=2m"],
                #"POST sessions/s-1/intercept {"intercept":true,"release":"2m"}"#
            ),
            (["intercept", "off", "s-1"], #"POST sessions/s-1/intercept {"intercept":false}"#),
            (["intercept", "resume", "3"], "POST intercepted/3 {}"),
            (["intercept", "resume", "3", "--text", "{}"], #"POST intercepted/3 {"text":"{}"}"#),
            (["intercept", "drop", "3"], "DELETE intercepted/3"), (["takeover"], "takeOver last"),
            (["takeover", "s-1", "--json"], "takeOver s-1"),
        ] as [([String], String)])
    func sessions(words: [String], told expected: String) {
        expectEqual(delivered(words), expected)
    }

    @Test(
        "push says as agent or live agent with all that belongs to a reply, or sends raw",
        arguments: [
            (
                ["push", "s-1", "--as", "agent", "Hello"],
                #"POST sessions/s-1/events {"as":"agent","text":"Hello"}"#
            ),
            (
                [
                    "push", "last", "--as=live-agent", "--by", "Marta", "Which?", "--suggest", "A",
                    "--suggest",
                    "B",
                    "--card", "Our menu https://x/m", "--call", "Front desk +49 30 12",
                ],
                #"POST sessions/last/events {"as":"live-agent","by":"Marta","text":"Which?","suggestions":["A","B"],"#
                    + #""attachments":[{"link":"https://x/m","title":"Our menu"}],"#
                    + #""calls":[{"title":"Front desk","number":"+49 30 12"}]}"#
            ),
            (
                ["push", "s-1", "--raw", "EVENT_TYPE_X", #"{"a":[1]}"#],
                #"POST sessions/s-1/events {"as":"raw","type":"EVENT_TYPE_X","payload":{"a":[1]}}"#
            ),
            (
                ["push", "s-1", "--frame", "not JSON"],
                #"POST sessions/s-1/events {"as":"raw","frame":"not JSON"}"#
            ),
            (
                ["push", "s-1", "--as", "user", "A table"],
                #"POST sessions/s-1/events {"as":"user","text":"A table"}"#
            ),
            (
                ["change", "last", "--text", "At eight"],
                #"POST sessions/last/changes {"text":"At eight"}"#
            ),
            (
                ["change", "last", "m-1", "--as", "user", "--reaction", "👍", "--off", "--by", "Bo"],
                #"POST sessions/last/changes {"message":"m-1","as":"user","by":"Bo","reaction":"👍","on":false}"#
            ),
            (["change", "s-1", "--deleted"], #"POST sessions/s-1/changes {"deleted":true}"#),
            (
                ["push", "s-1", "--as", "agent", "--", "--json"],
                #"POST sessions/s-1/events {"as":"agent","text":"--json"}"#
            ),
        ] as [([String], String)])
    func push(words: [String], told expected: String) {
        expectEqual(delivered(words), expected)
    }

    @Test(
        "Faults and the clock",
        arguments: [
            (["runs", "last"], "GET sessions/last/runs"),
            (["runs", "last", "--wires"], "GET sessions/last/runs?wires=true"),
            (
                ["runs", "last", "--ask", "a", "--payload", #"{"ok":true}"#],
                #"POST sessions/last/runs {"answers":[{"ask":"a","payload":{"ok":true}}]}"#
            ),
            (
                ["runs", "last", "--ask", "a", "--payload", "yes, please"],
                #"POST sessions/last/runs {"answers":[{"ask":"a","payload":"yes, please"}]}"#
            ),
            (
                ["runs", "last", "--ask", "a", "--cancel"],
                #"POST sessions/last/runs {"answers":[{"ask":"a","cancel":true}]}"#
            ),
            (
                ["runs", "last", "--call", "c", "--content", "x"],
                #"POST sessions/last/runs {"answers":[{"call":"c","content":"x"}]}"#
            ),
            (["fault"], "GET faults"), (["fault", "list"], "GET faults"),
            (["fault", "add", "tunnel"], #"POST faults {"name":"tunnel"}"#),
            (
                ["fault", "add", "late", "--fixture", "booking", "--tag", "t"],
                #"POST faults {"name":"late","fixture":"booking","tag":"t"}"#
            ),
            (
                [
                    "fault", "add", "--at", "reply 2 chunk 2", "--do", #"{"drop":"connection"}"#, "--times",
                    "2",
                    "--chance", "20%", "--session", "last", "--name", "mine",
                ],
                #"POST faults {"name":"mine","at":"reply 2 chunk 2","do":{"drop":"connection"},"times":2,"#
                    + #""chance":"20%","session":"last"}"#
            ),
            (
                ["fault", "add", "--at", "reply 2", "--do", "stall: '5s'", "--tag", "t"],
                #"POST faults {"at":"reply 2","do":"stall: '5s'","tag":"t"}"#
            ),
            (["fault", "add", "x", "--connection", "3"], #"POST faults {"name":"x","connection":3}"#),
            (["fault", "remove", "4"], "DELETE faults/4"), (["fault", "clear"], "DELETE faults"),
            (["clock"], "GET clock"), (["clock", "show"], "GET clock"),
            (["clock", "freeze"], #"POST clock {"mode":"frozen"}"#),
            (["clock", "real"], #"POST clock {"mode":"real"}"#),
            (["clock", "scale", "10"], #"POST clock {"mode":"scaled","scale":10}"#),
            (["clock", "scale", "0.5"], #"POST clock {"mode":"scaled","scale":0.5}"#),
            (["clock", "advance", "10m"], #"POST clock {"advance":"10m"}"#),
            (["clock", "until-idle"], #"POST clock {"untilIdle":true}"#),
            (["clock", "until-idle", "--limit", "2h"], #"POST clock {"untilIdle":true,"limit":"2h"}"#),
            (["clock", "next"], #"POST clock {"next":true}"#), (["timers"], "GET timers"),
            (["timers", "list"], "GET timers"), (["timers", "last"], "GET sessions/last"),
            (["timers", "list", "a10f"], "GET sessions/a10f"),
            (["timers", "fire", "7f"], "POST timers/7f/fire"),
            (["timers", "cancel", "7f"], "DELETE timers/7f"),
        ] as [([String], String)])
    func faultsAndTime(words: [String], told expected: String) {
        expectEqual(delivered(words), expected)
    }

    @Test(
        "The wire, files and the server itself",
        arguments: [
            (["wire"], "GET wire"),
            (
                ["wire", "--filter", "dir:in x", "--after", "3", "--limit", "9"],
                "GET wire?filter=dir%3Ain%20x&after=3&limit=9"
            ),
            (["wire", "last"], "GET wire?filter=session%3Alast"),
            (
                ["wire", "ab12", "--filter", "dir:in", "--last=20"],
                "GET wire?filter=session%3Aab12%20dir%3Ain&last=20"
            ),
            (["wire", "--follow"], "follow wire - 0"),
            (["wire", "--follow", "--last", "0"], "follow wire - -"),
            (["wire", "last", "--follow"], "follow wire session:last 0"),
            (["wire", "--follow", "--filter=is:error", "--after=0"], "follow wire is:error 0"),
            (["wait", "--filter", "dir:in"], "GET wait?filter=dir%3Ain"),
            (["wait", "dir:in", "--filter=kind:ws"], "GET wait?filter=dir%3Ain%20kind%3Aws"),
            (
                ["wait", "type:USER_MESSAGE", "dir:in", "--count", "2", "--timeout", "10s"],
                "GET wait?filter=type%3AUSER_MESSAGE%20dir%3Ain&count=2&timeout=10s"
            ),
            (["unmatched", "--after=2"], "GET unmatched?after=2"), (["violations"], "GET violations"),
            (["unmatched", "--fail"], "judge GET unmatched unmatched"),
            (["violations", "--fail"], "judge GET violations violations"),
            (["export"], "GET export?format=jsonl"),
            (["export", "last"], "GET export?format=jsonl&session=last"),
            (["export", "ab12", "--format=har"], "GET export?format=har&session=ab12"),
            (
                ["export", "--format", "har", "--session", "last", "--filter", "x", "-o", "a.har"],
                "GET export?format=har&session=last&filter=x > a.har"
            ),
            (["export", "--format=transcript"], "GET export?format=transcript"),
            (["export", "--format=transcript", "--json"], "GET export?format=transcript.json"),
            (["import", "a.jsonl"], "import a.jsonl"), (["fixtures"], "GET fixtures"),
            (["fixtures", "reload"], "POST fixtures/reload"),
            (
                ["fixtures", "try", "booking", "hi", "--stage", "when"],
                #"POST fixtures/try {"fixture":"booking","message":"hi","stage":"when"}"#
            ),
            (
                ["fixtures", "try", "booking", "hi", "--rule", "book"],
                #"POST fixtures/try {"fixture":"booking","message":"hi","rule":"book"}"#
            ),
            (["fixtures", "add", "mine", "m.json5"], "add mine m.json5"),
            (["fixtures", "check", "mine", "m.json5"], "check mine m.json5"),
            (["fixtures", "save", "mine", "m.json5"], "save(isForced: false) mine m.json5"),
            (["fixtures", "save", "mine", "m.json5", "--force"], "save(isForced: true) mine m.json5"),
            (["fixtures", "show", "a b"], "GET fixtures/a%20b"),
            (["metrics"], "GET metrics"), (["metrics", "--json"], "GET metrics.json"),
            (["reset"], "POST reset {}"),
            (["reset", "log", "sessions"], #"POST reset {"sessions":true,"log":true}"#),
            (["health"], "GET health"),
        ] as [([String], String)])
    func theRest(words: [String], told expected: String) {
        expectEqual(delivered(words), expected)
    }

    @Test("Flags win over the environment, and an empty variable counts as none")
    func environment() throws {
        let set = ["POLYMOCK_URL": "http://a:1", "POLYMOCK_TOKEN": "t", "POLYMOCK_CONTROL_TOKEN": ""]
        func options(_ words: [String], _ variables: [String: String]) -> ControlOptions? {
            guard case .control(let verb) = Invocation(words, environment: { variables[$0] }) else {
                return nil
            }
            return verb.options
        }
        expectEqual(options(["health"], [:]), ControlOptions())
        expectEqual(ControlOptions.defaultURL, "http://127.0.0.1:\(ServeOptions.defaultPort)")
        // The connector's token of "polymock chat" is no token of the control API.
        expectEqual(options(["health"], set), ControlOptions(url: "http://a:1", token: nil))
        expectEqual(
            options(["health", "--url", "b:2", "--token=u", "--json"], set),
            ControlOptions(url: "b:2", token: "u", isJSON: true))
        expectEqual(
            options(["health"], ["POLYMOCK_TOKEN": "t", "POLYMOCK_CONTROL_TOKEN": "c"])?.token, "c")
    }

    @Test("Every one of these verbs takes --json and explains itself", arguments: Verb.all.map(\.name))
    func everyVerb(verb: String) throws {
        let row = try #require(Verb.all.first { $0.name == verb })
        #expect(throws: Never.self) { try ControlWords(row, ["--json", "--url", "x", "--token", "y"]) }
        let text = try #require(Help.text(about: verb))
        for flag in row.switches + row.valued + ["--json", "--url", "--token"] {
            #expect(text.contains(flag), "\(verb) \(flag)")
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
        #expect(Help.text.contains(verb))
        let example = try #require(text.split(separator: "\n").last)
        #expect(example.hasPrefix("EXAMPLE: polymock \(verb)"))
        expectEqual(Invocation([verb, "--help"]), .helpAbout(verb))
        expectEqual(Invocation(["help", verb]), .helpAbout(verb))
    }
}

@Suite("Verbs of a running server: slips")
struct ControlMisuseTests {
    @Test(
        "A slip is told in one sentence with the likely spelling or an example",
        arguments: [
            (["sesions"], #"there is no verb "sesions"; did you mean "sessions"?"#),
            (["runs", "last", "--cancel"], "--cancel goes with --ask or --call only"),
            (
                ["runs", "last", "--ask", "a"],
                #"--ask needs --payload, such as '{"approved": true}', or --cancel"#
            ),
            (
                ["runs", "last", "--ask", "a", "--payload", "{bad"],
                "the payload begins like JSON and is none: {bad; "
                    + #"write it such as '{"approved": true}', or words without quotes"#
            ),
            (
                ["runs", "last", "--ask", "a", "--payload", #""yes"#],
                #"the payload begins like JSON and is none: "yes; "#
                    + #"write it such as '{"approved": true}', or words without quotes"#
            ),
            (["runs", "last", "--call", "c"], "--call needs --content or --error"),
            (["runs", "last", "--call", "c", "--cancel"], "--cancel goes with --ask, not with --call"),
            (["falut"], #"there is no verb "falut"; did you mean "fault"?"#),
            (["clock", "frezee"], #"there is no "polymock clock frezee"; did you mean "freeze"?"#),
            (
                ["clock", "jump"],
                #""polymock clock" takes show, freeze, real, scale, advance, until-idle or next, not "jump""#
            ),
            (
                ["clock", "advance", "-5m"],
                #"time never goes back, so "polymock clock advance" takes no "-5m", but a length such as 5m"#
            ),
            (
                ["clock", "scale", "-2"],
                #""polymock clock scale" takes a factor above 0 such as 10, not "-2""#
            ),
            (["wire", "--fliter", "x"], "there is no flag --fliter; did you mean --filter?"),
            (["health", "now"], #""now" is not understood here; "polymock help health" explains it"#),
            (
                ["journal"],
                #""polymock journal" takes one session: an id, the beginning of one, or "last" for the newest"#
            ),
            (["journal", "x", "--after", "-1"], #"--after takes a whole number, not "-1""#),
            (["sessions", "--state", "on"], #"--state takes open or ended, not "on""#),
            (["end", "x", "--reason", "bored"], #"--reason takes natural, user or abandoned, not "bored""#),
            (
                ["end", "x", "--reason", "user", "--forget"],
                "--reason means nothing with --forget, which ends as abandoned"
            ),
            (
                ["push", "x", "Hi"],
                #""polymock push" needs --as agent, --as live-agent or --as user, or --raw"#
            ),
            (["push", "x", "Hi", "--as", "robot"], #"--as takes agent, live-agent or user, not "robot""#),
            (
                ["push", "x", "--as", "agent"],
                #""polymock push" takes a session and a text in quotes, such as: polymock push last --as agent "Hello""#
            ),
            (
                ["push", "x", "--raw", "T", "[1]"],
                "the payload of --raw is a JSON object such as {}, not [1]"
            ),
            (
                ["push", "x", "--raw", "--frame", "T"],
                "--raw and --frame are two forms of one thing; choose one"
            ),
            (["push", "x", "--raw", "T", "{}", "--by", "a"], "--by means nothing with --raw or --frame"),
            (
                ["push", "x", "Hi", "--as", "agent", "--card", "menu"],
                #"--card takes a title and a link, not "menu""#
            ),
            (
                ["change", "x"],
                #""polymock change" needs one of --text, --deleted and --reaction, such as: "#
                    + #"polymock change last --text "Half past seven.""#
            ),
            (["change", "x", "--deleted", "--off"], "--off goes with --reaction only"),
            (
                ["change", "--deleted"],
                #""polymock change" needs a session, such as: polymock change last --deleted"#
            ),
            (["takeover", "a", "b"], #""polymock takeover" takes one session at most"#),
            (
                ["fault", "add"],
                #""polymock fault add" takes the name of a fault, or --at and --do, such as: "#
                    + #"polymock fault add --at "reply 2" --do "drop: 'connection'""#
            ),
            (
                ["fault", "add", "--at", "reply 2"],
                #"a new fault needs both --at and --do, such as: "#
                    + #"polymock fault add --at "reply 2" --do "drop: 'connection'""#
            ),
            (
                ["fault", "add", "--at", "reply 2", "--do", "drop: 'conection'"],
                #"--at and --do make no fault: "drop" cannot be "conection". Did you mean "connection"?"#
            ),
            (
                ["fault", "add", "--at", "x", "--do", "{}", "--chance", "0.2"],
                #"--chance takes a share such as 20%, not "0.2""#
            ),
            (
                ["fault", "add", "--at", "x", "--do", "{}", "--times", "0"],
                #"--times takes a whole number from 1 on, not "0""#
            ),
            (
                ["fault", "add", "x", "--session", "a", "--tag", "b"],
                "--session and --tag both say whom it hits; choose one"
            ),
            (["fault", "clear", "--tag", "b"], #"--tag goes with "polymock fault add" only"#),
            (
                ["clock", "advance", "10"],
                #""polymock clock advance" takes a length of time such as 500ms, 10s, 10m or 2h, not "10""#
            ),
            (["clock", "scale", "0"], #""polymock clock scale" takes a factor above 0 such as 10, not "0""#),
            (["clock", "next", "--limit", "1h"], #"--limit goes with "polymock clock until-idle" only"#),
            (["wait", "--filter"], "--filter needs a value; \"polymock help wait\" shows an example"),
            (["wait"], #""polymock wait" takes a filter, such as: polymock wait type:USER_MESSAGE"#),
            (["wait", "x", "--count", "0"], #"--count takes a whole number from 1 on, not "0""#),
            (
                ["wait", "x", "--timeout", "soon"],
                #"--timeout takes a length of time such as 500ms, 10s, 10m or 2h, not "soon""#
            ),
            (["wire", "--follow", "--limit", "3"], "--limit means nothing with --follow, which has no end"),
            (
                ["wire", "--follow", "--last=3"],
                "--last takes 0 with --follow: only what happens from now on"
            ),
            (["wire", "--last", "3", "--limit", "3"], "--last and --limit both say how many; choose one"),
            (
                ["wire", "a", "b"],
                #""polymock wire" takes one session at most: an id, the beginning of one, or "last""#
            ),
            (["wire", "type:CHUNK"], #"a filter stands after its flag: --filter "type:CHUNK""#),
            (["export", "har"], "a format stands after its flag: --format har"),
            (
                ["export", "last", "--session", "s-1"],
                #"--session names a session, and so does "last"; choose one"#
            ),
            (
                ["export", "--format", "csv"],
                #"--format takes jsonl, har, transcript or transcript.json, not "csv""#
            ),
            (["import"], #""polymock import" takes one file, such as: polymock import talk.jsonl"#),
            (
                ["reset", "all"],
                #""polymock reset" takes sessions, faults, clock, log or fixtures, not "all""#
            ),
        ] as [([String], String)])
    func misuse(words: [String], sentence: String) {
        expectEqual(Invocation(words, environment: { _ in nil }), .misuse(sentence))
    }
}
