package import ClientSupport
import Clocks
import HTTPClient
import HTTPCore
import Texts

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Request that starts a contact.
package struct ContactStart: Sendable {
    package var endpoint: URL
    /// The `ContactFlowId`, such as `mock:booking` for a mock server.
    package var flow: String
    package var name = "Customer"
    package var isStreaming = true

    package init(endpoint: URL, flow: String) {
        self.endpoint = endpoint
        self.flow = flow
    }

    package func callAsFunction(over http: any WebTransport) async throws(ConnectChatError) -> ChatDetails {
        let outcome = await withCheckedContinuation { continuation in
            callAsFunction(over: http) { continuation.resume(returning: $0) }
        }
        return try outcome.get()
    }

    /// `completion` is called once, on any thread.
    package func callAsFunction(
        over http: any WebTransport,
        completion: @escaping @Sendable (Result<ChatDetails, ConnectChatError>) -> Void
    ) {
        let base: ServiceAddress
        do throws(ConnectChatError) {
            base = try ServiceAddress(GlobalConfig(endpoint: endpoint))
        } catch {
            return completion(.failure(error))
        }
        let mode = isStreaming ? "INCREMENTAL" : "COMPLETE"
        let types = ["text/plain", "text/markdown", ContentType.interactiveText.rawValue]
        var request = HTTPClient.Request(
            "PUT", base.endpoint, base.target + "/contact/chat",
            headers: ["Content-Type": "application/json", "User-Agent": ServiceCaller.userAgent],
            answerBytes: ConnectLimits.answerBytes, timeout: ConnectLimits.requestTimeout)
        request.body = JSONWriter.bytes(
            .object([
                "InstanceId": .string("mock"), "ContactFlowId": .string(flow),
                "ParticipantDetails": .object(["DisplayName": .string(name)]),
                "ParticipantConfiguration": .object(["ResponseMode": .string(mode)]),
                "SupportedMessagingContentTypes": .array(types.map { .string($0) }),
            ]))
        http.begin(request) { report in
            if let outcome = Self.outcome(of: report) { completion(outcome) }
        }
    }

    private static func outcome(of report: HTTPClient.Report) -> Result<ChatDetails, ConnectChatError>? {
        switch report {
        case .answered(let answer) where 200..<300 ~= answer.status:
            guard let body = try? JSONReader.read(answer.body, manner: .lenient),
                let token = body["ParticipantToken"]?.string
            else { return .failure(.unexpectedAnswer("The answer has no ParticipantToken.")) }
            return .success(
                ChatDetails(
                    contactId: body["ContactId"]?.string, participantId: body["ParticipantId"]?.string,
                    participantToken: token))
        case .answered(let answer):
            return .failure(
                ConnectChatError(status: answer.status, headers: answer.headers, body: answer.body))
        case .failed(let failure): return .failure(ConnectChatError(failure))
        case .opened, .sent, .text, .binary, .began, .part, .closed: return nil
        }
    }
}
