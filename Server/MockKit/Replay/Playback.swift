package import Clocks
import ConversationEngine
package import MockServer

/// A playback of a recorded conversation to every client, in place of the session's own events. Each session receives
/// the recording from its beginning, and the rest after a reconnect. Client messages get no answer.
package final class Playback: Sendable {
    package enum Pace: String, Sendable, CaseIterable {
        /// The pauses of the recording.
        case own
        case step
        case once
    }

    private enum Order: Sendable {
        case ready(session: String, ConnectionID)
        case next(session: String)
        case step
    }

    private struct Viewer {
        var shown = 0
        var connections: [ConnectionID] = []
        var timer: (any EventTimer)?
    }

    private let recording: Recording
    private let pace: Pace
    private let server: MockServer
    private let clock: any EventClock
    private let orders: AsyncStream<Order>.Continuation
    private let task: Locked<Task<Void, Never>?> = Locked(nil)

    package static func begin(
        _ recording: Recording, pace: Pace, on server: MockServer, clock: any EventClock
    ) async -> Playback {
        let (stream, orders) = AsyncStream.makeStream(of: Order.self, bufferingPolicy: .unbounded)
        let playback = Playback(recording, pace, server, clock, orders)
        await server.inspect { state in
            state.replaceTexts { session, connection in
                orders.yield(.ready(session: session, connection))
            }
        }
        let task = Task { await playback.follow(stream) }
        playback.task.withLock { $0 = task }
        return playback
    }

    private init(
        _ recording: Recording, _ pace: Pace, _ server: MockServer, _ clock: any EventClock,
        _ orders: AsyncStream<Order>.Continuation
    ) {
        self.recording = recording
        self.pace = pace
        self.server = server
        self.clock = clock
        self.orders = orders
    }

    package func step() { orders.yield(.step) }

    package func stop() {
        orders.finish()
        task.withLock { $0 }?.cancel()
    }

    private func follow(_ stream: AsyncStream<Order>) async {
        var viewers: [String: Viewer] = [:]
        for await order in stream {
            switch order {
            case .ready(let session, let connection):
                var viewer = viewers[session] ?? Viewer()
                guard !viewer.connections.contains(connection) else { continue }
                let isNew = viewer.connections.isEmpty
                viewer.connections.append(connection)
                await show(0..<viewer.shown, to: [connection])
                if isNew { await begin(&viewer, session) }
                viewers[session] = viewer
            case .next(let session):
                guard var viewer = viewers[session] else { continue }
                await showNext(&viewer, session)
                viewers[session] = viewer
            case .step:
                for session in viewers.keys.sorted() {
                    guard var viewer = viewers[session] else { continue }
                    await showNext(&viewer, session)
                    viewers[session] = viewer
                }
            }
        }
    }

    private func begin(_ viewer: inout Viewer, _ session: String) async {
        switch pace {
        case .step: break
        case .once:
            await show(recording.messages.indices, to: viewer.connections)
            viewer.shown = recording.messages.count
        case .own:
            let orders = orders
            viewer.timer = clock.makeTimer { orders.yield(.next(session: session)) }
            viewer.timer?.arm(at: clock.now)
        }
    }

    private func showNext(_ viewer: inout Viewer, _ session: String) async {
        guard viewer.shown < recording.messages.count else { return }
        await show(viewer.shown..<(viewer.shown + 1), to: viewer.connections)
        viewer.shown += 1
        guard pace == .own, viewer.shown < recording.messages.count else { return }
        viewer.timer?.arm(at: clock.now + recording.messages[viewer.shown].gap)
    }

    private func show(_ range: Range<Int>, to connections: [ConnectionID]) async {
        let messages = Array(recording.messages[range])
        await server.inspect { state in
            for message in messages {
                for connection in connections {
                    _ = state.push(raw: message.raw, type: message.type, to: connection)
                }
            }
        }
    }
}
