import Clocks
import ConversationEngine
import ServerCore
import Timeline

/// Frames that wait for a person: those of sessions that somebody holds.
extension ServerInspection {
    /// Has the frames of a session wait for a person, each for `release` at most; nil lets all go.
    func hold(_ handle: SessionHandle, _ release: Interval?) {
        controls.holds = controls.holds.filter { session($0.key) != nil }
        controls.holds[handle] = release
        for id in loop.server.engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.waitForPerson(release != nil) }
            loop.server.release(connection)
        }
        loop.server.forgetReleased()
        Control(server: self).serveWatchers()
    }

    /// Sends what may leave by now.
    func release(_ connection: Connection) {
        loop.server.release(connection)
        loop.server.forgetReleased()
        Control(server: self).serveWatchers()
    }

    /// The wall's time lets go of frames while the server's own stands still.
    func releaseHeld() {
        let now = wallNow
        let ended = controls.heldSince.filter { $0.value.realEnd.map { $0 <= now } ?? false }
        let over = Set(ended.keys)
        guard !over.isEmpty else { return }
        perform {
            for (connection, frames) in loop.server.heldFrames
            where frames.contains(where: { over.contains($0.id) }) {
                connection.withChannel { $0.letGo(ofFrames: over) }
                loop.server.release(connection)
            }
        }
        for id in over { controls.heldSince[id] = nil }
    }

    /// The clock stands still from now on, or no longer.
    func rearmHeld() {
        let server = loop.server
        for (connection, frames) in loop.server.heldFrames {
            for frame in frames {
                let realEnd = server.waitsInRealTime ? wallNow + max(.zero, frame.end - now) : nil
                controls.heldSince[frame.id]?.realEnd = realEnd
                if let realEnd { server.armRealTime(noLaterThan: realEnd) }
            }
            loop.server.release(connection)
        }
    }
}
