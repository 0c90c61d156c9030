// This file was type-checked only: it has never run on an Apple device.
import ConnectChat
import Foundation

/// Starts contacts. In production, a back end of the app signs `StartChatContact`; polymock asks for no signature.
enum ContactBackend {
    static let server = "http://127.0.0.1:8787"

    private struct Contact: Decodable {
        let ParticipantToken: String
    }

    /// Starts a contact that plays the fixture `concierge`, and connects the session with it.
    static func start(_ session: ChatSession) async throws {
        guard let url = URL(string: server + "/contact/chat") else { preconditionFailure("no address") }
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        let details =
            #"{"InstanceId":"i","ContactFlowId":"mock:concierge","ParticipantDetails":{"DisplayName":"Ada"}}"#
        request.httpBody = Data(details.utf8)
        let (body, _) = try await URLSession.shared.data(for: request)
        let token = try JSONDecoder().decode(Contact.self, from: body).ParticipantToken
        try await session.connect(chatDetails: ChatDetails(participantToken: token))
    }
}
