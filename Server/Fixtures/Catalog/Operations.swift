/// Names of operations that a fault can select, from all protocols.
enum Operations {
    static let all = [
        "CreateAccessToken", "CreateSession", "Connect",
        "StartChatContact", "StartChatProxy", "StopContact", "CreateParticipant",
        "UpdateParticipantRoleConfig", "CreatePersistentContactAssociation", "GetContactAttributes",
        "UpdateContactAttributes", "DescribeContact", "StartContactStreaming", "StopContactStreaming",
        "CreateParticipantConnection", "SendMessage", "SendEvent", "GetTranscript", "DisconnectParticipant",
        "StartAttachmentUpload", "CompleteAttachmentUpload", "GetAttachment", "DescribeView",
        "GetAuthenticationUrl", "CancelParticipantAuthentication", "UploadAttachment", "DownloadAttachment",
        "WebSocket",
        "Run", "JoinThread", "ListAgents", "ListCapabilities", "RuntimeInfo",
    ]
}
