/// State of the message box, without the view.
///
/// ```swift
/// let box = Composer(text: field.text, canSend: chat.ending == nil)
/// sendButton.isEnabled = box.state == .ready
/// ```
public struct Composer: Equatable, Sendable {
    /// The state of the box.
    public enum State: Equatable, Sendable {
        /// The conversation has ended or continues elsewhere, so nothing can be sent.
        case disabled
        /// The text is empty or only white space.
        case empty
        /// The frame would be larger than the server takes; the text stays.
        case tooLong
        /// There is something to send.
        case ready
    }

    /// A press of Enter, as the keyboard reports it.
    public struct Enter: Equatable, Sendable {
        /// Shift is held.
        public var hasShift: Bool
        /// Control or Command is held.
        public var hasCommand: Bool
        /// An input method is composing and uses the key for itself.
        public var isComposing: Bool

        /// A press of Enter, by default without modifier keys.
        public init(hasShift: Bool = false, hasCommand: Bool = false, isComposing: Bool = false) {
            self.hasShift = hasShift
            self.hasCommand = hasCommand
            self.isComposing = isComposing
        }

        /// Whether the press sends the message; otherwise the text box handles the key, with Shift as a new
        /// line.
        public var sends: Bool { !isComposing && (hasCommand || !hasShift) }
    }

    /// Characters of one message, as its reader counts them.
    public static let maxCharacters = 500
    /// Maximum bytes of one frame, unless the server announces another limit.
    public static let maxBytes = 131_072

    /// The state of the box.
    public let state: State
    /// The text to send, without surrounding white space.
    public let message: String
    /// The count to show; nil below four fifths of the limit.
    public let count: Int?

    /// The box with this text in it.
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

    /// The first characters of a text, for a paste that is too long; nil if nothing has to be cut.
    public static func cut(_ text: String, to maxCharacters: Int = Composer.maxCharacters) -> String? {
        let head = text.prefix(max(0, maxCharacters))
        return head.endIndex < text.endIndex ? String(head) : nil
    }

    /// Size of the text in JSON and of the frame around it.
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
