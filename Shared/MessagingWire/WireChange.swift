package import Texts

/// A change of an earlier message (extensions.md#event-ext-message-changed).
package struct WireChange: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case text(String)
        case deleted
        case reaction(String, isOn: Bool)
        /// Only servers send `details`, with the state `ready`.
        case file(String, FileState, percent: Int?, details: Details? = nil)
    }

    package enum FileState: String, Sendable {
        case uploading, ready, cancelled, failed
    }

    package struct Details: Equatable, Sendable {
        package var name: String
        package var type: String
        package var size: Int

        package init(name: String, type: String, size: Int) {
            self.name = name
            self.type = type
            self.size = size
        }
    }

    package var messageID: String
    package var kind: Kind
    /// `user`, `agent`, `live_agent` or `system`. Only servers send it.
    package var by: String?

    package init(_ messageID: String, _ kind: Kind, by: String? = nil) {
        self.messageID = messageID
        self.kind = kind
        self.by = by
    }

    /// Returns nil unless the payload has a message id and exactly one valid change.
    package init?(_ payload: JSONObject) {
        guard let id = payload.text("message_id"), let change = payload["change"]?.object else { return nil }
        let kinds = ["text", "deleted", "reaction", "file"].filter { change[$0] != nil }
        guard kinds.count == 1 else { return nil }
        if let text = change.text("text") {
            kind = .text(text)
        } else if change.flag("deleted") {
            kind = .deleted
        } else if let reaction = change.text("reaction"), let isOn = change["on"]?.bool {
            kind = .reaction(reaction, isOn: isOn)
        } else if let file = change.text("file"),
            let state = change.text("state").flatMap({ FileState(rawValue: $0) })
        {
            let percent = change.int("percent")
            guard percent != nil || change["percent"] == nil else { return nil }
            let details = change.text("name").map {
                Details(name: $0, type: change.text("type") ?? "", size: change.int("size") ?? 0)
            }
            kind = .file(file, state, percent: percent, details: details)
        } else {
            return nil
        }
        messageID = id
        by = payload.text("by")
    }

    func write(to fields: inout WireFields) {
        fields.field("message_id", messageID)
        fields.open("change", UInt8(ascii: "{"))
        switch kind {
        case .text(let text): fields.field("text", text)
        case .deleted: fields.field("deleted", true)
        case .reaction(let text, let isOn):
            fields.field("reaction", text)
            fields.field("on", isOn)
        case .file(let id, let state, let percent, let details):
            fields.field("file", id)
            fields.field("state", state.rawValue)
            fields.field("percent", percent)
            fields.field("name", details?.name)
            fields.field("type", details?.type)
            fields.field("size", details?.size)
        }
        fields.close(UInt8(ascii: "}"))
        fields.field("by", by)
    }
}
