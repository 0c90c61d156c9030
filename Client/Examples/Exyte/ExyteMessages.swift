// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import ExyteChat
import Foundation

extension Message {
    /// Makes the message of a row. A notice becomes a system message.
    init?(_ row: ChatRow, _ strings: ChatStrings) {
        let date = Date(timeIntervalSince1970: Double(row.at) / 1_000)
        if let notice = row.notice {
            let system = User(id: "system", name: "", avatarURL: nil, type: .system)
            self.init(id: row.id, user: system, createdAt: date, text: strings.text(of: notice))
            return
        }
        guard let message = row.message else { return nil }
        self.init(
            id: row.id, user: User(message, strings), status: Status(message), createdAt: date,
            text: message.isDeleted ? strings.say("message.deleted") : message.text,
            attachments: message.attachments.enumerated().compactMap {
                Attachment($1, id: "\(row.id).\($0)")
            },
            replyMessage: message.quote.map { quote in
                ReplyMessage(
                    id: quote.id, user: User(id: quote.name, name: quote.name, avatarURL: nil, type: .other),
                    createdAt: date, text: quote.text)
            })
    }
}

extension User {
    fileprivate init(_ message: RowMessage, _ strings: ChatStrings) {
        self.init(
            id: message.speaker.rawValue + message.name, name: strings.speaker(of: message),
            avatarURL: message.avatar.flatMap { URL(string: $0) },
            type: message.speaker == .user ? .current : .other)
    }
}

extension Message.Status {
    /// Makes the status; nil for messages of the other side.
    fileprivate init?(_ message: RowMessage) {
        switch message.delivery {
        case .pending?, .sending?: self = .sending
        case .sent?: self = .sent
        case .delivered?: self = .delivered
        case .read?: self = .read
        case .failed?:
            self = .error(
                DraftMessage(
                    id: message.id, text: message.text, medias: [], giphyMedia: nil, recording: nil,
                    replyMessage: nil, createdAt: Date(timeIntervalSince1970: 0)))
        case nil: return nil
        }
    }
}

extension Attachment {
    /// Makes a picture or video; nil for other attachments.
    fileprivate init?(_ row: RowAttachment, id: String) {
        guard row.kind == .image || row.kind == .video, let url = URL(string: row.url) else { return nil }
        self.init(
            id: id, thumbnail: row.preview.flatMap { URL(string: $0) } ?? url, full: url,
            type: row.kind == .image ? .image : .video)
    }
}

extension ChatCommand {
    /// Makes the command that sends the text of a draft, possibly as the answer to a message. Files are not sent.
    init(_ draft: DraftMessage) {
        self = .send(text: draft.text, replyTo: draft.replyMessage?.id)
    }
}
