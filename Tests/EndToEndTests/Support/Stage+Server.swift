import ConversationEngine
import MockServer

extension Stage {
    /// What the server knows of a session.
    struct Facts: Sendable, Equatable {
        var platform: String
        var deviceType: String?
        var hasEnded: Bool
        var connections: Int
        /// What the user said.
        var heard: [String]
        /// What agents said, chunks put together.
        var told: [String]
    }

    func facts(of session: String) async throws -> Facts? {
        try await server.inspect { server in
            server.session(session).map { session in
                var heard: [String] = []
                var told: [(id: String, text: String)] = []
                for entry in session.journal {
                    switch entry.event {
                    case .userMessage(_, let text): heard.append(text)
                    case .agentMessage(let message), .liveAgentMessage(let message, _):
                        told.append((message.id, message.text))
                    case .agentChunk(let chunk):
                        if told.last?.id == chunk.messageID {
                            told[told.count - 1].text += chunk.text
                        } else {
                            told.append((chunk.messageID, chunk.text))
                        }
                    default: break
                    }
                }
                return Facts(
                    platform: session.platform, deviceType: session.deviceType, hasEnded: session.hasEnded,
                    connections: session.links.count, heard: heard, told: told.map(\.text))
            }
        }
    }

    /// What the server heard the user say in a session.
    func heard(in session: String) async throws -> [String] {
        try await facts(of: session)?.heard ?? []
    }
}
