#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Error of a chat call.
///
/// Descriptions contain no tokens, URL queries or message texts. `(error as NSError).localizedFailureReason` names the
/// service's exception, such as `AccessDeniedException`.
///
/// ```swift
/// do {
///     try await session.sendMessage(contentType: .plainText, message: draft)
/// } catch ConnectChatError.chatEnded {
///     print("The chat is over")
/// }
/// ```
public enum ConnectChatError: Error, Equatable, Sendable {
    /// There is no chat: call `connect` first.
    case notConnected
    case chatEnded
    /// A `connect` with a different token replaced the chat.
    case superseded
    /// The session was reset, disconnected or released before the call completed, or a download was cancelled.
    case reset
    /// The service answered with an error.
    case service(ServiceError)
    /// The service's answer is incomplete or unreadable; the text says why.
    case unexpectedAnswer(String)
    /// There was no answer, or an upload was cancelled; the text says why.
    case network(String)
    /// There was no answer in time.
    case timedOut(seconds: Double)
    /// `https` and `wss` need an Apple system.
    case encryptionUnavailable
    /// An argument or the configuration is invalid; the text says why.
    case invalidArgument(String)
    /// The transcript has no message with this id, or the message's file no longer exists.
    case messageNotFound(id: String)
    case messageNotFailed(id: String)
    /// The service takes no files of this type. The text is the file's extension.
    case unsupportedFileType(String)
    /// The file cannot be read or written, or its temporary copy no longer exists.
    case fileUnreadable(String)
    case fileEmpty
    case uploadRefused(status: Int)
    case downloadRefused(status: Int)

    /// Error response of the service.
    public struct ServiceError: Error, Equatable, Sendable {
        /// Name of the exception. Empty if the answer has none.
        public let type: String
        /// The HTTP status of the answer.
        public let status: Int
        /// The service's message.
        public let message: String
        /// Id of the request in the service's logs.
        public let requestId: String?
        /// Seconds to wait before another attempt, from `Retry-After`; nil without a number in this header.
        public let retryAfter: Double?

        /// Makes an error; each argument sets the property of its name.
        public init(
            type: String, status: Int, message: String = "", requestId: String? = nil,
            retryAfter: Double? = nil
        ) {
            self.type = type
            self.status = status
            self.message = message
            self.requestId = requestId
            self.retryAfter = retryAfter
        }
    }

    /// True if the call may succeed later: after no answer, or status 429 or 5xx of the service (not of file storage).
    public var isRetryable: Bool {
        switch self {
        case .network, .timedOut: true
        case .service(let error): error.status == 429 || error.status >= 500
        default: false
        }
    }
}

extension ConnectChatError: LocalizedError {
    /// A number for each case, from 1.
    public var errorCode: Int { facts.code }

    /// The error in one sentence.
    public var errorDescription: String? { facts.text }

    /// The name of the service's exception; nil without one.
    public var failureReason: String? {
        guard case .service(let error) = self, !error.type.isEmpty else { return nil }
        return error.type
    }

    package var text: String { facts.text }

    private var facts: (code: Int, text: String) {
        switch self {
        case .notConnected: (1, "There is no connection yet. Call connect first.")
        case .chatEnded: (2, "The chat has ended.")
        case .superseded: (3, "Another chat was connected meanwhile.")
        case .reset: (4, "The chat was reset meanwhile.")
        case .service(let error):
            (
                5,
                "The service answered with status \(error.status)\(error.type.isEmpty ? "" : " (\(error.type))")."
            )
        case .unexpectedAnswer(let text): (6, text)
        case .network(let text): (7, text)
        case .timedOut(let seconds): (8, "There was no answer in \(Int(seconds)) seconds.")
        case .encryptionUnavailable:
            (
                9,
                "Encrypted connections (https, wss) need an Apple system. Use http, or a local proxy that encrypts."
            )
        case .invalidArgument(let text): (10, text)
        case .messageNotFound: (11, "There is no such message in the transcript.")
        case .messageNotFailed: (12, "The message has not failed, so it is not sent again.")
        case .unsupportedFileType(let type): (13, "Files of the type \"\(type)\" cannot be sent.")
        case .fileUnreadable: (14, "The file cannot be read.")
        case .fileEmpty: (15, "The file is empty.")
        case .uploadRefused(let status): (16, "The upload was refused with status \(status).")
        case .downloadRefused(let status): (17, "The download was refused with status \(status).")
        }
    }
}
