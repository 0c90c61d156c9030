import Clocks
import Fixtures
import MockKit
import PolyDialect
import Texts
import Timeline

/// Recorded conversations, from HAR or rows to a fixture.
enum LifterEntries {
    /// What a server or a client of the Messaging API sends: "<" for the client, the type, the payload. `$` is a
    /// text, `#` a digit.
    private static let events = [
        #"<USER_MESSAGE {"text":$}"#, #">USER_MESSAGE {"message_id":"u#","text":$}"#,
        #">SESSION_START {"capabilities":{"streaming":true,"heartbeat_interval_seconds":#}}"#,
        #">POLY_AGENT_JOINED {"agent_name":$,"agent_avatar_url":$}"#, ">POLY_AGENT_THINKING {}",
        #">POLY_AGENT_MESSAGE {"message_id":"m#","text":$,"response_suggestions":[{"message_text":$}]}"#,
        #">POLY_AGENT_MESSAGE_CHUNK {"message_id":"m#","chunk_index":#,"is_complete":false,"text":$}"#,
        #">POLY_AGENT_MESSAGE_CHUNK {"message_id":"m#","chunk_index":#,"is_complete":true,"text":$}"#,
        #">POLY_AGENT_MESSAGE {"message_id":"m#","text":"","attachments":[{"content_url":$,"title":$}]}"#,
        #">POLY_AGENT_LEFT {"reason":$}"#, ">POLY_AGENT_TRIGGERED_HANDOFF {}",
        #">CLIENT_HANDOFF_REQUIRED {"reason":$,"queue_name":$,"route":$}"#,
        #">HANDOFF_ACCEPTED {"queue_name":$}"#,
        #">HANDOFF_QUEUE_STATUS {"queue_name":$,"position_in_queue":#,"estimated_wait_seconds":#}"#,
        #">HANDOFF_FAILED {"reason":$}"#, #">HANDOFF_TIMEOUT {"reason":$}"#,
        #">LIVE_AGENT_JOINED {"agent":{"id":"a#","name":$,"avatar_url":$}}"#,
        #">LIVE_AGENT_TYPING {"state":"TYPING_STATE_STARTED","agent_id":"a#","agent_name":$}"#,
        #">LIVE_AGENT_MESSAGE {"message_id":"m#","text":$,"agent_id":"a#"}"#,
        #">LIVE_AGENT_LEFT {"agent_id":"a#","agent_name":$,"reason":$}"#,
        #">SYSTEM_MESSAGE {"level":"SYSTEM_MESSAGE_LEVEL_ERROR","message":$}"#,
        #">LANGUAGE_CHANGED {"language_code":$}"#, ">SESSION_IDLE_WARNING {}",
        #">SESSION_END {"reason":"REASON_NATURAL_END"}"#, #">POLY_AGENT_READ_MESSAGE {"message_id":"u#"}"#,
        #">SHOW_CSAT_REQUEST {"title":$,"question":$}"#, #">UNHEARD_OF {"id":"x#","text":$}"#,
        ">USER_END_SESSION {}",
    ]
    /// Items of Amazon Connect: role, type, content type after its common beginning, and whether it has a content.
    private static let items = [
        "CUSTOMER MESSAGE text/plain", "SYSTEM MESSAGE text/plain", "AGENT MESSAGE text/markdown",
        "SYSTEM MESSAGE application/vnd.amazonaws.connect.message.interactive",
        "CUSTOM_BOT MESSAGE text/plain", "AGENT EVENT typing", "SYSTEM EVENT typing",
        "AGENT EVENT participant.joined",
        "AGENT EVENT participant.invited", "AGENT EVENT participant.left",
        "CUSTOMER EVENT participant.joined",
        "CUSTOMER EVENT participant.left", "SYSTEM EVENT chat.ended", "SYSTEM EVENT transfer.succeeded",
        "AGENT EVENT message.read", "SYSTEM EVENT participant.idle",
    ]
    static let words = [
        "\n", "hello", "{", "}", "*", "exactly:", "https://a.b/c", "data:text/plain,x", "\u{202E}", "\\",
        "en",
    ]

