import Clocks
import Expectations
import PolyDialect
import Testing

@testable import Timeline

@Suite("Names and near misses in filters")
struct FilterNameTests {
    private static let rowTypes: [String] = [
        "USER_MESSAGE", "POLY_AGENT_MESSAGE", "POLY_AGENT_MESSAGE_CHUNK", "LIVE_AGENT_MESSAGE",
        "HANDOFF_ACCEPTED", "HANDOFF_QUEUE_STATUS", "POLY_AGENT_TRIGGERED_HANDOFF", "CLIENT_HANDOFF_REQUIRED",
        "POST /api/v1/sessions", "GET /ws", "small-talk",
    ]

    private static func row(_ change: (inout Row) -> Void) -> Row {
        var row = Row(time: Samples.start, direction: .outbound, kind: .ws, reading: PolyDialect.reading)
        change(&row)
        return row
    }

    @Test(
        "A type is a whole name, words at its end or beginning, or a form with stars",
        arguments: [
            ("USER_MESSAGE", ["USER_MESSAGE"]), ("user_message", ["USER_MESSAGE"]),
            ("EVENT_TYPE_USER_MESSAGE", ["USER_MESSAGE"]),
            ("POLY_AGENT_MESSAGE", ["POLY_AGENT_MESSAGE"]),
            ("AGENT_MESSAGE", ["POLY_AGENT_MESSAGE", "LIVE_AGENT_MESSAGE"]),
            ("MESSAGE", ["USER_MESSAGE", "POLY_AGENT_MESSAGE", "LIVE_AGENT_MESSAGE"]),
            ("*_MESSAGE", ["USER_MESSAGE", "POLY_AGENT_MESSAGE", "LIVE_AGENT_MESSAGE"]),
            (
                "*MESSAGE*",
                ["USER_MESSAGE", "POLY_AGENT_MESSAGE", "POLY_AGENT_MESSAGE_CHUNK", "LIVE_AGENT_MESSAGE"]
            ),
            ("HANDOFF_*", ["HANDOFF_ACCEPTED", "HANDOFF_QUEUE_STATUS"]),
            ("HANDOFF", ["HANDOFF_ACCEPTED", "HANDOFF_QUEUE_STATUS", "POLY_AGENT_TRIGGERED_HANDOFF"]),
            (
                "*HANDOFF*",
                [
                    "HANDOFF_ACCEPTED", "HANDOFF_QUEUE_STATUS", "POLY_AGENT_TRIGGERED_HANDOFF",
                    "CLIENT_HANDOFF_REQUIRED",
                ]
            ),
            ("P*A*E", ["POLY_AGENT_MESSAGE"]),
            ("*A*A*C*", ["POLY_AGENT_MESSAGE_CHUNK", "HANDOFF_ACCEPTED"]),
            ("POST", ["POST /api/v1/sessions"]), ("sessions", ["POST /api/v1/sessions"]),
            ("POST*sessions", ["POST /api/v1/sessions"]), ("\"GET /ws\"", ["GET /ws"]), ("\"GET\"", []),
            ("talk", ["small-talk"]), ("SSAGE", []), ("*", rowTypes), ("**", rowTypes), ("MESSAGE*", []),
            ("\"*\"", []),
        ] as [(String, [String])])
    func typeNames(_ value: String, _ taken: [String]) throws {
        let filter = try Samples.filter("type:\(value)")
        let found = Self.rowTypes.filter { type in
            filter.matches(Self.row { $0.type = type }, now: Samples.start)
        }
        expectEqual(found, taken)
    }

    @Test(
        "Stars stand for anything in ids, text and values of JSON, and for themselves in quotes",
        arguments: [
            ("rule:*talk", "small-talk", "small-talks"), ("rule:SMALL", "small-talk", "not-small"),
            ("rule:\"small\"", "small", "Small"), ("rule:s*-*k", "small-talk", "small_talk"),
        ] as [(String, String, String)])
    func idNames(_ text: String, _ taken: String, _ other: String) throws {
        let filter = try Samples.filter(text)
        #expect(filter.matches(Self.row { $0.rule = taken }, now: Samples.start))
        #expect(!filter.matches(Self.row { $0.rule = other }, now: Samples.start))
    }

