/// State of the message input box, without a view.
///
/// ```swift
/// let box = Composer(text: field.text, canSend: chat.ending == nil)
/// sendButton.isEnabled = box.state == .ready
/// ```
public struct Composer: Equatable, Sendable {
    /// The state of the box.
    public enum State: Equatable, Sendable {
        /// The conversation has ended or continues elsewhere.
        case disabled
        case empty
        /// The WebSocket frame would exceed the server's limit. The text stays in the box.
        case tooLong
        case ready
    }

    /// A press of the Enter key.
    public struct Enter: Equatable, Sendable {
        /// Whether Shift is held.
        public var hasShift: Bool
        /// Whether Control or Command is held.
        public var hasCommand: Bool
        /// Whether an input method is composing text, and therefore handles the key press.
        public var isComposing: Bool

        /// Makes a press of Enter, by default without modifier keys.
        public init(hasShift: Bool = false, hasCommand: Bool = false, isComposing: Bool = false) {
            self.hasShift = hasShift
            self.hasCommand = hasCommand
            self.isComposing = isComposing
        }

        /// Whether the press sends the message. Otherwise the text box handles the key; Shift inserts a new line.
        public var sends: Bool { !isComposing && (hasCommand || !hasShift) }
    }

    /// Maximum characters of a message (Swift `Character`, a grapheme cluster).
    public static let maxCharacters = 500
    /// Default maximum bytes of one frame. A server can announce another limit.
    public static let maxBytes = 131_072

    /// The state of the box.
    public let state: State
    /// The text to send, without white space at both ends.
    public let message: String
    /// The character count to show; nil if the text is shorter than four fifths of the limit.
    public let count: Int?

    /// Makes the state of a box with this text.
    public init(
        text: String, canSend: Bool = true, maxCharacters: Int = Composer.maxCharacters,
        maxBytes: Int = Composer.maxBytes
    ) {
        let scalars = Array(text.unicodeScalars)
        message = Scalars.string(Scalars.trimmed(scalars))
        if !canSend {
            state = .disabled
        } else if message.isEmpty {
            state = .empty
        } else {
            state = Self.frameBytes(message) > maxBytes ? .tooLong : .ready
        }
        let length = text.count
        count = length * 5 >= maxCharacters * 4 ? length : nil
    }

    /// Returns the first `maxCharacters` characters of a pasted text; nil if the text is not longer.
    public static func cut(_ text: String, to maxCharacters: Int = Composer.maxCharacters) -> String? {
        let head = text.prefix(max(0, maxCharacters))
        return head.endIndex < text.endIndex ? String(head) : nil
    }

    /// Returns the size of the frame: the text as JSON, plus 160 bytes for the other members.
    private static func frameBytes(_ message: String) -> Int {
        message.utf8.reduce(2 + 160) { sum, byte in
            switch byte {
            case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: sum + 2
            case ..<0x20: sum + 6
            default: sum + 1
            }
        }
    }
}
