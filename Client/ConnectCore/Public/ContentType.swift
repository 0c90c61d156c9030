/// Content type of a message or an event. `rawValue` is the value on the wire.
public enum ContentType: String, Sendable {
    case plainText = "text/plain"
    case richText = "text/markdown"
    case json = "application/json"
    case interactiveText = "application/vnd.amazonaws.connect.message.interactive"
    case interactiveResponse = "application/vnd.amazonaws.connect.message.interactive.response"
    case typing = "application/vnd.amazonaws.connect.event.typing"
    case connectionAcknowledged = "application/vnd.amazonaws.connect.event.connection.acknowledged"
    case messageDelivered = "application/vnd.amazonaws.connect.event.message.delivered"
    case messageRead = "application/vnd.amazonaws.connect.event.message.read"
    case metaData = "application/vnd.amazonaws.connect.event.message.metadata"
    case joined = "application/vnd.amazonaws.connect.event.participant.joined"
    case left = "application/vnd.amazonaws.connect.event.participant.left"
    case participantActive = "application/vnd.amazonaws.connect.event.participant.active"
    case participantInactive = "application/vnd.amazonaws.connect.event.participant.inactive"
    case participantIdle = "application/vnd.amazonaws.connect.event.participant.idle"
    case participantReturned = "application/vnd.amazonaws.connect.event.participant.returned"
    case participantInvited = "application/vnd.amazonaws.connect.event.participant.invited"
    case autoDisconnection = "application/vnd.amazonaws.connect.event.participant.autodisconnection"
    case participantDisplayNameUpdated =
        "application/vnd.amazonaws.connect.event.participant.displayname.updated"
    case ended = "application/vnd.amazonaws.connect.event.chat.ended"
    case chatRehydrated = "application/vnd.amazonaws.connect.event.chat.rehydrated"
    case transferSucceeded = "application/vnd.amazonaws.connect.event.transfer.succeeded"
    case transferFailed = "application/vnd.amazonaws.connect.event.transfer.failed"
    /// Amazon's SDK does not have this type.
    case workflowCancelled = "application/vnd.amazonaws.connect.event.workflow.cancelled"
    case authenticationInitiated = "application/vnd.amazonaws.connect.event.authentication.initiated"
    case authenticationSuccessful = "application/vnd.amazonaws.connect.event.authentication.succeeded"
    case authenticationFailed = "application/vnd.amazonaws.connect.event.authentication.failed"
    case authenticationTimeout = "application/vnd.amazonaws.connect.event.authentication.timeout"
    case authenticationExpired = "application/vnd.amazonaws.connect.event.authentication.expired"
    case authenticationCancelled = "application/vnd.amazonaws.connect.event.authentication.cancelled"
}

/// The receipts that a client can send.
public enum MessageReceiptType: String, Sendable {
    /// The message has arrived on the device.
    case messageDelivered = "application/vnd.amazonaws.connect.event.message.delivered"
    /// The user has seen the message.
    case messageRead = "application/vnd.amazonaws.connect.event.message.read"
}

/// The kinds of items on the wire.
public enum WebSocketMessageType: String, Sendable {
    case message = "MESSAGE"
    case event = "EVENT"
    case attachment = "ATTACHMENT"
    /// Receipts of a message.
    case messageMetadata = "MESSAGEMETADATA"
}

/// Error codes of Amazon's SDK, for source compatibility. This SDK reports none of them.
public enum WebSocketErrorCodes: Int, Sendable {
    case NETWORK_DISCONNECTED = -1005
    case BAD_SERVER_RESPONSE = -1011
    case SOFTWARE_ABORT = 53
    case OPERATION_TIMED_OUT = 60
}

/// Names of interactive templates on the wire.
public struct Constants: Sendable {
    /// `QuickReply`
    public static let QUICK_REPLY = "QuickReply"
    /// `ListPicker`
    public static let LIST_PICKER = "ListPicker"
    /// `Panel`
    public static let PANEL = "Panel"
    /// `TimePicker`
    public static let TIME_PICKER = "TimePicker"
    /// `Carousel`
    public static let CAROUSEL = "Carousel"
    /// `ViewResource`
    public static let VIEW_RESOURCE = "ViewResource"
}

/// File types that the service accepts, named after their usual extensions.
public enum AttachmentTypes: String, Sendable, CaseIterable {
    case csv = "text/csv"
    case doc = "application/msword"
    case docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    case heic = "image/heic"
    case jpg = "image/jpeg"
    case mov = "video/quicktime"
    case mp4 = "video/mp4"
    case pdf = "application/pdf"
    case png = "image/png"
    case ppt = "application/vnd.ms-powerpoint"
    case pptx = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    case rtf = "application/rtf"
    case txt = "text/plain"
    case wav = "audio/wav"
    case xls = "application/vnd.ms-excel"
    case xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    /// Returns the type for the extension of `name`, ignoring case. `jpeg` and `jfif` count as `jpg`.
    static func type(ofFile name: String) -> AttachmentTypes? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let end = name[name.index(after: dot)...].lowercased()
        if end == "jpeg" || end == "jfif" { return .jpg }
        return allCases.first { "\($0)" == end }
    }
}
