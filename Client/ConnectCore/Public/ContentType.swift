/// Content type of a message or an event. `rawValue` is the value on the wire.
public enum ContentType: String, Sendable {
    /// `text/plain`
    case plainText = "text/plain"
    /// `text/markdown`
    case richText = "text/markdown"
    /// `application/json`
    case json = "application/json"
    /// `application/vnd.amazonaws.connect.message.interactive`
    case interactiveText = "application/vnd.amazonaws.connect.message.interactive"
    /// `application/vnd.amazonaws.connect.message.interactive.response`
    case interactiveResponse = "application/vnd.amazonaws.connect.message.interactive.response"
    /// `application/vnd.amazonaws.connect.event.typing`
    case typing = "application/vnd.amazonaws.connect.event.typing"
    /// `application/vnd.amazonaws.connect.event.connection.acknowledged`
    case connectionAcknowledged = "application/vnd.amazonaws.connect.event.connection.acknowledged"
    /// `application/vnd.amazonaws.connect.event.message.delivered`
    case messageDelivered = "application/vnd.amazonaws.connect.event.message.delivered"
    /// `application/vnd.amazonaws.connect.event.message.read`
    case messageRead = "application/vnd.amazonaws.connect.event.message.read"
    /// `application/vnd.amazonaws.connect.event.message.metadata`
    case metaData = "application/vnd.amazonaws.connect.event.message.metadata"
    /// `application/vnd.amazonaws.connect.event.participant.joined`
    case joined = "application/vnd.amazonaws.connect.event.participant.joined"
    /// `application/vnd.amazonaws.connect.event.participant.left`
    case left = "application/vnd.amazonaws.connect.event.participant.left"
    /// `application/vnd.amazonaws.connect.event.participant.active`
    case participantActive = "application/vnd.amazonaws.connect.event.participant.active"
    /// `application/vnd.amazonaws.connect.event.participant.inactive`
    case participantInactive = "application/vnd.amazonaws.connect.event.participant.inactive"
    /// `application/vnd.amazonaws.connect.event.participant.idle`
    case participantIdle = "application/vnd.amazonaws.connect.event.participant.idle"
    /// `application/vnd.amazonaws.connect.event.participant.returned`
    case participantReturned = "application/vnd.amazonaws.connect.event.participant.returned"
    /// `application/vnd.amazonaws.connect.event.participant.invited`
    case participantInvited = "application/vnd.amazonaws.connect.event.participant.invited"
    /// `application/vnd.amazonaws.connect.event.participant.autodisconnection`
    case autoDisconnection = "application/vnd.amazonaws.connect.event.participant.autodisconnection"
    /// `application/vnd.amazonaws.connect.event.participant.displayname.updated`
    case participantDisplayNameUpdated =
        "application/vnd.amazonaws.connect.event.participant.displayname.updated"
    /// `application/vnd.amazonaws.connect.event.chat.ended`
    case ended = "application/vnd.amazonaws.connect.event.chat.ended"
    /// `application/vnd.amazonaws.connect.event.chat.rehydrated`
    case chatRehydrated = "application/vnd.amazonaws.connect.event.chat.rehydrated"
    /// `application/vnd.amazonaws.connect.event.transfer.succeeded`
    case transferSucceeded = "application/vnd.amazonaws.connect.event.transfer.succeeded"
    /// `application/vnd.amazonaws.connect.event.transfer.failed`
    case transferFailed = "application/vnd.amazonaws.connect.event.transfer.failed"
    /// `application/vnd.amazonaws.connect.event.authentication.initiated`
    case authenticationInitiated = "application/vnd.amazonaws.connect.event.authentication.initiated"
    /// `application/vnd.amazonaws.connect.event.authentication.succeeded`
    case authenticationSuccessful = "application/vnd.amazonaws.connect.event.authentication.succeeded"
    /// `application/vnd.amazonaws.connect.event.authentication.failed`
    case authenticationFailed = "application/vnd.amazonaws.connect.event.authentication.failed"
    /// `application/vnd.amazonaws.connect.event.authentication.timeout`
    case authenticationTimeout = "application/vnd.amazonaws.connect.event.authentication.timeout"
    /// `application/vnd.amazonaws.connect.event.authentication.expired`
    case authenticationExpired = "application/vnd.amazonaws.connect.event.authentication.expired"
    /// `application/vnd.amazonaws.connect.event.authentication.cancelled`
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
    /// A message.
    case message = "MESSAGE"
    /// An event.
    case event = "EVENT"
    /// A file.
    case attachment = "ATTACHMENT"
    /// Receipts of a message.
    case messageMetadata = "MESSAGEMETADATA"
}

/// Error codes of the published SDK, for source compatibility. This SDK reports none of them.
public enum WebSocketErrorCodes: Int, Sendable {
    /// The network went away.
    case NETWORK_DISCONNECTED = -1005
    /// The upgrade was refused.
    case BAD_SERVER_RESPONSE = -1011
    /// The system ended the connection.
    case SOFTWARE_ABORT = 53
    /// No answer in time.
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

/// The file types that the service accepts; cases are named after the usual file extension.
public enum AttachmentTypes: String, Sendable, CaseIterable {
    /// `text/csv`
    case csv = "text/csv"
    /// `application/msword`
    case doc = "application/msword"
    /// `application/vnd.openxmlformats-officedocument.wordprocessingml.document`
    case docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    /// `image/heic`
    case heic = "image/heic"
    /// `image/jpeg`
    case jpg = "image/jpeg"
    /// `video/quicktime`
    case mov = "video/quicktime"
    /// `video/mp4`
    case mp4 = "video/mp4"
    /// `application/pdf`
    case pdf = "application/pdf"
    /// `image/png`
    case png = "image/png"
    /// `application/vnd.ms-powerpoint`
    case ppt = "application/vnd.ms-powerpoint"
    /// `application/vnd.openxmlformats-officedocument.presentationml.presentation`
    case pptx = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    /// `application/rtf`
    case rtf = "application/rtf"
    /// `text/plain`
    case txt = "text/plain"
    /// `audio/wav`
    case wav = "audio/wav"
    /// `application/vnd.ms-excel`
    case xls = "application/vnd.ms-excel"
    /// `application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`
    case xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    /// The type of a file by its extension, ignoring case; `jpeg` and `jfif` are `jpg`.
    static func type(ofFile name: String) -> AttachmentTypes? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let end = name[name.index(after: dot)...].lowercased()
        if end == "jpeg" || end == "jfif" { return .jpg }
        return allCases.first { "\($0)" == end }
    }
}
