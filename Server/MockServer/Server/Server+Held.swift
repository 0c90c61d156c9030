import Clocks
import ConversationEngine
import ServerCore
import Timeline

/// Frames that wait for a person: those of sessions that somebody holds.
extension Server {
    /// The claim of a person to the next message to `connection`; nil while its session is not held.
    func personHold(on connection: Connection) -> Valve.Hold? {
        guard connection.channel?.waitsForPerson == true,
            let release = connection.session.flatMap({ controls.holds[$0] })
        else { return nil }
        controls.heldCount += 1
        let id = controls.heldCount
        // Those that time let go are still noted.
        if id.isMultiple(of: 256) { forgetReleased() }
        let realEnd = waitsInRealTime ? wallClock.now + release : nil
        controls.heldSince[id] = Control.State.Held(since: now, realEnd: realEnd)
        if let realEnd { armRealTime(noLaterThan: realEnd) }
        return Valve.Hold(end: now + release, frame: id)
    }

    /// Connections with frames that wait, and these frames.
    var heldFrames: [(connection: Connection, frames: [Valve.HeldFrame])] {
        guard !controls.heldSince.isEmpty else { return [] }
        return connections.compactMap { connection in
            guard let connection, let frames = connection.channel?.heldFrames, !frames.isEmpty else {
                return nil
            }
            return (connection, frames)
        }
    }

    /// Where the script has what the message says.
    func place(of context: OutboundContext) -> RowPlace {
        guard context.words.line > 0, let handle = engine.handle(of: context.session),
            let outbox = outbox(of: handle)
        else { return RowPlace() }
        return RowPlace(file: outbox.file, line: context.words.line)
    }

    /// What is no longer held needs no note.
    func forgetReleased() {
        guard !controls.heldSince.isEmpty else { return }
        let held = Set(heldFrames.flatMap { $0.frames.map(\.id) })
        controls.heldSince = controls.heldSince.filter { held.contains($0.key) }
    }

    // MARK: - Real time

    /// A clock of the server's own that stands still would never let a wait end. A clock that a test brought
    /// is moved by that test.
    var waitsInRealTime: Bool { configuration.clock == nil && clock.mode == .frozen }

    /// Has ``Control/wakeWatchers()`` called at `moment` of the wall's clock, or before.
    func armRealTime(noLaterThan moment: Instant) {
        if let due = controls.timerDue, due <= moment { return }
        if controls.timer == nil, let wake = controls.wake { controls.timer = wallClock.makeTimer(wake) }
        controls.timerDue = moment
        controls.timer?.arm(at: moment)
    }
}
