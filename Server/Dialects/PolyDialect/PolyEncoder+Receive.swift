package import Clocks
package import ConversationEngine
package import DialectKit
import MessagingWire
import Texts

extension PolyEncoder {
    package func receive(
        _ message: [UInt8], isText: Bool, from connection: ConnectionID, at now: Instant,
        into output: inout EncoderOutput
    ) -> Decoded { isText ? decode(text: message, into: &output) : Self.binary }

    /// Decodes a client's event (protocol.md#client-envelope).
    package func decode(text: [UInt8]) -> Decoded {
        var output = EncoderOutput()
        return decode(text: text, into: &output)
    }

    private func decode(text: [UInt8], into output: inout EncoderOutput) -> Decoded {
        let (content, metadata, localID, isPlain, serverField) = text.withUnsafeBytes {
            ClientEventReader.members(of: $0)
        }
        // Most events are messages, whose texts are not copied here.
        if case .message = content, !extensions.contains(.files) {
            guard case .message(let text) = consume content else { return Self.binary }
            return output.decoded(
                ClientInput(.say(text), metadata: metadata, localID: localID),
                type: Names.message, serverField: serverField, hasOddMetadata: !isPlain,
                note: isPlain ? nil : Self.mixedMetadata)
        }
        let word: ClientInput.Word =
            switch content {
            case .message(let text): .say(text)
            case .typing(let isStarted): .typing(isStarted ? .started : .stopped)
            case .heartbeat: .heartbeat
            case .join(let greeting): .join(greeting: greeting)
            case .end: .end
            case .change(let change) where !extensions.isDisjoint(with: [.changes, .files]):
                .change(MessageChange(change))
            case .receipt(let type, let id) where extensions.contains(.receipts):
                .receipt(type == .userReadMessage ? .userRead : .userReceived, messageID: id)
            case .receipt(let type, _): .refused(.eventNotAllowed, detail: type.rawValue)
            case .change: .refused(.unknownEvent, detail: nil)
            case .notAllowed(.voiceLink) where options.replies.acceptsVoiceLink: .ignored
            case .notAllowed(let type): .refused(.eventNotAllowed, detail: type.rawValue)
            case .unknown, .malformed: .refused(.unknownEvent, detail: nil)
            }
        let shown = understood(content)
        let (type, fault) = Self.type(of: shown)
        var input = ClientInput(word, metadata: metadata, localID: localID)
        if extensions.contains(.files), case .say = word { input.files = Self.files(metadata) }
        return Decoded(
            input, type: type, fault: fault, serverField: serverField,
            hasOddMetadata: !isPlain,
            note: Self.note(shown) ?? (isPlain ? nil : Self.mixedMetadata))
    }

    /// Applies the session's extensions to the content of a client's event.
    private func understood(_ content: ClientEvent.Content) -> ClientEvent.Content {
        switch content {
        case .change, .malformed(.badPayload(.messageChanged)):
            extensions.isDisjoint(with: [.changes, .files])
                ? .unknown(type: EventType.messageChanged.rawValue) : content
        case .receipt(let type, _): extensions.contains(.receipts) ? content : .notAllowed(type)
        default: content
        }
    }

    /// Returns the ids of a message's files (extensions.md#files-of-a-message).
    private static func files(_ metadata: String?) -> [String] {
        guard let metadata, let custom = (try? JSONReader.read(Array(metadata.utf8)))?.object,
            let ids = custom["files"]?.string
        else { return [] }
        return ids.split(separator: ",").map { String($0.filter { $0 != " " }) }
    }

    /// Short names of the client's events. Constants, because each message needs one.
    private enum Names {
        static let join = PolyDialect.short(.joinRequest)
        static let message = PolyDialect.short(.userMessage)
        static let typing = PolyDialect.short(.userTyping)
        static let end = PolyDialect.short(.userEndSession)
        static let heartbeat = PolyDialect.short(.heartbeat)
        static let change = PolyDialect.short(.messageChanged)
    }

    private static func type(of content: ClientEvent.Content) -> (String, Decoded.Fault?) {
        switch content {
        case .join: (Names.join, nil)
        case .message: (Names.message, nil)
        case .typing: (Names.typing, nil)
        case .end: (Names.end, nil)
        case .heartbeat: (Names.heartbeat, nil)
        case .change: (Names.change, nil)
        case .receipt(let type, _): (PolyDialect.short(type), nil)
        case .notAllowed(let type): (PolyDialect.short(type), .serverOnly)
        case .unknown(let type): (String(type.prefix(PolyLimits.quotedCharacters)), .unknownType)
        case .malformed(.badPayload(let type)): (PolyDialect.short(type), .badPayload)
        case .malformed: ("unreadable", .unreadable)
        }
    }

    /// Result for a binary message (protocol.md#text-frames).
    private static var binary: Decoded {
        Decoded(
            ClientInput(.refused(.unknownEvent, detail: nil)), type: "binary", fault: .binary,
            note: "poly: a binary message is refused: events are text")
    }

    private static let mixedMetadata =
        "poly: metadata.custom has a value that is not a string: clients will discard the whole map"

    /// Returns the reason of a refusal for the log.
    private static func note(_ content: ClientEvent.Content) -> String? {
        switch content {
        case .unknown(let type):
            let quoted = type.prefix(PolyLimits.quotedCharacters).debugDescription
            return "poly: event refused: no type is called \(quoted)"
        case .malformed(.json(let error)): return "poly: event refused: \(error)"
        case .malformed(.notAnObject): return "poly: event refused: it is not a JSON object"
        case .malformed(.noType): return "poly: event refused: \"type\" is missing or not a string"
        case .malformed(.badPayload(.userTyping)):
            return "poly: event refused: \"payload\" needs a \"state\" of TYPING_STATE_STARTED or _STOPPED"
        case .malformed(.badPayload(.messageChanged)):
            return "poly: event refused: \"payload\" needs a \"message_id\" and a \"change\" of one kind"
        case .malformed(.badPayload(let type)):
            return "poly: event refused: \"payload\" of \(type.rawValue) needs a string \"text\""
        default: return nil
        }
    }
}

extension PolyDialect {
    /// Returns the `local_id` that a client gave its message (protocol.md#local-id).
    package func localID(in metadata: String) -> String? {
        guard Self.mentionsLocalID(metadata) else { return nil }
        return (try? JSONReader.read(Array(metadata.utf8)))?["local_id"]?.string
    }

    private static func mentionsLocalID(_ metadata: String) -> Bool {
        let name: StaticString = "\"local_id\""
        let count = name.utf8CodeUnitCount
        var metadata = metadata
        return metadata.withUTF8 { text in
            guard text.count >= count else { return false }
            for start in 0...text.count - count where text[start] == UInt8(ascii: "\"") {
                var length = 1
                while length < count, text[start + length] == name.utf8Start[length] { length += 1 }
                if length == count { return true }
            }
            return false
        }
    }
}
