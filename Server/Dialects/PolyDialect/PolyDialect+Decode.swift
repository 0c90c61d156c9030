import ConversationEngine
package import DialectKit
import MessagingWire

extension PolyDialect {
    /// A client's event in the engine's words (poly-messaging 3.6, 4.1).
    package func decode(text: [UInt8]) -> Decoded {
        let event = ClientEventReader.read(text)
        let word: ClientInput.Word =
            switch event.content {
            case .message(let text): .say(text)
            case .typing(let isStarted): .typing(isStarted ? .started : .stopped)
            case .heartbeat: .heartbeat
            case .join(let greeting): .join(greeting: options.honorsGreetingMessage ? greeting : nil)
            case .end: .end
            case .notAllowed(.voiceLink) where options.acceptsVoiceLink: .ignored
            case .notAllowed(let type): .refused(.eventNotAllowed, detail: type.rawValue)
            case .unknown, .malformed: .refused(.unknownEvent, detail: nil)
            }
        return Decoded(
            ClientInput(word, metadata: event.customMetadata, localID: localID(event.customMetadata)),
            note: Self.note(event.content) ?? (event.isMetadataPlain ? nil : Self.mixedMetadata))
    }

    /// What clients call `local_id` (3.3); looked for only where it matters.
    private func localID(_ custom: String?) -> String? {
        guard options.readsLocalIDs, let custom, let value = try? JSONReader.read(Array(custom.utf8)) else {
            return nil
        }
        return value["local_id"]?.string
    }

    /// The API knows text only; a binary message is one more invalid format (2.5).
    package func decodeBinary() -> Decoded {
        Decoded(
            ClientInput(.refused(.unknownEvent, detail: nil)),
            note: "poly: a binary message is refused: events are text")
    }

    private static let mixedMetadata =
        "poly: metadata.custom has a value that is not a string: clients will discard the whole map"

    /// What is wrong with an event, for the developer: the client hears one text for everything.
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
        case .malformed(.badPayload(let type)):
            return "poly: event refused: \"payload\" of \(type.rawValue) needs a string \"text\""
        default: return nil
        }
    }
}
