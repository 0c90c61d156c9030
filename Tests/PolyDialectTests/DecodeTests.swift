import ConversationEngine
import DialectKit
import Expectations
import PolyDialect
import Testing

@Suite("Events of clients in the engine's words")
struct DecodeTests {
    private func decode(_ text: String, _ options: PolyOptions = PolyOptions()) -> Decoded {
        Exchange(options).dialect.encoder.decode(text: Array(text.utf8))
    }

    @Test(
        "Allowed events become words",
        arguments: [
            (#"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":" "}}"#, .say(" ")),
            (
                #"{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"TYPING_STATE_STOPPED"}}"#,
                .typing(.stopped)
            ),
            (#"{"type":"EVENT_TYPE_USER_END_SESSION"}"#, .end),
            (#"{"type":"EVENT_TYPE_HEARTBEAT"}"#, .heartbeat),
            (
                #"{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{"greeting_message":"x"}}"#,
                .join(greeting: "x")
            ),
        ] as [(String, ClientInput.Word)])
    func allowed(_ text: String, _ word: ClientInput.Word) {
        let decoded = decode(text)
        #expect(decoded.input == ClientInput(word) && decoded.fault == nil && decoded.note == nil)
    }

    @Test(
        "Unknown event type or invalid message format: a note tells the developer which",
        arguments: [
            ("not json", "poly: event refused: not JSON at byte 1: a character that cannot stand here"),
            ("[1]", "poly: event refused: it is not a JSON object"),
            (#"{"payload":{}}"#, #"poly: event refused: "type" is missing or not a string"#),
            (
                #"{"type":"EVENT_TYPE_CUSTOM"}"#,
                #"poly: event refused: no type is called "EVENT_TYPE_CUSTOM""#
            ),
            (
                #"{"type":"EVENT_TYPE_USER_MESSAGE"}"#,
                #"poly: event refused: "payload" of EVENT_TYPE_USER_MESSAGE needs a string "text""#
            ),
            (
                #"{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"?"}}"#,
                #"poly: event refused: "payload" needs a "state" of TYPING_STATE_STARTED or _STOPPED"#
            ),
        ] as [(String, String)])
    func unknownEvent(_ text: String, _ note: String) {
        let decoded = decode(text)
        #expect(decoded.input == ClientInput(.refused(.unknownEvent, detail: nil)) && decoded.note == note)
        #expect(decoded.fault != nil && decoded.fault != .serverOnly)
    }

    @Test("Event type not allowed: the type is named and the metadata kept")
    func eventNotAllowed() {
        let text = #"{"type":"EVENT_TYPE_POLY_AGENT_MESSAGE","metadata":{"custom":{"tag":"x"}}}"#
        let word = ClientInput.Word.refused(.eventNotAllowed, detail: "EVENT_TYPE_POLY_AGENT_MESSAGE")
        let decoded = decode(text)
        expectEqual(decoded.input, ClientInput(word, metadata: #"{"tag":"x"}"#))
        #expect(decoded.fault == .serverOnly && decoded.type == "POLY_AGENT_MESSAGE")
    }

    /// protocol.md#text-frames
    @Test("A binary message is an invalid format")
    func binary() {
        var output = EncoderOutput()
        let decoded = Exchange().dialect.encoder(of: "s").receive(
            [1], isText: false, from: .none, at: WireCase.time, into: &output)
        expectEqual(decoded.input, ClientInput(.refused(.unknownEvent, detail: nil)))
    }

    @Test("The voice product's event is refused, or passed over on request")
    func voiceLink() {
        let text = #"{"type":"EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION","payload":{"call_sid":"1"}}"#
        let refused = ClientInput.Word.refused(
            .eventNotAllowed, detail: "EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION")
        expectEqual(decode(text).input.word, refused)
        expectEqual(decode(text, PolyOptions { $0.replies.acceptsVoiceLink = true }).input.word, .ignored)
    }

    /// protocol.md#metadata-strings
    @Test("Custom metadata that clients will discard is passed on, with a warning")
    func mixedMetadata() {
        let decoded = decode(#"{"type":"EVENT_TYPE_HEARTBEAT","metadata":{"custom":{"a":"1","b":2}}}"#)
        expectEqual(decoded.input, ClientInput(.heartbeat, metadata: #"{"a":"1","b":2}"#))
        expectEqual(decoded.note?.contains("not a string"), true)
    }
}
