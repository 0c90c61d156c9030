public import Foundation

// Stand-ins under the names of the AWS SDK's classes: what a custom client is given and answers with.

/// Direction in which a transcript is read.
public enum AWSConnectParticipantScanDirection: Int, Sendable {
    /// Not known.
    case unknown
    /// From old to new.
    case forward
    /// From new to old.
    case backward
}

/// Sort order of a page.
public enum AWSConnectParticipantSortKey: Int, Sendable {
    /// Not known.
    case unknown
    /// The newest first.
    case descending
    /// The oldest first.
    case ascending
}

/// Role of a sender.
public enum AWSConnectParticipantParticipantRole: Int, Sendable {
    /// Not known.
    case unknown
    /// A live agent.
    case agent
    /// The user.
    case customer
    /// Flows and their bots.
    case system
    /// A bot that was added.
    case customBot
    /// A supervisor of the agent.
    case supervisor
}

/// Type of an item.
public enum AWSConnectParticipantChatItemType: Int, Sendable {
    /// Not known.
    case unknown
    /// A message.
    case message
    /// An event.
    case event
    /// A file.
    case attachment
}

/// Result of the file scan.
public enum AWSConnectParticipantArtifactStatus: Int, Sendable {
    /// Not known.
    case unknown
    /// Clean.
    case approved
    /// Rejected; must not be shown.
    case rejected
    /// The scan is not finished.
    case inProgress
}

/// Base class of requests and responses, as in the AWS SDK.
public class AWSModel {
    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// The answer to SendMessage.
public class AWSConnectParticipantSendMessageResponse: AWSModel {
    /// The message's id.
    public var identifier: String?
    /// Time of acceptance.
    public var absoluteTime: String?
}

/// The answer to SendEvent.
public class AWSConnectParticipantSendEventResponse: AWSModel {
    /// The event's id.
    public var identifier: String?
    /// Time of acceptance.
    public var absoluteTime: String?
}

/// The answer to DisconnectParticipant.
public class AWSConnectParticipantDisconnectParticipantResponse: AWSModel {}

/// The answer to CompleteAttachmentUpload.
public class AWSConnectParticipantCompleteAttachmentUploadResponse: AWSModel {}

/// Start position of a page.
public class AWSConnectParticipantStartPosition: AWSModel {
    /// At the item with this id.
    public var identifier: String?
    /// At this time.
    public var absoluteTime: String?
    /// Starts this many items before the end.
    public var mostRecent: NSNumber?
}

/// Request for a page.
public class AWSConnectParticipantGetTranscriptRequest: AWSModel {
    /// The secret of the request.
    public var connectionToken: String?
    /// Restricts the page to this contact.
    public var contactId: String?
    /// Maximum number of items, 1 to 100.
    public var maxResults: NSNumber?
    /// Token of the previous page; the request continues after it.
    public var nextToken: String?
    /// The direction.
    public var scanDirection: AWSConnectParticipantScanDirection = .unknown
    /// The order in the page.
    public var sortOrder: AWSConnectParticipantSortKey = .unknown
    /// The start position.
    public var startPosition: AWSConnectParticipantStartPosition?
}

/// A page.
public class AWSConnectParticipantGetTranscriptResponse: AWSModel {
    /// The first contact of the chat.
    public var initialContactId: String?
    /// Token for the next page; nil at the end.
    public var nextToken: String?
    /// The items.
    public var transcript: [AWSConnectParticipantItem]?
}

/// One item of a page.
public class AWSConnectParticipantItem: AWSModel {
    /// Its id.
    public var identifier: String?
    /// Time of arrival.
    public var absoluteTime: String?
    /// The text.
    public var content: String?
    /// The content type.
    public var contentType: String?
    /// The contact; nil in past sessions.
    public var contactId: String?
    /// The contact of a past session.
    public var relatedContactId: String?
    /// The sender's name.
    public var displayName: String?
    /// The sender.
    public var participantId: String?
    /// The sender's role.
    public var participantRole: AWSConnectParticipantParticipantRole = .unknown
    /// The type of the item.
    public var types: AWSConnectParticipantChatItemType = .unknown
    /// Files.
    public var attachments: [AWSConnectParticipantAttachmentItem]?
    /// Receipts.
    public var messageMetadata: AWSConnectParticipantMessageMetadata?
}

/// A file of an item.
public class AWSConnectParticipantAttachmentItem: AWSModel {
    /// Its id.
    public var attachmentId: String?
    /// Its name.
    public var attachmentName: String?
    /// Its type.
    public var contentType: String?
    /// Result of the file scan.
    public var status: AWSConnectParticipantArtifactStatus = .unknown
}

/// Receipts of a message.
public class AWSConnectParticipantMessageMetadata: AWSModel {
    /// The message.
    public var messageId: String?
    /// One receipt for each reader.
    public var receipts: [AWSConnectParticipantReceipt]?
}

/// Receipt of a message.
public class AWSConnectParticipantReceipt: AWSModel {
    /// Time of reading.
    public var readTimestamp: String?
    /// Time of delivery.
    public var deliveredTimestamp: String?
    /// The reader.
    public var recipientParticipantId: String?
}

/// Upload address of a file.
public class AWSConnectParticipantStartAttachmentUploadResponse: AWSModel {
    /// The file's id.
    public var attachmentId: String?
    /// The address.
    public var uploadMetadata: AWSConnectParticipantUploadMetadata?
}

/// An address for a file.
public class AWSConnectParticipantUploadMetadata: AWSModel {
    /// The address.
    public var url: String?
    /// The expiry.
    public var urlExpiry: String?
    /// Header fields that the upload must have.
    public var headersToInclude: [String: String]?
}

/// Download address of a file.
public class AWSConnectParticipantGetAttachmentResponse: AWSModel {
    /// The address.
    public var url: String?
    /// The expiry.
    public var urlExpiry: String?
    /// The file's size.
    public var attachmentSizeInBytes: NSNumber?
}

/// A view.
public class AWSConnectParticipantDescribeViewResponse: AWSModel {
    /// The view.
    public var view: AWSConnectParticipantView?
}

/// A view: a form or a guide.
public class AWSConnectParticipantView: AWSModel {
    /// Its id.
    public var identifier: String?
    /// Its name.
    public var name: String?
    /// Its resource name.
    public var arn: String?
    /// Its version.
    public var version: NSNumber?
    /// The content of the view.
    public var content: AWSConnectParticipantViewContent?
}

/// Content of a view.
public class AWSConnectParticipantViewContent: AWSModel {
    /// The actions of the view.
    public var actions: [String]?
    /// JSON, as text.
    public var inputSchema: String?
    /// JSON, as text.
    public var template: String?
}
