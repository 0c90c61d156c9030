import ControlClient
import Expectations
import FixtureTools
import Testing
import Texts

@testable import CLI

@Suite("Answers of a running server as text")
struct ControlTableTests {
    private func shown(_ display: ControlDisplay, _ body: String) -> ToolAnswer {
        display.answer(ControlAnswer(status: 200, body: Array(body.utf8)))
    }

    @Test("Sessions are a table with aligned columns; what is missing is a hyphen")
    func sessions() {
        let body = #"""
            {"sessions":[
            {"id":"s-1","fixture":"booking","scenario":null,"tag":"login","state":"open",
            "openedAt":"2026-01-01T12:00:01.250Z","connections":1,"stage":"people","entries":12,
            "userMessages":3,"replies":4},
            {"id":"s-20","fixture":"hello","tag":null,"state":"ended","openedAt":"2026-01-01T12:10:00.000Z",
            "connections":0,"stage":"start","entries":2,"userMessages":0,"replies":1}]}
            """#
        expectEqual(
            shown(.sessions, body).lines.joined(separator: "\n"),
            """
            SESSION  STATE  FIXTURE  STAGE   TAG    CONNECTIONS  ENTRIES  USER  REPLIES  OPENED
            s-1      open   booking  people  login            1       12     3        4  12:00:01.250
            s-20     ended  hello    start   -                0        2     0        1  12:10:00.000
            """)
        expectEqual(shown(.sessions, #"{"sessions":[]}"#), ToolAnswer(talk: ["no session yet"]))
    }

    @Test("One session is its facts, then what it remembers, its rules, faults and timers")
    func session() {
        let body = #"""
            {"id":"s-1","fixture":"booking","tag":null,"memory":{"people":"4"},"seed":"7",
            "ruleUses":[{"rule":"greet","file":"b.json5","line":4,"count":2}],
            "faults":[{"id":3,"at":"reply 2"}],"timers":[{"name":"reply","dueIn":"1.5s"}]}
            """#
        expectEqual(
            shown(.session, body).lines.joined(separator: "\n"),
            """
            id       s-1
            fixture  booking
            seed     7
            remembers  people = 4
            rule       greet  b.json5  4  2
            fault      3  reply 2
            timer      reply  1.5s
            """)
    }

    @Test("A journal is one line per entry, replies in pieces told when they are whole")
    func journal() {
        func entry(_ number: Int, _ author: String, _ type: String, _ payload: String) -> String {
            #"{"sequence":\#(number),"time":"2026-01-01T12:00:0\#(number).000Z","author":"\#(author)","#
                + #""event":{"type":"EVENT_TYPE_\#(type)","payload":\#(payload)}}"#
        }
        let entries = [
            entry(1, "client", "USER_MESSAGE", #"{"text":"Hi\nthere"}"#),
            entry(
                2, "script", "POLY_AGENT_MESSAGE_CHUNK",
                #"{"message_id":"m","text":"Hel","is_complete":false}"#),
            entry(
                3, "script", "POLY_AGENT_MESSAGE_CHUNK",
                #"{"message_id":"m","text":"lo","is_complete":true,"response_suggestions":[{"message_text":"Bye"}]}"#
            ),
            entry(4, "pushed", "LIVE_AGENT_LEFT", #"{"agent_name":"Marta","reason":"done"}"#),
        ]
        expectEqual(
            shown(.journal, #"{"entries":[\#(entries.joined(separator: ","))]}"#).lines.joined(
                separator: "\n"),
            """
            ENTRY  TIME          AUTHOR  TYPE                      WHAT
                1  12:00:01.000  client  USER_MESSAGE              User: Hi there
                2  12:00:02.000  script  POLY_AGENT_MESSAGE_CHUNK  …
                3  12:00:03.000  script  POLY_AGENT_MESSAGE_CHUNK  Agent: Hello [Bye]
                4  12:00:04.000  pushed  LIVE_AGENT_LEFT           * Marta left (done)
            """)
    }

    @Test("Faults are a table, and the names that can be added are told beside it")
    func faults() {
        let body = #"""
            {"faults":[{"id":3,"name":"tunnel","at":"reply 2","do":{"drop":"connection"},"times":1,
            "chance":"20%","scope":"session s-1","by":"controls","fired":0}],"presets":["tunnel","lift"]}
            """#
        let answer = shown(.faults, body)
        expectEqual(
            answer.lines.joined(separator: "\n"),
            """
            FAULT  NAME    AT       DO                           TIMES  CHANCE  FIRED  SCOPE
            3      tunnel  reply 2  {"drop":"connection"}  1 a session     20%      0  session s-1
            """)
        expectEqual(answer.talk, ["ready to add: tunnel, lift"])
        let own = #""presets":["tunnel","lift"],"fixture":{"name":"mine","faults":["cut","tunnel"]}}"#
        expectEqual(
            shown(.faults, #"{"faults":[],"# + own).talk,
            ["no fault is active", "ready to add: lift", "of the fixture mine: cut, tunnel"])
        let forAll = shown(.added, #"{"faults":[{"id":4,"times":2,"per":"token","fired":2}]}"#)
        expectEqual(forAll.lines.last?.contains(" 2 in all "), true)
        for (share, text) in [("1", "always"), ("0.2", "20%"), ("0.125", "12.5%"), ("0", "0%")] {
            let lines = shown(.added, #"{"faults":[{"id":1,"chance":\#(share)}]}"#).lines
            expectEqual(lines.last?.split(separator: " ").dropFirst(5).first.map { String($0) }, text)
        }
    }

    @Test(
        "The clock is one sentence, and what a move did another",
        arguments: [
            (#"{"mode":"real","scale":1,"now":"T"}"#, ["real, now T"]),
            (#"{"mode":"scaled","scale":10,"now":"T"}"#, ["scaled by 10, now T"]),
            (#"{"mode":"frozen","scale":0,"now":"T","ran":["reply"]}"#, ["frozen at T", "ran: reply"]),
            (#"{"mode":"frozen","now":"T","ran":[]}"#, ["frozen at T", "nothing was due"]),
            (
                #"{"mode":"frozen","now":"T","idle":true}"#,
                ["frozen at T", "idle: no script has a step left"]
            ),
            (
                #"{"mode":"frozen","now":"T","idle":false}"#,
                ["frozen at T", "not idle: there is more to come"]
            ),
        ] as [(String, [String])])
    func clock(body: String, lines: [String]) {
        expectEqual(shown(.clock, body).lines, lines)
    }

    @Test("Timers are a table in the order of the server")
    func timers() {
        let body = #"""
            {"timers":[{"id":"7f","name":"reply","session":"s-1","dueIn":"1.5s","due":"2026-01-01T12:00:00.000Z",
            "script":true},{"name":"idle","session":null,"dueIn":"10m","due":"x","script":false}]}
            """#
        expectEqual(
            shown(.timers, body).lines.joined(separator: "\n"),
            """
              IN  DUE           SESSION  SCRIPT  ID  TIMER
            1.5s  12:00:00.000  s-1      yes     7f  reply
             10m  x             -        no      -   idle
            """)
    }

    @Test("A row of the wire is one line with what matters of it")
    func wire() {
        let body = #"""
            {"rows":[{"n":12,"t":"x","mt":"2026-01-01T12:00:00.000Z","dir":"in","kind":"ws","session":"0123456789",
            "type":"USER_MESSAGE","size":40,"raw":"{\"payload\":{\"text\":\"Hi\"}}"},
            {"n":13,"mt":"2026-01-01T12:00:00.300Z","dir":"out","kind":"rest","type":"POST /api/v1/sessions",
            "size":0,"status":401,"lat":2.5,"fault":"refuse","flags":["error"]}],"last":13,"dropped":1}
            """#
        let answer = shown(.wire, body)
        expectEqual(
            answer.lines.joined(separator: "\n"),
            """
                12  12:00:00.000  in   ws       01234567  USER_MESSAGE  40 B  "Hi"
                13  12:00:00.300  out  rest     -         POST /api/v1/sessions  401  2.5 ms  fault refuse  [error]
            """)
        expectEqual(answer.talk, ["1 older row no longer kept"])
        expectEqual(shown(.waited, #"{"rows":[]}"#).talk, ["no row"])
    }

    @Test("What nobody answered comes with its report, violations with their rule")
    func findings() {
        let unmatched = #"""
            {"unmatched":[{"number":1,"kind":"message","time":"2026-01-01T12:00:00.000Z","session":"s-1",
            "text":"resevation","report":"Nothing heard it.\nNear: book"}],"policy":"warn"}
            """#
        expectEqual(
            shown(.unmatched, unmatched),
            ToolAnswer(
                lines: [
                    #"1  12:00:00.000  s-1  message  "resevation""#, "    Nothing heard it.",
                    "    Near: book",
                ], talk: ["policy: warn"]))
        #expect(
            ControlVerb.forSeveral.allSatisfy {
                Help.text(about: $0)?.contains("; may be repeated") == true
            })
        let violations = #"""
            {"protocolRules":[{"id":"ping-often","title":"Send heartbeats","source":"protocol.md#heartbeat-interval",
            "violations":1}],"violations":[{"protocolRule":"ping-often","session":"s-1","time":"2026-01-01T12:00:00.000Z","message":4,
            "detail":"silent for 90 s"}]}
            """#
        expectEqual(
            shown(.violations, violations).lines.joined(separator: "\n"),
            """
            VIOLATIONS  RULE        SAYS             STATEMENT
                     1  ping-often  Send heartbeats  protocol.md#heartbeat-interval
            12:00:00.000  ping-often  s-1  silent for 90 s
            """)
        expectEqual(
            shown(.violations, violations).talk,
            [
                "the server shows a statement at /docs#/Shared/Docs/protocol.md#heartbeat-interval"
            ])
    }

    @Test("Small answers are sentences")
    func sentences() {
        expectEqual(shown(.pushed, #"{"sequences":[5,6]}"#).talk, ["sent as entries 5, 6"])
        expectEqual(shown(.pushed, #"{"sequences":[]}"#).talk, ["sent; nothing is added to the journal"])
        expectEqual(
            shown(.imported, #"{"imported":2,"session":"imported-1"}"#).lines,
            [
                "2 rows imported as imported-1"
            ])
        expectEqual(shown(.ended, "{}").talk, ["the session has ended"])
        expectEqual(shown(.done("all gone"), "{}"), ToolAnswer(talk: ["all gone"]))
        expectEqual(shown(.text, "a 1\nb 2\n").lines, ["a 1", "b 2"])
        expectEqual(
            shown(.health, #"{"status":"ok","uptimeSeconds":3}"#).lines,
            [
                "status         ok", "uptimeSeconds  3",
            ])
        expectEqual(shown(.health, "not JSON").lines, ["not JSON"])
        expectEqual(shown(.tried, #"{"heard":true,"report":null}"#).lines, ["heard  yes"])
        expectEqual(shown(.tried, #"{"heard":false,"report":"a\nb"}"#).lines, ["a", "b"])
        expectEqual(shown(.reloaded, #"{"news":[]}"#).talk, ["nothing has changed"])
        expectEqual(shown(.reloaded, #"{"news":[{"what":"reloaded","name":"b"}]}"#).lines, ["reloaded  b"])
    }

    @Test("A fixture is shown with what it is about, or with its title")
    func fixtures() {
        let body = #"""
            {"fixtures":[{"name":"booking","title":"B","about":"Takes a table.","file":null,"default":true},
            {"name":"mine","title":"Mine","about":null,"file":"m.json5","default":false}]}
            """#
        expectEqual(
            shown(.fixtures, body).lines.joined(separator: "\n"),
            """
            FIXTURE  DEFAULT  FILE     ABOUT
            booking  yes      -        Takes a table.
            mine     no       m.json5  Mine
            """)
        let broken = #"""
            {"fixtures":[{"name":"a","title":null,"about":null,"error":"a.json5:1:2: error: x\n  fix: y","file":null},
            {"name":"b","title":"B","about":"","error":"b.json5:3:4: error: z","file":"b.json5"}]}
            """#
        let answer = shown(.fixtures, broken)
        expectEqual(answer.lines.map { $0.contains("HAS ERRORS") }, [false, true, true])
        expectEqual(answer.talk, ["a: a.json5:1:2: error: x", "b: b.json5:3:4: error: z"])
    }

    @Test("A long cell is cut, a line stays one line, and a table without rows is nothing")
    func table() {
        var table = TextTable(columns: [.init("A"), .init("B")])
        #expect(table.lines.isEmpty)
        table.rows = [[String(repeating: "x", count: 70), "two\nlines\tand more"]]
        expectEqual(table.lines[1], String(repeating: "x", count: 59) + "…  two lines and more")
    }

    @Test("JSON keeps its meaning when what could act on a terminal is escaped")
    func harmless() throws {
        let text = "{\"a\":\"x\u{202E}y\u{9B}z\"}\n"
        let safe = ForeignText.json(text)
        expectEqual(safe, "{\"a\":\"x\\u202ey\\u009bz\"}\n")
        expectEqual(ForeignText.marked(safe), safe)
        try expectEqual(JSONReader.read(Array(safe.utf8)), JSONReader.read(Array(text.utf8)))
    }

    @Test(
        "Events read like a conversation",
        arguments: [
            (
                #"{"type":"EVENT_TYPE_SESSION_END","payload":{"reason":"user"}}"#,
                "* the session has ended (user)"
            ),
            (
                #"{"type":"EVENT_TYPE_LIVE_AGENT_JOINED","payload":{"agent":{"name":"Marta"}}}"#,
                "* Marta joined"
            ),
            (
                #"{"type":"EVENT_TYPE_LIVE_AGENT_MESSAGE","payload":{"agent_name":"Marta","text":"Hi"}}"#,
                "Marta: Hi"
            ),
            (
                #"{"type":"EVENT_TYPE_HANDOFF_QUEUE_STATUS","payload":{"queue_name":"A","position_in_queue":3,"#
                    + #""estimated_wait_seconds":45}}"#, "* position 3 in line of A, about 45 s"
            ),
            (
                #"{"type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":{"text":"See","attachments":[{"title":"M","#
                    + #""content_url":"http://m"}],"chat_call_actions":[{"title":"D","contact_number":"1"}]}}"#,
                "Agent: See [M: http://m] [D: call 1]"
            ),
            (
                #"{"type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":{"text":"See","attachments":[{"title":"M","#
                    + #""content_url":"data:image/png;base64,iVBORw0KGgo="}]}}"#,
                "Agent: See [M: data:image/png;base64,…]"
            ),
            (
                #"{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{}}"#,
                "* the client asks for the agent"
            ), (#"{"type":"EVENT_TYPE_NEW","payload":{"a":1}}"#, #"* NEW {"a":1}"#), ("{}", "*  null"),
        ] as [(String, String)])
    func events(event: String, line: String) throws {
        var text = EventText()
        expectEqual(text.line(try JSONReader.read(Array(event.utf8))), line)
    }

    @Test("Entries that have words of their own read the same way, pieces as one line")
    func ownWords() throws {
        var text = EventText()
        func line(_ entry: String) throws -> String? {
            text.line(ofEntry: try JSONReader.read(Array(entry.utf8)))
        }
        try expectEqual(
            line(#"{"kind":"liveAgentJoined","name":"Maria","event":{}}"#),
            "* live agent joined (Maria)")
        try expectEqual(line(#"{"kind":"userMessage","speaker":"user","text":"Hi"}"#), "User: Hi")
        try expectEqual(
            line(#"{"kind":"liveAgentMessage","speaker":"live-agent","name":"Maria","text":"Hi"}"#),
            "Maria: Hi")
        try expectEqual(
            line(#"{"kind":"agentMessage","speaker":"agent","message":"m","text":"Hi"}"#), "Agent: Hi")
        let piece = #"{"kind":"agentChunk","speaker":"agent","message":"m","#
        try expectEqual(line(piece + #""text":"Hello ","isComplete":false}"#), nil)
        try expectEqual(line(piece + #""text":"there","isComplete":true}"#), "Agent: Hello there")
        try expectEqual(line(#"{"event":{"type":"EVENT_TYPE_POLY_AGENT_THINKING"}}"#), "* the agent thinks")
    }
}
