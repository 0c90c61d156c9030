public import ConnectCore
public import Foundation

extension ConnectChatError: CustomNSError {
    /// `ConnectChat`
    public static var errorDomain: String { "ConnectChat" }

    /// User info for the system's log.
    public var errorUserInfo: [String: Any] {
        var facts: [String: Any] = [NSLocalizedDescriptionKey: text]
        facts[NSLocalizedFailureReasonErrorKey] = failureReason
        return facts
    }
}
