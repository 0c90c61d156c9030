import Clocks
import Texts

/// A participant of a contact. A class, so that its items share one object.
final class Participant: Sendable {
    enum Role: String {
        case customer = "CUSTOMER"
        case system = "SYSTEM"
        case agent = "AGENT"
        case customBot = "CUSTOM_BOT"
    }

    /// Average bytes of a participant with its name (measured).
    static let bytes = 400

    let id: String
    let role: Role
    let name: String
    let place: Int

    init(id: String, role: Role, name: String, place: Int) {
        self.id = id
        self.role = role
        self.name = name
        self.place = place
    }
}

enum ContentType: String, CaseIterable {
    case plain = "text/plain"
    case markdown = "text/markdown"
    case json = "application/json"
    case interactive = "application/vnd.amazonaws.connect.message.interactive"
    case response = "application/vnd.amazonaws.connect.message.interactive.response"
}

/// Names of chat events. The content type is ``prefix`` and the name.
enum ContactEvent: String, CaseIterable {
    case joined = "participant.joined"
    case left = "participant.left"
    case invited = "participant.invited"
    case ended = "chat.ended"
    case transferSucceeded = "transfer.succeeded"
    case transferFailed = "transfer.failed"
    case typing = "typing"
    case idle = "participant.idle"
    case returned = "participant.returned"
    case autoDisconnected = "participant.autodisconnection"
    case rehydrated = "chat.rehydrated"
    case nameUpdated = "participant.displayname.updated"
    case active = "participant.active"
    case inactive = "participant.inactive"
    case workflowCancelled = "workflow.cancelled"
    case authenticationInitiated = "authentication.initiated"
    case authenticationSucceeded = "authentication.succeeded"
    case authenticationFailed = "authentication.failed"
    case authenticationTimeout = "authentication.timeout"
    case authenticationExpired = "authentication.expired"
    case authenticationCancelled = "authentication.cancelled"

    static let prefix = "application/vnd.amazonaws.connect.event."

    var contentType: String { Self.prefix + rawValue }

    var isOfAuthentication: Bool { rawValue.hasPrefix("authentication.") }

    var isOfParticipant: Bool {
        switch self {
        case .ended, .rehydrated, .workflowCancelled: false
        default: !isOfAuthentication
        }
    }

    var isKept: Bool {
        switch self {
        case .joined, .left, .invited, .ended, .transferSucceeded, .transferFailed: true
        default: false
        }
    }
}

/// An item of a transcript or of the WebSocket stream.
struct Item: Sendable {
    struct File: Equatable, Sendable {
        enum Status: String, Sendable {
            case approved = "APPROVED"
            case rejected = "REJECTED"
            case inProgress = "IN_PROGRESS"
        }

        var id: String
        var name: String
        var type: String
        var status: Status
    }

    enum Content: Sendable {
        case message(ContentType, String)
        case event(ContactEvent, content: String? = nil)
        case file(File)
    }

    struct Piece {
        var number: Int
        var isComplete: Bool
    }

    let id: UniqueID
    let time: Instant
    var content: Content
    let sender: Participant?
    let contact: String
    /// The message's id in the engine.
    var source: String?
    /// Whether the item waits for its text or scan result.
    var isPending = false

    /// Average bytes of an item with receipts and without the text (measured).
    static let bytes = MemoryLayout<Item>.stride + 64

    var textBytes: Int {
        switch content {
        case .message(_, let text): text.utf8.count
        case .event(_, let text): text?.utf8.count ?? 0
        case .file(let file): file.name.utf8.count + file.type.utf8.count
        }
    }

    var type: String {
        switch content {
        case .message: "MESSAGE"
        case .event(let event, _): event.rawValue
        case .file: "ATTACHMENT"
        }
    }
}

struct ReceiptMark: Sendable {
    /// Average bytes of a receipt (measured).
    static let bytes = 160

    let reader: Participant
    let delivered: Instant
    var read: Instant?
}

extension [UInt8] {
    mutating func text(_ text: StaticString) { JSONWriter.literal(text, into: &self) }
    mutating func string(_ text: String) { JSONWriter.string(text, into: &self) }

    mutating func stamp(_ time: Instant) {
        append(UInt8(ascii: "\""))
        TimeStamp.write(nanoseconds: time.nanoseconds, into: &self)
        append(UInt8(ascii: "\""))
    }

    mutating func id(_ id: UniqueID) {
        append(UInt8(ascii: "\""))
        id.write(to: &self)
        append(UInt8(ascii: "\""))
    }

