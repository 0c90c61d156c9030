#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PolyError: CustomStringConvertible, LocalizedError, CustomDebugStringConvertible {
    /// The error in one or two sentences, for the user of the app.
    public var description: String {
        switch self {
        case .auth(let error): error.sentence
        case .session(let error): error.sentence
        case .message(let error): error.sentence
        case .transport(let error): error.sentence
        case .invalidConfiguration(let problem):
            problem.isEmpty ? "The chat is not configured correctly." : problem
        }
    }

    /// Equal to ``description``.
    public var errorDescription: String? { description }

    /// The case and its values, for debugging.
    public var debugDescription: String {
        switch self {
        case .auth(.tokenAcquisitionFailed): "auth(tokenAcquisitionFailed)"
        case .auth(.unauthorized): "auth(unauthorized)"
        case .session(let error): "session(\(error.structure))"
        case .message(.deliveryFailed(let draftId)): "message(deliveryFailed(draftId: \(quoted(draftId))))"
        case .message(.payloadTooLarge(let maxBytes)): "message(payloadTooLarge(maxBytes: \(maxBytes)))"
        case .transport(.networkError(let text)): "transport(networkError(\(quoted(text))))"
        case .transport(.protocolError(let reason)): "transport(protocolError(reason: \(quoted(reason))))"
        case .transport(.notConnected): "transport(notConnected)"
        case .invalidConfiguration(let text): "invalidConfiguration(\(quoted(text)))"
        }
    }
}

private func quoted(_ text: String) -> String { "\"\(text)\"" }

private func worded(_ sentence: String, detail: String?) -> String {
    guard let detail, !detail.isEmpty else { return sentence + "." }
    return "\(sentence): \(detail)"
}

extension PolyError.Auth {
    fileprivate var sentence: String {
        switch self {
        case .tokenAcquisitionFailed: "The chat could not sign in. Please try again later."
        case .unauthorized:
            "The connector token was rejected: it is invalid, or may not be used from this app."
        }
    }
}

extension PolyError.Session {
    fileprivate var sentence: String {
        switch self {
        case .sessionCreationFailed(let code): code.sentence
        case .unexpectedDisconnect(let code, let reason):
            worded("The connection was lost (code \(code))", detail: reason)
        case .maxReconnectAttemptsExceeded:
            "The connection was lost and could not be restored. Check the network and try again."
        case .sessionExpired: "The chat was inactive for too long and has ended. Start a new one to go on."
        case .sessionEnded(let reason): worded("The chat has ended", detail: reason)
        }
    }

    fileprivate var structure: String {
        switch self {
        case .sessionCreationFailed(let code): "sessionCreationFailed(\(code))"
        case .unexpectedDisconnect(let code, let reason):
            "unexpectedDisconnect(code: \(code), reason: \(quoted(reason)))"
        case .maxReconnectAttemptsExceeded: "maxReconnectAttemptsExceeded"
        case .sessionExpired: "sessionExpired"
        case .sessionEnded(let reason): "sessionEnded(reason: \(reason.map(quoted) ?? "nil"))"
        }
    }
}

extension PolyError.Message {
    fileprivate var sentence: String {
        switch self {
        case .deliveryFailed: "The message was not delivered. Please send it again."
        case .payloadTooLarge(let maxBytes):
            "The message is too large. At most \(Self.size(maxBytes)) can be sent at once."
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1_024 && bytes.isMultiple(of: 1_024) ? "\(bytes / 1_024) KB" : "\(bytes) bytes"
    }
}

extension PolyError.Transport {
    fileprivate var sentence: String {
        switch self {
        case .networkError(let text): worded("The network request failed", detail: text)
        case .protocolError(let reason):
            worded("The server sent something that cannot be understood", detail: reason)
        case .notConnected: "The chat is not connected at the moment."
        }
    }
}

extension SessionErrorCode {
    var sentence: String {
        switch self {
        case .errorParsingRequest: "The server could not read the request for a chat."
        case .missingAuthHeaders: "The request for a chat lacked the connector token or the host name."
        case .connectorLookupFailed: "The server could not find the agent of this connector token."
        case .connectorValidationFailed: "The connector token may not be used from this app."
        case .sessionCreationFailed: "The server could not start a chat. Please try again later."
        case .unknown: "The chat could not be started. Please try again later."
        case .connectionClosedAbnormally: "The connection to the chat was lost."
        case .messageTooLarge: "The message is too large."
        }
    }
}
