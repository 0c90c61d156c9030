public import ConnectCore
public import Foundation

extension ConnectChatError: CustomNSError {
    /// The error domain, `ConnectChat`.
    public static var errorDomain: String { "ConnectChat" }

    /// The user info, with description and failure reason.
    public var errorUserInfo: [String: Any] {
        var facts: [String: Any] = [NSLocalizedDescriptionKey: text]
        facts[NSLocalizedFailureReasonErrorKey] = failureReason
        return facts
    }
}
