import Expectations
import MessagingWire
import Testing
import Texts

/// protocol.md#client-envelope
@Suite("Events of clients")
struct ClientEventTests {
    private func read(_ text: String) -> ClientEvent { ClientEventReader.read(Array(text.utf8)) }

    /// protocol.md#event-request-poly-agent-join, protocol.md#event-user-message,
    /// protocol.md#event-user-typing, protocol.md#event-user-end-session, protocol.md#event-heartbeat
    @Test(
        "The five allowed types are read",
        arguments: [
            (#"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"Hi \u00e9"}}"#, .message(text: "Hi é")),
            (#"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":""}}"#, .message(text: "")),
            (
                #"{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"TYPING_STATE_STARTED"}}"#,
                .typing(isStarted: true)
            ),
            (
                #"{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"TYPING_STATE_STOPPED"}}"#,
                .typing(isStarted: false)
            ),
            (#"{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{}}"#, .join(greeting: nil)),
            (
                #"{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{"greeting_message":"Ahoy"}}"#,
                .join(greeting: "Ahoy")
            ),
            (#"{"type":"EVENT_TYPE_USER_END_SESSION","payload":{}}"#, .end),
            (#"{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}"#, .heartbeat),
        ] as [(String, ClientEvent.Content)])
    func allowed(_ text: String, _ content: ClientEvent.Content) {
        expectEqual(read(text), ClientEvent(content))
    }

    @Test(
        "The types without fields take any payload",
        arguments: [
            "", #","payload":null"#, #","payload":[1]"#, #","payload":"x""#, #","payload":{"a":{"b":1}}"#,
        ] as [String])
    func anyPayload(_ payload: String) {
        expectEqual(read(#"{"type":"EVENT_TYPE_HEARTBEAT"\#(payload)}"#).content, .heartbeat)
        expectEqual(read(#"{"type":"EVENT_TYPE_USER_END_SESSION"\#(payload)}"#).content, .end)
        expectEqual(
            read(#"{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN"\#(payload)}"#).content, .join(greeting: nil)
        )
    }

    /// protocol.md#client-payloads
    @Test(
        "A message needs an object with a string text",
        arguments: [
            "", #","payload":null"#, #","payload":[]"#, #","payload":{}"#, #","payload":{"text":null}"#,
            #","payload":{"text":5}"#, #","payload":{"text":{"text":"x"}}"#, #","payload":{"Text":"x"}"#,
            #","payload":{"text":"a"},"payload":{}"#,
        ] as [String])
    func badMessage(_ payload: String) {
        let event = read(#"{"type":"EVENT_TYPE_USER_MESSAGE"\#(payload),"metadata":{"custom":{"k":"v"}}}"#)
        expectEqual(event.content, .malformed(.badPayload(.userMessage)))
        expectEqual(event.customMetadata, #"{"k":"v"}"#, "metadata is kept when it could be read")
    }

    /// protocol.md#client-payloads
    @Test(
        "A typing event needs one of two states",
        arguments: ["", #","payload":{}"#, #","payload":{"state":"STARTED"}"#, #","payload":{"state":1}"#]
            as [String])
    func badTyping(_ payload: String) {
        expectEqual(
            read(#"{"type":"EVENT_TYPE_USER_TYPING"\#(payload)}"#).content,
            .malformed(.badPayload(.userTyping)))
    }

    /// protocol.md#event-request-poly-agent-join-with-greeting-message, protocol.md#event-csat-response
    @Test(
        "Every other type of the catalogue is known and not allowed",
        arguments: EventType.allCases.filter {
            !allowedFromClients.contains($0) && $0 != .messageChanged
        })
    func notAllowed(_ type: EventType) {
        let event = read(#"{"type":"\#(type.rawValue)","metadata":{"custom":{"tag":"x"}}}"#)
        expectEqual(event.content, .notAllowed(type))
        expectEqual(event.customMetadata, #"{"tag":"x"}"#)
    }

    /// protocol.md#allowed-types
    @Test("The catalogue has 37 types, one of them ours")
    func count() {
        expectEqual(EventType.allCases.count, 37)
    }

    /// protocol.md#known-types
    @Test(
        "Types are case-sensitive and not trimmed",
        arguments: ["EVENT_TYPE_CUSTOM", "event_type_heartbeat", " EVENT_TYPE_HEARTBEAT", ""] as [String])
    func unknown(_ type: String) {
        expectEqual(read(#"{"type":"\#(type)","payload":{}}"#).content, .unknown(type: type))
    }

    @Test(
        "What is no event says why",
        arguments: [
            ("not json", .json(JSONError(.unexpectedByte, at: 1))),
            ("", .json(JSONError(.unexpectedEnd, at: 0))),
            ("[]", .notAnObject), ("\"x\"", .notAnObject), ("17", .notAnObject), ("null", .notAnObject),
            ("{}", .noType), (#"{"type":null}"#, .noType), (#"{"type":{"type":"x"}}"#, .noType),
            (#"{"type":"EVENT_TYPE_HEARTBEAT"} x"#, .json(JSONError(.trailingBytes, at: 32))),
            (#"{"type":"EVENT_TYPE_HEARTBEAT","payload":{"a":01}}"#, .json(JSONError(.badNumber, at: 46))),
            (#"{"type":"EVENT_TYPE_HEARTBEAT","payload":{"a":1e999}}"#, .json(JSONError(.badNumber, at: 46))),
        ] as [(String, ClientEvent.Fault)])
    func malformed(_ text: String, _ fault: ClientEvent.Fault) {
        expectEqual(read(text).content, .malformed(fault))
    }

    @Test(
        "A number beyond a double is refused wherever it stands: clients could not read what is passed on",
        arguments: ["1e999", "-1E+400", "1" + String(repeating: "0", count: 309), "9.9e308"] as [String])
    func numberBeyondDouble(_ number: String) {
        let text = #"{"type":"EVENT_TYPE_USER_END_SESSION","metadata":{"custom":{"n":\#(number)}}}"#
        expectEqual(read(text).content, .malformed(.json(JSONError(.badNumber, at: 64))))
        #expect(throws: JSONError(.badNumber, at: 64)) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test(
        "A number within a double is passed on as it was written",
        arguments: ["1e308", "0.5", "1e-999"] as [String])
    func numberWithinDouble(_ number: String) {
        let event = read(#"{"type":"EVENT_TYPE_USER_END_SESSION","metadata":{"custom":{"n":\#(number)}}}"#)
        expectEqual(event.customMetadata, #"{"n":\#(number)}"#)
    }

    @Test("Members may come in any order, with white space, escapes in names, and unknown ones between")
    func order() {
        let text = """
            { "metadata" : { "x": [1,{"custom":2}], "custom" : { "local_id" : "7B" , "n" : "\\u0041" } },
              "id": "mine", "sequence": 9, "payload" : { "extra": {"text": "no"}, "t\\u0065xt" : "yes" },
              "\\u0074ype" : "EVENT_TYPE_USER_\\u004dESSAGE" }
            """
        let event = read(text)
        expectEqual(event.content, .message(text: "yes"))
        expectEqual(event.customMetadata, #"{ "local_id" : "7B" , "n" : "\u0041" }"#)
        #expect(event.isMetadataPlain)
        expectEqual(event.localID, "7B")
    }

    /// protocol.md#local-id
    @Test(
        "The client's own id is the last local_id of the last custom object, when it is a string",
        arguments: [
            (#"{"custom":{"local_id":"a","local_id":"b"}}"#, "b"),
            (#"{"custom":{"local_id":"a"},"custom":{"n":"1"}}"#, nil),
            (#"{"custom":{"local_id":"a","local_id":7}}"#, nil), (#"{"local_id":"a"}"#, nil),
            (#"{"custom":{"local_id":"\u0041\"","n":{"local_id":"c"}}}"#, "A\""),
            (#"{"custom":"local_id"}"#, nil),
        ] as [(String, String?)])
    func localID(metadata: String, expected: String?) {
        #expect(read(#"{"type":"EVENT_TYPE_HEARTBEAT","metadata":\#(metadata)}"#).localID == expected?[...])
    }

    /// protocol.md#metadata-strings
    @Test(
        "Custom metadata is kept letter for letter; values that are no strings are noticed",
        arguments: [
            (#"{"custom":{}}"#, "{}", true), (#"{"custom":{"a":"1","b":2}}"#, #"{"a":"1","b":2}"#, false),
            (#"{"custom":{"a":{"b":"c"}}}"#, #"{"a":{"b":"c"}}"#, false), (#"{"custom":null}"#, nil, true),
            (#"{"custom":"x"}"#, nil, true), (#"{}"#, nil, true), ("null", nil, true), ("[]", nil, true),
            (#"{"custom":{"a":1},"custom":{"b":"2"}}"#, #"{"b":"2"}"#, true),
        ] as [(String, String?, Bool)])
    func metadata(_ metadata: String, _ custom: String?, _ isPlain: Bool) {
        let event = read(#"{"type":"EVENT_TYPE_HEARTBEAT","payload":{},"metadata":\#(metadata)}"#)
        expectEqual(event, ClientEvent(.heartbeat, customMetadata: custom, isMetadataPlain: isPlain))
    }

    @Test("An event cut at any byte is malformed")
    func cut() {
        let text = Array(
            #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"é😀\ud83d\ude00"},"metadata":{"custom":{"a":"b"}}}"#
                .utf8)
        for count in 0..<text.count {
            guard case .malformed(.json) = ClientEventReader.read(Array(text[..<count])).content else {
                Issue.record("accepted \(count) bytes")
                continue
            }
        }
    }

    @Test("A name followed by NUL is no name, however long it is", arguments: 1...8)
    func namesWithNUL(count: Int) {
        let nul = String(repeating: "\0", count: count)
        for name in ["type", "payload", "metadata"] {
            let members = [("type", #""EVENT_TYPE_HEARTBEAT""#), ("payload", "{}"), ("metadata", "{}")]
            let texts = members.map { #""\#($0 == name ? $0 + nul : $0)":\#($1)"# }
            let event = read("{" + texts.joined(separator: ",") + "}")
            guard case .malformed(.json) = event.content else {
                Issue.record("\(name) with \(count): \(event)")
                continue
            }
        }
    }

    @Test("Too deep and too long events are malformed")
    func limits() {
        let deep = #"{"type":"EVENT_TYPE_HEARTBEAT","payload":{"a":"# + String(repeating: "[", count: 70)
        expectEqual(read(deep).content, .malformed(.json(JSONError(.tooDeep, at: 46 + 62))))
        let event = ClientEventReader.read(Array("{}   ".utf8), maxBytes: 4)
        expectEqual(event.content, .malformed(.json(JSONError(.tooLong, at: 4))))
    }

    @Test(
        "What a client writes is read back",
        arguments: [
            .message(text: "Zwei \"Tische\"\n😀"), .typing(isStarted: true), .typing(isStarted: false), .end,
            .heartbeat, .join(greeting: nil), .join(greeting: "Ahoy"),
        ] as [ClientEvent.Content])
    func roundTrip(_ content: ClientEvent.Content) {
        var bytes: [UInt8] = []
        ClientEvent.write(content, custom: [("local_id", "7B\"")], into: &bytes)
        expectEqual(
            ClientEventReader.read(bytes),
            ClientEvent(content, customMetadata: #"{"local_id":"7B\""}"#, localID: "7B\""))
        bytes = []
        ClientEvent.write(content, into: &bytes)
        expectEqual(ClientEventReader.read(bytes), ClientEvent(content))
    }

    @Test("A heartbeat is written with an empty payload and no metadata")
    func written() {
        var bytes: [UInt8] = []
        ClientEvent.write(.heartbeat, into: &bytes)
        expectEqual(String(decoding: bytes, as: UTF8.self), #"{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}"#)
    }
}

private let allowedFromClients: Set<EventType> = [
    .joinRequest, .userMessage, .userTyping, .userEndSession, .heartbeat,
]
