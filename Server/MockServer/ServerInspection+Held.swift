import Clocks
import ConversationEngine
import ServerCore
import Timeline

/// Frames that wait for a person: those of sessions that somebody holds.
extension ServerInspection {
    /// The claim of a person to the next message to `connection`; nil while its session is not held.
    func personHold(on connection: Connection) -> Valve.Hold? {
        guard connection.channel?.waitsForPerson == true,
            let release = connection.session.flatMap({ controlState.holds[$0] })
        else { return nil }
        controlState.heldCount += 1
        let id = controlState.heldCount
        // Those that time let go are still noted.
        if id.isMultiple(of: 256) { forgetReleased() }
        let control = Control(server: self)
        let realEnd = control.waitsInRealTime ? wallNow + release : nil
        controlState.heldSince[id] = Control.State.Held(since: now, realEnd: realEnd)
        if let realEnd { control.armRealTime(noLaterThan: realEnd) }
        return Valve.Hold(end: now + release, frame: id)
    }

    /// Has the frames of a session wait for a person, each for `release` at most; nil lets all go.
    func hold(_ handle: SessionHandle, _ release: Interval?) {
        controlState.holds = controlState.holds.filter { session($0.key) != nil }
        controlState.holds[handle] = release
        for id in loop.state.engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.waitForPerson(release != nil) }
            loop.sessions.release(connection)
        }
        forgetReleased()
        Control(server: self).serveWatchers()
    }

    /// Connections with frames that wait, and these frames.
    var heldFrames: [(connection: Connection, frames: [Valve.HeldFrame])] {
        guard !controlState.heldSince.isEmpty else { return [] }
        return loop.state.connections.compactMap { connection in
            guard let connection, let frames = connection.channel?.heldFrames, !frames.isEmpty else {
                return nil
            }
            return (connection, frames)
        }
    }

    /// Where the script has what the message says.
    func place(of context: OutboundContext) -> RowPlace {
        guard context.words.line > 0, let handle = loop.state.engine.handle(of: context.session),
            let outbox = loop.state.outbox(of: handle)
        else { return RowPlace() }
        return RowPlace(file: outbox.file, line: context.words.line)
    }

    /// Sends what may leave by now.
    func release(_ connection: Connection) {
        loop.sessions.release(connection)
        forgetReleased()
        Control(server: self).serveWatchers()
    }

    /// What is no longer held needs no note.
    private func forgetReleased() {
        guard !controlState.heldSince.isEmpty else { return }
        let held = Set(heldFrames.flatMap { $0.frames.map(\.id) })
        controlState.heldSince = controlState.heldSince.filter { held.contains($0.key) }
    }

    /// The wall's time lets go of frames while the server's own stands still.
    func releaseHeld() {
        let now = wallNow
        let ended = controlState.heldSince.filter { $0.value.realEnd.map { $0 <= now } ?? false }
        let over = Set(ended.keys)
        guard !over.isEmpty else { return }
        perform {
            for (connection, frames) in heldFrames where frames.contains(where: { over.contains($0.id) }) {
                connection.withChannel { $0.letGo(ofFrames: over) }
                loop.sessions.release(connection)
            }
        }
        for id in over { controlState.heldSince[id] = nil }
    }

    /// The clock stands still from now on, or no longer.
    func rearmHeld() {
        let control = Control(server: self)
        for (connection, frames) in heldFrames {
            for frame in frames {
                let realEnd = control.waitsInRealTime ? wallNow + max(.zero, frame.end - now) : nil
                controlState.heldSince[frame.id]?.realEnd = realEnd
                if let realEnd { control.armRealTime(noLaterThan: realEnd) }
            }
            loop.sessions.release(connection)
        }
    }
}
