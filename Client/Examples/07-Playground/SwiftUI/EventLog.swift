// This file was type-checked only: it has never run on an Apple device.
import Combine
import PolyMessaging

/// The events of the current session, and the number of text frames received in it.
@MainActor
final class EventLog: ObservableObject {
    @Published private(set) var events: [MessagingEvent] = []
    @Published private(set) var frameCount = 0
    private var tasks: [Task<Void, Never>] = []

    /// Clears the log, and begins the log of this client.
    func follow(_ client: PolyMessagingClient) {
        for task in tasks { task.cancel() }
        (events, frameCount) = ([], 0)
        let connection = client.getConnection()
        tasks = [
            Task { [weak self] in
                for await event in client.events { self?.events.append(event) }
            },
            Task { [weak self] in
                for await _ in connection.rawFrames { self?.frameCount += 1 }
            },
        ]
    }
}