    /// Whatever was recorded becomes a fixture that loads.
    static func lifter(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let choice = input.control()
        var time = Instant(secondsSince1970: 1_768_469_400)
        var rows: [Row] = []
        while !input.isAtEnd, rows.count < 30 {
            time = time + .milliseconds(1 << (input.control() & 15))
            let text =
                choice & 1 == 0 ? event(&input, rows.count) : item(&input, rows.count)
            let isInbound = text.hasPrefix("<")
            let raw = Array(text.utf8.dropFirst())
            rows.append(
                Row(
                    number: UInt64(rows.count) + 1, time: time, direction: isInbound ? .inbound : .outbound,
                    kind: .ws,
                    session: "s", socket: 1, raw: raw, reading: PolyDialect.reading))
        }
        let info = ExportInfo(exportedAt: time, version: "1")
        let file =
            choice & 2 == 0
            ? TimelineExport.jsonLines(rows, info: info) : TimelineExport.har(rows, info: info)
        return try lifted(file)
    }

    /// Entries of a HAR file, in place of what stands between its brackets.
    static func har(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let file = Array(#"{"log":{"entries":["#.utf8) + bytes + Array("]}}".utf8)
        _ = try TimelineEntries.imports(file)
        return try lifted(file)
    }

    private static func lifted(_ file: [UInt8]) throws(BrokenRule) -> Trait {
        let text: String
        do {
            guard let made = try RunRecorder(.standardInput).fixture(of: file) else { return Trait("runs") }
            text = made
        } catch {
            let words = "\(error)"
            try require(!words.isEmpty, "refused without words")
            return Trait("refused", String(words.suffix(24)))
        }
        let found = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "r.json5", name: "r").findings
        let errors = found.filter { $0.severity == .error }
        try require(errors.isEmpty, "the fixture does not load: \(errors.first?.message ?? "")")
        var trait = Trait("lifted")
        for finding in found { trait.add("\(finding.code)") }
        trait.add(roughly: text.utf8.count)
        return trait
    }

    private static func event(_ input: inout FuzzInput, _ number: Int) -> String {
        let form = events[(input.control() & 31) % events.count]
        let parts = form.split(separator: " ", maxSplits: 1)
        let payload = parts[1].reduce(into: "") { payload, character in
            switch character {
            case "$": payload += quoted(input.line())
            case "#": payload += String(input.control() & 7)
            default: payload.append(character)
            }
        }
        let type = parts[0].dropFirst()
        let head = parts[0].hasPrefix("<") ? "" : #""id":"e\#(number)","sequence":\#(number + 1),"#
        return #"\#(form.prefix(1)){\#(head)"type":"EVENT_TYPE_\#(type)","payload":\#(payload)}"#
    }

    private static func item(_ input: inout FuzzInput, _ number: Int) -> String {
        let form = items[(input.control() & 31) % items.count].split(separator: " ").map(String.init)
        let isMessage = form[1] == "MESSAGE"
        let type = isMessage ? form[2] : "application/vnd.amazonaws.connect.event." + form[2]
        let content = isMessage ? #""Content":\#(quoted(input.line())),"# : ""
        let item =
            #"{"AbsoluteTime":"2026-01-15T09:30:00.000Z",\#(content)"ContentType":"\#(type)","Id":"i\#(number)","#
            + #""Type":"\#(form[1])","ParticipantId":"p\#(input.control() & 3)","#
            + #""DisplayName":\#(quoted(input.line())),"#
            + #""ParticipantRole":"\#(form[0])","InitialContactId":"c","ContactId":"c"}"#
        return
            #">{"content":\#(quoted(Array(item.utf8))),"contentType":"application/json","topic":"aws/chat"}"#
    }

    private static func quoted(_ bytes: [UInt8]) -> String {
        String(decoding: JSONWriter.bytes(.string(String(decoding: bytes, as: UTF8.self))), as: UTF8.self)
    }
}
