import Clocks
import ConversationEngine
import ServerCore
import Timeline

/// Interception of frames.
extension Server {
    /// Returns the hold for the next message; nil if messages are not intercepted.
    func personHold(on connection: Connection) -> HoldQueue.Hold? {
        guard connection.channel?.waitsForPerson == true,
            let release = connection.session.flatMap({ controls.holds[$0] })
        else { return nil }
        controls.heldCount += 1
        let id = controls.heldCount
        // Removes entries of released frames at every 256th id.
        if id.isMultiple(of: 256) { forgetReleased() }
        let realEnd = waitsInRealTime ? wallClock.now + release : nil
        controls.heldSince[id] = ControlAPI.State.Held(since: now, realEnd: realEnd)
        if let realEnd { armRealTime(noLaterThan: realEnd) }
        return HoldQueue.Hold(end: now + release, frame: id)
    }

    var heldFrames: [(connection: Connection, frames: [HoldQueue.HeldFrame])] {
        guard !controls.heldSince.isEmpty else { return [] }
        return connections.compactMap { connection in
            guard let connection, let frames = connection.channel?.heldFrames, !frames.isEmpty else {
                return nil
            }
            return (connection, frames)
        }
    }

    func place(of context: OutboundContext) -> RowPlace {
        guard context.words.line > 0, let handle = engine.handle(of: context.session),
            let outbox = outbox(of: handle)
        else { return RowPlace() }
        return RowPlace(file: outbox.file, line: context.words.line)
    }

    func forgetReleased() {
        guard !controls.heldSince.isEmpty else { return }
        let held = Set(heldFrames.flatMap { $0.frames.map(\.id) })
        controls.heldSince = controls.heldSince.filter { held.contains($0.key) }
    }

    /// Holds back each message to a session's clients until a person releases it, at most for the time `release`. Nil
    /// ends the interception.
    func hold(_ handle: SessionHandle, _ release: Interval?) {
        controls.holds = controls.holds.filter { engine.with($0.key) { _ in true } ?? false }
        controls.holds[handle] = release
        for id in engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.waitForPerson(release != nil) }
            self.release(connection)
        }
        forgetReleased()
        serveWatchers()
    }

    /// Sends output after a held frame was released or dropped.
    func releaseHeld(on connection: Connection) {
        release(connection)
        forgetReleased()
        serveWatchers()
    }

    /// Releases frames whose wall-clock deadline has passed.
    func releaseHeld() {
        let now = wallNow
        let ended = controls.heldSince.filter { $0.value.realEnd.map { $0 <= now } ?? false }
        let over = Set(ended.keys)
        guard !over.isEmpty else { return }
        for (connection, frames) in heldFrames
        where frames.contains(where: { over.contains($0.id) }) {
            connection.withChannel { $0.letGo(ofFrames: over) }
            release(connection)
        }
        for id in over { controls.heldSince[id] = nil }
    }

    func rearmHeld() {
        for (connection, frames) in heldFrames {
            for frame in frames {
                let realEnd = waitsInRealTime ? wallNow + max(.zero, frame.end - now) : nil
                controls.heldSince[frame.id]?.realEnd = realEnd
                if let realEnd { armRealTime(noLaterThan: realEnd) }
            }
            release(connection)
        }
    }

    // MARK: - Real time

    /// Whether waits and held frames end by real time.
    var waitsInRealTime: Bool { configuration.clock == nil && clock.mode == .frozen }

    /// Lets the real-time timer fire at `moment` of the wall clock or earlier.
    func armRealTime(noLaterThan moment: Instant) {
        controls.realDeadline = min(controls.realDeadline ?? moment, moment)
    }
}
