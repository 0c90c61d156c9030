public import ConnectCore
public import Foundation

extension ConnectChatError: CustomNSError {
    /// `ConnectChat`
    public static var errorDomain: String { "ConnectChat" }

    /// What a log of the system shows.
    public var errorUserInfo: [String: Any] {
        var facts: [String: Any] = [NSLocalizedDescriptionKey: text]
        facts[NSLocalizedFailureReasonErrorKey] = failureReason
        return facts
    }
}
