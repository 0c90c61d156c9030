// swift-format-ignore-file
// Public types of exyte/Chat that Client/Examples/Exyte uses, declared from github.com/exyte/Chat. Types only: nothing of it runs.
import Foundation
import SwiftUI

public enum UserType: Int, Sendable { case current, other, system }
public struct User: Sendable {
    public init(id: String, name: String, avatarURL: URL?, avatarCacheKey: String? = nil, type: UserType) {}
}
public enum AttachmentType: String, Sendable { case image, video }
public struct Attachment: Sendable {
    public init(
        id: String, thumbnail: URL, full: URL, type: AttachmentType, thumbnailCacheKey: String? = nil,
        fullCacheKey: String? = nil
    ) {}
}
public struct Recording: Sendable {}
public struct Reaction: Sendable {}
public struct Media: Sendable {}
public struct GiphyMedia: Sendable {}
public struct ReplyMessage: Sendable {
    public var id: String
    public init(
        id: String, user: User, createdAt: Date, text: String = "", attachments: [Attachment] = [],
        recording: Recording? = nil
    ) { self.id = id }
}
public struct DraftMessage: Sendable {
    public var id: String?
    public let text: String
    public let replyMessage: ReplyMessage?
    public init(
        id: String? = nil, text: String, medias: [Media], giphyMedia: GiphyMedia?, recording: Recording?,
        replyMessage: ReplyMessage?, createdAt: Date
    ) { (self.id, self.text, self.replyMessage) = (id, text, replyMessage) }
}
public struct Message: Identifiable, Sendable {
    public enum Status: Sendable { case sending, sent, delivered, read, error(DraftMessage) }
    public var id: String
    public init(
        id: String, user: User, status: Status? = nil, createdAt: Date = Date(timeIntervalSince1970: 0),
        text: String = "", attachments: [Attachment] = [], giphyMediaId: String? = nil, reactions: [Reaction] = [],
        recording: Recording? = nil, replyMessage: ReplyMessage? = nil, customData: [String: any Sendable] = [:]
    ) { self.id = id }
}
public struct ChatView: View {
    public init(messages: [Message], didSendMessage: @escaping (DraftMessage) -> Void) {}
    public var body: some View { EmptyView() }
}
