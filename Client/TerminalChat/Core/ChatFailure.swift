import PolyMessaging

package struct ChatFailure: Equatable, Sendable {
    /// Stable short name of the error.
    var code: String
    var message: String
    var isRetryable: Bool
}

extension ChatFailure {
    init(_ error: PolyError) {
        self.init(code: Self.code(of: error), message: error.description, isRetryable: error.isRetryable)
    }

    private static func code(of error: PolyError) -> String {
        switch error {
        case .auth(.unauthorized): "unauthorized"
        case .auth(.tokenAcquisitionFailed): "token_failed"
        case .session(.sessionCreationFailed): "session_failed"
        case .session(.unexpectedDisconnect): "disconnected"
        case .session(.maxReconnectAttemptsExceeded): "gave_up"
        case .session(.sessionExpired): "expired"
        case .session(.sessionEnded): "ended"
        case .message(.deliveryFailed): "not_delivered"
        case .message(.payloadTooLarge): "too_large"
        case .transport(.networkError): "network"
        case .transport(.protocolError): "protocol"
        case .transport(.notConnected): "not_connected"
        case .invalidConfiguration: "configuration"
        }
    }
}
