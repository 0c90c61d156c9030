import ConversationEngine
import DialectKit
import ServerCore
import Texts
import Timeline
import WebSocketCore

extension ControlAPI {
    /// Sends the hint of the feed's filter, if there is one.
    func hint(at feed: RowFeed, of connection: Connection) {
        guard let filter = feed.filter else { return }
        guard !affords(filter) else { return send(hint: filter.hint(among: timeline), to: connection) }
        let (timeline, id) = (timeline, connection.id)
        let away = AwayWork(.answers) {
            let hint = filter.hint(among: timeline)
            return AwayWork.Result { server in
                guard let connection = server.connection(of: id), connection.isFeed else { return }
                server.control.send(hint: hint, to: connection)
            }
        }
        server.outputs.append(.work(away))
    }

    private func send(hint: String?, to connection: Connection) {
        guard let hint else { return }
        var bytes = Array("{\"hint\":".utf8)
        JSONWriter.string(hint, into: &bytes)
        bytes.append(UInt8(ascii: "}"))
        send(bytes, to: connection)
    }

    /// Sends new rows and changes.
    func continueFeed(of connection: Connection, in turn: WatchTurn) {
        guard let webSocket = connection.webSocket, case .feed(var feed) = webSocket.purpose else { return }
        defer { webSocket.purpose = .feed(feed) }
        if !feed.sendsRows { feed.seen = timeline.lastNumber }
        let wall = server.wallNow
        while feed.seen < timeline.lastNumber {
            guard server.hasRoom(connection) else { return }
            let missed = timeline.firstNumber - 1
            if feed.seen < missed {
                send(Array("{\"dropped\":\(missed - feed.seen)}".utf8), to: connection)
                feed.seen = missed
                continue
            }
            if feed.filter == nil, let changes = feed.changes, !changes.admitsSome(at: wall) {
                changes.skip(feed.seen + 1...timeline.lastNumber)
                feed.seen = timeline.lastNumber
                break
            }
            let number = feed.seen + 1
            guard let isTaken = feed.takes(number, in: turn, now: server.now) else { break }
            guard isTaken, let row = turn.row(number) else {
                feed.seen = number
                continue
            }
            guard turn.allowsText(of: row, textBytes: feed.textBytes) else { break }
            feed.seen = number
            guard feed.changes?.admits(number, at: wall) ?? true else { continue }
            if let skipped = feed.changes?.takeSkipped(at: wall) { send(skipped, to: connection) }
            server.send(
                turn.text(of: row, textBytes: feed.textBytes), as: .text, of: webSocket, on: connection)
        }
        if let changes = feed.changes { send(changes, to: connection, in: turn) }
    }

    private func send(_ text: [UInt8], to connection: Connection) {
        guard let webSocket = connection.webSocket else { return }
        server.send(text, as: .text, of: webSocket, on: connection)
    }

    // MARK: - Changes

    func beginChanges(of changes: FeedChanges) {
        changes.faults = faultsNow
        changes.clockMoves = server.controls.clockMoves
        changes.unmatched = server.events.unmatched.count
        changes.violation = server.violations.last?.number ?? 0
        if changes.topics.contains(.sessions) { server.notesChanges = true }
    }

    private var feeds: [FeedChanges] {
        server.controls.watching.compactMap { server.connection(of: $0)?.feed?.changes }
    }

    func gatherChanges() {
        guard server.notesChanges else { return }
        let feeds = feeds.filter { $0.topics.contains(.sessions) }
        let (changed, forgotten) = server.takeChanges()
        for feed in feeds {
            feed.sessions.formUnion(changed)
            feed.forgotten += forgotten
            // Removes forgotten sessions, to limit the set.
            if feed.sessions.count > 2 * server.engine.sessionCount {
                feed.sessions = feed.sessions.filter { server.engine.with($0) { _ in true } ?? false }
            }
            feed.forgotten.removeFirst(max(0, feed.forgotten.count - ServerLimits.Control.forgotten))
        }
        if feeds.isEmpty { server.notesChanges = false }
    }

    /// Adds an item to the feeds of `topic`; nil means any topic.
    func announce(_ topic: FeedTopic?, _ name: String, _ value: @autoclosure () -> JSONValue) {
        let feeds = feeds.filter { feed in topic.map { feed.topics.contains($0) } ?? !feed.topics.isEmpty }
        guard !feeds.isEmpty else { return }
        let item = ControlJSON.bytes(.object([name: value()]))
        for feed in feeds where feed.items.count < ServerLimits.Control.changes { feed.items.append(item) }
    }

