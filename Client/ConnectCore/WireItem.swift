package import Texts

package struct WireItem: Equatable, Sendable {
    package struct Receipt: Equatable, Sendable {
        package var recipient: String
        package var delivered: String?
        package var read: String?
    }

    package var id: String
    package var time: String
    package var type: String
    package var contentType: String
    package var content: String
    package var participantID: String
    package var role: String
    package var displayName: String?
    package var contactID: String?
    package var relatedContactID: String?
    package var attachmentID: String?
    package var attachmentStatus: String?
    package var metadataID: String?
    package var receipts: [Receipt] = []
    package var chunk: Int64?
    package var isCompleted: Bool?
    package var frame: [UInt8]

    /// Nil if `value` is not an object. A member that is missing or has the wrong type is read as empty or nil.
    package init?(_ value: JSONValue, frame: [UInt8]? = nil) {
        guard value.object != nil else { return nil }
        id = value["Id"]?.string ?? ""
        time = value["AbsoluteTime"]?.string ?? ""
        type = value["Type"]?.string ?? ""
        contentType = value["ContentType"]?.string ?? ""
        content = value["Content"]?.string ?? ""
        participantID = value["ParticipantId"]?.string ?? ""
        role = value["ParticipantRole"]?.string ?? ""
        displayName = value["DisplayName"]?.string
        contactID = value["ContactId"]?.string
        relatedContactID = value["RelatedContactId"]?.string
        if let file = value["Attachments"]?.array?.first {
            attachmentID = file["AttachmentId"]?.string
            attachmentStatus = file["Status"]?.string
            content = file["AttachmentName"]?.string ?? ""
            contentType = file["ContentType"]?.string ?? ""
        }
        if let metadata = value["MessageMetadata"] {
            metadataID = metadata["MessageId"]?.string
            chunk = metadata["ChunkNumber"]?.integer
            isCompleted = metadata["MessageCompleted"]?.bool
            receipts = (metadata["Receipts"]?.array ?? []).compactMap { receipt in
                guard receipt.object != nil else { return nil }
                return Receipt(
                    recipient: receipt["RecipientParticipantId"]?.string ?? "",
                    delivered: receipt["DeliveredTimestamp"]?.string, read: receipt["ReadTimestamp"]?.string)
            }
        }
        self.frame = frame ?? JSONWriter.bytes(value)
    }

    package var isPast: Bool { contactID == nil && relatedContactID != nil }

    /// Event type without the common prefix, such as `typing` or `chat.ended`. Nil for messages and files.
    package var event: String? {
        guard type == "EVENT" || (type != "MESSAGE" && type != "ATTACHMENT") else { return nil }
        return contentType.hasPrefix(Self.eventPrefix)
            ? String(contentType.dropFirst(Self.eventPrefix.count)) : contentType
    }

    var isBlank: Bool { event == nil && content.isEmpty && attachmentID == nil && chunk == nil }

    package static let eventPrefix = "application/vnd.amazonaws.connect.event."

    /// Events that the server's transcript stores.
    package static let keptEvents: Set = [
        "participant.joined", "participant.left", "participant.invited", "chat.ended", "transfer.succeeded",
        "transfer.failed",
    ]
}

enum WireFrame: Equatable, Sendable {
    case subscription(isSuccess: Bool)
    case heartbeat
    case ping(isFine: Bool)
    case item(WireItem)
    /// Any other frame, such as invalid JSON.
    case other

    init(_ bytes: [UInt8]) {
        guard let value = try? JSONReader.read(bytes, manner: .lenient) else {
            self = .other
            return
        }
        switch value["topic"]?.string {
        case "aws/subscribe":
            self = .subscription(isSuccess: value["content"]?["status"]?.string == "success")
        case "aws/heartbeat": self = .heartbeat
        case "aws/ping":
            let isFine = value["statusCode"]?.integer == 200 && value["statusContent"]?.string == "OK"
            self = .ping(isFine: isFine)
        case "aws/chat":
            let content = Array((value["content"]?.string ?? "").utf8)
            guard let inner = try? JSONReader.read(content, manner: .lenient),
                let item = WireItem(inner, frame: content)
            else {
                self = .other
                return
            }
            self = .item(item)
        default: self = .other
        }
    }

    static let subscribe = Array(#"{"topic":"aws/subscribe","content":{"topics":["aws/chat"]}}"#.utf8)
    static let pingFrame = Array(#"{"topic":"aws/ping"}"#.utf8)
    static let heartbeatFrame = Array(#"{"topic":"aws/heartbeat"}"#.utf8)
}
