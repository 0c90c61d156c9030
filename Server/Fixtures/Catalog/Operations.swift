/// Names of the operations of all protocols. A fault uses them to select an HTTP request. A test compares them with the
/// routes.
enum Operations {
    static let all = [
        // The Messaging API.
        "CreateAccessToken", "CreateSession", "Connect",
        // Amazon Connect chat.
        "StartChatContact", "StartChatProxy", "StopContact", "CreateParticipant",
        "UpdateParticipantRoleConfig", "CreatePersistentContactAssociation", "GetContactAttributes",
        "UpdateContactAttributes", "DescribeContact", "StartContactStreaming", "StopContactStreaming",
        "CreateParticipantConnection", "SendMessage", "SendEvent", "GetTranscript", "DisconnectParticipant",
        "StartAttachmentUpload", "CompleteAttachmentUpload", "GetAttachment", "DescribeView",
        "GetAuthenticationUrl", "CancelParticipantAuthentication", "UploadAttachment", "DownloadAttachment",
        "WebSocket",
        // Agent runs.
        "Run", "JoinThread", "ListAgents", "ListCapabilities",
    ]
}
