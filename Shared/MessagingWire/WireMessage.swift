import Texts

/// A complete reply of the agent or a live agent.
package struct WireMessage: Equatable, Sendable {
    package var messageID: String
    package var text: String
    package var parts: WireParts
    /// ``WirePerson/id`` is known only for a live agent.
    package var sender: WirePerson

    package init(
        messageID: String, text: String, parts: WireParts = WireParts(), sender: WirePerson = WirePerson()
    ) {
        self.messageID = messageID
        self.text = text
        self.parts = parts
        self.sender = sender
    }

    init(_ object: JSONObject, isLive: Bool) {
        self.init(
            messageID: object.text("message_id") ?? "", text: object.text("text") ?? "",
            parts: WireParts(object, canEnd: !isLive),
            sender: WirePerson(
                id: isLive ? object.text("agent_id") : nil, name: object.text("agent_name"),
                avatarURL: object.link("avatar_url")))
    }

    func write(to fields: inout WireFields, isLive: Bool) {
        fields.field("message_id", messageID)
        fields.field("text", text)
        parts.write(to: &fields, canEnd: !isLive)
        if isLive { fields.field("agent_id", sender.id) }
        fields.field("agent_name", sender.name)
        fields.field("avatar_url", sender.avatarURL)
    }
}

package struct WireChunk: Equatable, Sendable {
    package var messageID: String
    package var index: Int
    package var isComplete: Bool
    /// Nil if the event has no text.
    package var text: String?
    package var parts: WireParts

    package init(
        messageID: String, index: Int, isComplete: Bool, text: String?, parts: WireParts = WireParts()
    ) {
        self.messageID = messageID
        self.index = index
        self.isComplete = isComplete
        self.text = text
        self.parts = parts
    }

    init(_ object: JSONObject) {
        self.init(
            messageID: object.text("message_id") ?? "", index: object.int("chunk_index") ?? 0,
            isComplete: object.flag("is_complete"), text: object.text("text"),
            parts: WireParts(object, canEnd: true))
    }

    func write(to fields: inout WireFields) {
        fields.field("message_id", messageID)
        fields.field("chunk_index", index)
        fields.field("is_complete", isComplete)
        fields.field("text", text)
        parts.write(to: &fields, canEnd: true)
    }
}

/// Parts of a message or chunk, other than its text.
package struct WireParts: Equatable, Sendable {
    package var attachments: [WireAttachment]
    package var suggestions: [WireSuggestion]
    package var callActions: [WireCallAction]
    /// Value of `end_conversation`, which messages of live agents do not have.
    package var endsConversation: Bool

    package init(
        attachments: [WireAttachment] = [], suggestions: [WireSuggestion] = [],
        callActions: [WireCallAction] = [], endsConversation: Bool = false
    ) {
        self.attachments = attachments
        self.suggestions = suggestions
        self.callActions = callActions
        self.endsConversation = endsConversation
    }

    init(_ object: JSONObject, canEnd: Bool) {
        self.init(
            attachments: object.objects("attachments").map { WireAttachment($0) },
            suggestions: object.objects("response_suggestions").map { WireSuggestion($0) },
            callActions: object.objects("chat_call_actions").map { WireCallAction($0) },
            endsConversation: canEnd && object.flag("end_conversation"))
    }

    /// Writes attachments and suggestions even if empty, and undocumented fields only if set.
    func write(to fields: inout WireFields, canEnd: Bool) {
        fields.open("attachments", UInt8(ascii: "["))
        for attachment in attachments { attachment.write(to: &fields) }
        fields.close(UInt8(ascii: "]"))
        fields.open("response_suggestions", UInt8(ascii: "["))
        for suggestion in suggestions { suggestion.write(to: &fields) }
        fields.close(UInt8(ascii: "]"))
        if !callActions.isEmpty {
            fields.open("chat_call_actions", UInt8(ascii: "["))
            for action in callActions { action.write(to: &fields) }
            fields.close(UInt8(ascii: "]"))
        }
        if canEnd, endsConversation { fields.field("end_conversation", true) }
    }
}

/// A link card or an image (protocol.md#attachments).
package struct WireAttachment: Equatable, Sendable {
    package enum ContentType: String, Sendable {
        case url = "ATTACHMENT_CONTENT_TYPE_URL"
        case image = "ATTACHMENT_CONTENT_TYPE_IMAGE"
        /// A missing or unknown type.
        case unknown = "ATTACHMENT_CONTENT_TYPE_UNKNOWN"
    }

    package var contentType: ContentType
    package var contentURL: String?
    package var previewImageURL: String?
    package var title: String?
    package var callToActionText: String?

    package init(
        contentType: ContentType, contentURL: String?, previewImageURL: String? = nil, title: String? = nil,
        callToActionText: String? = nil
    ) {
        self.contentType = contentType
        self.contentURL = contentURL
        self.previewImageURL = previewImageURL
        self.title = title
        self.callToActionText = callToActionText
    }

    init(_ object: JSONObject) {
        self.init(
            contentType: object.text("content_type").flatMap { ContentType(rawValue: $0) } ?? .unknown,
            contentURL: object.link("content_url"), previewImageURL: object.link("preview_image_url"),
            title: object.text("title"), callToActionText: object.text("call_to_action_text"))
    }

    func write(to fields: inout WireFields) {
        fields.element()
        fields.field("title", title)
        fields.field("content_type", contentType.rawValue)
        fields.field("content_url", contentURL)
        fields.field("preview_image_url", previewImageURL)
        fields.field("call_to_action_text", callToActionText)
        fields.close(UInt8(ascii: "}"))
    }
}

package struct WireSuggestion: Equatable, Sendable {
    package var messageText: String
    package var payload: String?

    package init(messageText: String, payload: String? = nil) {
        self.messageText = messageText
        self.payload = payload
    }

    init(_ object: JSONObject) {
        self.init(messageText: object.text("message_text") ?? "", payload: object.text("payload"))
    }

    func write(to fields: inout WireFields) {
        fields.element()
        fields.field("message_text", messageText)
        fields.field("payload", payload)
        fields.close(UInt8(ascii: "}"))
    }
}

package struct WireCallAction: Equatable, Sendable {
    package var title: String
    package var contactNumber: String

    package init(title: String, contactNumber: String) {
        self.title = title
        self.contactNumber = contactNumber
    }

    init(_ object: JSONObject) {
        self.init(title: object.text("title") ?? "", contactNumber: object.text("contact_number") ?? "")
    }

    func write(to fields: inout WireFields) {
        fields.element()
        fields.field("title", title)
        fields.field("contact_number", contactNumber)
        fields.close(UInt8(ascii: "}"))
    }
}
