public import Foundation

// Stand-ins under the names of the AWS SDK's classes: what a custom client is given and answers with.

/// Which way a transcript is read.
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
    /// A person at the desk.
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
    /// Something said.
    case message
    /// Something that happened.
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
    /// Not to be shown.
    case rejected
    /// Not known yet.
    case inProgress
}

/// The answer to SendMessage.
public class AWSConnectParticipantSendMessageResponse {
    /// The message's id.
    public var identifier: String?
    /// Time of acceptance.
    public var absoluteTime: String?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// The answer to SendEvent.
public class AWSConnectParticipantSendEventResponse {
    /// The event's id.
    public var identifier: String?
    /// Time of acceptance.
    public var absoluteTime: String?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// The answer to DisconnectParticipant.
public class AWSConnectParticipantDisconnectParticipantResponse {
    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// The answer to CompleteAttachmentUpload.
public class AWSConnectParticipantCompleteAttachmentUploadResponse {
    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// Start position of a page.
public class AWSConnectParticipantStartPosition {
    /// At the item with this id.
    public var identifier: String?
    /// At this time.
    public var absoluteTime: String?
    /// So many items before the end.
    public var mostRecent: NSNumber?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// Request for a page.
public class AWSConnectParticipantGetTranscriptRequest {
    /// The secret of the request.
    public var connectionToken: String?
    /// Of this contact alone.
    public var contactId: String?
    /// Items at most, 1 to 100.
    public var maxResults: NSNumber?
    /// Goes on where another page ended.
    public var nextToken: String?
    /// Which way.
    public var scanDirection: AWSConnectParticipantScanDirection = .unknown
    /// The order in the page.
    public var sortOrder: AWSConnectParticipantSortKey = .unknown
    /// The start position.
    public var startPosition: AWSConnectParticipantStartPosition?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// A page.
public class AWSConnectParticipantGetTranscriptResponse {
    /// The first contact of the chat.
    public var initialContactId: String?
    /// Leads to the next page; nil at the end.
    public var nextToken: String?
    /// The items.
    public var transcript: [AWSConnectParticipantItem]?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// One item of a page.
public class AWSConnectParticipantItem {
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

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// A file of an item.
public class AWSConnectParticipantAttachmentItem {
    /// Its id.
    public var attachmentId: String?
    /// Its name.
    public var attachmentName: String?
    /// Its type.
    public var contentType: String?
    /// Result of the file scan.
    public var status: AWSConnectParticipantArtifactStatus = .unknown

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// Receipts of a message.
public class AWSConnectParticipantMessageMetadata {
    /// The message.
    public var messageId: String?
    /// One for each reader.
    public var receipts: [AWSConnectParticipantReceipt]?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// Receipt of a message.
public class AWSConnectParticipantReceipt {
    /// Time of reading.
    public var readTimestamp: String?
    /// Time of delivery.
    public var deliveredTimestamp: String?
    /// The reader.
    public var recipientParticipantId: String?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// Upload address of a file.
public class AWSConnectParticipantStartAttachmentUploadResponse {
    /// The file's id.
    public var attachmentId: String?
    /// The address.
    public var uploadMetadata: AWSConnectParticipantUploadMetadata?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// An address for a file.
public class AWSConnectParticipantUploadMetadata {
    /// The address.
    public var url: String?
    /// The expiry.
    public var urlExpiry: String?
    /// Fields that the upload must have.
    public var headersToInclude: [String: String]?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// Download address of a file.
public class AWSConnectParticipantGetAttachmentResponse {
    /// The address.
    public var url: String?
    /// The expiry.
    public var urlExpiry: String?
    /// The file's size.
    public var attachmentSizeInBytes: NSNumber?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// A view.
public class AWSConnectParticipantDescribeViewResponse {
    /// The view.
    public var view: AWSConnectParticipantView?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// A view: a form or a guide.
public class AWSConnectParticipantView {
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

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}

/// Content of a view.
public class AWSConnectParticipantViewContent {
    /// The actions of the view.
    public var actions: [String]?
    /// JSON, as text.
    public var inputSchema: String?
    /// JSON, as text.
    public var template: String?

    /// Empty. Never nil; code for the AWS SDK unwraps it.
    public init!() {}
}
