public import Foundation

// Replacements for classes of the AWS SDK, with the same names, for a custom client.

/// Direction in which a transcript is read.
public enum AWSConnectParticipantScanDirection: Int, Sendable {
    /// Unknown.
    case unknown
    /// From old to new items.
    case forward
    /// From new to old items.
    case backward
}

/// Sort order of a transcript page.
public enum AWSConnectParticipantSortKey: Int, Sendable {
    /// Unknown.
    case unknown
    /// The newest item first.
    case descending
    /// The oldest item first.
    case ascending
}

/// Role of a sender.
public enum AWSConnectParticipantParticipantRole: Int, Sendable {
    /// Unknown.
    case unknown
    /// A live agent.
    case agent
    /// The user.
    case customer
    /// A flow or its bot.
    case system
    /// A bot that was added to the chat.
    case customBot
    /// A supervisor of the agent.
    case supervisor
}

/// Type of a transcript item.
public enum AWSConnectParticipantChatItemType: Int, Sendable {
    /// Unknown.
    case unknown
    /// A message.
    case message
    /// An event.
    case event
    /// A file.
    case attachment
}

/// Result of the attachment scan of a file.
public enum AWSConnectParticipantArtifactStatus: Int, Sendable {
    /// Unknown.
    case unknown
    /// The file may be shown.
    case approved
    /// The file must not be shown.
    case rejected
    /// The scan is not finished.
    case inProgress
}

/// Base class of requests and responses.
public class AWSModel {
    /// Creates an empty object, never nil. The AWS SDK declares this initialiser as failable.
    public init!() {}
}

/// Response of SendMessage.
public class AWSConnectParticipantSendMessageResponse: AWSModel {
    /// The id of the message.
    public var identifier: String?
    /// Time at which the service accepted the message, in ISO 8601.
    public var absoluteTime: String?
}

/// Response of SendEvent.
public class AWSConnectParticipantSendEventResponse: AWSModel {
    /// The id of the event.
    public var identifier: String?
    /// Time at which the service accepted the event, in ISO 8601.
    public var absoluteTime: String?
}

/// Response of DisconnectParticipant.
public class AWSConnectParticipantDisconnectParticipantResponse: AWSModel {}

/// Response of CompleteAttachmentUpload.
public class AWSConnectParticipantCompleteAttachmentUploadResponse: AWSModel {}

/// Start position of a transcript page.
public class AWSConnectParticipantStartPosition: AWSModel {
    /// Starts at the item with this id.
    public var identifier: String?
    /// Starts at this time, in ISO 8601.
    public var absoluteTime: String?
    /// Starts this many items before the end of the transcript.
    public var mostRecent: NSNumber?
}

/// Request of GetTranscript.
public class AWSConnectParticipantGetTranscriptRequest: AWSModel {
    /// The connection token; a secret.
    public var connectionToken: String?
    /// Restricts the page to this contact.
    public var contactId: String?
    /// Maximum number of items, 1 to 100. Nil means 30.
    public var maxResults: NSNumber?
    /// Token from the previous page. The new page begins after that page.
    public var nextToken: String?
    /// The direction of reading. Unknown means backward.
    public var scanDirection: AWSConnectParticipantScanDirection = .unknown
    /// The order of the items. Unknown means ascending.
    public var sortOrder: AWSConnectParticipantSortKey = .unknown
    /// The start position.
    public var startPosition: AWSConnectParticipantStartPosition?
}

/// Response of GetTranscript: a page.
public class AWSConnectParticipantGetTranscriptResponse: AWSModel {
    /// The id of the first contact of the chat.
    public var initialContactId: String?
    /// Token for the next page; nil on the last page.
    public var nextToken: String?
    /// The items of the page.
    public var transcript: [AWSConnectParticipantItem]?
}

/// One item of a transcript.
public class AWSConnectParticipantItem: AWSModel {
    /// The id of the item.
    public var identifier: String?
    /// Time at which the service accepted the item, in ISO 8601.
    public var absoluteTime: String?
    /// The text of the item; for a file, its name.
    public var content: String?
    /// The content type.
    public var contentType: String?
    /// The id of the item's contact; nil for an item of a past session.
    public var contactId: String?
    /// For an item of a past session, the id of that session's contact.
    public var relatedContactId: String?
    /// The sender's name.
    public var displayName: String?
    /// The id of the sender.
    public var participantId: String?
    /// The sender's role.
    public var participantRole: AWSConnectParticipantParticipantRole = .unknown
    /// The type of the item.
    public var types: AWSConnectParticipantChatItemType = .unknown
    /// The files of the item.
    public var attachments: [AWSConnectParticipantAttachmentItem]?
    /// The receipts of the message.
    public var messageMetadata: AWSConnectParticipantMessageMetadata?
}

/// A file of an item.
public class AWSConnectParticipantAttachmentItem: AWSModel {
    /// The id of the file.
    public var attachmentId: String?
    /// The name of the file.
    public var attachmentName: String?
    /// The content type of the file.
    public var contentType: String?
    /// Result of the attachment scan.
    public var status: AWSConnectParticipantArtifactStatus = .unknown
}

/// Receipts of a message.
public class AWSConnectParticipantMessageMetadata: AWSModel {
    /// The id of the message.
    public var messageId: String?
    /// One receipt for each recipient.
    public var receipts: [AWSConnectParticipantReceipt]?
}

/// Receipt of a message from one recipient.
public class AWSConnectParticipantReceipt: AWSModel {
    /// Time of reading, in ISO 8601.
    public var readTimestamp: String?
    /// Time of delivery, in ISO 8601.
    public var deliveredTimestamp: String?
    /// The id of the recipient.
    public var recipientParticipantId: String?
}

/// Response of StartAttachmentUpload.
public class AWSConnectParticipantStartAttachmentUploadResponse: AWSModel {
    /// The id of the file.
    public var attachmentId: String?
    /// The upload URL and its header fields.
    public var uploadMetadata: AWSConnectParticipantUploadMetadata?
}

/// Upload URL of a file.
public class AWSConnectParticipantUploadMetadata: AWSModel {
    /// The upload URL.
    public var url: String?
    /// Time when the URL expires, in ISO 8601.
    public var urlExpiry: String?
    /// Header fields that the upload must have.
    public var headersToInclude: [String: String]?
}

/// Response of GetAttachment.
public class AWSConnectParticipantGetAttachmentResponse: AWSModel {
    /// The download URL.
    public var url: String?
    /// Time when the URL expires, in ISO 8601.
    public var urlExpiry: String?
    /// The size of the file in bytes.
    public var attachmentSizeInBytes: NSNumber?
}

/// Response of DescribeView.
public class AWSConnectParticipantDescribeViewResponse: AWSModel {
    /// The view.
    public var view: AWSConnectParticipantView?
}

/// A view: a form or a step-by-step guide.
public class AWSConnectParticipantView: AWSModel {
    /// The id of the view.
    public var identifier: String?
    /// The name of the view.
    public var name: String?
    /// The Amazon resource name (ARN) of the view.
    public var arn: String?
    /// The version of the view.
    public var version: NSNumber?
    /// The content of the view.
    public var content: AWSConnectParticipantViewContent?
}

/// Content of a view.
public class AWSConnectParticipantViewContent: AWSModel {
    /// The actions of the view.
    public var actions: [String]?
    /// The input schema, as JSON text.
    public var inputSchema: String?
    /// The template, as JSON text.
    public var template: String?
}
