import Foundation
import PolyMessaging
import Testing

/// Ways apps show the connection and its errors. The switch over statuses has no `default`.
@Suite("Snippets: statuses and errors")
struct StatusSnippets {
    private func banner(_ status: ConnectionStatus) -> String? {
        switch status {
        case .idle, .open: nil
        case .connecting: "Connecting"
        case .closing: "Closing"
        case .closed(let event): event.map { "Closed (\($0.code) \($0.reason) \($0.wasClean))" } ?? "Closed"
        case .reconnecting(let attempt): "Trying again (\(attempt))"
        case .failed(let reason): reason.map { "\($0)" } ?? "Failed"
        }
    }

    @Test("A status of every kind has its banner")
    func banners() {
        #expect(banner(.open) == nil)
        #expect(banner(.reconnecting(attempt: 2)) == "Trying again (2)")
        #expect(
            banner(.closed(ConnectionCloseEvent(code: 1_000, reason: "bye", wasClean: true)))
                == "Closed (1000 bye true)")
        let status = ConnectionStatus.reconnecting(attempt: 1)
        #expect(status.isReconnecting)
    }

    @Test("An error is caught by its type, asked by its flags and taken apart by its cases")
    func errors() {
        func advice(_ body: () throws -> Void) -> String {
            do {
                try body()
                return "fine"
            } catch let error as PolyError {
                if error.isAuthError { return "check the token" }
                if error.isSessionExpired { return "start again" }
                switch error {
                case .transport(.networkError(let reason)): return "network: \(reason)"
                case .message(.payloadTooLarge(let maxBytes)): return "at most \(maxBytes)"
                default: return error.isRetryable ? "try again" : String(describing: error)
                }
            } catch {
                return error.localizedDescription
            }
        }
        #expect(advice { throw PolyError.auth(.unauthorized) } == "check the token")
        #expect(advice { throw PolyError.session(.sessionExpired) } == "start again")
        #expect(advice { throw PolyError.transport(.networkError("no route")) } == "network: no route")
        #expect(advice { throw PolyError.transport(.notConnected) } == "try again")
    }

    @Test("Typing states are two")
    func typing() {
        func word(_ state: TypingState) -> String {
            switch state {
            case .started: "typing"
            case .stopped: "quiet"
            }
        }
        #expect([TypingState.started, .stopped].map(word) == ["typing", "quiet"])
    }

    @Test("A session's state is made and read")
    func state() {
        let state = SessionState(
            sessionId: nil, status: .unknown, isReady: false, isLoading: true, error: nil)
        #expect(!state.canSendMessages && state.errorMessage == nil)
    }
}
