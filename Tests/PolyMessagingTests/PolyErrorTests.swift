import Expectations
import Foundation
import PolyMessaging
import Testing

@Suite("Errors for people")
struct PolyErrorTests {
    static let all: [PolyError] =
        [
            .auth(.tokenAcquisitionFailed), .auth(.unauthorized),
            .session(.unexpectedDisconnect(code: 1006, reason: "boom")),
            .session(.unexpectedDisconnect(code: 1006, reason: "")),
            .session(.maxReconnectAttemptsExceeded), .session(.sessionExpired),
            .session(.sessionEnded(reason: nil)), .session(.sessionEnded(reason: "REASON_USER_END")),
            .message(.deliveryFailed(draftId: "d1")), .message(.payloadTooLarge(maxBytes: 1_048_576)),
            .transport(.networkError("no route")), .transport(.networkError("")),
            .transport(.protocolError(reason: "a binary frame")), .transport(.notConnected),
            .invalidConfiguration("The connector token is empty."), .invalidConfiguration(""),
        ] + SessionErrorCode.allCases.map { .session(.sessionCreationFailed($0)) }

    @Test("ERR-10 Every case has a description", arguments: all)
    func description(_ error: PolyError) {
        #expect(!error.description.isEmpty)
    }

    @Test("ERR-11 No description shows how Swift spells it", arguments: all)
    func plainWords(_ error: PolyError) {
        for spelling in ["PolyMessaging.", "PolyError", "Optional("] {
            #expect(!error.description.contains(spelling))
        }
    }

    @Test("ERR-12 The localized description is the description", arguments: all)
    func localized(_ error: PolyError) {
        expectEqual(error.localizedDescription, error.description)
        expectEqual((error as any Error).localizedDescription, error.description)
        expectEqual(String(describing: error), error.description)
    }

    @Test("ERR-13 Reflecting shows the case, not the words for people")
    func reflecting() {
        let error = PolyError.auth(.unauthorized)
        let text = String(reflecting: error)
        #expect(text.contains("auth(") && text.contains("unauthorized"))
        #expect(!text.contains("rejected") && !text.contains("connector token"))
    }

    @Test("ERR-14 Reflecting shows the values of a disconnect")
    func reflectingValues() {
        let text = String(
            reflecting: PolyError.session(.unexpectedDisconnect(code: 1006, reason: "boom")))
        for part in ["session(", "1006", "boom"] { #expect(text.contains(part)) }
    }

    @Test("ERR-14 Reflecting is different for every case")
    func reflectingAll() {
        expectEqual(Set(Self.all.map { String(reflecting: $0) }).count, Self.all.count)
    }

    @Test("ERR-15 A refused token is said to be the connector token, rejected and invalid")
    func unauthorized() {
        let text = PolyError.auth(.unauthorized).description
        #expect(text.contains("connector token"))
        #expect(text.contains("rejected") && text.contains("invalid"))
    }

    @Test(
        "ERR-16 Sizes read well",
        arguments: [(1_048_576, "1024 KB"), (65_536, "64 KB"), (1_500, "1500 bytes")] as [(Int, String)])
    func sizes(_ bytes: Int, text: String) {
        #expect(PolyError.message(.payloadTooLarge(maxBytes: bytes)).description.contains(text))
    }

    @Test("ERR-17 A disconnect shows its code and its reason")
    func disconnect() {
        let text = PolyError.session(.unexpectedDisconnect(code: 1006, reason: "boom")).description
        #expect(text.contains("1006") && text.contains("boom"))
    }

    @Test(
        "ERR-18 Without a reason there is no colon at the end",
        arguments: [
            .session(.unexpectedDisconnect(code: 1006, reason: "")), .session(.sessionEnded(reason: "")),
            .transport(.networkError("")), .transport(.protocolError(reason: "")),
        ] as [PolyError])
    func noColon(_ error: PolyError) {
        #expect(!error.description.contains(": "))
        expectEqual(error.description.last, ".")
    }

    @Test("ERR-19 An end without a reason shows no nil")
    func endWithoutReason() {
        let text = PolyError.session(.sessionEnded(reason: nil)).description
        #expect(!text.contains("nil") && !text.contains("Optional"))
    }

    @Test("ERR-20 Transport failures and lost connections can be retried, nothing else", arguments: all)
    func retryable(_ error: PolyError) {
        let expected =
            switch error {
            case .transport(.networkError), .transport(.protocolError), .transport(.notConnected),
                .session(.unexpectedDisconnect), .session(.maxReconnectAttemptsExceeded):
                true
            default: false
            }
        expectEqual(error.isRetryable, expected)
    }

    @Test("ERR-21 Only an expired session is expired, and each flag knows its group", arguments: all)
    func flags(_ error: PolyError) {
        expectEqual(error.isSessionExpired, error == .session(.sessionExpired))
        let group = String(reflecting: error).prefix { $0 != "(" }
        expectEqual(error.isAuthError, group == "auth")
        expectEqual(error.isSessionError, group == "session")
        expectEqual(error.isTransportError, group == "transport")
    }

    @Test("ERR-22 Cases compare by their values")
    func equality() {
        expectEqual(PolyError.message(.deliveryFailed(draftId: "a")), .message(.deliveryFailed(draftId: "a")))
        #expect(PolyError.message(.deliveryFailed(draftId: "a")) != .message(.deliveryFailed(draftId: "b")))
        #expect(PolyError.transport(.networkError("a")) != .transport(.networkError("b")))
    }
}