    /// Appends a string member. `name` is a literal with punctuation: `,"…":`.
    mutating func member(_ name: StaticString, _ value: String) {
        text(name)
        string(value)
    }
}

extension Instant {
    var text: String { TimeStamp.text(nanoseconds: nanoseconds) }
}

enum ItemWriter {
    static let usualBytes = 512

    enum Place {
        case socket(initial: String, Item.Piece?)
        case transcript(receipts: [ReceiptMark])
        case past
    }

    static func write(_ item: Item, for place: Place, into bytes: inout [UInt8]) {
        bytes.text("{\"AbsoluteTime\":")
        bytes.stamp(item.time)
        switch item.content {
        case .message(let type, let content):
            bytes.member(",\"Content\":", content)
            bytes.member(",\"ContentType\":", type.rawValue)
        case .event(let event, let content):
            if let content { bytes.member(",\"Content\":", content) }
            bytes.member(",\"ContentType\":", event.contentType)
        case .file(let file):
            bytes.member(",\"Attachments\":[{\"ContentType\":", file.type)
            bytes.member(",\"AttachmentId\":", file.id)
            bytes.member(",\"AttachmentName\":", file.name)
            bytes.member(",\"Status\":", file.status.rawValue)
            bytes.text("}]")
        }
        bytes.text(",\"Id\":")
        bytes.id(item.id)
        switch item.content {
        case .message: bytes.text(",\"Type\":\"MESSAGE\"")
        case .event: bytes.text(",\"Type\":\"EVENT\"")
        case .file: bytes.text(",\"Type\":\"ATTACHMENT\"")
        }
        if let sender = item.sender {
            bytes.member(",\"ParticipantId\":", sender.id)
            bytes.member(",\"DisplayName\":", sender.name)
            bytes.member(",\"ParticipantRole\":", sender.role.rawValue)
        }
        write(item, place: place, into: &bytes)
        bytes.text("}")
    }

    private static func write(_ item: Item, place: Place, into bytes: inout [UInt8]) {
        switch place {
        case .socket(let initial, let piece):
            bytes.member(",\"InitialContactId\":", initial)
            bytes.member(",\"ContactId\":", item.contact)
            guard let piece else { return }
            bytes.text(",\"MessageMetadata\":{\"MessageId\":")
            bytes.id(item.id)
            bytes.text(",\"ChunkNumber\":")
            JSONWriter.integer(piece.number, into: &bytes)
            bytes.text(",\"MessageCompleted\":")
            JSONWriter.bool(piece.isComplete, into: &bytes)
            bytes.text("}")
        case .transcript(let receipts):
            bytes.member(",\"ContactId\":", item.contact)
            guard !receipts.isEmpty else { return }
            bytes.text(",\"MessageMetadata\":")
            write(receipts, of: item.id, into: &bytes)
        case .past: bytes.member(",\"RelatedContactId\":", item.contact)
        }
    }

    static func write(_ receipts: [ReceiptMark], of message: UniqueID, into bytes: inout [UInt8]) {
        bytes.text("{\"MessageId\":")
        bytes.id(message)
        bytes.text(",\"Receipts\":[")
        for (index, receipt) in receipts.enumerated() {
            bytes.text(index == 0 ? "{\"DeliveredTimestamp\":" : ",{\"DeliveredTimestamp\":")
            bytes.stamp(receipt.delivered)
            if let read = receipt.read {
                bytes.text(",\"ReadTimestamp\":")
                bytes.stamp(read)
            }
            bytes.member(",\"RecipientParticipantId\":", receipt.reader.id)
            bytes.text("}")
        }
        bytes.text("]}")
    }

    /// Returns a receipt as an item for a WebSocket frame, without a contact id.
    static func metadata(
        _ receipt: ReceiptMark, of message: UniqueID, id: UniqueID, at time: Instant
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.text("{\"AbsoluteTime\":")
        bytes.stamp(time)
        bytes.member(",\"ContentType\":", ContactEvent.prefix + "message.metadata")
        bytes.text(",\"Id\":")
        bytes.id(id)
        bytes.text(",\"Type\":\"MESSAGEMETADATA\",\"MessageMetadata\":")
        write([receipt], of: message, into: &bytes)
        bytes.text("}")
        return bytes
    }

    static func frame(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + content.count / 4 + 64)
        bytes.text("{\"content\":")
        JSONWriter.string(utf8: content, into: &bytes)
        bytes.text(",\"contentType\":\"application/json\",\"topic\":\"aws/chat\"}")
        return bytes
    }
}