    @Test(
        "Stars in text and in values of JSON",
        arguments: [
            ("order*42", "my Order no. 42", "42, order"), ("HANDOFF_*", "a HANDOFF_FAILED", "HANDOFF"),
            ("\"a*b\"", "an a*b", "a-b"), ("*", "anything", nil),
            ("$.text=*table*", #"{"text":"a table, please"}"#, #"{"text":"a chair"}"#),
            ("$.text=\"*\"", #"{"text":"*"}"#, #"{"text":"x"}"#),
            ("$.text!=*able*", #"{"text":"a chair"}"#, #"{"text":"tables"}"#),
            ("$.text=A*", #"{"text":"Ab"}"#, #"{"text":"ab"}"#),
        ] as [(String, String, String?)])
    func wildTexts(_ text: String, _ taken: String, _ other: String?) throws {
        let filter = try Samples.filter(text)
        #expect(filter.matches(Self.row { $0.raw = Array(taken.utf8) }, now: Samples.start))
        guard let other else { return }
        #expect(!filter.matches(Self.row { $0.raw = Array(other.utf8) }, now: Samples.start))
    }

    @Test("session:last is a session that the caller names; in quotes it is an id")
    func newestSession() throws {
        let named = try Samples.filter("dir:out session:last,s-1").naming(last: "s-2")
        for (session, isTaken) in [("s-2", true), ("s-20", false), ("s-1", true), ("last", false)] {
            expectEqual(named.matches(Self.row { $0.session = session }, now: Samples.start), isTaken)
        }
        #expect(try Samples.filter("session:last").namesLastSession)
        #expect(try !Samples.filter("session:\"last\" rule:last last").namesLastSession)
    }

    @Test("A filter comes apart into its terms as they were written")
    func comesApart() throws {
        let parts = try Samples.filter(#"/a b/i  type:CHUNK -"x y" dir:in"#).parts
        expectEqual(parts.map(\.text), ["/a b/i", "type:CHUNK", #"-"x y""#, "dir:in"])
        #expect(!parts[2].matches(Self.row { $0.raw = Array("x y".utf8) }, now: Samples.start))
    }

    @Test(
        "A name that nothing has is answered with the likely spelling",
        arguments: [
            ("type:USER_MESAGE", "nothing here is called USER_MESAGE; did you mean type:USER_MESSAGE?"),
            ("dir:in type:*_MESAGE", "nothing here is called *_MESAGE; did you mean type:*_MESSAGE?"),
            ("type:HANDOFFF_*", "nothing here is called HANDOFFF_*; did you mean type:HANDOFF_*?"),
            ("type:CHUNKS,USER_MESSAGE", "nothing here is called CHUNKS; did you mean type:CHUNK?"),
            ("type:qqqqqqqq", "nothing here is called qqqqqqqq"),
            ("type:\"GET /wss\"", "nothing here is called GET /wss; did you mean type:\"GET /ws\"?"),
            ("rule:gret", "no rule here is called gret; did you mean rule:greet?"),
            ("fault:tunel", "no fault here is called tunel; did you mean fault:tunnel?"),
            ("session:zz", "no session here is called zz"), ("corr:zz", "nothing here has the id zz"),
            ("dir=in", "the text dir=in is nowhere here; did you mean dir:in?"),
            ("USER_MESAGE", "the text USER_MESAGE is nowhere here; did you mean type:USER_MESSAGE?"),
            // Known, seen, or anything.
            ("type:SHOW_CSAT_REQUEST", nil), ("type:HANDOFF", nil), ("rule:greet dir:in", nil), ("a=b", nil),
            ("-type:NO_SUCH", nil), ("session:last", nil), ("NOTHING", nil), ("", nil),
        ] as [(String, String?)])
    func nearMisses(_ text: String, _ hint: String?) throws {
        var timeline = Timeline()
        for row in Samples.talk { timeline.append(row) }
        timeline.append(Self.row { ($0.type, $0.rule) = ("greet", "greet") })
        timeline.append(Self.row { ($0.type, $0.fault) = ("tunnel", "tunnel") })
        try expectEqual(Samples.filter(text).hint(among: timeline), hint)
    }

    @Test("A hint among no rows knows the names of events")
    func emptyTimeline() throws {
        try expectEqual(
            Samples.filter("type:HARTBEAT").hint(among: Timeline()),
            "nothing here is called HARTBEAT; did you mean type:HEARTBEAT?")
    }
}