    private func send(_ changes: FeedChanges, to connection: Connection, in turn: WatchTurn) {
        repeat {
            while !changes.items.isEmpty, server.hasRoom(connection) {
                send(changes.items.removeFirst(), to: connection)
            }
        } while server.hasRoom(connection) && gatherNew(into: changes, in: turn)
        guard server.hasRoom(connection) else { return }
        let wall = server.wallNow
        if let skipped = changes.takeSkipped(at: wall) { send(skipped, to: connection) }
        if hasChanges(changes), changes.opens(at: wall) {
            sendLists(changes, to: connection, in: turn)
        }
        if let due = changes.due(hasChanges: hasChanges(changes)) { server.armRealTime(noLaterThan: due) }
    }

    /// Adds new unmatched items and violations. Returns false if there is nothing to send.
    private func gatherNew(into changes: FeedChanges, in turn: WatchTurn) -> Bool {
        if changes.topics.contains(.unmatched), changes.unmatched < server.events.unmatched.count {
            let new = server.unmatched.drop { $0.number <= changes.unmatched }
            for item in new.prefix(ServerLimits.Control.gatheredNews) {
                guard turn.spend(item.text.utf8.count * 8 + 512, alone: true) else { break }
                changes.items.append(ControlJSON.bytes(.object(["unmatched": Self.json(item)])))
                changes.unmatched = item.number
            }
            if new.isEmpty { changes.unmatched = server.events.unmatched.count }
        }
        if changes.topics.contains(.violations), let last = server.violations.last,
            changes.violation < last.number
        {
            let new = server.violations.drop { $0.number <= changes.violation }
            for violation in new.prefix(ServerLimits.Control.gatheredNews) {
                changes.items.append(ControlJSON.bytes(.object(["violation": Self.json(violation)])))
                changes.violation = violation.number
            }
        }
        return !changes.items.isEmpty
    }

    private func hasChanges(_ changes: FeedChanges) -> Bool {
        !changes.sessions.isEmpty || !changes.forgotten.isEmpty
            || changes.topics.contains(.faults) && changes.faults != faultsNow
            || changes.topics.contains(.clock) && changes.clockMoves != server.controls.clockMoves
            || changes.topics.contains(.intercepted) && changes.held != heldNow
    }

    private func sendLists(_ changes: FeedChanges, to connection: Connection, in turn: WatchTurn) {
        // The remaining sessions are sent with the next changes.
        let most = turn.share(
            of: min(changes.sessions.count, ServerLimits.Control.changes),
            steps: ServerLimits.Control.sessionSteps)
        let chosen = Array(changes.sessions.prefix(most))
        changes.sessions.subtract(chosen)
        let facts = SessionDetails(server, of: chosen)
        for handle in chosen {
            guard let members = server.engine.with(handle, { Self.members(of: $0, facts) }) else { continue }
            send(ControlJSON.bytes(.object(["session": ControlJSON.object(members)])), to: connection)
        }
        for id in changes.forgotten {
            send(ControlJSON.bytes(.object(["forgotten": .string(id)])), to: connection)
        }
        changes.forgotten = []
        if changes.topics.contains(.faults), changes.faults != faultsNow {
            changes.faults = faultsNow
            send(ControlJSON.bytes(.object(["faults": faultList])), to: connection)
        }
        if changes.topics.contains(.intercepted), changes.held != heldNow {
            changes.held = heldNow
            let list = heldList(textBytes: connection.feed?.textBytes)
            send(ControlJSON.bytes(.object(["intercepted": list])), to: connection)
        }
        if changes.topics.contains(.clock), changes.clockMoves != server.controls.clockMoves {
            changes.clockMoves = server.controls.clockMoves
            send(ControlJSON.bytes(.object(["clock": ControlJSON.object(clockMembers)])), to: connection)
        }
    }

    private var heldNow: [UInt64] { server.heldFrames.flatMap { $0.frames.map(\.id) } }

    private var faultsNow: [UInt64] {
        server.faults.active.flatMap { [$0.id, UInt64(server.faults.firings[$0.id] ?? 0)] }
    }
}
